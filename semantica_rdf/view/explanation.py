"""
Why a fact is believed at a coordinate, or why it is not.

The statements behind it, each with who said so, who recorded it, and what became of it. Pure
reading of the record as it stood at the coordinate: what was recorded later stands apart, so that
the rest of an explanation never changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from semantica_rdf.model.statement import FactKey, Statement
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.identity import Identity
from semantica_rdf.view.coordinate import Coordinate
from semantica_rdf.view.facts import Fact, believed_at
from semantica_rdf.view.statements import StatementReader
from semantica_rdf.view.transactions import Act, TransactionReader

Bearing: TypeAlias = Literal[
    "supports", "proposed", "disputed", "rejected", "starts_later", "ended", "superseded"
]
"""What a statement does for its fact at a coordinate: it supports it, or why it does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """
    One version of a claim of the fact, and what it does for it at the coordinate.

    `recorded` is the transaction that wrote it, `superseded` the one that closed it; `successor`
    is the version of the same claim that took its place, which may speak of another fact.
    """

    statement: Statement
    bearing: Bearing
    recorded: Act
    superseded: Act | None = None
    successor: Statement | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """
    Why a fact holds at a coordinate, or does not; true and false as the fact is.

    `belief` is the fact as the view has it, None where it does not hold. `statements` support it,
    `others` are on record and do not, each with its bearing; `instead` are the believed facts of
    the same graph, subject and predicate with another object. `later` was recorded after the
    coordinate's `known_at`: the one part that grows.
    """

    key: FactKey
    coordinate: Coordinate
    belief: Fact | None
    statements: tuple[Evidence, ...]
    others: tuple[Evidence, ...]
    instead: tuple[Fact, ...]
    later: tuple[Evidence, ...]

    @property
    def holds(self) -> bool:
        """Whether the fact is believed at the coordinate."""
        return self.belief is not None

    def __bool__(self) -> bool:
        return self.holds


def explained(
    key: FactKey, store: RdfStore, identity: Identity, coordinate: Coordinate
) -> Explanation:
    """Return why a fact holds at a coordinate or does not; of one never recorded, nothing."""
    return _Explaining(store, identity, coordinate).explained(key)


class _Explaining:
    """Reads what one explanation needs."""

    def __init__(self, store: RdfStore, identity: Identity, coordinate: Coordinate) -> None:
        self._coordinate = coordinate
        self._now = StatementReader(store, identity)
        self._then = StatementReader(store, identity, as_known=coordinate.known_at)
        self._transactions = TransactionReader(store, identity)

    def explained(self, key: FactKey) -> Explanation:
        known = self._then.statements_of(key)
        seen = {item.id for item in known}
        evidence = [self._evidence(item, self._then) for item in known]
        return Explanation(
            key=key,
            coordinate=self._coordinate,
            belief=believed_at(known, self._coordinate),
            statements=tuple(item for item in evidence if item.bearing == "supports"),
            others=tuple(item for item in evidence if item.bearing != "supports"),
            instead=tuple(self._instead(key)),
            later=tuple(
                self._evidence(item, self._now)
                for item in self._now.statements_of(key)
                if item.id not in seen
            ),
        )

    def _evidence(self, statement: Statement, reader: StatementReader) -> Evidence:
        closed_by = statement.superseded_by
        return Evidence(
            statement=statement,
            bearing=bearing_of(statement, self._coordinate.valid_at),
            recorded=self._transactions.act(statement.transaction),
            superseded=None if closed_by is None else self._transactions.act(closed_by),
            successor=None if closed_by is None else _successor(statement, reader),
        )

    def _instead(self, key: FactKey) -> list[Fact]:
        found = []
        for other in sorted(self._then.facts_like(key)):
            if other != key:
                fact = believed_at(self._then.statements_of(other), self._coordinate)
                found += [] if fact is None else [fact]
        return found


def bearing_of(statement: Statement, valid_at: int) -> Bearing:
    """
    Return what a statement, as it stood when it was read, does for its fact at an instant.

    Superseded comes before standing, standing before the window.
    """
    if not statement.is_open:
        return "superseded"
    if statement.standing != "believed":
        return _STANDINGS[statement.standing]
    if statement.window.start > valid_at:
        return "starts_later"
    return "supports" if valid_at < statement.window.end else "ended"


_STANDINGS: dict[str, Bearing] = {
    "proposed": "proposed",
    "disputed": "disputed",
    "rejected": "rejected",
}


def _successor(statement: Statement, reader: StatementReader) -> Statement | None:
    """Return the version of the same family that the closing transaction wrote, None when it wrote none."""
    versions: list[Any] = reader.family(statement.family)
    following = (item for item in versions if item.recorded_at == statement.superseded_at)
    return next(following, None)
