"""What Settings.md and config.toml may say."""

import pytest

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
        ("own = true", 'own = "me"', "`own` is 'me'", "true or false"),
    ],
)
def test_a_wrong_value_names_file_key_and_what_is_allowed(old: str, new: str, message: str, allowed: str) -> None:
    (problem,) = parse(changed(old, new)).problems
    assert problem.path == "Settings.md" and problem.code == "settings-value"
    assert message in problem.message and allowed in problem.message


def test_both_weights_at_nothing_are_refused() -> None:
    parsed = parse(changed("auto_purge = false", "vector_weight = 0\nkeyword_weight = 0"))
    assert "both 0" in parsed.problems[0].message
    assert parsed.settings.vector_weight == 0.7


def test_an_unknown_key_is_reported_with_a_near_name() -> None:
    (problem,) = parse(changed("auto_purge", "auto_purg")).problems
    assert "auto_purg" in problem.message and "`auto_purge`" in problem.remedy


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


def test_a_newer_format_is_said() -> None:
    assert parse(FRESH.replace("mdmem: 1", "mdmem: 9").encode()).problems[0].code == "settings-newer"


def test_a_note_without_the_block_has_the_defaults() -> None:
    assert parse(b"---\nmdmem: 1\nvault: x\n---\n").settings == Settings()


def test_the_users_config() -> None:
    config, problems = parse_config('default_vault = "~/Memory"\nperson = "mara"\nfoo = 1\n')
    assert (config.default_vault, config.person) == ("~/Memory", "mara")
    assert [problem.path for problem in problems] == ["config.toml"]
