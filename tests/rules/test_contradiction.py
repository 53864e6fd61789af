"""Which sentences cannot both hold, in three languages; and which only look alike."""

import pytest

from markdown_memory.rules.contradiction import conflicts
from markdown_memory.rules.similarity import NEAR, similarity, terms

OPPOSED = (
    ("The database is PostgreSQL 16.", "The database is PostgreSQL 14.", "16, not 14"),
    ("We use Postgres 16 as the database.", "The database is PostgreSQL 14.", "16, not 14"),
    ("Production runs PostgreSQL 17 since the upgrade.", "The database in production is PostgreSQL 16.", "17, not 16"),
    ("Deploys happen on Fridays.", "Deploys happen on Tuesdays.", "fridays, not tuesdays"),
    ("Mobile clients must not use PKCE.", "Mobile clients must use PKCE.", "a negation in one of them"),
    ("We don't cache responses.", "We cache responses.", "a negation in one of them"),
    ("Money is counted in euros.", "Money is counted in cents.", "another ending of the same sentence"),
    ("Tokens expire after 30 minutes.", "Tokens expire after fifteen or 15 minutes.", "30, not 15"),
    ("Retries: five", "Retries: 3", "five, not 3"),
    ("The cache is enabled in production.", "The cache is disabled in production.", "enabled, not disabled"),
    ("Backups run before the migration.", "Backups run after the migration.", "before, not after"),
    ("Die Datenbank ist PostgreSQL 16.", "Die Datenbank ist PostgreSQL 14.", "16, not 14"),
    ("Wir deployen nie am Freitag.", "Wir deployen am Freitag.", "a negation in one of them"),
    ("Der Server läuft nicht auf Port 8080.", "Der Server läuft auf Port 8080.", "a negation in one of them"),
    ("Wir deployen dienstags.", "Wir deployen freitags.", "dienstags, not freitags"),
    ("La base de données est PostgreSQL 16.", "La base de données est PostgreSQL 14.", "16, not 14"),
    ("On ne déploie jamais le vendredi.", "On déploie le vendredi.", "a negation in one of them"),
    ("L’API n’est pas publique.", "L'API est publique.", "a negation in one of them"),
    ("Nous déployons le mardi.", "Nous déployons le vendredi.", "mardi, not vendredi"),
)
COMPATIBLE = (
    ("Deploys happen on Tuesdays.", "The staging server is slow today."),
    ("The staging server runs nginx.", "The production server runs nginx."),
    ("Port 8080 is the web server.", "Port 9090 is the metrics server."),
    ("Mobile clients must use PKCE. The old flow leaks.", "Mobile clients must use PKCE."),
    ("Ella prefers short answers.", "Mara prefers screenshots in pull requests."),
    ("Tests run in 5 minutes.", "The build takes 3 minutes."),
    ("Wir nutzen Redis als Cache.", "Die Warteschlange liegt in RabbitMQ."),
    ("Le cache est dans Redis 7.", "La file d'attente est dans RabbitMQ."),
    ("Invoices are never deleted.", "Old log files are deleted after 30 days."),
    ("Use tabs in Makefiles.", "Use spaces in Python files."),
)


@pytest.mark.parametrize(("new", "old", "what"), OPPOSED)
def test_what_cannot_both_hold_is_named(new: str, old: str, what: str) -> None:
    (found,) = conflicts(new, old)
    assert (found.new, found.old, found.what) == (new, old, what)


@pytest.mark.parametrize(("new", "old"), COMPATIBLE)
def test_what_only_looks_alike_is_no_contradiction(new: str, old: str) -> None:
    assert conflicts(new, old) == () == conflicts(old, new)


def test_a_sentence_that_stands_in_the_old_text_contradicts_nothing_there() -> None:
    old = "The database is PostgreSQL 16. Before the move, the database was PostgreSQL 14."
    assert conflicts("The database is PostgreSQL 16.", old) == ()


def test_each_sentence_of_a_text_is_compared() -> None:
    found = conflicts(
        "- Deploys happen on Mondays.\n- Tokens expire after 5 minutes.",
        "# Rules\n\nDeploys happen on Tuesdays.\nTokens expire after 9 minutes.",
    )
    assert [one.what for one in found] == ["mondays, not tuesdays", "5, not 9"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mobile clients must use PKCE.", "PKCE must be used by every mobile client."),
        ("Wir verwenden Redis als Cache.", "Als Cache wird Redis verwendet."),
        ("Nous utilisons Redis pour le cache.", "Redis est utilisé pour le cache."),
        ("Deploys run on Tuesdays.", "Every deployment runs on Tuesday."),
    ],
)
def test_other_wording_in_the_same_language_is_near(one: str, other: str) -> None:
    assert similarity(terms(one), terms(other)) >= NEAR


def test_similarity_is_symmetric_one_for_equal_and_zero_for_unrelated_texts() -> None:
    one, other = terms("Mobile clients must use PKCE."), terms("Invoices are kept for ten years.")
    assert similarity(one, one) == 1.0
    assert similarity(one, other) == similarity(other, one) == 0.0
    assert similarity(one, frozenset()) == 0.0


def test_a_text_of_common_words_alone_still_has_terms() -> None:
    assert terms("It is what it is.") and not terms("…")
