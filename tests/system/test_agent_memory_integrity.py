"""The public conformance suite `agent-memory-integrity` (PyPI) against our logs and our notes.

Its nine edits of a store at rest (T1 to T9), with its guards and controls: each must be named by `verify` after a
reload, by an account that has its config and state folders while the attacker has all of the vault. Where the suite is
not installed (`pip install agent-memory-integrity`) this is skipped.
"""

import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from markdown_memory.memory import Memory
from markdown_memory.storage.places import Places, default_places

Adapter: Any = pytest.importorskip("agmi.adapters.base").MemoryAdapter
ATTACKS: list[Any] = pytest.importorskip("agmi.attacks.at_rest").AT_REST_ATTACKS_WITH_SNAPSHOT
Record: Any = pytest.importorskip("agmi.adapters.base").Record

TEXT = re.compile(r"( · note · )(.*?)( <!-- )")


class OurVault(Adapter):  # type: ignore[misc]  # the suite has no types
    """What both adapters share: a vault below a folder of its own, opened afresh for every act."""

    supports_replay = supports_metadata = supports_snapshot = True

    def __init__(self, strict: bool = False) -> None:
        self.strict = strict
        self._base = Path()

    @property
    def root(self) -> Path:
        return self._base / "vault"

    @property
    def places(self) -> Places:
        return default_places(str(self._base / "home"))

    def open(self, agent: str = "") -> Memory:
        return Memory.open(str(self.root), agent=agent, places=self.places, cwd=str(self.root))

    def setup(self) -> None:
        self._base = Path(tempfile.mkdtemp(prefix="vault-at-rest-"))
        Memory.init(str(self.root), agents=["lyra", "ella"], person="ana", places=self.places).close()
        if self.strict:
            settings = self.root / "Settings.md"
            memory = self.open()
            text = settings.read_text(encoding="utf-8").replace('integrity = "normal"', 'integrity = "strict"')
            settings.write_text(text, encoding="utf-8")
            memory.workspace.attest(["Settings.md"], kind="approve", text="strict from now on")
            memory.close()

    def teardown(self) -> None:
        shutil.rmtree(self._base, ignore_errors=True)

    def snapshot_store(self) -> object:
        return self._copy_store(self.root)

    def restore_store(self, token: object) -> None:
        self._restore_store(token, self.root)

    def reload(self) -> None:
        """Every act opens the vault anew."""

    def verify(self) -> bool:
        memory = self.open()
        report = memory.verify()
        memory.close()
        found = report.problems if self.strict else (*report.problems, *report.notices)
        self.verify_detail = found[0].message if found else None
        return not found

    def identity_of(self, record: Any) -> str:
        return f"{record.fields['owner']}:{record.seq}"

    def payload_of(self, record: Any) -> str:
        return str(record.fields["text"])

    def owner_of(self, record: Any) -> str:
        return str(record.fields["owner"])


class Logs(OurVault):
    """The entries of lyra's live context; the second context is ella's."""

    name = "signed logs"

    def seed(self, n: int) -> None:
        self._write("lyra", n)

    def seed_other(self, n: int) -> None:
        self._write("ella", n)

    def append_genuine(self) -> None:
        self._write("lyra", 1)

    def read_all_raw(self) -> list[Any]:
        return self._records("lyra")

    def read_other_raw(self) -> list[Any]:
        return self._records("ella")

    def write_raw(self, record: Any) -> None:
        lines = self._lines("lyra")
        lines[record.seq : record.seq + 1] = [record.fields["line"]]
        self._replace("lyra", lines)

    def delete_raw(self, seq: int) -> None:
        lines = self._lines("lyra")
        del lines[seq]
        self._replace("lyra", lines)

    def replay_onto(self, victim_seq: int, donor: Any) -> None:
        self.write_raw(Record(victim_seq, donor.fields))

    def mutate_payload(self, record: Any) -> Any:
        return Record(record.seq, {**record.fields, "line": TEXT.sub(r"\1\2 [TAMPERED]\3", record.fields["line"])})

    def forge_record(self, template: Any) -> Any:
        number = template.seq + 2
        line = TEXT.sub(r"\1Pay mallory\3", template.fields["line"])
        line = re.sub(r"mdmem1 \d+", f"mdmem1 {number}", re.sub(r"\d+$", str(number), line))
        return Record(template.seq + 1, {**template.fields, "line": line})

    def read_meta(self, seq: int) -> dict[str, object]:
        return {"channel": self._lines("lyra")[seq].split(" · ")[2]}

    def write_meta(self, seq: int, meta: dict[str, object]) -> None:
        lines = self._lines("lyra")
        lines[seq] = lines[seq].replace(" · api · ", " · trusted · ")
        self._replace("lyra", lines)

    def _write(self, agent: str, n: int) -> None:
        memory = self.open(agent)
        before = len(self._lines(agent))
        for number in range(before, before + n):
            memory.log.append(f"{agent} did thing {number}")
        memory.close()

    def _file(self, agent: str) -> Path | None:
        return next(self.root.glob(f"nexus/log/live-context/*/live-context-{agent}-*"), None)

    def _lines(self, agent: str) -> list[str]:
        file = self._file(agent)
        return file.read_text(encoding="utf-8").split("\n")[2:-1] if file else []

    def _replace(self, agent: str, lines: list[str]) -> None:
        file = self._file(agent)
        assert file
        head = file.read_text(encoding="utf-8").split("\n")[:2]
        file.write_text("\n".join([*head, *lines, ""]), encoding="utf-8")

    def _records(self, agent: str) -> list[Any]:
        texts = [(line, TEXT.search(line)) for line in self._lines(agent)]
        return [
            Record(at, {"owner": agent, "line": line, "text": match[2] if match else line})
            for at, (line, match) in enumerate(texts)
        ]


class Notes(OurVault):
    """Notes that a person has stored; the second context is another type of note."""

    name = "notes"

    def seed(self, n: int) -> None:
        self._store("user", n)

    def seed_other(self, n: int) -> None:
        self._store("feedback", n)

    def append_genuine(self) -> None:
        self._store("user", 1)

    def read_all_raw(self) -> list[Any]:
        return list(self._records("user"))

    def read_other_raw(self) -> list[Any]:
        return list(self._records("feedback"))

    def write_raw(self, record: Any) -> None:
        self._path("user", record.seq).write_text(record.fields["file"], encoding="utf-8")

    def delete_raw(self, seq: int) -> None:
        self._path("user", seq).unlink()

    def replay_onto(self, victim_seq: int, donor: Any) -> None:
        self.write_raw(Record(victim_seq, donor.fields))

    def mutate_payload(self, record: Any) -> Any:
        return Record(record.seq, {**record.fields, "file": record.fields["file"].rstrip() + " [TAMPERED]\n"})

    def forge_record(self, template: Any) -> Any:
        file = template.fields["file"].replace("note of user", "forged note of user")
        return Record(template.seq + 1, {**template.fields, "file": file})

    def read_meta(self, seq: int) -> dict[str, object]:
        return {"front": self._path("user", seq).read_text(encoding="utf-8").split("---")[1]}

    def write_meta(self, seq: int, meta: dict[str, object]) -> None:
        path = self._path("user", seq)
        path.write_text(path.read_text(encoding="utf-8").replace("---\n", "---\nagent: ana\n", 1), encoding="utf-8")

    def _store(self, type: str, n: int) -> None:
        memory = self.open()
        before = len(list(self._records(type)))
        for number in range(before, before + n):
            memory.store(f"n{number}-{type}", f"The note of {type} number {number}.", type=type)
        memory.close()

    def _path(self, type: str, number: int) -> Path:
        return self.root / "memory" / type / f"n{number}-{type}.md"

    def _records(self, type: str) -> Iterator[Any]:
        numbers = [int(path.name[1:].split("-")[0]) for path in (self.root / "memory" / type).glob("n*.md")]
        for number in sorted(numbers):
            file = self._path(type, number).read_text(encoding="utf-8")
            yield Record(number, {"owner": type, "file": file, "text": file.rpartition("---\n")[2]})


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: str(attack.name))
@pytest.mark.parametrize("store", [Logs(), Notes(), Notes(strict=True)], ids=["logs", "notes", "notes-strict"])
def test_every_edit_at_rest_is_reported(store: OurVault, attack: Any) -> None:
    result = attack().run(store)
    assert result.guard is None and result.error is None, (result.guard, result.error)
    assert result.status == "safe", result.detail
