"""
The view cache: materialised stores of the cells of coordinates asked last, within a byte budget.

What a cell of coordinates answers never changes, so nothing here ever goes stale: a commit moves
"now" to another cell of its namespace, and touches no other. Making a store keeps only those
waiting who ask for the same one; asking one keeps nobody waiting.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import NamedTuple

from semantica_rdf.store.embedded import RdfStore

BUDGET_BYTES = 512 * 1024 * 1024
"""How much memory kept views may take, as estimated; the last one asked for is always kept."""

QUAD_BYTES = 580
"""What a quad takes in the in-memory store beside its text: measured, for pyoxigraph 0.5."""


class Made(NamedTuple):
    """A store of plain triples and its estimated size in bytes."""

    store: RdfStore
    size: int


def size_of(quads: int, text_bytes: int) -> int:
    """Return the bytes an in-memory store of so many quads is estimated to take."""
    return quads * QUAD_BYTES + text_bytes


class KeptViews:
    """Materialised stores by cell, least recently asked first; thread-safe."""

    def __init__(self, budget: int = BUDGET_BYTES) -> None:
        self.budget = budget
        self._kept: OrderedDict[Hashable, Made] = OrderedDict()
        self._size = 0
        self._lock = threading.Lock()
        self._being_made: dict[Hashable, threading.Lock] = {}

    def warm(self, cell: Hashable) -> RdfStore | None:
        """Return the store kept for a cell, None when there is none; the cell then stands for it."""
        with self._lock:
            made = self._kept.pop(cell, None)
            if made is None:
                return None
            self._kept[cell] = made
            return made.store

    def cells(self) -> tuple[Hashable, ...]:
        """Return the cells kept, most recently asked last."""
        with self._lock:
            return tuple(self._kept)

    def store_at(self, cell: Hashable, make: Callable[[], Made]) -> RdfStore:
        """Return the store of a cell, made once however many threads ask for it."""
        found = self.warm(cell)
        if found is not None:
            return found
        with self._lock:
            turn = self._being_made.setdefault(cell, threading.Lock())
        with turn:
            found = self.warm(cell)
            if found is not None:
                return found
            try:
                made = make()
                self._keep(cell, made)
            finally:
                with self._lock:
                    self._being_made.pop(cell, None)
            return made.store

    def _keep(self, cell: Hashable, made: Made) -> None:
        with self._lock:
            self._kept[cell] = made
            self._size += made.size
            while self._size > self.budget and len(self._kept) > 1:
                _, gone = self._kept.popitem(last=False)
                self._size -= gone.size

    @property
    def size(self) -> int:
        """The estimated bytes of everything kept."""
        with self._lock:
            return self._size

    def __len__(self) -> int:
        with self._lock:
            return len(self._kept)


__all__ = ["BUDGET_BYTES", "QUAD_BYTES", "KeptViews", "Made", "size_of"]
