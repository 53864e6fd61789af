"""Law: a mask has the text's length and lines, and what it hides holds no link."""

from hypothesis import given
from hypothesis import strategies as st

from markdown_memory.core.markdown import block_ids, first_sentence, links, rewrite_links, tags, title
from markdown_memory.core.masking import mask

PIECES = st.sampled_from(
    "a|`|``|```|~~~|%%|%|<!--|-->|$|$$|\n|\n\n|\r\n|    |\t|> |- |1. |# |\\".split("|")
    + "[[x]]|[x](y.md)|[|]|(|)|#tag|^id| |日|😀|---".split("|")
)
TEXTS = st.lists(PIECES, max_size=25).map("".join)
PROSE = st.text(st.sampled_from("abc xyz.,日"), min_size=1, max_size=20).map(lambda text: f"p {text}")


@given(TEXTS)
def test_a_mask_keeps_length_and_lines_and_only_blanks(text: str) -> None:
    masked = mask(text)
    assert len(masked) == len(text)
    assert all(new == old or (new == " " and old not in "\r\n") for new, old in zip(masked, text, strict=True))
    assert mask(masked).count("\n") == text.count("\n")


@given(TEXTS)
def test_links_can_be_cut_out_of_the_text(text: str) -> None:
    for link in links(text):
        whole = text[link.start : link.end]
        assert whole.startswith(("[", "![")) and whole.endswith(")" if link.markdown else "]]")
        assert mask(text)[link.start : link.end].strip()


@given(TEXTS)
def test_any_text_can_be_taken_apart(text: str) -> None:
    assert all(isinstance(one, str) for one in (*tags(text), *block_ids(text), title(text), first_sentence(text)))
    assert "\n" not in first_sentence(text) + title(text)


@given(
    PROSE, st.sampled_from(["```\n{}\n```", "~~~~\n{}\n~~~~", "`{}`", "``{}``", "%%{}%%", "<!--{}-->", "$${}$$"]), PROSE
)
def test_a_link_in_code_comment_or_math_is_text(before: str, hidden: str, after: str) -> None:
    text = f"{before}\n\n{hidden.format('[[hidden]]')}\n\n{after} [[seen]]\n"
    assert [link.target for link in links(text)] == ["seen"]


@given(TEXTS)
def test_a_rewrite_to_the_same_target_changes_no_byte(text: str) -> None:
    assert rewrite_links(text, lambda _: True, lambda written: written) == text
    assert rewrite_links(text, lambda _: False, "other") == text
