"""
A view: the knowledge base as it was at one coordinate.

Ordinary SPARQL over a view sees plain triples; nothing written later changes what it answers.
The coordinate is taken once, when the view is made; nobody asks for "now" again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from semantica_rdf.errors import IntegrityError
from semantica_rdf.model.statement import FactKey, Statement
from semantica_rdf.model.terms import engine_term, iri_of, object_of
from semantica_rdf.model.time import datetime_of
from semantica_rdf.store.canonical import canonical_text
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.identity import Identity
from semantica_rdf.view.coordinate import Coordinate
from semantica_rdf.view.facts import Difference, Fact, believed_at
from semantica_rdf.view.frames import Facts
from semantica_rdf.view.materialise import (
    BlankNodes,
    MaterialisedViews,
    blank_nodes_restored,
    checked_blank_nodes,
    visible_quads,
)
from semantica_rdf.view.querying import answered
from semantica_rdf.view.results import Boolean, Solutions, Triples
from semantica_rdf.view.scan import scan
from semantica_rdf.view.statements import StatementReader

if TYPE_CHECKING:
    import rdflib


class View:
    """
    What held at `coordinate.valid_at`, as known at `coordinate.known_at`.

    Made by `KnowledgeBase.at`; thread-safe; stays answerable until the knowledge base closes.
    """

    def __init__(
        self,
        store: RdfStore,
        identity: Identity,
        coordinate: Coordinate,
        basis: int,
        prefixes: Mapping[str, str],
        kept: MaterialisedViews,
    ) -> None:
        self.coordinate = coordinate
        self._store = store
        self._identity = identity
        self._basis = basis
        self._prefixes = prefixes
        self._kept = kept

    def __repr__(self) -> str:
        return f"<View {self.coordinate.text}>"

    @property
    def basis(self) -> datetime:
        """When the last transaction on record as the view was made was recorded, aware UTC."""
        return datetime_of(self._basis)

    def query(
        self,
        sparql: str,
        *,
        bindings: Mapping[str, Any] | None = None,
        blank_nodes: BlankNodes = "skolem",
    ) -> Solutions | Boolean | Triples:
        """
        Answer a SELECT, ASK, CONSTRUCT or DESCRIBE over the plain triples of this view.

        The prefixes bound in the knowledge base are in scope. `bindings` gives variables (names
        without `?`) their terms. Opens no connection. Raises `QuerySyntaxError`, `QueryRefused`,
        `QueryError` (`unused_binding`).
        """
        checked_blank_nodes(blank_nodes)
        return answered(
            lambda: self._kept.store_at(self._store, self.coordinate, blank_nodes),
            sparql,
            prefixes=self._prefixes,
            bindings=bindings or {},
        )

    def facts(
        self,
        subject: Any = None,
        predicate: Any = None,
        object: Any = None,
        *,
        graph: Any = None,
    ) -> Facts:
        """
        Return the believed facts, each once, sorted; None matches anything.

        `graph` picks one user graph. The list has `to_arrow` and `to_pandas`. Raises as intake
        does for a term that is none.
        """
        wanted = None if graph is None else self._named(graph)
        found = []
        for statements in self._statements_by_fact(subject, predicate, object):
            fact = believed_at(statements, self.coordinate)
            if fact is not None and wanted in {None, fact.key.graph}:
                found.append(fact)
        return Facts(sorted(found, key=lambda fact: fact.key))

    def facts_of(self, quads: Iterable[ox.Quad]) -> Iterator[Fact]:
        """
        Yield the fact of each quad that holds here, in the order given, by one look-up each.

        Raises `IntegrityError` (`unsupported_row`) for a quad that no statement makes believed.
        """
        reader = StatementReader(self._store, self._identity)
        namespace = self.coordinate.namespace
        for quad in quads:
            name = quad.graph_name
            graph = "" if isinstance(name, ox.DefaultGraph) else str(name)
            triple = (str(quad.subject), str(quad.predicate), str(quad.object))
            key = FactKey(namespace, graph, *triple)
            fact = believed_at(reader.statements_of(key), self.coordinate)
            if fact is None:
                raise IntegrityError(
                    f"{key.triple} holds at {self.coordinate}, and no statement says so",
                    code="unsupported_row",
                    hint="run verify; export the view as RDF meanwhile",
                )
            yield fact

    def _named(self, graph: Any) -> str:
        return f"<{iri_of(graph, self._prefixes, where='graph')}>"

    def _statements_by_fact(
        self, subject: Any, predicate: Any, value: Any
    ) -> Iterator[list[Statement]]:
        if subject is None and predicate is None and value is None:
            yield from self._all_by_fact()
            return
        pattern = (
            None if subject is None else self._node(subject, "subject"),
            None if predicate is None else self._node(predicate, "predicate"),
            None if value is None else _stored_object(value, self._prefixes),
        )
        reader = StatementReader(self._store, self._identity)
        for fact in reader.facts_matching(self.coordinate.namespace, *pattern):
            yield reader.statements_of(fact)

    def _node(self, value: Any, where: str) -> ox.NamedNode:
        return ox.NamedNode(iri_of(value, self._prefixes, where=where))

    def _all_by_fact(self) -> Iterator[list[Statement]]:
        by_fact: dict[FactKey, list[Statement]] = {}
        for statement in scan(self._store, self._identity).statements():
            if statement.fact.namespace == self.coordinate.namespace:
                by_fact.setdefault(statement.fact, []).append(statement)
        yield from by_fact.values()

    def count(self) -> int:
        """Return how many facts hold, each counted once."""
        return len(self._kept.store_at(self._store, self.coordinate, "skolem"))

    def quads(self, *, blank_nodes: BlankNodes = "skolem") -> Iterator[ox.Quad]:
        """Return the triples that hold as pyoxigraph quads, user graphs as graph names."""
        checked_blank_nodes(blank_nodes)
        quads = visible_quads(self._store, self.coordinate)
        return blank_nodes_restored(quads) if blank_nodes == "restore" else quads

    def diff(self, other: View) -> Difference:
        """
        Return what changes from this view to `other`.

        `added` holds only there, `removed` only here; a fact that holds in both is in neither,
        whatever its window.
        """
        here = {fact.key: fact for fact in self.facts()}
        there = {fact.key: fact for fact in other.facts()}
        return Difference(
            added=tuple(fact for key, fact in there.items() if key not in here),
            removed=tuple(fact for key, fact in here.items() if key not in there),
        )

    def to_rdflib(self, *, blank_nodes: BlankNodes = "skolem") -> rdflib.Graph:
        """Return the view as an rdflib Graph, a Dataset where there are user graphs; prefixes bound."""
        from semantica_rdf.view.rdflib_graph import graph_of

        return graph_of(self.quads(blank_nodes=blank_nodes), self._prefixes)


def _stored_object(value: Any, prefixes: Mapping[str, str]) -> ox.NamedNode | ox.Literal:
    return engine_term(canonical_text(object_of(value, prefixes)))
