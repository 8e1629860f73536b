"""
Tables as Arrow and pandas know them: typed columns, nulls where a cell is empty.

Both libraries come with the extra `frames` and are imported only when asked for. Instants are
microseconds in UTC, so that every year from 1 to 9999 fits (nanoseconds end in 2262).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, overload

from semantica_rdf.model.extras import of_frames
from semantica_rdf.view.facts import Fact
from semantica_rdf.view.tables import FACT_COLUMNS, Cells, Column, fact_cells

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

BATCH_ROWS = 2000
"""How many rows are made into columns at once."""
BATCH_CHARACTERS = 4 * 1024 * 1024
"""How many characters of text at most, one row more or less."""


def arrow_schema(columns: Sequence[Column], about: Mapping[str, str] | None = None) -> pa.Schema:
    """Return the Arrow schema of columns; `about` becomes its metadata (`extra_missing`)."""
    arrow = of_frames("pyarrow")
    types = {
        "text": arrow.string(),
        "texts": arrow.list_(arrow.string()),
        "instant": arrow.timestamp("us", tz="UTC"),
        "number": arrow.decimal128(16, 15),
    }
    schema = arrow.schema([(column.name, types[column.kind]) for column in columns])
    return schema.with_metadata(dict(about)) if about else schema


def record_batches(
    columns: Sequence[Column], rows: Iterable[Cells], schema: pa.Schema
) -> Iterator[pa.RecordBatch]:
    """Yield rows as Arrow record batches, so many at once that memory stays small."""
    arrow = of_frames("pyarrow")
    for batch in _batches(rows):
        arrays = [
            arrow.array(_values(column, cells), type=field.type)
            for column, field, cells in zip(columns, schema, zip(*batch, strict=True), strict=True)
        ]
        yield arrow.record_batch(arrays, schema=schema)


def _values(column: Column, cells: Sequence[Any]) -> Sequence[Any]:
    if column.kind == "number":
        return [None if cell is None else Decimal(cell) for cell in cells]
    return cells


def _batches(rows: Iterable[Cells]) -> Iterator[list[Cells]]:
    batch: list[Cells] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += sum(len(cell) for cell in row if isinstance(cell, str))
        if len(batch) >= BATCH_ROWS or size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def arrow_table(columns: Sequence[Column], rows: Iterable[Cells]) -> pa.Table:
    """Return rows as one Arrow table. Raises `ValidationError` (`extra_missing`)."""
    schema = arrow_schema(columns)
    batches = list(record_batches(columns, rows, schema))
    return of_frames("pyarrow").Table.from_batches(batches, schema=schema)


def data_frame(table: pa.Table) -> pd.DataFrame:
    """
    Return an Arrow table as a pandas frame whose columns keep their Arrow types.

    So integers with gaps stay integers, nulls are not NaN, decimals are exact and every year
    fits. Raises `ValidationError` (`extra_missing`).
    """
    pandas = of_frames("pandas")
    frame: pd.DataFrame = table.to_pandas(types_mapper=pandas.ArrowDtype)
    return frame


class Facts(Sequence[Fact]):
    """
    Facts in the order in which their oldest statements were recorded.

    Its length is known at once; the facts are made when the first of them is looked at. It can
    become a table, whose columns are `FACT_COLUMNS`.
    """

    def __init__(self, size: int, make: Callable[[], list[Fact]]) -> None:
        self._size = size
        self._make = make
        self._made: list[Fact] | None = None

    def _facts(self) -> list[Fact]:
        made = self._made
        if made is None:
            made = self._made = self._make()
        return made

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, place: int) -> Fact: ...

    @overload
    def __getitem__(self, place: slice) -> list[Fact]: ...

    def __getitem__(self, place: int | slice) -> Fact | list[Fact]:
        return self._facts()[place]

    def __iter__(self) -> Iterator[Fact]:
        return iter(self._facts())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Facts):
            return self._facts() == other._facts()
        return isinstance(other, Sequence) and self._facts() == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._facts())

    def to_arrow(self) -> pa.Table:
        """Return the fact table as Arrow. Raises `ValidationError` (`extra_missing`)."""
        return arrow_table(FACT_COLUMNS, map(fact_cells, self))

    def to_pandas(self) -> pd.DataFrame:
        """Return the fact table as a pandas frame. Raises `ValidationError` (`extra_missing`)."""
        return data_frame(self.to_arrow())


__all__ = [
    "BATCH_CHARACTERS",
    "BATCH_ROWS",
    "Facts",
    "arrow_schema",
    "arrow_table",
    "data_frame",
    "record_batches",
]
