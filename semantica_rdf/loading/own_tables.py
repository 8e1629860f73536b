"""
Tables exported by ourselves, recognised by their columns: they need no mapping.

Of the statement table each believed, open version is taken with its source, support id, confidence
and spelling; its record time becomes `source_recorded_at`; other versions are counted by name. Of
the fact table each row is one claim of the source that the load names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from semantica_rdf.loading.claims import Claim
from semantica_rdf.loading.documents import Document
from semantica_rdf.loading.report import Tally
from semantica_rdf.loading.rows import Cell, Row
from semantica_rdf.loading.rules import Layout, Mapping, StatementRule, TermRule, WindowRule
from semantica_rdf.loading.tabular import claims_of_rows
from semantica_rdf.model import vocab
from semantica_rdf.model.terms import Literal, as_spelled
from semantica_rdf.view.tables import FACT_COLUMNS, STATEMENT_COLUMNS

_FACTS = Mapping(
    format=Layout(kind="csv", delimiter=","),
    subject=TermRule(column="subject", absolute=True),
    predicate=TermRule(column="predicate", absolute=True),
    object=TermRule(
        column="object",
        absolute=True,
        kind_column="object_kind",
        datatype_column="datatype",
        language_column="language",
    ),
    graph=TermRule(column="graph", absolute=True, optional=True),
    window=WindowRule(from_="valid_from", until="valid_until"),
    labels=False,
)
_TAKEN_BESIDE = frozenset({"superseded_at", "standing", "source_text"})


class OwnTable(NamedTuple):
    """One of our tables: its columns, and the mapping that reads them."""

    columns: tuple[str, ...]
    mapping: Mapping

    @property
    def left(self) -> frozenset[str]:
        """The columns that are not taken."""
        return frozenset(self.columns) - self.mapping.columns - _TAKEN_BESIDE


_TABLES = (
    OwnTable(tuple(column.name for column in FACT_COLUMNS), _FACTS),
    OwnTable(
        tuple(column.name for column in STATEMENT_COLUMNS),
        Mapping(
            format=_FACTS.format,
            subject=_FACTS.subject,
            predicate=_FACTS.predicate,
            object=_FACTS.object,
            graph=_FACTS.graph,
            window=_FACTS.window,
            source=TermRule(column="source", absolute=True),
            statement=StatementRule(
                support_id="support_id",
                confidence="confidence",
                source_recorded_at="recorded_at",
            ),
            labels=False,
        ),
    ),
)


def own_table(columns: Sequence[str]) -> OwnTable | None:
    """Return which of our tables has exactly these columns, None when none has."""
    return next((table for table in _TABLES if table.columns == tuple(columns)), None)


def own_csv(document: Document) -> OwnTable | None:
    """Return which of our tables a CSV document is, told by its first line."""
    start = document.start
    longest = max(len(",".join(table.columns)) for table in _TABLES) + 2
    first = document.data[start : start + longest].split(b"\n")[0].rstrip(b"\r")
    return own_table(first.decode("utf-8", "replace").split(","))


def own_table_claims(rows: Iterator[Row], table: OwnTable, tally: Tally) -> Iterator[Claim]:
    """Yield the claims of one of our tables, counting in the tally what is not taken."""
    rows = _current(rows, table.left, tally)
    yield from claims_of_rows(rows, table.mapping, tally)


def _current(rows: Iterator[Row], left: frozenset[str], tally: Tally) -> Iterator[Row]:
    for row in rows:
        cells = row.cells
        if str(cells.get("predicate")) == vocab.SHAPES_TEXT:
            tally.read += 1
            tally.skipped["shapes versions"] += 1
            continue
        standing = str(cells.get("standing") or "believed").removeprefix(vocab.SRDF)
        if cells.get("superseded_at") is not None:
            standing = "superseded"
        if standing != "believed":
            tally.read += 1
            tally.skipped[f"{standing} versions"] += 1
            continue
        for name in left:
            if cells.get(name) is not None:
                tally.skipped[f"cells of {name}"] += 1
        yield row._replace(cells=_as_spelled(cells))


def _as_spelled(cells: dict[str, Cell]) -> dict[str, Cell]:
    """Return the cells with the object as its source spelled it, where the table keeps that."""
    spelled = cells.get("source_text")
    if not isinstance(spelled, str) or cells.get("object_kind") != "literal":
        return cells
    language = cells.get("language")
    value = as_spelled(
        Literal(
            str(cells.get("object") or ""),
            str(cells.get("datatype")),
            None if language is None else str(language),
        ),
        spelled,
    )
    return {
        **cells,
        "object": value.value,
        "datatype": value.datatype,
        "language": value.language,
    }


__all__ = ["OwnTable", "own_csv", "own_table", "own_table_claims"]
