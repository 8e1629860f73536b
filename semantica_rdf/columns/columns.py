"""
The columns of one base: a table brought up to whichever transaction a reader needs.

A table is loaded from its files, or made from the record; then it follows, reading what each later
transaction wrote. Where that would be most of the record, all is read anew.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np

from semantica_rdf.columns.dictionary import Dictionary
from semantica_rdf.columns.entries import DTYPES, Entries, Numbers, entries_of
from semantica_rdf.columns.files import Kept, kept_columns, remove_columns, write_columns
from semantica_rdf.columns.order import Order
from semantica_rdf.columns.reading import EntryReader, Written
from semantica_rdf.columns.table import Table
from semantica_rdf.model.time import FIRST_INSTANT, OPEN_END
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.identity import Identity

FEW_NODES = 2_000
"""So many nodes are read one by one for the asking; `near` goes no further."""

SHARE_READ_ANEW = 10
"""More than a tenth of the entries there are, and more than `FEW_NODES`: all is read anew."""

Proof = Callable[[int], str | None]
"""Gives what proves the record up to a transaction, None when there is no such transaction."""


class Columns:
    """The table of one store, and its files; thread-safe, one reader at a time brings it up."""

    def __init__(
        self,
        store: RdfStore,
        identity: Identity,
        proof: Proof,
        directory: Path | None = None,
        *,
        writable: bool = True,
    ) -> None:
        self._store = store
        self._identity = identity
        self._proof = proof
        self._directory = directory
        self._writable = writable and directory is not None
        self._lock = threading.RLock()
        self._table: Table | None = None
        self._room: dict[str, Numbers] = {}
        self._reader = EntryReader(store, identity, Dictionary())
        self._too_far = -1
        self._scanned = False
        self._written_at = -1

    @property
    def at_hand(self) -> bool:
        """Whether a table is in memory, to whichever transaction."""
        return self._table is not None

    def near(self, sequence: int) -> Table | None:
        """
        Return a table up to a transaction if one is at hand or nearly so; None when it would take long.
        """
        table = self._table
        if table is None or table.sequence >= sequence:
            return table
        with self._lock:
            table = self._table
            if table is None or table.sequence >= sequence or self._too_far == sequence:
                return table if table is not None and table.sequence >= sequence else None
            written = self._reader.written(table.sequence, sequence, at_most=FEW_NODES)
            if written is None:
                self._too_far = sequence
                return None
            return self._follow(table, written, sequence)

    def load(self, sequence: int) -> None:
        """Load the files, if there are any of this very record and no table is at hand."""
        with self._lock:
            if self._table is None:
                self._table = self._loaded(sequence)

    def for_scan(self, sequence: int) -> Table | None:
        """
        Return a table up to a transaction, None where a single scan of the store is quicker.

        That is the first time of all, when there is no table and there are no files of one.
        """
        with self._lock:
            if self._table is None and not self._scanned:
                self._scanned = True
                self._table = self._loaded(sequence)
                if self._table is None:
                    return None
            return self.upto(sequence)

    def upto(self, sequence: int) -> Table:
        """Return a table that holds everything up to a transaction, brought up if need be."""
        table = self._table
        if table is not None and table.sequence >= sequence:
            return table
        with self._lock:
            table = self._table
            if table is None:
                table = self._loaded(sequence)
            if table is not None and table.sequence < sequence:
                few = max(FEW_NODES, len(table) // SHARE_READ_ANEW)
                written = self._reader.written(table.sequence, sequence, at_most=few)
                table = None if written is None else self._follow(table, written, sequence)
            return self._read_anew(sequence) if table is None else table

    def rebuild(self, sequence: int) -> Table:
        """Return a table read anew from the record, whatever there was, and write its files."""
        with self._lock:
            table = self._read_anew(sequence)
            self.keep()
            return table

    def keep(self) -> None:
        """
        Write the files, if the table has moved since they were; nothing without a directory.

        Raises `OSError` when that fails; there are no files then.
        """
        with self._lock:
            table = self._table
            if self._directory is None or not self._writable:
                return
            if table is None or table.sequence == self._written_at:
                return
            proof = self._proof(table.sequence)
            if proof is not None:
                kept = Kept(
                    self._identity.store_id,
                    table.sequence,
                    table.basis,
                    proof,
                    dict(table.touched),
                    table.dictionary.texts,
                    table.entries,
                )
                write_columns(self._directory, kept)
                self._written_at = table.sequence

    def forget(self) -> None:
        """Let go of the table and remove its files: the record has changed under it."""
        with self._lock:
            self._table = None
            self._written_at = -1
            if self._directory is not None and self._writable:
                remove_columns(self._directory)

    def _loaded(self, sequence: int) -> Table | None:
        """Return the table of the files, None without any that are of this very record."""
        if self._directory is None:
            return None
        kept = kept_columns(self._directory)
        if kept is None or kept.base != self._identity.store_id or kept.sequence > sequence:
            return None
        if self._proof(kept.sequence) != kept.proof:
            return None
        self._reader = EntryReader(self._store, self._identity, Dictionary(kept.texts))
        self._written_at = kept.sequence
        return self._begin(kept.entries, kept.sequence, kept.basis, kept.touched)

    def _read_anew(self, sequence: int) -> Table:
        dictionary = Dictionary()
        self._reader = reader = EntryReader(self._store, self._identity, dictionary)
        self._written_at = -1
        if sequence == 0:
            return self._begin(entries_of([]), 0, FIRST_INSTANT, {})
        entries = reader.everything(sequence)
        return self._begin(
            entries, sequence, reader.recorded_at(sequence), _touched(entries, dictionary)
        )

    def _begin(self, entries: Entries, sequence: int, basis: int, touched: dict[str, int]) -> Table:
        self._room = {name: np.array(column) for name, column in zip(DTYPES, entries, strict=True)}
        return self._stand(len(entries.node), sequence, basis, touched, {})

    def _stand(
        self,
        length: int,
        sequence: int,
        basis: int,
        touched: dict[str, int],
        orders: dict[str, Order],
    ) -> Table:
        entries = Entries(**self._room).upto(length)
        table = Table(sequence, basis, entries, self._reader.dictionary, touched, orders)
        self._table = table
        return table

    def _follow(self, table: Table, written: Written, sequence: int) -> Table:
        """Return the table after what was written, in the same memory where that has room."""
        before, added = len(table), len(written.entries.node)
        self._make_room(before, before + added)
        for name, column in zip(DTYPES, written.entries, strict=True):
            self._room[name][before : before + added] = column
        touched = dict(table.touched)
        _note(touched, _touched(written.entries, table.dictionary))
        nodes = self._room["node"][: before + added]
        for node, closed_at in written.closed.items():
            place = int(nodes.searchsorted(node))
            self._room["superseded"][place] = closed_at
            space = table.dictionary.texts[int(self._room["space"][place])]
            _note(touched, {space: closed_at})
        basis = self._reader.recorded_at(sequence)
        return self._stand(before + added, sequence, basis, touched, table.orders)

    def _make_room(self, length: int, needed: int) -> None:
        if needed <= len(self._room["node"]):
            return
        for name, dtype in DTYPES.items():
            column = np.empty(max(needed, length + length // 4 + 1024), dtype=dtype)
            column[:length] = self._room[name][:length]
            self._room[name] = column


def _touched(entries: Entries, dictionary: Dictionary) -> dict[str, int]:
    """Return when each namespace was last written to."""
    last: dict[str, int] = {}
    for number in np.unique(entries.space).tolist():
        own = entries.space == number
        closed = entries.superseded[own]
        times = np.concatenate([entries.recorded[own], closed[closed != OPEN_END]])
        last[dictionary.texts[number]] = int(times.max())
    return last


def _note(touched: dict[str, int], later: dict[str, int]) -> None:
    for space, instant in later.items():
        touched[space] = max(instant, touched.get(space, instant))


__all__ = ["FEW_NODES", "SHARE_READ_ANEW", "Columns", "Proof"]
