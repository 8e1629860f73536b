"""
Tables as files: CSV by RFC 4180, Parquet, and Arrow's file format, row by row.

All three hold the same cells. In CSV an instant is an `xsd:dateTime` in UTC, an open bound an empty
cell, and several texts of one cell stand with a space between them, which no IRI holds.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import IO, Any, NamedTuple, TypeAlias

from semantica_rdf.export.formats import TableFormat
from semantica_rdf.model.extras import of_frames
from semantica_rdf.model.time import instant_text
from semantica_rdf.view.frames import arrow_schema, record_batches
from semantica_rdf.view.tables import Cell, Cells, Column

SEPARATOR = " "
"""What stands between several texts of one cell of CSV."""
GROUP_BYTES = 8 * 1024 * 1024
"""About how much Arrow data becomes one row group of Parquet."""


class Table(NamedTuple):
    """Columns, the rows of cells under them, and what the table is, as short texts by name."""

    columns: Sequence[Column]
    rows: Iterable[Cells]
    about: Mapping[str, str]


def check_writable(chosen: TableFormat) -> None:
    """Refuse a format whose library is missing (`ValidationError`, `extra_missing`)."""
    if chosen.name != "csv":
        of_frames("pyarrow.parquet")


def write_table(table: Table, output: IO[bytes], chosen: TableFormat) -> None:
    """Write a table as it comes. Raises `ValidationError` (`extra_missing`)."""
    _WRITERS[chosen.name](table, output)


def _write_csv(table: Table, output: IO[bytes]) -> None:
    text = io.TextIOWrapper(output, encoding="utf-8", newline="", write_through=True)
    writer = csv.writer(text, lineterminator="\r\n")
    kinds = [column.kind for column in table.columns]
    try:
        writer.writerow(column.name for column in table.columns)
        for cells in table.rows:
            writer.writerow([_text(kind, cell) for kind, cell in zip(kinds, cells, strict=True)])
    finally:
        text.detach()


def _text(kind: str, cell: Cell) -> str | None:
    if kind == "instant" and isinstance(cell, int):
        return instant_text(cell)
    return SEPARATOR.join(cell) if isinstance(cell, tuple) else cell  # type: ignore[return-value]


def _write_parquet(table: Table, output: IO[bytes]) -> None:
    schema = arrow_schema(table.columns, table.about)
    arrow = of_frames("pyarrow")
    with of_frames("pyarrow.parquet").ParquetWriter(output, schema) as writer:
        for group in _row_groups(record_batches(table.columns, table.rows, schema)):
            writer.write_table(arrow.Table.from_batches(group, schema=schema))


def _row_groups(batches: Iterable[Any]) -> Iterator[list[Any]]:
    """Yield batches in groups of about `GROUP_BYTES`: Parquet's row groups."""
    group: list[Any] = []
    size = 0
    for batch in batches:
        group.append(batch)
        size += batch.nbytes
        if size >= GROUP_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def _write_arrow(table: Table, output: IO[bytes]) -> None:
    schema = arrow_schema(table.columns, table.about)
    with of_frames("pyarrow.ipc").new_file(output, schema) as writer:
        for batch in record_batches(table.columns, table.rows, schema):
            writer.write_batch(batch)


_Written: TypeAlias = Callable[[Table, IO[bytes]], None]
_WRITERS: dict[str, _Written] = {
    "csv": _write_csv,
    "parquet": _write_parquet,
    "arrow": _write_arrow,
}

__all__ = ["SEPARATOR", "Table", "check_writable", "write_table"]
