"""Bad input, typed as a person would: one clear sentence or simply right; nothing lost, nothing else stopped."""

import os
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.frontends.conftest import Shell, make_shell, make_vault

NOTES = "memory/project/main"
FINE = b"---\nname: fine\ndescription: a good note\n---\n\nfine zebra\n"
BROKEN = {
    "broken": b'---\nname: [a\nfoo: "x\n---\nbroken zebra\n',
    "listy": b"---\n- a\n- b\n---\nlisty zebra\n",
    "double": b"---\nname: double\nname: other\n---\ndouble zebra\n",
}
ODD = {
    "fine": FINE,
    **BROKEN,
    "content": b"---\nname: content\ncontent: hi\n---\ncontent zebra\n",
    "empty": b"",
    "binary": b"\x00\x01\x02zebra\xff" * 100,
    "bom": b"\xef\xbb\xbf---\r\nname: bom\r\ntags: [a, b]  # mine\r\n---\r\nbom zebra\r\n",
    "no-newline": b"no-newline zebra",
    "🎉": b"party zebra\n",
    "笔记": "中文 zebra\n".encode(),
    "cafe\u0301": b"accent zebra\n",
    "trap": b"\x1b]0;owned\x07 zebra\n",
    "new\nline": b"new zebra\n",
}


class Hostile(NamedTuple):
    """A shell, and a vault full of files as people, sync tools and enemies leave them."""

    shell: Shell
    folder: Path

    def __call__(self, *words: str) -> tuple[int, str]:
        done = self.shell(*words)
        return done.code, done.sentence if done.code else done.out


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Hostile:
    root = tmp_path_factory.mktemp("hostile")
    shell = make_shell(root)
    notes = make_vault(shell, root / "vault") / NOTES
    for name, data in ODD.items():
        (notes / f"{name}.md").write_bytes(data)
    (notes / "huge.md").write_bytes(b"z" * 50_000_000)
    (root / "outside.md").write_text("secret zebra\n")
    (notes / "link.md").symlink_to(root / "outside.md")
    (notes / "loop").symlink_to(notes)
    (notes / "folder.md").mkdir()
    (notes / "folder.md" / "inner.md").write_text("inner zebra\n")
    for scope in ("main", "other"):
        (notes.parent / scope).mkdir(exist_ok=True)
    (notes.parent.parent / "reference" / "main").mkdir(parents=True, exist_ok=True)
    for path in (notes / "twin.md", notes.parent.parent / "reference" / "main" / "twin.md"):
        path.write_text(f"twin zebra of {path.parent.parent.name}\n")
    return Hostile(shell, notes)


def test_an_unknown_name_is_answered_with_near_ones(hostile: Hostile) -> None:
    assert hostile("show", "fien") == (3, "There is no note called 'fien'. Did you mean 'fine'?")


def test_an_ambiguous_name_is_answered_with_the_candidates(hostile: Hostile) -> None:
    code, sentence = hostile("show", "twin")
    assert code == 4
    assert sentence.splitlines()[0] == "'twin' could be several notes; say which one by its path:"
    assert sentence.splitlines()[1:] == ["  memory/project/main/twin.md", "  memory/reference/main/twin.md"]


def test_a_path_says_which_of_two_is_meant(hostile: Hostile) -> None:
    assert hostile("show", "reference/twin") == (0, "twin zebra of reference\n")


@pytest.mark.parametrize("name", sorted(set(ODD) - {"binary", "new\nline"}))
def test_whatever_a_note_holds_it_is_shown_byte_for_byte(hostile: Hostile, name: str) -> None:
    done = hostile.shell("show", name)
    assert (done.code, done.out.encode("utf-8", "surrogateescape")) == (0, ODD[name])


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("broken", "The frontmatter is not valid YAML"),
        ("listy", "The frontmatter is a list and not keys with values"),
        ("double", "The key 'name' stands twice in the frontmatter"),
    ],
)
def test_a_broken_block_is_never_edited_and_the_sentence_says_what_is_wrong(
    hostile: Hostile, name: str, what: str
) -> None:
    code, sentence = hostile("edit", name, "--set", "importance=0.9")
    assert code == 6
    assert sentence.startswith(f"{NOTES}/{name}.md: Line ")
    assert what in sentence
    assert "nothing was changed" in sentence
    assert (hostile.folder / f"{name}.md").read_bytes() == BROKEN[name]


def test_a_binary_file_is_never_edited(hostile: Hostile) -> None:
    code, _ = hostile("edit", "binary", "--set", "importance=0.9")
    assert code == 6
    assert (hostile.folder / "binary.md").read_bytes() == ODD["binary"]


def test_changing_one_key_keeps_bom_line_ends_and_comments(hostile: Hostile) -> None:
    before = ODD["bom"]
    assert hostile("edit", "bom", "--set", "importance=0.9") == (0, f"changed {NOTES}/bom.md\n")
    after = (hostile.folder / "bom.md").read_bytes()
    assert after.replace(b"importance: 0.9\r\n", b"") == before


def test_a_file_of_50_megabytes_is_named_and_not_read(hostile: Hostile) -> None:
    code, sentence = hostile("show", "huge")
    assert code == 6
    assert "50,000,000 bytes" in sentence


def test_a_link_out_of_the_vault_is_not_followed(hostile: Hostile) -> None:
    assert hostile("show", "link")[0] == 3
    assert "secret" not in hostile("search", "zebra", "--limit", "50")[1]


def test_a_folder_called_like_a_note_is_a_folder(hostile: Hostile) -> None:
    assert hostile("show", "inner") == (0, "inner zebra\n")
    assert hostile("show", "folder")[0] == 3


def test_one_bad_file_stops_nothing_else(hostile: Hostile) -> None:
    code, out = hostile("search", "zebra", "--limit", "50", "--json")
    assert code == 0
    assert all(f'"{name}"' in out for name in ("fine", "content", "bom", "no-newline", "🎉", "笔记", "inner"))
    listed = hostile("list")[1]
    assert all(name in listed for name in ("fine", "broken", "binary", "huge", "empty"))


def test_doctor_names_each_bad_file_with_the_remedy(hostile: Hostile) -> None:
    done = hostile.shell("doctor")
    assert done.code == 1
    codes = ("yaml-broken", "yaml-no-mapping", "yaml-duplicate-key", "note-binary", "note-too-large", "link-unusable")
    assert all(code in done.out for code in codes)
    assert f"{NOTES}/broken.md:3: The frontmatter is not valid YAML" in done.out


def test_control_characters_of_a_note_do_not_reach_a_terminal(hostile: Hostile) -> None:
    for words in (("show", "trap"), ("search", "owned"), ("list",), ("context",)):
        assert "\x1b]0" not in hostile.shell.terminal(*words).out
    assert "\\x1b]0;owned\\x07" in hostile.shell.terminal("show", "trap").out


@pytest.mark.parametrize(
    ("words", "code", "part"),
    [
        (("store", "", "x"), 2, "A name is a single line"),
        (("store", "ok", "x", "--type", "../../etc"), 2, "cannot be a type"),
        (("store", "ok", "x", "--importance", "3"), 2, "less than or equal to 1"),
        (("edit", "fine", "--set", "foo"), 2, "--set wants KEY=VALUE"),
        (("edit", "fine", "--body", "x", "--if-hash", "0" * 64), 4, "was changed since it was read"),
        (("rename", "nope", "x"), 3, "There is no note called 'nope'"),
        (("forget", "nope"), 3, "There is no note called 'nope'"),
        (("restore", "nope"), 3, "nope"),
        (("retain", "  "), 2, "the text is empty"),
        (("retain", "x", "--kind", "rumour"), 2, "There is no kind 'rumour'"),
        (("review", "show", "99"), 3, "99"),
        (("review", "accept", "nope"), 7, "Only a person may accept"),
        (("context", "--limit", "10"), 2, "The limit must be at least"),
        (("show", "../../../etc/passwd"), 3, "There is no note called"),
        (("show", "/etc/passwd"), 3, "There is no note called"),
        (("log", "append", ""), 2, "text"),
        (("log", "append", "x", "--kind", "Bad Kind"), 2, "'Bad Kind' cannot be the kind"),
        (("log", "append", "x", "--ack", "lyra-k7f3-1"), 3, "no entry lyra-k7f3-1"),
        (("log", "read", "--since", "yesterday"), 2, "'yesterday' is no day or moment"),
        (("log", "adopt", "zzz"), 3, "No unsigned line begins with 'zzz'"),
        (("keys", "confirm", "lyra-x"), 3, "There is no writer 'lyra-x'"),
        (("link",), 2, "is in no git repository"),
        (("trust", "."), 3, "is no vault"),
        (("--agent", "Bad Name", "list"), 2, "'Bad Name' cannot be an agent's name"),
        (("--vault", "nowhere", "list"), 3, "is no vault"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else None,
)
def test_a_wrong_request_is_one_sentence(hostile: Hostile, words: tuple[str, ...], code: int, part: str) -> None:
    ended, sentence = hostile(*words)
    assert (ended, part in sentence) == (code, True), sentence


def test_without_any_vault_the_sentence_says_how_to_get_one(shell: Shell) -> None:
    done = shell("list")
    assert (done.code, done.sentence) == (
        3,
        f"No vault belongs to {shell.cwd}. `mdmem init ~/memory` makes one, and --vault names one.",
    )


def test_a_vault_that_nobody_trusted_is_not_read(shell: Shell, vault: Path, tmp_path: Path) -> None:
    stranger = make_shell_at(tmp_path / "stranger")
    done = stranger("show", "lyra", "--vault", str(vault))
    assert done.code == 7
    assert f"`mdmem trust {vault}`" in done.sentence
    assert stranger("verify", "--vault", str(vault)).code == 0
    assert "trusted   no" in stranger.fine("where", "--vault", str(vault))
    assert stranger("trust", str(vault)).code == 7


def test_broken_settings_are_named_and_everything_else_goes_on(shell: Shell, vault: Path) -> None:
    settings = vault / "Settings.md"
    settings.write_text(settings.read_text().replace('store = "review"', 'store = "everything'))
    shell.fine("store", "a", "text")
    done = shell("doctor")
    assert done.code == 1
    assert "Settings.md:" in done.out
    shell.fine("retain", "b", MDMEM_AGENT="lyra")
    refused = shell("retain", "c", "--agent", "lyra")  # what protects fails closed
    assert refused.code == 7
    assert refused.sentence.startswith("Settings.md is broken, so access control counts as on")


def test_outside_any_repository_and_on_a_detached_head_commands_work(shell: Shell, vault: Path) -> None:
    shell.fine("list")
    repository = shell.cwd / "code"
    repository.mkdir()
    shell.cwd = repository
    for line in ("init -q", "-c user.name=A -c user.email=a@b commit -q --allow-empty -m x", "checkout -q --detach"):
        subprocess.run(["git", *line.split()], cwd=repository, check=True)
    shell.fine("list")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")
def test_an_unreadable_note_and_a_read_only_vault_are_sentences(shell: Shell, vault: Path) -> None:
    shell.fine("store", "secret", "text")
    note = vault / NOTES / "secret.md"
    note.chmod(0)
    assert shell("show", "secret").code == 8
    assert shell("search", "text").code == 0
    note.chmod(0o600)
    (vault / NOTES).chmod(0o500)
    try:
        assert shell("store", "other", "text").code == 8
    finally:
        (vault / NOTES).chmod(0o700)


def test_two_commands_at_once_lose_nothing(shell: Shell, vault: Path) -> None:
    names = [f"note-{number}" for number in range(6)]
    started = [shell.start("store", name, f"text of {name}") for name in names]
    assert [process.wait(60) for process in started] == [0] * len(names)
    for process in started:
        process.communicate()
    listed = shell.fine("list")
    assert all(name in listed for name in names)
    assert shell("verify").code == 0


def test_a_name_that_differs_only_by_case_is_reported(shell: Shell, vault: Path) -> None:
    for name in ("Case", "case"):
        (vault / NOTES / f"{name}.md").write_text(f"{name}\n")
    assert shell.fine("show", "Case") == "Case\n"
    assert "differs from" in shell("doctor").out


def test_standard_input_that_is_no_text_is_refused(shell: Shell, vault: Path) -> None:
    done = shell("retain", "-", input=b"\xff\xfe")
    assert (done.code, done.sentence) == (2, "Standard input holds no UTF-8 text, so it cannot be the fact.")


def make_shell_at(folder: Path) -> Shell:
    folder.mkdir()
    return make_shell(folder)
