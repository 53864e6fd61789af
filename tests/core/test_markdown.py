"""Links, tags and sentences as Obsidian has them."""

import time

import pytest

from markdown_memory.core.markdown import block_ids, first_sentence, links, mask, rewrite_links, tags, title


def targets(text: str) -> list[str]:
    return [link.target for link in links(text)]


@pytest.mark.parametrize(
    "text",
    [
        "`[[x]]`", "``a ` [[x]]``", "```\n[[x]]\n```",
        "~~~py\n[[x]]\n~~~\n", "> ```\n> [[x]]\n> ```\n", "- ```\n  [[x]]\n  ```\n",
        "para\n\n    [[x]]\n",
        "\t[[x]]\n", "%% [[x]] %%", "%%\n\n[[x]]\n%%", "<!-- [[x]] -->", "$[[x]]$", "$$\n[[x]]\n$$",
        "```\nunclosed [[x]]",
    ],
)  # fmt: skip
def test_links_in_code_comments_and_math_are_text(text: str) -> None:
    assert targets(text) == []
    assert len(mask(text)) == len(text)


@pytest.mark.parametrize(
    "text",
    [
        "- item\n    [[x]]\n", "it costs $5 and [[x]] $6",
        "a ` b [[x]]", "\\`[[x]]\\`", "~~[[x]]~~", "`a\n\nb` [[x]]", "<!-- a --> [[x]]",
        "`` ` `` [[x]]", "$ [[x]] $",
    ],
)  # fmt: skip
def test_links_beside_them_are_links(text: str) -> None:
    assert targets(text) == ["x"]


def test_every_form_of_link_is_taken_apart() -> None:
    text = "[[A b#H|label]] ![[pic.png]] "
    text += "[t](./Some%20note.md#Top%20x) [u](<a b.md>) | [[t\\|l]] | [w](https://x.y) [[#here]]"
    found = links(text)
    assert [(one.target, one.heading, one.label, one.embed, one.markdown) for one in found] == [
        ("A b", "H", "label", False, False),
        ("pic.png", "", "", True, False),
        ("Some note", "Top x", "t", False, True),
        ("a b", "", "u", False, True),
        ("t", "", "l", False, False),
        ("", "here", "", False, False),
    ]
    assert [text[one.start : one.end] for one in found][1] == "![[pic.png]]"


def test_a_rename_keeps_label_heading_and_style() -> None:
    text = '[[old#H|l]] ![[old]] [t](./dir/old.md#A%20b "T") `[[old]]` | [[old\\|l]] | [[other]]\r\n'
    assert rewrite_links(text, lambda target: target.endswith("old"), "new name") == (
        '[[new name#H|l]] ![[new name]] [t](./new%20name.md#A%20b "T") `[[old]]` | [[new name\\|l]] | [[other]]\r\n'
    )


def test_tags_and_block_ids() -> None:
    assert tags("#one #two/deep a#no #12 #1x `#code` #日本\n#one") == ("one", "two/deep", "1x", "日本")
    assert block_ids("text ^abc-1\n- item ^b2  \nno ^under_score\n`^code`\n^own") == ("abc-1", "b2", "own")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("# Title\n\n> [!note] Head\n\nFirst one. Second.", "First one."),
        ("- We use 3.5 of it, e.g. here. Next", "We use 3.5 of it, e.g. here."),
        ("```\ncode.\n```\nProse here", "Prose here"),
        ("我们用茶。第二句。", "我们用茶。"),
        ("Das gilt z.B. hier. Mehr.", "Das gilt z.B. hier."),
        ("one line\nand another\n\nnew", "one line and another"),
        ("", ""),
        ("# Only\n## headings", ""),
    ],
)
def test_the_first_sentence_of_prose(text: str, sentence: str) -> None:
    assert first_sentence(text) == sentence


def test_the_title_is_the_first_heading_outside_code() -> None:
    assert title("```\n# no\n```\n## two\n# The *title* #\n# second") == "The *title*"
    assert title("no heading") == ""


@pytest.mark.parametrize(
    "text",
    [
        "`" * 50_001,
        "` `` " * 20_000,
        "$a " * 50_000,
        "[[" * 50_000,
        "<!--" * 20_000,
        "%%a" * 20_001,
        "[" * 30_000 + "](" * 30_000,
    ],
)
def test_hostile_text_takes_no_more_time_than_long_text(text: str) -> None:
    start = time.process_time()
    links(text), tags(text), first_sentence(text)
    assert time.process_time() - start < 3.0
