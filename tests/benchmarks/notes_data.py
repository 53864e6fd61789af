"""Questions over notes: about vault-example, and about a made vault of linked project notes in three languages.

The questions and the texts stand in `questions/`. What is odd in its file belongs to the half on which choices are
made, what is even to the half that is reported.
"""

import shutil
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from markdown_memory.core import frontmatter
from markdown_memory.memory import Memory
from markdown_memory.storage.places import default_places

HERE = Path(__file__).parent / "questions"
EXAMPLE = Path(__file__).parents[2] / "vault-example"
NOW = 1_796_004_784.0  # 30 November 2026, 02:13:04 UTC
LANGUAGES = ("en", "de", "fr")
RETOLD = {
    "en": "Copied here from the old wiki, so that it can be found.",
    "de": "Aus dem alten Wiki hierher übernommen, damit man es findet.",
    "fr": "Repris de l'ancien wiki pour qu'on le retrouve.",
}


class Question(NamedTuple):
    """A question, the names of the notes that answer it, and whether it belongs to the reported half."""

    text: str
    gold: frozenset[str]
    reported: bool


class Corpus(NamedTuple):
    """A vault on disk, how it is opened, what is asked, and the text of each note by name."""

    name: str
    root: Path
    home: Path
    branch: str
    questions: list[Question]
    texts: dict[str, str]

    def open(self) -> Memory:
        """The vault at the moment of which the questions speak."""
        places = default_places(str(self.home))
        return Memory.open(str(self.root), places=places, clock=lambda: NOW, cwd=str(self.root), branch=self.branch)


def corpora(folder: Path) -> Iterator[Corpus]:
    """Both vaults, made in a folder."""
    yield _example(folder / "example")
    yield _projects(folder / "projects")


def _example(folder: Path) -> Corpus:
    from markdown_memory.upkeep import trust

    root, home = folder / "vault", folder / "home"
    shutil.copytree(EXAMPLE, root)
    trust(str(root), places=default_places(str(home)), clock=lambda: NOW, person_present=True)
    lines = (HERE / "example.txt").read_text(encoding="utf-8").splitlines()
    asked = [line.rpartition(" | ") for line in lines if not line.startswith("#")]
    questions = list(_halved((text, gold.split(", ")) for text, _, gold in asked))
    return _corpus("vault-example", root, home, "feature/offline-sync", questions)


def _projects(folder: Path) -> Corpus:
    root, home = folder / "vault", folder / "home"
    Memory.init(str(root), person="ana", places=default_places(str(home)), clock=lambda: NOW).close()
    data = tomllib.loads((HERE / "projects.toml").read_text(encoding="utf-8"))
    place = root / "memory/project/main"
    place.mkdir(parents=True, exist_ok=True)
    for name, front, body in (*_facts(data), *_sessions(data)):
        (place / f"{name}.md").write_bytes(frontmatter.new({"name": name, **front}, body))
    return _corpus("projects", root, home, "main", list(_halved(_asked(data))))


def _corpus(name: str, root: Path, home: Path, branch: str, questions: list[Question]) -> Corpus:
    corpus = Corpus(name, root, home, branch, questions, {})
    with corpus.open() as memory:
        for header in memory.list(status=["accepted", "skill", "identity", "page", "state", "agent-note"]):
            corpus.texts[header.name] = memory.workspace.read(header.path).text
    return corpus


def _facts(data: dict[str, Any]) -> Iterator[tuple[str, dict[str, object], str]]:
    for language in LANGUAGES:
        components = data["components"][language]
        for at, component in enumerate(components):
            for number, aspect in enumerate(data["aspects"]):
                value = aspect["values"][(at + number) % len(aspect["values"])]
                other = components[(at + number + 1) % len(components)]
                text = aspect[language].format(c=component, v=value)
                day = f"2026-{1 + (at * 3 + number) % 11:02}-{1 + number * 2:02}"
                front: dict[str, object] = {"description": text.partition(". ")[0], "type": "project", "created": day}
                name = f"{slug(component)}-{aspect['slug']}"
                body = (
                    f"{text}\n\n[[{slug(component)}-{data['aspects'][number - 1]['slug']}]] [[{slug(other)}-storage]]\n"
                )
                yield name, front, body
                if number == at:
                    yield f"{name}-wiki", front, f"{text} {RETOLD[language]}\n"


def _sessions(data: dict[str, Any]) -> Iterator[tuple[str, dict[str, object], str]]:
    sessions, aspects = data["sessions"], [aspect["slug"] for aspect in data["aspects"]]
    for language in LANGUAGES:
        for at, component in enumerate(data["components"][language]):
            for number, month in enumerate(sessions["months"]):
                day = f"{month}-{7 + at * 5:02}"
                pair = {"a": aspects[(at + number) % len(aspects)], "b": aspects[(at + 3 * number + 4) % len(aspects)]}
                text = sessions[language].format(c=component, **pair)
                source = f"{slug(component)} sessions#{number + 1}"
                front = {"description": text.partition(". ")[0], "type": "project", "created": day, "source": source}
                yield f"{slug(component)}-session-{number + 1}", front, f"{text}\n\n[[{slug(component)}-{pair['a']}]]\n"


def _asked(data: dict[str, Any]) -> Iterator[tuple[str, Sequence[str]]]:
    """Each question about one component; the next one asks about the next."""
    number = 0
    for language in LANGUAGES:
        components = data["components"][language]
        for aspect in data["aspects"]:
            for question in aspect[f"ask_{language}"]:
                component = components[number % len(components)]
                yield question.format(c=component), [f"{slug(component)}-{aspect['slug']}"]
                number += 1
        for question, month in data["sessions"][f"ask_{language}"]:
            component = components[number % len(components)]
            at = data["sessions"]["months"].index(month) + 1
            yield question.format(c=component), [f"{slug(component)}-session-{at}"]
            number += 1


def _halved(asked: "Iterator[tuple[str, Sequence[str]]]") -> Iterator[Question]:
    for number, (text, gold) in enumerate(asked, 1):
        yield Question(text, frozenset(gold), number % 2 == 0)


def slug(text: str) -> str:
    """A component's name as a part of a file's."""
    return text.casefold().replace(" ", "-")
