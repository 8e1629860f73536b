"""
Nodes given by their properties: the data graph of whatever is checked before it is stored.

A `DescriptionPlan` merges the property shapes of several shapes by predicate, so that a described
node costs one look-up for each property it has, and nothing for those it has not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import pyoxigraph as ox

from semantica_rdf.shacl.data_graph import Solution
from semantica_rdf.shacl.names import Term
from semantica_rdf.shacl.shape import (
    NO_LIMIT,
    REMEMBERED,
    Shape,
    ValueTest,
    is_worth_remembering,
)

Properties: TypeAlias = Mapping[str, tuple[Term, ...]]


class Described:
    """A few nodes by their properties, predicate IRI to values; `nodes` may be changed between checks."""

    def __init__(self, nodes: Mapping[Term, Properties]) -> None:
        self.nodes = dict(nodes)

    def objects(self, subject: Term, predicate: str, /) -> Collection[Term]:
        """Return the objects of a subject and predicate."""
        properties = self.nodes.get(subject)
        return () if properties is None else properties.get(predicate, ())

    def subjects(self, predicate: str, object_: Term, /) -> Collection[Term]:
        """Return the subjects of a predicate and object."""
        return [node for node, each in self.nodes.items() if object_ in each.get(predicate, ())]

    def outgoing(self, subject: Term, /) -> Collection[tuple[str, Term]]:
        """Return predicate and object of every triple of a subject."""
        properties = self.nodes.get(subject, {})
        return [(predicate, value) for predicate, values in properties.items() for value in values]

    def subjects_of(self, predicate: str, /) -> Collection[Term]:
        """Return the subjects of every triple of a predicate."""
        return [node for node, properties in self.nodes.items() if predicate in properties]

    def objects_of(self, predicate: str, /) -> Collection[Term]:
        """Return the objects of every triple of a predicate."""
        return [value for each in self.nodes.values() for value in each.get(predicate, ())]

    def solutions(self, query: str, bindings: Mapping[str, Term], /) -> Collection[Solution]:
        """Raise: what is only described has no store to ask."""
        raise AssertionError(query, bindings)


class _Planned(NamedTuple):
    """What all shapes together ask of one predicate; `asking` must be asked whole."""

    low: int
    high: int
    tests: tuple[ValueTest, ...]
    remembered: dict[tuple[Term, ...], bool] | None
    asking: tuple[tuple[Shape, str | None], ...]

    def fits(self, values: tuple[Term, ...]) -> bool:
        """Tell whether values meet what hangs on them alone."""
        if not self.low <= len(values) <= self.high:
            return False
        remembered = self.remembered
        if remembered is None:
            return self._passes(values)
        known = remembered.get(values)
        if known is None:
            known = self._passes(values)
            if all(is_worth_remembering(value) for value in values):
                if len(remembered) >= REMEMBERED:
                    remembered.clear()
                remembered[values] = known
        return known

    def _passes(self, values: tuple[Term, ...]) -> bool:
        for test in self.tests:
            for value in values:
                if not test(value):
                    return False
        return True


class DescriptionPlan:
    """The checks of several shapes for one described node, by predicate; targets are not asked."""

    def __init__(self, shapes: Sequence[Shape]) -> None:
        self._whole: list[Shape] = []
        found: dict[str, list[Shape]] = {}
        for shape in shapes:
            nested = [constraint.shape for constraint in shape.constraints]
            paths = [each.path if each is not None else None for each in nested]
            by_predicate = all(isinstance(path, ox.NamedNode) for path in paths)
            if shape.path is None and by_predicate and not any(map(_asks_of_none, nested)):
                for each, path in zip(nested, paths, strict=True):
                    if each is not None and isinstance(path, ox.NamedNode):
                        found.setdefault(path.value, []).append(each)
            else:
                self._whole.append(shape)
        self._by_predicate = {name: _planned(nested) for name, nested in found.items()}
        self._needed = frozenset(name for name, each in self._by_predicate.items() if each.low)

    def conforms(self, graph: Described, node: Term) -> bool:
        """Tell whether a described node conforms to all of the shapes."""
        properties = graph.nodes[node]
        if not self._needed <= properties.keys():
            return False
        by_predicate = self._by_predicate
        for predicate, values in properties.items():
            planned = by_predicate.get(predicate)
            if planned is None:
                continue
            if not planned.fits(values):
                return False
            for shape, needs in planned.asking:
                needed = needs is None or needs in properties
                if needed and not shape.conforms(graph, node):
                    return False
        return all(shape.conforms(graph, node) for shape in self._whole)

    def judges_alone(self, predicates: Iterable[str]) -> bool:
        """Tell whether each of these properties is judged by its own values and by nothing else."""
        planned = [self._by_predicate.get(predicate) for predicate in predicates]
        return not self._whole and not any(each is not None and each.asking for each in planned)

    def fits(self, properties: Properties) -> bool:
        """Tell whether the values of some properties, each alone, meet what hangs on them."""
        for predicate, values in properties.items():
            planned = self._by_predicate.get(predicate)
            if planned is not None and not planned.fits(values):
                return False
        return True


def _asks_of_none(shape: Shape | None) -> bool:
    """Tell whether a shape may break where there is no value, beyond counting them."""
    return shape is not None and any(
        constraint.whole is not None and constraint.needs is None
        for constraint in shape.constraints
    )


def _planned(shapes: Sequence[Shape]) -> _Planned:
    constraints = [constraint for shape in shapes for constraint in shape.constraints]
    limits = [constraint.limits for constraint in constraints if constraint.limits is not None]
    tested = [constraint for constraint in constraints if constraint.test is not None]
    asking = []
    for shape in shapes:
        others = [item for item in shape.constraints if item.each or item.whole]
        if others:
            needs = others[0].needs if len(others) == 1 else None
            asking.append((shape, needs))
    return _Planned(
        low=max((low for low, _ in limits), default=0),
        high=min((high for _, high in limits), default=NO_LIMIT),
        tests=tuple(constraint.test for constraint in tested if constraint.test is not None),
        remembered=None if all(constraint.cheap for constraint in tested) else {},
        asking=tuple(asking),
    )


__all__ = ["Described", "DescriptionPlan", "Properties"]
