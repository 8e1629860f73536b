"""
The data a validation looks at: three look-ups, two enumerations and, for `sh:sparql`, a query.

Terms are kept as they came. An RDF store would rewrite literals on the way in (`01` to `1`, a
dateTimeStamp to a dateTime) and so hide what a constraint is there to find.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Protocol, cast

import pyoxigraph as ox

from semantica_rdf.errors import SemanticaError
from semantica_rdf.model.terms import term_of_pyoxigraph
from semantica_rdf.shacl.names import Node, Term
from semantica_rdf.store.bindings import bind_variables
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.query_errors import mapped

Solution = Mapping[str, Term]


class DataGraph(Protocol):
    """
    What a validation asks of the data: one graph, as a set of triples.

    Predicates are IRIs as text, everything else is a pyoxigraph term. A collection holds no term
    twice.
    """

    def objects(self, subject: Term, predicate: str, /) -> Collection[Term]:
        """Return the objects of a subject and predicate."""
        ...

    def subjects(self, predicate: str, object_: Term, /) -> Collection[Term]:
        """Return the subjects of a predicate and object."""
        ...

    def outgoing(self, subject: Term, /) -> Iterable[tuple[str, Term]]:
        """Return predicate and object of every triple of a subject."""
        ...

    def subjects_of(self, predicate: str, /) -> Iterable[Term]:
        """Return the subjects of every triple of a predicate; one may come several times."""
        ...

    def objects_of(self, predicate: str, /) -> Iterable[Term]:
        """Return the objects of every triple of a predicate; one may come several times."""
        ...

    def solutions(self, query: str, bindings: Mapping[str, Term], /) -> Iterable[Solution]:
        """
        Return the solutions of a SELECT, some variables bound before it runs.

        Called for `sh:sparql` only. A variable without a value is left out of its solution.
        """
        ...


class MemoryGraph:
    """A graph in dictionaries; a triple that comes twice counts once."""

    def __init__(self, triples: Iterable[ox.Triple | ox.Quad] = ()) -> None:
        self._by_subject: dict[Term, dict[str, dict[Term, None]]] = {}
        self._by_predicate: dict[str, dict[Term, dict[Term, None]]] = {}
        self._size = 0
        self._store: RdfStore | None = None
        for triple in triples:
            self._take(triple.subject, triple.predicate.value, triple.object)

    def _take(self, subject: Term, predicate: str, object_: Term) -> None:
        objects = self._by_subject.setdefault(subject, {}).setdefault(predicate, {})
        if object_ not in objects:
            objects[object_] = None
            self._by_predicate.setdefault(predicate, {}).setdefault(object_, {})[subject] = None
            self._size += 1

    @classmethod
    def of_graph(
        cls, quads: Iterable[ox.Quad], graph: ox.NamedNode | ox.BlankNode | ox.DefaultGraph
    ) -> MemoryGraph:
        """Return one graph of a dataset; building one from all quads takes the union instead."""
        return cls(quad for quad in quads if quad.graph_name == graph)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[ox.Triple]:
        for subject, properties in self._by_subject.items():
            for predicate, objects in properties.items():
                for object_ in objects:
                    yield ox.Triple(cast("Node", subject), ox.NamedNode(predicate), object_)

    def objects(self, subject: Term, predicate: str, /) -> Collection[Term]:
        """Return the objects of a subject and predicate."""
        properties = self._by_subject.get(subject)
        return () if properties is None else properties.get(predicate, ())

    def subjects(self, predicate: str, object_: Term, /) -> Collection[Term]:
        """Return the subjects of a predicate and object."""
        objects = self._by_predicate.get(predicate)
        return () if objects is None else objects.get(object_, ())

    def outgoing(self, subject: Term, /) -> Iterable[tuple[str, Term]]:
        """Return predicate and object of every triple of a subject."""
        for predicate, objects in self._by_subject.get(subject, {}).items():
            for object_ in objects:
                yield predicate, object_

    def subjects_of(self, predicate: str, /) -> Iterable[Term]:
        """Return the subjects of every triple of a predicate."""
        for subjects in self._by_predicate.get(predicate, {}).values():
            yield from subjects

    def objects_of(self, predicate: str, /) -> Iterable[Term]:
        """Return the objects of a predicate."""
        return self._by_predicate.get(predicate, {})

    def solutions(self, query: str, bindings: Mapping[str, Term], /) -> Iterable[Solution]:
        """
        Return the solutions of a SELECT over a store that is filled at the first call.

        The store rewrites literals: a query sees `01` as `1`. Raises `QueryError`, `QueryRefused`
        (`binding_blank_node`, `binding_kind`) for a value that cannot be bound.
        """
        return solutions_in(self._filled(), query, bindings)

    def _filled(self) -> RdfStore:
        if self._store is None:
            store = RdfStore.memory()
            store.raw.extend(ox.Quad(*triple) for triple in self)
            self._store = store
        return self._store


def solutions_in(store: RdfStore, query: str, bindings: Mapping[str, Term]) -> Iterable[Solution]:
    """
    Return the solutions of a SELECT over a store, some variables bound before it runs.

    Raises `QueryError`, `QueryRefused` (`binding_blank_node`, `binding_kind`).
    """
    text = query
    if bindings:
        values = {name: term_of_pyoxigraph(value) for name, value in bindings.items()}
        text = bind_variables(query, values)
    try:
        found = cast("ox.QuerySolutions", store.raw.query(text))
        names = [variable.value for variable in found.variables]
        return [_solution(names, row) for row in found]
    except (SyntaxError, ValueError, RuntimeError, OSError) as error:
        raise _failed(error, query) from None


def _solution(names: list[str], row: ox.QuerySolution) -> Solution:
    values = ((name, row[name]) for name in names)
    return {name: value for name, value in values if value is not None}


def _failed(error: Exception, query: str) -> SemanticaError:
    return mapped(error, query)


__all__ = ["DataGraph", "MemoryGraph", "Solution", "solutions_in"]
