"""
Counts of what a base holds.
"""

from __future__ import annotations

import stat
from dataclasses import dataclass
from pathlib import Path

from semantica_rdf.model import vocab
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.identity import Identity
from semantica_rdf.view.scan import scan


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Counts of what a base holds; sizes in bytes, 0 in memory."""

    transactions: int
    statements: int
    open_statements: int
    believed: int
    proposed: int
    disputed: int
    rejected: int
    belief_rows: int
    facts: int
    sources: int
    namespaces: int
    quads: int
    bytes_on_disk: int

    def to_dict(self) -> dict[str, int]:
        """Return the counts by name."""
        return {name: getattr(self, name) for name in self.__slots__}


def stats_of(store: RdfStore, identity: Identity, *, transactions: int, path: Path | None) -> Stats:
    """Return the counts of a store; reads the whole record once."""
    found = scan(store, identity)
    statements = list(found.statements())
    current = [item for item in statements if item.is_open]
    standings = dict.fromkeys(vocab.STANDINGS, 0)
    for item in current:
        standings[item.standing] += 1
    return Stats(
        transactions=transactions,
        statements=len(statements),
        open_statements=len(current),
        **standings,
        belief_rows=len(found.triples),
        facts=len({item.fact for item in statements}),
        sources=len({item.source for item in statements}),
        namespaces=len({item.fact.namespace for item in statements}),
        quads=len(store),
        bytes_on_disk=_bytes_below(path),
    )


def _bytes_below(path: Path | None) -> int:
    if path is None:
        return 0
    return sum(_size(item) for item in path.rglob("*"))


def _size(path: Path) -> int:
    """Return a file's bytes; 0 for one that the store has removed since it was listed."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0
