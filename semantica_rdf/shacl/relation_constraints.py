"""
Constraints that look at the data around a value: classes, other properties, closed nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

import pyoxigraph as ox

from semantica_rdf.shacl.comparing import compare, value_of
from semantica_rdf.shacl.context import Context, of_data
from semantica_rdf.shacl.data_graph import DataGraph
from semantica_rdf.shacl.names import SH, Term, shown
from semantica_rdf.shacl.report import Result
from semantica_rdf.shacl.shape import Constraint
from semantica_rdf.shacl.targets import is_instance


def of_class(context: Context, value: Term) -> Constraint:
    """Compile `sh:class`: of that class, or of a subclass that the data knows."""
    context.iri("class", value)

    def _each(data: DataGraph, term: Term) -> bool:
        return not isinstance(term, ox.Literal) and is_instance(data, term, value)

    component = SH + "ClassConstraintComponent"
    return of_data(context, component, _each, f"not of class {shown(value)}")


def equals(context: Context, value: Term) -> Constraint:
    """Compile `sh:equals`: one result for each value that only one of the two has."""
    predicate = context.iri("equals", value)
    component = SH + "EqualsConstraintComponent"

    def _differing(data: DataGraph, focus: Term, values: Collection[Term]) -> list[Term]:
        others = data.objects(focus, predicate)
        mine = [term for term in values if term not in others]
        return mine + [term for term in others if term not in values]

    def _holds(data: DataGraph, focus: Term, values: Collection[Term]) -> bool:
        return not _differing(data, focus, values)

    def _results(data: DataGraph, focus: Term, values: Collection[Term]) -> Iterator[Result]:
        text = f"not the same values as {shown(value)}"
        for term in _differing(data, focus, values):
            yield context.result(component, focus, text, value=term)

    return Constraint(component, _results, whole=_holds)


def disjoint(context: Context, value: Term) -> Constraint:
    """Compile `sh:disjoint`."""
    predicate = context.iri("disjoint", value)
    component = SH + "DisjointConstraintComponent"

    def _shared(data: DataGraph, focus: Term, values: Collection[Term]) -> list[Term]:
        others = data.objects(focus, predicate)
        return [term for term in values if term in others]

    def _holds(data: DataGraph, focus: Term, values: Collection[Term]) -> bool:
        return not _shared(data, focus, values)

    def _results(data: DataGraph, focus: Term, values: Collection[Term]) -> Iterator[Result]:
        for term in _shared(data, focus, values):
            yield context.result(component, focus, f"also a value of {shown(value)}", value=term)

    return Constraint(component, _results, whole=_holds)


def less(
    parameter: str, word: str, accepted: tuple[int, ...]
) -> Callable[[Context, Term], Constraint]:
    """Return the compiler of `sh:lessThan` or `sh:lessThanOrEquals`: one result for each bad pair."""
    component = SH + parameter[0].upper() + parameter[1:] + "ConstraintComponent"

    def _compiled(context: Context, value: Term) -> Constraint:
        predicate = context.iri(parameter, value)

        def _offending(data: DataGraph, focus: Term, values: Collection[Term]) -> Iterator[Term]:
            others = data.objects(focus, predicate)
            if not others:
                return
            limits = [value_of(other) for other in others]
            for term in values:
                mine = value_of(term)
                for limit in limits:
                    if compare(mine, limit) not in accepted:
                        yield term

        def _holds(data: DataGraph, focus: Term, values: Collection[Term]) -> bool:
            return next(_offending(data, focus, values), None) is None

        def _results(data: DataGraph, focus: Term, values: Collection[Term]) -> Iterator[Result]:
            for term in _offending(data, focus, values):
                text = f"not {word} the value of {shown(value)}"
                yield context.result(component, focus, text, value=term)

        return Constraint(component, _results, whole=_holds, needs=predicate)

    return _compiled


def closed(context: Context, value: Term) -> Constraint | None:
    """Compile `sh:closed` with its `sh:ignoredProperties`: the result's path is the predicate."""
    if not context.flag("closed", value):
        return None
    component = SH + "ClosedConstraintComponent"
    allowed = _listed(context) | _ignored(context)

    def _each(data: DataGraph, term: Term) -> bool:
        return all(predicate in allowed for predicate, _ in data.outgoing(term))

    def _results(data: DataGraph, focus: Term, values: Collection[Term]) -> Iterator[Result]:
        for term in values:
            for predicate, object_ in data.outgoing(term):
                if predicate not in allowed:
                    path = ox.NamedNode(predicate)
                    text = f"{shown(path)} is not among the properties of a closed shape"
                    yield context.result(component, focus, text, value=object_, path=path)

    return Constraint(component, _results, each=_each)


def _listed(context: Context) -> frozenset[str]:
    """Return the predicates that are paths of the shape's property shapes."""
    paths = (
        path
        for shape in context.graph.objects(context.node, SH + "property")
        for path in context.graph.objects(shape, SH + "path")
    )
    return frozenset(path.value for path in paths if isinstance(path, ox.NamedNode))


def _ignored(context: Context) -> frozenset[str]:
    given = context.only("ignoredProperties")
    if given is None:
        return frozenset()
    members = context.members("ignoredProperties", given)
    return frozenset(context.iri("ignoredProperties", member) for member in members)


__all__ = ["closed", "disjoint", "equals", "less", "of_class"]
