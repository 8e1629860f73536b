"""
The columns of two tables: the facts of a view, and the statements of the record.

A cell is a text, a tuple of texts, an instant in microseconds since 1970 UTC, or None where there
is nothing to say, as at an open bound. Every format of tables holds the same cells.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from semantica_rdf.model.statement import FactKey, Statement
from semantica_rdf.model.terms import Iri, term_of_ntriples
from semantica_rdf.model.time import OPEN_END, OPEN_START
from semantica_rdf.view.facts import Fact

Cell: TypeAlias = str | tuple[str, ...] | int | None
Cells: TypeAlias = tuple[Cell, ...]


class Column(NamedTuple):
    """
    A column: its name and what its cells are.

    `number` is a decimal from 0 to 1, as text of at most 15 fraction digits.
    """

    name: str
    kind: Literal["text", "texts", "instant", "number"] = "text"


_FACT = (
    *map(
        Column, ("subject", "predicate", "object", "object_kind", "datatype", "language", "graph")
    ),
    Column("valid_from", "instant"),
    Column("valid_until", "instant"),
)
FACT_COLUMNS = (*_FACT, Column("sources", "texts"), Column("statements", "texts"))
"""
The fact table of a view: one line per fact that holds there.

`object` is an IRI or a lexical form, as `object_kind` (`iri` or `literal`) says; only literals have
a `datatype`, only tagged ones a `language`. `graph` is the user graph.
"""

STATEMENT_COLUMNS = (
    Column("statement"),
    *_FACT,
    Column("recorded_at", "instant"),
    Column("superseded_at", "instant"),
    *map(Column, ("source", "standing")),
    Column("confidence", "number"),
    *map(Column, ("support_id", "namespace", "family", "revision_of", "transaction")),
    *map(Column, ("superseded_by", "valid_from_text", "valid_until_text", "source_text")),
    Column("source_recorded_at", "instant"),
)
"""The statement table of the record: one line per version of a claim, both time axes."""


def fact_cells(fact: Fact) -> Cells:
    """Return the cells of a fact, in the order of `FACT_COLUMNS`."""
    return (
        *_triple(fact.key),
        _bound(fact.window.start),
        _bound(fact.window.end),
        tuple(source.value for source in fact.sources),
        fact.statements,
    )


def statement_cells(statement: Statement) -> Cells:
    """Return the cells of a statement, in the order of `STATEMENT_COLUMNS`."""
    return (
        statement.id,
        *_triple(statement.fact),
        _bound(statement.window.start),
        _bound(statement.window.end),
        statement.recorded_at,
        _bound(statement.superseded_at),
        statement.source,
        statement.standing,
        statement.confidence,
        statement.support_id,
        statement.namespace,
        statement.family,
        statement.revision_of,
        statement.transaction,
        statement.superseded_by,
        statement.valid_from_text,
        statement.valid_until_text,
        statement.source_text,
        statement.source_recorded_at,
    )


def _triple(key: FactKey) -> Cells:
    value = term_of_ntriples(key.object)
    what: Cells
    if isinstance(value, Iri):
        what = (value.value, "iri", None, None)
    else:
        what = (value.value, "literal", value.datatype, value.language)
    return (key.subject[1:-1], key.predicate[1:-1], *what, key.graph[1:-1] or None)


def _bound(instant: int) -> int | None:
    return None if instant in {OPEN_START, OPEN_END} else instant


__all__ = [
    "FACT_COLUMNS",
    "STATEMENT_COLUMNS",
    "Cell",
    "Cells",
    "Column",
    "fact_cells",
    "statement_cells",
]
