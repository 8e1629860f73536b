"""
Lexical forms: the text and datatype of a Python value, and which texts the record can keep.

The store reads its quads back from lines of at most 16 MiB, so nothing longer may ever be
recorded: a journaled line the store cannot read would keep the base from opening.
"""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import pyoxigraph as ox

from semantica_rdf.errors import ValidationError
from semantica_rdf.model import vocab

MAX_LITERAL_CHARACTERS = 15 * 1024 * 1024
"""The most characters of a literal, and the most bytes of its N-Triples form."""
MAX_NOTE_CHARACTERS = 64 * 1024
"""The most characters of a reason, a reference, a support id."""

_SURELY_FITS = MAX_LITERAL_CHARACTERS // 8
_TAGGED_TYPES = frozenset({vocab.RDF_LANGSTRING, vocab.RDF + "dirLangString"})


def typed_text(value: Any) -> tuple[str, str]:
    """
    Return lexical form and datatype IRI of a Python value.

    Raises `ValidationError` (`bad_literal`, `naive_datetime`, `unsupported_term`).
    """
    if isinstance(value, str):
        return value, vocab.XSD_STRING
    if isinstance(value, bool):
        return ("true" if value else "false"), vocab.XSD + "boolean"
    if isinstance(value, int):
        return str(value), vocab.XSD + "integer"
    if isinstance(value, float):
        return str(ox.Literal(value).value), vocab.XSD + "double"
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValidationError(f"{value} has no xsd:decimal", code="bad_literal")
        return format(value, "f"), vocab.XSD + "decimal"
    if isinstance(value, datetime):
        if value.utcoffset() is None:
            raise ValidationError(
                f"{value.isoformat()} names no time zone",
                code="naive_datetime",
                hint="give an aware datetime, such as one with tzinfo=datetime.timezone.utc",
            )
        return value.isoformat(), vocab.XSD_DATETIME
    if isinstance(value, date):
        return value.isoformat(), vocab.XSD + "date"
    if isinstance(value, time):
        return value.isoformat(), vocab.XSD + "time"
    raise ValidationError(
        f"{type(value).__name__} is no RDF term",
        code="unsupported_term",
        hint="give a term, str, int, float, bool, Decimal, date, time or aware datetime",
    )


def expanded_datatype(text: str) -> str:
    """
    Return the IRI of a datatype; a built-in prefix is spelled out.

    >>> expanded_datatype("xsd:date")
    'http://www.w3.org/2001/XMLSchema#date'
    """
    prefix, _, name = text.partition(":")
    namespace = vocab.BUILT_IN_PREFIXES.get(prefix)
    return text if namespace is None else namespace + name


def check_length(characters: int) -> None:
    """Refuse more characters than a literal may have (`literal_too_large`)."""
    if characters > MAX_LITERAL_CHARACTERS:
        raise ValidationError(
            f"a literal of {characters} characters or bytes",
            code="literal_too_large",
            hint=f"at most {MAX_LITERAL_CHARACTERS} are taken; keep the text elsewhere and cite it",
        )


def check_written_size(made: ox.Literal) -> None:
    """
    Refuse a literal that cannot be written to the store and read back.

    Raises `ValidationError`: `literal_too_large`, `bad_literal` for the type of tagged texts
    without a tag.
    """
    if made.language is None and made.datatype.value in _TAGGED_TYPES:
        raise ValidationError(
            f"{made.datatype.value} is the type of texts with a language",
            code="bad_literal",
            hint='give the language: literal("Zug", lang="de")',
        )
    if len(made.value) > _SURELY_FITS:
        check_length(len(str(made).encode()))


def is_keepable(text: Any, limit: int = MAX_NOTE_CHARACTERS) -> bool:
    """Tell whether a value is a text the record can keep: not blank, encodable, not overlong."""
    if not isinstance(text, str) or not text.strip() or len(text) > limit:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
