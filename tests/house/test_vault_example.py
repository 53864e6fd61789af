"""The example vault is what strangers see first: nothing in it may be broken, dead, private or untrue."""

import os
import re
import shutil
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from markdown_memory import Memory
from markdown_memory.core import frontmatter, layout, markdown
from markdown_memory.core.note import read_header
from markdown_memory.core.scope import scope_of
from markdown_memory.core.settings import parse
from markdown_memory.storage.places import default_places
from markdown_memory.storage.registry import Registry, Trusted
from tests.example.build import authored, build
from tests.example.plan import moment

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "vault-example"
FILES = sorted(str(path.relative_to(EXAMPLE)) for path in EXAMPLE.rglob("*") if path.is_file())
NOTES = [path for path in FILES if path.endswith(".md")]
AUTHORED = [path for path in NOTES if not path.startswith(("nexus/log/", "templates/"))]
MEMORY = [path for path in NOTES if path.startswith("memory/")]
INBOX = [path for path in NOTES if path.startswith("inbox/")]
ATTACHABLE = (".md", ".base", ".canvas")

PROPOSAL_KEYS = {"name", "description", "accept", "reject", "kind", "created", "agent", "source", "trust"}
NOTE_KEYS = set(
    "name description type category importance pinned created updated agent source trust person tags aliases "
    "supersedes superseded_by valid_from valid_until merged_from".split()
)


def data(path: str) -> bytes:
    return (EXAMPLE / path).read_bytes()


def front(path: str) -> dict[str, object]:
    return frontmatter.read(data(path))[0]


def resolves(target: str, source: str) -> bool:
    """Whether Obsidian finds the target: by path from the root when it holds a slash, else by file name."""
    if not target:
        return True  # a heading of the same note
    wanted = target.casefold()
    names = {wanted, wanted + ".md"}
    if "/" in target:
        beside = {os.path.normpath(os.path.join(os.path.dirname(source), name)) for name in names}
        return any(path.casefold() in names | beside for path in FILES)
    return any(os.path.basename(path).casefold() in names for path in FILES if path.endswith(ATTACHABLE))


@pytest.mark.parametrize("path", AUTHORED)
def test_every_link_leads_somewhere(path: str) -> None:
    links = markdown.links(data(path).decode("utf-8"))
    dead = [link.target for link in links if "://" not in link.target and not resolves(link.target, path)]
    assert not dead


@pytest.mark.parametrize("path", AUTHORED)
def test_every_note_has_a_description_and_properties_that_parse(path: str) -> None:
    if path in (layout.MEMORY_INDEX, layout.LIVE_CONTEXT):
        return
    properties, _, problems = frontmatter.read(data(path))
    assert not problems
    description = properties.get("description")
    assert isinstance(description, str) and 10 <= len(description) <= 250 and "\n" not in description


@pytest.mark.parametrize("path", MEMORY)
def test_an_accepted_note_has_only_the_keys_of_the_format_and_the_type_of_its_folder(path: str) -> None:
    properties = front(path)
    assert {"name", "description", "type", "created"} <= set(properties) <= NOTE_KEYS
    assert properties["type"] == layout.place_of(path).type
    assert properties["name"] == os.path.basename(path).removesuffix(".md")
    assert not read_header(path, data(path)).problems


@pytest.mark.parametrize("path", INBOX)
def test_a_proposal_asks_its_two_questions_and_says_where_it_comes_from(path: str) -> None:
    properties = front(path)
    assert PROPOSAL_KEYS <= set(properties) <= PROPOSAL_KEYS | {"scope", "supersedes"}
    assert properties["accept"] is False and properties["reject"] is False
    assert properties["agent"] == path.split("/")[1]
    if properties["kind"] != "preference":
        scope_of(str(properties["scope"]))


def test_the_inbox_holds_a_near_duplicate_a_contradiction_and_something_from_outside() -> None:
    assert 6 <= len(INBOX) <= 10
    assert {front(path)["kind"] for path in INBOX} == {"decision", "fact", "failure-pattern", "preference"}
    assert sum(front(path)["trust"] == "external" for path in INBOX) == 1
    assert sum("supersedes" in front(path) for path in INBOX) == 1
    assert sum(b"> [!info] Close to [[" in data(path) for path in INBOX) == 1


def test_the_vault_is_rich_notes_of_every_type_two_branches_and_two_agents() -> None:
    places = [layout.place_of(path) for path in MEMORY]
    types = Counter(place.type for place in places)
    scopes = {(place.scope.project, place.scope.branch) for place in places if place.scope}
    assert len(MEMORY) >= 45 and set(types) == {"user", "feedback", "project", "reference"}
    assert {("", "main"), ("", "feature/offline-sync")} <= scopes
    assert {front(path).get("agent") for path in MEMORY} >= {"lyra", "ella", None}


def test_file_names_are_unique_for_obsidian_and_work_on_every_system() -> None:
    names = Counter(os.path.basename(path).casefold() for path in FILES if path.startswith(("memory/", "manual/")))
    assert not [name for name, count in names.items() if count > 1]
    for path in FILES:
        assert unicodedata.is_normalized("NFC", path)
        assert not re.search(r'[\\:*?"<>|#^\[\]]', path) and len(os.path.basename(path).encode()) <= 200


def test_nothing_private_is_in_the_vault() -> None:
    for path in FILES:
        text = data(path).decode("utf-8")
        assert "PRIVATE KEY" not in text and "/home/" not in text and "/tmp/" not in text, path


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A trusted copy of the vault, on a machine that has never seen it."""
    root = tmp_path / "vault"
    shutil.copytree(EXAMPLE, root)
    places = default_places(str(tmp_path / "home"))
    Registry(places).trust(Trusted(parse(data(layout.SETTINGS)).vault_id, str(root)))
    with Memory.open(str(root), cwd=str(root), places=places) as opened:
        yield opened


def test_a_copy_of_the_vault_verifies_and_every_note_is_signed(memory: Memory) -> None:
    report = memory.verify()
    assert report.sound and not report.notices
    assert report.counts["files attested"] == report.counts["files"] >= 85


def test_doctor_finds_nothing_in_a_copy_of_the_vault(memory: Memory) -> None:
    assert not memory.doctor()


def test_every_line_of_the_month_is_in_the_signed_logs(memory: Memory) -> None:
    month = tomllib.loads((ROOT / "tests" / "example" / "month.toml").read_text("utf-8"))
    texts = {(line.time[:19], line.agent, line.text) for line in memory.log.read()}
    said = month["logs"]["live"] + month["logs"]["decisions"]
    assert len(said) > 100
    assert {(moment(month, time), who, text) for time, who, _, _, text, *_ in said} == texts


def test_two_agents_once_wrote_without_knowing_of_each_other_and_met(memory: Memory) -> None:
    apart = [line for line in memory.log.read() if line.concurrent]
    assert {line.agent for line in apart} == {"ella", "lyra"} and not any(line.open for line in apart)


@pytest.mark.parametrize(("branch", "seen"), [("main", False), ("feature/offline-sync", True)])
def test_a_branch_has_notes_of_its_own(memory: Memory, branch: str, seen: bool) -> None:
    space = memory.workspace
    with Memory.open(space.root, cwd=space.root, places=space.places, project="harbor", branch=branch) as on_branch:
        hits = {hit.name for hit in on_branch.search("outbox WebSocket").hits}
    assert ("outbox-instead-of-websocket" in hits) == seen


def test_the_month_can_be_built_anew(tmp_path: Path) -> None:
    build(tmp_path)
    made = [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()]
    assert set(map(without_key, made)) - {".mdmem"} == set(map(without_key, FILES))
    for path, content in authored().items():
        assert (tmp_path / path).read_bytes() == content, path


def without_key(path: str) -> str:
    """A path without what differs from build to build."""
    if path.startswith(".mdmem/"):
        return ".mdmem"
    return re.sub(r"-(ella|lyra|mara)-[0-9a-z]+(-[0-9a-f]{12})?", r"-\1", path)
