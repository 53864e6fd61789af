"""Realistic vaults of any size, the same bytes for the same seed.

Words follow Zipf's law: rank r is drawn in proportion to 1/r. The most frequent are English function words, so that
stop words and stemming have their usual work; the rest are made of syllables. Notes have 50 to 400 words (mean about
200), headings, lists, links to other notes, tags, and frontmatter as the package writes it. The vault has every type,
two branches and a second project, a review queue, an archive, identities, skills, a checkpoint and a state page.

Files are written directly, as an editor would: a hundred thousand signed writes would take an hour and measure nothing.
Their times lie in the past year, since a file of the last seconds is read again to be sure of it.
"""

import bisect
import os
import random
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from markdown_memory.core import frontmatter, layout
from markdown_memory.core.scope import Scope
from markdown_memory.core.times import utc
from markdown_memory.memory import Memory
from markdown_memory.storage.places import default_places

YEAR = 365 * 86_400
END = 1_796_000_000.0  # 29 November 2026
VOCABULARY = 30_000
AGENTS = ("lyra", "ella")
PERSON = "ana"

COMMON = (
    "the of to a and in is for that with on as it be by at from not or when this are was an which before after "
    "has if then only each into than but one must can will may no were over until while so been its".split()
)
SYLLABLES = [
    c + v for c in "b c d f g h j k l m n p r s t v w z br st tr pl".split() for v in "a e i o u ai or en".split()
]
TAGS = [f"{area}/{part}" for area in ("auth", "billing", "search", "deploy") for part in ("api", "ui", "data")] + [
    "perf"
]
SHARES = (("project", 0.62), ("reference", 0.26), ("feedback", 0.08), ("user", 0.04))
SCOPES = (
    (Scope("", "main"), 0.72),
    (Scope("", "feature/offline-sync"), 0.12),
    (Scope("", "release/2.0"), 0.06),
    (Scope("shop", "main"), 0.10),
)


class Query(NamedTuple):
    """Words to look for and the note that they were taken from ("" where no single note is meant)."""

    words: str
    kind: str
    name: str = ""


class Vault(NamedTuple):
    """A vault on disk with a home of its own, and what to ask it."""

    root: str
    home: str
    names: tuple[str, ...]
    queries: tuple[Query, ...]

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs to know to use this vault and nothing else."""
        return {"MDMEM_HOME": self.home, "MDMEM_VAULT": self.root, "HOME": self.home, "LANG": "C.UTF-8"}


class Note(NamedTuple):
    """One note that is to be written."""

    path: str
    name: str
    data: bytes
    moment: float


class Words:
    """Words by rank, drawn as they occur in texts."""

    def __init__(self, chance: random.Random, size: int = VOCABULARY) -> None:
        self.chance = chance
        self.by_rank = [*COMMON, *_invented(chance, size - len(COMMON))]
        self._cumulated = list(accumulate(1 / rank for rank in range(1, size + 1)))

    def text(self, count: int) -> list[str]:
        """Words of running text."""
        return self.chance.choices(self.by_rank, cum_weights=self._cumulated, k=count)

    def telling(self, count: int) -> list[str]:
        """Words that say what a note is about: no function words."""
        floor = self._cumulated[len(COMMON)]
        draws = (self.chance.uniform(floor, self._cumulated[-1]) for _ in range(count))
        return [self.by_rank[bisect.bisect(self._cumulated, draw)] for draw in draws]


def make(folder: str, notes: int, seed: int = 1) -> Vault:
    """A vault of `notes` accepted notes in `folder`/vault, opened and trusted with the home `folder`/home."""
    root, home = os.path.join(folder, "vault"), os.path.join(folder, "home")
    os.makedirs(home)
    places = default_places(home)
    Memory.init(root, agents=AGENTS, person=PERSON, places=places, clock=lambda: END).close()
    chance = random.Random(seed)
    words = Words(chance)
    written = list(_notes(words, chance, notes))
    for note in (*written, *_surroundings(words, chance, notes, [note.name for note in written[:500]])):
        _write(root, note)
    return Vault(root, home, tuple(note.name for note in written), tuple(_queries(words, chance, written)))


def _notes(words: Words, chance: random.Random, count: int) -> Iterator[Note]:
    names: list[str] = []
    types = chance.choices([type for type, _ in SHARES], [share for _, share in SHARES], k=count)
    scopes = chance.choices([scope for scope, _ in SCOPES], [share for _, share in SCOPES], k=count)
    for number, (type, scope) in enumerate(zip(types, scopes, strict=True)):
        topic = words.telling(3)
        names.append("-".join([*topic, str(number)]))
        moment = END - YEAR + YEAR * number / count
        front = _front(words, chance, names[-1], topic, type, moment)
        folder = layout.note_folder(type, scope)
        yield Note(
            f"{folder}/{names[-1]}.md", names[-1], frontmatter.new(front, _body(words, chance, topic, names)), moment
        )


def _front(
    words: Words, chance: random.Random, name: str, topic: list[str], type: str, moment: float
) -> dict[str, object]:
    front: dict[str, object] = {
        "name": name,
        "description": f"{' '.join(topic).capitalize()} {' '.join(words.text(chance.randint(4, 14)))}",
        "type": type,
        "created": utc(moment),
        "agent": chance.choice(AGENTS),
        "source": f"PR {chance.randint(1, 900)}",
    }
    if chance.random() < 0.6:
        front["tags"] = chance.sample(TAGS, chance.randint(1, 3))
    if chance.random() < 0.15:
        front["category"] = "daily"
    if chance.random() < 0.2:
        front["importance"] = round(chance.uniform(0.1, 1), 2)
    return front


def _body(words: Words, chance: random.Random, topic: list[str], names: list[str]) -> str:
    parts = [f"# {' '.join(topic).capitalize()}", ""]
    left = min(400, max(50, int(chance.lognormvariate(5.15, 0.5))))
    while left > 0:
        length = min(left, chance.randint(20, 90))
        left -= length
        parts.append(_paragraph(words, chance, length, topic))
        parts.append("")
        if left > 60 and chance.random() < 0.3:
            parts += [f"## {' '.join(words.telling(2)).capitalize()}", ""]
    for other in chance.sample(names, min(len(names), chance.choice((0, 0, 1, 1, 2)))):
        parts.append(f"See [[{other}]].")
    return "\n".join(parts) + "\n"


def _paragraph(words: Words, chance: random.Random, length: int, topic: list[str]) -> str:
    text = [*words.text(length - 1), chance.choice(topic)]
    chance.shuffle(text)
    if chance.random() < 0.2:
        return "\n".join("- " + " ".join(text[at : at + 8]) for at in range(0, length, 8))
    sentences = [text[at : at + 12] for at in range(0, length, 12)]
    return " ".join(" ".join(sentence).capitalize() + "." for sentence in sentences)


def _surroundings(words: Words, chance: random.Random, notes: int, names: list[str]) -> Iterator[Note]:
    """What stands around the notes; it grows with them, but slowly, as it does in life."""
    few = max(3, min(60, notes // 50))
    for number in range(few):
        topic, moment = words.telling(3), END - number * 3600
        name = "-".join([*topic, "proposed", str(number)])
        front: dict[str, object] = {
            "name": name,
            "description": " ".join(words.text(9)),
            "accept": False,
            "reject": False,
        }
        front |= {"kind": "fact", "scope": "main", "created": utc(moment), "agent": AGENTS[number % 2]}
        data = frontmatter.new(front, _body(words, chance, topic, names))
        yield Note(f"inbox/{AGENTS[number % 2]}/{name}.md", name, data, moment)
    for number in range(max(3, notes // 20)):
        topic, moment = words.telling(3), END - YEAR - number * 60
        name = "-".join([*topic, "archived", str(number)])
        front = _front(words, chance, name, topic, "project", moment)
        data = frontmatter.new(front, _body(words, chance, topic, names))
        yield Note(f"archive/memory/project/main/{name}.md", name, data, moment)
    for number in range(few):
        topic = words.telling(2)
        front = {"description": " ".join(words.text(12)), "trigger_keywords": topic, "importance": 0.7}
        yield Note(
            f"skills/{'-'.join(topic)}-{number}.md", "", frontmatter.new(front, _body(words, chance, topic, names)), END
        )
    state = frontmatter.new({"description": "Where the project stands"}, _body(words, chance, words.telling(3), names))
    yield Note("nexus/project-state/main.md", "", state, END)


def _queries(words: Words, chance: random.Random, notes: list[Note]) -> Iterator[Query]:
    """Ten queries: three for the words of a title, three rare words, two of middling and two of frequent words."""
    for note in chance.sample(notes, 3):
        yield Query(" ".join(note.name.split("-")[:3]), "title", note.name)
    for note in chance.sample(notes, 3):
        rank = {word: rank for rank, word in enumerate(words.by_rank)}
        text = note.data.decode().lower().replace(".", " ").split()
        yield Query(max(text, key=lambda word: rank.get(word, 0)), "rare", note.name)
    for _ in range(2):
        yield Query(" ".join(words.by_rank[chance.randint(300, 900)] for _ in range(3)), "middling")
    for _ in range(2):
        yield Query(" ".join(words.by_rank[chance.randint(len(COMMON), 90)] for _ in range(4)), "frequent")


def _invented(chance: random.Random, count: int) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(chance.choices(SYLLABLES, k=chance.choice((2, 2, 3, 3, 4))))] = None
    return list(found)


def _write(root: str, note: Note) -> None:
    path = os.path.join(root, note.path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "xb") as file:
        file.write(note.data)
    os.utime(path, (note.moment, note.moment))
