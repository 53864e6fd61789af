"""Many proposals at once: which ones a filter means, and a decision for each that stops no other."""

from collections.abc import Callable, Iterable

from markdown_memory.core import times
from markdown_memory.errors import MarkdownMemoryError, UserError
from markdown_memory.features.inbox.values import Decision, Proposal
from markdown_memory.rules.gate import check_kind

DAY = 86400.0


def chosen(
    waiting: Iterable[Proposal], now: float, *, agent: str = "", kind: str = "", trust: str = "", older_than: float = 0
) -> list[Proposal]:
    """The proposals of that agent, kind and trust which were made at least `older_than` days ago.

    What comes from outside (`external`) is only among them when it is asked for.
    """
    if kind:
        check_kind(kind)
    if older_than < 0:
        raise UserError(f"A proposal cannot be older than {older_than:g} days; give a number from 0 on.")
    return [
        one
        for one in waiting
        if agent in ("", one.agent)
        and kind in ("", one.kind)
        and (one.trust == trust if trust else one.trust != "external")
        and (not older_than or _age(one, now) >= older_than * DAY)
    ]


def one_by_one(refs: Iterable[str], decide: Callable[[str], Decision]) -> list[Decision]:
    """The outcome for each; a refusal is one, too."""
    return [_outcome(ref, decide) for ref in refs]


def _outcome(ref: str, decide: Callable[[str], Decision]) -> Decision:
    try:
        return decide(ref)
    except MarkdownMemoryError as error:
        return Decision(ref, "refused", ref, str(error), error.exit_code)


def _age(proposal: Proposal, now: float) -> float:
    made = times.parse(proposal.created) if proposal.created else None
    return 0.0 if made is None else now - made
