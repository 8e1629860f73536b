"""
Counts of what a base holds.
"""

from __future__ import annotations

import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from semantica_rdf.model import vocab
from semantica_rdf.model.statement import Row as BeliefRow
from semantica_rdf.model.statement import Statement
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.identity import Identity
from semantica_rdf.view.coordinate import asked_instant
from semantica_rdf.view.scan import Scan, scan
from semantica_rdf.view.transactions import Act, TransactionReader


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


class Reach(NamedTuple):
    """
    What is counted: what holds at an instant, what was known at one, one namespace; None is all.

    Instants are microseconds since 1970 UTC.
    """

    valid_at: int | None = None
    known_at: int | None = None
    namespace: str | None = None

    @classmethod
    def of(cls, valid_at: Any, known_at: Any, namespace: str | None) -> Reach:
        """Return the reach of instants as given; raises `TemporalValidationError`."""
        valid, known = asked_instant(valid_at, "valid_at"), asked_instant(known_at, "known_at")
        return cls(valid, known, namespace)

    def reaches(self, item: Statement | BeliefRow) -> bool:
        """Tell whether a statement or belief row is counted."""
        return (
            self.namespace in {None, item.fact.namespace}
            and (self.known_at is None or item.recorded_at <= self.known_at)
            and (self.valid_at is None or item.window.holds_at(self.valid_at))
        )

    def is_open(self, item: Statement | BeliefRow) -> bool:
        """Tell whether nothing known had superseded it."""
        return item.is_open if self.known_at is None else self.known_at < item.superseded_at

    def reaches_act(self, act: Act) -> bool:
        """Tell whether a transaction is counted; when what it wrote holds does not matter."""
        return self.namespace in {None, act.namespace} and (
            self.known_at is None or act.recorded_instant <= self.known_at
        )


def stats_of(
    store: RdfStore,
    identity: Identity,
    *,
    transactions: int,
    path: Path | None,
    reach: Reach,
) -> Stats:
    """
    Return the counts of a store, or of what `reach` picks of it; reads the whole record once.

    Quads and bytes are those of the whole base whatever the reach.
    """
    found = scan(store, identity)
    statements = [item for item in found.statements() if reach.reaches(item)]
    current = [item for item in statements if reach.is_open(item)]
    standings = dict.fromkeys(vocab.STANDINGS, 0)
    for item in current:
        standings[item.standing] += 1
    return Stats(
        transactions=_acts(store, identity, transactions, reach),
        statements=len(statements),
        open_statements=len(current),
        **standings,
        belief_rows=len(found.triples) if reach == Reach() else _rows(found, reach),
        facts=len({item.fact for item in statements}),
        sources=len({item.source for item in statements}),
        namespaces=len({item.fact.namespace for item in statements}),
        quads=len(store),
        bytes_on_disk=_bytes_below(path),
    )


def _acts(store: RdfStore, identity: Identity, last: int, reach: Reach) -> int:
    if reach.known_at is None and reach.namespace is None:
        return last
    reader = TransactionReader(store, identity)
    acts = (reader.act(identity.iri(sequence, 0)) for sequence in range(1, last + 1))
    return sum(reach.reaches_act(act) for act in acts)


def _rows(found: Scan, reach: Reach) -> int:
    return sum(reach.reaches(row) for row in found.reading().rows)


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
