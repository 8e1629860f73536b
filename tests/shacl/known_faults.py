"""Where pySHACL and rdflib answer otherwise than SHACL says, each with what we answer and why."""

from __future__ import annotations

from typing import NamedTuple

from shacl.mutants import PREFIXES

MEASURED = "0.40.1"
"""The version of pySHACL the answers were taken from."""


class Fault(NamedTuple):
    """
    One pair of graphs, and whether it conforms, says pySHACL (None: it raises) and say we.

    `ours` is the code of the refusal where the shapes do not compile.
    """

    name: str
    shapes: str
    data: str
    pyshacl: bool | None
    ours: bool | str
    reason: str


def value(constraint: str, literal: str) -> tuple[str, str]:
    """Return the graphs for one constraint on the values of ex:p, and one value."""
    return f"ex:S sh:targetNode ex:i ; sh:path ex:p ; {constraint} .", f"ex:i ex:p {literal} ."


def pair(parameter: str, one: str, other: str) -> tuple[str, str]:
    """Return the graphs for one value of ex:p related to one of ex:q."""
    shapes = f"ex:S sh:targetNode ex:i ; sh:path ex:p ; sh:{parameter} ex:q ."
    return shapes, f"ex:i ex:p {one} ; ex:q {other} ."


_BY_TYPE = "values of different kinds have no order; pySHACL takes that of their types' IRIs"
_YEARS = (
    "XML Schema 1.1 has a year 0, years before it and of five digits; Python's datetime has not"
)
_PYTHON = "the text is none of the datatype's; Python's own conversion takes it"

FAULTS = [
    Fault("BCE date", *value("sh:datatype xsd:date", '"-0012-11-29"^^xsd:date'), False, True, _YEARS),
    Fault(
        "24:00:00",
        *value("sh:datatype xsd:dateTime", '"2026-01-01T24:00:00Z"^^xsd:dateTime'),
        False,
        True,
        "24:00:00 is the next midnight in XML Schema",
    ),
    Fault(
        "white space",
        *value("sh:datatype xsd:integer", '" 5 "^^xsd:integer'),
        True,
        False,
        _PYTHON + "; RDF strips no white space",
    ),
    Fault("underscore", *value("sh:datatype xsd:integer", '"1_000"^^xsd:integer'), True, False, _PYTHON),
    Fault("other digits", *value("sh:datatype xsd:integer", '"\u0661"^^xsd:integer'), True, False, _PYTHON),
    Fault("exponent", *value("sh:datatype xsd:decimal", '"1e3"^^xsd:decimal'), True, False, _PYTHON),
    Fault("inf", *value("sh:datatype xsd:double", '"infinity"^^xsd:double'), True, False, _PYTHON),
    Fault(
        "stamp without zone",
        *value("sh:datatype xsd:dateTimeStamp", '"2026-01-01T00:00:00"^^xsd:dateTimeStamp'),
        True,
        False,
        "a dateTimeStamp has a zone; rdflib does not know the type",
    ),
    Fault(
        "rdfs:Literal",
        *value("sh:datatype rdfs:Literal", '"a"'),
        True,
        False,
        "no literal has that datatype; pySHACL takes it for a class",
    ),
    Fault("number in a range of times", *value('sh:minInclusive "2026-01-01T00:00:00Z"^^xsd:dateTime', "1"),
          True, False, _BY_TYPE),
    Fault("number less than a time", *pair("lessThan", "1", '"10:00:00"^^xsd:time'), True, False, _BY_TYPE),
    Fault("ill-typed less than", *pair("lessThanOrEquals", '"x"^^xsd:integer', "1"), None, False,
          "pySHACL raises a TypeError, which counts as a rejection"),
    Fault("not a number", *pair("lessThan", "1", '"NaN"^^xsd:double'), True, False,
          "nothing is less than NaN"),
    Fault("naive and zoned", *pair("lessThan", '"2026-01-01T00:00:00"^^xsd:dateTime',
          '"2030-01-01T00:00:00Z"^^xsd:dateTime'), True, False,
          "the suite of SHACL has a time without a zone incomparable with one that has it"),
    Fault("texts with languages", *pair("lessThan", '"a"@en', '"b"'), True, False,
          "SPARQL has no order for texts with a language"),
    Fault("IRIs less than", *pair("lessThan", "ex:a", "ex:b"), True, False,
          "SPARQL has no order for IRIs; pySHACL compares their texts"),
    Fault("blank node without another value",
          "ex:S sh:targetNode ex:i ; sh:path ex:p ; sh:lessThan ex:q .", "ex:i ex:p _:b .", None, True,
          "there is no pair to compare; pySHACL raises at the first blank node"),
    Fault("years in order", *pair("lessThan", '"2026"^^xsd:gYear', '"12024"^^xsd:gYear'), False, True, _YEARS),
    Fault("minLength 0", *value("sh:minLength 0", "_:b"), True, False,
          "a blank node breaks sh:minLength whatever the length; pySHACL skips 0"),
    Fault("end of the text", *value('sh:pattern "b7$"', '"b7\\n"'), True, False,
          "$ is the very end in XPath, and in Python also before a last line feed"),
    Fault("flag s", *value('sh:pattern "a.b" ; sh:flags "s"', '"a\\nb"'), False, True,
          "pySHACL passes over every flag but i and m"),
    Fault("flag x", *value('sh:pattern "a b" ; sh:flags "x"', '"ab"'), False, True,
          "pySHACL passes over every flag but i and m"),
    Fault("language range", *value('sh:languageIn ( "zh-Hant" )', '"\u8eca"@zh-Hant-TW'), False, True,
          "a range admits every longer tag; pySHACL looks at the whole tag and its first part only"),
    Fault("inverse of a sequence",
          "ex:S sh:targetNode ex:c ; sh:path [ sh:inversePath ( ex:p ex:q ) ] ; sh:hasValue ex:a .",
          "ex:a ex:p ex:b . ex:b ex:q ex:c .", False, True,
          "the inverse of p/q is ^q/^p; pySHACL finds no value"),
    Fault("rdfs:Resource", "ex:S sh:targetNode ex:i ; sh:closed true .", "ex:i a rdfs:Resource .",
          True, False, "a closed shape lists what it allows; pySHACL always allows this type"),
    Fault("misspelt parameter", "ex:S sh:targetNode ex:i ; sh:path ex:p ; sh:minCout 1 .", "ex:i ex:q 1 .",
          True, "unsupported_shape", "an unknown word is refused, not passed over"),
    Fault("advanced constraint", "ex:S sh:targetNode ex:i ; sh:expression [ ] .", "ex:i ex:q 1 .",
          True, "unsupported_shape", "a constraint that is not checked must not look like one that holds"),
    Fault("shape of itself", "ex:S sh:targetNode ex:i ; sh:node ex:S .", "ex:i ex:q 1 .",
          True, "unsupported_shape", "SHACL leaves recursive shapes undefined; pySHACL gives up and lets pass"),
]  # fmt: skip

AGREED = [
    Fault("year zero", *value("sh:datatype xsd:gYear", '"0000"^^xsd:gYear'), True, True, _YEARS),
    Fault("BCE year", *value("sh:datatype xsd:gYear", '"-0444"^^xsd:gYear'), True, True, _YEARS),
    Fault("year 12024", *value("sh:datatype xsd:gYear", '"12024"^^xsd:gYear'), True, True, _YEARS),
    Fault("ill-typed in a range", *value("sh:minInclusive 1", '"x"^^xsd:integer'), False, False,
          "an ill-typed literal has no value to compare"),
    Fault("a date is a date", *value("sh:datatype xsd:date", '"2022-07-22"^^xsd:date'), True, True, "B107"),
    Fault("a dateTime is no date", *value("sh:datatype xsd:date", '"2022-07-22T00:00:00"^^xsd:dateTime'),
          False, False, "B107"),
    Fault("a date is less", *pair("lessThan", '"2022-07-22"^^xsd:date', '"2022-07-23"^^xsd:date'),
          True, True, "B107"),
    Fault("an ordinary integer", *value("sh:datatype xsd:integer", "5"), True, True, "as above"),
    Fault("an ill-typed integer", *value("sh:datatype xsd:integer", '"five"^^xsd:integer'), False, False, ""),
]  # fmt: skip
"""Neighbours of the faults, on which both agree."""


def graphs(fault: Fault) -> tuple[str, str]:
    """Return shapes and data in Turtle."""
    return PREFIXES + fault.shapes, PREFIXES + fault.data
