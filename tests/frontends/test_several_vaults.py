"""A personal vault over a team's: several vaults read as one, and namespaces within each."""

import json
from pathlib import Path

import pytest

from markdown_memory.core.answer import Answer, Hit, together
from tests.frontends.conftest import Shell


@pytest.fixture
def two(shell: Shell) -> tuple[str, ...]:
    """The options that name a person's own vault and a team's."""
    for name, body in (("own", "I deploy on Tuesdays."), ("team", "The team deploys on Mondays.")):
        shell.fine("init", name)
        shell.fine("store", f"deploy-{name}", body, "--vault", name)
    return ("--vault", "own", "--vault", "team")


def test_hits_and_notes_name_their_vault(shell: Shell, two: tuple[str, ...]) -> None:
    hits = json.loads(shell.fine("search", "deploy", *two, "--json"))["hits"]
    assert {(hit["name"], hit["vault"]) for hit in hits} == {("deploy-own", "own"), ("deploy-team", "team")}
    assert "deploy-team  in team · project · main" in shell.fine("search", "mondays", *two)
    assert [line.split()[0] for line in shell.fine("list", *two).splitlines()] == ["own", "team"]
    alone = json.loads(shell.fine("search", "deploy", *two[2:], "--json"))["hits"]
    assert [(hit["name"], hit["vault"]) for hit in alone] == [("deploy-team", "")]


def test_show_takes_the_first_that_has_it_and_writes_go_to_the_first(shell: Shell, two: tuple[str, ...]) -> None:
    assert "The team deploys" in shell.fine("show", "deploy-team", *two)
    missing = shell("show", "deploy-tame", *two)
    assert missing.code == 3 and "There is no note called 'deploy-tame'" in missing.sentence
    shell.fine("store", "tea", "We drink tea.", *two)
    assert (shell.cwd / "own/memory/project/main/tea.md").is_file()


def test_one_limit_holds_for_the_context_of_all(shell: Shell, two: tuple[str, ...]) -> None:
    text = shell.fine("context", *two, "--limit", "3000")
    assert "deploy-own" in text and "deploy-team" in text and len(text.encode()) <= 3000


def test_a_namespace_narrows_search_and_list(shell: Shell, vault: Path) -> None:
    shell.fine("store", "tea", "We drink tea.", "--type", "user")
    shell.fine("store", "db", "We use PostgreSQL.")
    shell.fine("store", "cart", "We expire carts.", "--namespace", "project:@shop:fix")
    for namespace, name in (("user", "tea"), ("project:main", "db"), ("project:@shop:fix", "cart")):
        found = json.loads(shell.fine("search", "we", "--namespace", namespace, "--json"))["hits"]
        assert [hit["name"] for hit in found] == [name]
        assert shell.fine("list", "--namespace", namespace).split()[0] == name
    assert shell("list", "--namespace", "team").code == 2


def hit(name: str, relevance: float) -> Hit:
    return Hit._make([name, "", 1.0, relevance, *[""] * 8, (), *[""] * (len(Hit._fields) - 13)])


def test_what_covers_more_comes_first_and_each_vault_keeps_its_order() -> None:
    one = Answer((hit("a", 0.5), hit("b", 0.9)), considered=2, matched=2)
    other = Answer((hit("c", 0.7), hit("d", 0.1)), considered=3, matched=2, truncated=True)
    both = together([("x", one), ("y", other)], 3)
    assert [(one.vault, one.name) for one in both.hits] == [("y", "c"), ("x", "a"), ("x", "b")]
    assert (both.considered, both.matched, both.truncated) == (5, 4, True)
