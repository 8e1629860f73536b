"""
Bad input and its good neighbour, as a table: each case is refused with one class and one code.

A case is written as what is done to an open transaction over the seeded base of `seed`: `bad` must
be refused, `good`, which differs in the one thing that matters, must be taken.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, NamedTuple

import pyoxigraph as ox
import rdflib

from semantica_rdf import Draft, KnowledgeBase, errors, iri, literal
from semantica_rdf.model import vocab

EX = "https://example.org/"
ALICE, BOB, WORKS_FOR, NOTE = EX + "alice", EX + "bob", EX + "worksFor", EX + "note"
ACME, BOLT = iri(EX + "acme"), iri(EX + "bolt")
HR, BADGE = EX + "hr", EX + "badge"
CLAIM = {"subject": BOB, "predicate": NOTE, "object": "a text"}

Act = Callable[[Any], object]


class Case(NamedTuple):
    """One bad input, the class and code it is refused with, and its good neighbour."""

    name: str
    kind: type[errors.SemanticaError]
    code: str
    bad: Act
    good: Act


def seed(kb: KnowledgeBase) -> None:
    """Write what verbs work on: support ids open, ended, disputed, twice-1, twice-2."""
    kb.prefixes.bind("ex", EX)
    with kb.transaction(reason="test") as tx:
        tx.assert_(ALICE, WORKS_FOR, ACME, valid_from="2020", support_id="open", confidence="0.5")
        tx.assert_(
            ALICE, WORKS_FOR, BOLT, valid_from="2018", valid_until="2020", support_id="ended"
        )
        tx.dispute(tx.assert_(ALICE, NOTE, "unsure", support_id="disputed"))
        tx.assert_(ALICE, NOTE, "told twice", source=HR, support_id="twice-1")
        tx.assert_(ALICE, NOTE, "told twice", source=BADGE, support_id="twice-2")
        tx.assert_(ALICE, NOTE, "taken back", support_id="gone")
    with kb.transaction(reason="test") as tx:
        tx.withdraw("gone")


def said(**changes: Any) -> Act:
    """Return the act of asserting the claim with some of its parts changed."""
    return lambda tx: tx.assert_(**(CLAIM | changes))


def made(part: str, make: Callable[[], Any]) -> Act:
    """Return the act of asserting the claim with a part that is made only then."""
    return lambda tx: tx.assert_(**(CLAIM | {part: make()}))


def _bad_iris() -> list[Case]:
    spelled = {
        "a blank": " ",
        "a smaller-than": "<",
        "a greater-than": ">",
        "a quote": '"',
        "an opening brace": "{",
        "a closing brace": "}",
        "a bar": "|",
        "a backslash": "\\",
        "a caret": "^",
        "a backtick": "`",
        "a NUL": "\0",
        "a line break": "\n",
        "a broken percent": "%zz",
        "a percent at the end": "%",
        "a lone surrogate": "\ud800",
        "a private character": "\ue000",
    }
    return [
        Case(
            f"an IRI with {name}",
            errors.ValidationError,
            "bad_iri",
            said(**{part: f"{EX}a{text}"}),
            said(**{part: f"{EX}a%20"}),
        )
        for (name, text), part in zip(
            spelled.items(), ("subject", "predicate", "graph", "source") * 4, strict=True
        )
    ]


def _more_iris() -> list[Case]:
    invalid, unknown = errors.ValidationError, errors.UnknownPrefix
    good = said(object=iri("javascript:alert(1)"))
    return [
        Case("iri() of a relative", invalid, "bad_iri", made("object", lambda: iri("a/b")), good),
        Case("iri() of nothing", invalid, "bad_iri", made("object", lambda: iri("")), good),
        Case("iri() with a blank", invalid, "bad_iri", made("object", lambda: iri("x:a b")), good),
        Case("iri() of a number", invalid, "bad_iri", made("object", lambda: iri(7)), good),
        Case(
            "an rdflib IRI with a blank",
            invalid,
            "bad_iri",
            said(subject=rdflib.URIRef(EX + "a") + "\x20b"),
            said(subject=rdflib.URIRef(EX + "a") + "%20b"),
        ),
        Case(
            "an IRI without end",
            invalid,
            "bad_iri",
            said(subject=EX + "a" * 70_000),
            said(subject=EX + "a" * 60_000),
        ),
        Case("no subject", invalid, "not_an_iri", said(subject=None), said()),
        Case("an empty subject", unknown, "unknown_prefix", said(subject=""), said()),
        Case(
            "a relative subject",
            unknown,
            "unknown_prefix",
            said(subject="people/bob"),
            said(subject="ex:people/bob"),
        ),
        Case(
            "a name nobody declared",
            unknown,
            "unknown_prefix",
            said(predicate="nope:note"),
            said(predicate="ex:note"),
        ),
        Case(
            "a graph nobody declared",
            unknown,
            "unknown_prefix",
            said(graph="nope:g"),
            said(graph="ex:g"),
        ),
        Case(
            "a source nobody declared",
            unknown,
            "unknown_prefix",
            said(source="the HR office"),
            said(source="ex:the-HR-office"),
        ),
        Case(
            "a script as a subject's text",
            unknown,
            "unknown_prefix",
            said(subject="javascript:alert(1)"),
            said(subject=iri("javascript:alert(1)")),
        ),
        Case(
            "a file path as a scheme",
            unknown,
            "unknown_prefix",
            said(subject="file:/etc/passwd"),
            said(subject="file:///etc/passwd"),
        ),
    ]


def _kinds_of_terms() -> list[Case]:
    invalid = errors.ValidationError
    triple = ox.Triple(ox.NamedNode(BOB), ox.NamedNode(NOTE), ox.Literal("x"))
    mark = ox.Literal("x", language="ar", direction=ox.BaseDirection.RTL)
    named = {"a literal": literal("x"), "a number": 7, "a truth value": True, "bytes": b"x"}
    cases = [
        Case(f"{name} as {part}", invalid, "not_an_iri", said(**{part: value}), said())
        for (name, value), part in zip(
            named.items(), ("subject", "predicate", "graph", "source"), strict=True
        )
    ]
    blanks = {"subject": ox.BlankNode(), "object": rdflib.BNode(), "graph": ox.BlankNode("g")}
    cases += [
        Case(f"a blank node as {part}", invalid, "blank_node", said(**{part: node}), said())
        for part, node in blanks.items()
    ]
    unsupported: dict[str, Any] = {
        "a triple term": triple,
        "a base direction": mark,
        "nothing": None,
        "a list": ["x"],
        "a dict": {"@id": EX},
        "bytes": b"x",
        "a complex number": 1j,
        "a length of time": timedelta(1),
        "an rdflib variable": rdflib.Variable("x"),
    }
    return cases + [
        Case(f"{name} as object", invalid, "unsupported_term", said(object=value), said())
        for name, value in unsupported.items()
    ]


def _literals() -> list[Case]:
    invalid, ambiguous = errors.ValidationError, errors.AmbiguousTerm

    def bad(name: str, value: Any, good: Any, *, code: str = "bad_literal", **given: Any) -> Case:
        return Case(
            name, invalid, code, made("object", lambda: literal(value, **given)), said(object=good)
        )

    return [
        bad("a lone surrogate", "\ud800", "\U0001f600"),
        bad("half a pair", "a\udc00b", "a\0b"),
        bad("a language with an underscore", "x", literal("x", lang="en-US"), lang="en_US"),
        bad("a language of nine letters", "x", literal("x", lang="en"), lang="abcdefghi"),
        bad("an empty language", "x", literal("x"), lang=""),
        bad("language and datatype", "x", literal("x", lang="en"), lang="en", datatype="xsd:date"),
        bad("a tagged type without tag", "x", "x", datatype=vocab.RDF_LANGSTRING),
        bad("a datatype that is no IRI", "1", 1, datatype="integer", code="bad_iri"),
        bad("a decimal that is none", Decimal("NaN"), float("nan")),
        bad("an endless decimal", Decimal("Infinity"), Decimal("1e10")),
        bad(
            "a value without zone",
            datetime(2026, 1, 1),  # noqa: DTZ001  # a naive value is the case
            datetime(2026, 1, 1, tzinfo=UTC),
            code="naive_datetime",
        ),
        bad("a huge literal", "x" * 16_000_000, "x" * 1_000_000, code="literal_too_large"),
        Case(
            "a lone surrogate as text",
            invalid,
            "bad_literal",
            said(object="\ud800"),
            said(object="\u202e"),
        ),
        Case(
            "a tagged type without tag from pyoxigraph's side",
            invalid,
            "bad_literal",
            said(object=rdflib.Literal("x", datatype=vocab.RDF_LANGSTRING)),
            said(object=rdflib.Literal("x", lang="en")),
        ),
        Case(
            "a text that is an IRI", ambiguous, "ambiguous_term", said(object=EX), said(object=ACME)
        ),
        Case(
            "a text that is a urn",
            ambiguous,
            "ambiguous_term",
            said(object="urn:isbn:1"),
            said(object=literal("urn:isbn:1")),
        ),
        Case(
            "a text that is a declared name",
            ambiguous,
            "ambiguous_term",
            said(object="ex:acme"),
            said(object="nope:acme"),
        ),
    ]


def _reserved() -> list[Case]:
    return [
        Case(
            f"the record's own {name}",
            errors.ReservedTerm,
            "reserved_term",
            said(predicate=predicate),
            said(predicate=predicate.replace("semantica-rdf", "somebody-else")),
        )
        for name, predicate in {
            "start": vocab.VALID_FROM,
            "record time": vocab.RECORDED_AT,
            "standing": vocab.STANDING,
            "name that is not used yet": vocab.SRDF + "anything",
        }.items()
    ]


BAD_TIMES: dict[str, tuple[Any, str, Any]] = {
    "an instant without zone": ("2026-01-01T00:00:00", "naive_datetime", "2026-01-01T00:00:00Z"),
    "a datetime without zone": (
        datetime(2026, 1, 1),  # noqa: DTZ001  # a naive value is the case
        "naive_datetime",
        datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=-5))),
    ),
    "a typed instant without zone": (
        literal("2026-01-01T00:00:00", datatype="xsd:dateTime"),
        "naive_datetime",
        literal("2026-01-01T00:00:00Z", datatype="xsd:dateTime"),
    ),
    "the 30th of February": ("2026-02-30", "bad_time", "2026-02-28"),
    "the 29th of February of a common year": ("2026-02-29", "bad_time", "2024-02-29"),
    "a thirteenth month": ("2026-13", "bad_time", "2026-12"),
    "the 15th month of 2024": ("2024-15-04", "bad_time", "2024-04-15"),
    "the 53rd week of a short year": ("2026-W54", "bad_time", "2026-W53"),
    "year 0": ("0000", "year_out_of_range", "0001"),
    "year -1": ("-0001-01-01", "year_out_of_range", "0001-01-01"),
    "year -444 as a gYear": (
        literal("-0444", datatype="xsd:gYear"),
        "year_out_of_range",
        literal("0444", datatype="xsd:gYear"),
    ),
    "year 12024": ("12024", "year_out_of_range", "2024"),
    "an instant before year 1 by its offset": (
        "0001-01-01T00:00:00+01:00",
        "year_out_of_range",
        "0001-01-01T00:00:00-01:00",
    ),
    "a year with needless zeros": ("02026", "bad_time", "2026"),
    "a leap second": ("2016-12-31T23:59:60Z", "leap_second", "2016-12-31T23:59:59Z"),
    "half past midnight at 24": ("2026-01-01T24:30:00Z", "bad_time", "2026-01-01T24:00:00Z"),
    "hour 25": ("2026-01-01T25:00:00Z", "bad_time", "2026-01-01T23:00:00Z"),
    "seven fraction digits": (
        "2026-01-01T00:00:00.1234567Z",
        "too_precise",
        "2026-01-01T00:00:00.1234560Z",
    ),
    "an offset of 15 hours": ("2026-01-01T00:00:00+15:00", "bad_time", "2026-01-01T00:00:00+14:00"),
    "an offset of 14:01": ("2026-01-01T00:00:00-14:01", "bad_time", "2026-01-01T00:00:00-14:00"),
    "an offset of 90 minutes": ("2026-01-01T00:00:00+00:90", "bad_time", "2026-01-01T00:00+01:30"),
    "a blank for the T": ("2026-01-01 00:00:00Z", "bad_time", "2026-01-01T00:00:00Z"),
    "a small z": ("2026-01-01T00:00:00z", "bad_time", "2026-01-01T00:00:00Z"),
    "a blank before": (" 2026-01-01", "bad_time", "2026-01-01"),
    "a line break behind": ("2026-01-01\n", "bad_time", "2026-01-01"),
    "one digit months": ("2026-1-1", "bad_time", "2026-01-01"),
    "another script's digits": ("\uff12\uff10\uff12\uff16-01-01", "bad_time", "2026-01-01"),
    "words": ("yesterday", "bad_time", "2026"),
    "nothing": ("", "bad_time", None),
    "a number": (2026, "bad_time", "2026"),
    "a number of seconds": (1767225600.0, "bad_time", "2026-01-01T00:00:00Z"),
    "not a number": (float("nan"), "bad_time", None),
    "a truth value": (True, "bad_time", None),
    "a list": (["2026"], "bad_time", "2026"),
    "an IRI": (iri(EX + "2026"), "bad_time", "2026"),
    "a literal of another type": (
        literal("2026", datatype="xsd:integer"),
        "bad_time",
        literal("2026", datatype="xsd:gYear"),
    ),
    "a text with a language": (literal("2026", lang="en"), "bad_time", literal("2026")),
    "a day without month": ("2026-##-05", "bad_time", "2026-##-##"),
    "a lone surrogate": ("2026\ud800", "bad_time", date(2026, 1, 1)),
}


def _times() -> list[Case]:
    fields = ("valid_from", "valid_until", "source_recorded_at", "valid_during")
    cases = []
    for number, (name, (bad, code, good)) in enumerate(BAD_TIMES.items()):
        field = fields[number % 3]
        kind = errors.TemporalValidationError
        cases.append(
            Case(f"{name} as {field}", kind, code, said(**{field: bad}), said(**{field: good}))
        )
    return cases


def _windows() -> list[Case]:
    def case(name: str, code: str, bad: dict[str, Any], good: dict[str, Any]) -> Case:
        return Case(name, errors.TemporalValidationError, code, said(**bad), said(**good))

    day = {"valid_from": "2026-01-01", "valid_until": "2026-01-01"}
    return [
        case("an empty window", "empty_window", day, day | {"date_end": "inclusive"}),
        case(
            "an empty window in two zones",
            "empty_window",
            {"valid_from": "2026-01-01T12:00:00Z", "valid_until": "2026-01-01T14:00:00+02:00"},
            {"valid_from": "2026-01-01T12:00:00Z", "valid_until": "2026-01-01T14:00:00+01:00"},
        ),
        case(
            "an inverted window",
            "inverted_window",
            {"valid_from": "2026", "valid_until": "2020"},
            {"valid_from": "2020", "valid_until": "2026"},
        ),
        case(
            "an inverted window with an inclusive end",
            "inverted_window",
            {"valid_from": "2026-02-01", "valid_until": "2026-01-30", "date_end": "inclusive"},
            {"valid_from": "2026-02-01", "valid_until": "2026-02-01", "date_end": "inclusive"},
        ),
        case(
            "an instant as a whole window",
            "empty_window",
            {"valid_during": "2026-01-01T00:00:00Z"},
            {"valid_during": "2026-01-01"},
        ),
        case(
            "a period and a start",
            "two_windows",
            {"valid_during": "2026", "valid_from": "2026"},
            {"valid_during": "2026"},
        ),
        case(
            "a period and an end",
            "two_windows",
            {"valid_during": "2026", "valid_until": "2027"},
            {"valid_from": "2026", "valid_until": "2027"},
        ),
        case(
            "a period that ends after the year 9999",
            "year_out_of_range",
            {"valid_during": "9999"},
            {"valid_from": "9999"},
        ),
        case(
            "another kind of end",
            "bad_date_end",
            {"valid_until": "2026", "date_end": "included"},
            {"valid_until": "2026", "date_end": "inclusive"},
        ),
        case(
            "another kind of end beside no end",
            "bad_date_end",
            {"date_end": True},
            {"date_end": "exclusive"},
        ),
    ]


def _claims() -> list[Case]:
    invalid = errors.ValidationError
    confidences: dict[str, tuple[Any, Any]] = {
        "not a number": (float("nan"), 1.0),
        "below 0": (-0.1, 0),
        "above 1": (1.1, 1),
        "a truth value": (True, 1),
        "16 digits": ("0.1234567890123456", "0.123456789012345"),
        "endless": (float("inf"), Decimal(1)),
        "a word": ("high", "0.9"),
        "nothing": ("", None),
        "grouped digits": ("0_1", "0.1"),
        "a list": ([0.5], 0.5),
    }
    support_ids: dict[str, Any] = {
        "nothing": "",
        "blank": "  ",
        "blanks at the ends": " new-1 ",
        "a number": 1,
        "a list": ["new-1"],
        "overlong": "x" * 1025,
        "a lone surrogate": "new-\ud800",
    }
    return [
        *(
            Case(f"a confidence of {name}", invalid, "bad_confidence", said(confidence=bad), said(confidence=good))
            for name, (bad, good) in confidences.items()
        ),
        *(
            Case(f"a support id of {name}", invalid, "bad_support_id", said(support_id=bad), said(support_id="new-1"))
            for name, bad in support_ids.items()
        ),
        Case(
            "a support id of another fact",
            invalid,
            "support_id_taken",
            said(support_id="open"),
            said(support_id="new-1"),
        ),
        Case(
            "a support id of another fact that is no longer open",
            invalid,
            "support_id_taken",
            said(support_id="gone"),
            said(subject=ALICE, object="taken back", support_id="gone"),
        ),
        Case(
            "another confidence",
            invalid,
            "confidence_differs",
            lambda tx: tx.assert_(
                ALICE, WORKS_FOR, ACME, valid_from="2020", support_id="open", confidence="0.6"
            ),
            lambda tx: tx.revise("open", confidence="0.6"),
        ),
    ]  # fmt: skip


def _targets() -> list[Case]:
    invalid, missing = errors.ValidationError, errors.NotFound

    def good(tx: Any) -> object:
        return tx.withdraw("open")

    wrong: dict[str, Any] = {
        "an empty tuple": (),
        "a pair": (ALICE, WORKS_FOR),
        "five parts": (ALICE, WORKS_FOR, ACME, None, None),
        "a list": [ALICE, WORKS_FOR, ACME],
        "a filter": {"user": "u1"},
        "an empty filter": {},
        "a number": 7,
        "a truth value": True,
    }
    unknown: dict[str, Any] = {
        "no text": "",
        "a support id nobody gave": "nope",
        "an id nobody gave": "99-1",
        "an id of another base": vocab.ID_BASE + "000000000000/1-1",
        "a transaction's id": "1-0",
        "a fact nobody stated": (BOB, WORKS_FOR, ACME),
        "a fact in a graph where it is not": (ALICE, WORKS_FOR, ACME, EX + "g"),
    }
    verbs = ("retract", "withdraw", "revise", "dispute")

    def act(number: int, target: Any) -> Act:
        verb = verbs[number % 4]
        given = {"object": BOLT} if verb == "revise" else {}
        return lambda tx: getattr(tx, verb)(target, **given)

    return [
        *(
            Case(f"{verbs[number % 4]} {name}", invalid, "bad_target", act(number, target), good)
            for number, (name, target) in enumerate(wrong.items())
        ),
        *(
            Case(f"{verbs[number % 4]} {name}", missing, "not_found", act(number, target), good)
            for number, (name, target) in enumerate(unknown.items())
        ),
        Case("retract without a target", invalid, "bad_target", lambda tx: tx.retract(), good),
        Case("withdraw without a target", invalid, "bad_target", lambda tx: tx.withdraw(), good),
        Case(
            "retract a target and a source",
            invalid,
            "bad_target",
            lambda tx: tx.retract("open", source=HR),
            good,
        ),
        Case(
            "withdraw a source that said nothing",
            missing,
            "not_found",
            lambda tx: tx.withdraw(source=EX + "hrr"),
            lambda tx: tx.withdraw(source=HR),
        ),
        Case(
            "retract what is only disputed",
            missing,
            "not_found",
            lambda tx: tx.retract((ALICE, NOTE, "unsure")),
            lambda tx: tx.retract("disputed"),
        ),
        Case(
            "revise one of two",
            errors.AmbiguousTarget,
            "ambiguous_target",
            lambda tx: tx.revise((ALICE, NOTE, "told twice"), object="told once"),
            lambda tx: tx.revise("twice-1", object="told once"),
        ),
        Case(
            "judge one of two",
            errors.AmbiguousTarget,
            "ambiguous_target",
            lambda tx: tx.dispute((ALICE, NOTE, "told twice")),
            lambda tx: tx.dispute("twice-1"),
        ),
    ]


def _verbs() -> list[Case]:
    invalid, missing = errors.ValidationError, errors.NotFound
    temporal, nothing = errors.TemporalValidationError, errors.NothingToRetract
    return [
        Case(
            "retract what ended by then",
            nothing,
            "nothing_to_retract",
            lambda tx: tx.retract("ended", valid_until="2020"),
            lambda tx: tx.retract("ended", valid_until="2019"),
        ),
        Case(
            "retract twice",
            nothing,
            "nothing_to_retract",
            lambda tx: [tx.retract("ended", valid_until=until) for until in ("2019", "2019")],
            lambda tx: [tx.retract("ended", valid_until=until) for until in ("2019-06", "2019")],
        ),
        Case(
            "lengthen by retracting",
            nothing,
            "nothing_to_retract",
            lambda tx: tx.retract("ended", valid_until="2021"),
            lambda tx: tx.revise("ended", valid_until="2021"),
        ),
        Case(
            "retract at the start",
            invalid,
            "retract_before_start",
            lambda tx: tx.retract("open", valid_until="2020"),
            lambda tx: tx.retract("open", valid_until="2020-01-02"),
        ),
        Case(
            "retract before the start",
            invalid,
            "retract_before_start",
            lambda tx: tx.retract("open", valid_until="2019"),
            lambda tx: tx.withdraw("open"),
        ),
        Case(
            "retract on a day that is none",
            temporal,
            "bad_time",
            lambda tx: tx.retract("open", valid_until="2026-02-30"),
            lambda tx: tx.retract("open", valid_until="2026-02-28"),
        ),
        Case(
            "withdraw what was withdrawn",
            missing,
            "no_open_version",
            lambda tx: tx.withdraw("1-6"),
            lambda tx: tx.withdraw("1-1"),
        ),
        Case(
            "withdraw twice",
            missing,
            "not_found",
            lambda tx: [tx.withdraw("open"), tx.withdraw("open")],
            lambda tx: [tx.withdraw("open"), tx.withdraw("ended")],
        ),
        Case(
            "revise nothing",
            invalid,
            "nothing_to_revise",
            lambda tx: tx.revise("open"),
            lambda tx: tx.revise("open", confidence=None),
        ),
        Case(
            "revise to what it says already",
            invalid,
            "nothing_to_revise",
            lambda tx: tx.revise("open", object=ACME, valid_from="2020"),
            lambda tx: tx.revise("open", object=BOLT, valid_from="2020"),
        ),
        Case(
            "revise into an inverted window",
            temporal,
            "inverted_window",
            lambda tx: tx.revise("ended", valid_from="2021"),
            lambda tx: tx.revise("ended", valid_from="2019"),
        ),
        Case(
            "revise into an empty window",
            temporal,
            "empty_window",
            lambda tx: tx.revise("ended", valid_until="2018"),
            lambda tx: tx.revise("ended", valid_until=None),
        ),
        Case(
            "revise to a blank node",
            invalid,
            "blank_node",
            lambda tx: tx.revise("open", object=ox.BlankNode()),
            lambda tx: tx.revise("open", object=ox.NamedNode(EX + "bolt")),
        ),
        Case(
            "revise to a predicate of the record",
            errors.ReservedTerm,
            "reserved_term",
            lambda tx: tx.revise("open", predicate="srdf:source"),
            lambda tx: tx.revise("open", predicate="dcterms:source"),
        ),
        Case(
            "revise to another's support id",
            invalid,
            "support_id_taken",
            lambda tx: tx.revise("open", support_id="ended"),
            lambda tx: tx.revise("open", support_id="new-1"),
        ),
        Case(
            "revise into another statement",
            invalid,
            "duplicate_statement",
            lambda tx: tx.revise("twice-2", source=HR, support_id=None)
            and tx.revise("twice-1", support_id=None),
            lambda tx: tx.revise("twice-2", support_id=None),
        ),
        Case(
            "replace within everything",
            invalid,
            "bad_within",
            lambda tx: tx.replace(ALICE, WORKS_FOR, BOLT, valid_from="2024", within="everything"),
            lambda tx: tx.replace(ALICE, WORKS_FOR, BOLT, valid_from="2024", within="source"),
        ),
        Case(
            "replace by a text that may be an IRI",
            errors.AmbiguousTerm,
            "ambiguous_term",
            lambda tx: tx.replace(ALICE, WORKS_FOR, "ex:bolt", valid_from="2024"),
            lambda tx: tx.replace(ALICE, WORKS_FOR, iri(EX + "bolt"), valid_from="2024"),
        ),
        Case(
            "propose an impossible day",
            temporal,
            "bad_time",
            lambda tx: tx.propose(BOB, NOTE, "x", valid_from="2026-04-31"),
            lambda tx: tx.propose(BOB, NOTE, "x", valid_from="2026-04-30"),
        ),
        Case(
            "extend by a text",
            invalid,
            "bad_claim",
            lambda tx: tx.extend(["a text"]),
            lambda tx: tx.extend([(BOB, NOTE, "a text")]),
        ),
        Case(
            "extend by a number",
            invalid,
            "bad_claim",
            lambda tx: tx.extend(7),
            lambda tx: tx.extend([(BOB, NOTE, 7)]),
        ),
        Case(
            "extend by nothing",
            invalid,
            "bad_claim",
            lambda tx: tx.extend(None),
            lambda tx: tx.extend([(BOB, NOTE, "a text", None)]),
        ),
        Case(
            "extend by a pair",
            invalid,
            "bad_claim",
            lambda tx: tx.extend([(BOB, NOTE)]),
            lambda tx: tx.extend([(BOB, NOTE, "a text", EX + "g")]),
        ),
        Case(
            "extend by good and bad",
            errors.TemporalValidationError,
            "bad_time",
            lambda tx: tx.extend([Draft(BOB, NOTE, 1), Draft(BOB, NOTE, 2, valid_from="soon")]),
            lambda tx: tx.extend([Draft(BOB, NOTE, 1), Draft(BOB, NOTE, 2, valid_from="2026")]),
        ),
        Case(
            "extend by a triple with a blank node",
            invalid,
            "blank_node",
            lambda tx: tx.extend([ox.Triple(ox.BlankNode(), ox.NamedNode(NOTE), ox.Literal("x"))]),
            lambda tx: tx.extend(ox.Dataset([ox.Quad(ox.BlankNode(), ox.NamedNode(NOTE), ox.Literal("x"))])),
        ),
    ]  # fmt: skip


CASES = [
    *_bad_iris(),
    *_more_iris(),
    *_kinds_of_terms(),
    *_literals(),
    *_reserved(),
    *_times(),
    *_windows(),
    *_claims(),
    *_targets(),
    *_verbs(),
]
