"""Projects of a vault: listed, and renamed with all that bears their name."""

import subprocess
from pathlib import Path

import pytest

from markdown_memory import upkeep
from markdown_memory.errors import NotFound, UserError
from markdown_memory.memory import Memory
from markdown_memory.storage.places import Places
from tests.conftest import Note, Open

CART = "memory/project/@shop/main/cart.md"


@pytest.fixture
def shop(memory: Memory, open_as: Open, tmp_path: Path) -> Memory:
    """The person in a repository that is linked as the project shop, which has a note and a state."""
    code = tmp_path / "code"
    subprocess.run(["git", "init", "-q", "-b", "main", str(code)], check=True)
    upkeep.link(memory, "shop", str(code))
    shop = open_as(cwd=str(code))
    shop.store("cart", "Carts expire.", description="how long")
    return shop


def test_projects_are_listed_with_what_they_hold(shop: Memory) -> None:
    rows = [(one.name, one.own, one.default_branch, one.notes) for one in shop.projects.list()]
    assert rows == [("home", True, "main", 0), ("shop", False, "main", 1)]


def test_a_renamed_project_takes_everything_along(
    shop: Memory, lyra: Memory, note: Note, vault: Path, places: Places, open_as: Open, tmp_path: Path
) -> None:
    note("memory/user/me.md", f"[c]({CART})\n")
    note("nexus/project-state/shop.md", "Fine.\n")
    lyra.retain("Carts are red.", namespace="project:@shop:fix", name="red")
    before = (vault / "Settings.md").read_text()
    done = shop.projects.rename("shop", "store front")
    assert ("nexus/project-state/shop.md", "nexus/project-state/store front.md") in done.paths
    assert (vault / CART.replace("@shop", "@store front")).is_file() and not (vault / CART).exists()
    assert (vault / "memory/user/me.md").read_text() == "[c](memory/project/%40store%20front/main/cart.md)\n"
    assert (vault / "Settings.md").read_text() == before.replace('[projects."shop"]', '[projects."store front"]')
    assert shop.inbox.list()[0].target == "memory/project/@store front/fix" and shop.verify().sound
    again = open_as(cwd=str(tmp_path / "code"))
    assert again.scope.project == "store front" and again.show("cart").body.strip() == "Carts expire."


def test_the_own_project_changes_its_name_and_no_folder(memory: Memory, vault: Path) -> None:
    memory.store("tea", "We drink tea.", description="tea")
    assert memory.projects.rename("home", "office").paths == ()
    assert (vault / "memory/project/main/tea.md").is_file()
    assert '[projects."office"]' in (vault / "Settings.md").read_text()


@pytest.mark.parametrize(
    ("new", "sentence"), [("home", "There is a project 'home' already"), ("Shop", "only by case"), ("", "needs a name")]
)
def test_a_name_that_is_taken_is_refused(shop: Memory, new: str, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        shop.projects.rename("shop", new)


def test_an_unknown_project_is_named_with_what_comes_near(shop: Memory) -> None:
    with pytest.raises(NotFound, match=r"no project 'shopp' in this vault. Did you mean 'shop'"):
        shop.projects.rename("shopp", "x")
