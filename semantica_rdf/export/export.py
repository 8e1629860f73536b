"""
Exporting: the record of a base, or one view, as RDF or as a table.

In: what to export, and the name or suffix of a format. Out: a file, whole or not at all. Whatever
the size, only a part of it stands in memory: what is written has to be in order, and is sorted
in runs on disk for that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, NamedTuple

import pyoxigraph as ox

from semantica_rdf.errors import ValidationError
from semantica_rdf.export.formats import TableFormat, chosen_format
from semantica_rdf.export.order import ordered, ordered_lines
from semantica_rdf.export.record import record_quads
from semantica_rdf.export.table import Table, check_writable, write_table
from semantica_rdf.export.write import Target, export_quads, written_to
from semantica_rdf.model import vocab
from semantica_rdf.model.statement import Statement
from semantica_rdf.model.time import instant_text
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.identity import Identity
from semantica_rdf.view.materialise import BlankNodes, checked_blank_nodes
from semantica_rdf.view.statements import StatementReader
from semantica_rdf.view.tables import FACT_COLUMNS, STATEMENT_COLUMNS, fact_cells, statement_cells
from semantica_rdf.view.view import View


class Record(NamedTuple):
    """The record of a base, as known at its basis."""

    store: RdfStore
    identity: Identity
    basis: int


def export(
    source: Record | View,
    target: Target = None,
    *,
    format: str | None = None,
    prefixes: Mapping[str, str] | None = None,
    blank_nodes: BlankNodes = "skolem",
) -> bytes | None:
    """
    Write a record or a view to a path or a binary file, or return the bytes.

    RDF as `export_quads` writes it; CSV, Parquet and Arrow are the fact table of a view, or the
    statement table of a record. Raises as `export_quads`, and `ValidationError`: `extra_missing`
    (Parquet and Arrow need the extra `frames`), `bad_blank_nodes` (tables hold none).
    """
    chosen = chosen_format(target, format)
    if not isinstance(chosen, TableFormat):
        quads = source.quads() if isinstance(source, View) else record_quads(source.store)
        return export_quads(
            quads, target, format=chosen.name, prefixes=prefixes, blank_nodes=blank_nodes
        )
    checked_blank_nodes(blank_nodes)
    if blank_nodes == "restore":
        raise ValidationError(
            f"{chosen.name} is a format of tables, which hold no blank nodes",
            code="bad_blank_nodes",
            hint='leave blank_nodes at "skolem", or choose a format of RDF',
        )
    check_writable(chosen)

    def write(output: IO[bytes], folder: Path | None) -> None:
        """Write the table to an open file."""
        if isinstance(source, View):
            _write_facts(source, output, chosen, folder)
        else:
            _write_statements(source, output, chosen, folder)

    return written_to(target, write)


def _write_facts(view: View, output: IO[bytes], chosen: TableFormat, folder: Path | None) -> None:
    with ordered(view.quads(), folder=folder) as quads:
        rows = map(fact_cells, view.facts_of(quads))
        about = {"semantica_rdf.table": "facts", **_about(view.coordinate.to_dict())}
        write_table(Table(FACT_COLUMNS, rows, about), output, chosen)


def _write_statements(
    record: Record, output: IO[bytes], chosen: TableFormat, folder: Path | None
) -> None:
    with ordered_lines(_statement_lines(record), folder=folder) as lines:
        rows = map(statement_cells, _statements(record, lines))
        about = {
            "semantica_rdf.table": "statements",
            **_about({"known_at": instant_text(record.basis)}),
        }
        write_table(Table(STATEMENT_COLUMNS, rows, about), output, chosen)


def _about(coordinate: Mapping[str, str]) -> dict[str, str]:
    return {f"semantica_rdf.{name}": text for name, text in coordinate.items()}


def _statement_lines(record: Record) -> Iterator[bytes]:
    """Yield a line for each statement on record: what orders it by age, and its id."""
    found = record.store.raw.quads_for_pattern(
        None, ox.NamedNode(vocab.RDF_TYPE), ox.NamedNode(vocab.RDF_STATEMENT), ox.DefaultGraph()
    )
    for quad in found:
        node = str(quad.subject)[1:-1]
        key = record.identity.key(node)
        age = "~" if key is None else f"{key.sequence:012}-{key.ordinal:012}"
        yield f"{age}\t{node}".encode()


def _statements(record: Record, lines: Iterator[bytes]) -> Iterator[Statement]:
    """Yield the statements of lines, as known at the record's basis."""
    reader = StatementReader(record.store, record.identity, as_known=record.basis)
    for line in lines:
        statement = reader.statement(line.partition(b"\t")[2].decode())
        if statement is not None:
            yield statement


__all__ = ["Record", "export"]
