"""
Triples to match, as rows of the record that hold at a coordinate.

Outside EXISTS the conditions on a row are joined to it; inside, each is a filter of its own, and a
further triple is nested in the one before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from semantica_rdf.sparql.paths import Atom, Choice, Step, steps_of
from semantica_rdf.sparql.refusals import CannotRewrite
from semantica_rdf.sparql.rules import RULES
from semantica_rdf.sparql.syntax import RESERVED, Pattern, Term

MAX_STEPS = 40
"""Triples to match in one rewritten query; each takes the engine half a dozen operators."""


class ActiveGraph(NamedTuple):
    """
    The graph that patterns read.

    `text` is an IRI or a variable as written; `among` are the graphs FROM NAMED leaves, None for
    all of them. `merged` is the union of several FROM graphs, `empty` one that holds nothing.
    """

    kind: Literal["default", "named", "variable", "merged", "empty"]
    text: str = ""
    among: tuple[str, ...] | None = None


class Matching:
    """Makes the text of triples to match, with variables of its own."""

    def __init__(
        self, holes: Mapping[str, str], uses: Counter[str], *, default_namespace: bool
    ) -> None:
        self.holes = dict(holes)
        self.uses = uses
        self.default_namespace = default_namespace
        self._steps = 0
        self._minted = 0

    def _mint(self, kind: str) -> str:
        self._minted += 1
        return f"?{RESERVED}{kind}{self._minted}"

    def fresh(self) -> Term:
        """Return a new variable for the middle of a path."""
        return Term("minted", self._mint("p"))

    def steps_of(self, patterns: Sequence[Pattern]) -> list[Step]:
        """Return the steps of patterns, paths spelled out."""
        return [step for pattern in patterns for step in steps_of(pattern, self.fresh)]

    def described(self, text: str, graph: ActiveGraph) -> tuple[str, str]:
        """Return the triple about a thing as it is constructed, and as it is matched."""
        subject = Term("variable" if text.startswith("?") else "iri", text)
        atom = Atom(subject, self.fresh(), self.fresh())
        return " ".join(term.text for term in atom.terms), self._row(atom, graph)

    # Outside EXISTS.

    def joined(self, patterns: Sequence[Pattern], graph: ActiveGraph) -> str:
        """Return patterns of one group, joined."""
        return self._all(self.steps_of(patterns), graph)

    def _all(self, steps: Sequence[Step], graph: ActiveGraph) -> str:
        return " ".join(self._joined(step, graph) for step in steps)

    def _joined(self, step: Step, graph: ActiveGraph) -> str:
        if isinstance(step, Choice):
            return self._choice(step, graph)
        if not step.excluded:
            return self._row(step, graph)
        ends = (step.subject, step.object)
        if not any(end.is_variable for end in ends):
            return RULES["then"].put(rest=self.chained([step], graph))
        if not any(end.is_variable and self._alone(end) for end in ends):
            raise CannotRewrite("negated_set")
        return self._row(step, graph)

    def _alone(self, term: Term) -> bool:
        """Tell whether nothing else can bind a variable."""
        return self.uses[term.name] == 1

    def _row(self, atom: Atom, graph: ActiveGraph, more: str = "") -> str:
        row, time = self._mint("row"), self._mint("t")
        parts = [self._graph_of_row(atom, row)]
        parts.append(RULES["known"].put(row=row, time=time, known_at=self.holes["known_at"]))
        if not self.default_namespace:
            namespace = self.holes["namespace"]
            parts.append(RULES["other_namespace"].put(row=row, namespace=namespace))
        if graph.kind in {"named", "variable"}:
            parts.append(RULES["user_graph"].put(row=row, graph=graph.text))
        parts += [*self._windows(row, graph), more]
        return RULES["together"].put(row=" ".join(parts).rstrip())

    def _graph_of_row(self, atom: Atom, row: str) -> str:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise CannotRewrite("too_many_patterns")
        subject, predicate, value = (term.text for term in atom.terms)
        text = RULES["row"].put(row=row, subject=subject, predicate=predicate, object=value)
        if not atom.excluded:
            return text
        none_of = RULES["none_of"].put(predicate=predicate, predicates=", ".join(atom.excluded))
        return f"{text} {none_of}"

    def _windows(self, row: str, graph: ActiveGraph) -> list[str]:
        """Return the conditions on a row that are filters everywhere."""
        valid_at, known_at = self.holes["valid_at"], self.holes["known_at"]
        parts = [
            RULES["begun"].put(row=row, valid_at=valid_at),
            RULES["not_ended"].put(row=row, valid_at=valid_at),
            RULES["not_superseded"].put(row=row, known_at=known_at),
        ]
        if self.default_namespace:
            parts.append(RULES["default_namespace"].put(row=row))
        if graph.kind == "merged":
            raise CannotRewrite("merged_graphs")
        if graph.kind == "default":
            parts.append(RULES["default_graph"].put(row=row))
        elif graph.kind == "empty":
            parts.append(RULES["no_graph"].put())
        elif graph.among is not None:
            among = ", ".join(graph.among)
            parts.append(RULES["among_graphs"].put(graph=graph.text, graphs=among))
        return parts

    def _choice(self, choice: Choice, graph: ActiveGraph) -> str:
        """Return a choice of paths, each pair of ends once."""
        if choice.parallel and self._anchored(choice):
            return self._first_of(choice, graph)
        if choice.single:
            return self._exclusive(choice, graph)
        names = sorted(choice.names | _name_of(graph))
        branches = [f"{{ {self._all(branch, graph)} }}" for branch in choice.branches]
        if not names:
            return RULES["then"].put(rest=self.chained([choice], graph))
        return RULES["distinct"].put(
            names=" ".join(f"?{name}" for name in names), rest=" UNION ".join(branches)
        )

    def _anchored(self, choice: Choice) -> bool:
        """Tell whether an end is a constant or bound elsewhere too."""
        ends = (choice.subject, choice.object)
        return any(not end.is_variable or not self._alone(end) for end in ends)

    def _first_of(self, choice: Choice, graph: ActiveGraph) -> str:
        """Return one pattern whose predicate is a variable that must be the first that matches."""
        predicate = self.fresh()
        atoms = choice.single
        choices = []
        for number, atom in enumerate(atoms):
            earlier = [f"NOT EXISTS {{ {self.chained([one], graph)} }}" for one in atoms[:number]]
            choices.append(" && ".join([f"{predicate.text} = {atom.predicate.text}", *earlier]))
        first_of = RULES["first_of"].put(choices=" || ".join(f"({one})" for one in choices))
        return self._row(atoms[0]._replace(predicate=predicate), graph, first_of)

    def _exclusive(self, choice: Choice, graph: ActiveGraph) -> str:
        """Return a UNION whose branches leave out what an earlier branch gives."""
        branches = []
        for number, atom in enumerate(choice.single):
            without = [
                RULES["without"].put(rest=self.chained([one], graph))
                for one in choice.single[:number]
            ]
            branches.append(f"{{ {' '.join([self._row(atom, graph), *without])} }}")
        return " UNION ".join(branches)

    # Inside EXISTS.

    def chained(
        self,
        steps: Sequence[Step],
        graph: ActiveGraph,
        last: str = "",
        bound: frozenset[str] = frozenset(),
    ) -> str:
        """Return steps nested in one another, most bound first, and what comes last inside all."""
        return self.chained_in([(step, graph) for step in steps], last, bound)

    def chained_in(
        self, steps: Sequence[tuple[Step, ActiveGraph]], last: str, bound: frozenset[str]
    ) -> str:
        """Return steps, each of a graph, nested in one another."""
        if not steps:
            return last
        most = max(
            range(len(steps)), key=lambda place: (_boundness(steps[place][0], bound), -place)
        )
        step, graph = steps[most]
        others = [*steps[:most], *steps[most + 1 :]]
        if isinstance(step, Choice) and not step.parallel:
            branches = [
                self.chained_in([*((one, graph) for one in branch), *others], last, bound)
                for branch in step.branches
            ]
            return " UNION ".join(f"{{ {branch} }}" for branch in branches)
        rest = self.chained_in(others, last, bound | step.names | _name_of(graph))
        if others:
            rest = RULES["then"].put(rest=rest)
        atom, one_of = (step, "") if isinstance(step, Atom) else self._one_of(step)
        return self._correlated(atom, graph, f"{one_of} {rest}".strip())

    def _one_of(self, choice: Choice) -> tuple[Atom, str]:
        predicate = self.fresh()
        predicates = ", ".join(atom.predicate.text for atom in choice.single)
        one_of = RULES["one_of"].put(predicate=predicate.text, predicates=predicates)
        return choice.single[0]._replace(predicate=predicate), one_of

    def _correlated(self, atom: Atom, graph: ActiveGraph, rest: str) -> str:
        row = self._mint("row")
        parts = [self._graph_of_row(atom, row)]
        parts.append(RULES["known_correlated"].put(row=row, known_at=self.holes["known_at"]))
        if not self.default_namespace:
            namespace = self.holes["namespace"]
            parts.append(RULES["other_namespace_correlated"].put(row=row, namespace=namespace))
        if graph.kind == "variable":
            among = graph._replace(kind="named")
            windows = self._windows(row, among._replace(among=None))
            if graph.among is not None:
                graphs = ", ".join(graph.among)
                rest = f"{RULES['among_graphs'].put(graph=graph.text, graphs=graphs)} {rest}"
            named = RULES["user_graph_named"].put(row=row, graph=graph.text, rest=rest)
            return " ".join([*parts, *windows, named])
        if graph.kind == "named":
            parts.append(RULES["user_graph_correlated"].put(row=row, graph=graph.text))
        return " ".join([*parts, *self._windows(row, graph), rest]).rstrip()


def _name_of(graph: ActiveGraph) -> frozenset[str]:
    return frozenset({graph.text[1:]}) if graph.kind == "variable" else frozenset()


def _boundness(step: Step, bound: frozenset[str]) -> int:
    """Return how many positions of a step are constants or bound already; the ends count more."""
    terms = step.terms if isinstance(step, Atom) else (step.subject, step.object)
    known = [not term.is_variable or term.name in bound for term in terms]
    if isinstance(step, Atom):
        return 2 * known[0] + known[1] + 2 * known[2]
    return 2 * known[0] + 2 * known[1]


__all__ = ["MAX_STEPS", "ActiveGraph", "Matching"]
