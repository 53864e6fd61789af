"""The folders that come with the package."""

import os

import pytest

from markdown_memory import errors
from markdown_memory.storage import shipped


@pytest.mark.parametrize("name", ["templates", "vault-example"])
def test_what_is_delivered_is_found_with_its_hidden_settings(name: str) -> None:
    folder = shipped.folder(name)
    assert os.path.isabs(folder)
    assert any(".obsidian" in folders for _, folders, _ in os.walk(folder))


def test_a_folder_that_is_missing_is_one_sentence_with_the_remedy() -> None:
    with pytest.raises(errors.StorageError, match=r"lacks its folder 'music'.*install the package again"):
        shipped.folder("music")
