"""The two boxes that open over the queue, a question and the help, and how everything is laid out."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from markdown_memory.frontends.review.looks import HELP

STYLE = """
Screen { layout: vertical; }
#title { height: 1; background: $primary; color: $text; padding: 0 1; }
#list { height: 35%; min-height: 4; border: none; padding: 0; background: $surface; }
#filter { height: 1; border: none; padding: 0 1; display: none; background: $boost; }
#filter.open { display: block; }
#preview { height: 1fr; padding: 0 1; border-top: solid $primary; }
#said { height: 1; padding: 0 1; color: $text-success; }
#said.refused { color: $text-error; }
#keys { height: 2; background: $panel; }
Ask, Help { align: center middle; }
.box { width: 76; max-width: 100%; height: auto; max-height: 100%; border: round $primary; padding: 0 1;
       background: $surface; }
.question { margin-bottom: 1; }
.below { color: $text-muted; margin-top: 1; }
"""


class Ask(ModalScreen[str | None]):
    """One line from the person; None when they leave it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave")]

    def __init__(self, question: str, below: str = "", preset: str = "") -> None:
        super().__init__()
        self._question, self._below, self._preset = question, below, preset

    def compose(self) -> ComposeResult:
        """The question, where to type, and what may help to answer."""
        with Vertical(classes="box"):
            yield Static(Content(self._question), classes="question")
            yield Input(value=self._preset, select_on_focus=True)
            yield Static(Content(self._below or "Enter: go on   Esc: leave it"), classes="below")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """The answer."""
        self.dismiss(event.value.strip())

    def action_leave(self) -> None:
        """No answer."""
        self.dismiss(None)


class Help(ModalScreen[None]):
    """What each key does."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,space,q,question_mark", "leave", "Back")]

    def compose(self) -> ComposeResult:
        """The text."""
        with Vertical(classes="box"):
            yield Static(Content(HELP))

    def action_leave(self) -> None:
        """Back to the queue."""
        self.dismiss(None)
