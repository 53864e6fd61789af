"""Trusted vaults and links of an account."""

from multiprocessing import get_context

from markdown_memory.storage.places import Places
from markdown_memory.storage.registry import Link, Registry, Trusted


def test_trust_is_for_one_id_at_one_path(places: Places) -> None:
    registry = Registry(places)
    registry.trust(Trusted("id", "/v/one", "SHA256:x", "ana", "2026-11-30T00:00:00"))
    registry.trust(Trusted("id", "/v/two"))
    assert registry.entry("id", "/v/one") == Trusted("id", "/v/one", "SHA256:x", "ana", "2026-11-30T00:00:00")
    assert registry.entry("id", "/v/three") is None
    assert registry.entry("other", "/v/one") is None
    assert registry.copies_of("id") == ["/v/one", "/v/two"]


def test_trusting_again_replaces_what_was_noted_for_the_path(places: Places) -> None:
    registry = Registry(places)
    registry.trust(Trusted("old", "/v/one"))
    registry.trust(Trusted("new", "/v/one"))
    assert [one.vault_id for one in registry.trusted()] == ["new"]
    assert registry.distrust("/v/one")
    assert not registry.distrust("/v/one")


def test_a_link_is_found_by_remote_and_by_common_dir_only_without_one(places: Places) -> None:
    registry = Registry(places)
    registry.link(Link("a", "/a", "shop", "example.org/shop"))
    registry.link(Link("b", "/b", "tool", "", "/code/tool/.git"))
    assert registry.link_for(["example.org/fork", "example.org/shop"], "/x/.git") == Link(
        "a", "/a", "shop", "example.org/shop"
    )
    found = registry.link_for([], "/code/tool/.git")
    assert found is not None and found.project == "tool"
    assert registry.link_for(["example.org/other"], "/code/other/.git") is None


def test_linking_again_replaces_and_unlinking_removes(places: Places) -> None:
    registry = Registry(places)
    registry.link(Link("a", "/a", "shop", "example.org/shop"))
    registry.link(Link("b", "/b", "shop", "example.org/shop"))
    registry.link(Link("c", "/c", "tool", "", "/code/tool/.git"))
    assert [link.vault_id for link in registry.links()] == ["b", "c"]
    assert registry.unlink(Link("", "", "", "example.org/shop"))
    assert [link.vault_id for link in registry.links()] == ["c"]


def trust_some(places: Places, name: str) -> None:
    for number in range(5):
        Registry(places).trust(Trusted(name, f"/v/{name}{number}"))


def test_two_processes_lose_nothing_of_each_other(places: Places) -> None:
    context = get_context("spawn")
    workers = [context.Process(target=trust_some, args=(places, name)) for name in "ab"]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(Registry(places).trusted()) == 10
