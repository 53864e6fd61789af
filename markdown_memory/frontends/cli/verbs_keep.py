"""retain: a fact on its way to a person."""

from typing import TYPE_CHECKING

from markdown_memory.errors import UserError
from markdown_memory.frontends import render
from markdown_memory.frontends.cli import shapes
from markdown_memory.frontends.cli.call import Call
from markdown_memory.frontends.cli.prompt import given_text

if TYPE_CHECKING:
    from markdown_memory.memory import Proposal, Retained


def retain(
    call: Call,
    text: str,
    kind: str,
    source: str,
    name: str,
    description: str,
    trust: str,
    namespace: str | None,
    private: bool,
    from_transcript: str = "",
    limit: int = 5,
    dry_run: bool = False,
    from_client: str = "",
) -> None:
    """Propose a fact; say when it is known already or was turned down before."""
    if from_client:
        return _from_client(call, from_client)
    if from_transcript:
        return _from_transcript(call, from_transcript, limit, dry_run, "private" if private else namespace)
    if not text or dry_run:
        raise UserError(
            "Say what to retain, or give a session with --from-transcript FILE (then --dry-run only shows)."
        )
    body = given_text(call, text, "the fact")
    with call.memory() as memory:
        proposal = memory.retain(
            body,
            kind=kind,
            source=source,
            name=name,
            description=description,
            trust=trust,
            namespace=namespace,
            private=private,
        )
    if call.json:
        return call.document({"proposal": shapes.proposal(proposal)})
    call.lines([f"{proposal.state} {render.one_line(proposal.path)}"])
    return _explain(call, proposal)


def _from_transcript(call: Call, path: str, limit: int, dry_run: bool, namespace: str | None) -> None:
    """Propose what a session holds, and say what was found by which rule."""
    with call.memory() as memory:
        retained = memory.retain_transcript(path, dry_run=dry_run, limit=limit, namespace=namespace)
    if call.json:
        return call.document(shapes.retained(retained))
    for fact in retained.facts:
        call.lines([f"{fact.state} {fact.kind} ({fact.trust}, {fact.rule}) {render.one_line(fact.source)}"])
        call.lines(f"  {line}".rstrip() for line in render.foreign(fact.text).split("\n"))
        if fact.note:
            call.say(f"  {render.one_line(fact.note)}")
    call.say(_summary(retained, dry_run))
    return None


def _from_client(call: Call, client: str) -> None:
    """Propose what a client remembers in files of its own."""
    import sys

    from markdown_memory.frontends.cli.verbs_wiring import project_folder
    from markdown_memory.frontends.wiring import clients, memories

    at = clients.homes(call.here.variables(), sys.platform, project_folder(call))
    found = memories.files(client, at)
    call.agent = call.agent or client
    with call.memory() as memory:
        brought = memories.bring(memory, found)
    if call.json:
        return call.document({"client": client, "brought": [dict(one._asdict()) for one in brought]})
    for one in brought:
        call.lines([f"{one.state} {render.one_line(one.path or one.name)}"] if one.state != "known" else [])
        if one.note:
            call.say(f"  {render.one_line(one.note)}")
    known = sum(one.state == "known" for one in brought)
    return call.say(f"{render.count(len(brought) - known, 'memory', 'memories')} brought, {known} known already.")


def _summary(retained: "Retained", dry_run: bool) -> str:
    new = sum(fact.state == ("new" if dry_run else "waiting") and not fact.note for fact in retained.facts)
    done = "found" if dry_run else "proposed"
    parts = [f"{render.count(retained.turns, 'turn')} read, {render.count(new, 'fact')} {done}."]
    if retained.before:
        parts.append(f"{render.count(retained.before, 'turn')} had been read before; each is proposed from once.")
    if retained.broken:
        parts.append(f"{render.count(retained.broken, 'line')} could not be read.")
    if retained.left_out:
        parts.append(f"{retained.left_out} more left out: a session proposes a few; a higher `--limit` brings them.")
    if new and not dry_run:
        parts.append("A person decides with `mdmem review`.")
    return " ".join(parts)


def _explain(call: Call, proposal: "Proposal") -> None:
    if proposal.note:
        call.say(proposal.note)
    if proposal.similar:
        call.say(f"Similar: {', '.join(map(render.one_line, proposal.similar))}.")
    if proposal.state == "waiting":
        call.say("A person decides with `mdmem review`, or by a tick in Obsidian.")
