"""
Statements exported by ourselves, recognised when they come back.

Of each believed, open version the claim is taken: subject, predicate, object, graph, source,
window, support id, confidence; its record time becomes `source_recorded_at`. Other versions,
transactions and what PROV-O says about them are counted by name and not stored. A reified
statement without `srdf:recordedAt` is data like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

import pyoxigraph as ox

from semantica_rdf.errors import CallerError, ValidationError
from semantica_rdf.loading.claims import Claim
from semantica_rdf.loading.report import Tally
from semantica_rdf.model import vocab
from semantica_rdf.model.draft import Draft
from semantica_rdf.model.terms import Literal, as_spelled, term_of_pyoxigraph

Positioned: TypeAlias = tuple[int, ox.Quad]
_Properties: TypeAlias = dict[str, list[Any]]

MARK = b"semantica-rdf"
"""Bytes that any document with our own terms holds, whether it names them or a context of ours."""

_TAKEN = frozenset(
    {
        vocab.RDF_TYPE,
        vocab.RDF_SUBJECT,
        vocab.RDF_PREDICATE,
        vocab.RDF_OBJECT,
        vocab.IN_GRAPH,
        vocab.SOURCE,
        vocab.VALID_FROM,
        vocab.VALID_UNTIL,
        vocab.IDENTIFIER,
        vocab.CONFIDENCE,
        vocab.RECORDED_AT,
        vocab.SOURCE_TEXT,
        vocab.STANDING,
    }
)
_OWN_KINDS = {vocab.TRANSACTION_CLASS: "transactions", vocab.BELIEF_ROW: "belief rows"}
_PROV_KINDS = frozenset(vocab.PROV + name for name in ("Agent", "Entity", "Activity"))


class Record(NamedTuple):
    """
    What a document holds of ours.

    `statements` gives each of our statements its position and properties, `kinds` each of our
    other nodes its class, `rest` everything that is not ours.
    """

    statements: dict[str, tuple[int, _Properties]]
    kinds: dict[str, str]
    rest: list[Positioned]


def partitioned(quads: Iterable[Positioned]) -> Record:
    """
    Tell our own statements and nodes from everything else.

    Triples that only say which agent or source is a PROV agent or entity go with our own.
    """
    held = list(quads)
    kinds = _own_kinds(quad for _, quad in held)
    statements: dict[str, tuple[int, _Properties]] = {}
    rest: list[Positioned] = []
    named: set[str] = set()
    for position, quad in held:
        kind = kinds.get(_value(quad.subject))
        if kind is None:
            rest.append((position, quad))
            continue
        if kind == vocab.RDF_STATEMENT:
            properties = statements.setdefault(_value(quad.subject), (position, {}))[1]
            properties.setdefault(quad.predicate.value, []).append(quad.object)
        if isinstance(quad.object, ox.NamedNode):
            named.add(quad.object.value)
    others = {node: kind for node, kind in kinds.items() if kind in _OWN_KINDS}
    return Record(statements, others, [item for item in rest if not _says_kind(item[1], named)])


def _own_kinds(quads: Iterable[ox.Quad]) -> dict[str, str]:
    """Return the class of every node that is ours: it has a record time and one of our classes."""
    classes: dict[str, str] = {}
    recorded: set[str] = set()
    for quad in quads:
        predicate = quad.predicate.value
        if predicate == vocab.RECORDED_AT:
            recorded.add(_value(quad.subject))
        elif predicate == vocab.RDF_TYPE:
            kind = _value(quad.object)
            if kind == vocab.RDF_STATEMENT or kind in _OWN_KINDS:
                classes[_value(quad.subject)] = kind
    return {node: kind for node, kind in classes.items() if node in recorded}


def _value(term: object) -> str:
    return term.value if isinstance(term, ox.NamedNode) else ""


def _says_kind(quad: ox.Quad, named: set[str]) -> bool:
    return (
        quad.predicate.value == vocab.RDF_TYPE
        and _value(quad.object) in _PROV_KINDS
        and _value(quad.subject) in named
    )


def own_claims(record: Record, tally: Tally) -> Iterator[Claim]:
    """Yield the claims of our own statements, counting in the tally what is not taken."""
    for kind in record.kinds.values():
        tally.skipped[_OWN_KINDS[kind]] += 1
    for position, properties in record.statements.values():
        tally.read += 1
        if any(
            _value(each) == vocab.SHAPES_TEXT for each in properties.get(vocab.RDF_PREDICATE, ())
        ):
            tally.skipped["shapes versions"] += 1
            continue
        reason = _not_current(properties)
        if reason is not None:
            tally.skipped[f"{reason} versions"] += 1
            continue
        try:
            draft = _draft(properties)
        except CallerError as error:
            tally.reject((position,), error)
            continue
        for predicate in properties:
            if predicate.startswith(vocab.SRDF) and predicate not in _TAKEN:
                tally.skipped[f"srdf:{predicate.removeprefix(vocab.SRDF)}"] += 1
        yield Claim(draft, (position,))


def _not_current(properties: _Properties) -> str | None:
    if vocab.SUPERSEDED_AT in properties or vocab.SUPERSEDED_BY in properties:
        return "superseded"
    for standing in properties.get(vocab.STANDING, ()):
        if standing.value != vocab.BELIEVED:
            return str(standing.value).removeprefix(vocab.SRDF)
    return None


def _draft(properties: _Properties) -> Draft:
    def one(predicate: str) -> Any:
        """Return the only value of a property, None when it has none."""
        values = properties.get(predicate, ())
        if len(values) > 1:
            raise ValidationError(
                f"the statement has several values of {predicate}", code="bad_statement"
            )
        return values[0] if values else None

    parts = [one(name) for name in (vocab.RDF_SUBJECT, vocab.RDF_PREDICATE, vocab.RDF_OBJECT)]
    if None in parts:
        raise ValidationError(
            "the statement lacks a subject, predicate or object", code="bad_statement"
        )
    subject, predicate, value = (term_of_pyoxigraph(part) for part in parts)
    spelled = one(vocab.SOURCE_TEXT)
    if spelled is not None and isinstance(value, Literal):
        value = as_spelled(value, spelled.value)
    graph, source = one(vocab.IN_GRAPH), one(vocab.SOURCE)
    support_id, confidence = one(vocab.IDENTIFIER), one(vocab.CONFIDENCE)
    return Draft(
        subject,
        predicate,
        value,
        graph=graph,
        source=source,
        valid_from=one(vocab.VALID_FROM),
        valid_until=one(vocab.VALID_UNTIL),
        support_id=None if support_id is None else support_id.value,
        confidence=None if confidence is None else confidence.value,
        source_recorded_at=one(vocab.RECORDED_AT),
    )


__all__ = ["MARK", "Positioned", "Record", "own_claims", "partitioned"]
