"""
Names that look alike and are not: IRIs whose letters are not composed as Unicode's NFC has them.

IRIs are equal when their characters are; `é` as one character and as two makes two names. Both are
kept as they stand, and the report says that there are such.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from semantica_rdf.loading.claims import Claim
from semantica_rdf.loading.report import Tally
from semantica_rdf.model.terms import Iri, shortened


def noticed(claims: Iterator[Claim], tally: Tally) -> Iterator[Claim]:
    """Pass claims on; at their end, warn of IRIs that are not in NFC."""
    found: dict[str, None] = {}
    for claim in claims:
        draft = claim.draft
        for term in (draft.subject, draft.object):
            if (
                isinstance(term, Iri)
                and not term.value.isascii()
                and not unicodedata.is_normalized("NFC", term.value)
            ):
                found[term.value] = None
        yield claim
    if found:
        first = next(iter(found))
        plain = unicodedata.normalize("NFC", first)
        tally.warnings.append(
            f"{len(found):,} IRIs are not in Unicode's NFC, such as {shortened(first)!a}:"
            f" {shortened(plain)!a} looks the same and is another one"
        )


__all__ = ["noticed"]
