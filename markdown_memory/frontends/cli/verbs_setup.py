"""Setting up: init, link, trust."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from markdown_memory import upkeep
from markdown_memory.core import layout
from markdown_memory.frontends import render
from markdown_memory.frontends.cli.call import Call

if TYPE_CHECKING:
    from markdown_memory.memory import Made


def init(call: Call, folder: str, agents: Sequence[str], person: str, inside: str, git: bool) -> None:
    """Make a vault and say what to do next."""
    made = upkeep.make(
        folder,
        agents=[name.strip() for given in agents for name in given.split(",") if name.strip()],
        person=person,
        inside=inside or None,
        places=call.places(),
        clock=call.clock,
        git=git,
    )
    if call.json:
        return call.document(dict(made._asdict()))
    if not made.created:
        call.lines([f"{render.one_line(made.root)} is a vault already; nothing was changed."])
    else:
        files, root = render.count(len(made.created), "file"), render.one_line(made.root)
        added = layout.SETTINGS in made.present
        call.lines([f"added {files} to the vault {root}" if added else f"made the vault {root} with {files}"])
    for notice in made.notices:
        call.say(notice)
    return _what_next(call, made) if made.created else None


def _what_next(call: Call, made: "Made") -> None:
    if made.around:
        call.say(f"It is a folder of your Obsidian vault {made.around}; nothing else in there was touched.")
    if made.is_default:
        call.say("It is your default vault: every command uses it where no other one is named or linked.")
    else:
        call.say(f"Your default vault is another one: name this one with --vault {made.root}, or link a repository.")
    agent = f" --agent {made.agents[0]}" if made.agents else ""
    call.say(f"Next: `mdmem store`, `mdmem search`, and for an agent's session `mdmem context{agent}`.")


def link(call: Call) -> None:
    """Tie the repository here to the vault."""
    with call.memory() as memory:
        done = upkeep.link(memory, call.project or "", call.here.cwd)
    if call.json:
        return call.document(dict(done._asdict()))
    what = "linked again" if done.replaced else "linked"
    call.lines([render.one_line(f"{what} {done.known_by} to {done.root} as project {done.project}")])
    return call.say(done.hint) if done.hint else None


def trust(call: Call, folder: str, key: str) -> None:
    """Trust a vault from elsewhere."""
    places, present = call.places(), call.person_present
    done = upkeep.trust(folder, places=places, clock=call.clock, person_present=present, key=key)
    if call.json:
        return call.document(dict(done._asdict()))
    root = f", rooted in the key {done.root_key} of {done.root_person}" if done.root_key else ""
    call.lines([render.one_line(f"{'trusted' if done.new else 'trusted already:'} {done.root}{root}")])
    for copy in done.copies:
        call.say(f"You trust another copy of the same vault at {copy}.")
    return None


def join(call: Call, folder: str, person: str, key: str) -> None:
    """Set this machine up for a vault, and say what is left to do."""
    places, present = call.places(), call.person_present
    done = upkeep.join(folder, places=places, clock=call.clock, person_present=present, person=person, key=key)
    if call.json:
        return call.document(dict(done._asdict()))
    call.lines([render.one_line(f"joined {done.root} as {done.writer}")])
    if not done.confirmed:
        call.say(
            f"Synchronise, then say once on a machine that you used before: `mdmem keys confirm {done.writer}`. "
            "Until then what is signed here is shown as unconfirmed."
        )
    if done.is_default:
        call.say("It is your default vault: every command uses it where no other one is named or linked.")
    agent = f" --agent {done.agents[0].rpartition('-')[0]}" if done.agents else ""
    return call.say(f"Next: wire your agents with `mdmem install CLIENT{agent}`.")
