"""
Property paths: read from a shapes graph, evaluated over data, written as text and as RDF.

A path is a predicate (`NamedNode`) or one of six frozen structures. Evaluation gives each node
once, as SHACL asks, also where SPARQL would count ways.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import pyoxigraph as ox

from semantica_rdf.shacl import names
from semantica_rdf.shacl.data_graph import DataGraph
from semantica_rdf.shacl.names import SH, Node, Term
from semantica_rdf.shacl.shapes_graph import ShapesGraph

MAX_DEPTH = 50
"""How deep paths may be nested in each other."""


class _Structure:
    """What the six structures have in common: their text."""

    __slots__ = ()

    def to_turtle(self) -> str:
        """Return the path as SPARQL writes it, its IRIs in full."""
        return path_text(self)  # type: ignore[arg-type]

    def __str__(self) -> str:
        return self.to_turtle()


@dataclass(frozen=True, slots=True)
class Inverse(_Structure):
    """The other way round."""

    path: Path


@dataclass(frozen=True, slots=True)
class Sequence(_Structure):
    """One after the other."""

    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Alternative(_Structure):
    """Any of them."""

    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class ZeroOrMore(_Structure):
    """Any number of times, the start included."""

    path: Path


@dataclass(frozen=True, slots=True)
class OneOrMore(_Structure):
    """At least once."""

    path: Path


@dataclass(frozen=True, slots=True)
class ZeroOrOne(_Structure):
    """Once or not at all."""

    path: Path


Path: TypeAlias = (
    ox.NamedNode | Inverse | Sequence | Alternative | ZeroOrMore | OneOrMore | ZeroOrOne
)
Evaluator: TypeAlias = Callable[[DataGraph, Term], Collection[Term]]

_WRAPPERS: dict[str, tuple[type[Inverse | ZeroOrMore | OneOrMore | ZeroOrOne], str]] = {
    SH + "inversePath": (Inverse, ""),
    SH + "zeroOrMorePath": (ZeroOrMore, "*"),
    SH + "oneOrMorePath": (OneOrMore, "+"),
    SH + "zeroOrOnePath": (ZeroOrOne, "?"),
}
_SUFFIX = {made: suffix for made, suffix in _WRAPPERS.values() if suffix}
_PREDICATE = {made: predicate for predicate, (made, _) in _WRAPPERS.items()}
_ALTERNATIVE = SH + "alternativePath"


def read_path(graph: ShapesGraph, shape: Node, node: Term, depth: int = 0) -> Path:
    """
    Return the path a node of the shapes graph stands for.

    Raises `ValidationError` (`bad_shape`) for what is no path by SHACL 2.3.1, for one that
    contains itself and for one nested more than `MAX_DEPTH` deep.
    """
    if isinstance(node, ox.NamedNode) and node.value != names.RDF_NIL:
        return node
    if not isinstance(node, ox.BlankNode):
        raise graph.bad(shape, f"{names.shown(node)} is no path")
    if depth > MAX_DEPTH:
        raise graph.bad(shape, f"its path is nested more than {MAX_DEPTH} deep, or holds itself")
    properties = graph.properties(node)
    if names.RDF_FIRST in properties or names.RDF_REST in properties:
        return Sequence(_read_list(graph, shape, node, depth))
    kinds = [name for name in (*_WRAPPERS, _ALTERNATIVE) if name in properties]
    if len(kinds) != 1 or len(properties[kinds[0]]) != 1:
        raise graph.bad(shape, "its path is no IRI, no list and none of SHACL's paths")
    value = properties[kinds[0]][0]
    if kinds[0] == _ALTERNATIVE:
        return Alternative(_read_list(graph, shape, value, depth))
    return _WRAPPERS[kinds[0]][0](read_path(graph, shape, value, depth + 1))


def _read_list(graph: ShapesGraph, shape: Node, head: Term, depth: int) -> tuple[Path, ...]:
    members = graph.members(shape, head, SH + "path")
    if len(members) < 2:
        raise graph.bad(shape, "a path of several has at least two members")
    return tuple(read_path(graph, shape, member, depth + 1) for member in members)


def path_text(path: Path) -> str:
    """
    Return a path as SPARQL writes it.

    >>> path_text(Sequence((Inverse(ox.NamedNode("urn:a")), ZeroOrMore(ox.NamedNode("urn:b")))))
    '^<urn:a>/<urn:b>*'
    """
    if isinstance(path, ox.NamedNode):
        return str(path)
    if isinstance(path, Sequence):
        return "/".join(_in_brackets(part) for part in path.paths)
    if isinstance(path, Alternative):
        return "|".join(_in_brackets(part) for part in path.paths)
    if isinstance(path, Inverse):
        return "^" + _in_brackets(path.path, also=(Inverse,))
    return _in_brackets(path.path, also=(Inverse,)) + _SUFFIX[type(path)]


def _in_brackets(path: Path, also: tuple[type, ...] = ()) -> str:
    text = path_text(path)
    bare = isinstance(path, ox.NamedNode | Inverse) and not isinstance(path, also)
    single = isinstance(path, ZeroOrMore | OneOrMore | ZeroOrOne) and not also
    return text if bare or single else f"({text})"


def path_triples(path: Path) -> tuple[Node, list[ox.Triple]]:
    """Return the node that stands for a path in RDF, and the triples that say what it is."""
    if isinstance(path, ox.NamedNode):
        return path, []
    triples: list[ox.Triple] = []
    if isinstance(path, Sequence):
        return _list_triples(path.paths, triples), triples
    node = ox.BlankNode()
    value: Node
    if isinstance(path, Alternative):
        predicate, value = _ALTERNATIVE, _list_triples(path.paths, triples)
    else:
        predicate = _PREDICATE[type(path)]
        value, triples = path_triples(path.path)
    return node, [ox.Triple(node, ox.NamedNode(predicate), value), *triples]


def _list_triples(paths: tuple[Path, ...], triples: list[ox.Triple]) -> Node:
    rest: Node = ox.NamedNode(names.RDF_NIL)
    for path in reversed(paths):
        member, inner = path_triples(path)
        cell = ox.BlankNode()
        triples += inner
        triples.append(ox.Triple(cell, ox.NamedNode(names.RDF_FIRST), member))
        triples.append(ox.Triple(cell, ox.NamedNode(names.RDF_REST), rest))
        rest = cell
    return rest


def predicates_of(path: Path) -> Iterator[str]:
    """Give the predicates of a path."""
    if isinstance(path, ox.NamedNode):
        yield path.value
    elif isinstance(path, Sequence | Alternative):
        for part in path.paths:
            yield from predicates_of(part)
    else:
        yield from predicates_of(path.path)


def evaluator(path: Path, *, inverse: bool = False) -> Evaluator:
    """
    Return the function that gives the nodes a path leads to from a node, each once.

    With `inverse` it gives the nodes from which the path leads to that node.
    """
    if isinstance(path, ox.NamedNode):
        return _backward(path.value) if inverse else _forward(path.value)
    if isinstance(path, Inverse):
        return evaluator(path.path, inverse=not inverse)
    if isinstance(path, Sequence):
        steps = [evaluator(part, inverse=inverse) for part in path.paths]
        return _chained(steps[::-1] if inverse else steps)
    if isinstance(path, Alternative):
        return _merged([evaluator(part, inverse=inverse) for part in path.paths])
    step = evaluator(path.path, inverse=inverse)
    if isinstance(path, ZeroOrOne):
        return lambda data, node: {node: None} | dict.fromkeys(step(data, node))
    if isinstance(path, ZeroOrMore):
        return lambda data, node: _closure(step, data, {node: None})
    return lambda data, node: _closure(step, data, dict.fromkeys(step(data, node)))


def _forward(predicate: str) -> Evaluator:
    return lambda data, node: data.objects(node, predicate)


def _backward(predicate: str) -> Evaluator:
    return lambda data, node: data.subjects(predicate, node)


def _chained(steps: list[Evaluator]) -> Evaluator:
    def _follow(data: DataGraph, node: Term) -> Collection[Term]:
        found: Collection[Term] = (node,)
        for step in steps:
            found = dict.fromkeys(reached for start in found for reached in step(data, start))
        return found

    return _follow


def _merged(branches: list[Evaluator]) -> Evaluator:
    def _follow(data: DataGraph, node: Term) -> Collection[Term]:
        return dict.fromkeys(reached for branch in branches for reached in branch(data, node))

    return _follow


def _closure(step: Evaluator, data: DataGraph, found: dict[Term, None]) -> Collection[Term]:
    pending = list(found)
    for node in pending:
        for reached in step(data, node):
            if reached not in found:
                found[reached] = None
                pending.append(reached)
    return found


__all__ = [
    "MAX_DEPTH",
    "Alternative",
    "Evaluator",
    "Inverse",
    "OneOrMore",
    "Path",
    "Sequence",
    "ZeroOrMore",
    "ZeroOrOne",
    "evaluator",
    "path_text",
    "path_triples",
    "predicates_of",
    "read_path",
]
