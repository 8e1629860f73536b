"""
A picture of what was believed on two axes: valid time to the right, transaction time downward.

One grid per subject and predicate. A column is a span of valid time, a row what was known from one
transaction to the next; a cell holds the letters of the values believed there. Cells alike share
one box. A dotted edge is open: as far back as anyone asks, still, known to this day, or continued
in the next band where the terminal is too narrow. Pure: texts from statements, the same for the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from semantica_rdf.cli.text import bound_text, short_id, term_text
from semantica_rdf.model.time import OPEN_END, OPEN_START, Window, instant_text

if TYPE_CHECKING:
    from semantica_rdf.model.statement import Statement

MARKS = "abcdefghijkl"
"""The letters of values; more values than these have a grid of their own."""

KEY = "right: valid time; down: as known after a transaction; dotted: open"

Cell: TypeAlias = str
_ABSENT, _SOLID, _DOTTED = 0, 1, 2
_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_BOXES = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
_PLAIN = " |||-+++-+++-+++"


class Value(NamedTuple):
    """One value of a grid: its letter, its text, and how it stands where it never was believed."""

    mark: str
    text: str
    standing: str


class Moment(NamedTuple):
    """When what a row shows became known: the transaction's short id, and the instant."""

    transaction: str
    instant: int


class Grid(NamedTuple):
    """
    What was believed of one subject and predicate; `cells[row][column]` holds letters of values.

    Columns are windows of valid time in order, rows begin at their moments, the last goes on.
    """

    title: str
    values: tuple[Value, ...]
    columns: tuple[Window, ...]
    rows: tuple[Moment, ...]
    cells: tuple[tuple[Cell, ...], ...]


def pictured(
    versions: Iterable[Statement],
    prefixes: Mapping[str, str],
    *,
    valid_at: int | None = None,
    width: int,
    plain: bool = False,
) -> Iterator[str]:
    """Yield the lines of a picture of versions, at most `width` wide where one column fits."""
    for number, grid in enumerate(grids_of(versions, prefixes, valid_at=valid_at)):
        if number:
            yield ""
        yield _cut(grid.title, width, plain=plain)
        for value in grid.values:
            never = f"  ({value.standing}, not believed)" if value.standing else ""
            yield _cut(f"  {value.mark}  {value.text}{never}", width, plain=plain)
        for columns in bands(grid, width):
            yield from drawn(grid, columns, plain=plain)
    yield ""
    yield _cut(KEY, width, plain=plain)


def _cut(line: str, width: int, *, plain: bool) -> str:
    end = "..." if plain else "…"
    return line if len(line) <= width else line[: max(width - len(end), 0)] + end


def grids_of(
    versions: Iterable[Statement], prefixes: Mapping[str, str], *, valid_at: int | None = None
) -> list[Grid]:
    """Return the grids of versions, in their order; with `valid_at` only the column it lies in."""
    groups: dict[tuple[str, str, str], dict[str, list[Statement]]] = {}
    for item in versions:
        fact = item.fact
        values = groups.setdefault((fact.subject, fact.graph, fact.predicate), {})
        values.setdefault(fact.object, []).append(item)
    return [
        _grid([values[name] for name in names], prefixes, valid_at)
        for values in groups.values()
        for names in _chunks(sorted(values, key=lambda name: _age(values[name])))
    ]


def _age(claims: Sequence[Statement]) -> tuple[int, str]:
    first = min(claims, key=lambda item: item.recorded_at)
    return first.recorded_at, first.fact.object


def _chunks(names: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(names), len(MARKS)):
        yield names[start : start + len(MARKS)]


def _grid(values: list[list[Statement]], prefixes: Mapping[str, str], valid_at: int | None) -> Grid:
    believed = [
        (mark, item)
        for mark, versions in zip(MARKS, values, strict=False)
        for item in versions
        if item.standing == "believed"
    ]
    columns = _columns([item.window for _, item in believed])
    if valid_at is not None:
        columns = [column for column in columns if column.holds_at(valid_at)]
    rows = _moments([item for _, item in believed])
    cells = [[_cell(believed, row.instant, column) for column in columns] for row in rows]
    return _merged(
        _title(values[0][0], prefixes), tuple(_values(values, prefixes)), columns, rows, cells
    )


def _title(item: Statement, prefixes: Mapping[str, str]) -> str:
    parts = [term_text(item.subject, prefixes), term_text(item.predicate, prefixes)]
    if item.graph is not None:
        parts.append(f"in {term_text(item.graph, prefixes)}")
    return " ".join(parts)


def _values(values: list[list[Statement]], prefixes: Mapping[str, str]) -> Iterator[Value]:
    for mark, versions in zip(MARKS, values, strict=False):
        never = all(item.standing != "believed" for item in versions)
        standing = versions[-1].standing if never else ""
        yield Value(mark, term_text(versions[0].object, prefixes), standing)


def _columns(windows: list[Window]) -> list[Window]:
    bounds = {bound for window in windows for bound in window}
    edges = sorted(bounds | {OPEN_START, OPEN_END})
    return [Window(*pair) for pair in pairwise(edges)]


def _moments(believed: list[Statement]) -> list[Moment]:
    found = {item.recorded_at: short_id(item.transaction) for item in believed}
    for item in believed:
        if item.superseded_by is not None:
            found[item.superseded_at] = short_id(item.superseded_by)
    return [Moment(found[instant], instant) for instant in sorted(found)]


def _cell(believed: list[tuple[str, Statement]], known: int, column: Window) -> Cell:
    marks = {
        mark
        for mark, item in believed
        if item.recorded_at <= known < item.superseded_at and item.window.overlaps(column)
    }
    return "".join(sorted(marks))


def _merged(
    title: str,
    values: tuple[Value, ...],
    columns: list[Window],
    rows: list[Moment],
    cells: list[list[Cell]],
) -> Grid:
    """Return the grid without empty columns at its ends, neighbours alike in all of them joined."""
    kept_rows = [n for n in range(len(rows)) if n == 0 or cells[n] != cells[n - 1]]
    by_column = list(zip(*cells, strict=True)) if cells else []
    kept = [n for n in range(len(by_column)) if n == 0 or by_column[n] != by_column[n - 1]]
    spans = [
        Window(columns[start].start, columns[end - 1].end)
        for start, end in pairwise([*kept, len(by_column)])
    ]
    filled = [n for n, column in enumerate(kept) if any(by_column[column])]
    inner = range(filled[0], filled[-1] + 1) if filled else range(0)
    return Grid(
        title,
        values,
        tuple(spans[n] for n in inner),
        tuple(rows[n] for n in kept_rows) if filled else (),
        tuple(tuple(cells[row][kept[n]] for n in inner) for row in kept_rows) if filled else (),
    )


def bands(grid: Grid, width: int) -> Iterator[range]:
    """Yield the columns of a grid, as many at once as fit beside each other."""
    first = 0
    while first < len(grid.columns):
        last = first + 1
        while last < len(grid.columns) and _total(grid, range(first, last + 1)) <= width:
            last += 1
        yield range(first, last)
        first = last


def _total(grid: Grid, columns: range) -> int:
    end = bound_text(grid.columns[columns[-1]].end)
    return offsets(grid, columns)[-1] + max(len(end), 1)


def offsets(grid: Grid, columns: range) -> list[int]:
    """Return where the left edge of each column stands in a line, and the right edge of the last."""
    found = [_gutter(grid)]
    for number in columns:
        marks = max(len(row[number]) for row in grid.cells)
        label = len(_start_label(grid.columns[number], plain=True))
        found.append(found[-1] + max(label + 1, marks + 3, 4))
    return found


def _gutter(grid: Grid) -> int:
    return max(len("known"), *(len(_row_label(row)) for row in grid.rows)) + 2


def _row_label(row: Moment) -> str:
    return f"{row.transaction} {instant_text(row.instant)[:10]}"


def _start_label(column: Window, *, plain: bool) -> str:
    if column.start == OPEN_START:
        return "..." if plain else "…"
    return bound_text(column.start)


def drawn(grid: Grid, columns: range, *, plain: bool) -> Iterator[str]:
    """Yield the lines of one band of a grid: its dates, then edges and rows in turn."""
    places = offsets(grid, columns)
    header = "known".ljust(places[0])
    for place, number in zip(places, columns, strict=False):
        header = header.ljust(place) + _start_label(grid.columns[number], plain=plain)
    yield (header.ljust(places[-1]) + bound_text(grid.columns[columns[-1]].end)).rstrip()
    edges = _Edges(grid, columns)
    for row in range(len(grid.rows) + 1):
        border = _border(edges, row, places, plain=plain)
        if border or row < len(grid.rows):
            yield border
        if row < len(grid.rows):
            yield _content(grid, edges, row, columns, places, plain=plain)


class _Edges:
    """Which edges of a band's cells are drawn, solid or dotted; columns are counted in the band."""

    def __init__(self, grid: Grid, columns: range) -> None:
        self._grid = grid
        self._columns = columns

    def left_of(self, row: int, place: int) -> int:
        """Return the edge to the left of the cell in this place of the band, the last one's right."""
        if not 0 <= row < len(self._grid.rows):
            return _ABSENT
        number = self._columns[0] + place
        before, here = self._cell(row, number - 1), self._cell(row, number)
        cut = place in {0, len(self._columns)} and before == here and here != ""
        beyond = self._is_open(number) and before != here
        return _DOTTED if cut or beyond else int(before != here)

    def _is_open(self, number: int) -> bool:
        columns = self._grid.columns
        starts_open = number == 0 and columns[0].start == OPEN_START
        return starts_open or (number == len(columns) and columns[-1].end == OPEN_END)

    def above(self, row: int, place: int) -> int:
        """Return the edge above the cell of a row, below the last row when it is one further."""
        if not 0 <= place < len(self._columns):
            return _ABSENT
        number = self._columns[place]
        before, here = self._cell(row - 1, number), self._cell(row, number)
        if row == len(self._grid.rows):
            return _DOTTED if before else _ABSENT
        return int(before != here)

    def _cell(self, row: int, number: int) -> Cell:
        inside = 0 <= row < len(self._grid.rows) and 0 <= number < len(self._grid.columns)
        return self._grid.cells[row][number] if inside else ""

    def joint(self, row: int, place: int, *, plain: bool) -> str:
        """Return the character where up to four edges meet, above a row and left of a place."""
        up, down = self.left_of(row - 1, place), self.left_of(row, place)
        left, right = self.above(row, place - 1), self.above(row, place)
        arms = (bool(up) * _UP) | (bool(down) * _DOWN) | (bool(left) * _LEFT)
        arms |= bool(right) * _RIGHT
        dotted = _DOTTED in {up, down, left, right} and _SOLID not in {up, down, left, right}
        if dotted and arms in {_UP | _DOWN, _LEFT | _RIGHT}:
            return _line(_DOTTED, plain=plain, upright=arms == _UP | _DOWN)
        return (_PLAIN if plain else _BOXES)[arms]


def _line(edge: int, *, plain: bool, upright: bool) -> str:
    solid, dotted = ("|:" if plain else "│┆") if upright else ("-." if plain else "─┄")
    return {_ABSENT: " ", _SOLID: solid, _DOTTED: dotted}[edge]


def _border(edges: _Edges, row: int, places: list[int], *, plain: bool) -> str:
    line = " " * places[0]
    for place, (start, end) in enumerate(pairwise(places)):
        line += edges.joint(row, place, plain=plain)
        line += _line(edges.above(row, place), plain=plain, upright=False) * (end - start - 1)
    return (line + edges.joint(row, len(places) - 1, plain=plain)).rstrip()


def _content(
    grid: Grid, edges: _Edges, row: int, columns: range, places: list[int], *, plain: bool
) -> str:
    line = _row_label(grid.rows[row]).ljust(places[0])
    for place, (start, end) in enumerate(pairwise(places)):
        line += _line(edges.left_of(row, place), plain=plain, upright=True)
        line += grid.cells[row][columns[place]].center(end - start - 1)
    return (line + _line(edges.left_of(row, len(places) - 1), plain=plain, upright=True)).rstrip()
