"""What Obsidian reads besides notes, checked against its documented formats: settings, Bases, Canvas, templates.

Bases: keys, views, filters, property ids and functions as in Obsidian's help, pages "Bases syntax" and "Functions".
Canvas: JSON Canvas 1.0. `types.json` is not documented; its words are those that the app writes.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
TEMPLATES, EXAMPLE = ROOT / "templates", ROOT / "vault-example"
SETTINGS = [TEMPLATES / "vault" / ".obsidian", EXAMPLE / ".obsidian"]

TYPES = {"text", "multitext", "number", "checkbox", "date", "datetime", "aliases", "tags"}
RESERVED = {"tags": "tags", "aliases": "aliases", "cssclasses": "multitext"}
PLUGINS = (
    "audio-recorder backlink bases bookmarks canvas command-palette daily-notes editor-status file-explorer "
    "file-recovery footnotes global-search graph markdown-importer note-composer outgoing-link outline page-preview "
    "properties publish random-note slash-command slides switcher sync tag-pane templates webviewer word-count "
    "workspaces zk-prefixer"
).split()
APP_SETTINGS: dict[str, object] = {
    "alwaysUpdateLinks": bool,
    "newLinkFormat": ("shortest", "relative", "absolute"),
    "promptDelete": bool,
    "trashOption": ("system", "local", "none"),
    "useMarkdownLinks": bool,
    "userIgnoreFilters": list,
    "attachmentFolderPath": str,
}

FUNCTIONS = (
    "date duration now today if link list file image icon html escapeHTML max min number random isTruthy isType "
    "toString contains containsAll containsAny startsWith endsWith lower title trim replace split slice repeat reverse "
    "isEmpty abs ceil floor round toFixed filter map reduce flat join sort unique format relative time year month day "
    "hour minute second millisecond asFile linksTo keys values matches hasTag inFolder hasLink hasProperty asLink"
).split()
FILE_PROPERTIES = "name basename path folder ext size ctime mtime tags links embeds backlinks properties file".split()
SUMMARIES = "Average Min Max Sum Range Median Stddev Earliest Latest Checked Unchecked Empty Filled Unique".split()
VIEW_KEYS = set(
    "type name filters groupBy order limit summaries sort columnSize rowHeight image imageFit cardSize".split()
)


def bases() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every base: files, and the code blocks with the language `base` in notes."""
    for path in sorted([*TEMPLATES.rglob("*.base"), *EXAMPLE.rglob("*.base")]):
        yield str(path.relative_to(ROOT)), yaml.safe_load(path.read_text("utf-8"))
    for path in sorted([*TEMPLATES.rglob("*.md"), *EXAMPLE.rglob("*.md")]):
        for number, block in enumerate(re.findall(r"^```base\n(.*?)^```", path.read_text("utf-8"), re.M | re.S)):
            yield f"{path.relative_to(ROOT)} block {number + 1}", yaml.safe_load(block)


BASES = list(bases())
each_base = pytest.mark.parametrize("base", [base for _, base in BASES], ids=[name for name, _ in BASES])
each_settings = pytest.mark.parametrize("folder", SETTINGS, ids=["templates", "vault-example"])


def expressions(filters: object) -> Iterator[str]:
    """The expressions of a filter: a string, or a map with one of and, or, not over a list."""
    if isinstance(filters, str):
        yield filters
        return
    assert isinstance(filters, dict) and len(filters) == 1, f"a filter is a string or one of and/or/not: {filters!r}"
    ((word, parts),) = filters.items()
    assert word in ("and", "or", "not") and isinstance(parts, list), f"{word}: {parts!r}"
    for part in parts:
        yield from expressions(part)


def check_expression(text: str, formulas: set[str]) -> None:
    bare = re.sub(r'"[^"]*"|\'[^\']*\'', '""', text)
    assert bare.count("(") == bare.count(")"), text
    for name in re.findall(r"([A-Za-z]\w*)\(", bare):
        assert name in FUNCTIONS, f"{name}() is no function of Bases: {text}"
    for word in re.findall(r"\bfile\.(\w+)", bare):
        assert word in FILE_PROPERTIES or word in FUNCTIONS, f"file.{word} in {text}"
    for word in re.findall(r"\bformula\.(\w+)", bare):
        assert word in formulas, f"formula.{word} is not defined: {text}"


def check_property(name: str, formulas: set[str], known: set[str]) -> None:
    prefix, _, rest = name.rpartition(".")
    assert prefix in ("", "note", "file", "formula"), name
    names = {"file": set(FILE_PROPERTIES), "formula": formulas}.get(prefix, known)
    assert rest in names, f"{name} is no property that is known"


def known_properties() -> set[str]:
    types: dict[str, str] = json.loads((SETTINGS[0] / "types.json").read_text("utf-8"))["types"]
    return set(types)


@each_base
def test_a_base_has_only_documented_keys(base: dict[str, Any]) -> None:
    assert set(base) <= {"filters", "formulas", "properties", "summaries", "views"}
    for view in base["views"]:
        assert set(view) <= VIEW_KEYS and view["type"] in ("table", "cards", "list")
        assert isinstance(view["name"], str) and isinstance(view.get("limit", 1), int)
    assert len({view["name"] for view in base["views"]}) == len(base["views"])


@each_base
def test_every_expression_of_a_base_uses_functions_and_properties_that_exist(base: dict[str, Any]) -> None:
    formulas = base.get("formulas", {})
    filters = [part["filters"] for part in (base, *base["views"]) if "filters" in part]
    for text in [*formulas.values(), *(text for part in filters for text in expressions(part))]:
        check_expression(text, set(formulas))


@each_base
def test_every_column_group_and_sort_of_a_base_names_a_property(base: dict[str, Any]) -> None:
    formulas, known = set(base.get("formulas", {})), known_properties()
    named = [*base.get("properties", {})]
    for view in base["views"]:
        named += [*view.get("order", []), *view.get("columnSize", {}), *view.get("summaries", {})]
        named += [rule["property"] for rule in [*view.get("sort", []), *filter(None, [view.get("groupBy")])]]
    for name in named:
        check_property(name, formulas, known)


@each_base
def test_sorts_groups_and_summaries_of_a_base_have_their_form(base: dict[str, Any]) -> None:
    for view in base["views"]:
        for rule in [*view.get("sort", []), *filter(None, [view.get("groupBy")])]:
            assert set(rule) == {"property", "direction"} and rule["direction"] in ("ASC", "DESC")
        assert set(view.get("summaries", {}).values()) <= {*SUMMARIES, *base.get("summaries", {})}


def test_the_review_base_opens_with_cards_that_carry_what_is_needed_to_decide() -> None:
    base = yaml.safe_load((TEMPLATES / "vault" / "Review.base").read_text("utf-8"))
    first = base["views"][0]
    assert first["type"] == "cards"
    assert first["order"][:4] == ["description", "accept", "reject", "formula.conflict"]
    groups = [view["groupBy"]["property"] for view in base["views"] if "groupBy" in view]
    assert groups == ["agent", "formula.conflict"]


def test_the_review_base_finds_proposals_by_properties_and_not_by_folders() -> None:
    text = (TEMPLATES / "vault" / "Review.base").read_text("utf-8")
    assert "inFolder" not in text and "file.folder" not in text
    assert text.count("file.path") == text.count('!file.path.contains("archive/inbox/")') == 1  # decided ones stay out


@each_settings
def test_every_property_type_is_a_word_that_obsidian_knows(folder: Path) -> None:
    document = json.loads((folder / "types.json").read_text("utf-8"))
    assert set(document) == {"types"}
    assert set(document["types"].values()) <= TYPES
    assert {key: document["types"][key] for key in RESERVED} == RESERVED


@each_settings
def test_core_plugins_are_known_and_the_needed_ones_are_on(folder: Path) -> None:
    plugins = json.loads((folder / "core-plugins.json").read_text("utf-8"))
    assert set(plugins) <= set(PLUGINS) and all(isinstance(on, bool) for on in plugins.values())
    assert all(plugins[name] for name in ("bases", "canvas", "templates", "properties", "backlink"))


@each_settings
def test_app_settings_are_known_and_hide_no_folder(folder: Path) -> None:
    for key, value in json.loads((folder / "app.json").read_text("utf-8")).items():
        wanted = APP_SETTINGS[key]
        assert value in wanted if isinstance(wanted, tuple) else isinstance(value, wanted)  # type: ignore[arg-type]
    assert "userIgnoreFilters" not in (folder / "app.json").read_text("utf-8")  # it would empty Review.base


def test_the_templates_plugin_is_told_the_folder_in_which_the_templates_are() -> None:
    for folder in SETTINGS:
        settings = json.loads((folder / "templates.json").read_text("utf-8"))
        assert set(settings) <= {"folder", "dateFormat", "timeFormat"} and settings["folder"] == "templates"


@pytest.mark.parametrize("path", sorted((TEMPLATES / "notes").glob("*.md")), ids=lambda path: path.stem)
def test_a_note_template_uses_only_the_placeholders_of_the_templates_plugin(path: Path) -> None:
    text = path.read_text("utf-8")
    assert set(re.findall(r"\{\{(\w+)", text)) <= {"title", "date", "time"}
    front = yaml.safe_load(text.split("---\n")[1])  # an unquoted placeholder would be a map
    assert front["name"] == "{{title}}" and front["description"]
    if path.stem != "Skill":
        assert front["created"] == "{{date}}"
        assert front["type"] in ("user", "feedback", "project", "reference")


def test_a_template_for_init_uses_only_the_placeholders_that_init_fills() -> None:
    for path in (TEMPLATES / "vault").rglob("*"):
        if path.is_file():
            assert set(re.findall(r"\{\{(.*?)\}\}", path.read_text("utf-8"))) <= {"agent", "person", "project", "date"}


def test_the_example_has_the_same_settings_templates_and_review_base_as_a_new_vault() -> None:
    copies = {EXAMPLE / "Review.base": TEMPLATES / "vault" / "Review.base"}
    copies |= {EXAMPLE / "templates" / path.name: path for path in (TEMPLATES / "notes").iterdir()}
    copies |= {EXAMPLE / ".obsidian" / path.name: path for path in SETTINGS[0].iterdir()}
    for copy, original in copies.items():
        assert copy.read_bytes() == original.read_bytes(), copy


def test_what_agents_are_told_in_the_example_is_what_a_new_vault_tells_them() -> None:
    template = (TEMPLATES / "vault" / "AGENTS.md").read_text("utf-8")
    filled = template.replace("{{person}}", "Mara").replace("{{project}}", "Harbor")
    assert (EXAMPLE / "AGENTS.md").read_text("utf-8") == filled


@pytest.mark.parametrize("path", sorted(EXAMPLE.rglob("*.canvas")), ids=lambda path: path.stem)
def test_a_canvas_follows_json_canvas_and_its_files_exist(path: Path) -> None:
    canvas = json.loads(path.read_text("utf-8"))
    ids = [node["id"] for node in canvas["nodes"]]
    assert len(set(ids)) == len(ids) and set(canvas) <= {"nodes", "edges"}
    for node in canvas["nodes"]:
        check_node(node)
    for edge in canvas["edges"]:
        check_edge(edge, ids)


def check_node(node: dict[str, Any]) -> None:
    content = {"text": "text", "file": "file", "link": "url", "group": "label"}[node["type"]]
    assert set(node) <= {"id", "type", "x", "y", "width", "height", "color", content}
    assert all(isinstance(node[key], int) for key in ("x", "y", "width", "height"))
    assert re.fullmatch(r"[1-6]|#[0-9A-Fa-f]{6}", node.get("color", "1"))
    assert isinstance(node[content], str)
    if node["type"] == "file":
        assert (EXAMPLE / node["file"]).is_file(), node["file"]


def check_edge(edge: dict[str, Any], ids: list[str]) -> None:
    assert edge["fromNode"] in ids and edge["toNode"] in ids
    assert {edge.get("fromSide", "top"), edge.get("toSide", "top")} <= {"top", "right", "bottom", "left"}
    assert set(edge) <= {"id", "fromNode", "toNode", "fromSide", "toSide", "fromEnd", "toEnd", "color", "label"}
