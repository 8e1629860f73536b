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

from semantica_rdf.errors import CorruptStore, ProcessingError, StoreLocked

BULK_BYTES = 8 * 1024 * 1024
"""From this many bytes of N-Quads on, a write takes the store's bulk path."""

_LOG_DISAGREES = re.compile(r"ahead of WALs|Corruption: ")
_LOCKED = re.compile(r"While lock file|lock hold by current process")
_REFUSED = re.compile(
    r"No space left|Permission denied|Read-only file system|quota exceeded|File too large"
    r"|Too many open files",
    re.IGNORECASE,
)
_DEFAULT = ox.DefaultGraph()


class RdfStore:
    """A pyoxigraph store in a directory or in memory; thread-safe, one write at a time by its caller."""

    def __init__(self, store: ox.Store, *, persistent: bool) -> None:
        self._store: ox.Store | None = store
        self._persistent = persistent
        self.logs_emptied = False

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
        is opened once more; what they held since the last flush stands in the journal, and
        `logs_emptied` says that it happened.

        Raises `CorruptStore` when it does not open, `StoreLocked` when another process holds it
        or (`replay_needed`) when only an open for writing can bring log and tables together,
        `ProcessingError` (`not_writable`) when the disk is full or refuses.
        """
        if read_only:
            return cls._opened_read_only(path)
        path.mkdir(parents=True, exist_ok=True)
        for orphan in path.glob("bulk*"):
            orphan.unlink()
        emptied = False
        try:
            store = ox.Store(str(path))
        except (OSError, RuntimeError) as error:
            if not _LOG_DISAGREES.search(str(error)):
                raise _not_opened(path, error) from None
            for log in path.glob("*.log"):
                log.write_bytes(b"")
            store, emptied = _opened_again(path), True
        opened = cls(store, persistent=True)
        opened.logs_emptied = emptied
        return opened

    @classmethod
    def _opened_read_only(cls, path: Path) -> RdfStore:
        try:
            return cls(ox.Store.read_only(str(path)), persistent=True)
        except (OSError, RuntimeError) as error:
            if _LOG_DISAGREES.search(str(error)):
                raise StoreLocked(
                    f"the store in {path} was cut short: {error}",
                    code="replay_needed",
                    hint="open it once for writing",
                ) from None
            raise _not_opened(path, error) from None

    @property
    def raw(self) -> ox.Store:
        """The store itself; raises `StoreLocked` (code `closed`) after `close`."""
        if self._store is None:
            raise StoreLocked(
                "this knowledge base is closed", code="closed", hint="open it again to go on"
            )
        return self._store

    def check_open(self) -> None:
        """Refuse after `close` (`StoreLocked`, code `closed`)."""
        _ = self.raw

    def add(self, nquads: bytes) -> None:
        """
        Add quads, atomically; large texts take the bulk path.

        Terms were checked where they came in, and are not checked once more: that halves the
        parsing, and a write that the journal has recorded cannot fail for its syntax.
        """
        if self._persistent and len(nquads) >= BULK_BYTES:
            self.raw.bulk_load(nquads, ox.RdfFormat.N_QUADS, lenient=True)
        else:
            self.raw.load(nquads, ox.RdfFormat.N_QUADS, lenient=True)

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

    def value(self, node: str, predicate: str) -> str | None:
        """Return what one node of the record has for a predicate, as N-Triples text, None for nothing."""
        found = self.raw.quads_for_pattern(
            ox.NamedNode(node), ox.NamedNode(predicate), None, _DEFAULT
        )
        quad = next(iter(found), None)
        return None if quad is None else str(quad.object)

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

    def is_empty(self) -> bool:
        """Tell whether the store holds nothing at all."""
        return next(iter(self.raw), None) is None

    def __iter__(self) -> Iterator[ox.Quad]:
        return iter(self.raw)

    def __len__(self) -> int:
        return len(self.raw)


def _opened_again(path: Path) -> ox.Store:
    try:
        return ox.Store(str(path))
    except (OSError, RuntimeError) as error:
        raise _not_opened(path, error) from None


def _not_opened(path: Path, error: Exception) -> CorruptStore | ProcessingError:
    """Return the error for what the store said when it did not open."""
    said = str(error)
    if isinstance(error, OSError) and _LOCKED.search(said):
        return StoreLocked(f"{path} is open elsewhere: {said}", hint="close the other open first")
    if isinstance(error, OSError) and _REFUSED.search(said):
        return ProcessingError(
            f"the store in {path} does not open: {said}",
            code="not_writable",
            hint="nothing is lost: make room or give access, and open again",
        )
    return CorruptStore(
        f"the store in {path} does not open: {said}",
        hint="restore a backup; the journal beside it says what was on record",
    )
