"""
Timelines: what the record says over time, as rectangles of valid time and transaction time.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from semantica_rdf.model.statement import FactKey
from semantica_rdf.model.terms import Iri
from semantica_rdf.model.time import Window, datetime_of, datetime_or_none
from semantica_rdf.view.base import Base
from semantica_rdf.view.coordinate import Coordinate
from semantica_rdf.view.pattern import Pattern


class Span(NamedTuple):
    """
    One version of a claim on both axes.

    True in the world over `window`, on record from `recorded_at` until before `superseded_at`
    (microseconds since 1970 UTC; open bounds as in `model.time`), with a standing.
    """

    key: FactKey
    window: Window
    recorded_at: int
    superseded_at: int
    standing: str
    source: Iri
    statement: str

    @property
    def valid_from(self) -> datetime | None:
        """Start of the window, aware UTC, None when open."""
        return datetime_or_none(self.window.start)

    @property
    def valid_until(self) -> datetime | None:
        """End of the window (exclusive), aware UTC, None when open."""
        return datetime_or_none(self.window.end)

    @property
    def recorded(self) -> datetime:
        """When it was recorded, aware UTC."""
        return datetime_of(self.recorded_at)

    @property
    def superseded(self) -> datetime | None:
        """When it was superseded, aware UTC, None while it stands."""
        return datetime_or_none(self.superseded_at)


def timeline_of(base: Base, pattern: Pattern, namespace: str) -> tuple[Span, ...]:
    """Return every version of the claims of a pattern, earliest window first, then as recorded."""
    from semantica_rdf.columns.entries import STATEMENT, node_parts, standing_of

    table = base.columns.whole()
    entries, texts = table.entries, table.dictionary.texts
    space = table.dictionary.known(namespace)
    matching = table.matching(*pattern)
    spans = []
    for place in range(len(table)) if matching is None else matching.tolist():
        kind = entries.kind.item(place)
        if kind & STATEMENT and entries.space.item(place) == space:
            columns = (entries.graph, entries.subject, entries.predicate, entries.object)
            span = Span(
                FactKey(namespace, *(texts[column.item(place)] for column in columns)),
                Window(entries.start.item(place), entries.end.item(place)),
                entries.recorded.item(place),
                entries.superseded.item(place),
                standing_of(kind),
                Iri(texts[entries.source.item(place)][1:-1]),
                base.identity.iri(*node_parts(entries.node.item(place))),
            )
            spans.append(span)
    return tuple(sorted(spans, key=lambda span: (span.window, span.recorded_at)))


def boundaries_of(base: Base, pattern: Pattern, coordinate: Coordinate) -> tuple[datetime, ...]:
    """Return the valid instants at which belief in a fact of a pattern begins or ends, as known."""
    table = base.columns.whole()
    places = table.matching(*pattern)
    bounds = table.boundaries(coordinate.namespace, coordinate.known_at, places)
    return tuple(map(datetime_of, bounds))


__all__ = ["Span", "boundaries_of", "timeline_of"]
