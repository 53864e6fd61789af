"""Law: every git ref has one folder, every folder one ref, and no folder is bad for any system."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from markdown_memory.core.scope import Scope, encode_name, folder_of, scope_of

FORBIDDEN = set(" ~^:?*[\\") | {chr(code) for code in (*range(32), 127)}
PARTS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs"], exclude_characters="".join(FORBIDDEN) + "/"),
    min_size=1,
    max_size=10,
).filter(
    lambda part: (
        not part.startswith(".") and not part.endswith((".", ".lock")) and ".." not in part and "@{" not in part
    )
)
REFS = st.lists(PARTS, min_size=1, max_size=3).map("/".join)


@given(REFS, st.one_of(st.just(""), REFS))
@settings(derandomize=True)
def test_a_ref_comes_back_from_its_folder(branch: str, project: str) -> None:
    scope = Scope(project, branch)
    assert scope_of(folder_of(scope)) == scope


@given(REFS, REFS)
@settings(derandomize=True)
def test_two_refs_never_share_a_folder(one: str, other: str) -> None:
    assume(one != other)
    assert encode_name(one) != encode_name(other)


@given(REFS)
@settings(derandomize=True)
def test_a_folder_name_is_legal_everywhere(ref: str) -> None:
    folder = encode_name(ref)
    assert not set(folder) & set('/\\:*?"<>|#[]%^')
    assert not folder.endswith((".", " ")) and not folder.startswith("@")
