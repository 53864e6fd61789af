"""Finding the vault that belongs to a folder, and reading what it says about itself.

A vault is a folder whose Settings.md has the properties `mdmem` and `vault`. It is looked for in this order:

1. the path given by name (`--vault`), then the one that the environment gives (`MDMEM_VAULT`);
2. the link that a person made for this code repository (`mdmem link`);
3. upwards, beginning in the repository's main worktree, so that all its worktrees find the same one;
4. the default of the user's config.

A folder stands for the vault in its subfolder Memory/ when it is none itself, as in an Obsidian vault. A vault that no
person has trusted at this path on this account is skipped with one line, and the search goes on: what arrives with a
cloned repository must not tell an agent who it is. Only a path given by name is an error instead, for whoever names a
vault does not want to write into another. A copy has the same id and another path, so it is trusted by itself.
"""

import os
from collections.abc import Iterator
from typing import NamedTuple

from markdown_memory import __version__
from markdown_memory.core.layout import SETTINGS
from markdown_memory.core.settings import Parsed, UserConfig
from markdown_memory.errors import AccessError, FormatError, MarkdownMemoryError, NotFound
from markdown_memory.storage import files
from markdown_memory.storage.catalog import Catalog
from markdown_memory.storage.git import Repo, repo
from markdown_memory.storage.places import Places, read_private, vault_folder, write_private
from markdown_memory.storage.registry import Link, Registry

SUBFOLDER = "Memory"
CONFIG = "config.toml"
OPTION, ENVIRONMENT, LINK, UPWARDS, DEFAULT = "option", "environment", "link", "upwards", "default"
_HOW = {
    OPTION: "the path that was given",
    ENVIRONMENT: "named by MDMEM_VAULT",
    LINK: "linked to this repository",
    UPWARDS: "above this folder",
    DEFAULT: "the default of your config",
}


class Skipped(NamedTuple):
    """A vault that was not taken, and the line that says why and what to do."""

    path: str
    line: str


class Found(NamedTuple):
    """The vault that was found: its real path, its id, how (one of the words above), and what was passed over."""

    root: str
    vault_id: str
    how: str
    trusted: bool
    repo: Repo | None
    project: str = ""  # the name given to `mdmem link`
    person: str = ""  # the slug under which this account's person signs there
    skipped: tuple[Skipped, ...] = ()

    @property
    def repo_is_the_vault(self) -> bool:
        """Whether the repository here holds nothing but a vault, or the Obsidian vault around this one."""
        if self.repo is None:
            return False
        worktree = self.repo.worktree
        around = self.root.startswith(worktree + os.sep) and os.path.isdir(os.path.join(worktree, ".obsidian"))
        return worktree == self.root or around or bool(id_of(worktree))  # another vault, or a copy, is no code either

    @property
    def how_found(self) -> str:
        """`linked to this repository`, to stand in a sentence."""
        return _HOW[self.how]

    @property
    def instead(self) -> str:
        """The sentence that says which vault counts in place of those that were passed over; "" when none was."""
        return f"Used instead: {self.root}, {self.how_found}." if self.skipped else ""

    def check_meant(self) -> None:
        """AccessError when another vault was passed over: what is written would go where nobody expects it."""
        if self.skipped:
            raise AccessError(
                f"{self.skipped[-1].line} Nothing was written: {self.root} was found instead; "
                f"if that one is meant, say --vault {self.root}."
            )


def find(places: Places, cwd: str, option: str = "", environment: str = "", untrusted: bool = False) -> Found:
    """The vault for a folder; with `untrusted` (for where, trust and verify) also one that nobody has trusted."""
    here = repo(cwd)
    registry = Registry(places)
    link = registry.link_for(here.remotes, here.common_dir) if here else None
    skipped: list[Skipped] = []
    for how, path in _candidates(places, cwd, here, _paths_of(link, registry), option, environment):
        root = vault_at(path)
        if not root:
            if how != UPWARDS:
                _missing(how, path, skipped)
            continue
        vault_id = id_of(root)
        trusted = registry.entry(vault_id, root)
        if trusted or untrusted:
            project = link.project if link and link.vault_id == vault_id else ""
            person = (trusted.person if trusted else "") or person_slug("")
            return Found(root, vault_id, how, trusted is not None, here, project, person, tuple(skipped))
        skipped.append(Skipped(root, _untrusted(registry, root, vault_id)))
        if how == OPTION:
            raise AccessError(skipped[-1].line)
    raise NotFound(_nowhere(cwd, skipped))


def vault_at(path: str) -> str:
    """The real path of the vault that a path stands for, "" when it stands for none."""
    for folder in (path, os.path.join(path, SUBFOLDER)):
        if id_of(folder):
            return os.path.realpath(folder)
    return ""


def id_of(folder: str) -> str:
    """The id of the vault that a folder is, "" when it is none."""
    try:
        data = files.read(folder, SETTINGS)
    except MarkdownMemoryError:
        return ""
    quick = _quick_id(data)
    if quick is not None:
        return quick
    from markdown_memory.core.settings import parse

    parsed = parse(data)
    return parsed.vault_id if parsed.version else ""


def read_settings(root: str, catalog: Catalog) -> Parsed:
    """The checked settings of a vault, from the catalog while Settings.md has the same bytes."""
    from markdown_memory.core.settings import parse, settings_from_json, settings_to_json

    data = files.read(root, SETTINGS)
    key = f"settings {files.digest(data)}"
    if kept := catalog.meta(key):
        return settings_from_json(kept)
    parsed = parse(data)
    catalog.set_meta(key, settings_to_json(parsed))
    return parsed


def open_catalog(places: Places, vault_id: str, root: str) -> Catalog:
    """The catalog of the vault at a path; nothing is opened yet."""
    return Catalog(os.path.join(vault_folder(places.cache, vault_id, root), "catalog.sqlite"), root)


def read_config(places: Places) -> UserConfig:
    """The user's config, from the cache while config.toml has the same text; FormatError says what is wrong in it."""
    import json

    path = os.path.join(places.config, CONFIG)
    text = read_private(path)
    if not text.strip():
        return UserConfig()
    cache = os.path.join(places.cache, "config.json")
    try:
        made_by, kept, fields = json.loads(read_private(cache))
        if (made_by, kept) == (__version__, text):
            return UserConfig(*fields)
    except (ValueError, TypeError, MarkdownMemoryError):
        pass
    return _checked_config(path, text, cache)


def _checked_config(path: str, text: str, cache: str) -> UserConfig:
    import json

    from markdown_memory.core.settings import parse_config

    config, problems = parse_config(text, path)
    wrong = [one for one in problems if not one.code.startswith("settings-unknown")]
    if wrong:
        raise FormatError(f"{wrong[0].where}: {wrong[0].message} {wrong[0].remedy}".strip())
    try:
        write_private(cache, json.dumps([__version__, text, list(config)]))
    except MarkdownMemoryError:
        return config  # a cache that cannot be written costs time and nothing else
    return config


def set_default(places: Places, root: str, person: str) -> bool:
    """Name a vault and a person in the user's config, where it names none; whether the vault is the default then."""
    import json

    config = read_config(places)
    lines = [] if config.default_vault else [f"default_vault = {json.dumps(root, ensure_ascii=False)}\n"]
    if person and not config.person:
        lines.append(f"person = {json.dumps(person, ensure_ascii=False)}\n")
    if lines:
        path = os.path.join(places.config, CONFIG)
        write_private(path, "".join(lines) + read_private(path))  # in front: below a [table] they would belong to it
    named = config.default_vault and _absolute(config.default_vault, places.config)
    return not named or os.path.realpath(named) == os.path.realpath(root)


def person_slug(name: str) -> str:
    """A person's name as it stands in signed entries: ASCII letters, digits, hyphens; without a name, the login's."""
    from unicodedata import normalize

    plain = normalize("NFKD", name or _login()).encode("ascii", "ignore").decode().lower()
    words = "".join(char if char.isalnum() else " " for char in plain).split()
    return "-".join(words)[:40].strip("-") or "person"


def _login() -> str:
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):
        return ""


# the search


def _candidates(
    places: Places, cwd: str, here: Repo | None, linked: list[str], option: str, environment: str
) -> Iterator[tuple[str, str]]:
    if option:
        yield OPTION, _absolute(option, cwd)
        return
    if environment:
        yield ENVIRONMENT, _absolute(environment, cwd)
    for path in linked:
        yield LINK, path
    for folder in _upwards(_start(os.path.realpath(cwd), here)):
        yield UPWARDS, folder
    if default := read_config(places).default_vault:
        yield DEFAULT, _absolute(default, places.config)


def _paths_of(link: Link | None, registry: Registry) -> list[str]:
    """Where the linked vault may be: where it was then, and wherever else it has been trusted since."""
    return list(dict.fromkeys((link.path, *registry.copies_of(link.vault_id)))) if link else []


def _start(cwd: str, here: Repo | None) -> str:
    """The folder in the main worktree that corresponds to this one in a linked worktree."""
    if here is None or here.worktree == here.main_worktree:
        return cwd
    return os.path.normpath(os.path.join(here.main_worktree, os.path.relpath(cwd, here.worktree)))


def _upwards(folder: str) -> Iterator[str]:
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def _absolute(path: str, base: str) -> str:
    return os.path.join(base, os.path.expanduser(path))


def _quick_id(data: bytes) -> str | None:
    """The id where both properties are written plainly, "" where one is plainly missing, None where YAML must tell."""
    if not data.startswith(b"---"):
        return "" if not data.startswith(b"\xef\xbb\xbf") else None
    head = data[:4096].partition(b"\n---")[0].decode("utf-8", "replace")
    values = {}
    for line in head.splitlines()[1:]:
        key, colon, value = line.partition(":")
        if colon and key == key.lstrip():
            values[key.strip().strip("'\"")] = value.strip()
    version, name = values.get("mdmem", ""), values.get("vault", "")
    if not version or not name:
        return ""
    plain = version.isdecimal() and name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if plain and not name.isdecimal() else None


# sentences


def _missing(how: str, path: str, skipped: list[Skipped]) -> None:
    line = f"{path}, {_HOW[how]}, is no vault: it has no {SETTINGS} with the properties `mdmem` and `vault`."
    if how == OPTION:
        raise NotFound(f"{line} `mdmem init {path}` makes one.")
    skipped.append(Skipped(path, line))


def _untrusted(registry: Registry, root: str, vault_id: str) -> str:
    others = [path for path in registry.copies_of(vault_id) if path != root]
    if not others:
        return f"{root} is a vault that nobody has trusted on this account; `mdmem trust {root}` does."
    what = "a copy of" if os.path.isdir(others[0]) else "moved here from"
    return f"{root} is {what} {others[0]}, and not trusted at this path; `mdmem trust {root}` does."


def _nowhere(cwd: str, skipped: list[Skipped]) -> str:
    said = "".join(f"{one.line}\n" for one in skipped)
    return f"{said}No vault belongs to {cwd}. `mdmem init ~/memory` makes one, and --vault names one."
