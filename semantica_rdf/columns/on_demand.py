"""
Columns that cost nothing until something reads much: numpy is not even imported before.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from semantica_rdf.columns.columns import Columns
    from semantica_rdf.columns.table import Table


ASKED_BEFORE_LOADED = 64
"""So many single look-ups are answered by the store before files are loaded for the next ones."""


class ColumnsOnDemand:
    """The columns of one base, made when first asked for; methods as those of `Columns`."""

    def __init__(self, make: Callable[[], Columns], sequence: Callable[[], int]) -> None:
        self._make = make
        self._sequence = sequence
        self._lock = threading.Lock()
        self._made: Columns | None = None
        self._asked = 0

    def made(self) -> Columns:
        """Return the columns, made by the first who asks."""
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made

    def near(self) -> Table | None:
        """
        Return a table of all there is if that is at hand or nearly so, None otherwise.

        Asked often, it loads the files there are; it never makes a table from the record.
        """
        self._asked += 1
        if self._asked == ASKED_BEFORE_LOADED:
            self.made().load(self._sequence())
        return None if self._made is None else self._made.near(self._sequence())

    def for_scan(self) -> Table | None:
        """Return a table of all there is, None where a single scan of the store is quicker."""
        return self.made().for_scan(self._sequence())

    def whole(self) -> Table:
        """Return a table of all there is."""
        return self.made().upto(self._sequence())

    def rebuild(self) -> Table:
        """Return a table of all there is, read anew; raises `OSError` when its files cannot be written."""
        return self.made().rebuild(self._sequence())

    def keep(self) -> None:
        """Write the files if there is a table that has moved; raises `OSError`."""
        if self._made is not None:
            self._made.keep()


__all__ = ["ColumnsOnDemand"]
