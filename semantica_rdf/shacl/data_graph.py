"""
The data a validation looks at: three look-ups, two enumerations and, for `sh:sparql`, a query.

Terms are kept as they came. An RDF store would rewrite literals on the way in (`01` to `1`, a
dateTimeStamp to a dateTime) and so hide what a constraint is there to find.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Protocol, TypeAlias, cast

import pyoxigraph as ox

from semantica_rdf.errors import SemanticaError
from semantica_rdf.model.terms import term_of_pyoxigraph
from semantica_rdf.shacl.names import Node, Term
from semantica_rdf.sparql.bindings import bind_variables
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.query_errors import mapped

Solution = Mapping[str, Term]
_Terms: TypeAlias = tuple[Term] | dict[Term, None]
"""Values without repetition: most properties have one."""


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
    """
    A graph in dictionaries; a triple that comes twice counts once.

    It is indexed by subject; by object only for the predicates that somebody asks that way.
    """

    def __init__(self, triples: Iterable[ox.Triple | ox.Quad] = ()) -> None:
        self._by_subject: dict[Term, dict[str, _Terms]] = {}
        self._by_object: dict[str, dict[Term, list[Term]]] = {}
        self._size = 0
        self._store: RdfStore | None = None
        for triple in triples:
            self._take(triple.subject, triple.predicate.value, triple.object)

    def _take(self, subject: Term, predicate: str, object_: Term) -> None:
        properties = self._by_subject.get(subject)
        if properties is None:
            properties = self._by_subject[subject] = {}
        objects = properties.get(predicate)
        if objects is None:
            properties[predicate] = (object_,)
        elif object_ in objects:
            return
        elif isinstance(objects, tuple):
            properties[predicate] = {objects[0]: None, object_: None}
        else:
            objects[object_] = None
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
        return self._objects_of(predicate).get(object_, ())

    def _objects_of(self, predicate: str) -> dict[Term, list[Term]]:
        """Return the subjects of each object of a predicate, indexed at the first call."""
        found = self._by_object.get(predicate)
        if found is None:
            found = {}
            for subject, properties in self._by_subject.items():
                for object_ in properties.get(predicate, ()):
                    found.setdefault(object_, []).append(subject)
            self._by_object[predicate] = found
        return found

    def outgoing(self, subject: Term, /) -> Iterable[tuple[str, Term]]:
        """Return predicate and object of every triple of a subject."""
        for predicate, objects in self._by_subject.get(subject, {}).items():
            for object_ in objects:
                yield predicate, object_

    def subjects_of(self, predicate: str, /) -> Iterable[Term]:
        """Return the subjects of every triple of a predicate."""
        for subjects in self._objects_of(predicate).values():
            yield from subjects

    def objects_of(self, predicate: str, /) -> Iterable[Term]:
        """Return the objects of a predicate."""
        return self._objects_of(predicate)

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
