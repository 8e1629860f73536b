"""
A shapes graph as look-ups, and what stands in it that a compiler must not pass over.

Design: triples in dictionaries, terms as they came. `shape_nodes` finds the shapes by the four
conditions of SHACL 2.1: a node of type shape, one with a target, one with a parameter, one that a
parameter expects to be a shape. `refuse_unknown` looks at every term of the `sh:` namespace.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import pyoxigraph as ox

from semantica_rdf.errors import ValidationError
from semantica_rdf.shacl import names
from semantica_rdf.shacl.names import SH, Node, Term, shown
from semantica_rdf.shacl.refusing import malformed, unsupported

_NIL = ox.NamedNode(names.RDF_NIL)
_CLASSES = frozenset({ox.NamedNode(names.RDFS_CLASS), ox.NamedNode(names.OWL + "Class")})


class ShapesGraph:
    """The triples of one shapes graph, and the name that messages call it by."""

    def __init__(self, triples: Iterable[ox.Triple | ox.Quad], name: str) -> None:
        self.name = name
        self._objects: dict[Term, dict[str, list[Term]]] = {}
        self._subjects: dict[str, dict[Term, list[Term]]] = {}
        for triple in triples:
            subject, predicate, object_ = triple.subject, triple.predicate.value, triple.object
            objects = self._objects.setdefault(subject, {}).setdefault(predicate, [])
            if object_ not in objects:
                objects.append(object_)
                by_object = self._subjects.setdefault(predicate, {})
                by_object.setdefault(object_, []).append(subject)

    def __iter__(self) -> Iterator[tuple[Term, str, Term]]:
        for subject, properties in self._objects.items():
            for predicate, objects in properties.items():
                for object_ in objects:
                    yield subject, predicate, object_

    def properties(self, node: Term) -> dict[str, list[Term]]:
        """Return the objects of a node by predicate."""
        return self._objects.get(node, {})

    def objects(self, node: Term, predicate: str) -> list[Term]:
        """Return the objects of a node and predicate, in the order they came."""
        return self.properties(node).get(predicate, [])

    def subjects(self, predicate: str, value: Term) -> list[Term]:
        """Return the subjects of a predicate and object."""
        return self._subjects.get(predicate, {}).get(value, [])

    def pairs(self, predicate: str) -> Iterator[tuple[Term, Term]]:
        """Give subject and object of every triple of a predicate."""
        for value, subjects in self._subjects.get(predicate, {}).items():
            for subject in subjects:
                yield subject, value

    def bad(self, node: Term | None, what: str, *, hint: str | None = None) -> ValidationError:
        """Return the error for a node that is not well-formed (`bad_shape`)."""
        return malformed(self.name, node, what, hint=hint)

    def unsupported(
        self, node: Term | None, what: str, *, hint: str | None = None
    ) -> ValidationError:
        """Return the error for a node that uses what is not supported (`unsupported_shape`)."""
        return unsupported(self.name, node, what, hint=hint)

    def only(self, node: Term, predicate: str) -> Term | None:
        """Return the one object of a node and predicate, None without any (`bad_shape` for more)."""
        values = self.objects(node, predicate)
        if len(values) > 1:
            raise self.bad(node, f"{_short(predicate)} has {len(values)} values, and may have one")
        return values[0] if values else None

    def members(self, node: Term, head: Term, predicate: str) -> list[Term]:
        """
        Return the members of the list that is a value of `predicate` at a node.

        Raises `ValidationError` (`bad_shape`) when it is no list, or runs in a circle.
        """
        found: list[Term] = []
        seen: set[Term] = set()
        cell = head
        while cell != _NIL:
            first = self.objects(cell, names.RDF_FIRST)
            rest = self.objects(cell, names.RDF_REST)
            if cell in seen or len(first) != 1 or len(rest) != 1:
                raise self.bad(node, f"the value of {_short(predicate)} is no well-formed list")
            seen.add(cell)
            found.append(first[0])
            cell = rest[0]
        return found

    def instances(self, class_iri: str) -> set[Term]:
        """Return the instances of a class and of its subclasses in this graph."""
        classes: dict[Term, None] = {ox.NamedNode(class_iri): None}
        pending = list(classes)
        for class_ in pending:
            below = self.subjects(names.RDFS_SUBCLASS_OF, class_)
            pending += [subclass for subclass in below if subclass not in classes]
            classes.update(dict.fromkeys(below))
        return {node for class_ in classes for node in self.subjects(names.RDF_TYPE, class_)}

    def is_class(self, node: Term) -> bool:
        """Tell whether a node is a class here: of type `rdfs:Class`, `owl:Class`, or a subclass."""
        classes = dict.fromkeys(self.objects(node, names.RDF_TYPE))
        pending = list(classes)
        for class_ in pending:
            above = self.objects(class_, names.RDFS_SUBCLASS_OF)
            pending += [superclass for superclass in above if superclass not in classes]
            classes.update(dict.fromkeys(above))
        return not _CLASSES.isdisjoint(classes)

    def imports(self) -> tuple[str, ...]:
        """Return the graphs named by `owl:imports` of which nothing stands here, in order."""
        named = {value for _, value in self.pairs(names.OWL_IMPORTS)}
        missing = (value for value in named if value not in self._objects)
        return tuple(sorted(shown(value) for value in missing))


def shape_nodes(graph: ShapesGraph, parameters: Collection[str]) -> list[Node]:
    """
    Return the nodes that are shapes, IRIs first, each kind in order of its text.

    Raises `ValidationError` (`bad_shape`) where a literal stands for a shape.
    """
    found = graph.instances(names.NODE_SHAPE) | graph.instances(names.PROPERTY_SHAPE)
    for predicate in (*names.TARGETS, *parameters):
        found |= {subject for subject, _ in graph.pairs(predicate)}
    for predicate in sorted(names.ONE_SHAPE):
        found |= {value for _, value in graph.pairs(predicate)}
    for predicate in sorted(names.SHAPE_LISTS):
        for subject, head in graph.pairs(predicate):
            found |= set(graph.members(subject, head, predicate))
    return sorted((_node(graph, found_) for found_ in found), key=_order)


def _node(graph: ShapesGraph, term: Term) -> Node:
    if isinstance(term, ox.NamedNode | ox.BlankNode):
        return term
    raise graph.bad(None, f"{shown(term)} stands where a shape must, and is no node")


def _order(node: Node) -> tuple[bool, str]:
    return isinstance(node, ox.BlankNode), node.value


def refuse_unknown(
    graph: ShapesGraph, shapes: Collection[Term], parameters: Collection[str]
) -> None:
    """
    Refuse every term of the `sh:` namespace that is not known where it stands.

    What the vocabulary of SHACL says of its own terms, should it stand in the graph, is passed over.
    Raises `ValidationError` (`unsupported_shape`) naming the term and its subject.
    """
    of_shapes = names.TARGETS | names.DESCRIPTIONS | names.SETTINGS | frozenset(parameters)
    elsewhere = of_shapes | names.ELSEWHERE
    queries = {value for _, value in graph.pairs(SH + "sparql")}
    for subject, predicate, value in graph:
        if isinstance(subject, ox.NamedNode) and subject.value.startswith(SH):
            continue
        if predicate == names.RDF_TYPE and isinstance(value, ox.NamedNode):
            if value.value.startswith(SH) and value.value not in names.CLASSES:
                raise graph.unsupported(subject, f"is of type {shown(value)}")
        elif predicate.startswith(SH):
            if subject in shapes:
                known = of_shapes | (names.OF_QUERIES if subject in queries else frozenset())
            else:
                known = names.OF_QUERIES if subject in queries else elsewhere
            if predicate not in known:
                raise graph.unsupported(subject, f"uses {_short(predicate)}")


def _short(predicate: str) -> str:
    return shown(ox.NamedNode(predicate))


__all__ = ["ShapesGraph", "refuse_unknown", "shape_nodes"]
