"""
A small record in which every fact that holds stands among others that do not, and its oracle.

Decoys: facts of another namespace, of user graphs, that ended, that begin later, that were
recorded later, superseded, disputed, or fall together with a fact of another graph. The oracle is
told the same and never asks the store.
"""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

import pyoxigraph as ox
from oracle import PAST, STILL, Oracle, Refused

from semantica_rdf import Iri, KnowledgeBase, Literal
from semantica_rdf.errors import SemanticaError
from semantica_rdf.model import vocab
from semantica_rdf.model.statement import DEFAULT_NAMESPACE
from semantica_rdf.model.terms import engine_term
from semantica_rdf.model.time import instant_text
from semantica_rdf.sparql.front import Prepared, pieces_filled, prepared
from semantica_rdf.sparql.refusals import Refusal
from semantica_rdf.view.coordinate import Coordinate
from semantica_rdf.view.view import View

E = "http://e/"
PREFIXES = {"e": E}
NODES = [Iri(E + name) for name in ("a", "b", "p")]
BLANK = Iri(vocab.SKOLEM_BASE + "0f" * 16 + "b0")
LITERALS = [Literal("1", vocab.XSD + "integer"), Literal("x", vocab.RDF_LANGSTRING, "en")]
PREDICATES = [Iri(E + name) for name in ("p", "q", "r")]
GRAPHS = [None, None, Iri(E + "g"), Iri(E + "h")]
NAMESPACES = [DEFAULT_NAMESPACE, "other"]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FIRST_DAY = datetime(2026, 1, 1, tzinfo=UTC)
WINDOWS = [(None, None)] * 3 + [(0, 3), (2, None), (None, 4), (4, None), (3, 6)]
"""Days from the first one on; None is an open bound."""

TRANSACTIONS = 6


class Among:
    """A record, the oracle that was told the same, and views to ask."""

    def __init__(self, rng: random.Random, size: int) -> None:
        self.now = FIRST_DAY + timedelta(hours=6)
        self.kb = KnowledgeBase.memory(agent=E + "ann", source=E + "hr", clock=lambda: self.now)
        self.kb.prefixes.bind("e", E)
        self.oracle = Oracle()
        self.recorded: list[int] = []
        for _ in range(TRANSACTIONS):
            self._transact(rng, rng.choice([*NAMESPACES, DEFAULT_NAMESPACE]), size // TRANSACTIONS)
            self.now += timedelta(hours=12)
        self.store = self.kb.record._store.raw
        self.kb.refresh_present()

    def _transact(self, rng: random.Random, namespace: str, count: int) -> None:
        self.oracle.begin(namespace, _instant(self.now))
        with self.kb.transaction(namespace=namespace, reason="a test") as tx:
            for _ in range(count):
                _write(tx, self.oracle, namespace, rng)
        self.oracle.commit()
        self.recorded.append(self.oracle.last)

    def views(self) -> list[View]:
        """Return views now and at other coordinates, of each namespace."""
        found = []
        for namespace in NAMESPACES:
            found += [self.kb.at(namespace=namespace)] * 3
            for known in (self.recorded[1], self.recorded[3], self.recorded[-1]):
                found += [
                    self.kb.at(
                        valid_at=FIRST_DAY + timedelta(days=day, hours=12),
                        known_at=EPOCH + timedelta(microseconds=known),
                        namespace=namespace,
                    )
                    for day in (1, 3, 5)
                ]
        return found

    def quads(self, coordinate: Coordinate) -> list[ox.Quad]:
        """Return what the oracle says held at a coordinate."""
        return [
            _quad(fact)
            for fact in self.oracle.facts_at(
                coordinate.valid_at, coordinate.known_at, coordinate.namespace
            )
        ]

    def plain(self, coordinate: Coordinate, *, blank: bool = False) -> ox.Store:
        """Return a plain store of the oracle's triples, `blank` with real blank nodes."""
        made = ox.Store()
        quads = self.quads(coordinate)
        made.extend([_with_blank_nodes(quad) for quad in quads] if blank else quads)
        return made


@lru_cache(maxsize=64)
def record(seed: int, size: int = 90) -> Among:
    """Return the record of a seed: random facts, written in six transactions in two namespaces."""
    return Among(random.Random(seed), size)


def _write(tx, oracle: Oracle, namespace: str, rng: random.Random) -> None:
    triple = (
        rng.choice([*NODES, BLANK]),
        rng.choice(PREDICATES),
        rng.choice([*NODES, *NODES, *LITERALS, BLANK]),
    )
    graph = rng.choice(GRAPHS)
    start, end = (
        None if day is None else FIRST_DAY + timedelta(days=day) for day in rng.choice(WINDOWS)
    )
    source = E + f"source{rng.randrange(2)}"
    fact = (namespace, None if graph is None else graph.value, *triple)
    written = tx.assert_(*triple, graph=graph, valid_from=start, valid_until=end, source=source)
    known = oracle.assert_(
        fact,
        source,
        PAST if start is None else _instant(start),
        STILL if end is None else _instant(end),
    )
    done = rng.random()
    if done < 0.15:
        _both(lambda: tx.dispute(written), lambda: oracle.judge(("id", known), "disputed"))
    elif done < 0.3:
        _both(lambda: tx.withdraw(written), lambda: oracle.withdraw(("id", known)))


def _both(real, told) -> None:
    """Do the same in both, refused by both or by none."""
    outcomes = []
    for act in (real, told):
        try:
            act()
        except (SemanticaError, Refused) as error:
            outcomes.append(error.code)
        else:
            outcomes.append(None)
    assert outcomes[0] == outcomes[1]


def _instant(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)


def _quad(fact: tuple) -> ox.Quad:
    _, graph, *triple = fact
    name = ox.DefaultGraph() if graph is None else ox.NamedNode(graph)
    return ox.Quad(*(engine_term(term.ntriples) for term in triple), name)


def _with_blank_nodes(quad: ox.Quad) -> ox.Quad:
    blank = ox.NamedNode(BLANK.value)
    subject, value = (
        ox.BlankNode("b0") if term == blank else term for term in (quad.subject, quad.object)
    )
    return ox.Quad(subject, quad.predicate, value, quad.graph_name)


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


class Rows(NamedTuple):
    """The answer of a SELECT: its columns, and how often each row."""

    names: tuple[str, ...]
    rows: Counter


def answer(found):
    """Return an answer, the engine's or ours, in a form that can be compared."""
    if isinstance(found, ox.QueryBoolean):
        return bool(found)
    if isinstance(found, ox.QuerySolutions):
        names = tuple(variable.value for variable in found.variables)
        return Rows(names, Counter(tuple(_text(term) for term in row) for row in found))
    if isinstance(found, ox.QueryTriples):
        return {tuple(_text(term) for term in triple) for triple in found}
    if hasattr(found, "variables"):
        rows = (tuple(None if term is None else term.ntriples for term in row) for row in found)
        return Rows(found.variables, Counter(rows))
    if hasattr(found, "to_rdflib"):
        return {tuple(term.ntriples for term in triple) for triple in found}
    return bool(found)


def _text(term) -> str | None:
    if isinstance(term, ox.BlankNode):
        return BLANK.ntriples
    return None if term is None else str(term)


__all__ = ["PREFIXES", "Among", "E", "Rows", "answer", "holes", "prepared", "record", "rewritten"]
