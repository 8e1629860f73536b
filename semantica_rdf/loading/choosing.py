"""
Which column of a table is likely which part of a statement.

Names decide where they speak (`subject`, `valid_from`, `until`, `relation`), what the cells look
like decides the rest. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC
from typing import NamedTuple, TypeAlias

from semantica_rdf.loading.columns import DATED, Column, spelled
from semantica_rdf.model.time import period_of

_Fits: TypeAlias = Callable[[Column], bool]
_Take: TypeAlias = Callable[[_Fits], Column | None]

_SUBJECTS = frozenset({"subject", "s", "entity", "head", "who"})
_PREDICATES = frozenset({"predicate", "property", "relation", "relationship", "p"})
_OBJECTS = frozenset({"object", "o", "value", "tail", "target", "whom"})
STARTS = frozenset(
    {"from", "since", "start", "starts", "started", "begin", "begins", "began", "effective"}
)
ENDS = frozenset({"until", "till", "to", "end", "ends", "ended", "thru", "through", "expires"})
_RECORDED = frozenset({"recorded", "created", "updated", "modified", "inserted", "seen"})
_LIVES = frozenset({"birth", "born", "dob", "birthday", "death", "died"})
_CONFIDENCES = frozenset({"confidence", "certainty", "probability"})
_SOURCES = frozenset({"source", "src", "provenance"})
_ROLE_START = ("since", "from", "start", "begin")
_ROLE_END = ("until", "till", "end")


class Parts(NamedTuple):
    """What each part of a statement is taken from; None where no column is."""

    subject: Column
    object: Column
    predicate: Column | None = None
    start: Column | None = None
    end: Column | None = None
    role: Column | None = None
    source: Column | None = None
    graph: Column | None = None
    confidence: Column | None = None
    recorded: Column | None = None

    @property
    def date(self) -> Column | None:
        """The column of dates beside a role."""
        return self.start if self.role is not None else None


def chosen_parts(columns: list[Column]) -> Parts:
    """Return the likeliest part for each column of a table that has at least one."""
    left = list(columns)

    def take(fits: _Fits) -> Column | None:
        """Take the first column that fits."""
        found = next((column for column in left if fits(column)), None)
        if found is not None:
            left.remove(found)
        return found

    confidence = take(lambda column: bool(column.words & _CONFIDENCES) and _is_share(column))
    recorded = take(
        lambda column: (
            bool(column.words & _RECORDED)
            and not column.words & (STARTS | ENDS)
            and column.kind in {"date", "instant"}
        )
    )
    role = take(_is_role)
    start, end = _dates(left, take) if role is None else (take(_is_date_of_role), None)
    if role is not None and start is None:
        left.append(role)
        role = None
    source = take(lambda column: bool(column.words & _SOURCES) and column.kind in {"iri", "text"})
    graph = take(lambda column: column.words == {"graph"} and column.kind in {"iri", "text"})
    predicate = take(
        lambda column: _is_called(column, _PREDICATES) and column.kind in {"iri", "text"}
    )
    value = take(lambda column: bool(column.words) and column.words <= _OBJECTS)
    subject: Column | None = None
    if _is_nameless_triple(left, columns):
        subject, predicate = take(lambda _: True), take(lambda _: True)
    subject = subject or _subject(left or list(columns), take)
    value = value or take(lambda column: column.is_full) or take(lambda _: True) or subject
    return Parts(subject, value, predicate, start, end, role, source, graph, confidence, recorded)


def _is_called(column: Column, words: frozenset[str]) -> bool:
    """Tell whether a name holds one of the words; a letter counts only where it is the name."""
    named = bool(column.words) and column.words <= words
    return named or any(len(word) > 1 for word in column.words & words)


def _is_nameless_triple(left: list[Column], columns: list[Column]) -> bool:
    """Tell whether three columns without names are left: subject, predicate, object by place."""
    nameless = all(column.name.startswith("column") for column in columns)
    return nameless and len(left) == 3 and all(one.kind in {"iri", "text"} for one in left[:2])


def _subject(columns: list[Column], take: _Take) -> Column:
    tests: tuple[_Fits, ...] = (
        lambda column: _is_called(column, _SUBJECTS) and column.filled > 0,
        lambda column: column.is_full and column.is_unique and "id" in column.words,
        lambda column: column.is_full and column.is_unique and column.kind == "iri",
        lambda column: column.is_full and column.is_unique and column.kind not in DATED,
        lambda column: column.is_full and column.kind == "iri",
        lambda column: column.is_full and column.kind in {"text", "integer"},
        lambda column: column.is_full,
        lambda column: column is max(columns, key=lambda one: one.filled),
    )
    found = next((one for test in tests if (one := take(test)) is not None), None)
    return columns[0] if found is None else found


def _is_share(column: Column) -> bool:
    numbers = {"integer", "decimal", "double"}
    return column.kind in numbers and all(
        cell is None or 0 <= float(spelled(cell)) <= 1 for cell in column.cells
    )


def _is_role(column: Column) -> bool:
    """Tell whether the cells are words for a start and for an end, and nothing else."""
    if column.kind != "text" or column.distinct > 6:
        return False
    starts, ends = roles_of(column)
    return bool(starts and ends) and len(starts) + len(ends) == column.distinct


def roles_of(column: Column) -> tuple[list[str], list[str]]:
    """Return the cells of a column that are words for a start, and those for an end."""
    cells = sorted({spelled(cell) for cell in column.cells if cell is not None})
    ends = [cell for cell in cells if any(word in cell.lower() for word in _ROLE_END)]
    starts = [
        cell
        for cell in cells
        if cell not in ends and any(word in cell.lower() for word in _ROLE_START)
    ]
    return starts, ends


def _is_date_of_role(column: Column) -> bool:
    return column.kind in DATED or column.are_years


def _dates(left: list[Column], take: _Take) -> tuple[Column | None, Column | None]:
    """Return the columns of the two bounds: named so, else the only dates; at last empty ones."""
    start = take(lambda column: _is_bound(column, STARTS))
    end = take(lambda column: _is_bound(column, ENDS))
    if start is None and end is None:
        dates = [column for column in left if column.kind in DATED and not column.words & _LIVES]
        if 1 <= len(dates) <= 2 and len(left) > len(dates) + 1:
            start = take(lambda column: column is dates[0])
            if len(dates) == 2 and not _inverted(dates[0], dates[1]):
                end = take(lambda column: column is dates[1])
    start = start or take(lambda column: column.kind == "empty" and bool(column.words & STARTS))
    end = end or take(lambda column: column.kind == "empty" and bool(column.words & ENDS))
    return start, end


def _is_bound(column: Column, words: frozenset[str]) -> bool:
    return bool(column.words & words) and (column.kind in DATED or column.are_years)


def _pairs(start: Column, end: Column) -> Iterator[tuple[str, str]]:
    for first, last in zip(start.cells, end.cells, strict=True):
        if first is not None and last is not None:
            yield spelled(first), spelled(last)


def _inverted(start: Column, end: Column) -> bool:
    """Tell whether some end lies before its start, or the two never stand together."""
    pairs = list(_pairs(start, end))
    return not pairs or any(_start(first) > _start(last) for first, last in pairs)


def _start(text: str) -> int:
    return period_of(text, zone=UTC).start


__all__ = ["ENDS", "STARTS", "Parts", "chosen_parts", "roles_of"]
