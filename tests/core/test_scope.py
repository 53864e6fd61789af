"""Folders that stand for projects and branches."""

import pytest

from markdown_memory.core.scope import Scope, decode_name, encode_name, folder_of, parse_namespace, scope_of
from markdown_memory.errors import UserError

OWN = Scope("", "main")


@pytest.mark.parametrize(
    ("scope", "folder"),
    [
        (Scope("", "main"), "main"),
        (Scope("", "feature/auth"), "feature~auth"),
        (Scope("shop", "feature/auth"), "@shop/feature~auth"),
        (Scope("a/b", "x"), "@a~b/x"),
        (Scope("", "@odd"), "~~40odd"),
        (Scope("", "con"), "~~63on"),
        (Scope("", 'a"b'), "a~~22b"),
        (Scope("", "ends."), "ends~~2E"),
        (Scope("", "a/]"), "a~~~5D"),
        (Scope("", "日本"), "日本"),
    ],
)
def test_a_scope_and_its_folder_stand_for_each_other(scope: Scope, folder: str) -> None:
    assert folder_of(scope) == folder
    assert scope_of(folder) == scope


def test_folders_below_the_branch_mean_nothing() -> None:
    assert scope_of("@shop/main/deep/er") == Scope("shop", "main")
    assert scope_of("main/deep") == OWN


def test_a_name_cannot_be_empty() -> None:
    with pytest.raises(UserError, match="needs a name"):
        encode_name("")


def test_lone_tildes_and_broken_escapes_are_slashes() -> None:
    assert decode_name("a~b~~c~~4") == "a/b//c//4"


def test_namespaces_name_scopes() -> None:
    assert parse_namespace("user", OWN) is None
    assert parse_namespace("project", OWN) == OWN
    assert parse_namespace("project:feature/auth", OWN) == Scope("", "feature/auth")
    assert parse_namespace("project:@shop:feature/auth", OWN) == Scope("shop", "feature/auth")


@pytest.mark.parametrize("text", ["projekt", "project:@shop", "project:@:x", "user:x"])
def test_an_unknown_namespace_is_refused_with_the_forms_that_exist(text: str) -> None:
    with pytest.raises(UserError, match="project:"):
        parse_namespace(text, OWN)
