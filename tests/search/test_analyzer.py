"""What a word becomes, in notes and in queries."""

from pathlib import Path

import pytest

from markdown_memory.search.analyzer import content_words, note_terms, occurrences, query_terms, tokens

# note, query, whether one should lead to the other
PROBES = [
    ("The team is running late", "run"),
    ("The team is running late", "runs"),
    ("We met in the café", "cafe"),
    ("We met in the cafe\u0301", "café"),
    ("Die Straße ist gesperrt", "strasse"),
    ("Der Kühlschrank ist leer", "Kuhlschrank"),
    ("Øresund and Łódź", "oresund lodz"),
    ("ÖPNV-Ticket", "opnv"),
    ("İstanbul", "istanbul"),
    ("L'école est finie", "ecole"),
    ("Ella's keyboard", "ella"),
    ("黒猫が好きです", "猫"),
    ("黒猫が好きです", "黒猫"),
    ("我们在上海开会", "上海"),
    ("회의는 서울에서 합니다", "서울"),
    ("ภาษาไทย", "ไทย"),
    ("हिन्दी में लिखा", "हिन्दी"),
    ("Встреча в Москве, ёлка", "елка"),
    ("التقرير جاهز", "التقرير"),
    ("Ship it 🚀", "🚀"),
    ("Done ✅", "✅"),
    ("call get_user_name()", "user"),
    ("call get_user_name()", "get_user_name"),
    ("class HttpResponseParser", "response parser"),
    ("class HttpResponseParser", "httpresponseparser"),
    ("set server.port first", "port"),
    ("set server.port first", "server.port"),
    ("version 1.10.2 is out", "1.10.2"),
    ("see CVE-2024-1234", "cve-2024-1234"),
    ("PR88 fixed it", "88"),
    ("on GitHub", "github"),
    ("OAuth2 with PKCE", "oauth2"),
    ("ﬁne ＡＢＣ", "fine abc"),
]


@pytest.mark.parametrize(("note", "query"), PROBES)
def test_a_query_finds_the_note(note: str, query: str) -> None:
    held = {term for token in tokens(note) for term in note_terms(token)}
    assert set(query_terms(query)) <= held


def test_an_identifier_counts_as_a_whole_and_by_its_parts() -> None:
    whole, *parts = note_terms("getHTTPResponse_v2")
    assert whole == "gethttpresponse_v2"
    assert parts == ["gethttprespons", "get", "http", "respons", "2"]


def test_a_plain_word_is_one_stem() -> None:
    assert note_terms("databases") == ("databas",)


def test_a_query_drops_function_and_question_words() -> None:
    assert query_terms("When did Caroline go to the support group?") == ["carolin", "support", "group"]


def test_a_query_of_function_words_keeps_them() -> None:
    assert query_terms("to be or not to be") == ["to", "be", "or", "not"]


def test_a_capital_inside_a_sentence_is_a_name() -> None:
    assert content_words("what happened in May") == ["happened", "May"]
    assert content_words("what did Will say to IT") == ["Will", "say", "IT"]
    assert content_words("What may happen") == ["happen"]


def test_a_query_in_chinese_is_pairs_and_a_note_keeps_single_characters() -> None:
    assert query_terms("上海市") == ["上海", "海市"]
    assert note_terms("上海市") == ("上海", "海市", "上", "海", "市")


def test_punctuation_alone_is_no_term() -> None:
    assert query_terms("?! -- …") == []


def test_occurrences_are_those_of_every_word_stemmed() -> None:
    notes = sorted(Path(__file__).parents[2].glob("vault-example/**/*.md"))
    text = (
        "".join(path.read_text(encoding="utf-8") for path in notes) + " dying lies tied SKIES İstanbul get_user 上海市"
    )
    words: dict[str, list[str]] = {}
    for token in tokens(text):
        for term in note_terms(token)[:1]:
            words.setdefault(term, []).append(token)
    for term, tellings in words.items():
        assert occurrences({term, "something"}, " ".join([*tellings, "qqq"])) == ([len(tellings)], len(tellings) + 1)
    assert occurrences({"run"}, "running far away from here", 0.2) == ([1], 5)
    assert occurrences({"run"}, "running far away from here", 0.3) == ([], 5)
