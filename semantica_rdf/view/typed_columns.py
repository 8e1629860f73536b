"""
Columns of an answer as typed Arrow arrays.

A column whose bound values are all literals of one datatype gets its type; anything else is text:
the lexical forms and IRIs as they stand. A type is taken only where every value keeps its meaning
in it, so one ill-formed or too large value makes its column text. Untyped, every value is its
N-Triples text, from which the term can be had again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias

from semantica_rdf.model import vocab
from semantica_rdf.model.extras import of_frames
from semantica_rdf.model.term_values import INTEGER_TYPES
from semantica_rdf.model.terms import Literal, Term
from semantica_rdf.model.time import EPOCH, FIRST_INSTANT, LAST_INSTANT, MICROSECOND

if TYPE_CHECKING:
    import pyarrow as pa

Values: TypeAlias = Sequence[Term | None]
_Typed: TypeAlias = tuple[Any, list[Any]] | None
"""An Arrow type and the values for it, one for each text; None where the texts do not fit."""

_INTEGER = re.compile(r"[+-]?[0-9]{1,76}\Z")
_DECIMAL = re.compile(r"[+-]?(?=\.?[0-9])([0-9]*)(?:\.([0-9]*))?\Z")
_DOUBLE = re.compile(
    r"(?:[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?INF|NaN)\Z"
)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z")
_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?"
    r"(Z|[+-][0-9]{2}:[0-9]{2})?\Z"
)
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}


def arrow_table_of(names: Sequence[str], rows: Iterable[Values], *, typed: bool) -> pa.Table:
    """
    Return the rows of an answer as an Arrow table. Raises `ValidationError` (`extra_missing`).
    """
    arrow = of_frames("pyarrow")
    columns: list[Values] = list(zip(*rows, strict=True)) or [() for _ in names]
    make = _typed_array if typed else _text_array
    return arrow.table([make(column) for column in columns], names=list(names))


def _text_array(values: Values) -> Any:
    texts = [None if value is None else value.ntriples for value in values]
    return of_frames("pyarrow").array(texts, type=of_frames("pyarrow").string())


def _typed_array(values: Values) -> Any:
    arrow = of_frames("pyarrow")
    bound = [value for value in values if value is not None]
    texts = [str(value) for value in bound]
    typed = _typed(bound, texts) or (arrow.string(), texts)
    given = iter(typed[1])
    return arrow.array([None if value is None else next(given) for value in values], type=typed[0])


def _typed(bound: Sequence[Term], texts: list[str]) -> _Typed:
    literals = [value for value in bound if isinstance(value, Literal)]
    datatypes = {_family(value.datatype) for value in literals}
    if len(literals) < len(bound) or len(datatypes) != 1:
        return None
    reader = _READERS.get(datatypes.pop())
    if reader is None:
        return None
    try:
        return reader(texts)
    except ValueError:
        return None


def _family(datatype: str) -> str:
    """Return the datatype that stands for one: all kinds of integers are one, both of instants."""
    if datatype in INTEGER_TYPES:
        return vocab.XSD + "integer"
    return vocab.XSD_DATETIME if datatype == vocab.XSD + "dateTimeStamp" else datatype


def _integers(texts: list[str]) -> _Typed:
    arrow = of_frames("pyarrow")
    if not all(map(_INTEGER.match, texts)):
        return None
    numbers = [int(text) for text in texts]
    if min(numbers) >= -(2**63) and max(numbers) < 2**63:
        return arrow.int64(), numbers
    return _exact(
        [Decimal(number) for number in numbers], max(len(str(abs(number))) for number in numbers), 0
    )


def _decimals(texts: list[str]) -> _Typed:
    matches = [_DECIMAL.match(text) for text in texts]
    found = [match for match in matches if match]
    if len(found) < len(texts):
        return None
    whole = max(len(match[1].lstrip("0")) for match in found)
    scale = max(len(match[2] or "") for match in found)
    return _exact([Decimal(text) for text in texts], whole + scale, scale)


def _exact(numbers: list[Decimal], digits: int, scale: int) -> _Typed:
    """Return numbers as decimals of 128 or 256 bits, which hold 38 and 76 digits."""
    arrow = of_frames("pyarrow")
    if digits > 76:
        return None
    kind = arrow.decimal128 if digits <= 38 else arrow.decimal256
    return kind(max(digits, 1), scale), numbers


def _doubles(texts: list[str]) -> _Typed:
    if not all(map(_DOUBLE.match, texts)):
        return None
    return of_frames("pyarrow").float64(), [float(text) for text in texts]


def _booleans(texts: list[str]) -> _Typed:
    if not _BOOLEANS.keys() >= set(texts):
        return None
    return of_frames("pyarrow").bool_(), [_BOOLEANS[text] for text in texts]


def _dates(texts: list[str]) -> _Typed:
    """Return dates; one with a zone says more than a date of Arrow's can."""
    if not all(map(_DATE.match, texts)):
        return None
    return of_frames("pyarrow").date32(), [date.fromisoformat(text) for text in texts]


def _moments(texts: list[str]) -> _Typed:
    """Return instants: in UTC when all name a zone, without one when none does."""
    matches = [_MOMENT.match(text) for text in texts]
    zones = {match[1] is not None for match in matches if match}
    if not all(matches) or len(zones) > 1:
        return None
    moments = [datetime.fromisoformat(text) for text in texts]
    aware = zones.pop()
    origin = EPOCH if aware else EPOCH.replace(tzinfo=None)
    instants = [(moment - origin) // MICROSECOND for moment in moments]
    if not FIRST_INSTANT <= min(instants) <= max(instants) <= LAST_INSTANT:
        return None
    return of_frames("pyarrow").timestamp("us", tz="UTC" if aware else None), instants


_READERS: dict[str, Callable[[list[str]], _Typed]] = {
    vocab.XSD + "integer": _integers,
    vocab.XSD + "decimal": _decimals,
    vocab.XSD + "double": _doubles,
    vocab.XSD + "float": _doubles,
    vocab.XSD + "boolean": _booleans,
    vocab.XSD + "date": _dates,
    vocab.XSD_DATETIME: _moments,
}

__all__ = ["arrow_table_of"]
