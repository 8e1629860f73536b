"""
A draft of a mapping from a sample of a table: what a person then reads, mends and keeps.

In: a table nobody has described. Out: TOML that `read_mapping` takes as it stands, with comments
that say what was seen and what to check. The draft is tried on the sample; what it would refuse
stands at its top.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import islice
from typing import Any, NamedTuple

from semantica_rdf.errors import CallerError, ValidationError
from semantica_rdf.ledger.intake import span_of
from semantica_rdf.loading import tabular
from semantica_rdf.loading.choosing import chosen_parts
from semantica_rdf.loading.columns import Column, column_of, kind_of, null_words, without
from semantica_rdf.loading.documents import DEFAULT_MAX_BYTES, Document, opened
from semantica_rdf.loading.drafting import draft_text
from semantica_rdf.loading.formats import TABULAR, format_named
from semantica_rdf.loading.mapping import read_mapping
from semantica_rdf.loading.report import Tally
from semantica_rdf.loading.rows import Cell, rows_of
from semantica_rdf.loading.rules import Kind, Layout, Mapping, TermRule

_DELIMITERS = (",", ";", "\t", "|")
_LINES_LOOKED_AT = 50
_BYTES_LOOKED_AT = 1 << 20
_BYTES_TAKEN = 32 << 20
_WRAP = "<>"
_CONSTANT = TermRule(iri="urn:x-none:constant")


class _Sample(NamedTuple):
    """The beginning of a table: its layout, its columns, and its text alone."""

    layout: Layout
    columns: list[Column]
    content: Document


def infer_mapping(document: Any, *, format: str | None = None, rows: int = 1000) -> str:
    """
    Draft a mapping, as TOML, from the first `rows` rows of a CSV, TSV or JSON Lines document.

    `document` is a path, an open file or bytes; its suffix or `format` says what it is. The draft
    makes one statement of each row; columns it has no place for are listed in comments, with the
    lines that would take them. What the rows do not say (the base of minted IRIs, the zone of
    times without one) is a guess marked CHECK.

    Raises `NotFound`, `ValidationError`: `unknown_format` (no table), `bad_sample` (`rows`),
    `nothing_read` (no row), and as reading a table does.
    """
    if type(rows) is not int or rows < 1:
        raise ValidationError("rows must be a whole number above 0", code="bad_sample")
    with opened(document, max_bytes=DEFAULT_MAX_BYTES) as content:
        kind = _kind(content, format)
        head = _beginning(content)
        sample = _json_sample(head, rows) if kind == "jsonl" else _sample(head, kind, rows)
        if not sample.columns:
            raise ValidationError(f"{content.name or 'the table'} has no row", code="nothing_read")
        drafts = list(_drafts(sample, content.name))
        tries = [_tried(text, sample) for text in drafts]
        best = min(range(len(drafts)), key=lambda at: len(tries[at].rejected))
        return _said(tries[best]) + drafts[best]


def _drafts(sample: _Sample, name: str) -> Iterator[str]:
    """Yield drafts, the likeliest first: words for "empty" taken so or not, ends exclusive or not."""
    words = null_words(sample.columns)
    layouts = (
        [(replace(sample.layout, null=words), without(sample.columns, words))] if words else []
    )
    for layout, columns in (*layouts, (sample.layout, sample.columns)):
        parts = chosen_parts(columns)
        for inclusive in (False, True):
            yield draft_text((layout, columns), parts, name=name, inclusive=inclusive)


def _kind(content: Document, format: str | None) -> Kind:
    kind = format_named(content.suffix if format is None else format)
    if kind not in TABULAR:
        raise ValidationError(
            f"{kind} is no table, and needs no mapping",
            code="unknown_format",
            hint="a mapping is for csv, tsv and jsonl",
        )
    return kind  # type: ignore[return-value]


def _beginning(content: Document) -> Document:
    """Return the first lines of a large document: the rest is not looked at."""
    if content.size <= _BYTES_TAKEN:
        return content
    data = content.data[content.start : content.start + _BYTES_TAKEN]
    return Document(data[: data.rfind(b"\n") + 1] or data, content.name, content.suffix)


def _sample(content: Document, kind: Kind, rows: int) -> _Sample:
    encoding = _encoding(content)
    first = list(islice(_lines(content, encoding), _LINES_LOOKED_AT))
    delimiter = "\t" if kind == "tsv" else _delimiter(first)
    layout = Layout(kind=kind, delimiter=delimiter, encoding=encoding)
    if not _is_quoted_well(content, layout, rows):
        layout = replace(layout, quoting="none")
    names, has_header = _names(content, layout)
    if not has_header or len(set(names)) < len(names):
        layout = replace(layout, header=has_header, columns=_distinct(names))
    head = _head(content, layout, rows)
    table = [row.cells for row in rows_of(head, _bare(layout)) if row.fault is None]
    columns = [
        column_of(name, [cells.get(name) for cells in table])
        for name in (layout.columns or names)
        if name
    ]
    return _Sample(*_unwrapped(layout, columns), head)


def _json_sample(content: Document, rows: int) -> _Sample:
    lines = list(islice((line for line in _lines(content, "utf-8") if line.strip()), rows))
    objects: list[dict[str, Cell]] = []
    for line in lines:
        try:
            value = json.loads(line, parse_float=Decimal)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            objects.append(dict(_fields(value, "")))
    names = dict.fromkeys(name for cells in objects for name in cells)
    columns = [column_of(name, [cells.get(name) for cells in objects]) for name in names]
    head = Document("".join(lines).encode(), content.name, content.suffix)
    return _Sample(*_unwrapped(Layout(kind="jsonl"), columns), head)


def _unwrapped(layout: Layout, columns: list[Column]) -> tuple[Layout, list[Column]]:
    """Take off the angle brackets of columns that have them around every cell."""
    wrapped = {column.name: _WRAP for column in columns if column.is_wrapped}
    if not wrapped:
        return layout, columns
    plain = [
        column_of(
            column.name, [None if cell is None else str(cell).strip(_WRAP) for cell in column.cells]
        )
        if column.name in wrapped
        else column
        for column in columns
    ]
    return replace(layout, strip=wrapped), plain


def _fields(value: dict[str, Any], before: str) -> Iterator[tuple[str, Cell]]:
    """Yield the single values of an object, names of inner ones joined by dots; "" is absent."""
    for name, item in value.items():
        if isinstance(item, dict):
            yield from _fields(item, f"{before}{name}.")
        elif not isinstance(item, list):
            yield before + name, None if item == "" else item


def _encoding(content: Document) -> str:
    start = content.data[content.start : content.start + _BYTES_LOOKED_AT]
    try:
        codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _lines(content: Document, encoding: str) -> Iterator[str]:
    """Yield the lines of a text as they stand; what is not of the encoding is replaced."""
    return io.TextIOWrapper(
        io.BytesIO(content.data[content.start :]), encoding=encoding, errors="replace", newline=""
    )


def _delimiter(lines: list[str]) -> str:
    """Return the delimiter that cuts most lines into the same number of cells."""

    def fit(delimiter: str) -> tuple[float, int]:
        """Return the share of lines as wide as the first, and that width."""
        widths = [len(row) for row in csv.reader(lines, delimiter=delimiter) if row]
        if not widths or widths[0] < 2:
            return 0.0, 0
        return widths.count(widths[0]) / len(widths), widths[0]

    return max(_DELIMITERS, key=fit)


def _bare(layout: Layout) -> Mapping:
    """Return a mapping that names no column, for reading rows alone."""
    return Mapping(format=layout, subject=_CONSTANT, predicate=_CONSTANT, object=_CONSTANT)


def _is_quoted_well(content: Document, layout: Layout, rows: int) -> bool:
    try:
        for _ in islice(rows_of(content, _bare(layout)), rows):
            pass
    except ValidationError as error:
        if error.code != "syntax_error":
            raise
        return False
    return True


def _names(content: Document, layout: Layout) -> tuple[tuple[str, ...], bool]:
    """
    Return the names of the columns, and whether the first row gives them.

    It does not where it looks like data: numbers, dates, IRIs, gaps, a cell that stands again below.
    """
    raw = _lines(content, layout.encoding)
    cells: Iterator[list[str]]
    if layout.quoting == "none":
        cells = (line.rstrip("\r\n").split(layout.delimiter) for line in raw)
    else:
        cells = csv.reader(raw, delimiter=layout.delimiter)
    first = next((row for row in cells if any(row)), [])
    names = tuple(name.strip() for name in first)
    below = list(islice(cells, _LINES_LOOKED_AT))
    widths = Counter(len(row) for row in below if row)
    width = max((len(first), *widths))
    is_usual = widths[len(first)] == max(widths.values(), default=0)
    again = any(
        cell and cell == name for row in below for name, cell in zip(first, row, strict=False)
    )
    named = all(names[1:]) and all(kind_of(name) == "text" for name in names if name)
    if named and not again and is_usual:
        return names, True
    return tuple(f"column{at}" for at in range(1, width + 1)), False


def _distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    made: list[str] = []
    for name in names:
        free, number = name, 2
        while free in made:
            free, number = f"{name} {number}", number + 1
        made.append(free)
    return tuple(made)


def _head(content: Document, layout: Layout, rows: int) -> Document:
    """Return the document up to the end of its first `rows` rows."""
    after = next(islice(rows_of(content, _bare(layout)), rows, None), None)
    lines = _lines(content, layout.encoding)
    text = "".join(lines if after is None else islice(lines, after.line - 1))
    return Document(text.encode(layout.encoding, "replace"), content.name, content.suffix)


def _tried(text: str, sample: _Sample) -> Tally:
    """Return what a draft makes of the sample."""
    tally = Tally()
    for claim in tabular.claims_of(sample.content, read_mapping(text.encode()), tally):
        try:
            span_of(claim.draft)
        except CallerError as error:
            tally.reject(claim.lines, error)
    return tally


def _said(tally: Tally) -> str:
    """Return comment lines on a trial."""
    refused = sorted({item.line: item for item in tally.rejected}.values())
    said = [f"# Tried on the first {tally.read:,} rows: {len(refused):,} would be rejected."]
    said += [f"#   line {item.line}: {' '.join(item.reason.split())}" for item in refused[:3]]
    return "\n".join(said) + "\n"


__all__ = ["infer_mapping"]
