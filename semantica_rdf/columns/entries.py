"""
Entries: the nodes of the record, one number per column and node.

An entry is a statement, a belief row, or both in one node. Instants are microseconds since 1970
UTC, open bounds the least and the greatest int64; terms, graphs, namespaces and sources are
numbers of the dictionary, 0 for none.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from semantica_rdf.model import vocab

Numbers: TypeAlias = np.ndarray[Any, np.dtype[Any]]

ROW: Final = 1
STATEMENT: Final = 2
STANDING: Final = 12
"""The two bits of `kind` that hold a statement's standing, by its place in `vocab.STANDINGS`."""
BELIEVED_STATEMENT: Final = STATEMENT
"""What `kind & (STATEMENT | STANDING)` is for a statement that is believed."""


def node_number(sequence: int, ordinal: int) -> int:
    """Return a node's id as one number; numbers sort as nodes were written."""
    return sequence << 32 | ordinal


def node_parts(number: int) -> tuple[int, int]:
    """Return sequence and ordinal of a node's number."""
    return number >> 32, number & 0xFFFFFFFF


def kind_of(*, row: bool, standing: str | None) -> int:
    """Return an entry's kind; `standing` is None for what is no statement."""
    kind = ROW if row else 0
    return kind if standing is None else kind | STATEMENT | vocab.STANDINGS.index(standing) << 2


def standing_of(kind: int) -> str:
    """Return the standing of a statement's kind."""
    return vocab.STANDINGS[(kind & STANDING) >> 2]


class Entry(NamedTuple):
    """One entry, in the order of the columns."""

    node: int
    space: int
    graph: int
    subject: int
    predicate: int
    object: int
    start: int
    end: int
    recorded: int
    superseded: int
    source: int
    kind: int


DTYPES: Final[dict[str, Any]] = {
    "node": np.int64,
    "space": np.int32,
    "graph": np.int32,
    "subject": np.int32,
    "predicate": np.int32,
    "object": np.int32,
    "start": np.int64,
    "end": np.int64,
    "recorded": np.int64,
    "superseded": np.int64,
    "source": np.int32,
    "kind": np.uint8,
}
"""The type of each column, in the order of `Entry`."""


class Entries(NamedTuple):
    """Columns of equal length, sorted by node; shape (n,) each, typed as `DTYPES` says."""

    node: Numbers
    space: Numbers
    graph: Numbers
    subject: Numbers
    predicate: Numbers
    object: Numbers
    start: Numbers
    end: Numbers
    recorded: Numbers
    superseded: Numbers
    source: Numbers
    kind: Numbers

    def upto(self, length: int) -> Entries:
        """Return the first so many entries, as views of the same memory."""
        return Entries(*(column[:length] for column in self))


def entries_of(found: Iterable[Entry]) -> Entries:
    """Return entries as columns, sorted by node."""
    columns = list(zip(*sorted(found), strict=True)) or [()] * len(DTYPES)
    return Entries(
        *(
            np.array(column, dtype=dtype)
            for column, dtype in zip(columns, DTYPES.values(), strict=True)
        )
    )


__all__ = [
    "BELIEVED_STATEMENT",
    "DTYPES",
    "ROW",
    "STANDING",
    "STATEMENT",
    "Entries",
    "Entry",
    "Numbers",
    "entries_of",
    "kind_of",
    "node_number",
    "node_parts",
    "standing_of",
]
