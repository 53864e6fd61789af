"""The review queue as a plain prompt: one proposal, one key, the next. Works in every terminal and over ssh."""

from typing import TYPE_CHECKING

from markdown_memory.errors import ConflictError, MarkdownMemoryError, NotFound, UserError
from markdown_memory.frontends import render
from markdown_memory.frontends.cli.call import Call
from markdown_memory.frontends.cli.card import card, carry_out, difference
from markdown_memory.frontends.cli.prompt import ask, edited, kept_if_refused

if TYPE_CHECKING:
    from markdown_memory.memory import Decision, Memory, Proposal

KEYS = "[a]ccept [e]dit [m]erge [o]ver [r]eject [s]kip [z]zz [u]ndo [q]uit [?]"
HELP = """\
  a  accept: the note moves into memory/ and agents are served it from now on
  e  edit: put it into better words first, in your editor
  m  merge: add what it says to a note that is there
  o  over: accept it as what supersedes a note, which stays and says so
  r  reject: it moves to the archive; you may say why
  s  skip: decide another time
  z  snooze: do not show it for some days
  u  undo: take the last decision back
  q  quit: what you decided stays decided"""


def walk(call: Call) -> None:
    """Show every waiting proposal until all are decided, skipped, or the person has had enough."""
    with call.memory() as memory:
        _confirm(call, memory)
        todo = [proposal.path for proposal in memory.inbox.list()]
        decided = at = 0
        while at < len(todo):
            shown = _present(call, memory, todo[at], f"{at + 1} of {len(todo)}")
            if shown is None:
                at += 1
                continue
            key = _choice(call)
            if key == "q":
                break
            if key == "u":
                at, decided = _undo(call, memory, todo, at), max(decided - 1, 0)
            elif key == "s" or (key == "z" and _snooze(call, memory, shown)):
                at += 1
            elif key != "z" and _decide(call, memory, shown, key):
                at, decided = at + 1, decided + 1
        waiting = len(memory.inbox.list())
    call.lines([f"{render.count(decided, 'decision')} made, {render.count(waiting, 'proposal')} waiting."])


def _confirm(call: Call, memory: "Memory") -> None:
    """Carry out what files say; what looks more like an accident than a decision is asked first."""
    carried = carry_out(call, memory)
    if carried.questions and ask(call, "Is that what you decided? [y/N] ").lower().startswith("y"):
        memory.inbox.carry_out(confirmed=True)


def _present(call: Call, memory: "Memory", path: str, place: str) -> "Proposal | None":
    """Show a proposal and give it as it was shown; None when somebody else has decided about it meanwhile."""
    try:
        proposal, beside = memory.inbox.show(path), memory.inbox.beside(path)
    except NotFound:
        call.say(f"{render.one_line(path)} has been decided elsewhere.")
        return None
    call.lines(["", call.paint(place, render.DIM), *card(call, proposal, beside), ""])
    return proposal


def _choice(call: Call) -> str:
    """The key that was pressed; the end of input is a way to quit."""
    while True:
        try:
            key = ask(call, f"{KEYS} > ")[:1].lower()
        except EOFError:
            return "q"
        if key and key in "aemorszuq":
            return key
        call.complain(HELP)


def _decide(call: Call, memory: "Memory", shown: "Proposal", key: str) -> bool:
    """Whether the proposal is done with. What is refused is said, and the proposal is shown again."""
    try:
        if key == "e":
            _edit(call, memory, shown)
            return False
        decision = _DECIDING[key](call, memory, shown)
    except MarkdownMemoryError as error:
        call.complain(str(error))
        return False
    call.lines([call.paint(f"{decision.decision} → {render.one_line(decision.path)}", render.GREEN)])
    return True


def _edit(call: Call, memory: "Memory", shown: "Proposal") -> None:
    text = edited(call, shown.text, shown.name)
    with kept_if_refused(call, text):
        memory.inbox.edit(shown.path, text, if_hash=shown.sha256)


def _accept(call: Call, memory: "Memory", shown: "Proposal") -> "Decision":
    """Only what the person has seen is accepted."""
    path, sha256 = shown.path, shown.sha256
    try:
        return memory.inbox.accept(path, if_hash=sha256)
    except ConflictError as error:
        if memory.inbox.show(path).sha256 != sha256:
            raise
        replaced = next((one for one in memory.inbox.beside(path) if one.relation == "updates"), None)
        if replaced is None:
            raise
        call.complain(str(error))
        call.lines(difference(call, replaced))
        if not ask(call, "Replace it? [y/N] ").lower().startswith("y"):
            raise UserError("Left as it was.") from error
        return memory.inbox.accept(path, replace=True, if_hash=sha256, over=replaced.sha256)


def _reject(call: Call, memory: "Memory", shown: "Proposal") -> "Decision":
    return memory.inbox.reject(shown.path, ask(call, "Why? (Enter: no reason) "))


def _merge(call: Call, memory: "Memory", shown: "Proposal") -> "Decision":
    return memory.inbox.merge(shown.path, _note(call, memory, shown, "Merge into"), if_hash=shown.sha256)


def _supersede(call: Call, memory: "Memory", shown: "Proposal") -> "Decision":
    return memory.inbox.supersede(shown.path, _note(call, memory, shown, "Supersede"), if_hash=shown.sha256)


def _note(call: Call, memory: "Memory", shown: "Proposal", what: str) -> str:
    """The note that is meant: the nearest one, unless the person names another."""
    near = [one for one in memory.inbox.beside(shown.path) if one.status == "accepted"]
    hint = f" (Enter: {render.one_line(near[0].name)})" if near else ""
    named = ask(call, f"{what} which note?{hint} ")
    if not named and not near:
        raise UserError("Left as it was: no note was named.")
    return named or near[0].path


def _snooze(call: Call, memory: "Memory", shown: "Proposal") -> bool:
    """Whether it was put off."""
    answer = ask(call, "For how many days? (Enter: 7) ") or "7"
    try:
        if not answer.isdecimal():
            raise UserError(f"A number of days is needed, not {answer!r}.")
        put_off = memory.inbox.snooze(shown.path, int(answer))
    except MarkdownMemoryError as error:
        call.complain(str(error))
        return False
    call.lines([f"snoozed until {render.when(put_off.snoozed_until)}" if put_off.snoozed_until else "not snoozed"])
    return True


_DECIDING = {"a": _accept, "m": _merge, "o": _supersede, "r": _reject}


def _undo(call: Call, memory: "Memory", todo: list[str], at: int) -> int:
    """Take the last decision back; where the queue goes on: at the proposal that waits again."""
    try:
        undone = memory.inbox.undo()
    except MarkdownMemoryError as error:
        call.complain(str(error))
        return at
    call.lines([f"undone: {render.one_line(undone.path)} waits again"])
    if undone.path not in todo:
        todo.insert(at, undone.path)
    return todo.index(undone.path)
