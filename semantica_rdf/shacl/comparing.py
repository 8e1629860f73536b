"""
Which of two literals is less: numbers, strings, booleans, dates, times and durations.

As SPARQL's `<` where SPARQL has one, and by XML Schema for dates, times, years and durations. Two
values of different kinds cannot be compared, nor a time with a zone with one without, nor an
ill-typed literal with anything: then nothing is less and nothing is equal, and a constraint that
asks fails.
"""

from __future__ import annotations

import re
import struct
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

import pyoxigraph as ox

from semantica_rdf.model.vocab import XSD
from semantica_rdf.shacl.datatypes import INTEGERS, PATTERNS, STRINGS, lexical_test
from semantica_rdf.shacl.names import Term

_EXACT, _FLOAT, _DOUBLE = range(3)
_FLOATING = {XSD + "float": _FLOAT, XSD + "double": _DOUBLE}
_MAX_YEAR_DIGITS = 18
_DURATIONS = frozenset(XSD + name for name in ("duration", "dayTimeDuration", "yearMonthDuration"))
_INSTANTS = {
    XSD + "dateTime": "dateTime",
    XSD + "dateTimeStamp": "dateTime",
    XSD + "date": "date",
    XSD + "time": "time",
    XSD + "gYear": "gYear",
    XSD + "gYearMonth": "gYearMonth",
}
_LONGEST_KEPT = 128


class Value(NamedTuple):
    """A value that can be ordered: its kind, how exact a number it is, and something comparable."""

    kind: str
    precision: int
    key: Any


def value_of(term: Term) -> Value | None:
    """Return the value of a literal; None when it is ill-typed or of a kind without an order."""
    if not isinstance(term, ox.Literal) or term.language is not None:
        return None
    text = term.value
    if len(text) > _LONGEST_KEPT:
        return _value(text, term.datatype.value)
    return _kept_value(text, term.datatype.value)


def compare(one: Value | None, other: Value | None) -> int | None:
    """Return -1, 0 or 1 for less, equal, greater; None when the two cannot be compared."""
    if one is None or other is None or one.kind != other.kind:
        return None
    left, right = one.key, other.key
    if one.precision != other.precision:
        precision = max(one.precision, other.precision)
        left, right = _promoted(one, precision), _promoted(other, precision)
    if one.kind == "duration":
        return _compare_durations(left, right)
    if left == right:
        return 0
    if left < right:
        return -1
    return 1 if left > right else None


def _value(text: str, datatype: str) -> Value | None:
    if datatype in STRINGS:
        test = lexical_test(datatype)
        return Value("string", 0, text) if test is None or test(text) else None
    admitted = lexical_test(datatype)
    if admitted is None or not admitted(text):
        return None
    if datatype in INTEGERS or datatype == XSD + "decimal":
        return Value("number", _EXACT, Decimal(text))
    if datatype in _FLOATING:
        precision = _FLOATING[datatype]
        number = float(text)
        return Value("number", precision, _single(number) if precision == _FLOAT else number)
    if datatype == XSD + "boolean":
        return Value("boolean", 0, text in {"true", "1"})
    match = PATTERNS[datatype].match(text) if datatype in PATTERNS else None
    if match is not None and datatype in _INSTANTS:
        return _instant(_INSTANTS[datatype], match)
    if match is not None and datatype in _DURATIONS:
        return Value("duration", 0, _span(match))
    return None


_kept_value = lru_cache(maxsize=8192)(_value)


def _promoted(value: Value, precision: int) -> Any:
    if value.precision == precision:
        return value.key
    number = float(value.key)
    return _single(number) if precision == _FLOAT else number


def _single(number: float) -> float:
    """Return the nearest number of single precision."""
    try:
        return float(struct.unpack("f", struct.pack("f", number))[0])
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


def _instant(kind: str, match: re.Match[str]) -> Value | None:
    """Return seconds since 1970, as many as the reference day has for a time without a date."""
    part = match.groupdict()
    year = part.get("year") or "1970"
    if len(year) > _MAX_YEAR_DIGITS:
        return None
    days = _days(int(year), int(part.get("month") or 1), int(part.get("day") or 1))
    if part.get("midnight"):
        days += 1 if kind == "dateTime" else 0
    hours, minutes, seconds = (int(part.get(n) or 0) for n in ("hour", "minute", "second"))
    zone = part.get("zone")
    whole = days * 86_400 + hours * 3600 + minutes * 60 + seconds - 60 * _offset(zone)
    kind += " with zone" if zone else ""
    return Value(kind, 0, (whole, Decimal("0" + (part.get("fraction") or ""))))


def _offset(zone: str | None) -> int:
    """Return the minutes a zone is ahead of UTC."""
    if zone is None or zone == "Z":
        return 0
    minutes = int(zone[1:3]) * 60 + int(zone[4:6])
    return -minutes if zone[0] == "-" else minutes


def _days(year: int, month: int, day: int) -> int:
    """Return days since 1970-01-01 in the Gregorian calendar, which has a year 0."""
    shifted = year - (month <= 2)
    era, year_of_era = divmod(shifted, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    return era * 146_097 + day_of_era - 719_468


def _span(match: re.Match[str]) -> tuple[Decimal, Decimal]:
    """Return the months and the seconds of a duration."""
    part = match.groupdict()

    def _number(name: str) -> Decimal:
        return Decimal(part.get(name) or 0)

    months = _number("years") * 12 + _number("months")
    seconds = ((_number("days") * 24 + _number("hours")) * 60 + _number("minutes")) * 60
    seconds += _number("seconds")
    return (-months, -seconds) if part["sign"] else (months, seconds)


def _compare_durations(one: tuple[Decimal, Decimal], other: tuple[Decimal, Decimal]) -> int | None:
    """Compare spans of months with spans of months, and of seconds with seconds."""
    if one == other:
        return 0
    for part, rest in ((0, 1), (1, 0)):
        if one[rest] == other[rest] == 0:
            return -1 if one[part] < other[part] else 1
    return None


__all__ = ["Value", "compare", "value_of"]
