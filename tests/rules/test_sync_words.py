"""What a commit of a vault says."""

from markdown_memory.rules.sync_words import LISTED, message

LOG = "nexus/log/live-context/2026-11/live-context-lyra-k7f3-2026-11.md"


def test_it_counts_what_changed_and_names_who_wrote() -> None:
    said = message([("M", "memory/user/tea.md"), ("A", "inbox/lyra/x.md"), ("A", LOG), ("M", "MEMORY.md")], "ana")
    assert said == "memory: 1 note, 1 proposal (ana, lyra)\n\nchanged: memory/user/tea.md\nnew: inbox/lyra/x.md\n"


def test_what_bears_the_same_word_is_counted_together() -> None:
    said = message([("A", "nexus/live-context.md"), ("A", "AGENTS.md"), ("A", "templates/Note.md")], "ana")
    assert said.startswith("memory: 3 files (ana)\n")


def test_log_entries_alone_are_a_subject_alone() -> None:
    assert message([("M", LOG)], "ana") == "memory: log entries (ana, lyra)\n"
    assert message([("M", "MEMORY.md")], "ana") == "memory: the memory index (ana)\n"


def test_a_merge_says_what_came_in_and_long_lists_are_cut() -> None:
    said = message([("A", f"identity/a{number}.md") for number in range(LISTED + 2)], "ana", "origin/main").split("\n")
    assert said[0] == "memory: merge origin/main: 52 identities" and said[-2] == "… and 2 more files"


def test_a_path_cannot_add_lines() -> None:
    assert "\nnew: memory/user/a?b.md\n" in message([("A", "memory/user/a\nb.md")], "ana")
