"""MEMORY.md as a pure function of the files."""

from hypothesis import given, settings
from hypothesis import strategies as st

from markdown_memory.core.markdown import links
from markdown_memory.core.note import Header
from markdown_memory.core.scope import Scope, folder_of
from markdown_memory.core.settings import Project, Settings
from markdown_memory.rules.memory_index import BEGIN, END, item, merge_into, render, strength

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
        "- `feature~x`: 1 note, which `mdmem list --in-branch feature/x` shows",
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
    whole = merge_into(None, block)
    assert len(whole.splitlines()) <= 200 and len(whole) <= 25_000
    assert "[n0899]" in block and "[n0000]" not in block
    shown = block.count("- [n")
    assert f"and {900 - shown} more notes, which `mdmem list --all` shows" in block


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


def test_the_index_stays_bounded_with_hundreds_of_branches_and_lines() -> None:
    notes = [accepted(f"n{number}", scope=Scope("", f"b{number:03}")) for number in range(300)]
    notes += [accepted(f"m{number}", scope=MAIN) for number in range(300)]
    block = render(notes, SETTINGS)
    assert len(merge_into(None, block).splitlines()) <= 200
    assert block.endswith("- … and 260 more branches: 260 notes, which `mdmem list --all` shows\n")


def test_a_branch_name_cannot_smuggle_a_command() -> None:
    block = render([accepted("n", scope=Scope("sh op", "a;rm`x`"))], SETTINGS)
    assert "`` mdmem list --in-project 'sh op' --in-branch 'a;rm`x`' ``" in block


def test_a_custom_type_has_a_heading_of_its_own() -> None:
    block = render([accepted("soup", "recipe", MAIN), accepted("loose", "")], SETTINGS)
    assert [line for line in block.splitlines() if line.startswith("#")] == [
        "## Notes without a type",
        "## Notes of type recipe",
    ]
    assert merge_into(merge_into(None, block), "") == merge_into(None, "")


def test_a_description_opens_no_comment_and_no_math() -> None:
    line = item(accepted("n", description=f"a {END} <!-- b %% c $$ d"))
    assert "<!--" not in line and "%%" not in line and "$$" not in line


def test_a_name_with_line_breaks_stays_on_one_line() -> None:
    line = item(accepted("two\nlines", scope=MAIN, description="one\u2028and another"))
    assert line == "- [two lines](./memory/project/main/two%0Alines.md) — one and another"


def test_a_persons_heading_and_paragraphs_inside_the_block_move_below_whole() -> None:
    spoilt = merge_into(None, "## My plans\n- one\n\nA thought.\n\n- [a](./memory/user/a.md)\n")
    assert merge_into(spoilt, "").decode().endswith(f"{END}\n## My plans\n- one\n\nA thought.\n")


def test_a_deleted_marker_is_put_back_around_the_lines_that_touch_the_other() -> None:
    whole = merge_into(None, "- [a](./memory/user/a.md) — A\n") + b"\nMine\n"
    for marker in (BEGIN, END):
        broken = whole.replace(f"{marker}\n".encode(), b"")
        assert merge_into(broken, "- [a](./memory/user/a.md) — A\n") == whole


def test_a_mark_at_the_begin_of_the_file_stays_before_the_block() -> None:
    data = b"\xef\xbb\xbf" + f"{BEGIN}\r\n{END}".encode()
    assert merge_into(data, "x\n") == b"\xef\xbb\xbf" + f"{BEGIN}\r\nx\r\n{END}\r\n".encode()


def test_two_blocks_become_one_and_what_lay_between_moves_below() -> None:
    block = "- [a](./memory/user/a.md)\n"
    twice = merge_into(None, block) + b"Between\n" + merge_into(b"", block) + b"Below\n"
    assert merge_into(twice, block) == merge_into(None, block) + b"Between\n\nBelow\n"


BLOCKS = st.lists(st.sampled_from(["- [a](./memory/user/a.md) — A", "## Project", "- [b](./memory/user/b.md)"])).map(
    lambda lines: "".join(f"{line}\n" for line in lines)
)
PIECES = st.lists(
    st.sampled_from(["Mine", "", "- mine", BEGIN, END, "<<<<<<< a", "=======", "- [a](./memory/user/a.md) — A", "\r"])
)


@given(PIECES, BLOCKS, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "\ufeff"]))
@settings(derandomize=True)
def test_rendering_twice_changes_nothing_and_a_persons_lines_are_never_lost(
    pieces: list[str], block: str, newline: str, bom: str
) -> None:
    data = (bom + newline.join(pieces)).encode()
    once = merge_into(data, block)
    assert merge_into(once, block) == once
    mine = [piece for piece in pieces if piece in ("Mine", "- mine")]
    assert [line for line in once.decode("utf-8-sig").split() if line in ("Mine", "mine")] == [
        one.lstrip("- ") for one in mine
    ]


@given(st.lists(st.tuples(st.text(max_size=3), st.sampled_from(["user", "project", "", "x"]), st.sampled_from("ab"))))
@settings(derandomize=True)
def test_notes_are_in_the_order_of_their_groups_and_names(said: list[tuple[str, str, str]]) -> None:
    notes = [accepted(name, type, None if type == "user" else Scope(project, "main")) for name, type, project in said]
    ranks = ["user", "feedback", "project", "reference"]

    def place(one: Header) -> tuple[object, ...]:
        rank = ranks.index(one.type) if one.type in ranks else 4
        return one.scope is not None, one.scope.project if one.scope else "", rank, one.type, one.name, one.path

    assert sorted(notes, key=strength) == sorted(notes, key=place)
