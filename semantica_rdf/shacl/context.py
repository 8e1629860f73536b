"""
What a constraint is compiled from: its shape's place in the shapes graph, and how it reports.

`Context` reads parameter values and refuses those of the wrong kind; `of_value`, `of_data` and
`of_focus` make the three usual kinds of constraint.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from decimal import Decimal

import pyoxigraph as ox

from semantica_rdf.errors import ValidationError
from semantica_rdf.model.vocab import SKOLEM_BASE, XSD, XSD_STRING
from semantica_rdf.shacl.data_graph import DataGraph
from semantica_rdf.shacl.datatypes import INTEGERS, lexical_test
from semantica_rdf.shacl.names import SH, Node, Term, shown
from semantica_rdf.shacl.paths import Path
from semantica_rdf.shacl.report import Result
from semantica_rdf.shacl.shape import Conforms, Constraint, Holds, Shape, ValueTest
from semantica_rdf.shacl.shapes_graph import ShapesGraph

_MAX_COUNT = 2**62


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """One shape on its way to being compiled; `shape_of` gives another shape, compiled."""

    graph: ShapesGraph
    node: Node
    path: Path | None
    severity: str
    message_literals: tuple[ox.Literal, ...]
    shape_of: Callable[[Term], Shape]
    skolem_is_blank: bool

    def bad(self, what: str, *, hint: str | None = None) -> ValidationError:
        """Return the error for this shape not being well-formed (`bad_shape`)."""
        return self.graph.bad(self.node, what, hint=hint)

    def unsupported(self, what: str, *, hint: str | None = None) -> ValidationError:
        """Return the error for this shape using what is not supported (`unsupported_shape`)."""
        return self.graph.unsupported(self.node, what, hint=hint)

    def result(
        self,
        component: str,
        focus: Term,
        text: str,
        *,
        value: Term | None = None,
        path: Path | None = None,
    ) -> Result:
        """Return a result; `text` is its message where the shape has none."""
        return Result(
            focus,
            self.path if path is None else path,
            value,
            self.node,
            component,
            self.severity,
            self.message_literals or (ox.Literal(text),),
        )

    def is_blank(self, term: Term) -> bool:
        """Tell whether a term is a blank node, or an IRI that stands for one where that counts."""
        if isinstance(term, ox.BlankNode):
            return True
        return (
            self.skolem_is_blank
            and isinstance(term, ox.NamedNode)
            and term.value.startswith(SKOLEM_BASE)
        )

    def iri(self, parameter: str, value: Term) -> str:
        """Return the IRI a parameter names (`bad_shape`)."""
        if isinstance(value, ox.NamedNode):
            return value.value
        raise self.bad(f"sh:{parameter} {shown(value)} is no IRI")

    def whole_number(self, parameter: str, value: Term) -> int:
        """Return the number of a parameter, which is an integer from 0 (`bad_shape`)."""
        if isinstance(value, ox.Literal) and value.datatype.value in INTEGERS:
            test = lexical_test(value.datatype.value)
            if test is not None and test(value.value):
                number = Decimal(value.value)
                if number >= 0:
                    return int(min(number, Decimal(_MAX_COUNT)))
        raise self.bad(f"sh:{parameter} {shown(value)} is no whole number")

    def flag(self, parameter: str, value: Term) -> bool:
        """Return whether a parameter is `true`; `"1"^^xsd:boolean` is not, by the suite of SHACL."""
        if isinstance(value, ox.Literal) and value.datatype.value == XSD + "boolean":
            return value.value == "true"
        raise self.bad(f"sh:{parameter} {shown(value)} is no boolean")

    def text(self, parameter: str, value: Term) -> str:
        """Return the text of a parameter, which is a plain string (`bad_shape`)."""
        if isinstance(value, ox.Literal) and value.datatype.value == XSD_STRING:
            return value.value
        raise self.bad(f"sh:{parameter} {shown(value)} is no string")

    def only(self, parameter: str) -> Term | None:
        """Return the one value of another parameter of the shape, None without any."""
        return self.graph.only(self.node, SH + parameter)

    def members(self, parameter: str, value: Term) -> list[Term]:
        """Return the members of the list a parameter names (`bad_shape`)."""
        return self.graph.members(self.node, value, SH + parameter)


def of_value(
    context: Context, component: str, test: ValueTest, text: str, *, cheap: bool = False
) -> Constraint:
    """Return the constraint that every value passes a test."""

    def _results(_: DataGraph, focus: Term, values: Collection[Term]) -> Iterator[Result]:
        for value in values:
            if not test(value):
                yield context.result(component, focus, text, value=value)

    return Constraint(component, _results, test=test, cheap=cheap)


def of_data(context: Context, component: str, each: Conforms, text: str) -> Constraint:
    """Return the constraint that every value passes a check of it in the data."""

    def _results(data: DataGraph, focus: Term, values: Collection[Term]) -> Iterator[Result]:
        for value in values:
            if not each(data, value):
                yield context.result(component, focus, text, value=value)

    return Constraint(component, _results, each=each)


def of_focus(context: Context, component: str, whole: Holds, text: str) -> Constraint:
    """Return the constraint on a focus node and all its values, whose result has no value."""

    def _results(data: DataGraph, focus: Term, values: Collection[Term]) -> Iterator[Result]:
        if not whole(data, focus, values):
            yield context.result(component, focus, text)

    return Constraint(component, _results, whole=whole)


__all__ = ["Context", "of_data", "of_focus", "of_value"]
