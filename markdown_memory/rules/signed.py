"""What a hit says about who has signed its text: the newest signed entry about the file, held against its bytes. Pure.

This is the short form of what `verify` finds out (attestation.py): one entry for each path, and no other file.
"""

from typing import NamedTuple

PERSON, AGENT, UNKNOWN = "person", "agent", ""
_STATES = {PERSON: "reviewed", AGENT: "unreviewed", UNKNOWN: "unconfirmed"}


class Signed(NamedTuple):
    """The newest signed state of a file: SHA-256 ("" when it was removed), who signed it, and as what."""

    sha256: str
    agent: str
    role: str


def attestation(signed: Signed | None, digests: frozenset[str]) -> tuple[str, str]:
    """The state and the signer, for a file whose bytes (or bytes with other line ends) have these digests."""
    if signed is None or not signed.sha256:
        return "unsigned", ""
    if signed.sha256 not in digests:
        return "by-hand", signed.agent
    return _STATES[signed.role], signed.agent
