"""
IRIs for names that are none: minted under a base, percent-encoded, the original kept as label.

Letters and marks of every script stay (RFC 3987); blanks, controls and what has a meaning of its
own in an IRI are encoded. A valid `%20` is never encoded again, and a text that is an absolute
IRI already is taken as it stands.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from semantica_rdf.errors import ValidationError
from semantica_rdf.model.terms import Iri, checked_iri, shortened

_ABSOLUTE = re.compile(
    r"(?:[A-Za-z][A-Za-z0-9+.-]*://|(?:urn|mailto|tag|did):)\S*\Z", re.IGNORECASE
)
_PLAIN = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:@-]*\Z")
_PIECE = re.compile(r"%[0-9A-Fa-f]{2}|.", re.DOTALL)
_KEPT = frozenset("-._~!$&'()*+,;=:@")
_ENCODED_CATEGORIES = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn"})


class Minted(NamedTuple):
    """An IRI, and the name it was made from where the IRI does not end with it."""

    iri: Iri
    label: str | None


def minted(name: str, base: str | None) -> Minted:
    """
    Return the IRI for a name: itself when it is one, else `base` and the encoded name.

    >>> minted("Make statement", "https://example.org/").iri.value
    'https://example.org/Make%20statement'
    >>> minted("http://ex/a%20b", "https://example.org/").iri.value
    'http://ex/a%20b'

    Raises `ValidationError`: `bad_iri`, `not_an_iri` (no base to mint under).
    """
    if _ABSOLUTE.match(name):
        return Minted(Iri(checked_iri(name)), None)
    if base is None:
        raise ValidationError(
            f"{shortened(name)!r} is no absolute IRI",
            code="not_an_iri",
            hint="give the mapping a base to mint names under",
        )
    tail = encoded(name)
    return Minted(Iri(checked_iri(base + tail)), None if tail == name else name)


def encoded(name: str) -> str:
    """
    Return a name as one path segment of an IRI.

    >>> encoded("Zoë / 100%")
    'Zoë%20%2F%20100%25'
    """
    if _PLAIN.match(name):
        return name
    return "".join(
        piece if len(piece) > 1 else _encoded_character(piece) for piece in _PIECE.findall(name)
    )


@lru_cache(maxsize=4096)
def _encoded_character(character: str) -> str:
    if character.isascii():
        keep = character.isalnum() or character in _KEPT
    else:
        keep = unicodedata.category(character) not in _ENCODED_CATEGORIES and _is_ucschar(character)
    if keep:
        return character
    try:
        return "".join(f"%{byte:02X}" for byte in character.encode())
    except UnicodeEncodeError:
        raise ValidationError("the name holds a lone surrogate", code="bad_iri") from None


def _is_ucschar(character: str) -> bool:
    code = ord(character)
    if code > 0xFFFF:
        return code <= 0xEFFFD and not 0xE0000 <= code < 0xE1000
    return 0xA0 <= code <= 0xD7FF or 0xF900 <= code <= 0xFFEF


__all__ = ["Minted", "encoded", "minted"]
