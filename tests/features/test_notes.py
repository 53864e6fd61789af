from pathlib import Path

import pytest

from markdown_memory.errors import AccessError, Ambiguous, ConflictError, NotFound, UserError
from markdown_memory.memory import Memory
from tests.conftest import Note, Open, tree


def test_a_person_stores_a_note_and_its_line_stands_in_the_memory_index(memory: Memory, vault: Path) -> None:
    stored = memory.store("oauth-pkce-for-mobile", "OAuth2 with PKCE is required for mobile clients.")
    assert stored.path == "memory/project/main/oauth-pkce-for-mobile.md"
    assert stored.data.decode() == (
        "---\n"
        "name: oauth-pkce-for-mobile\n"
        "description: OAuth2 with PKCE is required for mobile clients.\n"
        "type: project\n"
        "created: 2026-11-30T02:13:04\n"
        "---\n"
        "\n"
        "OAuth2 with PKCE is required for mobile clients.\n"
    )
    line = "- [oauth-pkce-for-mobile](./memory/project/main/oauth-pkce-for-mobile.md) — OAuth2 with PKCE is required"
    assert line in (vault / "MEMORY.md").read_text()


def test_global_types_have_no_scope_and_scoped_ones_follow_the_namespace(memory: Memory) -> None:
    assert memory.store("terse", "Answers are terse.", type="feedback").path == "memory/feedback/terse.md"
    elsewhere = memory.store("flag", "Login is behind a flag.", namespace="project:@shop:feature/auth")
    assert elsewhere.path == "memory/project/@shop/feature~auth/flag.md"
    with pytest.raises(UserError, match="seen everywhere"):
        memory.store("x", "y", type="user", namespace="project:main")
    with pytest.raises(UserError, match="type `user`"):
        memory.store("x", "y", namespace="user")


def test_storing_the_same_again_changes_nothing(memory: Memory, vault: Path) -> None:
    memory.store("deploy-day", "We deploy on Tuesdays.", tags=["release"])
    before = tree(vault)
    memory.store("deploy-day", "We deploy on Tuesdays.", tags=["release"])
    assert tree(vault) == before


def test_storing_other_content_under_a_name_that_is_taken_needs_the_hash(memory: Memory) -> None:
    first = memory.store("deploy-day", "We deploy on Tuesdays.", tags=["release"])
    with pytest.raises(ConflictError, match=r"mdmem edit deploy-day.*if_hash"):
        memory.store("deploy-day", "We deploy on Fridays.")
    with pytest.raises(ConflictError, match="changed since it was read"):
        memory.store("deploy-day", "We deploy on Fridays.", if_hash="0" * 64)
    second = memory.store("deploy-day", "We deploy on Fridays.", if_hash=first.header.sha256)
    assert second.body == "We deploy on Fridays.\n"
    assert second.header.tags == ("release",)


def test_names_whose_files_would_collide_get_files_of_their_own(memory: Memory) -> None:
    paths = [memory.store(name, f"About {name}.").path for name in ("Café", "cafe\u0301 ", "CAFÉ", "a/b", "a:b")[:1]]
    paths += [memory.store(name, f"About {name}.").path for name in ("CAFÉ", "a/b", "a:b", "👩‍👧", "中文名字")]
    assert len({path.casefold() for path in paths}) == 6
    assert memory.show("a:b").body == "About a:b.\n"
    assert memory.show("中文名字").body == "About 中文名字.\n"
    assert memory.show("👩‍👧").body == "About 👩‍👧.\n"


@pytest.mark.parametrize("name", ["", "  ", "two\nlines", "bell\x07", " outer "])
def test_a_name_is_one_readable_line(memory: Memory, name: str) -> None:
    with pytest.raises(UserError, match="single line"):
        memory.store(name, "Text.")


def test_show_finds_by_name_stem_alias_path_and_type(memory: Memory, note: Note) -> None:
    note("memory/project/main/Release Days.md", "---\nname: deploy-day\naliases: [tuesday-rule]\n---\nTuesdays.\n")
    for name in (
        "deploy-day",
        "Release Days",
        "tuesday-rule",
        "memory/project/main/Release Days.md",
        "project/deploy-day",
        "Deploy Day",
        "main/Release Days",
    ):
        assert memory.show(name).path == "memory/project/main/Release Days.md"


def test_an_unknown_name_is_answered_with_near_ones(memory: Memory) -> None:
    memory.store("oauth-refresh", "Tokens are refreshed.")
    with pytest.raises(NotFound, match="Did you mean 'oauth-refresh'") as caught:
        memory.show("oauth-refesh")
    assert caught.value.near == ("oauth-refresh",)


def test_an_ambiguous_name_is_answered_with_the_candidates(memory: Memory) -> None:
    memory.store("style", "Short sentences.", type="user")
    memory.store("style", "No jargon.", type="feedback")
    with pytest.raises(Ambiguous) as caught:
        memory.show("style")
    assert caught.value.candidates == ("memory/feedback/style.md", "memory/user/style.md")
    assert memory.show("user/style").body == "Short sentences.\n"


def test_the_own_scope_wins_over_others(memory: Memory) -> None:
    memory.store("flag", "Here.", namespace="project:main")
    memory.store("flag", "There.", namespace="project:feature/auth")
    assert memory.show("flag").body == "Here.\n"
    assert memory.show("memory/project/feature~auth/flag").body == "There.\n"


def test_list_filters(memory: Memory, lyra: Memory) -> None:
    memory.store("a", "A.", tags=["auth/oauth"], importance=0.9)
    memory.store("b", "B.", type="reference", category="daily")
    memory.store("c", "C.", namespace="project:other")
    lyra.store("d", "D.", category="daily")
    assert [header.name for header in memory.list()] == ["a", "b", "d"]
    assert [header.name for header in memory.list(tag=["auth"])] == ["a"]
    assert [header.name for header in memory.list(type=["reference"])] == ["b"]
    assert [header.name for header in memory.list(category=["daily"])] == ["b", "d"]
    assert [header.name for header in memory.list(branch=["other"])] == ["c"]
    assert [header.name for header in memory.list(agent=["lyra"])] == ["d"]
    assert [header.name for header in memory.list(all=True)] == ["a", "b", "c", "d"]


def test_editing_a_key_changes_only_that_key(memory: Memory, note: Note) -> None:
    before = b"\xef\xbb\xbf---\r\nname: x  # the name\r\ntags: [a,   b]\r\nmine: {z: 1}\r\n---\r\nBody  \r\nend"
    path = note("memory/project/main/x.md", before)
    memory.edit("x", set={"importance": 0.9})
    assert path.read_bytes() == before.replace(b"mine: {z: 1}\r\n", b"mine: {z: 1}\r\nimportance: 0.9\r\n")
    memory.edit("x", unset=["importance"])
    assert path.read_bytes() == before


def test_editing_the_body_keeps_the_frontmatter(memory: Memory, note: Note) -> None:
    path = note("memory/project/main/x.md", "---\nname: x # why\n---\n\nOld.\n")
    edited = memory.edit("x", body="New.")
    assert path.read_text() == "---\nname: x # why\n---\n\nNew.\n"
    assert edited.body == "New.\n"


def test_an_edit_needs_the_hash_that_was_read_when_one_is_given(memory: Memory, note: Note) -> None:
    path = note("memory/project/main/x.md", "One.\n")
    read = memory.show("x").header.sha256
    path.write_text("By hand.\n")
    with pytest.raises(ConflictError, match=r"memory/project/main/x.md was changed since it was read"):
        memory.edit("x", body="Two.", if_hash=read)
    assert path.read_text() == "By hand.\n"


def test_the_type_cannot_be_set_since_the_folder_decides(memory: Memory) -> None:
    memory.store("x", "X.")
    with pytest.raises(UserError, match="follows from its folder"):
        memory.edit("x", set={"type": "user"})


def test_renaming_moves_the_file_and_all_links_follow(memory: Memory, note: Note, vault: Path) -> None:
    memory.store("deploy-day", "Tuesdays. See [[deploy-day#why|itself]].")
    linking = note(
        "memory/reference/main/how.md",
        "See [[deploy-day]], [[Deploy-Day|the day]], ![[deploy-day#x]] and [it](../../project/main/deploy-day.md).\n"
        "Not `[[deploy-day]]`, not [[deploy-days]].\n",
    )
    done = memory.rename("deploy-day", "Release day")
    assert done.path == "memory/project/main/Release day.md"
    assert done.links_changed == ("memory/reference/main/how.md",)
    text = linking.read_text()
    assert text.startswith("See [[Release day]], [[Release day|the day]], ![[Release day#x]] and [it](")
    assert "Release%20day.md)" in text
    assert text.endswith("Not `[[deploy-day]]`, not [[deploy-days]].\n")
    moved = memory.show("Release day")
    assert moved.header.name == "Release day"
    assert moved.body == "Tuesdays. See [[Release day#why|itself]].\n"
    assert not (vault / "memory/project/main/deploy-day.md").exists()
    assert "Release%20day.md" in (vault / "MEMORY.md").read_text()


def test_renaming_is_one_ledger_entry(memory: Memory, note: Note) -> None:
    memory.store("a", "A.")
    note("memory/project/main/b.md", "[[a]]\n")
    before = len(memory.workspace.ledger())
    memory.rename("a", "c")
    assert len(memory.workspace.ledger()) == before + 1


def test_renaming_to_a_name_that_is_taken_is_refused(memory: Memory) -> None:
    memory.store("a", "A.")
    memory.store("b", "B.")
    with pytest.raises(ConflictError, match=r"'b' is taken by memory/project/main/b.md"):
        memory.rename("a", "b")


def test_a_rename_may_change_only_the_case(memory: Memory, vault: Path) -> None:
    memory.store("readme", "R.")
    assert memory.rename("readme", "ReadMe").path == "memory/project/main/ReadMe.md"
    assert [path.name for path in (vault / "memory/project/main").iterdir()] == ["ReadMe.md"]


def test_forgetting_keeps_the_bytes_and_restoring_brings_them_back(memory: Memory, note: Note, vault: Path) -> None:
    odd = b"---\r\nname: odd   # x\r\n---\r\n\r\nBody without end"
    path = note("memory/project/main/odd.md", odd)
    memory.store("other", "Other.")
    before = tree(vault)
    done = memory.forget("odd", reason="no longer true")
    assert done.archived == "archive/memory/project/main/odd.md"
    assert (vault / done.archived).read_bytes() == odd
    assert not path.exists()
    assert "odd" not in (vault / "MEMORY.md").read_text()
    with pytest.raises(NotFound, match=r"was forgotten.*mdmem restore odd"):
        memory.show("odd")
    assert memory.restore("odd").path == "memory/project/main/odd.md"
    after = tree(vault)
    assert {path: data for path, data in after.items() if "nexus/" not in path} == {
        path: data for path, data in before.items() if "nexus/" not in path
    }


def test_forgetting_twice_keeps_both(memory: Memory, vault: Path) -> None:
    for text in ("First.", "Second."):
        memory.store("x", text)
        memory.forget("x")
    kept = sorted((vault / "archive/memory/project/main").iterdir())
    assert [path.read_text().splitlines()[-1] for path in kept] == ["Second.", "First."]


def test_restoring_over_a_new_note_is_refused(memory: Memory) -> None:
    memory.store("x", "Old.")
    memory.forget("x")
    memory.store("x", "New.")
    with pytest.raises(ConflictError, match="exists again"):
        memory.restore("x")


def test_an_agent_may_not_touch_what_a_person_accepted(memory: Memory, lyra: Memory) -> None:
    memory.store("x", "X.")
    for act in (
        lambda: lyra.edit("x", body="Y."),
        lambda: lyra.rename("x", "y"),
        lambda: lyra.forget("x"),
    ):
        with pytest.raises(AccessError, match="a person looks after it"):
            act()
    assert memory.show("x").body == "X.\n"


def test_an_agent_may_change_its_own_notes_of_the_day(lyra: Memory, open_as: Open) -> None:
    lyra.store("today", "Tried A.", category="daily")
    assert lyra.edit("today", body="Tried A and B.").body == "Tried A and B.\n"
    with pytest.raises(AccessError):
        open_as("ella").edit("today", body="Mine now.")
    assert lyra.forget("today").archived == "archive/memory/project/main/today.md"


def test_an_unknown_type_or_category_word_is_taken_but_not_a_path(memory: Memory) -> None:
    assert memory.store("r", "R.", type="recipe").path == "memory/recipe/main/r.md"
    with pytest.raises(UserError, match="type"):
        memory.store("r", "R.", type="../x")


def test_names_that_differ_only_in_how_they_are_encoded_or_spaced_are_one_note(memory: Memory, lyra: Memory) -> None:
    memory.store("café", "Coffee.")
    memory.store("a  b", "Spaced.")
    for twin in ("cafe\u0301", "a b", "a   b"):
        with pytest.raises(ConflictError, match="already there with other content"):
            memory.store(twin, "Other content.")
    assert memory.show("cafe\u0301").body == "Coffee.\n"
    assert memory.show("a  b").body == "Spaced.\n"
    memory.store("tea", "Tea.")
    with pytest.raises(ConflictError, match="is taken"):
        memory.rename("tea", "cafe\u0301")
    lyra.store("thé", "Green.")
    with pytest.raises(ConflictError, match="waits already"):
        lyra.store("the\u0301", "Black.")


@pytest.mark.parametrize("name", ["a (conflicted copy)", "a.sync-conflict-20261201-101500-ABCDEFG"])
def test_a_note_that_is_named_like_a_sync_tools_copy_counts_like_any_other(memory: Memory, name: str) -> None:
    stored = memory.store(name, "Body.")
    assert memory.show(name).path == stored.path
    assert memory.verify().sound
    assert not memory.doctor()


def test_a_signed_file_that_is_called_like_a_sync_tools_copy_is_not_missing(memory: Memory, note: Note) -> None:
    path = "memory/project/main/a (conflicted copy).md"
    note(path, "Body.\n")
    memory.workspace.attest([path], kind="approve", text=path)
    assert memory.verify().sound
