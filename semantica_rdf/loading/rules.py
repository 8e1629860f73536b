"""
The parts of a mapping as frozen values, one class for each section of the TOML file.

The fields of a class are the keys its section knows; `mapping.read_mapping` holds files to them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping as MappingType
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Literal

from semantica_rdf.model.time import DateEnd
from semantica_rdf.model.zones import zone_named

Kind = Literal["csv", "tsv", "jsonl"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """
    `[format]`: how the text is laid out.

    `kind` is csv, tsv or jsonl. `quoting` is `standard` (RFC 4180) or `none`. Without `header`
    the `columns` name the cells. `strip` lists characters taken off both ends of every cell, or
    is a table of such lists by column; a cell that then equals one of `null` counts as empty.
    """

    kind: Kind
    delimiter: str = ""
    quoting: Literal["standard", "none"] = "standard"
    header: bool = True
    columns: tuple[str, ...] = ()
    encoding: str = "utf-8"
    strip: str | MappingType[str, str] = ""
    null: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """`[[object.when]]`: what a cell becomes when all of it matches a regular expression."""

    matches: re.Pattern[str]
    base: str | None = None
    datatype: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TermRule:
    """
    How one term is made: from a `column`, or the constant `iri`.

    `values` maps cells to IRIs. Other cells are absolute IRIs or names minted under `base`; with
    `absolute` they are IRIs as they stand, whatever their scheme. An object with `datatype` or
    `language`, or with neither these nor a `base`, is a literal. Columns can say it row by row:
    `kind_column` (`iri` or `literal`), `datatype_column`, `language_column`. With `optional` an
    empty cell means no graph, or no source of the row's own.
    """

    column: str | None = None
    iri: str | None = None
    base: str | None = None
    values: MappingType[str, str] = field(default_factory=dict)
    datatype: str | None = None
    language: str | None = None
    kind_column: str | None = None
    datatype_column: str | None = None
    language_column: str | None = None
    absolute: bool = False
    optional: bool = False
    when: tuple[Case, ...] = ()

    @property
    def beside(self) -> tuple[str | None, str | None, str | None]:
        """The columns that say what a cell is: its kind, its datatype, its language."""
        return self.kind_column, self.datatype_column, self.language_column


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowRule:
    """
    `[window]`: the columns of the valid window.

    Either `from`, `until`, `during` name columns; or `date` names one column and `role` another
    whose cells, listed in `starts` and `ends`, say which bound the date is. With roles, a start
    and an end of one fact are joined into one window unless `join` is false. `timezone` is the IANA
    name of the zone whose clocks gave the times and dates without a zone of their own, also of
    `source_recorded_at`.
    """

    from_: str | None = None
    until: str | None = None
    during: str | None = None
    date: str | None = None
    role: str | None = None
    starts: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
    join: bool = True
    date_end: DateEnd = "exclusive"
    timezone: str | None = None

    @property
    def zone(self) -> tzinfo | None:
        """The zone, None where none is named. Raises `ValidationError` (`unknown_zone`)."""
        return None if self.timezone is None else zone_named(self.timezone)


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementRule:
    """`[statement]`: the columns of what is said about the statement itself."""

    support_id: str | None = None
    confidence: str | None = None
    source_recorded_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapping:
    """A whole mapping; read one with `read_mapping`."""

    format: Layout
    subject: TermRule
    predicate: TermRule
    object: TermRule
    window: WindowRule = field(default_factory=WindowRule)
    graph: TermRule | None = None
    source: TermRule | None = None
    statement: StatementRule = field(default_factory=StatementRule)
    labels: bool = True
    title: str = ""

    @property
    def columns(self) -> frozenset[str]:
        """Every column the mapping names."""
        rules = (self.subject, self.predicate, self.object, self.graph, self.source)
        window, about = self.window, self.statement
        named = (
            *(rule.column for rule in rules if rule is not None),
            *self.object.beside,
            *(window.from_, window.until, window.during, window.date, window.role),
            *(about.support_id, about.confidence, about.source_recorded_at),
        )
        return frozenset(name for name in named if name is not None)


__all__ = ["Case", "Kind", "Layout", "Mapping", "StatementRule", "TermRule", "WindowRule"]
