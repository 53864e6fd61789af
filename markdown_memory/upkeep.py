"""What a person does about a vault rather than in it: make one, trust one, link a repository, care for its keys.

The frontends come through here as they come through `Memory`; these acts are rare, and `Memory` is for every turn.
"""

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.errors import UserError
from markdown_memory.memory import Memory
from markdown_memory.storage.places import Places

if TYPE_CHECKING:
    from markdown_memory.core.entry import Entry
    from markdown_memory.features.keys import Key
    from markdown_memory.features.redact import Redacted
    from markdown_memory.features.vaults import Joined, Linked, Made, Trust
    from markdown_memory.storage.keys import Writer

Clock = Callable[[], float]
Progress = Callable[[int, int], None]


class Rebuilt(NamedTuple):
    """How many notes the search indexes hold now, and whether MEMORY.md had fallen behind."""

    indexed: int
    memory_index_changed: bool


def make(
    path: str,
    *,
    places: Places,
    clock: Clock,
    agents: Sequence[str] = (),
    person: str = "",
    inside: str | None = None,
    git: bool = False,
) -> "Made":
    """Make a vault, and tell what was made and what was there already."""
    from markdown_memory.features import vaults

    return vaults.init(
        path, agents=agents, person=person, inside=inside, places=places, clock=clock, git=git, via="cli"
    )


def trust(path: str, *, places: Places, clock: Clock, person_present: bool, key: str = "") -> "Trust":
    """Let the vault at `path`, which came from elsewhere, guide agents on this account; a person's act."""
    from markdown_memory.features import vaults

    return vaults.trust(path, places=places, clock=clock, person_present=person_present, key=key)


def join(path: str, *, places: Places, clock: Clock, person_present: bool, person: str = "", key: str = "") -> "Joined":
    """Set this machine up for a vault that a person uses on another one already; a person's act."""
    from markdown_memory.features import vaults

    return vaults.join(path, places=places, clock=clock, person_present=person_present, person=person, key=key)


def link(memory: Memory, project: str = "", cwd: str = "") -> "Linked":
    """Tie the code repository of `cwd` to the vault and to a project in it."""
    from markdown_memory.features import vaults

    return memory.watched(
        "link", project, lambda: vaults.link(memory.workspace, cwd=cwd or os.getcwd(), project=project)
    )


def has_access_control(path: str, *, environment: str, cwd: str, places: Places) -> bool:
    """Whether access control is on in the vault that would be opened; reads Settings.md and opens nothing."""
    from markdown_memory.core.layout import SETTINGS
    from markdown_memory.core.settings import parse
    from markdown_memory.storage import files, vaults

    found = vaults.find(places, cwd or os.getcwd(), option=path, environment=environment)
    return parse(files.read(found.root, SETTINGS)).settings.acl_enabled


def example(path: str, *, places: Places) -> float:
    """Make the demo at `path`: the example vault with fresh keys. The moment at which its story begins."""
    from shutil import which

    from markdown_memory.features import demo, vaults
    from markdown_memory.storage import shipped

    it, hands = demo.read_example(shipped.folder("vault-example"), places), demo.Hands()
    hands.now = it.beginning
    agents = [slug for slug in it.slugs if slug != it.person]
    # a repository of its own: below somebody's code repository it would count as that project's
    git = which("git") is not None
    made = vaults.init(path, agents=agents, person=it.person, places=places, clock=hands, git=git, via="cli")

    def opened(slug: str) -> Memory:
        agent = "" if slug == it.person else slug
        return Memory.open(made.root, agent=agent, places=places, clock=hands, cwd=made.root, via="cli")

    people = {slug: opened(slug) for slug in it.slugs}
    log = people[demo.READER].log
    spaces = {slug: memory.workspace for slug, memory in people.items()}
    demo.fill(it, spaces, hands, lambda: log.mark_read(log.read(unread=True)))
    log.render()
    for memory in people.values():
        memory.close()
    return hands.now


def rebuild(memory: Memory, progress: Progress | None = None) -> Rebuilt:
    """Build the full-text indexes anew, and MEMORY.md where it has fallen behind."""
    from markdown_memory.features.recall import Recall

    recall = Recall(memory.workspace, progress)
    notes = recall.rebuild()
    recall.close()
    return Rebuilt(notes, catch_up(memory))


def catch_up(memory: Memory) -> bool:
    """Bring MEMORY.md up to the notes; whether it had fallen behind."""
    with memory.workspace.writing():
        drift = memory.workspace.index_drift()
        if drift:
            memory.workspace.change(drift, kind="index", text="MEMORY.md follows the notes again")
    return bool(drift)


def approve(memory: Memory, names: Sequence[str] = (), everything: bool = False) -> tuple[str, ...]:
    """Sign files as they are now, with the person's key: the named ones, or all that nobody has signed. Their paths."""
    from markdown_memory.features import approve as feature

    if not names and not everything:
        raise UserError("Say which notes you approve, or --all for every file that was edited by hand.")

    def approved() -> tuple[str, ...]:
        files = memory.verify().files if memory.person_present else ()
        return feature.approve(memory.workspace, files, () if everything else names, memory.person_present).paths

    return memory.watched("approve", " ".join(names), approved)


def redact(memory: Memory, names: Sequence[str]) -> "Redacted":
    """Make entries and notes vanish everywhere the package can reach."""
    from markdown_memory.features import redact as feature

    space, present = memory.workspace, memory.person_present
    done = memory.watched("redact", f"{len(names)} names", lambda: feature.redact(space, names, present))
    memory.log.render()
    return done


def apply_redactions(memory: Memory) -> tuple[str, ...]:
    """Blank in this copy what was redacted elsewhere; the files that were rewritten."""
    from markdown_memory.features import redact as feature

    paths = tuple(feature.apply(memory.workspace))
    if paths:
        memory.log.render()
    return paths


# keys


def keys(memory: Memory) -> "list[Key]":
    """Who may sign in the vault."""
    from markdown_memory.features import keys as feature

    return memory.watched("keys list", "", lambda: feature.keys(memory.workspace))


def confirm(memory: Memory, writer: str) -> "Entry | None":
    """Say that a writer may sign; None when that was said before."""
    from markdown_memory.features import keys as feature

    return memory.watched(
        "keys confirm", writer, lambda: feature.confirm(memory.workspace, writer, memory.person_present)
    )


def rotate(memory: Memory) -> "Writer":
    """Give the principal a new key on this machine; the old one vouches for it and retires."""
    from markdown_memory.features import keys as feature

    return memory.watched("keys rotate", "", lambda: feature.rotate(memory.workspace, memory.workspace.principal))


def retire(memory: Memory, writer: str) -> "Entry":
    """Say that a writer writes nothing more."""
    from markdown_memory.features import keys as feature

    return memory.watched(
        "keys retire", writer, lambda: feature.retire(memory.workspace, writer, memory.person_present)
    )


def revoke(memory: Memory, writer: str, after: Sequence[str] = ()) -> "Entry":
    """Say that a writer is not trusted after the given entries, or after those that are here."""
    from markdown_memory.features import keys as feature

    return memory.watched(
        "keys revoke", writer, lambda: feature.revoke(memory.workspace, writer, memory.person_present, after)
    )


def move_here(memory: Memory, writer: str) -> "Writer":
    """Let this machine continue a writer whose key came here in a copied home folder."""
    from markdown_memory.features import keys as feature

    return memory.watched(
        "keys move-here", writer, lambda: feature.move_here(memory.workspace, writer, memory.person_present)
    )


def export_keys(memory: Memory, path: str, passphrase: str) -> "list[Writer]":
    """Write the vault's private keys on this account into a new file, sealed; whose keys are in it."""
    from markdown_memory.features import keys as feature

    return memory.watched(
        "keys export",
        path,
        lambda: feature.export(memory.workspace, os.path.abspath(path), passphrase, memory.person_present),
    )


def import_keys(memory: Memory, path: str, passphrase: str) -> "list[Writer]":
    """Bring back the keys of a backup that are missing here; whose keys they are."""
    from markdown_memory.features import keys as feature

    return memory.watched(
        "keys import",
        path,
        lambda: feature.bring_back(memory.workspace, os.path.abspath(path), passphrase, memory.person_present),
    )


def accept_rollback(memory: Memory) -> "Entry | None":
    """Say that a restored backup is meant; None when nothing is missing."""
    from markdown_memory.features import keys as feature

    return memory.watched(
        "keys accept-rollback", "", lambda: feature.accept_rollback(memory.workspace, memory.person_present)
    )
