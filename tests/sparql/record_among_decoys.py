"""
A small record in which every fact that holds stands among others that do not, and its queries.

Decoys: facts of another namespace, of user graphs, that ended, that begin later, that were
recorded later, superseded, disputed, or fall together with a fact of another graph.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import NamedTuple

import pyoxigraph as ox

from semantica_rdf import Iri, KnowledgeBase, Literal
from semantica_rdf.model import vocab
from semantica_rdf.model.statement import DEFAULT_NAMESPACE
from semantica_rdf.model.time import instant_text
from semantica_rdf.sparql.front import Prepared, pieces_filled, prepared
from semantica_rdf.sparql.refusals import Refusal
from semantica_rdf.view.coordinate import Coordinate
from semantica_rdf.view.materialise import visible_quads

E = "http://e/"
PREFIXES = {"e": E}
NODES = [Iri(E + name) for name in ("a", "b", "c", "p")]
BLANK = Iri(vocab.SKOLEM_BASE + "0f" * 16 + "b0")
LITERALS = [Literal("1", vocab.XSD + "integer"), Literal("x", vocab.RDF_LANGSTRING, "en")]
PREDICATES = [Iri(E + name) for name in ("p", "q", "r")]
GRAPHS = [None, None, Iri(E + "g"), Iri(E + "h")]
NAMESPACES = [DEFAULT_NAMESPACE, DEFAULT_NAMESPACE, "other"]
DAYS = [f"2026-01-{day:02}" for day in range(1, 8)]


class Among(NamedTuple):
    """A record, and coordinates to ask it at."""

    store: ox.Store
    coordinates: tuple[Coordinate, ...]

    def plain(self, coordinate: Coordinate) -> ox.Store:
        """Return a plain store of what holds at a coordinate."""
        from semantica_rdf.store.embedded import RdfStore

        made = ox.Store()
        made.extend(visible_quads(RdfStore(self.store, persistent=False), coordinate))
        return made


def record(rng, size=60) -> Among:
    """Return a record of random facts, written in six transactions in two namespaces."""
    times = iter(datetime(2026, 2, day, tzinfo=UTC) for day in range(1, 28))
    kb = KnowledgeBase.memory(agent=E + "ann", source=E + "hr", clock=lambda: next(times))
    coordinates = []
    for number in range(6):
        namespace = NAMESPACES[number % 3]
        with kb.transaction(namespace=namespace, reason="a test") as tx:
            for _ in range(size // 6):
                _write(tx, rng)
    for namespace in (DEFAULT_NAMESPACE, "other"):
        for known in (3, 5, 27):
            for day in (2, 4, 6):
                valid = datetime(2026, 1, day, 12, tzinfo=UTC)
                view = kb.at(
                    valid_at=valid,
                    known_at=datetime(2026, 2, known, tzinfo=UTC),
                    namespace=namespace,
                )
                coordinates.append(view.coordinate)
    return Among(kb._ledger.store.raw, tuple(coordinates))


def _write(tx, rng) -> None:
    fact = (
        rng.choice([*NODES, BLANK]),
        rng.choice(PREDICATES),
        rng.choice([*NODES, *NODES, *LITERALS, BLANK]),
    )
    graph = rng.choice(GRAPHS)
    window = rng.choice([(None, None)] * 3 + [(0, 3), (2, None), (None, 4), (4, None), (3, 6)])
    start, end = (None if day is None else DAYS[day] for day in window)
    done = rng.random()
    written = tx.assert_(
        *fact,
        graph=graph,
        valid_from=start,
        valid_until=end,
        source=E + f"source{rng.randrange(2)}",
    )
    if done < 0.15:
        tx.dispute(written)
    elif done < 0.3 and len(tx.statements(*fact, graph)) == 1:
        tx.withdraw(written)


def holes(coordinate: Coordinate, **bound: str) -> dict[str, str]:
    """Return what fills the holes of a rewritten query."""
    found = {
        "valid_at": _moment(coordinate.valid_at),
        "known_at": _moment(coordinate.known_at),
        "namespace": Literal(coordinate.namespace).ntriples,
    }
    return found | {f"bound:{name}": text for name, text in bound.items()}


def _moment(instant: int) -> str:
    return Literal(instant_text(instant), vocab.XSD_DATETIME).ntriples


def rewritten(query: Prepared, coordinate: Coordinate, **bound: str) -> str | Refusal:
    """Return a query filled for a coordinate, or why it is not rewritten."""
    pieces = query.as_of(default_namespace=coordinate.namespace == DEFAULT_NAMESPACE)
    if isinstance(pieces, Refusal):
        return pieces
    return pieces_filled(pieces, holes(coordinate, **bound))


def answer(store: ox.Store, text: str, prefixes=None):
    """Return the answer of a query in a form that can be compared: names, then a multiset."""
    found = store.query(text, prefixes=prefixes)
    if isinstance(found, ox.QuerySolutions):
        names = [variable.value for variable in found.variables]
        return names, Counter(tuple(map(str, row)) for row in found)
    if isinstance(found, ox.QueryBoolean):
        return bool(found)
    return Counter(str(triple) for triple in found)


__all__ = ["PREFIXES", "Among", "answer", "holes", "prepared", "record", "rewritten"]
