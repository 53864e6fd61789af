"""The reading verbs of every turn: context, search, show, list, where."""

import os
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from markdown_memory.errors import NotFound, UserError
from markdown_memory.frontends import render
from markdown_memory.frontends.cli.call import Call
from markdown_memory.frontends.cli.progress import Progress

if TYPE_CHECKING:
    from markdown_memory.memory import Answer, Context, Header, Hit, Memory, StoredNote


def context(call: Call, query: str, limit: int) -> None:
    """Print what a session should know at its start."""
    found = _contexts(call, query, limit)
    if call.json:
        from markdown_memory.frontends.cli import shapes

        return call.document(shapes.context(found, limit))
    return call.verbatim(found.text.encode("utf-8", "surrogateescape"))


def _contexts(call: Call, query: str, limit: int) -> "Context":
    """The block of one vault, or those of several one below the other within the one limit."""
    blocks: list[Context] = []
    left, vaults = limit, max(len(call.vaults), 1)
    for at, memory in enumerate(call.memories()):
        blocks.append(memory.context(query, max(left // (vaults - at), 1)))
        left -= blocks[-1].bytes + 1
    if len(blocks) == 1:
        return blocks[0]
    parts = tuple(part for one in blocks for part in one.parts)
    left_out = tuple(name for one in blocks for name in one.left_out)
    return blocks[0]._replace(text="\n".join(one.text for one in blocks), parts=parts, left_out=left_out)


def show(call: Call, name: str, body: bool, path: bool) -> None:
    """Print a note's bytes, or its body or path; of several vaults, from the first that has it."""
    note, root = _shown(call, name)
    if call.json:
        from markdown_memory.frontends.cli import shapes

        return call.document(shapes.stored(note))
    if path:
        return call.lines([render.one_line(f"{root}/{note.header.path}")])
    return call.verbatim(note.body.encode("utf-8", "surrogateescape") if body else note.data)


def _shown(call: Call, name: str) -> "tuple[StoredNote, str]":
    missing: NotFound | None = None
    for memory in call.memories():
        try:
            return memory.show(name), memory.workspace.root
        except NotFound as error:
            missing = missing or error
    raise missing or NotFound(f"There is no note called {name!r}.")


def search(
    call: Call,
    words: Sequence[str],
    limit: int,
    namespace: str | None,
    type: Sequence[str],
    category: Sequence[str],
    tag: Sequence[str],
    in_project: Sequence[str],
    in_branch: Sequence[str],
    by: Sequence[str],
    status: Sequence[str],
    explain: bool,
    expand: bool,
    unfold: bool,
) -> None:
    """Print the best notes for a query, each with the line that matched."""
    text = " ".join(words)
    answers: list[tuple[str, Answer]] = []
    for memory in call.memories():
        with Progress(call, "Indexing") as progress:
            types, projects, branches = _narrowed(memory, namespace, type, in_project, in_branch)
            answer = memory.search(
                text,
                limit=limit,
                type=types,
                category=category,
                tag=tag,
                project=projects,
                branch=branches,
                agent=by,
                status=status,
                expand=expand,
                fold=not unfold,
                attested=explain or call.json,
                progress=progress,
            )
        answers.append((_vault_name(call, memory), answer))
    from markdown_memory.core.answer import together

    answer = together(answers, limit)
    if call.json:
        from markdown_memory.frontends.cli import shapes

        return call.document(shapes.answer(answer, text))
    for at, hit in enumerate(answer.hits, 1):
        call.lines([*_hit(call, at, hit), *(_explained(call, hit) if explain else ())])
    return _explain(call, answer, text)


def _hit(call: Call, at: int, hit: "Hit") -> list[str]:
    status = "" if hit.status == "accepted" else hit.status
    facts = (f"in {hit.vault}" if hit.vault else "", hit.type, hit.branch, status, *_validity(hit))
    head = (
        f"{at}. {call.paint(render.one_line(hit.name), render.BOLD)}"
        f"  {call.paint(render.one_line(' · '.join(filter(None, facts))), render.CYAN)}"
    )
    place = f"   {render.one_line(hit.path)}{f':{hit.line}' if hit.line else ''}"
    text = hit.snippet or hit.description
    folded = render.wrap(text, call.width, "   ") if call.width else [f"   {render.one_line(text)}"] if text else []
    marked = {hit.snippet[start:end] for start, end in hit.marks}
    beside = (*(("same text", path) for path in hit.same_as), *(("nearly the same", path) for path in hit.similar))
    near = (*beside, *((f"near, {how}", path) for path, how in hit.near))
    return [
        head,
        call.paint(place, render.DIM),
        *(_with_marks(call, line, marked) for line in folded),
        *(call.paint(f"   {how}: {render.one_line(path)}", render.DIM) for how, path in near),
    ]


def _validity(hit: "Hit") -> tuple[str, ...]:
    return (
        f"superseded by {hit.superseded_by}" if hit.superseded_by else "",
        f"expired {hit.valid_until}" if hit.expired else "",
        f"valid from {hit.valid_from}" if hit.early else "",
    )


def _explained(call: Call, hit: "Hit") -> list[str]:
    """What the score is made of: parts that are added, then weights that it is multiplied by."""
    weights = {name[1:]: f"× {value:g}" for name, value in hit.parts.items() if name.startswith("×")}
    parts = {name: f"+ {value:.2f}" for name, value in hit.parts.items() if not name.startswith("×")}
    covers = f"{hit.relevance:.0%} of what was asked"
    signed = ", ".join(filter(None, (hit.attestation, hit.attested_by)))
    origin = " · ".join(filter(None, (hit.agent, hit.source, hit.trust, hit.updated)))
    rows = (
        parts | weights | {"score": f"= {hit.score:.2f}", "covers": covers, "signed": signed, "from": origin}
    ).items()
    shown = render.columns([row for row in rows if row[1]], call.width and call.width - 3)
    return [call.paint(f"   {line}", render.DIM) for line in shown]


def _with_marks(call: Call, line: str, marked: Collection[str]) -> str:
    """The line with what matched in bold, in a terminal with colours."""
    if not call.colour or not marked:
        return line
    import re

    words = "|".join(map(re.escape, sorted(filter(None, marked), key=len, reverse=True)))
    return re.sub(words, lambda found: call.paint(found[0], render.BOLD), line) if words else line


def _explain(call: Call, answer: "Answer", text: str) -> None:
    for sentence in (*answer.degraded, *answer.hints):
        call.say(sentence)
    if not answer.hits:
        call.say(f"Nothing found for {text!r} in {render.count(answer.considered, 'note')}.")
    elif answer.truncated:
        call.say(f"There are more than these {len(answer.hits)}; --limit shows more.")


def list_notes(
    call: Call,
    namespace: str | None,
    type: Sequence[str],
    category: Sequence[str],
    tag: Sequence[str],
    in_project: Sequence[str],
    in_branch: Sequence[str],
    by: Sequence[str],
    status: Sequence[str],
    archived: bool,
    all: bool,
) -> None:
    """Print notes as aligned columns."""
    notes: list[tuple[str, Header]] = []
    for memory in call.memories():
        types, projects, branches = _narrowed(memory, namespace, type, in_project, in_branch)
        found = memory.list(
            type=types,
            category=category,
            tag=tag,
            project=projects,
            branch=branches,
            agent=by,
            status=status,
            archived=archived,
            all=all,
        )
        notes += [(_vault_name(call, memory), one) for one in found]
        if withheld := memory.workspace.serving.sentence():
            call.say(withheld)
    several = len(call.vaults) > 1
    if call.json:
        from markdown_memory.frontends.cli import shapes

        return call.document(
            {"notes": [shapes.header(one) | ({"vault": name} if several else {}) for name, one in notes]}
        )
    if not notes:
        call.say("No notes match.")
    return call.lines(render.columns([(*([name] if several else []), *_row(one)) for name, one in notes], call.width))


def _vault_name(call: Call, memory: "Memory") -> str:
    """What tells one of several vaults from the others: its folder's name, or the whole path where two are alike."""
    names = [os.path.basename(os.path.realpath(os.path.join(call.here.cwd, one))) for one in call.vaults]
    space = memory.workspace
    return space.root if names.count(space.name) > 1 else space.name


def _narrowed(
    memory: "Memory", namespace: str | None, type: Sequence[str], project: Sequence[str], branch: Sequence[str]
) -> tuple[Sequence[str], Sequence[str], Sequence[str]]:
    """Filters of type, project and branch that leave the notes of one namespace."""
    if namespace is None:
        return type, project, branch
    from markdown_memory.core.layout import GLOBAL_TYPES
    from markdown_memory.core.scope import parse_namespace

    scope = parse_namespace(namespace, memory.scope)
    if scope is None:
        return tuple(type) or GLOBAL_TYPES, project, branch
    if not scope.branch:
        raise UserError(memory.workspace.scope_line)
    return type, (memory.workspace.project_name(scope),), (scope.branch,)


def _row(note: "Header") -> tuple[str, str, str, str]:
    kind = note.type if note.status == "accepted" else f"{note.type} ({note.status})"
    return note.name, kind, render.scope_name(*note.scope) if note.scope else "", note.description


def where(call: Call) -> None:
    """Print vault, scope and folders."""
    with call.memory(untrusted=True) as memory:
        found = memory.where()
    if call.json:
        return call.document({**found._asdict(), "skipped": list(found.skipped)})
    for sentence in (*found.skipped, found.hint):
        if sentence:
            call.say(sentence)
    facts = {**found._asdict(), "trusted": "yes" if found.trusted else "no", "agent": found.agent or "(the person)"}
    shown = [(key.replace("_", " "), value) for key, value in facts.items() if key not in ("skipped", "hint") and value]
    return call.lines(render.columns(shown, 0))
