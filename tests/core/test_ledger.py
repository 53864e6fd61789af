"""What a ledger entry says about files comes back as it was said, on the line or in a manifest."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from markdown_memory.core import ledger
from markdown_memory.core.ledger import FileChange
from markdown_memory.core.log_text import decode_data, encode_data
from markdown_memory.errors import FormatError

OLD, NEW = "a" * 64, "b" * 64
CHANGES = [
    FileChange("memory/user/tea.md", "", NEW, "memory/user/.mdmem-1.tmp"),
    FileChange("inbox/lyra/tea.md", OLD, ""),
    FileChange("memory/user/näme \u2028--> 名.md", OLD, NEW, "t", "memory/user/old.md"),
    FileChange("MEMORY.md", "", ""),
]


def test_files_on_the_line_come_back() -> None:
    data = ledger.ledger_data(CHANGES, via="cli")
    back = decode_data(encode_data(data))
    assert ledger.parse_ledger(back) == tuple(CHANGES) and back["via"] == "cli"
    assert ledger.manifest_of(back) is None


def test_files_in_a_manifest_come_back() -> None:
    many = [FileChange(f"n{number}.md", "", NEW) for number in range(40)] + CHANGES
    rows = ledger.manifest(many)
    assert rows.startswith(b"# manifest \xc2\xb7 44 files\n\n- [")
    path = ledger.manifest_path("2026-11", "lyra-k7f3", "c" * 64)
    assert path == "nexus/log/ledger/2026-11/manifest-lyra-k7f3-cccccccccccc.md"
    data = ledger.manifest_data(path, "c" * 64, via="mcp")
    assert ledger.manifest_of(data) == (path, "c" * 64)
    assert ledger.parse_ledger(data, rows) == tuple(many)
    with pytest.raises(ValueError, match="44 files need a manifest"):
        ledger.ledger_data(many)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"files": ["a"]}, "is not a table"),
        ({"files": {"a": "b"}}, "not described by a list of strings"),
        ({"files": {"a": ["", 3]}}, "not described by a list of strings"),
        ({"files": {"a": ["", "short"]}}, "no proper SHA-256 for a"),
        ({"files": {"a": [""] * 5}}, "too few or too many parts"),
    ],
)
def test_what_is_malformed_is_refused_in_a_sentence(data: dict[str, object], sentence: str) -> None:
    with pytest.raises(FormatError, match=sentence):
        ledger.parse_ledger(data)


BROKEN = [
    b"",
    b"\xff",
    b"# manifest\n\n- nonsense",
    b"# other\n\n",
    b"# manifest\n\n- []",
    b"# manifest\n\n- " + b"[" * 9999,
]


@pytest.mark.parametrize("manifest", BROKEN, ids=range(len(BROKEN)))
def test_a_broken_manifest_is_refused_in_a_sentence(manifest: bytes) -> None:
    with pytest.raises(FormatError):
        ledger.parse_ledger({}, manifest)


paths = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
rows_of_paths = st.tuples(paths, st.sampled_from(["", OLD]), st.sampled_from(["", NEW]))


@settings(max_examples=100, derandomize=True, deadline=None)
@given(st.lists(rows_of_paths, max_size=9, unique_by=lambda row: row[0]))
def test_any_paths_come_back(rows: list[tuple[str, str, str]]) -> None:
    changes = [FileChange(*row) for row in rows]
    assert ledger.parse_ledger(decode_data(encode_data(ledger.ledger_data(changes)))) == tuple(changes)
    assert ledger.parse_ledger({}, ledger.manifest(changes)) == tuple(changes)
