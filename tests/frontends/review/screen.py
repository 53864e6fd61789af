"""Pressing keys in the full-screen queue, and reading what it shows."""

import asyncio
import re
from collections.abc import Callable, Coroutine
from typing import Any

from textual.pilot import Pilot

from markdown_memory.frontends.review.app import Review
from markdown_memory.memory import Memory

SIZE = (80, 24)
Steps = Callable[["Screen"], Coroutine[Any, Any, None]]


class Screen:
    """A queue that is running."""

    def __init__(self, app: Review, pilot: "Pilot[int]") -> None:
        self.app, self._pilot = app, pilot

    async def press(self, *keys: str) -> None:
        """Press keys one after the other, and wait until the screen shows what came of them."""
        for key in keys:
            await self._pilot.press(key)
            await self._pilot.pause()

    async def type(self, text: str) -> None:
        """Type a text."""
        await self._pilot.press(*(NAMES.get(char, char) for char in text))
        await self._pilot.pause()

    @property
    def lines(self) -> list[str]:
        """What stands on the screen."""
        strips = self.app.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip).rstrip() for strip in strips]

    @property
    def text(self) -> str:
        """The same as one text."""
        return "\n".join(self.lines)

    @property
    def in_front(self) -> str:
        """The name of the proposal whose text is shown."""
        rule = next(number for number, line in enumerate(self.lines) if line.startswith("───"))
        return self.lines[rule + 1].strip()

    @property
    def said(self) -> str:
        """The line above the keys."""
        return self.lines[-3].strip()


NAMES = {" ": "space", "-": "minus", ",": "comma", "/": "slash", ".": "full_stop"}


def play(
    memory: Memory,
    steps: Steps,
    *,
    edit: Callable[[str, str], str] = lambda text, name: text,
    size: tuple[int, int] = SIZE,
) -> int:
    """Run a queue, do the steps, and leave; how many decisions it says were made."""
    app = Review(memory, edit, lambda text: "/kept", look_again=0)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await steps(Screen(app, pilot))
            app.action_leave()

    asyncio.run(run())
    return app.return_value or 0


def texts_of(svg: str) -> list[str]:
    """The words of a picture, line by line, whatever it is painted with."""
    from html import unescape

    return [unescape(text).replace("\xa0", " ").rstrip() for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]


def without_remote_fonts(svg: str) -> str:
    """The picture without the addresses from which a viewer would fetch its font."""
    return re.sub(r",\s*url\([^)]*\) format\([^)]*\)", "", svg)
