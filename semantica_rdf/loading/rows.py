"""
The rows of a table, each with its line: CSV, TSV, JSON Lines.

A row is a mapping from column to cell, cells stripped, empty ones None. Layout errors that leave
the rest of the table in doubt (encoding, an unclosed quote) refuse the document; what concerns one
row refuses that row.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections.abc import Callable, Iterator
from datetime import date, time
from decimal import Decimal
from typing import Any, NamedTuple, TextIO, TypeAlias

from semantica_rdf.errors import CallerError, ValidationError
from semantica_rdf.loading.documents import Document
from semantica_rdf.loading.mapping import unknown_column
from semantica_rdf.loading.rules import Layout, Mapping
from semantica_rdf.model.lexical import MAX_LITERAL_CHARACTERS

Cell: TypeAlias = str | int | float | bool | Decimal | date | time | None
_Clean: TypeAlias = Callable[[str], str | None]


class Row(NamedTuple):
    """
    One row: its first line, its text for telling duplicates, its cells by column.

    `fault` says why the row cannot be read, when it cannot.
    """

    line: int
    text: object
    cells: dict[str, Cell]
    fault: CallerError | None = None


def rows_of(document: Document, mapping: Mapping) -> Iterator[Row]:
    """
    Yield the rows of a table; blank lines are passed over.

    Raises `ValidationError`: `bad_encoding`, `syntax_error`, `unknown_column`.
    """
    layout = mapping.format
    text = _text(document, layout)
    try:
        if layout.kind == "jsonl":
            yield from _json_rows(text, mapping)
        elif layout.quoting == "none":
            yield from _table(_split_lines(text, layout.delimiter), mapping)
        else:
            yield from _table(_quoted_lines(text, layout.delimiter), mapping)
    except UnicodeDecodeError as error:
        raise ValidationError(
            f"{document.name or 'the document'} is not {layout.encoding}: {error.reason}",
            code="bad_encoding",
            hint="name its encoding in [format], or save it as UTF-8",
        ) from None


def _text(document: Document, layout: Layout) -> TextIO:
    start = document.data[document.start :] if document.start else document.data
    wide = codecs.lookup(layout.encoding).name.startswith(("utf-16", "utf-32"))
    if b"\0" in start[:4] and not wide:
        raise ValidationError(
            f"{document.name or 'the document'} looks like UTF-16, and is read as {layout.encoding}",
            code="bad_encoding",
            hint="save it as UTF-8",
        )
    stream = io.BytesIO(start)
    newline = "\n" if layout.kind == "jsonl" else None if layout.quoting == "none" else ""
    return io.TextIOWrapper(stream, encoding=layout.encoding, newline=newline)


def _split_lines(text: TextIO, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    for line, ended in enumerate(text, 1):
        content = ended.rstrip("\n")
        if content and not content.isspace():
            yield line, content.split(delimiter)


def _quoted_lines(text: TextIO, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(max(csv.field_size_limit(), 4 * MAX_LITERAL_CHARACTERS))
    reader = csv.reader(text, delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            if cells and any(cells):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise ValidationError(
            f"line {line} is not as the format says: {error}",
            code="syntax_error",
            hint='close and double quotes, or say quoting = "none" in [format]',
        ) from None


def _table(lines: Iterator[tuple[int, list[str]]], mapping: Mapping) -> Iterator[Row]:
    layout = mapping.format
    columns = layout.columns
    if layout.header:
        header = next(lines, (0, []))[1]
        columns = columns or tuple(name.strip() for name in header)
        for name in sorted(mapping.columns - set(columns)):
            raise unknown_column(name, columns)
    cleaners = [cleaner(layout, name) for name in columns]
    width = len(columns)
    for line, cells in lines:
        if len(cells) > width:
            yield Row(line, None, {}, _too_many(len(cells), width))
        else:
            made: dict[str, Cell] = {
                name: clean(cell)
                for name, clean, cell in zip(columns, cleaners, cells, strict=False)
            }
            yield Row(line, tuple(cells), made)


def cleaner(layout: Layout, column: str) -> _Clean:
    """Return the function that strips a text cell of a column, None for what counts as empty."""
    strip = layout.strip if isinstance(layout.strip, str) else layout.strip.get(column, "")
    null = frozenset((*layout.null, ""))

    def clean(cell: str) -> str | None:
        """Return the cell without its wrapping, None when nothing is left."""
        cell = cell.strip(strip) if strip else cell
        return None if cell in null else cell

    return clean


def _json_rows(text: TextIO, mapping: Mapping) -> Iterator[Row]:
    columns = {name: cleaner(mapping.format, name) for name in sorted(mapping.columns)}
    for line, ended in enumerate(text, 1):
        content = ended.strip()
        if not content:
            continue
        try:
            value = json.loads(content, parse_float=Decimal, parse_constant=_no_number)
        except ValueError as error:
            yield Row(
                line,
                None,
                {},
                ValidationError(f"no JSON: {error}", code="syntax_error"),
            )
            continue
        except RecursionError:
            yield Row(line, None, {}, ValidationError("nests too deep", code="too_deep"))
            continue
        yield _json_row(line, content, value, columns)


def _json_row(line: int, content: str, value: Any, columns: dict[str, _Clean]) -> Row:
    if not isinstance(value, dict):
        return Row(line, None, {}, ValidationError("the line is no object", code="bad_row"))
    cells: dict[str, Cell] = {}
    for name, clean in columns.items():
        cell = _at(value, name)
        if isinstance(cell, dict | list):
            fault = ValidationError(
                f"the field {name!r} holds several values",
                code="bad_row",
                hint="name a field inside it with a dot, or write one line per value",
            )
            return Row(line, None, {}, fault)
        cells[name] = clean(cell) if isinstance(cell, str) else cell
    return Row(line, content, cells)


def _at(value: Any, name: str) -> Any:
    """Return the field of a name; dots lead into inner objects."""
    if name in value:
        return value[name]
    for part in name.split("."):
        if not isinstance(value, dict) or part not in value:
            return None
        value = value[part]
    return value


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no JSON number")


def _too_many(found: int, width: int) -> ValidationError:
    return ValidationError(
        f"{found} cells in a table of {width} columns",
        code="bad_row",
        hint="check the delimiter and the quoting",
    )


__all__ = ["Cell", "Row", "rows_of"]
