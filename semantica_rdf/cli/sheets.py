"""
Answers as rows of CSV.

Facts and statements have the columns of the exported tables. Several values of one cell are
separated by a blank: they are IRIs, which hold none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from semantica_rdf.model.time import instant_text
from semantica_rdf.view import tables

FACT_COLUMNS = tuple(column.name for column in tables.FACT_COLUMNS)
STATEMENT_COLUMNS = tuple(column.name for column in tables.STATEMENT_COLUMNS)
TRANSACTION_COLUMNS = (
    "id",
    "sequence",
    "recorded_at",
    "operation",
    "reason_code",
    "reason",
    "agent",
    "namespace",
    "reference",
    "statements",
    "superseded",
)


def rows(columns: Iterable[str], values: Iterable[Mapping[str, Any]]) -> Iterator[list[str]]:
    """Return a row of texts per value, a cell per column; what is absent is empty."""
    names = tuple(columns)
    for value in values:
        yield [_text(value.get(name)) for name in names]


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def fact_value(fact: Any) -> dict[str, Any]:
    """Return a fact by column, as the exported fact table has it."""
    return _by_name(tables.FACT_COLUMNS, tables.fact_cells(fact))


def statement_value(statement: Any) -> dict[str, Any]:
    """Return a version of a claim by column, as the exported statement table has it."""
    return _by_name(tables.STATEMENT_COLUMNS, tables.statement_cells(statement))


def _by_name(columns: Iterable[tables.Column], cells: tables.Cells) -> dict[str, Any]:
    return {
        column.name: instant_text(cell) if isinstance(cell, int) else cell
        for column, cell in zip(columns, cells, strict=True)
    }


def fact_rows(facts: Iterable[Any]) -> Iterator[list[str]]:
    """Return the rows of facts under `FACT_COLUMNS`."""
    return rows(FACT_COLUMNS, map(fact_value, facts))


def statement_rows(statements: Iterable[Any]) -> Iterator[list[str]]:
    """Return the rows of versions under `STATEMENT_COLUMNS`."""
    return rows(STATEMENT_COLUMNS, map(statement_value, statements))
