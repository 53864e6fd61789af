"""The full-screen queue, by Textual's pilot: what a person sees at 80 × 24 and what each key does."""

import re
from pathlib import Path

import pytest

pytest.importorskip("textual", reason="the full-screen queue needs the extra `tui`")

from markdown_memory.errors import UserError
from markdown_memory.memory import Memory
from tests.conftest import Clock, Note, Open
from tests.frontends.review.conftest import EXAMPLE
from tests.frontends.review.screen import SIZE, Screen, play, texts_of, without_remote_fonts

PICTURE = Path(__file__).parents[2] / "pictures" / "review-queue.svg"
ROW = re.compile(r"^\| ([a-z0-9-]+) \| ((?:`[^`]+` ?)+) \| (\w+) \|$", re.M)
MANUAL = (EXAMPLE / "manual" / "review-the-inbox.md").read_text("utf-8")


def waiting(memory: Memory) -> list[str]:
    return [one.name for one in memory.inbox.list()]


def three(memory: Memory) -> None:
    for name, kind in (("cents", "fact"), ("tabs", "preference"), ("tuesdays", "decision")):
        memory.retain(f"We count in {name}.", kind=kind, name=name, source="standup")


def test_the_first_screen_shows_the_list_one_proposal_and_every_key(mara: Memory) -> None:
    async def look(screen: Screen) -> None:
        assert len(screen.lines) == 24 and all(len(line) <= 80 for line in screen.lines)
        assert screen.lines[0].strip() == "Review  10 proposals waiting"
        for part in ("ella, 2026-11-24 15:18", "source review of PR 81", "goes to memory/user", "I can't see a diff"):
            assert part in screen.text
        keys = " ".join(screen.lines[-2:])
        assert [key for key in "aermozu" if not re.search(rf"\b{key} \w+", keys)] == []

    assert play(mara, look) == 0


@pytest.mark.parametrize("size", [(40, 12), (200, 60)])
def test_smaller_and_larger_terminals_show_the_same(mara: Memory, size: tuple[int, int]) -> None:
    async def look(screen: Screen) -> None:
        assert "mara-screenshots" in screen.in_front and "a accept" in screen.text

    play(mara, look, size=size)


def test_ten_proposals_are_reviewed_as_the_manual_tells_it(mara: Memory) -> None:
    rows = ROW.findall(MANUAL)
    assert {name for name, _, _ in rows} == set(waiting(mara))

    async def all_ten(screen: Screen) -> None:
        for name, keys, outcome in rows:
            assert screen.in_front == name
            for key in re.findall(r"`([^`]+)`", keys):
                await (screen.press(key) if key == "enter" or len(key) == 1 else screen.type(key))
            assert outcome in screen.said, screen.text
        assert screen.in_front == "Nothing waits for a decision."

    decided = play(mara, all_ten, edit=lambda text, _: text.replace("crate", "box"))
    assert (decided, waiting(mara)) == (9, [])
    assert [one.name for one in mara.inbox.list(snoozed=True)] == ["saturday-offline-figures"]
    assert "box" in mara.show("tare-for-oyster-crates").body
    assert mara.verify().sound


def test_another_proposal_is_shown_as_the_list_moves(mara: Memory) -> None:
    async def move(screen: Screen) -> None:
        await screen.press("j", "down")
        assert screen.in_front == "card-reader-battery-advice"
        await screen.press("k", "up", "k")
        assert screen.in_front == "mara-screenshots-in-pull-requests"

    play(mara, move)


def test_what_it_contradicts_stands_beside_it_and_a_long_one_can_be_read(mara: Memory) -> None:
    async def read(screen: Screen) -> None:
        await screen.press(*["j"] * 5)
        assert "would replace memory/project/main/database-is-postgresql-16.md" in screen.text
        before = screen.text
        await screen.press("pagedown")
        assert screen.text != before
        await screen.press("pageup")
        assert screen.text == before

    play(mara, read)


def test_a_reason_is_kept_and_escape_rejects_nothing(memory: Memory) -> None:
    three(memory)

    async def reject(screen: Screen) -> None:
        await screen.press("r", "escape")
        await screen.press("r")
        await screen.type("only on staging")
        await screen.press("enter")

    assert play(memory, reject) == 1
    assert waiting(memory) == ["tabs", "tuesdays"]
    assert "only on staging" in memory.retain("We count in cents.", kind="fact", name="cents", source="x").note


def test_several_are_selected_and_decided_by_one_key(memory: Memory) -> None:
    three(memory)

    async def select(screen: Screen) -> None:
        await screen.press("space", "space", "space", "space")
        assert "2 selected" in screen.lines[0]
        await screen.press("A")
        assert "3 selected" in screen.lines[0]
        await screen.press("A", "A", "a")
        assert screen.said == "3 decisions made: accepted"

    assert play(memory, select) == 3
    assert waiting(memory) == []


def test_what_came_from_outside_is_accepted_only_by_itself(mara: Memory) -> None:
    async def all_of_them(screen: Screen) -> None:
        assert "from outside" in screen.text
        await screen.press("A", "a")
        assert "1 from outside left" in screen.said
        await screen.press("escape", "A", "a")

    play(mara, all_of_them)
    assert "card-reader-battery-advice" not in waiting(mara)


def test_the_filter_narrows_what_is_shown_while_one_types(mara: Memory) -> None:
    async def find(screen: Screen) -> None:
        await screen.press("slash")
        await screen.type("lyra failure")
        assert "2 with “lyra failure”" in screen.lines[0] and screen.in_front == "pool-size-on-busy-days"
        await screen.press("enter", "j")
        assert screen.in_front == "refresh-token-race"
        await screen.press("slash")
        await screen.type("zzz")
        assert screen.in_front == "Nothing that waits has these words."
        await screen.press("a", "escape")
        assert screen.lines[0].strip() == "Review  10 proposals waiting"

    assert play(mara, find) == 0


def test_the_help_opens_and_closes(mara: Memory) -> None:
    async def help(screen: Screen) -> None:
        await screen.press("question_mark")
        assert "o  over: accept it as what supersedes a note" in screen.text
        await screen.press("escape")
        assert "o  over: accept" not in screen.text

    play(mara, help)


def test_the_nearest_note_is_offered_to_be_superseded(mara: Memory) -> None:
    async def over(screen: Screen) -> None:
        await screen.press("slash")
        await screen.type("postgresql-17")
        await screen.press("enter", "o")
        asked = " ".join(screen.text.replace("│", " ").split())
        assert "Near it: memory/project/main/database-is-postgresql-16.md" in asked
        await screen.press("enter")
        assert screen.said.startswith("accepted")

    assert play(mara, over) == 1
    assert mara.show("database-is-postgresql-16").header.superseded_by == "production-runs-postgresql-17"


def test_a_note_of_the_same_name_is_replaced_only_when_the_person_says_so(memory: Memory) -> None:
    memory.store("cents", "We count in euros.")
    three(memory)

    async def accept(screen: Screen) -> None:
        await screen.press("a")
        assert "Replace it?" in screen.text
        await screen.press("n", "enter")
        assert memory.show("memory/project/main/cents.md").body.strip() == "We count in euros."
        await screen.press("a", "y", "enter")

    assert play(memory, accept) == 1
    assert memory.show("memory/project/main/cents.md").body.strip() == "We count in cents."


def test_a_refusal_is_one_line_and_holds_nothing_up(memory: Memory, note: Note) -> None:
    note("inbox/ana/a-broken-one.md", "---\nname: [\n---\nbroken\n")
    three(memory)

    async def go_on(screen: Screen) -> None:
        await screen.press("m")
        await screen.type("no-such-note")
        await screen.press("enter")
        assert "no-such-note" in screen.said
        await screen.press("z")
        await screen.type("many")
        await screen.press("enter")
        assert "number of days" in screen.said
        await screen.press("u")
        assert screen.said == "There is no decision to take back."
        await screen.press("A", "a")

    play(memory, go_on)
    assert {"cents", "tabs", "tuesdays"}.isdisjoint(waiting(memory))


def test_an_editor_that_fails_and_a_text_that_cannot_be_saved_lose_nothing(memory: Memory, vault: Path) -> None:
    three(memory)
    path = vault / memory.inbox.show("cents").path

    def failing(text: str, name: str) -> str:
        raise UserError("No editor to open.")

    def slow(text: str, name: str) -> str:
        path.write_text(path.read_text().replace("cents", "pence"))
        return "We count in tenths of a cent."

    async def edit(screen: Screen) -> None:
        await screen.press("e")

    async def refused(screen: Screen) -> None:
        await screen.press("e")
        assert "No editor" in screen.said

    async def kept(screen: Screen) -> None:
        await screen.press("e")
        assert "Your text is kept in /kept" in screen.said

    play(memory, refused, edit=failing)
    play(memory, kept, edit=slow)
    assert memory.inbox.show("cents").text == "We count in pence."
    play(memory, edit, edit=lambda text, _: "Money is counted in cents.")
    assert memory.inbox.show("cents").text == "Money is counted in cents."


def test_what_was_changed_or_decided_meanwhile_is_never_overridden(memory: Memory, open_as: Open, vault: Path) -> None:
    three(memory)
    elsewhere = open_as()
    path = vault / memory.inbox.show("cents").path

    async def meanwhile(screen: Screen) -> None:
        path.write_text(path.read_text().replace("in cents", "in pence"))
        await screen.press("a")
        assert "changed since it was shown" in screen.said and "in pence" in screen.text
        elsewhere.inbox.reject("tabs", "no")
        await screen.press("j", "a")
        elsewhere.inbox.accept("tuesdays")
        await screen.press("r", "enter")

    play(memory, meanwhile)
    assert waiting(memory) == ["cents"]
    assert memory.show("tuesdays").header.status == "accepted"
    assert not list(vault.glob("memory/**/tabs.md"))
    assert memory.verify().sound


def test_ticks_that_a_person_made_are_carried_out_and_shown(memory: Memory, vault: Path, clock: Clock) -> None:
    three(memory)
    path = vault / memory.inbox.show("tabs").path
    path.write_text(path.read_text().replace("accept: false", "accept: true"))
    clock.move(3600)

    async def look(screen: Screen) -> None:
        assert screen.said == "accepted by file: tabs"
        assert "2 proposals waiting" in screen.lines[0]

    play(memory, look)


def test_many_files_that_vanished_are_asked_about(memory: Memory, vault: Path, clock: Clock) -> None:
    for number in range(5):
        memory.retain(f"Fact number {number}.", kind="fact", name=f"fact-{number}", source="x")
    for path in vault.glob("inbox/ana/*.md"):
        path.unlink()

    async def look(screen: Screen) -> None:
        assert "0 proposals waiting" in screen.lines[0]

    async def confirm(screen: Screen) -> None:
        assert "Is that what you decided?" in screen.text
        await screen.press("y", "enter")

    play(memory, look)
    clock.move(3600)
    play(memory, confirm)
    assert len(list(vault.glob("archive/inbox/ana/*.md"))) == 5


def test_an_agent_at_the_keyboard_is_refused(mara: Memory, open_as: Open) -> None:
    agent = open_as("lyra")
    agent.retain("We count in cents.", kind="fact", name="cents", source="x")

    async def accept(screen: Screen) -> None:
        await screen.press("a")
        assert screen.said.startswith("Only a person may accept")

    assert play(agent, accept) == 0


def test_what_a_note_says_steers_neither_screen_nor_markup(memory: Memory) -> None:
    text = "[bold red]x[/] \x1b[2J [@click=app.exit]press[/]"
    memory.retain(text, kind="fact", name="[b]evil[/b]", source="[i]s[/i]")

    async def look(screen: Screen) -> None:
        assert screen.in_front == "[b]evil[/b]"
        assert "[bold red]x[/] \\x1b[2J [@click=app.exit]press[/]" in screen.text and "source [i]s[/i]" in screen.text

    play(memory, look)


def test_the_picture_in_the_readme_is_what_the_queue_shows(mara: Memory, request: pytest.FixtureRequest) -> None:
    pictures: list[str] = []

    async def take(screen: Screen) -> None:
        await screen.press(*["j"] * 5)
        pictures.append(without_remote_fonts(screen.app.export_screenshot(title="mdmem review")))

    play(mara, take)
    if request.config.getoption("--new-pictures"):
        PICTURE.write_text(pictures[0], "utf-8")
    assert SIZE == (80, 24) and texts_of(PICTURE.read_text("utf-8")) == texts_of(pictures[0])
