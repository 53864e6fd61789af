"""The guard: an agent's own file tools are kept off the vault's files, and nothing else is."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.frontends.conftest import Shell

V = "VAULT"
REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("Write", {"file_path": f"{V}/memory/project/main/x.md", "content": "x"}),
    ("Write", {"file_path": f"{V}/inbox/lyra/x.md", "content": "x"}),
    ("Edit", {"file_path": f"{V}/identity/lyra.md", "old_string": "a", "new_string": "b"}),
    ("MultiEdit", {"file_path": f"{V}/Settings.md", "edits": []}),
    ("NotebookEdit", {"notebook_path": f"{V}/nexus/x.ipynb", "new_source": ""}),
    ("Write", {"file_path": f"{V}/pages/../memory/user/x.md", "content": "x"}),
    ("Write", {"file_path": f"{V}/MEMORY/user/x.md", "content": "x"}),
    ("Write", {"file_path": "link/user/x.md", "content": "x"}),
    ("Bash", {"command": f"echo x > {V}/memory/user/x.md"}),
    ("Bash", {"command": f"cat >>{V}/nexus/log/x.md <<'EOF'\nx\nEOF"}),
    ("Bash", {"command": f"cd {V} && echo x >memory/user/x.md"}),
    ("Bash", {"command": f"cd {V}; sed -i s/a/b/ identity/lyra.md"}),
    ("Bash", {"command": f"mv {V}/inbox/lyra/a.md {V}/memory/user/a.md"}),
    ("Bash", {"command": f"cp /tmp/x {V}/Settings.md"}),
    ("Bash", {"command": f"true | tee -a {V}/inbox/lyra/x.md"}),
    ("Bash", {"command": f"rm -rf {V}"}),
    ("Bash", {"command": f"rm {V}/memory/user/*.md"}),
    ("Bash", {"command": f"bash -c 'echo x > {V}/memory/user/x.md'"}),
    ("Bash", {"command": f"FOO=1 sudo touch '{V}/memory/user/a b.md'"}),
    ("shell", {"command": ["bash", "-lc", f"echo x > {V}/memory/user/x.md"]}),
    ("apply_patch", {"command": f"*** Begin Patch\n*** Add File: {V}/memory/user/x.md\n+x\n*** End Patch"}),
    ("shell", {"command": ["apply_patch", f"*** Begin Patch\n*** Update File: {V}/identity/lyra.md\n@@\n-a\n+b\n"]}),
    ("write_file", {"file_path": f"{V}/memory/user/x.md", "content": "x"}),
    ("replace", {"file_path": f"{V}/memory/user/x.md", "old_string": "a", "new_string": "b"}),
    ("run_shell_command", {"command": "echo x > memory/x.md", "directory": V}),
]
ALLOWED: list[tuple[str, dict[str, Any]]] = [
    ("Write", {"file_path": "src/memory/x.md", "content": f"see {V}/memory/user/x.md"}),
    ("Write", {"file_path": f"{V}/pages/mine.md", "content": "x"}),
    ("Write", {"file_path": f"{V}-other/memory/x.md", "content": "x"}),
    ("Read", {"file_path": f"{V}/memory/user/x.md"}),
    ("Grep", {"pattern": "x", "path": V}),
    ("Bash", {"command": f"cat {V}/MEMORY.md | head > out.txt"}),
    ("Bash", {"command": f"mdmem retain 'see {V}/memory/user/x.md' --source {V}/inbox"}),
    ("Bash", {"command": f"cp {V}/memory/user/x.md here.md"}),
    ("Bash", {"command": "rm -rf build && mkdir memory"}),
    ("Bash", {"command": f"grep -r tea {V}/memory 2>/dev/null"}),
    ("Bash", {"command": "echo 'an open quote"}),
    ("Bash", {}),
    ("mcp__mdmem__memory_store", {"key": "x", "value": "x"}),
    ("Unknown", {"a": [1, {"b": None}]}),
]


def ask(shell: Shell, client: str, tool: str, given: object, **env: str) -> str:
    event = {"session_id": "s", "cwd": str(shell.cwd), "hook_event_name": "PreToolUse", "tool_name": tool}
    text = json.dumps(event | {"tool_input": given}).replace(V, env.pop("VAULT"))
    done = shell("hook", client, "guard", "--agent", "lyra", input=text, **env)
    assert (done.code, done.err) == (0, "")
    return done.out


def reason(out: str) -> str:
    answer = json.loads(out)["hookSpecificOutput"]
    assert answer["hookEventName"] == "PreToolUse" and answer["permissionDecision"] == "deny"
    return str(answer["permissionDecisionReason"])


def test_what_writes_into_the_vault_is_refused_with_what_to_use_instead(shell: Shell, vault: Path) -> None:
    (shell.cwd / "link").symlink_to(vault / "memory")
    through = [(tool, given, ask(shell, "claude-code", tool, given, VAULT=str(vault))) for tool, given in REFUSED]
    assert not [(tool, given) for tool, given, out in through if not out]
    assert all("`mdmem retain`" in reason(out) and "not written directly" in reason(out) for *_, out in through)


def test_everything_else_passes_in_silence(shell: Shell, vault: Path) -> None:
    asked = [(tool, given, ask(shell, "claude-code", tool, given, VAULT=str(vault))) for tool, given in ALLOWED]
    assert not [one for one in asked if one[2]]


def test_each_client_is_told_in_its_own_way(shell: Shell, vault: Path) -> None:
    write = {"file_path": f"{V}/memory/user/x.md", "content": "x"}
    assert "mdmem retain" in reason(ask(shell, "codex", "write_file", write, VAULT=str(vault)))
    answer = json.loads(ask(shell, "gemini", "write_file", write, VAULT=str(vault)))
    assert answer["decision"] == "deny" and "mdmem retain" in answer["reason"]
    assert json.loads(ask(shell, "gemini", "write_file", {"file_path": "x"}, VAULT=str(vault))) == {}


READING: list[tuple[str, dict[str, Any]]] = [
    ("Read", {"file_path": f"{V}/memory/private/ella/user/hers.md"}),
    ("Grep", {"pattern": "x", "path": f"{V}/memory"}),
    ("Glob", {"pattern": "**/*.md", "path": V}),
    ("Bash", {"command": f"cat {V}/memory/private/ella/user/hers.md"}),
    ("Bash", {"command": f"grep -r x {V}"}),
    ("Bash", {"command": f"cd {V} && rg x"}),
]


def test_with_access_control_private_notes_of_others_are_not_read(shell: Shell, vault: Path) -> None:
    for agent in ("ella", "lyra"):
        folder = vault / f"memory/private/{agent}/user"
        folder.mkdir(parents=True)
        (folder / "hers.md").write_text("secret")
    own = {"file_path": f"{V}/memory/private/lyra/user/hers.md"}
    assert not [one for one in READING if ask(shell, "claude-code", *one, VAULT=str(vault))]
    settings = vault / "Settings.md"
    settings.write_text(settings.read_text().replace('store = "review"', 'store = "review"\nacl_enabled = true'))
    for tool, given in READING:
        assert "private notes of another agent" in reason(ask(shell, "claude-code", tool, given, VAULT=str(vault)))
    assert ask(shell, "claude-code", "Read", own, VAULT=str(vault)) == ""
    assert ask(shell, "claude-code", "Grep", {"pattern": "x", "path": f"{V}/identity"}, VAULT=str(vault)) == ""


@pytest.mark.parametrize(
    ("client", "file", "event"),
    [
        ("claude-code", ".claude/settings.json", "PreToolUse"),
        ("codex", ".codex/hooks.json", "PreToolUse"),
        ("gemini", ".gemini/settings.json", "BeforeTool"),
    ],
)
def test_it_is_wired_when_asked_for_stays_and_goes(
    shell: Shell, vault: Path, client: str, file: str, event: str
) -> None:
    def groups() -> list[Any]:
        found: list[Any] = json.loads((shell.home / file).read_text())["hooks"].get(event, [])
        return found

    shell.fine("install", client, "--agent", "lyra", "--yes")
    assert groups() == []
    shell.fine("install", client, "--agent", "lyra", "--guard", "--yes")
    (group,) = groups()
    given = {"cwd": str(shell.cwd), "tool_name": "Write", "tool_input": {"file_path": f"{vault}/memory/user/x.md"}}
    command = group["hooks"][0]["command"]
    ran = subprocess.run(
        ["sh", "-c", command], input=json.dumps(given).encode(), env=shell.env, capture_output=True, check=True
    )
    assert b"mdmem retain" in ran.stdout
    assert "nothing was changed" in shell.fine("install", client, "--agent", "lyra", "--yes")
    shell.fine("install", client, "--agent", "lyra", "--no-guard", "--yes")
    assert groups() == []
    shell.fine("install", client, "--agent", "lyra", "--guard", "--yes")
    shell.fine("uninstall", client, "--yes")
    assert not (shell.home / file).exists()


def test_a_client_that_asks_nobody_cannot_be_guarded(shell: Shell, vault: Path) -> None:
    done = shell("install", "cursor", "--agent", "lyra", "--guard", "--yes")
    assert done.code == 2 and "claude-code, codex, gemini" in done.sentence


def test_a_guard_that_fails_lets_the_client_go_on_and_is_told_by_doctor(shell: Shell, vault: Path) -> None:
    done = shell("hook", "claude-code", "guard", "--agent", "lyra", input="no json")
    assert (done.code, done.out, done.err) == (0, "", "")
    told = shell("doctor").out
    assert "hook-failed" in told and "claude-code guard" in told
