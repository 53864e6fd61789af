"""What the benchmarks of one run share: a folder, vaults of each size made once, and the peers that are installed."""

import os
import shutil
import sys
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from tests.benchmarks import harness
from tests.benchmarks.harness import Command
from tests.benchmarks.peers import Peer, installed

if TYPE_CHECKING:
    from tests.benchmarks.vaults import Vault

PYTHON = (sys.executable, "-c")


class Workshop:
    """Makes vaults below one folder, and commands that use them."""

    def __init__(self, folder: str, peers: str = "", rounds: int = 0, notes: int = 0) -> None:
        self.folder = folder
        self.peers_folder = peers
        self.notes = notes
        """How many notes a benchmark takes that asks; 0 for as many as its goal speaks of."""
        self._rounds = rounds
        self._vaults: dict[int, Vault] = {}

    def rounds(self, usual: int) -> int:
        """How often each thing is measured."""
        return self._rounds or usual

    @cached_property
    def peers(self) -> tuple[Peer, ...]:
        """The neighbours that can be measured beside us here."""
        return installed(self.peers_folder) if self.peers_folder else ()

    def say_if_alone(self) -> None:
        """Say that neighbours were not measured, and how they would be."""
        if not self.peers:
            raise harness.Skipped("qmd and agentcairn: name a folder to install them in with --peers FOLDER")

    def peer_state(self, peer: Peer, notes: int) -> str:
        """A new folder for a peer's index of the vault of this size."""
        state = os.path.join(self.folder, f"{peer.name}-{notes}")
        shutil.rmtree(state, ignore_errors=True)
        os.makedirs(state)
        peer.prepare(state)
        return state

    def vault(self, notes: int) -> "Vault":
        """The vault of this size, made and indexed at the first use."""
        if notes not in self._vaults:
            from tests.benchmarks.vaults import make

            print(f"… making a vault of {notes} notes", file=sys.stderr, flush=True)
            self._vaults[notes] = make(os.path.join(self.folder, str(notes)), notes)
            harness.seconds(self.mdmem(notes, "search", "anything"))
        return self._vaults[notes]

    def mdmem(self, notes: int, *words: str, **environment: str) -> Command:
        """A call of the command line on the vault of this size."""
        vault = self._vaults[notes] if notes in self._vaults else self.vault(notes)
        return Command([*harness.program(), *words], {**vault.environment, **environment}, self.folder)

    def nothing(self, environment: Mapping[str, str] | None = None) -> Command:
        """A Python that starts and ends: the unit of felt speed."""
        return Command([*PYTHON, "pass"], environment or {"LANG": "C.UTF-8"}, self.folder)

    def forget_index(self, notes: int) -> None:
        """Delete all that is derived, as for a vault that this machine opens for the first time."""
        shutil.rmtree(os.path.join(self.vault(notes).home, "cache"), ignore_errors=True)
