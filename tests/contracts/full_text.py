"""What every full-text index must do; each implementation's tests inherit the class."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from markdown_memory.core.note import new_note, read_header
from markdown_memory.core.query import Query, parse
from markdown_memory.rules.ranking import REPEATS
from markdown_memory.search.analyzer import occurrences, query_terms
from markdown_memory.search.port import Change, Doc, Filter, FullText


def doc(path: str, body: str = "", *, data: bytes | None = None, **known: object) -> Doc:
    """A note as the index gets it: its header read from its bytes, and its text."""
    name = str(known.pop("name", path.rpartition("/")[2].removesuffix(".md")))
    description = str(known.pop("description", ""))
    if data is None:
        data = new_note(name, description, "", body, **known)
    return Doc(read_header(path, data), data.decode("utf-8", "replace"))


def apply(index: FullText, docs: Iterable[Doc], removed: Iterable[str], generation: int) -> None:
    """Bring an index from where it is to a generation."""
    assert index.apply(Change(docs, tuple(removed), index.generation(), generation))


ALL = Filter()


def paths(index: FullText, text: str, accept: Filter = ALL, limit: int = 20) -> list[str]:
    return [hit.path for hit in index.search(parse(text), limit, accept).hits]


MORNING = [
    doc(
        "memory/project/main/oauth.md",
        "OAuth2 with PKCE is required for mobile clients.",
        tags=["auth/mobile", "login"],
        agent="lyra",
        updated="2026-10-14T08:00:00",
    ),
    doc(
        "memory/project/main/database.md",
        "The database is PostgreSQL 16 and runs in Frankfurt.",
        agent="ella",
        created="2026-11-02",
    ),
    doc(
        "memory/project/@shop/main/till.md",
        "The till prints receipts; its database is SQLite.",
        category="daily",
    ),
    doc("memory/user/breakfast.md", "Ana eats breakfast at eight and likes tea.", name="Breakfast of Ana"),
    doc("archive/memory/project/main/old-login.md", "Login with passwords was given up."),
    doc("inbox/lyra/proposal.md", "Frankfurt will move to Dublin.", kind="fact"),
]


class FullTextContract:
    """Inherited; `create` opens the index in a folder, and is called several times for the same one."""

    def create(self, folder: str) -> FullText:
        raise NotImplementedError

    @pytest.fixture
    def make(self, tmp_path: Path) -> Iterator[Callable[[], FullText]]:
        made: list[FullText] = []

        def create() -> FullText:
            made.append(self.create(str(tmp_path / "index")))
            return made[-1]

        yield create
        for index in made:
            index.close()

    @pytest.fixture
    def index(self, make: Callable[[], FullText]) -> FullText:
        index = make()
        apply(index, MORNING, (), 7)
        return index

    def test_holds_nothing_before_the_first_build(self, make: Callable[[], FullText]) -> None:
        index = make()
        assert index.generation() == -1
        assert index.search(parse("database"), 10, Filter()).hits == ()

    def test_tells_at_least_how_often_a_text_repeats_the_words_of_a_query(self, make: Callable[[], FullText]) -> None:
        bodies = [
            "deploy " * 9,
            "Deploys, deploying and deployed: deploy on Tuesday, deploy-day.",
            "The till prints. The tills print receipts for the till, and the till-outage too.",
            "deployTill deploy_till DEPLOY tïll Tuesday tuesdays",
            "Nothing of it twice: deploy, till, tuesday.",
        ]
        index = make()
        names = ["deploy-deploy", "Tuesday", "till", "deploy till", "other"]
        apply(index, [doc(f"memory/user/{at}.md", body, name=names[at], description="deploy till")
                      for at, body in enumerate(bodies)], (), 1)  # fmt: skip
        query = "deploy till tuesday"
        hits = index.search(parse(query), 10, Filter()).hits
        assert len(hits) == len(bodies)
        for hit in hits:
            said, _ = occurrences(query_terms(query), bodies[int(hit.path[-4])])
            assert hit.repeats < 0 or hit.repeats >= sum(said) - len(said)
        assert next(hit.repeats for hit in hits if hit.path == "memory/user/4.md") < REPEATS

    def test_remembers_the_generation_it_was_built_from(self, index: FullText, make: Callable[[], FullText]) -> None:
        assert index.generation() == 7
        assert make().generation() == 7

    def test_finds_notes_by_any_of_the_words_best_first(self, index: FullText) -> None:
        assert paths(index, "PostgreSQL database")[:2] == [
            "memory/project/main/database.md",
            "memory/project/@shop/main/till.md",
        ]

    def test_says_how_many_notes_were_considered_and_matched(self, index: FullText) -> None:
        found = index.search(parse("database"), 1, Filter())
        assert (len(found.hits), found.considered, found.matched) == (1, 6, 2)

    def test_a_name_is_found_although_the_body_does_not_hold_it(self, index: FullText) -> None:
        assert paths(index, "till") == ["memory/project/@shop/main/till.md"]

    def test_coverage_tells_a_full_answer_from_a_chance_hit(self, index: FullText) -> None:
        full = index.search(parse("breakfast tea"), 5, Filter()).hits[0]
        chance = index.search(parse("which tea did the queen of Denmark order in Paris"), 5, Filter()).hits[0]
        assert full.coverage > 0.99
        assert chance.coverage < 0.3

    def test_parts_add_up_to_the_score(self, index: FullText) -> None:
        hit = index.search(parse("breakfast tea"), 5, Filter()).hits[0]
        assert sum(value for _, value in hit.parts) == pytest.approx(hit.score, abs=0.001)

    def test_excluded_words_take_notes_away(self, index: FullText) -> None:
        assert paths(index, "database -receipts") == ["memory/project/main/database.md"]

    def test_a_prefix_finds_what_begins_with_it(self, index: FullText) -> None:
        assert paths(index, "postg*") == ["memory/project/main/database.md"]

    def test_a_phrase_needs_all_its_words(self, index: FullText) -> None:
        assert paths(index, '"PostgreSQL 16"') == ["memory/project/main/database.md"]

    @pytest.mark.parametrize(
        ("accept", "found"),
        [
            (Filter(statuses=frozenset(["proposal"])), ["inbox/lyra/proposal.md"]),
            (Filter(scopes=frozenset(["", "main"]), statuses=frozenset(["accepted"])),
             ["memory/project/main/database.md"]),
            (Filter(agents=frozenset(["ella"])), ["memory/project/main/database.md"]),
            (Filter(projects=frozenset(["shop"])), ["memory/project/@shop/main/till.md"]),
            (Filter(categories=frozenset(["daily"])), ["memory/project/@shop/main/till.md"]),
            (Filter(after="2026-11"), ["memory/project/main/database.md"]),
            (Filter(after="2026-11", before="2026-11-01"), []),
            (Filter(types=frozenset(["reference"])), []),
        ],
    )  # fmt: skip
    def test_filters_restrict_what_is_considered(self, index: FullText, accept: Filter, found: list[str]) -> None:
        answer = index.search(parse("database Frankfurt"), 10, accept)
        assert [hit.path for hit in answer.hits] == found
        assert answer.considered <= 3

    def test_a_tag_is_found_by_itself_and_by_its_parent(self, index: FullText) -> None:
        for tag in ("auth", "auth/mobile", "login"):
            assert paths(index, "PKCE", Filter(tags=frozenset([tag]))) == ["memory/project/main/oauth.md"]
        assert paths(index, "PKCE", Filter(tags=frozenset(["mobile"]))) == []

    def test_without_words_the_newest_accepted_notes_come_first(self, index: FullText) -> None:
        found = paths(index, "", Filter(statuses=frozenset(["accepted"])))
        assert found[:2] == ["memory/project/main/database.md", "memory/project/main/oauth.md"]
        assert len(found) == 4

    def test_a_changed_note_is_found_by_its_new_words_only(self, index: FullText) -> None:
        apply(index, [doc("memory/project/main/database.md", "We moved to MariaDB.")], (), 8)
        assert paths(index, "MariaDB") == ["memory/project/main/database.md"]
        assert paths(index, "PostgreSQL") == []
        assert index.generation() == 8

    def test_a_removed_note_is_not_found(self, index: FullText) -> None:
        apply(index, (), ["memory/project/main/database.md"], 9)
        assert paths(index, "PostgreSQL") == []
        assert index.search(parse("Frankfurt"), 5, Filter()).considered == 5

    def test_a_removed_note_can_come_back(self, index: FullText) -> None:
        apply(index, (), ["memory/project/main/database.md"], 9)
        apply(index, [MORNING[1]], (), 10)
        assert paths(index, "PostgreSQL") == ["memory/project/main/database.md"]

    def test_applying_the_same_change_twice_changes_nothing(self, index: FullText) -> None:
        for _ in range(2):
            apply(index, [doc("memory/project/main/new.md", "A walrus appears.")], ["memory/user/breakfast.md"], 11)
        found = index.search(parse("walrus"), 5, Filter())
        assert ([hit.path for hit in found.hits], found.considered) == (["memory/project/main/new.md"], 6)

    def test_many_changes_survive_the_process(self, index: FullText, make: Callable[[], FullText]) -> None:
        more = [doc(f"memory/project/main/n{n}.md", f"Note number {n} on walruses.") for n in range(100)]
        apply(index, more, ["memory/user/breakfast.md"], 12)
        index.close()
        again = make()
        assert again.generation() == 12
        assert len(paths(again, "walrus", limit=200)) == 100
        assert paths(again, "breakfast") == []

    def test_a_failing_source_of_notes_leaves_the_index_as_it_was(
        self, index: FullText, make: Callable[[], FullText]
    ) -> None:
        def failing() -> Iterable[Doc]:
            for n in range(100):
                yield doc(f"memory/project/main/f{n}.md", "walrus")
            raise RuntimeError("the disk went away")

        with pytest.raises(RuntimeError):
            apply(index, failing(), (), 13)
        again = make()
        assert again.generation() == 7
        assert paths(again, "walrus") == []
        apply(again, [doc(f"memory/project/main/w{n}.md", "walrus") for n in range(100)], (), 14)
        assert len(paths(again, "walrus", limit=200)) == 100

    def test_a_change_that_does_not_begin_where_the_index_is_is_refused(self, index: FullText) -> None:
        assert not index.apply(Change([doc("memory/project/main/x.md", "walrus")], (), 5, 8))
        assert not index.apply(Change([doc("memory/project/main/x.md", "walrus")], (), 9, 10))
        assert paths(index, "walrus") == []

    def test_since_nothing_means_everything(self, index: FullText) -> None:
        assert index.apply(Change([doc("memory/project/main/x.md", "walrus")], (), -1, 20))
        assert (paths(index, "walrus"), paths(index, "database")) == (["memory/project/main/x.md"], [])
        assert index.generation() == 20

    def test_names_and_paths_in_any_script_are_returned_as_given(self, index: FullText) -> None:
        odd = [
            "memory/project/main/日本.md",
            "memory/project/main/Zu\u0308rich 🚀.md",
            "memory/project/main/bad\udcff.md",
        ]
        apply(index, [doc(path, "capybara") for path in odd], (), 15)
        assert sorted(paths(index, "capybara")) == sorted(odd)

    def test_equal_notes_are_answered_in_order_of_path(self, index: FullText) -> None:
        same = [doc(f"memory/project/main/{letter}.md", "capybara", name="same") for letter in "qzm"]
        apply(index, same, (), 16)
        assert paths(index, "capybara") == [f"memory/project/main/{letter}.md" for letter in "mqz"]

    def test_a_neighbour_in_the_source_makes_a_note_an_answer(self, index: FullText) -> None:
        turns = ["Did you ever find a name for the puppy?", "Yes: Biscuit!", "Lovely.", "The weather is bad."]
        said = [
            doc(f"memory/project/main/t{n}.md", turn, name=f"t{n}", source=f"chat.md#{n}")
            for n, turn in enumerate(turns, 1)
        ]
        apply(index, said, (), 17)
        found = index.search(parse("name of the puppy"), 10, Filter())
        assert [hit.path for hit in found.hits][:2] == [
            "memory/project/main/t1.md",
            "memory/project/main/t2.md",
        ]
        assert "neighbours" in dict(found.hits[1].parts)

    @pytest.mark.parametrize(("notes", "lifted"), [(5, False), (6, True)])
    def test_only_a_source_longer_than_what_stands_around_a_note_lifts_its_notes(
        self, index: FullText, notes: int, lifted: bool
    ) -> None:
        met = [f"Met about the planner, number {n}." for n in range(1, notes + 1)]
        said = [doc(f"memory/project/main/m{n}.md", text, source=f"planner#{n}") for n, text in enumerate(met, 1)]
        apply(index, said, (), 19)
        found = index.search(parse("planner"), 10, Filter())
        assert [("source" in dict(hit.parts)) for hit in found.hits] == [lifted] * notes

    def test_what_stands_beside_a_note_is_its_source_and_who_links_to_it(self, index: FullText) -> None:
        said = [doc(f"memory/project/main/t{n}.md", f"Turn {n}.", source=f"chat.md#{n}") for n in range(1, 7)]
        link = doc("memory/project/main/pointer.md", "See [[T3]] and `[[t4]]`.")
        apply(index, [*said, link, doc("memory/project/main/other.md", "See [t3](./t3.md).")], (), 18)
        found = dict(index.near("memory/project/main/t3.md", ["t3"], ALL))
        assert found == {
            "memory/project/main/t2.md": "before",
            "memory/project/main/t4.md": "after",
            "memory/project/main/t1.md": "before",
            "memory/project/main/t5.md": "after",
            "memory/project/main/pointer.md": "links here",
            "memory/project/main/other.md": "links here",
        }
        assert index.near("memory/project/main/t4.md", ["t4"], Filter(agents=frozenset(["lyra"]))) == ()
        assert index.near("memory/project/main/nowhere.md", ["nowhere"], ALL) == ()

    def test_nothing_asked_for_is_no_error(self, index: FullText) -> None:
        assert index.search(Query((), (), (), (), (), "", "", ()), 5, Filter()).matched == 6
        assert "memory/project/main/database.md" not in paths(index, "-database")
        assert len(paths(index, "-database")) == 4
        assert paths(index, "?!") != []
