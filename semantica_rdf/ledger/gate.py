"""
The gate: what every statement and every transaction must meet before anything is planned.

The shapes in `shapes/` and `shapes/write/` are its only source, compiled once. A node is described
as it would stand on record, in its incoming terms, and checked; what breaks a shape is refused
with the shape's own message and, where it names one, its own code. A transaction's number and
instant are fixed by the commit, so the next possible ones stand in.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import pyoxigraph as ox

from semantica_rdf.assets import asset_path
from semantica_rdf.errors import CallerError, ReservedTerm, ShapeViolation, UnknownFilter
from semantica_rdf.model import vocab
from semantica_rdf.model.statement import DEFAULT_NAMESPACE, Statement
from semantica_rdf.model.terms import engine_term, shortened
from semantica_rdf.model.time import OPEN_END, OPEN_START, instant_text
from semantica_rdf.shacl import Described, DescriptionPlan, Report, Shape, compile_shapes
from semantica_rdf.shacl.names import Term

_Properties: TypeAlias = dict[str, tuple[Term, ...]]

_ERROR_OF_CODE: dict[str, type[CallerError]] = {
    "reserved_term": ReservedTerm,
    "unknown_reason_code": UnknownFilter,
    "unknown_operation": UnknownFilter,
}
_MAX_PASSED = 16_384
"""Kinds of statements that passed which one transaction remembers."""
_STATEMENT = (ox.NamedNode(vocab.RDF_STATEMENT),)
_TRANSACTION = (ox.NamedNode(vocab.TRANSACTION_CLASS),)
_DATETIME = ox.NamedNode(vocab.XSD_DATETIME)
_DECIMAL = ox.NamedNode(vocab.XSD + "decimal")
_INTEGER = ox.NamedNode(vocab.XSD + "integer")
_STANDING = {name: (ox.NamedNode(vocab.SRDF + name),) for name in vocab.STANDINGS}


class RecordShapes(NamedTuple):
    """The shipped shapes of one class, compiled, with the error codes they name."""

    shapes: tuple[Shape, ...]
    codes: Mapping[str, str]
    plan: DescriptionPlan


@lru_cache(maxsize=4)
def record_shapes(name: str, *, of_the_record: bool = False) -> RecordShapes:
    """
    Return the compiled shapes of a class: `statement` or `transaction`.

    `of_the_record` leaves out what only a caller's claim has to meet.
    """
    shapes: list[Shape] = []
    codes: dict[str, str] = {}
    for path in (f"{name}.ttl", f"write/{name}.ttl"):
        quads = list(ox.parse(path=asset_path("shapes") / path))
        for shape in compile_shapes(quads, name=f"shapes/{path}").shapes:
            if shape.targets and not (of_the_record and _is_of_claims(shape)):
                shapes.append(shape)  # noqa: PERF401  # two lists are filled in one pass
        for quad in quads:
            if quad.predicate.value == vocab.ERROR_CODE:
                codes[quad.subject.value] = quad.object.value
    return RecordShapes(tuple(shapes), codes, DescriptionPlan(shapes))


def _is_of_claims(shape: Shape) -> bool:
    return str(shape.node).endswith("#ClaimShape>")


class Gate:
    """
    Checks the statements of one transaction; the transaction's own node was checked before.

    What is alike but for subject and object is checked once, as far as the shapes judge these two
    by their own values; a bulk write says the same of many subjects.
    """

    def __init__(self, transaction: str, instant: int, *, of_the_record: bool = False) -> None:
        self._shapes = record_shapes("statement", of_the_record=of_the_record)
        self._passed: set[tuple[object, ...]] = set()
        self._remembers = self._shapes.plan.judges_alone((vocab.RDF_SUBJECT, vocab.RDF_OBJECT))
        self._recorded = (_moment(instant),)
        self._transaction = (ox.NamedNode(transaction),)
        self._node = ox.NamedNode(transaction + "#new")
        self._graph = Described({self._transaction[0]: {vocab.RDF_TYPE: _TRANSACTION}})

    def check(self, statement: Statement) -> None:
        """
        Refuse a statement that breaks a shape of the record.

        Raises `ShapeViolation` with the shape's code (`missing_source`, `bad_confidence`,
        `bad_support_id`, `bad_namespace`, `shape_violation`), `ReservedTerm`.
        """
        fact, window = statement.fact, statement.window
        subject, value = ox.NamedNode(fact.subject[1:-1]), engine_term(fact.object)
        likeness = (
            fact[:2], fact.predicate, statement.source, window, statement.standing,
            statement.support_id, statement.confidence, statement.source_recorded_at,
            statement.family == statement.id, statement.revision_of,
        )  # fmt: skip
        plan = self._shapes.plan
        alone = {vocab.RDF_SUBJECT: (subject,), vocab.RDF_OBJECT: (value,)}
        if likeness in self._passed and plan.fits(alone):
            return
        self._graph.nodes[self._node] = self._described(statement, subject, value)
        if not plan.conforms(self._graph, self._node):
            raise refusal(self._shapes, self._graph, self._node)
        if self._remembers and len(self._passed) < _MAX_PASSED:
            self._passed.add(likeness)

    def _described(self, statement: Statement, subject: Term, value: Term) -> _Properties:
        fact, window = statement.fact, statement.window
        properties: _Properties = {
            vocab.RDF_TYPE: _STATEMENT,
            vocab.RDF_SUBJECT: (subject,),
            vocab.RDF_PREDICATE: (_iri(fact.predicate[1:-1]),),
            vocab.RDF_OBJECT: (value,),
            vocab.RECORDED_AT: self._recorded,
            vocab.TRANSACTION: self._transaction,
        }
        if statement.source:
            properties[vocab.SOURCE] = (_iri(statement.source),)
        if window.start != OPEN_START:
            properties[vocab.VALID_FROM] = (_moment(window.start),)
        if window.end != OPEN_END:
            properties[vocab.VALID_UNTIL] = (_moment(window.end),)
        if fact.graph:
            properties[vocab.IN_GRAPH] = (_iri(fact.graph[1:-1]),)
        if fact.namespace != DEFAULT_NAMESPACE:
            properties[vocab.NAMESPACE] = (ox.Literal(fact.namespace),)
        if statement.standing != "believed":
            properties[vocab.STANDING] = _STANDING[statement.standing]
        if statement.support_id is not None:
            properties[vocab.IDENTIFIER] = (ox.Literal(statement.support_id),)
        if statement.confidence is not None:
            properties[vocab.CONFIDENCE] = (ox.Literal(statement.confidence, datatype=_DECIMAL),)
        if statement.source_recorded_at is not None:
            properties[vocab.SOURCE_RECORDED_AT] = (_moment(statement.source_recorded_at),)
        if statement.family != statement.id:
            properties[vocab.IN_FAMILY] = (ox.NamedNode(statement.family),)
        if statement.revision_of is not None:
            properties[vocab.WAS_REVISION_OF] = (ox.NamedNode(statement.revision_of),)
        return properties


def check_transaction(said: Mapping[str, str | None]) -> None:
    """
    Refuse a transaction that breaks a shape of the record; `said` maps predicate IRI to value.

    The agent is an IRI, everything else a text; number and instant are the commit's to fix.
    Raises `ShapeViolation` (`missing_agent`, `missing_reason`, `bad_reason`, `bad_namespace`,
    `bad_reference`), `UnknownFilter` (`unknown_reason_code`, `unknown_operation`).
    """
    properties: _Properties = {
        vocab.RDF_TYPE: _TRANSACTION,
        vocab.SEQUENCE: (ox.Literal("1", datatype=_INTEGER),),
        vocab.RECORDED_AT: (_moment(0),),
    }
    for predicate, value in said.items():
        if value is not None:
            of_iri = predicate == vocab.WAS_ASSOCIATED_WITH
            properties[predicate] = (ox.NamedNode(value) if of_iri else ox.Literal(value),)
    node = ox.NamedNode(vocab.ID_BASE + "new")
    graph = Described({node: properties})
    shapes = record_shapes("transaction")
    if not shapes.plan.conforms(graph, node):
        raise refusal(shapes, graph, node)


def refusal(shapes: RecordShapes, graph: Described, node: Term) -> CallerError:
    """Return the error for a node that breaks the record's shapes: the first result speaks."""
    found = tuple(result for shape in shapes.shapes for result in shape.check(graph, node))
    first, codes = found[0], shapes.codes
    shape = first.source_shape.value if isinstance(first.source_shape, ox.NamedNode) else ""
    message = " ".join(first.messages)
    if first.value is not None:
        message = f"{message.removesuffix('.')}, not {shortened(str(first.value), 80)}"
    code = codes.get(shape)
    kind = _ERROR_OF_CODE.get(code or "")
    if kind is not None:
        return kind(message, code=code)
    return ShapeViolation(message, report=Report(found, {}), code=code)


@lru_cache(maxsize=4096)
def _moment(instant: int) -> ox.Literal:
    return ox.Literal(instant_text(instant), datatype=_DATETIME)


@lru_cache(maxsize=4096)
def _iri(value: str) -> ox.NamedNode:
    return ox.NamedNode(value)
