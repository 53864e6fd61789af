"""Settings: what a vault says in Settings.md, and what a user says in their own config.

Settings.md is a note: its properties `mdmem` (format version) and `vault` (id) mark the folder as a vault, and one
fenced ```toml block holds the settings. It may restrict and never empower: commands, endpoints, keys and paths are
not among its names. A value that is wrong is a problem that names the file, the key and what is allowed, and the
default is taken; for the settings that protect (`store`, `integrity`, `acl_enabled`) the strictest value is taken
instead, also when only something near their name is there. Unknown keys are kept and reported.

The values are checked with pydantic (core/schema.py), which takes 50 ms to import. So a checked value can be stored
as JSON and read back without it.
"""

import json
from typing import Any, NamedTuple

from markdown_memory.core import frontmatter, toml_block
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


class Policy(NamedTuple):
    """Which proposals are accepted without a person; empty means any, and one of the first three must be given."""

    kinds: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    trust: tuple[str, ...] = ()
    similarity_below: float = 0.6
    """Only while nothing that is known is as much like it as this, from 0 to 1."""


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
    vector_weight: float = 0.45
    keyword_weight: float = 0.55
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
    proposals_per_session: int = 5
    proposals_per_day: int = 15
    fold_after_days: int = 30
    projects: tuple[Project, ...] = ()
    auto_accept: tuple[Policy, ...] = ()
    audit: bool = False
    on_conflict: str = "supersede"

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


KINDS = ("decision", "fact", "failure-pattern", "preference", "correction")
TRUSTS = ("user", "agent", "tool", "external")
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
    "proposals_per_session": (0, 10_000),
    "proposals_per_day": (0, 10_000),
    "fold_after_days": (0, 36_500),
}
CHOICES: dict[str, tuple[str, ...]] = {
    "store": ("review", "direct"),
    "integrity": ("normal", "strict"),
    "on_conflict": ("supersede", "keep_both", "keep_existing", "ask"),
}
STRICTEST: dict[str, Any] = {"store": "review", "integrity": "strict", "acl_enabled": True, "on_conflict": "ask"}


def parse(data: bytes) -> Parsed:
    """The settings in the bytes of Settings.md; never raises for what they hold."""
    front, body, problems = frontmatter.read(data)
    found = [problem._replace(path=SETTINGS, code="settings-broken") for problem in problems]
    block = toml_block.find(frontmatter.printable(body))
    above = data[: len(data) - len(body.encode("utf-8", "surrogateescape"))].count(b"\n") + block.line
    if not frontmatter.is_utf8(body):
        found.append(_broken("The file is not UTF-8.", 0, "Save it as UTF-8 in an editor."))
    if not block.blocks and _looks_like_settings(body):
        found.append(_broken("The settings stand in no ```toml block.", 0, "Put ```toml above them and ``` below."))
    table, broken = _table(block.text, SETTINGS, above)
    found += broken
    settings, wrong = _checked(table, block.text, above)
    if found:
        settings = settings._replace(**STRICTEST)
    found += wrong
    if block.blocks > 1:
        message = f"There are {block.blocks} ```toml blocks, and only the first counts."
        found.append(Problem("settings-blocks", SETTINGS, 0, message, "Move what the others say into the first."))
    version = _version(front.get("mdmem"))
    if version > FORMAT_VERSION:
        message = f"The vault's format is {version}, and this program knows {FORMAT_VERSION}."
        found.append(Problem("settings-newer", SETTINGS, 0, message, "Update markdown-memory-toolkit."))
    vault = front.get("vault")
    return Parsed(settings, "" if isinstance(vault, list | dict) else str(vault or ""), version, tuple(found))


def parse_config(text: str, path: str = "config.toml") -> tuple[UserConfig, tuple[Problem, ...]]:
    """The user's own config."""
    from markdown_memory.core.schema import Rules, check

    table, broken = _table(text, path, 0)
    checked = check(table, UserConfig, Rules(path, choices={"integrity": ("", "normal", "strict")}, text=text))
    return UserConfig(**checked.values), (*broken, *checked.problems)


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
        auto_accept=tuple(Policy(tuple(one[0]), tuple(one[1]), tuple(one[2]), one[3]) for one in settings.auto_accept),
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

# For how many days notes of the categories `daily` and `conversation` are meant to stay; 0 = for good. They lose rank
# as they age; none is moved to the archive by itself yet.
archive_after_days = 7
conversation_retention_days = 3

# What waits longer than this many days without being looked at is folded into one summary; 0 = never.
fold_after_days = 30

# Nothing is ever deleted from the archive unless this is true.
auto_purge = false

[projects.{json.dumps(name, ensure_ascii=False)}]
own = true
default_branch = {json.dumps(default_branch, ensure_ascii=False)}
remotes = [{listed}]
```
"""


def _broken(message: str, line: int, remedy: str) -> Problem:
    return Problem("settings-broken", SETTINGS, line, message, remedy)


def _version(value: object) -> int:
    """The format's version; a number in quotes or with a point is the same number."""
    text = str(value).removesuffix(".0")
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 10 and not isinstance(value, bool) else 0


def _looks_like_settings(body: str) -> bool:
    return any(line.partition("=")[0].strip() in Settings._fields for line in body.split("\n") if "=" in line)


def _table(text: str, path: str, above: int) -> tuple[dict[str, Any], list[Problem]]:
    try:
        return toml_block.load(text), []
    except toml_block.BrokenTomlError as broken:
        line = broken.line + above if broken.line else 0
        return {}, [Problem("settings-broken", path, line, f"{broken}.", "Correct that line.")]


def _checked(table: dict[str, Any], text: str, above: int) -> tuple[Settings, list[Problem]]:
    if not table:
        return Settings(), []
    from markdown_memory.core.schema import Rules, check

    projects, wrong = _projects(table.pop("projects", {}), text, above)
    policies, doubted = _policies(table.pop("auto_accept", []), text, above)
    wrong += doubted
    rules = Rules(SETTINGS, LIMITS, CHOICES, skip=("projects", "auto_accept"), text=text, above=above)
    checked = check(table, Settings, rules)
    strict = {key: value for key, value in STRICTEST.items() if key in checked.doubtful}
    settings = Settings(**(checked.values | strict))._replace(projects=projects, auto_accept=policies)
    problems = [*checked.problems, *wrong]
    if settings.vector_weight + settings.keyword_weight == 0:
        message = "`vector_weight` and `keyword_weight` are both 0; one must be above 0, and the defaults are taken."
        problems.append(Problem("settings-value", SETTINGS, 0, message, "Set one of them."))
        defaults = Settings()
        settings = settings._replace(vector_weight=defaults.vector_weight, keyword_weight=defaults.keyword_weight)
    return settings, problems


def _policies(rows: object, text: str, above: int) -> tuple[tuple[Policy, ...], list[Problem]]:
    """The policies that are right in every word; of one that is not, nothing is accepted."""
    from markdown_memory.core.schema import Rules, check

    wrong: list[Problem] = []
    policies: list[Policy] = []
    for number, row in enumerate(rows if isinstance(rows, list) else [rows], 1):
        prefix = f"auto_accept {number}: "
        rules = Rules(SETTINGS, {"similarity_below": (0, 1)}, text=text, above=above, prefix=prefix)
        if not isinstance(row, dict):
            problem = rules.problem(
                "settings-value", "auto_accept", "`auto_accept` must be [[auto_accept]] tables.", ""
            )
            wrong.append(problem._replace(remedy="Write one table for each policy."))
            continue
        checked = check(row, Policy, rules)
        policy = Policy(**checked.values)
        amiss = list(checked.problems) + [
            rules.problem("settings-value", "auto_accept", f"{prefix}{sentence}", "It accepts nothing until then.")
            for sentence in _amiss(policy)
        ]
        wrong += amiss
        if not amiss:
            policies.append(policy)
    return tuple(policies), wrong


def _amiss(policy: Policy) -> list[str]:
    """What makes a policy one that must not count."""
    found = []
    if not (policy.kinds or policy.agents or policy.trust):
        found.append("it must name `kinds`, `agents` or `trust`, or it would accept everything.")
    if "external" in policy.trust:
        found.append("what comes from outside is never accepted without a person; take `external` out of `trust`.")
    for key, known, given in (("kinds", KINDS, policy.kinds), ("trust", TRUSTS, policy.trust)):
        if unknown := [one for one in given if one not in known]:
            found.append(f"`{key}` holds {unknown[0]!r}; allowed are {', '.join(known)}.")
    return found


def _projects(table: object, text: str, above: int) -> tuple[tuple[Project, ...], list[Problem]]:
    from markdown_memory.core.schema import Rules, check

    wrong: list[Problem] = []
    projects: list[Project] = []
    for name, fields in table.items() if isinstance(table, dict) else [("", table)]:
        if not name or not isinstance(fields, dict):
            message = f"`projects{'.' * bool(name)}{name}` must be a table such as [projects.shop]."
            wrong.append(Problem("settings-value", SETTINGS, 0, message, "Write one table for each project."))
            continue
        rules = Rules(SETTINGS, skip=("name",), text=text, above=above, prefix=f"projects.{name}.")
        checked = check(fields, Project, rules)
        wrong += checked.problems
        projects.append(Project(name, **{key: value for key, value in checked.values.items() if value != ""}))
    owners = [project.name for project in projects if project.own]
    if len(owners) > 1:
        message = f"More than one project says `own = true` ({', '.join(owners)}); the first counts."
        wrong.append(Problem("settings-value", SETTINGS, 0, message, "Leave it at one."))
    return tuple(one._replace(own=one.own and one.name == owners[0]) for one in projects), wrong
