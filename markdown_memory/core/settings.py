"""Settings: what a vault says in Settings.md, and what a user says in their own config.

Settings.md is a note: its properties `mdmem` (format version) and `vault` (id) mark the folder as a vault, and one
fenced ```toml block holds the settings. It may restrict and never empower: commands, endpoints, keys and paths are
not among its names. A value that is wrong is a problem that names the file, the key and what is allowed, and the
default is taken; for the settings that protect (`store`, `integrity`, `acl_enabled`) the strictest value is taken
instead. Unknown keys are kept and reported.

The values are checked with pydantic (core/schema.py), which takes 50 ms to import. So a checked value can be stored
as JSON and read back without it.
"""

import json
from typing import Any, NamedTuple

from markdown_memory.core import frontmatter
from markdown_memory.core.layout import SETTINGS
from markdown_memory.core.problem import Problem

FORMAT_VERSION = 1
DEFAULT_BRANCH = "<default>"


class Project(NamedTuple):
    """A project whose memory the vault keeps; `remotes` are normalised addresses of its repository."""

    name: str
    remotes: tuple[str, ...] = ()
    default_branch: str = "main"
    own: bool = False


class Settings(NamedTuple):
    """A vault's settings with their defaults. Days of 0 switch a limit off; weights and thresholds are shares."""

    store: str = "review"
    integrity: str = "normal"
    inherit: tuple[str, ...] = ()
    auto_save: bool = True
    acl_enabled: bool = False
    max_recall_items: int = 20
    recall_relevance_threshold: float = 0.3
    min_relevance_score: float = 0.4
    vector_weight: float = 0.7
    keyword_weight: float = 0.3
    embedding_provider: str = ""
    embedding_model: str = ""
    embedding_dimensions: int = 0
    hygiene_enabled: bool = True
    archive_after_days: int = 7
    purge_after_days: int = 30
    auto_purge: bool = False
    conversation_retention_days: int = 3
    daily_retention_days: int = 7
    pages: bool = False
    projects: tuple[Project, ...] = ()

    @property
    def own_project(self) -> Project:
        """The project that the vault itself belongs to; its folders carry no `@`."""
        return next((project for project in self.projects if project.own), Project("", own=True))

    def default_branch(self, project: str) -> str:
        """The default branch of a project; "" means the vault's own."""
        for one in self.projects:
            if one.name == project or (one.own and not project):
                return one.default_branch
        return "main"


class Parsed(NamedTuple):
    """What Settings.md says. `vault_id` is "" where it marks no vault."""

    settings: Settings
    vault_id: str
    version: int
    problems: tuple[Problem, ...]


class UserConfig(NamedTuple):
    """What config.toml in the user's config folder says."""

    default_vault: str = ""
    person: str = ""
    integrity: str = ""
    private_sync: bool = False
    pages: bool = False


LIMITS: dict[str, tuple[float, float]] = {
    "max_recall_items": (1, 1000),
    "recall_relevance_threshold": (0, 1),
    "min_relevance_score": (0, 1),
    "vector_weight": (0, 1000),
    "keyword_weight": (0, 1000),
    "embedding_dimensions": (0, 100_000),
    "archive_after_days": (0, 36_500),
    "purge_after_days": (0, 36_500),
    "conversation_retention_days": (0, 36_500),
    "daily_retention_days": (0, 36_500),
}
CHOICES: dict[str, tuple[str, ...]] = {"store": ("review", "direct"), "integrity": ("normal", "strict")}
STRICTEST: dict[str, Any] = {"store": "review", "integrity": "strict", "acl_enabled": True}


def parse(data: bytes) -> Parsed:
    """The settings in the bytes of Settings.md; never raises for what they hold."""
    front, body, problems = frontmatter.read(data)
    found = [problem._replace(path=SETTINGS, code="settings-broken") for problem in problems]
    text, line = _toml_block(body)
    table, broken = _toml(text, line + data[: len(data) - len(body.encode("utf-8", "surrogateescape"))].count(b"\n"))
    found += broken
    settings, wrong = _checked(table, SETTINGS)
    found += wrong
    if problems or broken:
        settings = settings._replace(**STRICTEST)
    version = front.get("mdmem")
    if isinstance(version, int) and version > FORMAT_VERSION:
        message = f"The vault's format is {version}, and this program knows {FORMAT_VERSION}."
        found.append(Problem("settings-newer", SETTINGS, 0, message, "Update markdown-memory-toolkit."))
    vault = front.get("vault")
    return Parsed(settings, str(vault or ""), version if isinstance(version, int) else 0, tuple(found))


def parse_config(text: str, path: str = "config.toml") -> tuple[UserConfig, tuple[Problem, ...]]:
    """The user's own config."""
    from markdown_memory.core.schema import check

    table, broken = _toml(text, 0)
    values, wrong = check(table, UserConfig, {}, {"integrity": ("", "normal", "strict")}, path)
    return UserConfig(**values), (*(problem._replace(path=path) for problem in broken), *wrong)


def settings_to_json(parsed: Parsed) -> str:
    """A checked value for a cache."""
    return json.dumps(parsed, separators=(",", ":"))


def settings_from_json(text: str) -> Parsed:
    """The value that `settings_to_json` wrote."""
    fields, vault_id, version, problems = json.loads(text)
    settings = Settings(*fields)
    settings = settings._replace(
        inherit=tuple(settings.inherit),
        projects=tuple(Project(*one)._replace(remotes=tuple(one[1])) for one in settings.projects),
    )
    return Parsed(settings, vault_id, version, tuple(Problem(*problem) for problem in problems))


def render_settings(
    vault_id: str, project: str = "", default_branch: str = "main", remotes: tuple[str, ...] = ()
) -> str:
    """Settings.md for a new vault, with every setting that people change explained."""
    listed = ", ".join(json.dumps(remote) for remote in remotes)
    name = project or "home"
    return f"""---
mdmem: {FORMAT_VERSION}
vault: {vault_id}
---

# Settings

The two properties above mark this folder as a vault; leave them as they are. What you change below counts from the next
command on. Settings can restrict what the package does here; commands, keys and addresses of services stand in your own
config, outside the vault.

```toml
# What an agent wants to keep for good waits for a person ("review"), or goes straight in ("direct").
store = "review"

# "strict" shows agents only what a confirmed key wrote or a person approved.
integrity = "normal"

# On a branch, the notes of these branches are seen too. "{DEFAULT_BRANCH}" is the project's default branch.
inherit = ["{DEFAULT_BRANCH}"]

# Notes of the category `daily` go to the archive after this many days, `conversation` after its own; 0 = never.
archive_after_days = 7
conversation_retention_days = 3

# Nothing is ever deleted from the archive unless this is true.
auto_purge = false

[projects.{json.dumps(name, ensure_ascii=False)}]
own = true
default_branch = {json.dumps(default_branch, ensure_ascii=False)}
remotes = [{listed}]
```
"""


def _checked(table: dict[str, Any], path: str) -> tuple[Settings, list[Problem]]:
    if not table:
        return Settings(), []
    from markdown_memory.core.schema import check

    projects, wrong = _projects(table.pop("projects", {}), path)
    values, more = check(table, Settings, LIMITS, CHOICES, path, skip=("projects",))
    wrong_keys = {problem.code.partition(":")[2] for problem in more}
    values |= {key: strict for key, strict in STRICTEST.items() if key in wrong_keys}
    settings = Settings(**values)._replace(projects=projects)
    if settings.vector_weight + settings.keyword_weight == 0:
        message = "`vector_weight` and `keyword_weight` are both 0; one must be above 0, and the defaults are taken."
        more.append(Problem("settings-value", path, 0, message, "Set one of them."))
        settings = settings._replace(vector_weight=0.7, keyword_weight=0.3)
    return settings, [*wrong, *(problem._replace(code=problem.code.partition(":")[0]) for problem in more)]


def _projects(table: object, path: str) -> tuple[tuple[Project, ...], list[Problem]]:
    from markdown_memory.core.schema import check

    if not isinstance(table, dict):
        message = "`projects` must be tables such as [projects.shop]."
        return (), [Problem("settings-value", path, 0, message, "Write one table for each project.")]
    projects, wrong = [], []
    for name, fields in table.items():
        values, more = check(fields if isinstance(fields, dict) else {}, Project, {}, {}, path, skip=("name",))
        projects.append(Project(name=str(name), **values))
        wrong += [problem._replace(code=problem.code.partition(":")[0]) for problem in more]
    return tuple(projects), wrong


def _toml_block(body: str) -> tuple[str, int]:
    """The text of the first ```toml block, and the line of the body in which it begins (0-based)."""
    lines = body.splitlines()
    for number, line in enumerate(lines):
        if line.strip().lower() == "```toml":
            block = []
            for inner in lines[number + 1 :]:
                if inner.strip() == "```":
                    break
                block.append(inner)
            return "\n".join(block), number + 1
    return "", 0


def _toml(text: str, line: int) -> tuple[dict[str, Any], list[Problem]]:
    if not text.strip():
        return {}, []
    import tomllib

    try:
        return tomllib.loads(text), []
    except tomllib.TOMLDecodeError as error:
        what = str(error)
        at = what.partition("at line ")[2].partition(",")[0]
        number = line + int(at) if at.isdigit() else line
        message = f"The TOML block cannot be read: {what.partition(' (at ')[0]}."
        return {}, [Problem("settings-broken", SETTINGS, number, message, "Correct that line.")]
