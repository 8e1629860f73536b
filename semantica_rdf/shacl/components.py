"""
The constraint components of SHACL Core and `sh:sparql`, as a table: parameter to compiler.

A component is data. The compiler looks up each parameter of a shape here; what is not in the table
is not compiled, and a shape that uses it is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from semantica_rdf.shacl import relation_constraints as relations
from semantica_rdf.shacl import shape_constraints as shapes
from semantica_rdf.shacl import value_constraints as values
from semantica_rdf.shacl.context import Context
from semantica_rdf.shacl.names import SH, Term
from semantica_rdf.shacl.shape import Constraint
from semantica_rdf.shacl.sparql_constraints import sparql

Compile: TypeAlias = Callable[[Context, Term], Constraint | list[Constraint] | None]


class Component(NamedTuple):
    """
    How one parameter is compiled, once for each of its values.

    `single` ones may have one value; `anywhere` is false for what only property shapes may have.
    """

    compile: Compile
    single: bool = False
    anywhere: bool = True


COMPONENTS: dict[str, Component] = {
    SH + name: component
    for name, component in {
        "class": Component(relations.of_class),
        "datatype": Component(values.datatype, single=True),
        "nodeKind": Component(values.node_kind, single=True),
        "minCount": Component(values.min_count, single=True, anywhere=False),
        "maxCount": Component(values.max_count, single=True, anywhere=False),
        "minExclusive": Component(values.bound("minExclusive", "more than", (1,)), single=True),
        "minInclusive": Component(values.bound("minInclusive", "at least", (0, 1)), single=True),
        "maxExclusive": Component(values.bound("maxExclusive", "less than", (-1,)), single=True),
        "maxInclusive": Component(values.bound("maxInclusive", "at most", (-1, 0)), single=True),
        "minLength": Component(values.min_length, single=True),
        "maxLength": Component(values.max_length, single=True),
        "pattern": Component(values.pattern, single=True),
        "languageIn": Component(values.language_in, single=True),
        "uniqueLang": Component(values.unique_lang, single=True, anywhere=False),
        "equals": Component(relations.equals),
        "disjoint": Component(relations.disjoint),
        "lessThan": Component(relations.less("lessThan", "less than", (-1,)), anywhere=False),
        "lessThanOrEquals": Component(
            relations.less("lessThanOrEquals", "at most", (-1, 0)), anywhere=False
        ),
        "not": Component(shapes.not_),
        "and": Component(shapes.and_),
        "or": Component(shapes.or_),
        "xone": Component(shapes.xone),
        "node": Component(shapes.node),
        "property": Component(shapes.property_),
        "qualifiedValueShape": Component(shapes.qualified, single=True),
        "closed": Component(relations.closed, single=True),
        "hasValue": Component(values.has_value),
        "in": Component(values.one_of, single=True),
        "sparql": Component(sparql),
    }.items()
}
"""Every parameter that makes a constraint."""

COMPANIONS: dict[str, str] = {
    SH + "flags": SH + "pattern",
    SH + "ignoredProperties": SH + "closed",
}
"""Parameters that say more about another one, and are refused without it."""

COUNTS = frozenset(
    SH + name for name in ("qualifiedMinCount", "qualifiedMaxCount", "qualifiedValueShapesDisjoint")
)
"""Parameters of `sh:qualifiedValueShape`; the suite of SHACL wants them ignored without it."""

PARAMETERS = frozenset([*COMPONENTS, *COMPANIONS]) | COUNTS
"""Every parameter, by which a node is known to be a shape."""

__all__ = ["COMPANIONS", "COMPONENTS", "COUNTS", "PARAMETERS", "Component"]
