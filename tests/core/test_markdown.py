"""Links, tags and sentences as Obsidian has them."""

import time

import pytest

from markdown_memory.core.markdown import block_ids, first_sentence, links, rewrite_links, tags, title
from markdown_memory.core.masking import mask


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
        "# head\n    [[x]]", "- a\n\n      [[x]]\n", "text\n\n>     [[x]]\n", "~~~ a`b\n[[x]]\n~~~",
        "```js\n``` no\n[[x]]\n```", "    one\n\n    [[x]]", "`\\` `[[x]]`",
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
        "    ```\n\n[[x]]", "> ```\n> code\n\n[[x]]", "> ```\n> code\n[[x]]", "- ```\n  code\n\n[[x]]",
        "```\n    ```\n```\n[[x]]", "````\n```\n````\n[[x]]", "``` a`b\n[[x]]", "para\n    [[x]]",
        "1. a\n\n   ```\n   ```\n   [[x]]", "- a\n\n\t- b\n\n\t\t- [[x]]", "# h `a\n[[x]] ` b", "`a\\` [[x]] `",
        "%%% [[x]] %%%", "100%% sure [[x]]", "`%%` [[x]] `%%`", "```\n%%\n```\n[[x]]\n%%", "`<!--` [[x]] -->",
        "$a$ [[x]] $b$", "\\$a [[x]] b$", "``` ```\n[[x]]", "- - -\n\n[[x]]", "[[[x]]]", "==[[x]]==",
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


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[a [b]](c.md)", ["c"]),
        ("[a \\[b\\] c](x.md)", ["x"]),
        ("[![alt](img.png)](c.md)", ["c", "img.png"]),
        ("[a](x(1).md) [b](<x y.md>) [c](x.md (T))", ["x(1)", "x y", "x"]),
        ("[a](mailto:a@b.c) [b](tel:1) [c](//host/x.md) [d](obsidian://open?x)", []),
        ("\\[a](x.md) [a](y.md", []),
        ("[[x]\n] [[y\nz]]", []),
    ],
)
def test_markdown_links_are_found_as_commonmark_has_them(text: str, found: list[str]) -> None:
    assert targets(text) == found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[[old#H|l]] ![[old]] [[old#^b1]]", "[[new name#H|l]] ![[new name]] [[new name#^b1]]"),
        ("| [[old\\|l]] | [[ old | l ]]", "| [[new name\\|l]] | [[ new name | l ]]"),
        ("[[old.md]] `[[old]]` [[other]]\r\n", "[[new name.md]] `[[old]]` [[other]]\r\n"),
        ('[t](dir/old.md#A%20b "T")', '[t](new%20name.md#A%20b "T")'),
        ("[t](<a b/old.md>) [t](old.md 'T')", "[t](<new name.md>) [t](new%20name.md 'T')"),
        ("[![i](old.md)](old.md)", "[![i](new%20name.md)](new%20name.md)"),
    ],
)
def test_a_rename_keeps_label_heading_and_style(old: str, new: str) -> None:
    assert rewrite_links(old, lambda target: target.endswith("old"), "new name") == new


def test_the_new_target_may_depend_on_how_the_old_one_is_written() -> None:
    text = "[a](./x.md) [a](../x.md) [[x]]"
    assert rewrite_links(text, lambda _: True, str.upper) == "[a](./X.md) [a](../X.md) [[X]]"


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
        ('He said "no." Then left.', 'He said "no."'),
        ("$$\nx\n$$\n\n> Quoted text. More", "Quoted text."),
        ("<!-- not\nthis -->\n%% nor this %%\nBut this\n```\ncode\n```", "But this"),
        ("", ""),
        ("# Only\n## headings", ""),
    ],
)
def test_the_first_sentence_of_prose(text: str, sentence: str) -> None:
    assert first_sentence(text) == sentence


def test_the_title_is_the_first_heading_outside_code() -> None:
    assert title("```\n# no\n```\n## two\n# The *title* #\n# second") == "The *title*"
    assert title("no heading") == ""
    assert title("# C#") == "C#"


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
        "[a](" * 30_000,
        "[\\[" * 30_000,
        "[x[y]" * 20_000,
        ">" * 50_000 + "\n" + "\n> a" * 5_000,
        "- " * 50_000 + "\n" * 5_000,
        "\\" * 100_000 + "`",
        "\t" * 50_000 + "x\n",
        "$$" + " \\$$" * 20_000,
        "[[a|" * 20_000,
        "- - - " * 20_000,
        ("a ` b\n\n" * 10_000),
        "#" * 100_000,
        "x." * 50_000,
    ],
)
def test_hostile_text_takes_no_more_time_than_long_text(text: str) -> None:
    start = time.process_time()
    links(text), tags(text), first_sentence(text)
    assert time.process_time() - start < 3.0
