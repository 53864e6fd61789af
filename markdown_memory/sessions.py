"""What an agent does with its memory at the moments of a session: begin, hear a prompt, say where it stands, decide.

Hooks and the MCP server are these moments; so they live here once, over an open `Memory`.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from markdown_memory.rules.budget import shorten

if TYPE_CHECKING:
    from markdown_memory.core.answer import Answer
    from markdown_memory.core.note import StoredNote
    from markdown_memory.features.context import Context
    from markdown_memory.features.inbox import Proposal
    from markdown_memory.memory import Memory

BY_HOOK = "hook"
FROM_OUTSIDE = ("proposal", "external")
QUERY_WORDS = 60
RECOGNISABLE = 160
"""Bytes by which a log line is known again in a block that may have shortened it."""


class Heard(NamedTuple):
    """What bears on a prompt: unread log entries, newest first, and notes, each as one line."""

    entries: tuple[str, ...]
    notes: tuple[str, ...]


class AgentSession:
    """One session of the memory's principal; its name is the memory's `session`."""

    def __init__(self, memory: "Memory") -> None:
        from markdown_memory.features.session import Session

        self._memory = memory
        self._kept = Session(memory.workspace, memory.session)

    def begin(self, *, query: str = "", limit: int = 6000, anew: bool = False) -> "Context":
        """The context block; what it shows of the log counts as read. `anew`: what was shown before is lost."""
        from markdown_memory.features import context

        memory = self._memory
        if anew:
            self._kept.restart()
            context.forget_shown(memory.workspace, memory.session)
        unread = memory.log.read(unread=True)
        block = memory.context(query, limit)
        shown = next((part.text for part in block.parts if part.name == "log"), "")
        known = [(line, shorten(memory.log.brief(line), RECOGNISABLE).rstrip("…")) for line in unread]
        memory.log.mark_read(line for line, brief in known if brief in shown)
        return block

    def hear(self, prompt: str, *, entries: int = 5, notes: int = 3) -> Heard:
        """What is new in the log, and notes above the relevance threshold that this session has not been shown."""
        memory = self._memory
        self._kept.hear(prompt)
        unread = memory.log.read(unread=True)[-entries:]
        memory.log.mark_read(unread)
        hits = self._kept.unseen(self.recall(" ".join(prompt.split()[:QUERY_WORDS]), limit=notes).hits)
        return Heard(
            tuple(memory.log.brief(line) for line in reversed(unread)),
            tuple(f"- {hit.told()}" for hit in hits),
        )

    def recall(self, question: str, *, limit: int = 0) -> "Answer":
        """Notes that pass the vault's absolute relevance threshold; nothing when none does.

        What came from outside and was not reviewed is not among them: nobody has asked for it here.
        """
        settings = self._memory.workspace.settings
        threshold = settings.recall_relevance_threshold
        found = self._memory.search(question, limit=limit or settings.max_recall_items, threshold=threshold)
        return found._replace(hits=tuple(hit for hit in found.hits if (hit.status, hit.trust) != FROM_OUTSIDE))

    def checkpoint(
        self,
        goal: str,
        *,
        done: Sequence[str] = (),
        next: Sequence[str] = (),
        questions: Sequence[str] = (),
        files: Sequence[str] = (),
    ) -> "StoredNote":
        """Replace the checkpoint: where the work stands."""
        from markdown_memory.features import checkpoint

        made = checkpoint.Checkpoint(goal, done, next, questions, files)
        return self._memory.watched("checkpoint", goal, lambda: checkpoint.save(self._memory.workspace, made))

    def finish_checkpoint(self) -> str:
        """Archive the checkpoint, since its work is done; returns the path that it has now."""
        from markdown_memory.features import checkpoint

        return self._memory.watched("checkpoint finish", "", lambda: checkpoint.finish(self._memory.workspace))

    def leave_trace(self, last_said: Sequence[str]) -> "StoredNote | None":
        """Write a checkpoint from the first prompt and what was last said, unless the agent keeps one itself."""
        from markdown_memory.features import checkpoint
        from markdown_memory.features.checkpoint import Checkpoint

        space = self._memory.workspace
        goal = shorten(" ".join(self._kept.first_prompt.split()), 200)
        if not goal or checkpoint.kept_by_agent(space, BY_HOOK):
            return None
        return checkpoint.save(space, Checkpoint(goal, done=last_said), source=BY_HOOK)

    def propose_from(self, transcript: str) -> int:
        """Propose what is new in the client's transcript; how many facts now wait because of it.

        Nothing when the vault's settings turn `auto_save` off, or when the file is not there (yet).
        """
        import os

        if not self._memory.workspace.settings.auto_save or not os.path.isfile(transcript):
            return 0
        facts = self._memory.retain_transcript(transcript, by_hook=True).facts
        return sum(fact.state == "waiting" and not fact.note for fact in facts)

    def decide(self, decision: str, because: str, *, refs: Sequence[str] = ()) -> "Proposal":
        """We chose X because Y: an entry in the decision log and in the live context, and a proposal."""
        from markdown_memory.errors import UserError

        if not decision.strip() or not because.strip():
            raise UserError("A decision needs both what was chosen and why: `mdmem decide WHAT --because WHY`.")
        text = f"{decision.strip().rstrip('.')}, because {because.strip()}"
        entry = self._memory.log.decide(text, refs=refs)
        body = f"{decision.strip().rstrip('.')}.\n\nBecause: {because.strip()}\n"
        return self._memory.retain(body, kind="decision", source=f"decision {entry.id}", description=decision.strip())
