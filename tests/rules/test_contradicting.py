"""Pairs among many texts: what is found by rare words is what comparing each with each finds."""

import tomllib
from itertools import permutations, product
from pathlib import Path
from time import process_time

from markdown_memory.rules.contradicting import pairs
from markdown_memory.rules.contradiction import conflicts

LABELLED = Path(__file__).parents[1] / "benchmarks" / "conflicts.toml"


def texts() -> dict[str, str]:
    found = tomllib.loads(LABELLED.read_text(encoding="utf-8"))["pair"]
    sides = [text for pair in found for text in (pair["old"], pair["new"])]
    return {f"{at:03}": text for at, text in enumerate(dict.fromkeys(sides))}


def test_the_pairs_of_many_texts_are_those_that_comparing_each_with_each_gives() -> None:
    many = texts()
    one_by_one = {
        (new, old) for new, old in permutations(sorted(many), 2) if new > old and conflicts(many[new], many[old])
    }
    found = {(new, old) for new, old, _ in pairs(many, lambda *_: True, lambda one, other: one < other)}
    assert len(one_by_one) > 60
    assert found == one_by_one


def test_only_those_that_meet_are_paired() -> None:
    many = {"a": "The database is PostgreSQL 14.", "b": "The database is PostgreSQL 16."}
    assert [found[:2] for found in pairs(many, lambda *_: True, lambda one, other: one < other)] == [("b", "a")]
    assert [found[:2] for found in pairs(many, lambda *_: True, lambda one, other: one > other)] == [("a", "b")]
    assert not list(pairs(many, lambda *_: False, lambda one, other: one < other))


def test_the_work_grows_with_the_number_of_notes_and_not_with_its_square() -> None:
    def cost(number: int) -> float:
        names = map("".join, product("bcdfg", "aeiou", "klmnp", "aeiou", "rstvz", "aeiou"))
        many = {
            name: f"The {name} service listens on port {at}." for at, name in zip(range(number), names, strict=False)
        }
        start = process_time()
        assert not list(pairs(many, lambda *_: True, lambda one, other: one < other))
        return process_time() - start

    cost(50)
    assert cost(8_000) < 40 * cost(1_000) + 1
