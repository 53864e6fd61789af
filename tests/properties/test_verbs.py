"""Random verbs against a plain dict: the vault says the same, is sound, and its catalog can be rebuilt."""

import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from markdown_memory.errors import ConflictError
from markdown_memory.memory import Memory
from markdown_memory.storage.places import default_places

NAMES = st.sampled_from(["alpha", "Beta note", "gamma", "日本", "delta: x", "ALPHA"])
BODIES = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=60).map(
    lambda text: f"Text {text.strip() or 'x'}.\n"
)


class Verbs(RuleBasedStateMachine):
    """The dict knows each current note's body and each forgotten one's."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        places = default_places(f"{self.folder.name}/home")
        root = f"{self.folder.name}/vault"
        self.moment = 1796004784.0
        self.memory = Memory.init(root, agents=["lyra"], person="ana", places=places, clock=lambda: self.moment)
        self.lyra = Memory.open(root, agent="lyra", places=places, clock=lambda: self.moment, cwd=root)
        self.notes: dict[str, str] = {}
        self.forgotten: dict[str, str] = {}
        self.waiting: dict[str, str] = {}

    def teardown(self) -> None:
        self.memory.close()
        self.lyra.close()
        self.folder.cleanup()

    @rule(name=NAMES, body=BODIES)
    def store(self, name: str, body: str) -> None:
        self.moment += 1
        if name in self.notes and self.notes[name].split() != body.split():
            try:
                self.memory.store(name, body)
            except ConflictError:
                return
            raise AssertionError("another text was written over a note without its hash")
        self.memory.store(name, body)
        self.notes.setdefault(name, body)

    @precondition(lambda self: self.notes)
    @rule(data=st.data(), body=BODIES)
    def edit(self, data: st.DataObject, body: str) -> None:
        self.moment += 1
        name = data.draw(st.sampled_from(sorted(self.notes)))
        self.memory.edit(f"project/{name}", body=body)
        self.notes[name] = body

    @precondition(lambda self: self.notes)
    @rule(data=st.data(), new=NAMES)
    def rename(self, data: st.DataObject, new: str) -> None:
        self.moment += 1
        old = data.draw(st.sampled_from(sorted(self.notes)))
        if new in self.notes and new != old:
            return
        self.memory.rename(f"project/{old}", new)
        self.notes[new] = self.notes.pop(old)

    @precondition(lambda self: self.notes)
    @rule(data=st.data())
    def forget_and_maybe_restore(self, data: st.DataObject) -> None:
        self.moment += 1
        name = data.draw(st.sampled_from(sorted(self.notes)))
        before = self.memory.show(f"project/{name}").data
        done = self.memory.forget(f"project/{name}")
        if data.draw(st.booleans()):
            assert self.memory.restore(done.archived).data == before
        else:
            self.forgotten[done.archived] = self.notes.pop(name)

    @rule(name=NAMES, body=BODIES)
    def propose(self, name: str, body: str) -> None:
        self.moment += 1
        if name in self.waiting or name in self.notes:
            return
        stored = self.lyra.store(name, body)
        if stored.path.startswith("inbox/"):
            self.waiting[name] = body

    @precondition(lambda self: self.waiting)
    @rule(data=st.data(), accept=st.booleans(), undo=st.booleans())
    def decide(self, data: st.DataObject, accept: bool, undo: bool) -> None:
        self.moment += 1
        name = data.draw(st.sampled_from(sorted(self.waiting)))
        if accept and name in self.notes:
            return
        decided = self.memory.inbox.accept(name) if accept else self.memory.inbox.reject(name, "no")
        self.moment += 1
        if undo:
            assert self.memory.inbox.undo().decision == "undone"
            return
        body = self.waiting.pop(name)
        if accept:
            assert decided.path.startswith("memory/project/main/")
            self.notes[name] = body

    @invariant()
    def the_vault_says_what_the_dict_says(self) -> None:
        headers = self.memory.list()
        assert sorted(header.name for header in headers) == sorted(self.notes)
        for header in headers:
            assert self.memory.show(header.path).body.split() == self.notes[header.name].split()
        assert sorted(one.name for one in self.memory.inbox.list()) == sorted(self.waiting)
        for path, body in self.forgotten.items():
            assert self.memory.show(path).body.split() == body.split()

    @invariant()
    def the_vault_is_healthy(self) -> None:
        assert [problem for problem in self.memory.doctor() if problem.code != "name-differs-by-case"] == []

    @invariant()
    def every_file_is_as_it_was_signed(self) -> None:
        report = self.memory.verify()
        assert report.sound and report.notices == ()

    @invariant()
    def a_rebuilt_catalog_is_the_same(self) -> None:
        before = self.memory.workspace.all_headers()
        catalog = self.memory.workspace.catalog
        catalog.close()
        Path(catalog.file).unlink()
        assert self.memory.workspace.all_headers() == before


TestVerbs = Verbs.TestCase
TestVerbs.settings = settings(max_examples=15, stateful_step_count=12, deadline=None, derandomize=True)
