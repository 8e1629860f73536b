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
from semantica_rdf.model.statement import FactKey
from semantica_rdf.model.terms import engine_term
from semantica_rdf.model.time import datetime_of
from semantica_rdf.store.identity import NodeKey
from semantica_rdf.view.answering import Answering, Plan
from semantica_rdf.view.base import Base
from semantica_rdf.view.coordinate import Coordinate
from semantica_rdf.view.facts import Difference, Fact, believed_at
from semantica_rdf.view.frames import Facts
from semantica_rdf.view.materialise import (
    BlankNodes,
    blank_nodes_restored,
    checked_blank_nodes,
    materialised_at,
    quads_at,
)
from semantica_rdf.view.pattern import Pattern, pattern_of
from semantica_rdf.view.querying import asked
from semantica_rdf.view.results import Boolean, Solutions, Triples
from semantica_rdf.view.statements import StatementReader
from semantica_rdf.view.strategy import Strategy, checked_strategy

if TYPE_CHECKING:
    import rdflib


class View:
    """
    What held at `coordinate.valid_at`, as known at `coordinate.known_at`.

    Made by `KnowledgeBase.at`; thread-safe; stays answerable until the knowledge base closes.
    """

    def __init__(
        self,
        base: Base,
        coordinate: Coordinate,
        basis: int,
    ) -> None:
        self.coordinate = coordinate
        self._base = base
        self._basis = basis

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
        strategy: Strategy | None = None,
    ) -> Solutions | Boolean | Triples:
        """
        Answer a SELECT, ASK, CONSTRUCT or DESCRIBE over the plain triples of this view.

        The prefixes bound in the knowledge base are in scope. `bindings` gives variables (names
        without `?`) their terms. `strategy` is `present`, `rewrite` or `materialise`: ways to the
        same answer, of which simple rules choose one unless told; see `explain_plan`. Opens no
        connection. Raises `QuerySyntaxError`, `QueryRefused` (`strategy_not_applicable` among
        others), `QueryError` (`unused_binding`), `ValidationError` (`bad_strategy`,
        `bad_blank_nodes`).
        """
        forced = checked_strategy(strategy)
        return self._answering(sparql, bindings, blank_nodes).answer(forced)

    def explain_plan(
        self,
        sparql: str,
        *,
        bindings: Mapping[str, Any] | None = None,
        blank_nodes: BlankNodes = "skolem",
        strategy: Strategy | None = None,
    ) -> Plan:
        """Return how `query` would answer now, which rule says so, and the text the store would get."""
        forced = checked_strategy(strategy)
        return self._answering(sparql, bindings, blank_nodes).plan(forced)

    def _answering(
        self, sparql: str, bindings: Mapping[str, Any] | None, blank_nodes: BlankNodes
    ) -> Answering:
        checked_blank_nodes(blank_nodes)
        question = asked(sparql, prefixes=self._base.prefixes, bindings=bindings or {})
        return Answering(self._base, self.coordinate, question, blank_nodes)

    def facts(
        self,
        subject: Any = None,
        predicate: Any = None,
        object: Any = None,
        *,
        graph: Any = None,
    ) -> Facts:
        """
        Return the believed facts, each once, oldest first; None matches anything.

        `graph` picks one user graph. The facts have `to_arrow` and `to_pandas`. Raises as intake
        does for a term that is none.
        """
        pattern = pattern_of(self._base.prefixes, subject, predicate, object, graph)
        table = self._base.columns.near()
        if table is None:
            if pattern.subject is not None or pattern.object is not None:
                return self._facts_looked_up(pattern)
            table = self._base.columns.whole()
        from semantica_rdf.view.columnar import facts_at

        return facts_at(table, self.coordinate, pattern, self._base.identity)

    def _facts_looked_up(self, pattern: Pattern) -> Facts:
        """Return the facts of a pattern by look-ups in the store: quick where few match."""
        reader = StatementReader(self._base.store, self._base.identity)
        terms = (
            None if term is None else engine_term(term)
            for term in (pattern.subject, pattern.predicate, pattern.object)
        )
        found = []
        for key in reader.facts_matching(self.coordinate.namespace, *terms):
            if pattern.graph in {None, key.graph}:
                fact = believed_at(reader.statements_of(key), self.coordinate)
                if fact is not None:
                    found.append(fact)
        found.sort(key=self._oldest)
        return Facts(len(found), lambda: found)

    def _oldest(self, fact: Fact) -> NodeKey:
        key = self._base.identity.key(fact.statements[0])
        assert key is not None
        return key

    def facts_of(self, quads: Iterable[ox.Quad]) -> Iterator[Fact]:
        """
        Yield the fact of each quad that holds here, in the order given, by one look-up each.

        Raises `IntegrityError` (`unsupported_row`) for a quad that no statement makes believed.
        """
        reader = StatementReader(self._base.store, self._base.identity)
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

    def count(self) -> int:
        """Return how many facts hold, each counted once."""
        table = self._base.columns.for_scan()
        if table is None:
            return len(materialised_at(self._base, self.coordinate, "skolem"))
        at = self.coordinate
        return table.count(at.namespace, at.valid_at, at.known_at)

    def quads(self, *, blank_nodes: BlankNodes = "skolem") -> Iterator[ox.Quad]:
        """Return the triples that hold as pyoxigraph quads, user graphs as graph names."""
        checked_blank_nodes(blank_nodes)
        quads = quads_at(self._base, self.coordinate)
        return blank_nodes_restored(quads) if blank_nodes == "restore" else quads

    def diff(self, other: View) -> Difference:
        """
        Return what changes from this view to `other`.

        `added` holds only there, `removed` only here; a fact that holds in both is in neither,
        whatever its window.
        """
        if other._base is self._base:
            from semantica_rdf.view.columnar import difference_at

            table = self._base.columns.whole()
            return difference_at(table, self.coordinate, other.coordinate, self._base.identity)
        here = {fact.key: fact for fact in self.facts()}
        there = {fact.key: fact for fact in other.facts()}
        return Difference(
            added=tuple(fact for key, fact in there.items() if key not in here),
            removed=tuple(fact for key, fact in here.items() if key not in there),
        )

    def to_rdflib(self, *, blank_nodes: BlankNodes = "skolem") -> rdflib.Graph:
        """Return the view as an rdflib Graph, a Dataset where there are user graphs; prefixes bound."""
        from semantica_rdf.view.rdflib_graph import graph_of

        return graph_of(self.quads(blank_nodes=blank_nodes), self._base.prefixes)
