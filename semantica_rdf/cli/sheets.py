"""
Answers as rows of CSV: the plain values of `plain`, flattened.

An object has three columns: its value, its datatype (empty for an IRI) and its language. Several
values of one cell are separated by a blank: they are IRIs, which hold none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from semantica_rdf.cli import plain
from semantica_rdf.model import vocab

_TRIPLE = ("subject", "predicate", "object", "object_datatype", "object_language", "graph")

FACT_COLUMNS = (*_TRIPLE, "valid_from", "valid_until", "sources", "statements")
STATEMENT_COLUMNS = (
    "id",
    *_TRIPLE,
    "namespace",
    "source",
    "support_id",
    "standing",
    "confidence",
    "valid_from",
    "valid_until",
    "valid_from_text",
    "valid_until_text",
    "source_recorded_at",
    "recorded_at",
    "transaction",
    "superseded_at",
    "superseded_by",
    "family",
    "revision_of",
)
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


def rows(columns: Iterable[str], values: Iterable[Mapping[str, Any]]) -> Iterable[list[str]]:
    """Return a row of texts per plain value, a cell per column; what is absent is empty."""
    names = tuple(columns)
    for value in values:
        cells = {name: cell for pair in value.items() for name, cell in _cells(*pair)}
        yield [cells.get(name, "") for name in names]


def _cells(name: str, value: Any) -> Iterable[tuple[str, str]]:
    if isinstance(value, Mapping):
        yield name, value["value"]
        if value["type"] == "literal":
            plain_type = vocab.RDF_LANGSTRING if "xml:lang" in value else vocab.XSD_STRING
            yield f"{name}_datatype", value.get("datatype", plain_type)
            yield f"{name}_language", value.get("xml:lang", "")
    else:
        yield name, _text(value)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def fact_rows(facts: Iterable[Any]) -> Iterable[list[str]]:
    """Return the rows of facts under `FACT_COLUMNS`."""
    return rows(FACT_COLUMNS, map(plain.fact_value, facts))


def statement_rows(statements: Iterable[Any]) -> Iterable[list[str]]:
    """Return the rows of versions under `STATEMENT_COLUMNS`."""
    return rows(STATEMENT_COLUMNS, map(plain.statement_value, statements))
