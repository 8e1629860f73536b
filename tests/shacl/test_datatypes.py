"""Texts of datatypes and their order: by example for each datatype, and against the RDF engine."""

from __future__ import annotations

import re

import pyoxigraph as ox
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from semantica_rdf.model.vocab import XSD
from semantica_rdf.shacl.comparing import compare, value_of
from semantica_rdf.shacl.datatypes import PATTERNS, lexical_test

EXAMPLES = {
    "boolean": ("true false 1 0", "True yes TRUE 01"),
    "integer": ("0 -0 +7 007 123456789012345678901234567890", "1.0 1e3 - +-1 1_0 ٣ --1"),
    "decimal": ("1 1. .5 -0.50 +1.0", ". 1e3 INF 1,5 1.5.0"),
    "double": ("1 1.5e3 -1.E-3 .5E+1 INF -INF +INF NaN", "inf nan infinity 1e 1e1.5 +NaN"),
    "float": ("1 1.5e3 NaN", "1f 0x1"),
    "dateTime": (
        (
            "2026-01-01T00:00:00 2026-01-01T00:00:00Z 2026-02-28T23:59:59.999999999+14:00"
            " 2026-01-01T24:00:00 2026-01-01T24:00:00.000Z -0044-03-15T12:00:00Z"
            " 12024-01-01T00:00:00Z 2024-02-29T00:00:00Z 0000-02-29T00:00:00Z"
        ),
        (
            "2026-01-01 2026-01-01T00:00 2026-1-01T00:00:00Z 2026-02-30T00:00:00Z"
            " 2026-01-01T24:00:01Z 2026-01-01T25:00:00Z 2026-01-01T00:60:00Z 2026-01-01T00:00:60Z"
            " 2026-01-01T00:00:00+15:00 2026-01-01T00:00:00z 2026-01-01T00:00:00. 02024-01-01T00:00:00"
            " 2025-02-29T00:00:00Z 1900-02-29T00:00:00Z -0001-02-29T00:00:00Z"
        ),
    ),
    "dateTimeStamp": ("2026-01-01T00:00:00Z 2026-01-01T24:00:00-05:00", "2026-01-01T00:00:00"),
    "date": (
        "2026-01-31 2026-01-01Z 2026-01-01-05:00 -0012-11-29 20260-01-01 2000-02-29",
        "2026-13-01 2026-00-01 2026-04-31 2026-01-00 26-01-01 2026/01/01 1900-02-29 +2026-01-01",
    ),
    "time": ("00:00:00 23:59:59.5Z 24:00:00 12:00:00+02:00", "24:00:01 12:00 7:00:00 12:00:61"),
    "gYear": ("2026 0000 -0444 12024 2026Z", "26 02026 2026-01 +2026"),
    "gYearMonth": ("2026-01 -0001-12 2026-12+01:00", "2026-13 2026-00 2026"),
    "gMonthDay": ("--02-29 --12-31 --01-01Z", "--02-30 --04-31 --13-01 -01-01"),
    "gMonth": ("--01 --12Z", "--13 --00 12 --1"),
    "gDay": ("---01 ---31 ---15Z", "---32 ---00 --15"),
    "duration": ("P1Y P1M PT1M P1Y2M3DT4H5M6.7S -P1D PT0S", "P PT P1DT 1Y P1S PT1D P-1D P1M1Y"),
    "dayTimeDuration": ("P1D PT1H -PT0.5S P1DT1S", "P1Y P1M P PT"),
    "yearMonthDuration": ("P1Y P1M -P1Y2M", "P1D PT1H P"),
    "hexBinary": ("0fB7 00", "0 0g"),
    "base64Binary": ("aGk= aGVsbG8= aGVsbG93", "a aGk aGk== aGl="),
    "language": ("en en-GB zh-Hant-TW", "en_GB -en toolonglanguage"),
    "Name": ("a :a _b a-b.c é", "1a -a"),
    "NCName": ("a _b é", ":a 1a a:b"),
    "NMTOKEN": ("1a -a .b", "a,b (a)"),
    "nonNegativeInteger": ("0 -0 7", "-1"),
    "positiveInteger": ("1 +1", "0 -1"),
    "nonPositiveInteger": ("0 -7", "1"),
    "negativeInteger": ("-1", "0 1"),
    "long": ("-9223372036854775808 9223372036854775807", "9223372036854775808"),
    "int": ("-2147483648 2147483647", "2147483648 1.0"),
    "short": ("-32768 32767", "32768 -32769"),
    "byte": ("-128 127 +1", "128 -129 c"),
    "unsignedLong": ("0 18446744073709551615", "18446744073709551616 -1"),
    "unsignedInt": ("0 4294967295", "4294967296"),
    "unsignedShort": ("0 65535", "65536"),
    "unsignedByte": ("0 255", "256 -1"),
}
"""Per datatype: texts that it admits, texts that it does not, apart by spaces."""


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_datatype_admits_its_texts_and_no_others(name):
    admitted = lexical_test(XSD + name)
    good, bad = (texts.split() for texts in EXAMPLES[name])
    assert [text for text in good if not admitted(text)] == []
    assert [text for text in [*bad, f" {good[0]}", f"{good[0]}\n"] if admitted(text)] == []
    assert admitted("") is (name in {"hexBinary", "base64Binary"})


def test_white_space_is_part_of_the_text():
    tests = {name: lexical_test(XSD + name) for name in ("normalizedString", "token")}
    for text, normalized, token in [
        ("a b", True, True), ("a  b", True, False), (" a", True, False), ("a\tb", False, False),
        ("", True, True),
    ]:  # fmt: skip
        assert tests["normalizedString"](text) is normalized
        assert tests["token"](text) is token


def test_every_text_is_one_of_a_datatype_without_rules():
    assert {name.removeprefix(XSD) for name in PATTERNS} - set(EXAMPLES) == {
        "normalizedString",
        "token",
    }
    for datatype in (XSD + "string", XSD + "anyURI", "https://example.org/type"):
        assert lexical_test(datatype) is None


CAST = [
    "boolean", "integer", "decimal", "dateTime", "date", "time", "gYear",
    "gYearMonth", "gMonthDay", "gMonth", "gDay", "duration", "dayTimeDuration",
    "yearMonthDuration",
]  # fmt: skip
"""Datatypes that the engine knows; it takes `inf` and `Infinity` for a double, so that is not here."""
_store = ox.Store()


def engine_takes(name: str, text: str) -> bool:
    """Tell whether the engine can make a value of the datatype from a text."""
    query = f"SELECT (<{XSD}{name}>({ox.Literal(text)}) AS ?v) {{}}"
    return next(iter(_store.query(query)))["v"] is not None


@st.composite
def edited(draw, name: str) -> str:
    """Draw a text that is at most two edits from an example."""
    text = draw(st.sampled_from(" ".join(EXAMPLES[name]).split()))
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, len(text)))
        insert = draw(st.sampled_from([*"0123456789", *"-+:.TZPYMDHSeE", ""]))
        text = text[:place] + insert + text[place + draw(st.integers(0, 1)) :]
    return text


@pytest.mark.parametrize("name", CAST)
@given(data=st.data())
def test_the_engine_agrees(name, data):
    """It does but for long numbers, --02-29, a T with nothing behind it, a second of `.5`."""
    text = data.draw(edited(name))
    assume(len(text) < (18 if name == "integer" else 38))
    assume(not re.match("--02-29|.*(T|[TM][.].*)$", text))
    assert lexical_test(XSD + name)(text) == engine_takes(name, text)


ORDERED = [
    ("gYear", "-0444 -0012 0000 1999 2026 12024"),
    ("date", "-0012-11-29 -0012-11-30 0001-01-01 1582-10-15 2024-02-29 2024-03-01 12024-01-01"),
    ("dateTime", ("-0044-03-15T00:00:00Z 2026-01-01T00:00:00+01:00 2026-01-01T00:00:00Z"
                 " 2026-01-01T00:00:00.000000001Z 2026-01-01T24:00:00Z 2026-01-02T00:00:01Z")),
    ("time", "00:00:00 00:00:00.5 23:59:59"),
    ("gYearMonth", "-0001-12 0000-01 2026-01 2026-12"),
    ("decimal", "-1000000000000000000000000000.5 -1 0 0.1 0.10000000000000000000000000001 7"),
    ("double", "-INF -1e300 -0.1 0 1e-300 1 INF"),
    ("integer", "-5 0 7 10000000000000000000000000000000"),
    ("boolean", "false true"),
    ("string", "B a b é"),
    ("duration", "-P1D PT0S PT30H P2D"),
    ("yearMonthDuration", "-P1M P0M P11M P1Y P13M"),
    ("dayTimeDuration", "PT59M PT1H P1D PT25H"),
]  # fmt: skip


def literal(name: str, text: str) -> ox.Literal:
    return ox.Literal(text, datatype=ox.NamedNode(XSD + name))


@pytest.mark.parametrize(("name", "texts"), ORDERED)
def test_values_are_in_order(name, texts):
    values = [value_of(literal(name, text)) for text in texts.split()]
    for place, one in enumerate(values):
        for other_place, other in enumerate(values):
            assert compare(one, other) == (place > other_place) - (place < other_place)


def test_numbers_are_promoted_before_they_are_compared():
    def order(one, other):
        return compare(value_of(literal(*one)), value_of(literal(*other)))

    assert order(("decimal", "0.1"), ("double", "0.1")) == 0
    assert order(("decimal", "0.1"), ("float", "0.1")) == 0
    assert order(("float", "0.1"), ("double", "0.1")) == 1
    assert order(("byte", "1"), ("decimal", "1.0")) == 0
    assert order(("integer", "16777217"), ("float", "16777216")) == 0
    assert order(("integer", "1" + "0" * 400), ("double", "1e308")) == 1
    assert order(("double", "NaN"), ("double", "NaN")) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("integer", "1"), ("string", "1")),
        (("integer", "1"), ("boolean", "true")),
        (("date", "2026-01-01"), ("dateTime", "2026-01-01T00:00:00")),
        (("dateTime", "2026-01-01T00:00:00"), ("dateTime", "2026-01-01T00:00:00Z")),
        (("yearMonthDuration", "P1M"), ("dayTimeDuration", "P30D")),
        (("integer", "x"), ("integer", "x")),
        (("hexBinary", "00"), ("hexBinary", "00")),
    ],
)
def test_what_has_no_order_is_not_compared(one, other):
    assert compare(value_of(literal(*one)), value_of(literal(*other))) is None


def test_only_literals_without_a_language_have_a_value():
    for term in (ox.NamedNode("urn:a"), ox.BlankNode(), ox.Literal("a", language="en")):
        assert value_of(term) is None
    assert value_of(ox.Literal("a")) == value_of(literal("string", "a"))
