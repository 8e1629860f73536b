"""
The chain: one row per transaction, each hash covering the row's fields and the hash before it.

A head kept elsewhere shows a cut tail.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from semantica_rdf.errors import ValidationError
from semantica_rdf.ledger.commitments import chained

_HEAD = re.compile(r"(\d{1,18}):([0-9a-f]{64})", re.ASCII)
GENESIS = bytes(32)
"""The hash before the first row's."""


class JournalRow(NamedTuple):
    """One transaction in the chain; `hash` covers all the fields before it."""

    sequence: int
    recorded_at: int
    operation: str
    reason_code: str
    asserted: int
    superseded: int
    minted: int
    root: bytes
    previous: bytes
    hash: bytes

    @classmethod
    def chained(
        cls,
        head: Head,
        recorded_at: int,
        codes: tuple[str, str],
        counts: tuple[int, int, int],
        root: bytes,
    ) -> JournalRow:
        """Return the row after `head`: codes are operation and reason code, counts asserted, superseded, minted."""
        fields = (head.sequence + 1, recorded_at, *codes, *counts, root)
        return cls(*fields, head.hash, chained(head.hash, fields))

    def expected_hash(self) -> bytes:
        """Return the hash the row's fields call for."""
        return chained(self.previous, self[:-2])


class Head(NamedTuple):
    """The end of the chain: keep it elsewhere, and a cut tail shows."""

    sequence: int
    hash: bytes

    def __str__(self) -> str:
        return f"{self.sequence}:{self.hash.hex()}"

    @classmethod
    def of(cls, text: str) -> Head:
        """
        Return the head a text such as `12:ab…` names.

        Raises `ValidationError` (`bad_head`) when it names none.
        """
        match = _HEAD.fullmatch(text)
        if match is None:
            raise ValidationError(
                f"{text[:80]!r} is no head", code="bad_head", hint="give what kb.head() printed"
            )
        return cls(int(match.group(1)), bytes.fromhex(match.group(2)))
