"""What is known of a note without opening it again."""

from time import process_time

import pytest

from markdown_memory.core.note import MAX_SIZE, StoredNote, header_from_bytes, header_to_bytes, new_note, read_header
from markdown_memory.core.scope import Scope

PATH = "memory/project/main/pkce.md"


def codes(path: str, data: bytes) -> list[str]:
    return [problem.code for problem in read_header(path, data).problems]


def test_a_full_note_is_read_whole() -> None:
    data = (
        b"---\nname: OAuth with PKCE\ndescription: Why\ntype: project\ntags: [auth, '#mobile']\naliases: pkce\n"
        b"importance: 0.9\npinned: true\nsupersedes: '[[implicit-flow|old]]'\ncreated: 2026-11-03T09:00:00\n"
        b"valid_until: 2027-01-01\nagent: lyra\n---\n\n# PKCE\n\nText.\n"
    )
    header = read_header(PATH, data)
    assert header.name == "OAuth with PKCE" and header.title == "PKCE"
    assert (header.status, header.type, header.scope) == ("accepted", "project", Scope("", "main"))
    assert (header.tags, header.aliases, header.supersedes) == (("auth", "mobile"), ("pkce",), ("implicit-flow",))
    assert (header.importance, header.pinned, header.agent) == (0.9, True, "lyra")
    assert (header.created, header.valid_until, header.problems) == ("2026-11-03T09:00:00", "2027-01-01", ())


def test_defaults_come_from_file_and_text() -> None:
    header = read_header("memory/user/green tea.md", b"She drinks green tea, e.g. Sencha. Never coffee.\n")
    assert header.name == "green tea"
    assert header.description == "She drinks green tea, e.g. Sencha."
    assert (header.category, header.importance, header.type) == ("core", 0.5, "user")


def test_numbers_and_booleans_as_names_stay_as_they_are_written() -> None:
    assert read_header(PATH, b"---\nname: 1.10\ndescription: true\nsource: 007\n---\n")[3:6] == ("1.10", "", "true")
    assert read_header(PATH, b"---\nsource: 007\n---\n").source == "007"


@pytest.mark.parametrize("tags", ["tags: a", "tags: [a]", "tags:\n  - a", "tags: '#a'", "tags: a,"])
def test_tags_are_tolerant(tags: str) -> None:
    assert read_header(PATH, f"---\n{tags}\n---\n".encode()).tags == ("a",)


def test_the_case_of_a_key_makes_no_difference() -> None:
    header = read_header(PATH, b"---\nName: x\nTAGS: [a]\n---\n")
    assert (header.name, header.tags) == ("x", ("a",))


def test_what_is_shown_holds_no_control_characters_and_turns_no_line_around() -> None:
    data = b'---\nname: "a\\x1b[2Jb"\ntags: ["x\\u202Ey"]\n---\n# T\x07\n\nSay \xe2\x80\xaeit.\n'
    header = read_header(PATH, data)
    assert (header.name, header.tags, header.title) == ("a\ufffd[2Jb", ("x\ufffdy",), "T\ufffd")
    assert header.description == "Say \ufffdit."


def test_a_file_that_is_not_utf_8_has_a_header_that_can_be_printed() -> None:
    data = b"Caf\xe9 is open.\n"
    header = read_header("memory/user/caf\udce9.md", data)
    assert [(one.code, one.line) for one in header.problems] == [("note-not-utf8", 1)]
    assert (header.name, header.description) == ("caf\ufffd", "Caf\ufffd is open.")
    assert StoredNote(header, data).body == "Caf\ufffd is open.\n"


def test_a_long_first_sentence_is_cut_between_words() -> None:
    description = read_header(PATH, b"word " * 100).description
    assert len(description) <= 200 and description.endswith("word…")


def test_the_body_of_a_broken_note_is_the_whole_text() -> None:
    data = b"---\na: [\n---\nText\n"
    assert StoredNote(read_header(PATH, data), data).body == data.decode()


@pytest.mark.parametrize(
    "line", [b"\n", b"---\n", b"a: b\n", b"```\n", b"> > \n", b"word ", b"- \n", b"#a ", b"[[", b"`"]
)
def test_a_header_of_millions_of_bytes_takes_no_time_to_speak_of(line: bytes) -> None:
    start = process_time()
    for begin in (b"", b"---\n", b"---\na: b\n"):
        read_header(PATH, begin + line * (4_900_000 // len(line)))
    assert process_time() - start < 3.0


def test_no_tags_are_no_tags() -> None:
    assert read_header(PATH, b"---\ntags:\naliases: null\n---\n").tags == ()


def test_the_folder_wins_over_the_type() -> None:
    header = read_header("memory/user/x.md", b"---\ntype: project\n---\n")
    assert header.type == "user"
    assert [problem.code for problem in header.problems] == ["note-type-differs"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x89PNG\0\0", "note-binary"),
        ("\ufeffText".encode("utf-16-le"), "note-not-utf8"),
        (b"x" * (MAX_SIZE + 1), "note-too-large"),
        (b"---\n- a\n---\n", "note-yaml-no-mapping"),
        (b"---\nimportance: high\n---\n", "note-importance"),
        (b"---\nimportance: 7\n---\n", "note-importance"),
    ],
)
def test_a_bad_file_is_a_header_with_a_problem(data: bytes, code: str) -> None:
    assert codes(PATH, data) == [code]
    assert read_header(PATH, data).name == "pkce"
    assert all(problem.path == PATH for problem in read_header(PATH, data).problems)


def test_an_empty_file_is_a_note_without_words() -> None:
    assert codes(PATH, b"") == []


def test_both_boxes_are_read_off_a_proposal() -> None:
    header = read_header("inbox/lyra/x.md", b"---\naccept: true\nreject: false\nkind: fact\nscope: main\n---\nx\n")
    assert (header.accept, header.reject, header.kind, header.target) == (True, False, "fact", "main")
    assert (header.status, header.owner) == ("proposal", "lyra")


def test_a_header_survives_the_cache() -> None:
    header = read_header(PATH, b"---\nname: \xc3\xa9\ntags: [a, b]\nimportance: x\n---\n")
    assert header_from_bytes(header_to_bytes(header)) == header


def test_a_new_note_leaves_out_what_is_not_known() -> None:
    data = new_note("Tea", "Green", "user", "Text", source="", tags=[], agent=None)
    assert data == b"---\nname: Tea\ndescription: Green\ntype: user\n---\n\nText\n"
    assert StoredNote(read_header("memory/user/tea.md", data), data).body == "Text\n"
