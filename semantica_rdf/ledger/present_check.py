"""
Whether `srdf:present` is what its cursor says, by the rows of the record: for `verify`.

Graphs that merely lag behind are whole. Without a cursor they stand for nothing, whatever they
hold: a kill while they were made leaves them so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from semantica_rdf.ledger.present import cursor_lines, is_present
from semantica_rdf.model import vocab
from semantica_rdf.model.interval_set import union
from semantica_rdf.model.statement import FactKey, Row
from semantica_rdf.model.terms import shortened
from semantica_rdf.model.time import OPEN_END, Window, instant_text
from semantica_rdf.view.present import Standing, present_graph
from semantica_rdf.view.scan import SplitLine

_CURSOR = f"<{vocab.PRESENT_GRAPH}>"
_JOURNAL = f"<{vocab.JOURNAL_GRAPH}>"


class PresentLines:
    """The lines of a store that belong to `srdf:present`: its graphs', and its cursor's."""

    def __init__(self) -> None:
        self.triples: set[tuple[str, str]] = set()
        self.cursor: set[str] = set()

    def take(self, quad: SplitLine) -> bool:
        """Take a line if it is one of these, and tell whether it was."""
        triple = f"{quad.subject} {quad.predicate} {quad.value}"
        if is_present(quad.graph[1:-1]):
            self.triples.add((quad.graph[1:-1], triple))
        elif quad.subject == _CURSOR and quad.graph == _JOURNAL:
            self.cursor.add(triple)
        else:
            return False
        return True

    def faults(self, standing: Standing | None, sequence: int, rows: list[Row]) -> Iterator[str]:
        """
        Name what is wrong, beside rows read from the record up to transaction `sequence`.

        `standing` is what the cursor says, None when it says nothing whole.
        """
        if standing is None:
            if self.cursor:
                yield "the cursor of srdf:present is not whole"
            return
        if self.cursor != {line.removesuffix(" .\n") for line in cursor_lines(standing)}:
            yield "the cursor of srdf:present says more than it should"
        if standing.sequence > sequence:
            yield f"the cursor of srdf:present stands at transaction {standing.sequence}"
            return
        if not standing.recorded_at <= standing.refreshed_for < standing.next_boundary:
            yield "the instants of the cursor of srdf:present are out of order"
        yield from self._content_faults(standing, rows)
        begins = _next_boundary(standing, rows)
        if begins < standing.next_boundary:
            yield f"srdf:present does not know that something changes at {instant_text(begins)}"

    def _content_faults(self, standing: Standing, rows: list[Row]) -> Iterator[str]:
        wanted = {
            (present_graph(row.fact.namespace), row.fact.triple)
            for row in _known(standing, rows)
            if row.window.holds_at(standing.refreshed_for)
        }
        for graph, triple in sorted(self.triples - wanted):
            yield f"<{graph}> holds {shortened(triple, 120)}, which does not hold then"
        for graph, triple in sorted(wanted - self.triples):
            yield f"<{graph}> lacks {shortened(triple, 120)}, which holds then"


def _known(standing: Standing, rows: Iterable[Row]) -> Iterator[Row]:
    for row in rows:
        known = row.recorded_at <= standing.recorded_at < row.superseded_at
        if known and not row.fact.graph:
            yield row


def _next_boundary(standing: Standing, rows: Iterable[Row]) -> int:
    windows: dict[FactKey, list[Window]] = {}
    for row in _known(standing, rows):
        windows.setdefault(row.fact, []).append(row.window)
    # Where one row ends as another of its fact begins, nothing changes.
    spans = (span for found in windows.values() for span in union(found))
    bounds = (bound for span in spans for bound in span)
    return min((bound for bound in bounds if bound > standing.refreshed_for), default=OPEN_END)


__all__ = ["PresentLines"]
