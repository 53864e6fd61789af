"""MEMORY.md as a pure function of the files."""

from hypothesis import given, settings
from hypothesis import strategies as st

from markdown_memory.core.markdown import links
from markdown_memory.core.note import Header
from markdown_memory.core.scope import Scope, folder_of
from markdown_memory.core.settings import Project, Settings
from markdown_memory.rules.memory_index import BEGIN, END, item, merge_into, render

SETTINGS = Settings(projects=(Project("harbor", own=True), Project("shop", default_branch="trunk")))


def accepted(name: str, type: str = "project", scope: Scope | None = None, **more: object) -> Header:
    folder = f"memory/{type}" + (f"/{folder_of(scope)}" if scope else "")
    return Header(f"{folder}/{name}.md", "", name=name, type=type, status="accepted", scope=scope)._replace(**more)  # type: ignore[arg-type]


MAIN, FEATURE = Scope("", "main"), Scope("", "feature/x")
NOTES = [
    accepted("tea", "user", description="Likes tea."),
    accepted("b", scope=MAIN),
    accepted("a", scope=MAIN),
    accepted("weighty", scope=MAIN, importance=0.9),
    accepted("elsewhere", scope=Scope("shop", "trunk")),
    accepted("branch", scope=FEATURE),
    accepted("secret", scope=MAIN, owner="lyra"),
    accepted("old", scope=MAIN, status="archived"),
]


def test_global_notes_come_first_then_default_branches_then_counts() -> None:
    assert render(NOTES, SETTINGS).splitlines() == [
        "## About people",
        "- [tea](./memory/user/tea.md) — Likes tea.",
        "## Project",
        "- [weighty](./memory/project/main/weighty.md)",
        "- [a](./memory/project/main/a.md)",
        "- [b](./memory/project/main/b.md)",
        "## Project · @shop",
        "- [elsewhere](./memory/project/@shop/trunk/elsewhere.md)",
        "## Other branches",
        "- `feature~x`: 1 note, which `mdmem list --branch feature/x` shows",
    ]


@given(st.permutations(NOTES))
@settings(derandomize=True)
def test_the_order_of_the_files_makes_no_difference(notes: list[Header]) -> None:
    assert render(notes, SETTINGS) == render(NOTES, SETTINGS)


def test_a_line_is_a_link_that_opens_its_note() -> None:
    line = item(accepted("a [b] 100% (x)", "user", description="d" * 400))
    assert len(line) <= 300
    (link,) = links(line.replace("\\[", "").replace("\\]", ""))
    assert link.target == "memory/user/a [b] 100% (x)"


def test_the_index_is_bounded_and_counts_the_rest_by_importance() -> None:
    many = [
        accepted(f"n{number:04}", scope=MAIN, importance=number / 1000, description="x " * 60) for number in range(900)
    ]
    block = render(many, SETTINGS)
    assert len(block.splitlines()) <= 200 and len(merge_into(None, block)) <= 25_000
    assert "[n0899]" in block and "[n0000]" not in block
    shown = block.count("- [n")
    assert f"and {900 - shown} more notes, which `mdmem list` shows" in block


def test_the_file_is_written_whole_and_then_kept() -> None:
    data = merge_into(None, "- [a](./memory/user/a.md)\n")
    assert data.startswith(b"# Memory\n") and data.endswith(f"{END}\n".encode())
    assert merge_into(data, "- [a](./memory/user/a.md)\n") == data


def test_what_a_person_wrote_around_the_block_keeps_its_bytes() -> None:
    mine = (
        b"\xef\xbb\xbfMine\r\n\r\n"
        + f"{BEGIN}\r\n- [a](./memory/user/a.md)\r\n{END}\r\n".encode()
        + b"\r\nBelow  \r\nno end"
    )
    merged = merge_into(mine, "- [b](./memory/user/b.md) — B\n")
    assert merged == mine.replace(b"- [a](./memory/user/a.md)", "- [b](./memory/user/b.md) — B".encode())


def test_a_foreign_line_moves_below_and_conflict_markers_go() -> None:
    block = "## Project\n- [a](./memory/project/main/a.md)\n"
    spoilt = merge_into(
        None, "<<<<<<< ours\n- [z](./memory/user/z.md)\n=======\nMy own reminder\n>>>>>>> theirs\n" + block
    )
    merged = merge_into(spoilt, block).decode()
    assert merged.endswith(f"{block}{END}\nMy own reminder\n")
    assert "<<<<<<<" not in merged and "[z]" not in merged
    assert merge_into(merged.encode(), block).decode() == merged


def test_a_file_without_markers_keeps_its_text_above() -> None:
    assert merge_into(b"Hand-made", "x\n") == f"Hand-made\n\n{BEGIN}\nx\n{END}\n".encode()
    assert merge_into(b"", "") == f"{BEGIN}\n{END}\n".encode()
