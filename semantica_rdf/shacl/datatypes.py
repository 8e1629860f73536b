"""
Which texts a datatype of XML Schema admits: `sh:datatype` refuses a literal whose text is none.

By XML Schema 1.1 part 2, so a year 0000, a year before it, a year of five digits and 24:00:00 are
in. White space is not stripped: RDF compares the text as it stands. A datatype that is not of XML
Schema admits every text, since nothing says which are wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

from semantica_rdf.model.vocab import XSD

LexicalTest = Callable[[str], bool]

YEAR = r"(?P<year>-?(?:[1-9]\d{3,}|0\d{3}))"
MONTH = r"(?P<month>0[1-9]|1[0-2])"
DAY = r"(?P<day>0[1-9]|[12]\d|3[01])"
TIME = r"(?P<hour>[01]\d|2[0-3]):(?P<minute>[0-5]\d):(?P<second>[0-5]\d)(?P<fraction>\.\d+)?"
MIDNIGHT = r"(?P<midnight>24:00:00(?:\.0+)?)"
ZONE = r"(?P<zone>Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))?"
_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)"
_SPAN = r"(?P<sign>-)?P(?=[\dT])"
_MONTHS = r"(?:(?P<years>\d+)Y)?(?:(?P<months>\d+)M)?"
_DAYS = (
    r"(?:(?P<days>\d+)D)?"
    r"(?:T(?=\d)(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+(?:\.\d+)?)S)?)?"
)
_NAME_START = (
    "A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d"
    "\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_NAME_CHARACTER = _NAME_START + r"\-.0-9\u00b7\u0300-\u036f\u203f\u2040"
NAME_START = ":" + _NAME_START
"""Characters an XML name may begin with, as the inside of a character class."""
NAME_CHARACTER = ":" + _NAME_CHARACTER
"""Characters an XML name may hold, as the inside of a character class."""
_BASE64 = r"(?:[A-Za-z0-9+/] ?){4}"
_BASE64_END = r"(?:[A-Za-z0-9+/] ?){2}(?:[AEIMQUYcgkosw048] ?=|[AQgw] ?= ?=)"

PATTERNS: dict[str, re.Pattern[str]] = {
    XSD + name: re.compile(pattern + r"\Z", re.ASCII if "\\d" in pattern else 0)
    for name, pattern in {
        "boolean": "(?:true|false|1|0)",
        "integer": r"[+-]?\d+",
        "decimal": _NUMBER,
        "double": rf"(?:{_NUMBER}(?:[eE][+-]?\d+)?|[+-]?INF|NaN)",
        "float": rf"(?:{_NUMBER}(?:[eE][+-]?\d+)?|[+-]?INF|NaN)",
        "dateTime": rf"{YEAR}-{MONTH}-{DAY}T(?:{TIME}|{MIDNIGHT}){ZONE}",
        "dateTimeStamp": rf"{YEAR}-{MONTH}-{DAY}T(?:{TIME}|{MIDNIGHT}){ZONE.removesuffix('?')}",
        "date": rf"{YEAR}-{MONTH}-{DAY}{ZONE}",
        "time": rf"(?:{TIME}|{MIDNIGHT}){ZONE}",
        "gYear": rf"{YEAR}{ZONE}",
        "gYearMonth": rf"{YEAR}-{MONTH}{ZONE}",
        "gMonthDay": rf"--{MONTH}-{DAY}{ZONE}",
        "gMonth": rf"--{MONTH}{ZONE}",
        "gDay": rf"---{DAY}{ZONE}",
        "duration": _SPAN + _MONTHS + _DAYS,
        "dayTimeDuration": _SPAN + _DAYS,
        "yearMonthDuration": _SPAN + _MONTHS,
        "hexBinary": "(?:[0-9a-fA-F]{2})*",
        "base64Binary": rf"(?:(?:{_BASE64})*(?:[A-Za-z0-9+/] ?){{3}}[A-Za-z0-9+/]"
        rf"|(?:{_BASE64})*{_BASE64_END})?",
        "normalizedString": r"[^\t\n\r]*",
        "token": r"(?:[^ \t\n\r]+(?: [^ \t\n\r]+)*)?",
        "language": "[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*",
        "Name": rf"[:{_NAME_START}][:{_NAME_CHARACTER}]*",
        "NCName": rf"[{_NAME_START}][{_NAME_CHARACTER}]*",
        "NMTOKEN": rf"[:{_NAME_CHARACTER}]+",
    }.items()
}
"""The form of each datatype's texts; the parts of dates and durations are named groups."""

_BOUNDS: dict[str, tuple[int | None, int | None]] = {
    "nonNegativeInteger": (0, None),
    "positiveInteger": (1, None),
    "nonPositiveInteger": (None, 0),
    "negativeInteger": (None, -1),
    "long": (-(2**63), 2**63 - 1),
    "int": (-(2**31), 2**31 - 1),
    "short": (-(2**15), 2**15 - 1),
    "byte": (-(2**7), 2**7 - 1),
    "unsignedLong": (0, 2**64 - 1),
    "unsignedInt": (0, 2**32 - 1),
    "unsignedShort": (0, 2**16 - 1),
    "unsignedByte": (0, 2**8 - 1),
}
INTEGERS = frozenset(XSD + name for name in ("integer", *_BOUNDS))
"""The datatypes whose values are integers."""
STRINGS = frozenset(
    XSD + name
    for name in ("string", "normalizedString", "token", "language", "Name", "NCName", "NMTOKEN")
)
"""The datatypes whose values are strings."""

_LONG_MONTHS = frozenset({"01", "03", "05", "07", "08", "10", "12"})


def _calendar(pattern: re.Pattern[str]) -> LexicalTest:
    """Return the test for texts with a month and a day: the month must have that day."""

    def _admitted(text: str) -> bool:
        match = pattern.match(text)
        if match is None:
            return False
        day, month = match["day"], match["month"]
        if day <= "28" or month in _LONG_MONTHS:
            return True
        if month != "02":
            return day <= "30"
        year = match["year"] if "year" in pattern.groupindex else "0"
        return day == "29" and is_leap(int(year[-4:].lstrip("-")))

    return _admitted


def is_leap(year: int) -> bool:
    """Tell whether a year, of which the last four digits suffice, has a 29th of February."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _bounded(low: int | None, high: int | None) -> LexicalTest:
    integer = PATTERNS[XSD + "integer"]

    def _admitted(text: str) -> bool:
        if integer.match(text) is None:
            return False
        value = Decimal(text)
        return (low is None or value >= low) and (high is None or value <= high)

    return _admitted


def _matching(pattern: re.Pattern[str]) -> LexicalTest:
    return lambda text: pattern.match(text) is not None


_TESTS: dict[str, LexicalTest] = {
    **{
        name: _calendar(pattern) if "day" in pattern.groupindex else _matching(pattern)
        for name, pattern in PATTERNS.items()
    },
    XSD + "gDay": _matching(PATTERNS[XSD + "gDay"]),
    **{XSD + name: _bounded(*bounds) for name, bounds in _BOUNDS.items()},
}


def lexical_test(datatype: str) -> LexicalTest | None:
    """
    Return the function that tells whether a text is one of a datatype; None when every text is.

    >>> test = lexical_test(XSD + "date")
    >>> test("-0044-03-15"), test("2026-02-30")
    (True, False)
    """
    return _TESTS.get(datatype)


__all__ = ["INTEGERS", "PATTERNS", "STRINGS", "is_leap", "lexical_test"]
