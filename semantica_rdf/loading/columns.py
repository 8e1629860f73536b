"""
What the columns of a table look like: how full, how varied, of what kind.

Kinds are told from all cells of a sample, by the readers that a load uses: a date is what a bound
takes for one, an IRI what a term takes for one. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import NamedTuple

from semantica_rdf.errors import CallerError
from semantica_rdf.loading.names import minted
from semantica_rdf.loading.rows import Cell
from semantica_rdf.model import vocab
from semantica_rdf.model.terms import literal
from semantica_rdf.model.time import period_of

DATED = frozenset({"date", "instant", "local"})
"""Kinds of column whose cells are times: dates, instants with a zone, and times without one."""

_INTEGER = re.compile(r"[+-]?(?:0|[1-9]\d*)\Z", re.ASCII)
_YEAR = re.compile(r"[12]\d{3}\Z", re.ASCII)
_DECIMAL = re.compile(r"[+-]?\d+\.\d+\Z", re.ASCII)
_DOUBLE = re.compile(r"[+-]?\d+(?:\.\d+)?[eE][+-]?\d+\Z", re.ASCII)
_ZONE = r"(?:Z|[+-]\d\d:\d\d)?\Z"
_DAY = re.compile(r"\d{4}-\d\d-\d\d" + _ZONE, re.ASCII)
_MONTH = re.compile(r"\d{4}-\d\d\Z", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?" + _ZONE, re.ASCII)
_ANY = re.compile("")
_LEXICAL = {
    **{kind: {kind: _ANY} for kind in ("integer", "decimal", "double", "boolean")},
    "date": {"date": _DAY, "gYearMonth": _MONTH},
    "instant": {"dateTime": _MOMENT},
}
"""Of a kind, the datatypes of XSD its cells may have, and the form each asks of a text."""
_NULL_WORDS = frozenset(
    [
        "NULL",
        "Null",
        "null",
        "\\N",
        "N/A",
        "n/a",
        "#N/A",
        "NA",
        "NaN",
        "nan",
        "NaT",
        "None",
        "-",
        "?",
    ]
)
_NEVER = re.compile(r"(?:9999-12-31|0001-01-01)(?:[T ][0-9:.]+(?:Z|[+-]\d\d:\d\d)?)?\Z", re.ASCII)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_NUMBERS = ("integer", "decimal", "double")


class Column(NamedTuple):
    """
    One column of a sample: its cells, and what they have in common.

    `kind` is iri, integer, decimal, double, boolean, date, instant, local (a time without a zone),
    text, or empty. `typed` says that the cells are no texts: JSON gives them their type.
    """

    name: str
    cells: tuple[Cell, ...]
    kind: str
    distinct: int
    typed: bool

    @property
    def filled(self) -> int:
        """How many cells hold something."""
        return sum(cell is not None for cell in self.cells)

    @property
    def is_full(self) -> bool:
        """True when no cell is empty."""
        return None not in self.cells

    @property
    def is_unique(self) -> bool:
        """True when no two cells are the same."""
        return self.distinct == len(self.cells) > 1

    @property
    def are_years(self) -> bool:
        """True when every cell is a year of four digits."""
        return self.kind == "integer" and all(
            cell is None or _YEAR.match(str(cell)) for cell in self.cells
        )

    @property
    def datatype(self) -> str | None:
        """The datatype that every text has the form of; None where none has, or cells are typed."""
        if self.typed or self.kind not in _LEXICAL:
            return None
        texts = [spelled(cell) for cell in self.cells if cell is not None]
        fitting = (
            name for name, form in _LEXICAL[self.kind].items() if all(map(form.match, texts))
        )
        name = next(fitting, None)
        return None if name is None else vocab.XSD + name

    @property
    def is_wrapped(self) -> bool:
        """True when every cell that holds something stands between angle brackets."""
        texts = [spelled(cell) for cell in self.cells if cell is not None]
        return bool(texts) and all(text[0] + text[-1] == "<>" and len(text) > 2 for text in texts)

    @property
    def words(self) -> frozenset[str]:
        """The words of the name in lower case: `validFrom`, `valid_from`, `Valid from` are alike."""
        return frozenset(word.lower() for word in _WORD.findall(self.name))

    @property
    def examples(self) -> list[str]:
        """Up to three different cells."""
        found = dict.fromkeys(spelled(cell) for cell in self.cells if cell is not None)
        return list(found)[:3]


def column_of(name: str, cells: Sequence[Cell]) -> Column:
    """Return what the cells of a column look like."""
    there = [cell for cell in cells if cell is not None]
    texts = {spelled(cell) for cell in there}
    typed = bool(there) and not any(isinstance(cell, str) for cell in there)
    kind = _common({_typed_kind(cell) for cell in there}) if typed else _kind_of_all(texts)
    return Column(name, tuple(cells), kind, len(texts), typed)


def null_words(columns: Sequence[Column]) -> tuple[str, ...]:
    """
    Return cells that likely mean "empty": words for it between numbers or dates, dates for never.

    >>> null_words([column_of("until", ["2020-01-01", "NULL", "9999-12-31"])])
    ('9999-12-31', 'NULL')
    """
    found: set[str] = set()
    for column in columns:
        texts = {cell for cell in column.cells if isinstance(cell, str)}
        words = texts & _NULL_WORDS
        rest = _kind_of_all(texts - words) if words else "text"
        kind = column.kind if rest == "text" else rest
        found |= words if kind != "text" else set()
        found |= {text for text in texts if kind in DATED and _NEVER.match(text)}
    return tuple(sorted(found))


def without(columns: Sequence[Column], words: Collection[str]) -> list[Column]:
    """Return the columns with some cells counted as empty."""
    return [
        column_of(column.name, [None if cell in words else cell for cell in column.cells])
        for column in columns
    ]


def spelled(cell: Cell) -> str:
    """Return a cell as a text."""
    return cell if isinstance(cell, str) else literal(cell).value


def kind_of(text: str) -> str:
    """
    Return the kind of one text.

    >>> [kind_of(text) for text in ("7", "007", "1.5", "2020-02-30", "2020-02-29", "urn:x:y")]
    ['integer', 'text', 'decimal', 'text', 'date', 'iri']
    """
    if text in {"true", "false"}:
        return "boolean"
    for kind, pattern in (("integer", _INTEGER), ("decimal", _DECIMAL), ("double", _DOUBLE)):
        if pattern.match(text):
            return kind
    try:
        period = period_of(text)
    except CallerError as error:
        if error.code == "naive_datetime":
            return "local"
    else:
        return "instant" if period.start == period.end else "date"
    try:
        minted(text, None)
    except CallerError:
        return "text"
    return "iri"


def _kind_of_all(texts: Collection[str]) -> str:
    """Return the kind that texts have in common; among dates a year of four digits is one."""
    kinds = {text: kind_of(text) for text in texts}
    if DATED & set(kinds.values()):
        kinds |= {
            text: "date" for text, kind in kinds.items() if kind == "integer" and _YEAR.match(text)
        }
    return _common(set(kinds.values()))


def _typed_kind(cell: Cell) -> str:
    if isinstance(cell, bool):
        return "boolean"
    if isinstance(cell, int):
        return "integer"
    return "decimal" if isinstance(cell, Decimal) else "double"


def _common(kinds: set[str]) -> str:
    if len(kinds) <= 1:
        return next(iter(kinds), "empty")
    if kinds <= set(_NUMBERS):
        return max(kinds, key=_NUMBERS.index)
    if kinds <= DATED:
        return "local" if "local" in kinds else "date"
    return "text"


__all__ = ["DATED", "Column", "column_of", "kind_of", "null_words", "spelled", "without"]
