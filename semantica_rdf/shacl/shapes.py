"""
Compiled shapes together: they find their focus nodes in the data and report what is wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from types import MappingProxyType

import pyoxigraph as ox

from semantica_rdf.shacl.data_graph import DataGraph
from semantica_rdf.shacl.names import Node, Term
from semantica_rdf.shacl.report import Report, Result
from semantica_rdf.shacl.shape import Shape
from semantica_rdf.shacl.sparql_constraints import Batch


@dataclass(frozen=True, slots=True, eq=False)
class Shapes:
    """
    The shapes of one graph, as `compile_shapes` returns them.

    `every` holds all of them, also the anonymous parts of others; `imports` the graphs that
    `owl:imports` names and that are not there.
    """

    name: str
    every: tuple[Shape, ...]
    referenced: Collection[Node]
    imports: tuple[str, ...]
    _targeted: tuple[Shape, ...] = field(init=False)

    def __post_init__(self) -> None:
        targeted = (shape for shape in self.every if shape.targets and not shape.deactivated)
        object.__setattr__(self, "_targeted", tuple(targeted))

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """The shapes with a name, a target, or nothing that refers to them, in order."""
        return tuple(
            shape
            for shape in self.every
            if shape.targets
            or isinstance(shape.node, ox.NamedNode)
            or shape.node not in self.referenced
        )

    @property
    def untargeted(self) -> tuple[Shape, ...]:
        """The shapes that can never be tried: no target, and no other shape refers to them."""
        return tuple(
            shape for shape in self.every if not shape.targets and shape.node not in self.referenced
        )

    @property
    def has_sparql(self) -> bool:
        """Whether checking any of the shapes asks the data a query."""
        return any(shape.has_sparql for shape in self.every)

    def validate(self, data: DataGraph) -> Report:
        """Return the report on every focus node of the data."""
        results: list[Result] = []
        counts: dict[Node, int] = {}
        for shape in self._targeted:
            nodes = dict.fromkeys(node for target in shape.targets for node in target.nodes(data))
            counts[shape.node] = len(nodes)
            seen = Batch(data, nodes) if shape.has_sparql else data
            for node in nodes:
                results += shape.check(seen, node)
        return Report(tuple(results), MappingProxyType(counts))

    def validate_nodes(self, data: DataGraph, nodes: Iterable[Term]) -> Report:
        """
        Return the report on some nodes, each under the shapes whose targets include it in the data.

        What it costs follows the number of nodes, not the size of the data.
        """
        results: list[Result] = []
        counts: dict[Node, int] = {}
        chosen = list(dict.fromkeys(nodes))
        for shape in self._targeted:
            meant = [
                node
                for node in chosen
                if any(target.includes(data, node) for target in shape.targets)
            ]
            counts[shape.node] = len(meant)
            seen = Batch(data, meant) if shape.has_sparql else data
            for node in meant:
                results += shape.check(seen, node)
        return Report(tuple(results), MappingProxyType(counts))


__all__ = ["Shapes"]
