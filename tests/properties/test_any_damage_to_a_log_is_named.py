"""Law: whatever is flipped, dropped, exchanged or doubled in signed logs is named where it happened; nothing crashes.

This host remembers the heads, as every host does that has read the logs once.
"""

from hypothesis import given, settings
from hypothesis import strategies as st

from markdown_memory.core.entry import Entry, NotAnEntry, block_of, parse, render
from markdown_memory.core.log_layout import LogFile
from markdown_memory.core.log_text import check_text, encode_data, escape, unescape
from markdown_memory.errors import UserError
from markdown_memory.rules.chain import Chain
from markdown_memory.rules.log_order import reading_order
from tests.scribe import VAULT, Scribe, joined

LYRA = Scribe("lyra", 1)
NOVEMBER = [
    LYRA.write(f"Entry {n}: «größer» & more", time="2026-11-30T02:13:04", data={"refs": ["a"]} if n % 2 else None)
    for n in range(6)
]
DECEMBER = [LYRA.write(time="2026-12-01T08:00:00") for _ in range(5)]
ENTRIES = NOVEMBER + DECEMBER
FILES = [LYRA.file(NOVEMBER), LYRA.file(DECEMBER, "2026-12")]
HEAD = ENTRIES[-1].head

File = tuple[LogFile, bytes]
some = settings(max_examples=150, derandomize=True, deadline=None)


def read(files: list[File]) -> Chain:
    chain = joined(LYRA, files, HEAD)
    texts = {entry.id: entry.text for entry in ENTRIES}
    assert all(placed.entry.text == texts[placed.entry.id] for placed in chain.placed), (
        "what is accepted is what was signed"
    )
    return chain


def lines_of(data: bytes) -> list[bytes]:
    return data.split(b"\n")[:-1]


def with_lines(file: File, lines: list[bytes]) -> File:
    return file[0], b"".join(line + b"\n" for line in lines)


@some
@given(st.integers(0, 1), st.data())
def test_any_flipped_byte_is_named_at_its_line(which: int, data: st.DataObject) -> None:
    file, content = FILES[which]
    at = data.draw(st.integers(0, len(content) - 1))
    bit = data.draw(st.integers(0, 7))
    damaged = bytearray(content)
    damaged[at] ^= 1 << bit
    files = [*FILES[:which], (file, bytes(damaged)), *FILES[which + 1 :]]
    chain = read(files)
    line = content[:at].count(b"\n") + 1
    assert chain.problems
    assert all(problem.path == file.path or problem.code == "log-cut" for problem in chain.problems)
    assert any(problem.line in (0, line, line + 1) for problem in chain.problems)
    assert len(chain.placed) >= len(ENTRIES) - 2, "the other lines are read all the same"


@some
@given(st.integers(0, len(ENTRIES) - 1))
def test_any_dropped_line_is_the_one_that_is_missing(which: int) -> None:
    month = 0 if which < len(NOVEMBER) else 1
    number = 2 + (which if month == 0 else which - len(NOVEMBER))
    lines = lines_of(FILES[month][1])
    files = list(FILES)
    files[month] = with_lines(FILES[month], lines[:number] + lines[number + 1 :])
    (problem,) = read(files).problems
    assert problem.code in ("log-missing", "log-cut") and f"{LYRA.id}-{which + 1} " in problem.message


@some
@given(st.integers(0, len(ENTRIES) - 1), st.integers(0, len(ENTRIES)))
def test_any_doubled_line_is_the_one_that_is_named(which: int, where: int) -> None:
    files = [LYRA.file(NOVEMBER), LYRA.file(DECEMBER, "2026-12")]
    month = 0 if where <= len(NOVEMBER) else 1
    lines = lines_of(files[month][1])
    lines.insert(2 + (where if month == 0 else where - len(NOVEMBER)), render(ENTRIES[which]).encode())
    files[month] = with_lines(files[month], lines)
    chain = read(files)
    assert {problem.code for problem in chain.problems} <= {"log-duplicate", "log-moved", "log-wrong-month"}
    assert all(
        f"{LYRA.id}-{which + 1} " in problem.message for problem in chain.problems if problem.code != "log-moved"
    )
    assert chain.problems and [placed.entry for placed in chain.placed] == ENTRIES


@some
@given(st.permutations(range(len(NOVEMBER))))
def test_any_exchange_of_lines_is_named_and_harms_no_entry(order: list[int]) -> None:
    chain = read([LYRA.file([NOVEMBER[at] for at in order]), FILES[1]])
    assert [placed.entry for placed in chain.placed] == ENTRIES
    assert bool(chain.problems) == (order != sorted(order))
    assert {problem.code for problem in chain.problems} <= {"log-moved"}
    assert len(chain.problems) < len(NOVEMBER), "one entry at least is in its place"


@some
@given(st.integers(0, 1), st.data())
def test_a_file_that_is_cut_anywhere_is_named(which: int, data: st.DataObject) -> None:
    file, content = FILES[which]
    cut = data.draw(st.integers(0, len(content) - 1))
    chain = read([*FILES[:which], (file, content[:cut]), *FILES[which + 1 :]])
    assert chain.problems
    assert any(problem.code in ("log-missing", "log-cut", "log-torn", "log-heading") for problem in chain.problems)


@some
@given(st.lists(st.binary(max_size=80), max_size=5), st.integers(0, 8))
def test_any_bytes_between_the_lines_are_survived(junk: list[bytes], where: int) -> None:
    lines = lines_of(FILES[0][1])
    chain = read([with_lines(FILES[0], lines[:where] + junk + lines[where:]), FILES[1]])
    assert [placed.entry for placed in chain.placed] == ENTRIES
    assert bool(chain.problems) == bool(junk)


@some
@given(st.binary(max_size=400))
def test_any_bytes_as_a_file_are_survived(content: bytes) -> None:
    assert not read([(FILES[0][0], content)]).placed


def test_exchanged_files_and_missing_files_are_named() -> None:
    (november, first), (december, second) = FILES
    assert {problem.code for problem in read([(november, second), (december, first)]).problems} >= {
        "log-wrong-month",
        "log-heading",
    }
    assert [problem.code for problem in read([FILES[1]]).problems] == ["log-missing"]
    assert [problem.code for problem in read([FILES[0]]).problems] == ["log-cut"]
    assert [problem.code for problem in joined(LYRA, [], HEAD).problems] == ["log-cut"]


# the codec

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60) | st.text(
    "<>-!%$\\nu{}[ ^", min_size=1
)


@settings(max_examples=400, derandomize=True, deadline=None)
@given(texts, st.dictionaries(texts, texts | st.integers() | st.none(), max_size=3))
def test_any_text_and_data_come_back_from_one_line(text: str, data: dict[str, object]) -> None:
    try:
        clean = check_text(text)
    except UserError:
        return
    entry = Scribe("lyra", 1).write(clean, data=data, keep=False)
    line = render(entry)
    assert "\n" not in line and line.count(" -->") == 1 and not escape(clean).count("-->")
    assert unescape(escape(clean)) == clean
    back = parse(line, VAULT, "live-context", LYRA.key)
    assert back == entry and back.text == clean and back.values() == data and render(back) == line
    assert block_of(line) == ("live", entry.writer, entry.seq)


@settings(max_examples=400, derandomize=True, deadline=None)
@given(st.data())
def test_a_line_that_is_accepted_is_written_again_to_the_byte(data: st.DataObject) -> None:
    line = render(data.draw(st.sampled_from(ENTRIES)))
    at = data.draw(st.integers(0, len(line)))
    piece = data.draw(st.text("-·<>!\\ =^0123456789abz\u202e", max_size=3))
    changed = line[:at] + piece + line[at + data.draw(st.integers(0, 3)) :]
    try:
        entry = parse(changed, VAULT, "live-context", LYRA.key)
    except NotAnEntry:
        return
    assert render(entry) == changed


def test_data_never_ends_the_comment() -> None:
    assert "--" not in encode_data({"a": "--->", "b--": ["<!--", "-", "--"]})


# reading order


@some
@given(
    st.permutations(range(8)),
    st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 23)), min_size=8, max_size=8),
)
def test_the_order_does_not_depend_on_how_entries_arrive(order: list[int], story: list[tuple[bool, bool, int]]) -> None:
    one, two = Scribe("lyra", 1), Scribe("ella", 2)
    entries: list[Entry] = []
    for is_first, looks, hour in story:
        author, other = (one, two) if is_first else (two, one)
        known = other.chains.get("live-context", [])
        seen = [known[-1].head] if known and looks else []
        entries.append(author.write(time=f"2026-11-30T{hour:02}:00:00", seen=seen))
    ordered = reading_order(entries)
    assert reading_order([entries[at] for at in order]) == ordered
    position = {entry.id: at for at, entry in enumerate(ordered)}
    for entry in entries:
        assert entry.seq == 1 or position[f"{entry.writer}-{entry.seq - 1}"] < position[entry.id]
        assert all(position[f"{head.writer}-{head.seq}"] < position[entry.id] for head in entry.seen)
