"""
The embedded RDF store: what the ledger writes to and every view reads from.

Writes are N-Quads texts, added in one atomic step each: a kill in flight leaves all of it or
nothing. Nothing is durable against a power cut until `flush`; the journal covers the time
between. Reads see one snapshot per call, not across calls; views pin a coordinate instead.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from semantica_rdf.errors import CorruptStore, StoreLocked

BULK_BYTES = 8 * 1024 * 1024
"""From this many bytes of N-Quads on, a write takes the store's bulk path."""

_LOG_DISAGREES = re.compile(r"ahead of WALs|Corruption|corrupt", re.IGNORECASE)
_LOCKED = re.compile(r"lock", re.IGNORECASE)
_DEFAULT = ox.DefaultGraph()


class RdfStore:
    """A pyoxigraph store in a directory or in memory; thread-safe, one write at a time by its caller."""

    def __init__(self, store: ox.Store, *, persistent: bool) -> None:
        self._store: ox.Store | None = store
        self._persistent = persistent

    @classmethod
    def memory(cls) -> RdfStore:
        """Return an empty store that lives as long as the object."""
        return cls(ox.Store(), persistent=False)

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> RdfStore:
        """
        Open the store in a directory, creating it when absent.

        Orphaned files of a bulk load that was killed are removed. When the store's log and its
        tables disagree (a log cut short by a power failure), the logs are emptied and the store
        is opened once more; what they held since the last flush stands in the journal.

        Raises `CorruptStore` when it does not open, `StoreLocked` when another process holds it.
        """
        if read_only:
            return cls(_opened(lambda: ox.Store.read_only(str(path)), path), persistent=True)
        path.mkdir(parents=True, exist_ok=True)
        for orphan in path.glob("bulk*"):
            orphan.unlink()
        try:
            return cls(_opened(lambda: ox.Store(str(path)), path), persistent=True)
        except CorruptStore as error:
            if not _LOG_DISAGREES.search(error.message):
                raise
            for log in path.glob("*.log"):
                log.write_bytes(b"")
            return cls(_opened(lambda: ox.Store(str(path)), path), persistent=True)

    @property
    def raw(self) -> ox.Store:
        """The store itself; raises `StoreLocked` (code `closed`) after `close`."""
        if self._store is None:
            raise StoreLocked(
                "this knowledge base is closed", code="closed", hint="open it again to go on"
            )
        return self._store

    def add(self, nquads: bytes) -> None:
        """Add quads, atomically; large texts take the bulk path."""
        if self._persistent and len(nquads) >= BULK_BYTES:
            self.raw.bulk_load(nquads, ox.RdfFormat.N_QUADS)
        else:
            self.raw.load(nquads, ox.RdfFormat.N_QUADS)

    def flush(self) -> None:
        """Make everything added so far survive a power cut."""
        if self._persistent:
            self.raw.flush()

    def close(self) -> None:
        """Let go of the store and its files."""
        self._store = None

    def properties(
        self, node: str, graph: ox.NamedNode | ox.DefaultGraph = _DEFAULT
    ) -> dict[str, str]:
        """Return predicate IRI to object, as N-Triples text, for one node of the record."""
        found = self.raw.quads_for_pattern(ox.NamedNode(node), None, None, graph)
        return {quad.predicate.value: str(quad.object) for quad in found}

    def subjects(
        self,
        predicate: str,
        value: ox.NamedNode | ox.Literal,
        graph: ox.NamedNode | ox.DefaultGraph = _DEFAULT,
    ) -> list[str]:
        """Return the nodes that have this value for a predicate."""
        found = self.raw.quads_for_pattern(None, ox.NamedNode(predicate), value, graph)
        return [str(quad.subject)[1:-1] for quad in found]

    def has_predicate(self, predicate: str) -> bool:
        """Tell whether any node of the record uses the predicate."""
        found = self.raw.quads_for_pattern(None, ox.NamedNode(predicate), None, _DEFAULT)
        return next(iter(found), None) is not None

    def graphs_holding(self, subject: Any, predicate: Any, value: Any) -> list[ox.Quad]:
        """Return the quads of a triple pattern in every named graph; None matches anything."""
        found = self.raw.quads_for_pattern(subject, predicate, value, None)
        return [quad for quad in found if not isinstance(quad.graph_name, ox.DefaultGraph)]

    def lines(self) -> Iterator[str]:
        """Return every quad of the store as one N-Quads line, in the canonical form of terms."""
        target = io.BytesIO()
        self.raw.dump(target, ox.RdfFormat.N_QUADS)
        target.seek(0)
        yield from io.TextIOWrapper(target, encoding="utf-8", newline="\n")

    def __iter__(self) -> Iterator[ox.Quad]:
        return iter(self.raw)

    def __len__(self) -> int:
        return len(self.raw)


def _opened(opening: Any, path: Path) -> ox.Store:
    try:
        store: ox.Store = opening()
    except OSError as error:
        if _LOCKED.search(str(error)):
            raise StoreLocked(
                f"{path} is open elsewhere: {error}", hint="close the other open first"
            ) from None
        raise CorruptStore(
            f"the store in {path} does not open: {error}",
            hint="restore a backup; the journal beside it says what was on record",
        ) from None
    return store
