"""What a hit says about who signed it."""

import pytest

from markdown_memory.rules.signed import Signed, attestation


@pytest.mark.parametrize(
    ("signed", "said"),
    [
        (None, ("unsigned", "")),
        (Signed("", "ana", "person"), ("unsigned", "")),
        (Signed("a", "ana", "person"), ("reviewed", "ana")),
        (Signed("a", "lyra", "agent"), ("unreviewed", "lyra")),
        (Signed("a", "eve", ""), ("unconfirmed", "eve")),
        (Signed("b", "ana", "person"), ("reviewed", "ana")),
        (Signed("c", "ana", "person"), ("by-hand", "ana")),
    ],
)
def test_the_newest_signature_is_held_against_the_bytes(signed: Signed | None, said: tuple[str, str]) -> None:
    assert attestation(signed, frozenset(("a", "b"))) == said
