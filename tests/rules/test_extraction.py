"""Rules that find what is worth keeping in what was said."""

import pytest

from markdown_memory.core.transcript import Turn
from markdown_memory.rules import gate
from markdown_memory.rules.extraction import FAILURES, RULES, Found, extract, failure_rule, prose
from markdown_memory.rules.said import Failure, Rule
from tests.benchmarks import extracting


def found(text: str, who: str = "user", before: tuple[str, ...] = ()) -> list[Found]:
    told = [Turn("user", one, at) for at, one in enumerate(before, 1)]
    return list(extract(told, Turn(who, text, len(told) + 1)))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: str(rule.name))
def test_every_rule_takes_its_own_example(rule: Rule) -> None:
    (one,) = found(rule.example, "agent" if rule.who == "agent" else "user")
    assert (one.rule, one.kind, one.text) == (rule.name, rule.kind, rule.example)


@pytest.mark.parametrize("words", FAILURES, ids=lambda words: str(words.language))
def test_a_cause_and_a_cure_are_a_failure_pattern(words: Failure) -> None:
    (one,) = found(words.example, "agent")
    assert (one.rule, one.kind, one.text) == (failure_rule(words), "failure-pattern", words.example)


def test_every_kind_is_one_that_the_gate_knows_and_every_name_is_used_once() -> None:
    assert {rule.kind for rule in RULES} <= set(gate.KINDS)
    names = [*(rule.name for rule in RULES), *map(failure_rule, FAILURES)]
    assert len(names) == len(set(names))


def test_trouble_that_was_told_before_goes_with_its_cure() -> None:
    cure = "The problem was a stale lock. I fixed it by removing the file at start."
    (one,) = found(cure, "agent", before=("It fails every time. Please look.",))
    assert one.text == f"{cure}\n\n> It fails every time."


def test_an_agent_states_no_preference_and_corrects_nobody() -> None:
    assert found("I prefer small pull requests.", "agent") == []
    assert found("No, the port is 5433, not 5432.", "agent") == []


def test_the_words_count_as_said_by_whoever_said_them() -> None:
    text = "Decision: prices are stored in cents."
    assert [one.trust for who in ("user", "agent") for one in found(text, who)] == ["user", "agent"]


@pytest.mark.parametrize(
    "text",
    [
        "```\nDecision: prices are stored in cents.\n```",
        "~~~python\n# Decision: prices are stored in cents.\n~~~",
        "> Decision: prices are stored in cents.",
        "The page says “we decided to store prices in cents” somewhere.",
        "Did we agree, and we decided to store prices in cents?",
        "Decision: " + "prices are stored in cents and " * 20,
    ],
)
def test_code_quotes_questions_and_what_was_pasted_are_nobodys_words(text: str) -> None:
    assert found(text) == []


def test_a_short_sentence_brings_the_next_one_with_it() -> None:
    (one,) = found("That's wrong. The VAT on oysters is 5.5 %. Next topic.")
    assert one.text == "That's wrong. The VAT on oysters is 5.5 %."


def test_sentences_end_where_a_reader_sees_their_end() -> None:
    text = "- Version 1.10.2 is out, e.g. Debian has it. Look: a.b.c works! Gut, z. B. so.\n1. **Bold** one"
    assert prose(text) == [
        "Version 1.10.2 is out, e.g. Debian has it.",
        "Look: a.b.c works!",
        "Gut, z. B. so.",
        "**Bold** one",
    ]


def test_a_turn_gives_each_kind_once() -> None:
    assert len(found("I prefer tabs in shell scripts. I prefer small pull requests.")) == 1


@pytest.mark.parametrize(
    "text", ["a " * 10_000 + "?", "“" * 5_000, "no, " * 4_000, "wir haben " * 2_000, "ne " * 5_000, "." * 9_000]
)
def test_hostile_text_takes_no_time(text: str) -> None:
    assert found(text) == []


def test_on_the_reported_half_precision_and_recall_are_what_the_readme_says() -> None:
    reported = extracting.turns("report")
    score = extracting.score(reported)
    assert len(reported) >= 60
    assert score.precision >= 0.85 and score.recall >= 0.6
