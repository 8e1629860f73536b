"""
`srdf:present` as readers see it: which coordinate it stands for, and whether it may answer.

The graph holds the plain triples of facts without a user graph, believed and valid at one
coordinate; `srdf:present/<token>` those of another namespace. Only the writer moves it, in one
store update each time. A reader takes the standing, runs its query, and asks again: each move makes
a new standing, so that an equal answer means the query's snapshot lay between two moves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import pyoxigraph as ox

from semantica_rdf.model import vocab
from semantica_rdf.model.statement import DEFAULT_NAMESPACE
from semantica_rdf.model.time import instant_text
from semantica_rdf.view.coordinate import Coordinate

_Answer = TypeVar("_Answer")


def present_graph(namespace: str) -> str:
    """
    Return the IRI of the graph that holds a namespace's present.

    >>> present_graph("default")
    'https://w3id.org/semantica-rdf/ns#present'
    >>> present_graph("hr")
    'https://w3id.org/semantica-rdf/ns#present/hr'
    """
    if namespace == DEFAULT_NAMESPACE:
        return vocab.PRESENT_GRAPH
    return f"{vocab.PRESENT_GRAPH}/{namespace}"


class Standing(NamedTuple):
    """
    What the graphs stand for: the record up to a transaction, in valid time from one instant on.

    `recorded_at` is that transaction's; instants are microseconds since 1970 UTC, `next_boundary`
    the first at which something may begin or end, `OPEN_END` for never.
    """

    sequence: int
    recorded_at: int
    refreshed_for: int
    next_boundary: int


class Taken(NamedTuple):
    """A graph that may answer a coordinate, as long as its standing is the one taken."""

    graph: ox.NamedNode
    standing: Standing


class Present:
    """What `srdf:present` stands for now; thread-safe, moved by the writer alone."""

    def __init__(self) -> None:
        self._standing: Standing | None = None
        self._reason = "srdf:present was never brought; kb.refresh_present() brings it"

    @property
    def standing(self) -> Standing | None:
        """What the graphs stand for, None while they are moved and when nobody knows."""
        return self._standing

    def stand(self, standing: Standing) -> None:
        """Say what the graphs stand for from now on; the writer's, after its store update."""
        self._standing = standing

    def lift(self, reason: str) -> None:
        """Say that the graphs stand for nothing, and why; the writer's, before its store update."""
        self._reason = reason
        self._standing = None

    def usable(self, coordinate: Coordinate) -> Taken | None:
        """Return the graph that answers a coordinate, None when another way has to be taken."""
        standing = self._standing
        if standing is None or _obstacle(standing, coordinate):
            return None
        return Taken(ox.NamedNode(present_graph(coordinate.namespace)), standing)

    def holds(self, taken: Taken) -> bool:
        """Tell whether what was taken stood all the time: asked once the query has its snapshot."""
        return self._standing is taken.standing

    def answer(
        self, coordinate: Coordinate, ask: Callable[[ox.NamedNode], _Answer]
    ) -> _Answer | None:
        """
        Return what `ask` finds in the graph of a coordinate, None when the graph cannot answer.

        `ask` must take its snapshot of the store before it returns, as a store's query does.
        """
        taken = self.usable(coordinate)
        if taken is None:
            return None
        found = ask(taken.graph)
        return found if self.holds(taken) else None

    def obstacle(self, coordinate: Coordinate) -> str:
        """Return why the graph cannot answer a coordinate, as a sentence; empty when it can."""
        standing = self._standing
        return self._reason if standing is None else _obstacle(standing, coordinate)


def _obstacle(standing: Standing, coordinate: Coordinate) -> str:
    if coordinate.known_at < standing.recorded_at:
        return f"srdf:present knows what was recorded up to {instant_text(standing.recorded_at)}"
    if coordinate.known_at > standing.recorded_at:
        return (
            f"srdf:present lags behind, at transaction {standing.sequence}; "
            "kb.refresh_present() brings it"
        )
    if coordinate.valid_at < standing.refreshed_for:
        return f"srdf:present stands for instants from {instant_text(standing.refreshed_for)} on"
    if coordinate.valid_at >= standing.next_boundary:
        return (
            f"something begins or ends at {instant_text(standing.next_boundary)}, after srdf:present "
            "was brought; the next write or kb.refresh_present() brings it"
        )
    return ""


__all__ = ["Present", "Standing", "Taken", "present_graph"]
