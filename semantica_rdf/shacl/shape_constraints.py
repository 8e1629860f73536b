"""
Constraints that ask whether values conform to other shapes: nested, combined, counted.

Where the other shapes look at values alone, so does the constraint, and its answers are remembered
with the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from semantica_rdf.shacl.context import Context, of_data, of_focus, of_value
from semantica_rdf.shacl.data_graph import DataGraph
from semantica_rdf.shacl.names import SH, Term, shown
from semantica_rdf.shacl.report import Result
from semantica_rdf.shacl.shape import Constraint, Shape

_Verdict = Callable[[Iterable[bool]], bool]


def node(context: Context, value: Term) -> Constraint:
    """Compile `sh:node`."""
    shape = context.shape_of(value)
    if shape.path is not None:
        raise context.bad(f"sh:node {shown(value)} is a property shape")
    text = f"does not conform to {shown(value)}"
    return _combined(context, "Node", [shape], all, text)


def and_(context: Context, value: Term) -> Constraint:
    """Compile `sh:and`."""
    shapes = _listed(context, "and", value)
    return _combined(context, "And", shapes, all, "does not conform to every one of the shapes")


def or_(context: Context, value: Term) -> Constraint:
    """Compile `sh:or`."""
    shapes = _listed(context, "or", value)
    return _combined(context, "Or", shapes, any, "conforms to none of the shapes")


def xone(context: Context, value: Term) -> Constraint:
    """Compile `sh:xone`; a shape that is listed twice counts twice."""
    shapes = _listed(context, "xone", value)
    text = "does not conform to exactly one of the shapes"
    return _combined(context, "Xone", shapes, lambda verdicts: sum(verdicts) == 1, text)


def not_(context: Context, value: Term) -> Constraint:
    """Compile `sh:not`."""
    text = f"conforms to {shown(value)}, and must not"
    return _combined(
        context, "Not", [context.shape_of(value)], lambda verdicts: not any(verdicts), text
    )


def _combined(
    context: Context, name: str, shapes: list[Shape], verdict: _Verdict, text: str
) -> Constraint:
    """Return the constraint that the shapes' answers on a value pass a verdict together."""
    component = f"{SH}{name}ConstraintComponent"
    tests = [shape.test for shape in shapes if shape.test is not None]
    if len(tests) == len(shapes):
        return of_value(
            context, component, lambda term: verdict(test(term) for test in tests), text
        )
    checks = [shape.conforms for shape in shapes]
    made = of_data(
        context, component, lambda data, term: verdict(check(data, term) for check in checks), text
    )
    return _marked(made, shapes)


def property_(context: Context, value: Term) -> Constraint:
    """Compile `sh:property`: its results are those of the property shape."""
    shape = context.shape_of(value)
    if shape.path is None:
        raise context.bad(f"sh:property {shown(value)} has no sh:path")

    def _results(data: DataGraph, _: Term, values: Collection[Term]) -> Iterator[Result]:
        for term in values:
            yield from shape.check(data, term)

    made = Constraint(SH + "PropertyShapeComponent", _results, each=shape.conforms, shape=shape)
    return _marked(made, [shape])


def qualified(context: Context, value: Term) -> list[Constraint]:
    """Compile `sh:qualifiedValueShape` with its counts and its `sh:qualifiedValueShapesDisjoint`."""
    shape = context.shape_of(value)
    siblings = _siblings(context, value)

    def _counted(data: DataGraph, values: Collection[Term]) -> int:
        return sum(
            shape.conforms(data, term)
            and not any(sibling.conforms(data, term) for sibling in siblings)
            for term in values
        )

    made: list[Constraint] = []
    low, high = context.only("qualifiedMinCount"), context.only("qualifiedMaxCount")
    if low is None and high is None:
        raise context.bad("sh:qualifiedValueShape has neither sh:qualifiedMinCount nor Max")
    if low is not None:
        least = context.whole_number("qualifiedMinCount", low)
        component = SH + "QualifiedMinCountConstraintComponent"
        text = f"fewer than {least} values conform to {shown(value)}"
        made.append(
            of_focus(context, component, lambda data, _, v: _counted(data, v) >= least, text)
        )
    if high is not None:
        most = context.whole_number("qualifiedMaxCount", high)
        component = SH + "QualifiedMaxCountConstraintComponent"
        text = f"more than {most} values conform to {shown(value)}"
        made.append(
            of_focus(context, component, lambda data, _, v: _counted(data, v) <= most, text)
        )
    return [_marked(constraint, [shape, *siblings]) for constraint in made]


def _siblings(context: Context, value: Term) -> list[Shape]:
    """Return the qualified shapes of the parent's other property shapes, where they are disjoint."""
    given = context.only("qualifiedValueShapesDisjoint")
    if given is None or not context.flag("qualifiedValueShapesDisjoint", given):
        return []
    graph = context.graph
    found = {
        sibling
        for parent in graph.subjects(SH + "property", context.node)
        for neighbour in graph.objects(parent, SH + "property")
        for sibling in graph.objects(neighbour, SH + "qualifiedValueShape")
    }
    return [context.shape_of(sibling) for sibling in sorted(found - {value}, key=str)]


def _listed(context: Context, parameter: str, value: Term) -> list[Shape]:
    members = context.members(parameter, value)
    if not members:
        raise context.bad(f"sh:{parameter} is an empty list")
    return [context.shape_of(member) for member in members]


def _marked(constraint: Constraint, shapes: list[Shape]) -> Constraint:
    return constraint._replace(has_sparql=any(shape.has_sparql for shape in shapes))


__all__ = ["and_", "node", "not_", "or_", "property_", "qualified", "xone"]
