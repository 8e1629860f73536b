"""
Facts at a coordinate: what is believed, over which window, by whom and on which statements.

A fact's window is the whole span of belief around the coordinate's valid instant, as known then:
windows of several statements that touch or overlap are one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from semantica_rdf.model.interval_set import union
from semantica_rdf.model.statement import FactKey, Statement
from semantica_rdf.model.terms import Iri, Literal, term_of_ntriples
from semantica_rdf.model.time import Window, datetime_or_none
from semantica_rdf.view.coordinate import Coordinate


class Fact(NamedTuple):
    """
    One believed triple at a coordinate.

    `statements` are the ids of the believed statements that cover the coordinate, `sources` their
    sources; `window` is the span of belief around it.
    """

    key: FactKey
    window: Window
    sources: tuple[Iri, ...]
    statements: tuple[str, ...]

    @property
    def subject(self) -> Iri | Literal:
        """The subject."""
        return term_of_ntriples(self.key.subject)

    @property
    def predicate(self) -> Iri | Literal:
        """The predicate."""
        return term_of_ntriples(self.key.predicate)

    @property
    def object(self) -> Iri | Literal:
        """The object."""
        return term_of_ntriples(self.key.object)

    @property
    def graph(self) -> Iri | None:
        """The user graph, None for the default graph."""
        return Iri(self.key.graph[1:-1]) if self.key.graph else None

    @property
    def valid_from(self) -> datetime | None:
        """Start of the window, aware UTC, None when open."""
        return datetime_or_none(self.window.start)

    @property
    def valid_until(self) -> datetime | None:
        """End of the window (exclusive), aware UTC, None when open."""
        return datetime_or_none(self.window.end)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What changes from one view to another: facts that hold only there, and only here."""

    added: tuple[Fact, ...]
    removed: tuple[Fact, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)


def _age(statement: Statement) -> tuple[int, int, str]:
    """Return what statements sort by, oldest first: a store's own order changes as it grows."""
    return statement.recorded_at, len(statement.id), statement.id


def believed_at(statements: Iterable[Statement], coordinate: Coordinate) -> Fact | None:
    """Return the fact its statements make believed at a coordinate, None when they do not."""
    known = [
        item
        for item in statements
        if item.standing == "believed"
        and item.recorded_at <= coordinate.known_at < item.superseded_at
    ]
    covering = [item for item in known if item.window.holds_at(coordinate.valid_at)]
    if not covering:
        return None
    spans = union(item.window for item in known)
    window = next(span for span in spans if span.holds_at(coordinate.valid_at))
    return Fact(
        key=covering[0].fact,
        window=window,
        sources=tuple(Iri(source) for source in sorted({item.source for item in covering})),
        statements=tuple(item.id for item in sorted(covering, key=_age)),
    )
