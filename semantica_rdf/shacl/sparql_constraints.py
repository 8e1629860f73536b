"""
`sh:sparql`: a SELECT whose every solution is a result.

Asked for one focus node, the query runs with `$this` bound before it starts. Asked for many
(`Shapes.validate`, `validate_nodes`), one run answers for up to `CHUNK` nodes at a time where
`Select.shared` says this is the same, and each node has a run of its own where it is not.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

import pyoxigraph as ox

from semantica_rdf.errors import QueryRefused, ValidationError
from semantica_rdf.shacl.context import Context
from semantica_rdf.shacl.data_graph import DataGraph, Solution
from semantica_rdf.shacl.names import SH, Term
from semantica_rdf.shacl.report import Result
from semantica_rdf.shacl.shape import Constraint
from semantica_rdf.shacl.sparql_text import Select, read_select

CHUNK = 200
"""How many focus nodes one run of a query answers for."""

_COMPONENT = SH + "SPARQLConstraintComponent"
_PLACEHOLDER = re.compile(r"\{[?$](\w+)\}")


class Batch:
    """
    A data graph for checking several focus nodes, which asks shared queries for many at a time.

    It is the graph it is made of, with answers kept for as long as it lives.
    """

    def __init__(self, data: DataGraph, nodes: Iterable[Term]) -> None:
        self.objects = data.objects
        self.subjects = data.subjects
        self.outgoing = data.outgoing
        self.subjects_of = data.subjects_of
        self.objects_of = data.objects_of
        self.solutions = data.solutions
        self._nodes = dict.fromkeys(nodes)
        self._answers: dict[int, dict[Term, list[Solution]]] = {}

    def answers(self, select: Select, node: Term) -> list[Solution] | None:
        """Return the solutions of a shared query for one of the nodes, None for another node."""
        if node not in self._nodes:
            return None
        found = self._answers.get(id(select))
        if found is None:
            found = self._answers[id(select)] = {}
            for text in _texts(select, list(self._nodes)):
                for solution in self.solutions(text, {}):
                    found.setdefault(solution["this"], []).append(solution)
        return found.get(node, [])


def _texts(select: Select, nodes: list[Term]) -> Iterator[str]:
    """Give the query for each chunk of nodes; as it stands where a node cannot be written in it."""
    if any(isinstance(node, ox.BlankNode) for node in nodes):
        yield select.text
        return
    named = [str(node) for node in nodes if isinstance(node, ox.NamedNode)]
    before, after = select.text[: select.place], select.text[select.place :]
    for start in range(0, len(named), CHUNK):
        listed = " ".join(named[start : start + CHUNK])
        yield f"{before} VALUES ?this {{ {listed} }} {after}"


def sparql(context: Context, value: Term) -> Constraint | None:
    """Compile `sh:sparql`; a deactivated one constrains nothing."""
    deactivated = context.graph.only(value, SH + "deactivated")
    select = read_select(context, value)
    messages = _messages(context, value)
    if deactivated is not None and context.flag("deactivated", deactivated):
        return None

    def _whole(data: DataGraph, focus: Term, _: Collection[Term]) -> bool:
        return not _solutions(context, select, data, focus)

    def _results(data: DataGraph, focus: Term, _: Collection[Term]) -> Iterator[Result]:
        for solution in _solutions(context, select, data, focus):
            yield _result(context, value, messages, focus, solution)

    return Constraint(_COMPONENT, _results, whole=_whole, has_sparql=True)


def _solutions(
    context: Context, select: Select, data: DataGraph, focus: Term
) -> Collection[Solution]:
    if isinstance(focus, ox.Literal) and select.shared and select.as_subject:
        return []
    if select.shared and isinstance(data, Batch) and not isinstance(focus, ox.Literal):
        found = data.answers(select, focus)
        if found is not None:
            return found
    if isinstance(focus, ox.BlankNode):
        if not select.shared:
            raise _unaskable(context)
        return [each for each in data.solutions(select.text, {}) if each["this"] == focus]
    try:
        return list(data.solutions(select.text, {"this": focus}))
    except QueryRefused as refusal:
        raise context.unsupported(f"its sh:select about {focus}: {refusal}") from None


def _unaskable(context: Context) -> ValidationError:
    return context.unsupported(
        "its sh:select cannot be asked about a blank node",
        hint="begin the query with a triple pattern of $this, or give the node an IRI",
    )


def _messages(context: Context, value: Term) -> tuple[ox.Literal, ...]:
    found = context.graph.objects(value, SH + "message")
    texts = tuple(text for text in found if isinstance(text, ox.Literal))
    return texts or context.message_literals


def _result(
    context: Context,
    constraint: Term,
    messages: tuple[ox.Literal, ...],
    focus: Term,
    solution: Solution,
) -> Result:
    path, message = solution.get("path"), solution.get("message")
    value = solution.get("value", focus if context.path is None else None)
    if isinstance(message, ox.Literal):
        texts: tuple[ox.Literal, ...] = (message,)
    else:
        texts = tuple(_filled(text, solution) for text in messages)
    return Result(
        focus,
        path if isinstance(path, ox.NamedNode) else context.path,
        value,
        context.node,
        _COMPONENT,
        context.severity,
        texts or (ox.Literal("the query of a sh:sparql has a solution"),),
        constraint,
    )


def _filled(text: ox.Literal, solution: Solution) -> ox.Literal:
    """Put the solution's values in the place of `{?name}`; a variable without a value stays."""

    def _value_of(match: re.Match[str]) -> str:
        value = solution.get(match[1])
        if value is None:
            return match[0]
        return str(value) if isinstance(value, ox.BlankNode | ox.Triple) else value.value

    filled = _PLACEHOLDER.sub(_value_of, text.value)
    return ox.Literal(filled, language=text.language) if text.language else ox.Literal(filled)


__all__ = ["CHUNK", "Batch", "sparql"]
