"""
From a shapes graph to checks: the one place where shapes are read, ordered and put together.

Input: triples. Output: `Shapes`. A shape is compiled after those it refers to, so that checks call
each other directly; shapes that refer to themselves have no such order and are refused. Everything
unknown is refused before anything is compiled.
"""

from __future__ import annotations

from collections.abc import Iterable

import pyoxigraph as ox

from semantica_rdf.model.vocab import RDF_LANGSTRING, XSD, XSD_STRING
from semantica_rdf.shacl import names
from semantica_rdf.shacl.components import COMPANIONS, COMPONENTS, PARAMETERS
from semantica_rdf.shacl.context import Context
from semantica_rdf.shacl.names import SH, Node, Term, shown
from semantica_rdf.shacl.paths import Path, read_path
from semantica_rdf.shacl.shape import Constraint, Shape, checks_of
from semantica_rdf.shacl.shapes import Shapes
from semantica_rdf.shacl.shapes_graph import ShapesGraph, refuse_unknown, shape_nodes
from semantica_rdf.shacl.targets import read_targets

MAX_NESTING = 50
"""How deep shapes may refer to each other."""


def compile_shapes(
    quads: Iterable[ox.Triple | ox.Quad],
    name: str = "the shapes graph",
    *,
    skolem_is_blank: bool = False,
) -> Shapes:
    """
    Return the shapes of a graph, ready to check data; `name` is what messages call the graph.

    Graph names are ignored, blank nodes allowed. With `skolem_is_blank` the IRIs that stand for
    blank nodes in a base count as blank nodes. Everything in SHACL Core is compiled, and
    `sh:sparql` with `sh:select`. Nothing is fetched: of graphs named by `owl:imports`, those that
    are not there are listed in `Shapes.imports`.

    Raises `ValidationError`: `unsupported_shape` for anything else of SHACL and for shapes that
    refer to themselves, `bad_shape` for what is not well-formed and for a graph without a shape.
    """
    graph = ShapesGraph(quads, name)
    nodes = shape_nodes(graph, sorted(PARAMETERS))
    refuse_unknown(graph, frozenset(nodes), PARAMETERS)
    if not nodes:
        raise graph.bad(None, "holds no shape", hint="is it the right graph?")
    compiler = _Compiler(graph, skolem_is_blank=skolem_is_blank)
    shapes = [compiler.shape_of(node) for node in nodes]
    return Shapes(name, tuple(shapes), frozenset(compiler.referenced), graph.imports())


class _Compiler:
    """Compiles the shapes of one graph, each once."""

    def __init__(self, graph: ShapesGraph, *, skolem_is_blank: bool) -> None:
        self._graph = graph
        self._skolem_is_blank = skolem_is_blank
        self._done: dict[Term, Shape] = {}
        self._under_way: list[Term] = []
        self.referenced: set[Node] = set()

    def shape_of(self, node: Term) -> Shape:
        """Return a shape, compiling it when it is the first to ask."""
        if self._under_way and isinstance(node, ox.NamedNode | ox.BlankNode):
            self.referenced.add(node)
        done = self._done.get(node)
        if done is not None:
            return done
        if not isinstance(node, ox.NamedNode | ox.BlankNode):
            raise self._graph.bad(None, f"{shown(node)} stands where a shape must")
        if isinstance(node, ox.NamedNode) and not self._graph.properties(node):
            raise self._graph.bad(node, "is referred to as a shape, and nothing is said of it here")
        if node in self._under_way:
            raise self._graph.unsupported(
                node, "refers to itself", hint="take the circle apart; SHACL leaves it undefined"
            )
        if len(self._under_way) >= MAX_NESTING:
            raise self._graph.unsupported(node, f"shapes are nested more than {MAX_NESTING} deep")
        self._under_way.append(node)
        shape = self._compiled(node)
        self._under_way.pop()
        self._done[node] = shape
        return shape

    def _compiled(self, node: Node) -> Shape:
        path = self._path(node)
        severity = self._severity(node)
        messages = self._messages(node)
        deactivated = self._is_deactivated(node)
        context = Context(
            self._graph, node, path, severity, messages, self.shape_of, self._skolem_is_blank
        )
        constraints = tuple(self._constraints(context))
        if deactivated:
            constraints = ()
        conforms, values, test = checks_of(path, constraints)
        return Shape(
            node=node,
            path=path,
            targets=read_targets(self._graph, node),
            severity=severity,
            message_literals=messages,
            deactivated=deactivated,
            constraints=constraints,
            conforms=conforms,
            values=values,
            test=test,
            has_sparql=any(constraint.has_sparql for constraint in constraints),
        )

    def _path(self, node: Node) -> Path | None:
        """Return the path of a property shape, None for a node shape."""
        value = self._graph.only(node, SH + "path")
        types = self._graph.objects(node, names.RDF_TYPE)
        if value is None:
            if ox.NamedNode(names.PROPERTY_SHAPE) in types:
                raise self._graph.bad(node, "a property shape without sh:path")
            return None
        if ox.NamedNode(names.NODE_SHAPE) in types:
            raise self._graph.bad(node, "a node shape with sh:path")
        return read_path(self._graph, node, value)

    def _severity(self, node: Node) -> str:
        value = self._graph.only(node, SH + "severity")
        if value is None:
            return names.VIOLATION
        if isinstance(value, ox.NamedNode):
            return value.value
        raise self._graph.bad(node, f"its severity {shown(value)} is no IRI")

    def _messages(self, node: Node) -> tuple[ox.Literal, ...]:
        found: list[ox.Literal] = []
        for value in self._graph.objects(node, SH + "message"):
            if not isinstance(value, ox.Literal) or value.datatype.value not in _TEXTS:
                raise self._graph.bad(node, f"its message {shown(value)} is no text")
            found.append(value)
        return tuple(found)

    def _is_deactivated(self, node: Node) -> bool:
        value = self._graph.only(node, SH + "deactivated")
        if value is None:
            return False
        if isinstance(value, ox.Literal) and value.datatype.value == _BOOLEAN:
            return value.value == "true"
        raise self._graph.bad(node, f"sh:deactivated {shown(value)} is no boolean")

    def _constraints(self, context: Context) -> Iterable[Constraint]:
        properties = self._graph.properties(context.node)
        for companion, leader in COMPANIONS.items():
            if companion in properties and leader not in properties:
                raise context.bad(f"{_short(companion)} says nothing without {_short(leader)}")
        for parameter, component in COMPONENTS.items():
            values = properties.get(parameter, [])
            if component.single and len(values) > 1:
                raise context.bad(f"{_short(parameter)} has {len(values)} values, and may have one")
            if values and context.path is None and not component.anywhere:
                raise context.bad(f"{_short(parameter)} may only stand on a property shape")
            for value in values:
                made = component.compile(context, value)
                if isinstance(made, list):
                    yield from made
                elif made is not None:
                    yield made


_TEXTS = frozenset({XSD_STRING, RDF_LANGSTRING})
_BOOLEAN = XSD + "boolean"


def _short(parameter: str) -> str:
    return shown(ox.NamedNode(parameter))


__all__ = ["MAX_NESTING", "compile_shapes"]
