"""The review queue on a full screen: the list, below it the proposal, below that the keys.

Fits 80 × 24. One key is one decision; what is refused is said in a line and nothing else happens, so that one bad
proposal never holds up the others. What files decide meanwhile shows up by itself.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from textual.app import App, ComposeResult, SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from markdown_memory.errors import ConflictError, MarkdownMemoryError, NotFound, UserError
from markdown_memory.frontends import render
from markdown_memory.frontends.review import looks
from markdown_memory.frontends.review.queue import Queue
from markdown_memory.frontends.review.screens import STYLE, Ask, Help

if TYPE_CHECKING:
    from markdown_memory.memory import Memory, Proposal

Edit = Callable[[str, str], str]
"""From a text and its name to what the person made of it; raises UserError when there is no editor."""
Keep = Callable[[str], str]
"""Puts a text that could not be saved where it is not lost; says where."""

LOOK_AGAIN = 3.0
"""Seconds after which files are looked at again."""
SNOOZE_DAYS = "7"


class Review(App[int]):
    """The queue; it ends with the number of decisions."""

    TITLE = "mdmem review"
    ENABLE_COMMAND_PALETTE = False
    CSS = STYLE
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "accept", "Accept"),
        Binding("e", "edit", "Edit"),
        Binding("r", "reject", "Reject"),
        Binding("m", "merge", "Merge"),
        Binding("o", "supersede", "Over"),
        Binding("z", "snooze", "Snooze"),
        Binding("u", "undo", "Undo"),
        Binding("space", "select", "Select"),
        Binding("A", "select_all", "All"),
        Binding("slash", "filter", "Filter"),
        Binding("escape", "no_filter", "No filter"),
        Binding("question_mark", "help", "Help"),
        Binding("j", "move(1)", "Down"),
        Binding("k", "move(-1)", "Up"),
        Binding("pagedown", "read(1)", "Read on", priority=True),
        Binding("pageup", "read(-1)", "Read back", priority=True),
        Binding("q", "leave", "Quit"),
        Binding("ctrl+c", "leave", "Quit", priority=True),
    ]

    def __init__(self, memory: "Memory", edit: Edit, keep: Keep, look_again: float = LOOK_AGAIN) -> None:
        super().__init__()
        self._queue = Queue(memory)
        self._edit, self._keep, self._look_again = edit, keep, look_again

    # what is on the screen

    def compose(self) -> ComposeResult:
        """Title, list, filter, proposal, what was said last, keys."""
        yield Static(id="title")
        yield OptionList(id="list", markup=False)
        yield Input(id="filter", placeholder="words that name, kind, agent or text must hold")
        with VerticalScroll(id="preview", can_focus=False):
            yield Static(id="card")
        yield Static(id="said")
        yield Static(Content(looks.KEYS), id="keys")

    def on_mount(self) -> None:
        """The first look."""
        self._try(self._queue.by_file)
        self.query_one(OptionList).focus()
        if self._look_again:
            self.set_interval(self._look_again, self._look)
        for question in self._queue.questions:
            self._ask(f"{question}\nIs that what you decided? [y/N]", self._confirmed)

    @property
    def present(self) -> "Proposal | None":
        """The proposal in front of the person."""
        at, shown = self.query_one(OptionList).highlighted, self._queue.shown
        return shown[at] if at is not None and at < len(shown) else None

    def on_option_list_option_highlighted(self) -> None:
        """Another proposal: its text, once the list has stopped moving."""
        self.call_after_refresh(self._show_card)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter while the person types."""
        if event.input.id == "filter":
            self._queue.filter = event.value
            self._draw()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """The filter stands; back to the list."""
        if event.input.id == "filter":
            event.input.set_class(bool(event.value.strip()), "open")
            self.query_one(OptionList).focus()

    def _draw(self, path: str = "") -> None:
        """The list anew; in front is `path`, else what was there, else what has moved up in its place."""
        queue, options = self._queue, self.query_one(OptionList)
        at = options.highlighted or 0
        wanted = path or (options.get_option_at_index(at).id if options.option_count > at else "") or ""
        shown = queue.shown
        options.set_options([Option(looks.row(one, one.path in queue.selected), id=one.path) for one in shown])
        paths = [one.path for one in shown]
        if paths:
            options.highlighted = paths.index(wanted) if wanted in paths else min(at, len(paths) - 1)
        self.query_one("#title", Static).update(
            looks.title(len(queue.waiting), len(shown), len(queue.selected), queue.filter)
        )
        self._show_card()

    def _show_card(self) -> None:
        card, one = self.query_one("#card", Static), self.present
        if one is None:
            nothing = "Nothing that waits has these words." if self._queue.filter else "Nothing waits for a decision."
            return card.update(Content(nothing))
        try:
            beside = self._queue.beside(one)
        except MarkdownMemoryError as error:
            beside = ()
            self._say(str(error), refused=True)
        card.update(looks.card(one, beside))
        return self.query_one("#preview").scroll_home(animate=False)

    def _say(self, text: str, refused: bool = False) -> None:
        said = self.query_one("#said", Static)
        said.set_class(refused, "refused")
        said.update(Content(render.one_line(text)))

    # deciding

    def action_accept(self) -> None:
        """Into the memory."""
        chosen = self._queue.chosen(self.present)
        try:
            self._say(self._queue.accept(chosen) if chosen else "")
        except ConflictError as error:
            self._offer_to_replace(chosen[0], str(error))
        except MarkdownMemoryError as error:
            self._say(str(error), refused=True)
        self._reload()

    def _offer_to_replace(self, one: "Proposal", why: str) -> None:
        self._say(why, refused=True)
        try:
            note = self._queue.in_the_way(one)
        except NotFound:
            return
        if note is not None:
            present = note

            def answered(answer: str | None) -> None:
                if (answer or "").lower().startswith("y"):
                    self._try(lambda: self._queue.replace(one, present))

            self._ask(f"{why}\n\n{looks.difference(note)}\n\nReplace it? [y/N]", answered)

    def action_reject(self) -> None:
        """Into the archive, with a reason."""
        chosen = self._queue.chosen(self.present)

        def answered(reason: str | None) -> None:
            if reason is not None:
                self._try(lambda: self._queue.reject(chosen, reason))

        if chosen:
            self._ask(f"Reject {_these(chosen)}: why? (Enter: no reason)", answered)

    def action_merge(self) -> None:
        """Into a note that is there."""
        self._about_a_note("Merge it into which note?", self._queue.merge)

    def action_supersede(self) -> None:
        """In the place of a note, which stays."""
        self._about_a_note("Which note does it supersede?", self._queue.supersede)

    def _about_a_note(self, question: str, decide: "Callable[[Proposal, str], str]") -> None:
        one = self.present
        if one is None:
            return
        near = self._queue.near(one)

        def answered(note: str | None) -> None:
            if note:
                self._try(lambda: decide(one, note))

        below = "Name or path. Near it: " + ", ".join(map(render.one_line, near)) if near else "Name or path of a note."
        self._ask(question, answered, below, near[0] if near else "")

    def action_snooze(self) -> None:
        """Later."""
        chosen = self._queue.chosen(self.present)

        def put_off(days: str) -> str:
            if not (days.isascii() and days.isdecimal()):
                raise UserError(f"A number of days is needed, not {days!r}.")
            return self._queue.snooze(chosen, int(days))

        def answered(days: str | None) -> None:
            if days is not None:
                self._try(lambda: put_off(days or SNOOZE_DAYS))

        if chosen:
            self._ask(f"Do not show {_these(chosen)} for how many days?", answered, preset=SNOOZE_DAYS)

    def action_undo(self) -> None:
        """The last decision back."""
        try:
            said, path = self._queue.undo()
        except MarkdownMemoryError as error:
            return self._say(str(error), refused=True)
        self._say(said)
        return self._reload(path)

    def action_edit(self) -> None:
        """Better words, in the person's editor."""
        one = self.present
        if one is None:
            return None
        try:
            with self.suspend():  # an error must not leave it before the screen is back
                text = self._edited(one)
        except SuspendNotSupported:
            text = self._edited(one)
        if isinstance(text, MarkdownMemoryError):
            return self._say(str(text), refused=True)
        try:
            self._say(self._queue.edit(one, text) if text != one.text else "Nothing changed.")
        except MarkdownMemoryError as error:
            self._say(f"{self._kept(text)} {error}", refused=True)
        return self._reload(one.path)

    def _edited(self, one: "Proposal") -> str | MarkdownMemoryError:
        try:
            return self._edit(one.text, one.name)
        except MarkdownMemoryError as error:
            return error

    def _kept(self, text: str) -> str:
        try:
            return f"Your text is kept in {self._keep(text)}."
        except OSError as error:
            return f"Your text could not be kept either ({error.strerror})."

    # looking around

    def action_select(self) -> None:
        """Select this one, and go to the next."""
        if self.present is not None:
            self._queue.toggle(self.present.path)
            self._draw()
            self.action_move(1)

    def action_select_all(self) -> None:
        """Select all that are shown."""
        self._queue.toggle_all()
        self._draw()

    def action_filter(self) -> None:
        """Type words."""
        line = self.query_one("#filter", Input)
        line.add_class("open")
        line.focus()

    def action_no_filter(self) -> None:
        """All of them again."""
        line = self.query_one("#filter", Input)
        line.value = ""
        line.remove_class("open")
        self.query_one(OptionList).focus()

    def action_help(self) -> None:
        """What the keys do."""
        self.push_screen(Help())

    def action_move(self, by: int) -> None:
        """Another proposal."""
        options = self.query_one(OptionList)
        if options.option_count:
            options.highlighted = max(0, min((options.highlighted or 0) + by, options.option_count - 1))

    def action_read(self, by: int) -> None:
        """A page of the proposal."""
        preview = self.query_one("#preview", VerticalScroll)
        preview.scroll_page_down(animate=False) if by > 0 else preview.scroll_page_up(animate=False)

    def action_leave(self) -> None:
        """Quit."""
        self.exit(self._queue.decided)

    def _look(self) -> None:
        """What others have decided or proposed meanwhile; never while a question is open."""
        if len(self.screen_stack) > 1:
            return
        try:
            said = self._queue.by_file()
            if self._queue.reload():
                self._draw()
            if said:
                self._say(said)
        except MarkdownMemoryError as error:
            self._say(str(error), refused=True)

    def _confirmed(self, answer: str | None) -> None:
        if (answer or "").lower().startswith("y"):
            self._try(self._queue.confirm)

    def _ask(self, question: str, answered: Callable[[str | None], None], below: str = "", preset: str = "") -> None:
        self.push_screen(Ask(question, below, preset), answered)

    def _try(self, act: Callable[[], str]) -> None:
        """Do it, or say why not; then look again."""
        try:
            self._say(act())
        except NotFound as error:
            self._say(f"{error} It may have been decided elsewhere.", refused=True)
        except MarkdownMemoryError as error:
            self._say(str(error), refused=True)
        self._reload()

    def _reload(self, path: str = "") -> None:
        try:
            self._queue.reload()
        except MarkdownMemoryError as error:
            self._say(str(error), refused=True)
        self._draw(path)


def _these(chosen: "list[Proposal]") -> str:
    return render.one_line(chosen[0].name, 40) if len(chosen) == 1 else render.count(len(chosen), "proposal")
