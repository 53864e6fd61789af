"""Which project and branch counts."""

from markdown_memory.core.scope import Scope
from markdown_memory.core.settings import Project, Settings
from markdown_memory.rules.scoping import Checkout, locate

ONE = Settings()
INHERITING = Settings(inherit=("<default>",), projects=(Project("home", own=True),))
TEAM = Settings(
    inherit=("<default>",),
    projects=(
        Project("till", ("example.org/till",), "main", own=True),
        Project("shop", ("example.org/shop", "example.org/shop-fork"), "trunk"),
    ),
)


def test_outside_a_repository_it_is_the_own_project_s_default_branch() -> None:
    located = locate(TEAM)
    assert located == (Scope("", "main"), (Scope("", "main"),), True, "")


def test_a_remote_in_the_settings_tells_the_project_and_git_the_branch() -> None:
    located = locate(TEAM, Checkout(("example.org/shop-fork",), "feature/x"))
    assert located.scope == Scope("shop", "feature/x")
    assert located.seen == (Scope("shop", "feature/x"), Scope("shop", "trunk"))
    assert locate(TEAM, Checkout(("example.org/till",), "fix")).scope == Scope("", "fix")


def test_a_link_tells_the_project_where_no_remote_does() -> None:
    assert locate(TEAM, Checkout((), "fix"), "tool").scope == Scope("tool", "fix")
    assert locate(TEAM, Checkout((), "fix"), "till").scope == Scope("", "fix")
    assert locate(TEAM, Checkout(("example.org/shop",), "fix"), "tool").scope == Scope("shop", "fix")


def test_an_unlinked_repository_sees_the_globals_only_and_learns_how_to_link() -> None:
    located = locate(TEAM, Checkout(("example.org/other",), "main"))
    assert (located.seen, located.linked, located.scope.branch) == ((), False, "")
    assert "`mdmem link --project NAME` links it" in located.line


def test_a_vault_with_one_project_takes_every_repository_for_it() -> None:
    located = locate(INHERITING, Checkout(("example.org/other",), "fix"))
    assert located.scope == Scope("", "fix") and located.seen == (Scope("", "fix"), Scope("", "main"))
    assert locate(ONE, Checkout((), "main")).linked


def test_the_vault_s_own_repository_has_no_branch_that_counts() -> None:
    assert locate(TEAM, Checkout(("example.org/team-memory",), "review-7", True)).scope == Scope("", "main")


def test_a_detached_head_reads_the_default_branch_and_writes_nothing() -> None:
    located = locate(TEAM, Checkout(("example.org/shop",), None))
    assert located.scope == Scope("shop", "") and located.seen == (Scope("shop", "trunk"),)
    assert "--branch" in located.line
    assert locate(TEAM, Checkout(("example.org/shop",), None), branch="fix").scope == Scope("shop", "fix")


def test_what_is_said_outright_counts() -> None:
    here = Checkout(("example.org/till",), "fix")
    assert locate(TEAM, here, project="shop").scope == Scope("shop", "trunk")
    assert locate(TEAM, here, project="till").scope == Scope("", "fix")
    assert locate(TEAM, here, branch="other").scope == Scope("", "other")
    assert locate(TEAM, here, project="new", branch="b").scope == Scope("new", "b")
    assert locate(TEAM, Checkout(("example.org/other",), "b"), project="new").scope == Scope("new", "b")


def test_only_what_the_settings_inherit_is_seen_beside_the_own_branch() -> None:
    some = TEAM._replace(inherit=("release", "<default>"))
    seen = locate(some, Checkout(("example.org/shop",), "fix")).seen
    assert seen == (Scope("shop", "fix"), Scope("shop", "release"), Scope("shop", "trunk"))
    assert locate(TEAM._replace(inherit=()), Checkout(("example.org/shop",), "fix")).seen == (Scope("shop", "fix"),)


def test_an_empty_project_name_is_the_own_project() -> None:
    assert locate(TEAM, project="").scope == Scope("", "main")


def test_a_branch_without_a_name_is_none() -> None:
    assert locate(TEAM, branch="").scope == Scope("", "main")
