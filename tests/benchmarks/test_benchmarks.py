"""The benchmarks' own tools: vaults are the same for the same seed, and what is measured is really done."""

import os
import sys
from pathlib import Path

import pytest

from markdown_memory.memory import Memory
from markdown_memory.storage.places import default_places
from tests.benchmarks import harness, vaults
from tests.benchmarks.__main__ import BENCHMARKS, line
from tests.benchmarks.harness import Command, Result
from tests.conftest import tree

PYTHON = (sys.executable, "-c")


def notes_of(root: str) -> dict[str, bytes]:
    return {path: data for path, data in tree(Path(root)).items() if path.startswith(("memory/", "inbox/", "archive/"))}


def test_the_same_seed_gives_the_same_vault_and_another_one_another(tmp_path: Path) -> None:
    one, same, other = (vaults.make(str(tmp_path / str(n)), 30, seed=seed) for n, seed in enumerate((1, 1, 2)))
    assert notes_of(one.root) == notes_of(same.root) != notes_of(other.root)
    assert one.queries == same.queries


def test_a_made_vault_has_every_type_three_branches_and_another_project(tmp_path: Path) -> None:
    vault = vaults.make(str(tmp_path), 200)
    with Memory.open(vault.root, places=default_places(vault.home), cwd=vault.root) as memory:
        notes = memory.list(all=True, status=["accepted"])
        assert {note.name for note in notes} == set(vault.names)
        assert {note.type for note in notes} == {"user", "feedback", "project", "reference"}
        scopes = {(note.scope.project, note.scope.branch) for note in notes if note.scope}
        assert scopes == {("", "main"), ("", "feature/offline-sync"), ("", "release/2.0"), ("shop", "main")}
        assert not [note.problems for note in notes if note.problems]


def test_the_words_of_a_title_and_a_rare_word_find_the_note_that_they_were_taken_from(tmp_path: Path) -> None:
    vault = vaults.make(str(tmp_path), 200)
    with Memory.open(vault.root, places=default_places(vault.home), cwd=vault.root) as memory:
        for query in vault.queries:
            everywhere = memory.search(query.words, project=["", "shop"], branch=["main"], limit=100)
            names = [hit.name for hit in (*everywhere.hits, *memory.search(query.words, limit=100).hits)]
            assert not query.name or query.name in names or "~" in _path(vault.root, query.name)


def _path(root: str, name: str) -> str:
    return next(os.path.join(folder, name) for folder, _, files in os.walk(root) if f"{name}.md" in files)


def test_processes_are_measured_from_start_to_end(tmp_path: Path) -> None:
    quick, slow = (Command([*PYTHON, f"import time; time.sleep({seconds})"], cwd=str(tmp_path)) for seconds in (0, 0.3))
    first, second = harness.in_turn([quick, slow], rounds=1, warm=0)
    assert 0 < first < 0.3 <= second


def test_a_process_that_fails_is_no_figure(tmp_path: Path) -> None:
    with pytest.raises(harness.Failed, match=r"exit 3: .*no"):
        harness.seconds(Command([*PYTHON, "import sys; print('no', file=sys.stderr); sys.exit(3)"]))


def test_a_figure_says_its_ratio_and_whether_its_goal_was_met() -> None:
    assert "2.00 × python" in line(Result("start", "show", 0.026, "python", 0.013, 5))
    assert line(Result("start", "show", 0.026, "python", 0.013, 5)).endswith("goal 5: met")
    assert line(Result("start", "show", 0.26, "python", 0.013, 5)).endswith("goal 5: MISSED")


def test_every_benchmark_says_what_it_measures() -> None:
    assert all(benchmark.__doc__ for benchmark in BENCHMARKS.values())


def test_every_question_over_notes_is_answered_by_a_note_that_is_there(tmp_path: Path) -> None:
    from tests.benchmarks.notes_data import corpora

    made = list(corpora(tmp_path))
    assert sum(len(corpus.questions) for corpus in made) >= 150
    for corpus in made:
        missing = {name for question in corpus.questions for name in question.gold} - corpus.texts.keys()
        assert missing == set()
        assert len({question.text for question in corpus.questions}) == len(corpus.questions)
        halves = [question.reported for question in corpus.questions]
        assert abs(halves.count(True) - halves.count(False)) <= 1
