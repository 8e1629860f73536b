"""
The table: the record up to one transaction as columns, and what is asked of it by vectors.

A table never changes what it answers for coordinates known at or before its last transaction;
later closings may show in `superseded`, always with a later instant. Places are positions in the
columns, ascending, in the order nodes were written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from semantica_rdf.columns.cell import Cell
from semantica_rdf.columns.dictionary import Dictionary
from semantica_rdf.columns.entries import (
    BELIEVED_STATEMENT,
    ROW,
    STANDING,
    STATEMENT,
    Entries,
    Numbers,
)
from semantica_rdf.columns.order import Order, order_of
from semantica_rdf.model.time import OPEN_END, OPEN_START

_INDEXED = ("subject", "object", "predicate")
"""The columns with an order, the one with the fewest places first, usually."""


@dataclass(frozen=True)
class Table:
    """Entries up to transaction `sequence`, recorded at `basis` (microseconds since 1970 UTC)."""

    sequence: int
    basis: int
    entries: Entries
    dictionary: Dictionary
    touched: Mapping[str, int]
    """When each namespace was last written to."""
    orders: dict[str, Order] = field(repr=False)

    def __len__(self) -> int:
        return len(self.entries.node)

    def _order(self, name: str) -> Order:
        column = getattr(self.entries, name)
        order = self.orders.get(name)
        if order is None or order.worn(len(column)):
            order = self.orders[name] = order_of(column)
        return order

    def matching(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        value: str | None = None,
        graph: str | None = None,
    ) -> Numbers | None:
        """
        Return the places of a pattern, terms as N-Triples, `graph` empty for the default graph.

        None for a pattern that matches everything.
        """
        wanted = {"subject": subject, "object": value, "predicate": predicate, "graph": graph}
        numbers: dict[str, int] = {}
        for name, text in wanted.items():
            if text is not None:
                number = self.dictionary.known(text)
                if number is None:
                    return np.empty(0, dtype=np.int64)
                numbers[name] = number
        return self._matching(numbers)

    def _matching(self, numbers: dict[str, int]) -> Numbers | None:
        if not numbers:
            return None
        first = next((name for name in _INDEXED if name in numbers), None)
        if first is None:
            return np.flatnonzero(self.entries.graph == numbers["graph"])
        places = self._order(first).places_of(numbers.pop(first), getattr(self.entries, first))
        for name, number in numbers.items():
            places = places[getattr(self.entries, name)[places] == number]
        return places

    def _known(self, space: str, known_at: int, places: Numbers | None) -> Numbers:
        """Return a mask over places (None: over all) of what is known in a namespace."""
        entries = self.entries
        number = -1 if (found := self.dictionary.known(space)) is None else found
        if places is None:
            mask = entries.recorded <= known_at
            mask &= entries.superseded > known_at
            mask &= entries.space == number
            return mask
        mask = entries.recorded[places] <= known_at
        mask &= entries.superseded[places] > known_at
        mask &= entries.space[places] == number
        return mask

    def _visible(self, space: str, valid_at: int, known_at: int) -> Numbers:
        entries = self.entries
        mask = self._known(space, known_at, None)
        mask &= entries.start <= valid_at
        mask &= entries.end > valid_at
        mask &= (entries.kind & ROW) != 0
        return mask

    def visible(self, space: str, valid_at: int, known_at: int) -> Numbers:
        """Return the places of the belief rows that hold at a coordinate: one for each fact."""
        return np.flatnonzero(self._visible(space, valid_at, known_at))

    def count(self, space: str, valid_at: int, known_at: int) -> int:
        """Return how many facts hold at a coordinate."""
        return int(np.count_nonzero(self._visible(space, valid_at, known_at)))

    def believed(self, space: str, known_at: int, places: Numbers | None = None) -> Numbers:
        """Return those of some places (None: of all) that are statements believed as known then."""
        kind = self.entries.kind if places is None else self.entries.kind[places]
        mask = self._known(space, known_at, places)
        mask &= (kind & (STATEMENT | STANDING)) == BELIEVED_STATEMENT
        return np.flatnonzero(mask) if places is None else places[mask]

    def holding(self, places: Numbers, valid_at: int) -> Numbers:
        """Return a mask over places of the windows that hold at an instant."""
        mask: Numbers = self.entries.start[places] <= valid_at
        mask &= self.entries.end[places] > valid_at
        return mask

    def repeated(self, places: Numbers) -> Numbers:
        """
        Return a mask over places that is true wherever another place has the same fact.

        It may be true elsewhere too, very rarely; it is never false where a fact stands twice.
        """
        entries = self.entries
        mixed = np.zeros(len(places), dtype=np.uint64)
        for name, factor in _FACTORS.items():
            mixed ^= getattr(entries, name)[places].astype(np.uint64) * factor
        order = np.argsort(mixed, kind="stable")
        ordered = mixed[order]
        same = ordered[1:] == ordered[:-1]
        mask = np.zeros(len(places), dtype=bool)
        mask[order[1:][same]] = True
        mask[order[:-1][same]] = True
        return mask

    def cell(self, space: str, valid_at: int, known_at: int) -> Cell:
        """Return the greatest cell around a coordinate; `known_until` is open when nothing followed."""
        number = self.dictionary.known(space)
        own = self.entries.space == (-1 if number is None else number)
        times = np.concatenate([self.entries.recorded[own], self.entries.superseded[own]])
        known = np.flatnonzero(self._known(space, known_at, None) & (self.entries.kind & ROW != 0))
        bounds = np.concatenate([self.entries.start[known], self.entries.end[known]])
        return Cell(
            space,
            valid_from=_last(bounds, valid_at),
            known_from=_last(times, known_at),
            valid_until=_next(bounds, valid_at),
            known_until=_next(times, known_at),
            seen=self.basis,
        )

    def boundaries(self, space: str, known_at: int, places: Numbers | None = None) -> list[int]:
        """
        Return the instants, sorted, at which belief in a fact begins or ends, as known then.

        Where one row of a fact ends as another begins nothing changes. None means all places.
        """
        kind = self.entries.kind if places is None else self.entries.kind[places]
        mask = self._known(space, known_at, places) & ((kind & ROW) != 0)
        rows = np.flatnonzero(mask) if places is None else places[mask]
        facts = list(zip(*(column[rows].tolist() for column in self._fact_columns()), strict=True))
        begins = set(zip(facts, self.entries.start[rows].tolist(), strict=True))
        ends = set(zip(facts, self.entries.end[rows].tolist(), strict=True))
        return sorted({bound for _, bound in begins ^ ends} - {OPEN_START, OPEN_END})

    def nquads(self, places: Numbers) -> bytes:
        """Return the facts of places as N-Quads, user graphs as graph names."""
        texts = self.dictionary.texts
        chosen = [column[places].tolist() for column in self._fact_columns()]
        if not any(chosen[3]):
            lines = [
                f"{texts[s]} {texts[p]} {texts[o]} .\n" for s, p, o in zip(*chosen[:3], strict=True)
            ]
        else:
            lines = [
                f"{texts[s]} {texts[p]} {texts[o]} {texts[g]} .\n"
                for s, p, o, g in zip(*chosen, strict=True)
            ]
        return "".join(lines).encode()

    def _fact_columns(self) -> tuple[Numbers, ...]:
        entries = self.entries
        return entries.subject, entries.predicate, entries.object, entries.graph


_FACTORS = {
    "subject": np.uint64(0x9E3779B97F4A7C15),
    "predicate": np.uint64(0xC2B2AE3D27D4EB4F),
    "object": np.uint64(0x165667B19E3779F9),
    "graph": np.uint64(0xD6E8FEB86659FD93),
}
"""Odd numbers that mix the four terms of a fact into one."""


def _last(bounds: Numbers, instant: int) -> int:
    earlier = bounds[bounds <= instant]
    return int(earlier.max()) if len(earlier) else OPEN_START


def _next(bounds: Numbers, instant: int) -> int:
    later = bounds[bounds > instant]
    return int(later.min()) if len(later) else OPEN_END


__all__ = ["Table"]
