"""
Tables in memory: pandas data frames, Arrow tables and record batches, as rows of typed cells.

Columns go by name, rows count from 1. None, NaN, NaT and NA are empty cells. Numbers, booleans,
decimals, dates and times keep their types; a time without a zone takes the mapping's, and is
refused where it names none. Neither library is imported here: who holds a frame has done so.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, tzinfo
from decimal import Decimal
from operator import methodcaller
from typing import Any

from semantica_rdf.errors import CallerError, ValidationError
from semantica_rdf.loading.mapping import unknown_column
from semantica_rdf.loading.rows import Cell, Row, cleaner
from semantica_rdf.loading.rules import Mapping
from semantica_rdf.model.terms import shortened
from semantica_rdf.model.zones import placed

_ROWS_AT_ONCE = 8192
_UNREADABLE = (ValueError, OverflowError)
"""What the libraries raise at cells that Python has no value for."""


def is_frame(document: Any) -> bool:
    """Tell whether a document is a pandas or Arrow table, importing neither."""
    return _is_pandas(document) or _is_arrow(document)


def _is_pandas(document: Any) -> bool:
    module = sys.modules.get("pandas")
    return module is not None and isinstance(document, module.DataFrame)


def _is_arrow(document: Any) -> bool:
    module = sys.modules.get("pyarrow")
    return module is not None and isinstance(document, module.Table | module.RecordBatch)


def column_names(frame: Any) -> tuple[str, ...]:
    """Return the names of a frame's columns, in order."""
    names = frame.columns if _is_pandas(frame) else frame.schema.names
    return tuple(str(name) for name in names)


def frame_rows(frame: Any, mapping: Mapping, beside: Iterable[str] = ()) -> Iterator[Row]:
    """
    Yield the rows of a frame; one with a cell that cannot be taken carries the fault.

    Rows hold the columns that the mapping names, and those `beside` as texts. Raises `ValidationError`:
    `unknown_column` (a column that is not there, or twice).
    """
    texts = frozenset(beside) - mapping.columns
    wanted = sorted({*mapping.columns, *texts})
    names = column_names(frame)
    for name in wanted:
        if name not in names:
            raise unknown_column(name, names)
        if names.count(name) > 1:
            raise ValidationError(
                f"the frame has two columns {name!r}",
                code="unknown_column",
                hint="rename one of them",
            )
    places = [names.index(name) for name in wanted]
    cleaners = [cleaner(mapping.format, name) for name in wanted]
    parts = _pandas_parts(frame, places) if _is_pandas(frame) else _arrow_parts(frame, places)
    zone = mapping.window.zone
    line = 0
    for columns in parts:
        for cells in zip(*columns, strict=True):
            line += 1
            given = (
                _as_text(cell) if name in texts else cell
                for name, cell in zip(wanted, cells, strict=True)
            )
            yield _row(line, zip(wanted, cleaners, given, strict=True), zone)


def _pandas_parts(frame: Any, places: list[int]) -> Iterator[list[list[Any]]]:
    for start in range(0, len(frame), _ROWS_AT_ONCE):
        part = frame.iloc[start : start + _ROWS_AT_ONCE]
        yield [_pandas_cells(part.iloc[:, place]) for place in places]


def _arrow_parts(frame: Any, places: list[int]) -> Iterator[list[list[Any]]]:
    for start in range(0, frame.num_rows, _ROWS_AT_ONCE):
        part = frame.slice(start, _ROWS_AT_ONCE)
        yield [_arrow_cells(part.column(place)) for place in places]


def _pandas_cells(column: Any) -> list[Any]:
    try:
        return list(column.tolist())
    except _UNREADABLE:
        return [_held(column.iloc.__getitem__, at, column.dtype) for at in range(len(column))]


def _arrow_cells(column: Any) -> list[Any]:
    try:
        return list(column.to_pylist())
    except _UNREADABLE:
        return [_held(methodcaller("as_py"), cell, column.type) for cell in column]


def _held(read: Callable[[Any], Any], place: Any, kind: Any) -> Any:
    """Return one cell, or why Python has no value for it: a time beyond its years, no UTF-8, …."""
    try:
        return read(place)
    except _UNREADABLE as error:
        return _Unread(f"{kind}, {error}")


class _Unread:
    """A cell that has no value in Python, with its type and what reading it says."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


def _row(
    line: int,
    cells: Iterable[tuple[str, Callable[[str], str | None], Any]],
    zone: tzinfo | None,
) -> Row:
    made: dict[str, Cell] = {}
    try:
        for name, clean, cell in cells:
            made[name] = clean(cell) if type(cell) is str else _cell(cell, name, zone)
    except CallerError as error:
        return Row(line, None, {}, error)
    return Row(line, tuple(repr(cell) for cell in made.values()), made)


def _as_text(value: Any) -> str | None:
    """Return any cell as a text, None for what counts as empty."""
    is_nan = isinstance(value, float) and value != value  # noqa: PLR0124  # NaN alone differs
    if value is None or is_nan or type(value).__name__ in {"NAType", "NaTType"}:
        return None
    return str(value)


def _cell(value: Any, name: str, zone: tzinfo | None) -> Cell:
    """Return a cell as a plain value of Python. Raises `ValidationError` (`unsupported_term`, …)."""
    if getattr(value, "ndim", 1) == 0 and callable(getattr(value, "item", None)):
        value = _of_numpy(value, name)
    if value is None or type(value) in {bool, int}:
        return value  # type: ignore[no-any-return]
    if isinstance(value, float | Decimal):
        return None if value != value else value  # noqa: PLR0124  # NaN alone differs from itself
    if isinstance(value, str):
        return str(value) or None
    if isinstance(value, datetime):
        return None if value != value else _moment(value, name, zone)  # noqa: PLR0124  # NaT
    if type(value) is date:
        return value
    if type(value).__name__ in {"NAType", "NaTType"}:
        return None
    if isinstance(value, _Unread):
        raise ValidationError(
            f"the cell of {name!r} cannot be read: {shortened(value.text, 200)}",
            code="unsupported_term",
            hint="times lie in the years 1 to 9999, in zones known here, texts are UTF-8",
        )
    raise ValidationError(
        f"the cell of {name!r} is of the type {type(value).__name__}: {shortened(repr(value))}",
        code="unsupported_term",
        hint="make it a text, a number, a date or a time with a zone",
    )


def _of_numpy(value: Any, name: str) -> Any:
    """Return the value of a numpy scalar; of times numpy itself would give a number of ticks."""
    item = value.item()
    kind = getattr(value.dtype, "kind", "")
    if type(item) is not int or kind not in {"m", "M"}:
        return item
    moment = None if kind == "m" else value.astype("datetime64[us]")
    if moment is None or moment.astype(value.dtype) != value or type(moment.item()) is int:
        raise ValidationError(
            f"the cell of {name!r} is of the type {value.dtype}: {value}",
            code="unsupported_term",
            hint="times lie in the years 1 to 9999 and are not finer than a microsecond",
        )
    return moment.item()


def _moment(value: datetime, name: str, zone: tzinfo | None) -> datetime:
    if getattr(value, "nanosecond", 0):
        raise ValidationError(
            f"the cell of {name!r} is finer than a microsecond: {value}",
            code="too_precise",
            hint="round it to microseconds",
        )
    try:
        day = value.date()
    except NotImplementedError:  # pandas has years that Python has not
        raise ValidationError(
            f"the cell of {name!r} lies outside the years 1 to 9999: {value}",
            code="year_out_of_range",
            hint="leave the bound out for 'always' or 'still', and keep such a time as a text",
        ) from None
    plain = datetime.combine(day, value.time(), value.tzinfo).replace(fold=value.fold)
    if plain.tzinfo is None and zone is not None:
        return placed(plain, zone, text=plain.isoformat(), where=name)
    if plain.utcoffset() is None:
        raise ValidationError(
            f"the cell of {name!r} names no time zone: {plain.isoformat()}",
            code="naive_datetime",
            hint="localise the column, make it dates, or give the mapping's [window] a timezone",
        )
    return plain


__all__ = ["column_names", "frame_rows", "is_frame"]
