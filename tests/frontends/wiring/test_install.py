"""`mdmem install` and `uninstall` as processes, on real files in the home folder of nobody."""

import json
import os
import shlex
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import frontmatter
import pytest

from markdown_memory.frontends.hooks.events import CLIENTS as WITH_HOOKS
from markdown_memory.frontends.hooks.events import EVENTS
from markdown_memory.frontends.wiring.clients import CLIENTS, HOOKS
from tests.frontends.conftest import Shell, plain

ALL = [client.slug for client in CLIENTS]
IN_PROJECT = [client.slug for client in CLIENTS if client.in_project]
SERVERS = {
    "claude-code": (".claude.json", ("mcpServers",)),
    "gemini": (".gemini/settings.json", ("mcpServers",)),
    "cursor": (".cursor/mcp.json", ("mcpServers",)),
    "openclaw": (".openclaw/openclaw.json", ("mcp", "servers")),
    "vscode": (".config/Code/User/mcp.json", ("servers",)),
    "claude-desktop": (".config/Claude/claude_desktop_config.json", ("mcpServers",)),
}


def files(home: Path) -> dict[str, bytes]:
    """Every file of the clients, without ours and the backups."""
    return {
        str(path.relative_to(home)): path.read_bytes()
        for path in sorted(home.rglob("*"))
        if path.is_file() and "mdmem" not in path.relative_to(home).parts and ".mdmem-backup-" not in path.name
    }


def settings(path: Path, value: object, **style: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, **style))
    return path


def backups(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.mdmem-backup-*"))


def install(shell: Shell, client: str, *more: str) -> str:
    return shell.fine("install", client, "--agent", "lyra", "--yes", *more)


@pytest.mark.parametrize("client", ALL)
def test_without_a_terminal_and_without_yes_only_the_preview_is_shown(shell: Shell, vault: Path, client: str) -> None:
    done = shell("install", client, "--agent", "lyra")
    assert done.code == 0 and "+++ " in done.out and "mdmem" in done.out
    assert f"`mdmem install {client} --agent lyra --yes` writes it" in done.err
    assert files(shell.home) == {}


@pytest.mark.parametrize("client", ALL)
def test_a_second_run_changes_nothing(shell: Shell, vault: Path, client: str) -> None:
    install(shell, client)
    first = files(shell.home)
    assert first and "nothing was changed" in install(shell, client)
    assert files(shell.home) == first and not backups(shell.home)


@pytest.mark.parametrize("client", ALL)
def test_uninstall_leaves_no_file_that_was_made_and_says_where_the_notes_are(
    shell: Shell, vault: Path, client: str
) -> None:
    install(shell, client)
    done = shell("uninstall", client, "--yes")
    assert done.code == 0 and str(vault) in done.err
    assert files(shell.home) == {} and vault.joinpath("MEMORY.md").exists()


@pytest.mark.parametrize("client", SERVERS)
def test_the_server_is_named_by_its_absolute_path_and_starts(shell: Shell, vault: Path, client: str) -> None:
    install(shell, client)
    name, above = SERVERS[client]
    server = json.loads((shell.home / name).read_text())
    for key in above:
        server = server[key]
    server = server["mdmem"]
    assert os.path.isabs(server["command"]) and server["args"][-3:] == ["serve", "--agent", "lyra"]
    started = subprocess.run(
        [server["command"], *server["args"]],
        input=b"",
        cwd="/",
        env=shell.env | server.get("env", {}),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert b"Traceback" not in started.stderr


@pytest.mark.parametrize("client", WITH_HOOKS)
def test_every_hook_is_a_line_that_a_shell_runs(shell: Shell, vault: Path, client: str) -> None:
    install(shell, client)
    name = {"claude-code": ".claude/settings.json", "codex": ".codex/hooks.json", "gemini": ".gemini/settings.json"}
    groups = json.loads((shell.home / name[client]).read_text())["hooks"]
    assert sorted(groups) == sorted(event for event, *_ in HOOKS[client])
    handlers = [group["hooks"][0] for entry in groups.values() for group in entry]
    events = [shlex.split(one["command"])[-3] for one in handlers]
    assert sorted(events) == sorted(EVENTS)
    unit = 1000 if client == "gemini" else 1
    assert all(3 * unit <= one["timeout"] <= 10 * unit for one in handlers)
    start = next(one["command"] for one in handlers if " session-start " in one["command"])
    event = {"session_id": "s", "cwd": str(shell.cwd), "hook_event_name": "SessionStart", "source": "startup"}
    ran = subprocess.run(
        ["sh", "-c", start], input=json.dumps(event).encode(), cwd="/", env=shell.env, capture_output=True, check=True
    )
    assert "agent lyra" in json.loads(ran.stdout)["hookSpecificOutput"]["additionalContext"]


def test_what_a_person_has_in_the_settings_stays_byte_for_byte(shell: Shell, vault: Path) -> None:
    theirs = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}, "model": "opus", "x": 1.0}
    path = settings(shell.home / ".claude/settings.json", theirs, indent=4)
    before = path.read_bytes()
    path.chmod(0o600)
    install(shell, "claude-code")
    merged = json.loads(path.read_text())
    assert merged["hooks"]["Stop"][0] == theirs["hooks"]["Stop"][0] and len(merged["hooks"]["Stop"]) == 2  # type: ignore[index]
    assert list(merged) == list(theirs) and path.stat().st_mode & 0o777 == 0o600
    (kept,) = backups(shell.home)
    assert kept.read_bytes() == before and kept.stat().st_mode & 0o777 == 0o600
    shell.fine("uninstall", "claude-code", "--yes")
    assert path.read_bytes() == before


def test_uninstall_keeps_what_was_changed_since(shell: Shell, vault: Path) -> None:
    path = settings(shell.home / ".claude/settings.json", {"model": "opus"}, indent=2)
    install(shell, "claude-code")
    later = json.loads(path.read_text())
    later["model"] = "haiku"
    later["hooks"]["Stop"][0]["hooks"].insert(0, {"type": "command", "command": "say done"})
    later["hooks"]["SessionStart"][0]["hooks"][0]["timeout"] = 60
    settings(path, later, indent=2)
    shell.fine("uninstall", "claude-code", "--yes")
    left = {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}
    assert json.loads(path.read_text()) == {"model": "haiku", "hooks": left}


def test_another_agent_replaces_the_entries_and_doubles_none(shell: Shell, vault: Path) -> None:
    install(shell, "claude-code")
    shell.fine("install", "claude-code", "--agent", "ella", "--yes")
    text = (shell.home / ".claude/settings.json").read_text()
    assert "lyra" not in text and text.count("--agent ella") == len(HOOKS["claude-code"])


def test_codex_keeps_its_comments_and_is_said_to_need_trust(shell: Shell, vault: Path) -> None:
    config = shell.home / ".codex/config.toml"
    config.parent.mkdir()
    config.write_text('model = "o5" # mine\n\n[projects."/x"]\ntrust_level = "trusted"\n')
    before = config.read_text()
    done = shell("install", "codex", "--agent", "lyra", "--yes")
    assert done.code == 0 and "Codex runs no hook that you have not trusted" in done.err
    server = tomllib.loads(config.read_text())["mcp_servers"]["mdmem"]
    assert server["args"] == ["serve", "--agent", "lyra"] and config.read_text().startswith(before)
    config.write_text(config.read_text() + '\n[tui]\ntheme = "dark"\n')
    shell.fine("uninstall", "codex", "--yes")
    assert tomllib.loads(config.read_text()) == tomllib.loads(before + '[tui]\ntheme = "dark"\n')


@pytest.mark.parametrize("present", ["", "model: x\n", "mcp_servers:\n    time:\n        command: uvx\nafter: 1\n"])
def test_hermes_gets_an_item_among_its_servers(shell: Shell, vault: Path, present: str) -> None:
    config = shell.home / "hermes/config.yaml"
    config.parent.mkdir()
    config.write_text(present)
    shell.env["HERMES_HOME"] = str(config.parent)
    install(shell, "hermes")
    read = frontmatter.loads(f"---\n{config.read_text()}---\n").metadata
    servers: Any = read["mcp_servers"]
    assert servers["mdmem"]["args"] == ["serve", "--agent", "lyra"]
    assert ("time" in servers) == ("time" in present) and ("after" in read) == ("after" in present)
    shell.fine("uninstall", "hermes", "--yes")
    assert config.read_text() == present


@pytest.mark.parametrize("client", IN_PROJECT)
def test_project_settings_touch_the_project_only(shell: Shell, vault: Path, client: str) -> None:
    install(shell, client, "--project-settings")
    made = files(shell.home)
    assert set(made) <= {".claude.json"}
    assert any(shell.cwd.iterdir())
    shell.fine("uninstall", client, "--yes")
    assert files(shell.home) == {} and not [path for path in shell.cwd.rglob("*") if path.is_file()]


def test_account_and_project_stand_side_by_side_in_one_file(shell: Shell, vault: Path) -> None:
    install(shell, "claude-code")
    install(shell, "claude-code", "--project-settings")
    state = json.loads((shell.home / ".claude.json").read_text())
    assert "mdmem" in state["mcpServers"] and "mdmem" in state["projects"][str(shell.cwd)]["mcpServers"]
    shell.fine("uninstall", "--all", "--yes")
    assert files(shell.home) == {}


def test_the_words_for_an_agent_stand_between_marks(shell: Shell, vault: Path) -> None:
    agents = shell.cwd / "AGENTS.md"
    agents.write_text("# Rules\n\nUse tabs.\n")
    install(shell, "cursor", "--project-settings")
    text = agents.read_text()
    assert text.startswith("# Rules\n\nUse tabs.\n\n<!-- mdmem:begin") and "you are `lyra`" in text
    shell.fine("uninstall", "cursor", "--yes")
    assert agents.read_text() == "# Rules\n\nUse tabs.\n"


def test_variables_say_where_settings_are(shell: Shell, vault: Path, tmp_path: Path) -> None:
    shell.env |= {"CLAUDE_CONFIG_DIR": str(tmp_path / "cc"), "CODEX_HOME": str(tmp_path / "cx")}
    shell.env |= {"XDG_CONFIG_HOME": str(tmp_path / "xdg")}
    for client in ("claude-code", "codex", "vscode"):
        install(shell, client)
    assert files(shell.home) == {}
    for name in ("cc/settings.json", "cc/.claude.json", "cx/config.toml", "cx/hooks.json", "xdg/Code/User/mcp.json"):
        assert (tmp_path / name).exists()


BROKEN: list[tuple[str, str, str]] = [
    ("claude-code", ".claude/settings.json", '{\n  "model": "opus", // mine\n}\n'),
    ("claude-code", ".claude/settings.json", '{"model": "opus",}'),
    ("claude-code", ".claude/settings.json", '{"hooks": []}'),
    ("claude-code", ".claude/settings.json", '{"hooks": {"Stop": {}}}'),
    ("claude-code", ".claude.json", "{"),
    ("gemini", ".gemini/settings.json", "[]"),
    ("codex", ".codex/config.toml", "model = \n"),
    ("codex", ".codex/config.toml", "[mcp_servers.mdmem]\ncommand = 'mine'\n"),
    ("codex", ".codex/config.toml", "mcp_servers = { a = { command = 'x' } }\n"),
    ("hermes", ".hermes/config.yaml", "mcp_servers: {}\n"),
    ("hermes", ".hermes/config.yaml", "a: [\n"),
    ("openclaw", ".openclaw/openclaw.json", "{ mcp: {} }"),
]


@pytest.mark.parametrize(("client", "name", "text"), BROKEN)
def test_settings_that_cannot_be_merged_are_left_alone_with_what_to_put_in(
    shell: Shell, vault: Path, client: str, name: str, text: str
) -> None:
    path = shell.home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    before = files(shell.home)
    done = shell("install", client, "--agent", "lyra", "--yes")
    assert done.code == 6 and f"{path} was left alone" in done.sentence
    assert "serve" in done.err or "session-start" in done.err
    assert files(shell.home) == before


def test_bytes_that_are_no_text_are_left_alone(shell: Shell, vault: Path) -> None:
    path = shell.home / ".cursor/mcp.json"
    path.parent.mkdir()
    path.write_bytes(b'{"a": "\xff"}')
    done = shell("install", "cursor", "--agent", "lyra", "--yes")
    assert done.code == 6 and "no UTF-8" in done.sentence and path.read_bytes() == b'{"a": "\xff"}'


def test_a_linked_settings_file_stays_a_link(shell: Shell, vault: Path, tmp_path: Path) -> None:
    real = settings(tmp_path / "dotfiles/mcp.json", {"a": 1})
    link = shell.home / ".cursor/mcp.json"
    link.parent.mkdir()
    link.symlink_to(real)
    install(shell, "cursor")
    assert link.is_symlink() and "mdmem" in json.loads(real.read_text())["mcpServers"]


def test_a_person_at_a_terminal_is_asked(shell: Shell, vault: Path) -> None:
    no = shell.terminal("install", "cursor", "--agent", "lyra", keys="n\n")
    assert "Write 1 file? [y/N]" in no.out and "Nothing was written." in no.out and files(shell.home) == {}
    yes = shell.terminal("install", "cursor", "--agent", "lyra", keys="y\n")
    assert yes.code == 0 and "wired Cursor as agent lyra" in plain(yes.out)


def test_an_agent_in_a_terminal_is_not_asked(shell: Shell, vault: Path) -> None:
    shell.env["CLAUDECODE"] = "1"
    done = shell.terminal("install", "cursor", "--agent", "lyra", keys="y\n")
    assert "Nothing was written." in done.out and files(shell.home) == {}


def test_json_is_one_document(shell: Shell, vault: Path) -> None:
    answer = json.loads(shell.fine("install", "cursor", "--agent", "lyra", "--yes", "--json"))
    assert answer["done"] and [Path(one["file"]).name for one in answer["changes"]] == ["mcp.json"]


def test_an_unknown_client_is_told_with_near_names(shell: Shell, vault: Path) -> None:
    done = shell("install", "claud-code")
    assert done.code == 3 and "Did you mean 'claude-code'" in done.sentence


def test_which_agent_must_be_said_when_there_are_several(shell: Shell, vault: Path) -> None:
    done = shell("install", "cursor")
    assert done.code == 2 and "ella, lyra" in done.sentence


def test_no_vault_no_wiring(shell: Shell) -> None:
    done = shell("install", "cursor", "--agent", "lyra", "--yes")
    assert done.code == 3 and "mdmem init" in done.sentence and files(shell.home) == {}


def test_a_vault_that_nobody_trusts_is_not_wired(shell: Shell, vault: Path, tmp_path: Path) -> None:
    shell.env["MDMEM_HOME"] = str(tmp_path / "another account")
    done = shell("--vault", str(vault), "install", "cursor", "--agent", "lyra", "--yes")
    assert done.code == 7 and "mdmem trust" in done.sentence


def test_a_vault_that_is_not_the_default_is_named(shell: Shell, vault: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shell.fine("init", str(other), "--agents", "nora")
    shell.fine("--vault", str(other), "install", "cursor", "--yes")
    server = json.loads((shell.home / ".cursor/mcp.json").read_text())["mcpServers"]["mdmem"]
    assert server["args"][-4:] == ["--agent", "nora", "--vault", str(other)]


def test_an_openclaw_workspace_is_no_place_for_a_vault_and_none_itself(shell: Shell, vault: Path) -> None:
    workspace = shell.home / ".openclaw/workspace"
    for name in ("AGENTS.md", "SOUL.md", "MEMORY.md", "memory/2026-11-30.md"):
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).write_text(f"# {name}\n")
    install(shell, "openclaw")
    assert (workspace / "MEMORY.md").read_text() == "# MEMORY.md\n"
    assert "mdmem:begin" in (workspace / "AGENTS.md").read_text()
    shell.cwd = workspace
    assert json.loads(shell.fine("where", "--json", MDMEM_VAULT=""))["vault"] == str(vault)
    shell.fine("init", str(workspace / "inner"), "--agents", "nora")
    refused = shell("--vault", str(workspace / "inner"), "install", "openclaw", "--yes")
    assert refused.code == 2 and "no place for a vault" in refused.sentence


def test_uninstalling_what_is_not_there_is_a_sentence(shell: Shell, vault: Path) -> None:
    assert "Nothing of ours is known in codex" in shell("uninstall", "codex").sentence
    assert shell("uninstall").code == 2


def test_a_broken_manifest_is_a_sentence(shell: Shell, vault: Path) -> None:
    install(shell, "cursor")
    (shell.home / "mdmem/state/wiring.json").write_text('{"version": 1, "wired": [{}]}')
    assert shell("uninstall", "cursor").code == 6


def test_doctor_names_a_client_that_starts_a_program_which_is_gone(shell: Shell, vault: Path, tmp_path: Path) -> None:
    install(shell, "cursor")
    manifest = shell.home / "mdmem/state/wiring.json"
    gone = tmp_path / "gone" / "mdmem"
    present = json.loads(manifest.read_text())["wired"][0]["program"][0]
    manifest.write_text(manifest.read_text().replace(present, str(gone)))
    done = shell("doctor")
    assert done.code == 1 and f"cursor starts {gone}" in done.out and "mdmem install cursor" in done.out
