"""The package, the vectors and a second implementation agree on every byte of the log format."""

import json
from pathlib import Path
from typing import Any

import pytest

from markdown_memory.core import entry as codec
from markdown_memory.core import log_names, log_text
from markdown_memory.core.entry import Entry, NotAnEntry, parse, render
from markdown_memory.core.log_layout import fingerprint_of, names_key, raw_key, writer_id
from markdown_memory.errors import FormatError, UserError
from tests.core import log_by_the_book as book

HERE = Path(__file__).parent
VECTORS: dict[str, Any] = json.loads((HERE / "log_vectors.json").read_text(encoding="utf-8"))
TEXT = (HERE.parents[1] / "vault-example/manual/log-format.md").read_text(encoding="utf-8")
ENTRIES: list[dict[str, Any]] = VECTORS["entries"]
GOOD = ENTRIES[2]


def read(vector: dict[str, Any]) -> Entry:
    return parse(vector["line"], vector["vault"], vector["log"], vector["key"])


def test_the_second_implementation_still_gives_the_vectors() -> None:
    assert book.vectors() == VECTORS


@pytest.mark.parametrize("vector", ENTRIES, ids=lambda vector: vector["line"][-20:])
def test_an_entry_of_the_vectors_is_read_hashed_and_written_to_the_byte(vector: dict[str, Any]) -> None:
    entry = read(vector)
    assert entry.text == vector["text"] and entry.values() == vector["data"]
    assert [str(head) for head in entry.seen] == vector["seen"] and list(entry.ack) == vector["ack"]
    assert codec.free_hash(entry.salt, log_text.escape(entry.text), entry.data) == entry.free == vector["free"]
    assert codec.payload(entry).decode() == vector["payload"]
    assert codec.entry_hash(entry) == vector["hash"]
    assert render(entry) == vector["line"]
    assert log_text.encode_data(vector["data"]) == vector["data_on_line"]


@pytest.mark.parametrize("vector", ENTRIES, ids=lambda vector: vector["line"][-20:])
def test_a_redacted_entry_keeps_its_hash_and_signature(vector: dict[str, Any]) -> None:
    blank = parse(vector["redacted"], vector["vault"], vector["log"], vector["key"])
    assert blank.redacted and blank.text == "[redacted]" and not blank.data
    assert codec.payload(blank).decode() == vector["payload"] and codec.entry_hash(blank) == vector["hash"]
    assert render(read(vector)._replace(salt="")) == render(blank) == vector["redacted"]


@pytest.mark.parametrize("case", VECTORS["refused"], ids=lambda case: case["why"])
def test_a_line_that_comes_near_an_entry_is_refused(case: dict[str, str]) -> None:
    assert case["line"] not in (vector["line"] for vector in ENTRIES), "the case changes nothing"
    with pytest.raises(NotAnEntry):
        parse(case["line"], VECTORS["vault"], "live-context", GOOD["key"])


@pytest.mark.parametrize("case", VECTORS["texts"], ids=lambda case: ascii(case["text"]))
def test_texts_are_escaped_and_come_back(case: dict[str, str]) -> None:
    assert log_text.escape(case["text"]) == case["on_line"]
    assert log_text.unescape(case["on_line"]) == case["text"]


@pytest.mark.parametrize("case", VECTORS["data"], ids=lambda case: next(iter(case["values"])))
def test_data_is_escaped_and_comes_back(case: dict[str, Any]) -> None:
    assert log_text.encode_data(case["values"]) == case["on_line"]
    assert log_text.decode_data(case["on_line"]) == case["values"]


@pytest.mark.parametrize("key", VECTORS["keys"], ids=lambda key: key["agent"])
def test_writers_are_named_after_their_keys(key: dict[str, str]) -> None:
    assert fingerprint_of(key["public"]) == key["fingerprint"]
    assert writer_id(key["agent"], key["fingerprint"]) == key["writer"]
    assert writer_id(key["agent"], key["fingerprint"], 6) == key["longer"]
    assert names_key(key["longer"], key["agent"], key["fingerprint"])
    assert not names_key(key["writer"], key["agent"], "SHA256:" + "A" * 43)
    assert not names_key(key["writer"][:-1], key["agent"], key["fingerprint"]), "three characters are too few"


@pytest.mark.parametrize(
    "public",
    ["", "ssh-ed25519", "ssh-rsa AAAA", "ssh-ed25519 AAAA", "ssh-ed25519 \n", VECTORS["keys"][0]["public"] + " me"],
)
def test_what_is_no_ed25519_key_is_refused_in_a_sentence(public: str) -> None:
    with pytest.raises(FormatError, match="is no Ed25519 public key"):
        raw_key(public)


def test_the_format_text_quotes_the_vectors() -> None:
    shipped = ENTRIES[1]
    for value in (
        shipped["line"],
        shipped["redacted"],
        shipped["hash"],
        shipped["salt"],
        VECTORS["unsigned"]["digest"],
    ):
        assert value in TEXT
    assert shipped["payload"] in TEXT
    for key in VECTORS["keys"][:1]:
        assert all(key[part] in TEXT for part in ("seed", "public", "fingerprint", "writer"))


def test_the_digest_of_a_hand_written_line_ignores_blanks_at_its_ends() -> None:
    assert log_text.unsigned_digest(VECTORS["unsigned"]["line"]) == VECTORS["unsigned"]["digest"]


def test_an_entry_of_another_log_is_told_apart() -> None:
    with pytest.raises(NotAnEntry, match=r"belongs to the log of \^live-…, not to ledger"):
        parse(GOOD["line"], GOOD["vault"], "ledger", GOOD["key"])


def test_a_text_is_trimmed_and_bounded() -> None:
    assert log_text.check_text("  two\nlines \n") == "two\nlines"
    assert log_text.check_text("odd \ud800") == "odd ?"
    with pytest.raises(UserError, match="needs a text"):
        log_text.check_text(" \n ")
    with pytest.raises(UserError, match="at most 4,000 characters and this text has 4,001"):
        log_text.check_text("x" * 4001)


def test_data_that_is_too_large_or_no_json_is_refused() -> None:
    with pytest.raises(UserError, match="16,000 characters"):
        log_text.encode_data({"a": "x" * 16_000})
    assert log_text.decode_data('{"a":') == {} == log_text.decode_data("[" * 100_000) == log_text.decode_data("[1]")


@pytest.mark.parametrize("name", ["lyra-k7f3-42", "^live-lyra-k7f3-42", "live-lyra-k7f3-42"])
def test_an_entry_is_found_by_any_of_its_names(name: str) -> None:
    assert log_names.writer_of_id(name) == ("lyra-k7f3", 42)


@pytest.mark.parametrize("name", ["", "lyra", "lyra-k7f3-0", "lyra k7f3 1", "42"])
def test_what_names_no_entry_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(UserError, match="names no log entry"):
        log_names.writer_of_id(name)


@pytest.mark.parametrize("vault", ["", "abc", "../../etc", "a b c d", "x" * 65, "-abcd"])
def test_a_vault_id_that_could_lead_elsewhere_is_refused(vault: str) -> None:
    with pytest.raises(FormatError, match="gives the vault the id"):
        log_names.check_vault_id(vault)


@pytest.mark.parametrize("slug", ["", "A", "a--b", "-a", "a-", "a" * 41, "a b", "ä", "a\n"])
def test_a_channel_that_would_break_the_line_is_refused(slug: str) -> None:
    with pytest.raises(UserError, match="cannot be the channel"):
        log_names.check_slug(slug, "channel")


def test_a_hostile_line_is_refused_quickly() -> None:
    start, end = GOOD["line"].split(" <!-- ", 1)
    for line in (
        start * 2000,
        (" <!-- mdmem1 1 prev=- " * 4000),
        f"{start} <!-- {end[:-80]}" + "} sig=" * 15_000,
        "- " + "a-" * 50_000,
    ):
        with pytest.raises(NotAnEntry):
            parse(line, GOOD["vault"], "live-context", GOOD["key"])
