"""Where a new vault may be made.

1. In a folder that does not exist, or has nothing in it but what a fresh repository has (dot-files, README, LICENSE).
2. In an Obsidian vault: in its subfolder Memory/, or in the new subfolder that was named; nothing else is touched.
3. Nowhere inside another vault of ours, and not beside a folder whose name differs only by case.

A folder that is our vault already is taken as it is.
"""

import os
from typing import NamedTuple

from markdown_memory.core.names import nfc_key
from markdown_memory.errors import ConflictError, UserError
from markdown_memory.storage.inside import failure
from markdown_memory.storage.vaults import SUBFOLDER, id_of

_OF_A_FRESH_REPOSITORY = ("readme", "license", "licence")
OPENCLAW = ("IDENTITY.md", "BOOT.md", "BOOTSTRAP.md", "DREAMS.md", "USER.md", "HEARTBEAT.md", "TOOLS.md")
"""Beside SOUL.md, one of these makes a folder a workspace of OpenClaw."""


class Spot(NamedTuple):
    """The folder of the vault, and the Obsidian vault around it ("" = it stands for itself)."""

    root: str
    around: str


def spot_for(path: str, inside: str | None = None) -> Spot:
    """Where `mdmem init PATH` makes its vault; UserError or ConflictError where it must not."""
    chosen = os.path.realpath(os.path.expanduser(inside or path))
    if inside and not is_obsidian(chosen):
        raise UserError(f"{inside} is no Obsidian vault: it has no .obsidian folder. Open it in Obsidian once.")
    if os.path.lexists(chosen) and not os.path.isdir(chosen):
        raise UserError(f"{path} is a file; a vault is a folder. Name a folder that does not exist yet.")
    _refuse_openclaw(chosen)
    if id_of(chosen):
        return Spot(chosen, _obsidian_above(os.path.dirname(chosen)))
    if is_obsidian(chosen):
        return _within(os.path.join(chosen, SUBFOLDER), chosen)
    _refuse_nested(chosen)
    around = _obsidian_above(os.path.dirname(chosen))
    if around:
        return _within(chosen, around)
    _refuse_full(chosen)
    return Spot(chosen, "")


def _refuse_openclaw(folder: str) -> None:
    """OpenClaw's workspace looks much like a vault, and OpenClaw rewrites what lies in it."""
    here = folder
    while here != os.path.dirname(here):
        there = [name for name in ("SOUL.md", *OPENCLAW) if os.path.isfile(os.path.join(here, name))]
        if "SOUL.md" in there and len(there) > 1:
            raise UserError(
                f"{folder} lies in a workspace of OpenClaw ({here}), which rewrites the files there; nothing was made. "
                "Keep the vault elsewhere, as in `mdmem init ~/memory`, and `mdmem install openclaw` wires it."
            )
        here = os.path.dirname(here)


def is_obsidian(folder: str) -> bool:
    """Whether Obsidian keeps its settings in this folder; they may lie in a dot-folder of another name."""
    if os.path.isdir(os.path.join(folder, ".obsidian")):
        return True
    marks = ("app.json", "core-plugins.json")
    return any(
        name.startswith(".") and all(os.path.isfile(os.path.join(folder, name, mark)) for mark in marks)
        for name in _names(folder)
    )


def _within(root: str, around: str) -> Spot:
    if id_of(root):
        return Spot(root, around)
    parent, name = os.path.split(root)
    for other in _names(parent):
        if other != name and nfc_key(other).casefold() == nfc_key(name).casefold():
            raise ConflictError(
                f"{parent} has a folder {other}, and {name} would differ from it only by case; nothing was made. "
                f"Name another subfolder: `mdmem init {os.path.join(around, 'Agents')}`."
            )
    if _visible(root):
        raise ConflictError(
            f"{root} exists and holds other notes, so nothing was made. "
            f"Name another subfolder: `mdmem init {os.path.join(around, 'Agents')}`."
        )
    return Spot(root, around)


def _refuse_nested(folder: str) -> None:
    above = os.path.dirname(folder)
    while above != os.path.dirname(above):
        if id_of(above):
            raise UserError(f"{folder} lies in the vault {above}; a vault within a vault would confuse both.")
        above = os.path.dirname(above)


def _refuse_full(folder: str) -> None:
    held = [name for name in _visible(folder) if not name.lower().startswith(_OF_A_FRESH_REPOSITORY)]
    if held:
        raise UserError(
            f"{folder} holds other files ({', '.join(sorted(held)[:3])} …) and is no Obsidian vault, so nothing was "
            f"made. Name a new folder, such as `mdmem init {os.path.join(folder, 'memory')}`, or open {folder} as a "
            "vault in Obsidian first."
        )


def _obsidian_above(folder: str) -> str:
    while True:
        if is_obsidian(folder):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return ""
        folder = above


def _visible(folder: str) -> list[str]:
    return [name for name in _names(folder) if not name.startswith(".")]


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise failure(folder, "cannot be looked into", error) from error
