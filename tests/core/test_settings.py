"""What Settings.md and config.toml may say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from markdown_memory.core.settings import (
    Project,
    Settings,
    parse,
    parse_config,
    render_settings,
    settings_from_json,
    settings_to_json,
)  # fmt: skip

FRESH = render_settings("k3v9", "shop", "trunk", ("github.com/a/b",))


def changed(old: str, new: str) -> bytes:
    assert old in FRESH
    return FRESH.replace(old, new).encode()


def test_a_fresh_file_reads_clean() -> None:
    parsed = parse(FRESH.encode())
    assert (parsed.vault_id, parsed.version, parsed.problems) == ("k3v9", 1, ())
    assert parsed.settings == Settings(
        inherit=("<default>",), projects=(Project("shop", ("github.com/a/b",), "trunk", own=True),)
    )
    assert parsed.settings.default_branch("") == parsed.settings.default_branch("shop") == "trunk"


def test_a_checked_value_survives_the_cache() -> None:
    parsed = parse(changed("auto_purge = false", "auto_purge = 3"))
    assert settings_from_json(settings_to_json(parsed)) == parsed


@pytest.mark.parametrize(
    ("old", "new", "message", "allowed"),
    [
        (
            "archive_after_days = 7",
            "archive_after_days = -1",
            "`archive_after_days` is -1",
            "a whole number from 0 to 36500",
        ),
        ("archive_after_days = 7", "archive_after_days = 1.5", "`archive_after_days` is 1.5", "a whole number"),
        ("auto_purge = false", 'auto_purge = "yes"', "`auto_purge` is 'yes'", "true or false"),
        ("auto_purge = false", "vector_weight = inf", "`vector_weight` is inf", "a number from 0 to 1000"),
        ("auto_purge = false", "max_recall_items = 0", "`max_recall_items` is 0", "from 1 to 1000"),
        ('store = "review"', 'store = "dirct"', "`store` is 'dirct'", '"review" or "direct"'),
        ("inherit = [", "inherit = [3, ", "`inherit` is [3, '<default>']", "a list of texts"),
        ("own = true", 'own = "me"', "`projects.shop.own` is 'me'", "true or false"),
    ],
)
def test_a_wrong_value_names_file_key_and_what_is_allowed(old: str, new: str, message: str, allowed: str) -> None:
    (problem,) = parse(changed(old, new)).problems
    assert problem.path == "Settings.md" and problem.code == "settings-value"
    assert message in problem.message and allowed in problem.message


def test_both_weights_at_nothing_are_refused() -> None:
    parsed = parse(changed("auto_purge = false", "vector_weight = 0\nkeyword_weight = 0"))
    assert "both 0" in parsed.problems[0].message
    assert parsed.settings.vector_weight == Settings().vector_weight


def test_an_unknown_key_is_reported_with_a_near_name() -> None:
    (problem,) = parse(changed("auto_purge", "auto_purg")).problems
    assert "auto_purg" in problem.message and "`auto_purge`" in problem.remedy
    assert FRESH.split("\n")[problem.line - 1].startswith("auto_purge")
    (problem,) = parse(changed("auto_purge = false", 'llm_command = "rm"')).problems
    assert "in your own config only" in problem.remedy


def test_a_misspelt_protective_setting_takes_the_strictest_value() -> None:
    settings = parse(changed('integrity = "normal"', 'integrty = "strict"\nacl_enable = true')).settings
    assert (settings.integrity, settings.acl_enabled) == ("strict", True)


def test_a_wrong_protective_setting_takes_the_strictest_value() -> None:
    settings = parse(changed('integrity = "normal"', 'integrity = "lax"\nacl_enabled = "no"')).settings
    assert (settings.integrity, settings.acl_enabled, settings.store) == ("strict", True, "review")


@pytest.mark.parametrize(
    "data", [changed("auto_purge = false", "auto_purge ="), FRESH.replace("mdmem: 1", "mdmem: [").encode()]
)
def test_a_broken_file_fails_closed_and_says_where(data: bytes) -> None:
    parsed = parse(data)
    assert (parsed.settings.store, parsed.settings.integrity, parsed.settings.acl_enabled) == ("review", "strict", True)
    assert parsed.problems[0].code == "settings-broken" and parsed.problems[0].line > 0


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (changed("archive_after_days = 7", "archive_after_days = " + "9" * 5000), "a number that is too long"),
        (changed("archive_after_days = 7", "x = " + "[" * 50), "cannot be read"),
        (changed("archive_after_days = 7", "x = " + "[" * 5000 + "]" * 5000), "nested too deeply"),
        (FRESH.encode() + b"\xe9", "not UTF-8"),
        (FRESH.replace("```toml", "").replace("```", "").encode(), "no ```toml block"),
        (changed('store = "review"', "<<<<<<< ours"), "cannot be read"),
        (b"\x00\xff", "not UTF-8"),
    ],
)
def test_whatever_breaks_the_file_fails_closed(data: bytes, message: str) -> None:
    parsed = parse(data)
    assert message in parsed.problems[0].message
    assert (parsed.settings.integrity, parsed.settings.acl_enabled) == ("strict", True)


@pytest.mark.parametrize(
    ("fence", "closing"), [("```toml title", "```"), ("~~~ toml", "~~~"), ("````TOML", "````"), ("  ```toml", "  ```")]
)
def test_the_block_may_be_fenced_in_any_way(fence: str, closing: str) -> None:
    text = changed('integrity = "normal"', 'integrity = "strict"').decode()
    text = text.replace("```toml", fence).replace("\n```\n", f"\n{closing}\n")
    for data in (text.encode(), text.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf" + text.encode()):
        assert parse(data).settings.integrity == "strict"
        assert parse(data).problems == ()


def test_a_block_inside_another_fence_is_text_and_a_second_block_is_named() -> None:
    example = "````\n```toml\nintegrity = 'strict'\n```\n````\n"
    assert parse(FRESH.replace("# Settings\n", f"# Settings\n{example}").encode()).settings.integrity == "normal"
    (problem,) = parse(FRESH.encode() + b'```toml\nstore = "direct"\n```\n').problems
    assert problem.code == "settings-blocks" and "only the first counts" in problem.message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('[projects."shop"]', '[projects.""]', "`projects` must be a table"),
        ('[projects."shop"]', "projects = [1]\n[x]", "`projects` must be a table"),
        ('[projects."shop"]', '[projects]\nb = "x"\n[projects.shop]', "`projects.b` must be a table"),
        ('[projects."shop"]', "[projects.b]\nown = true\n[projects.shop]", "More than one project says"),
    ],
)
def test_projects_are_tables_with_a_name_of_which_one_is_the_vaults_own(old: str, new: str, message: str) -> None:
    parsed = parse(changed(old, new))
    assert any(message in problem.message for problem in parsed.problems)
    assert len([project for project in parsed.settings.projects if project.own]) <= 1


@pytest.mark.parametrize(("written", "version"), [("1", 1), ("'1'", 1), ("1.0", 1), ("-1", 0), ("true", 0), ("x", 0)])
def test_the_formats_version_is_a_number_however_it_is_written(written: str, version: int) -> None:
    assert parse(FRESH.replace("mdmem: 1", f"mdmem: {written}").encode()).version == version


def test_a_newer_format_is_said() -> None:
    assert parse(FRESH.replace("mdmem: 1", "mdmem: 9").encode()).problems[0].code == "settings-newer"


def test_a_note_without_the_block_has_the_defaults() -> None:
    assert parse(b"---\nmdmem: 1\nvault: x\n---\n").settings == Settings()


PARTS = st.sampled_from(
    [
        "---\n",
        "mdmem: 1\n",
        "vault: x\n",
        "```toml\n",
        "```\n",
        "store = ",
        '"direct"\n',
        "[projects.a]\n",
        "= 1\n",
        "[[",
        "\0",
        "é",
    ]
)


@given(st.one_of(st.binary(max_size=60), st.lists(PARTS, max_size=12).map(lambda parts: "".join(parts).encode())))
def test_any_bytes_have_settings(data: bytes) -> None:
    parsed = parse(data)
    assert settings_from_json(settings_to_json(parsed)) == parsed
    assert parsed.settings.store == "review" or b"direct" in data


def test_the_users_config() -> None:
    config, problems = parse_config('default_vault = "~/Memory"\nperson = "mara"\nfoo = 1\n')
    assert (config.default_vault, config.person) == ("~/Memory", "mara")
    assert [(problem.path, problem.line) for problem in problems] == [("config.toml", 3)]
    _, (problem,) = parse_config('\ufeffperson = "x"\nintegrity =')
    assert (problem.code, problem.line) == ("settings-broken", 2)
