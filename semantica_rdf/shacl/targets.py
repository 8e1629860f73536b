"""
Targets: which nodes of the data a shape applies to.

A target enumerates its focus nodes, and tells for one node whether it is among them; the second
costs a few look-ups however large the data is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pyoxigraph as ox

from semantica_rdf.shacl import names
from semantica_rdf.shacl.data_graph import DataGraph
from semantica_rdf.shacl.names import SH, Node, Term, shown
from semantica_rdf.shacl.shapes_graph import ShapesGraph


@dataclass(frozen=True, slots=True)
class Target:
    """
    One target declaration: its predicate, as text, and its value.

    An implicit class target counts as `sh:targetClass` of the shape itself.
    """

    predicate: str
    value: Term

    def nodes(self, data: DataGraph) -> Iterable[Term]:
        """Return the focus nodes in the data; one may come several times."""
        return _NODES[self.predicate](data, self.value)

    def includes(self, data: DataGraph, node: Term) -> bool:
        """Tell whether a node is a focus node."""
        return _INCLUDES[self.predicate](data, self.value, node)


def read_targets(graph: ShapesGraph, shape: Node) -> tuple[Target, ...]:
    """
    Return the targets of a shape, that of a shape which is a class included.

    Raises `ValidationError` (`bad_shape`) for a value of the wrong kind.
    """
    found = []
    for predicate in sorted(names.TARGETS):
        for value in graph.objects(shape, predicate):
            if isinstance(value, ox.Triple | ox.BlankNode) or (
                predicate != _NODE and not isinstance(value, ox.NamedNode)
            ):
                raise graph.bad(shape, f"{shown(value)} is no {shown(ox.NamedNode(predicate))}")
            found.append(Target(predicate, value))
    implicit = isinstance(shape, ox.NamedNode) and graph.is_class(shape)
    if implicit and Target(_CLASS, shape) not in found:
        found.append(Target(_CLASS, shape))
    return tuple(found)


def is_instance(data: DataGraph, node: Term, class_: Term) -> bool:
    """Tell whether a node is of a class, or of a subclass that the data knows."""
    types = data.objects(node, names.RDF_TYPE)
    if class_ in types:
        return True
    seen = set(types)
    pending = list(types)
    for known in pending:
        for above in data.objects(known, names.RDFS_SUBCLASS_OF):
            if above == class_:
                return True
            if above not in seen:
                seen.add(above)
                pending.append(above)
    return False


def _instances(data: DataGraph, class_: Term) -> Iterable[Term]:
    seen = {class_}
    pending = [class_]
    for known in pending:
        yield from data.subjects(names.RDF_TYPE, known)
        for below in data.subjects(names.RDFS_SUBCLASS_OF, known):
            if below not in seen:
                seen.add(below)
                pending.append(below)


_NODE, _CLASS = SH + "targetNode", SH + "targetClass"
_SUBJECTS, _OBJECTS = SH + "targetSubjectsOf", SH + "targetObjectsOf"


def _text(predicate: Term) -> str:
    assert isinstance(predicate, ox.NamedNode)
    return predicate.value


_NODES: dict[str, Callable[[DataGraph, Term], Iterable[Term]]] = {
    _NODE: lambda _, value: (value,),
    _CLASS: _instances,
    _SUBJECTS: lambda data, value: data.subjects_of(_text(value)),
    _OBJECTS: lambda data, value: data.objects_of(_text(value)),
}
_INCLUDES: dict[str, Callable[[DataGraph, Term, Term], bool]] = {
    _NODE: lambda _, value, node: node == value,
    _CLASS: lambda data, value, node: is_instance(data, node, value),
    _SUBJECTS: lambda data, value, node: bool(data.objects(node, _text(value))),
    _OBJECTS: lambda data, value, node: bool(data.subjects(_text(value), node)),
}


__all__ = ["Target", "is_instance", "read_targets"]
