"""
Answering SPARQL at a coordinate: from the present, by rewriting, or from a materialised view.

The three give the same answer; `strategy.py` chooses. A query that was to be answered from the
present, and found it moved, is answered another way.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from semantica_rdf.model import vocab
from semantica_rdf.model.statement import DEFAULT_NAMESPACE
from semantica_rdf.model.terms import Literal as LiteralTerm
from semantica_rdf.model.time import instant_text
from semantica_rdf.sparql.pieces import Pieces
from semantica_rdf.sparql.refusals import Refusal
from semantica_rdf.view.base import Base
from semantica_rdf.view.coordinate import Coordinate
from semantica_rdf.view.materialise import BlankNodes, materialised_at, warm_at
from semantica_rdf.view.present import Taken
from semantica_rdf.view.querying import Question
from semantica_rdf.view.results import Boolean, Solutions, Triples
from semantica_rdf.view.strategy import Choice, Situation, Strategy, chosen

_RESTORED = "blank nodes are restored, which the stored triples do not have"
_DATASET = "FROM and GRAPH ask for user graphs, which srdf:present does not hold"


class Plan(NamedTuple):
    """
    How a query is answered, and why.

    `strategy` is `present`, `rewrite` or `materialise`, `rule` the name of the rule that chose it,
    `because` its reason; `obstacles` says of each other strategy why it could not answer, where it
    could not. `text` is the SPARQL the store gets.
    """

    strategy: Strategy
    rule: str
    because: str
    obstacles: Mapping[str, str]
    text: str

    def __str__(self) -> str:
        lines = [f"{self.strategy}: {self.because} ({self.rule})"]
        lines += [f"not {name}: {why}" for name, why in self.obstacles.items()]
        return "\n".join([*lines, "", self.text])


class Answering:
    """One question at one coordinate."""

    def __init__(
        self, base: Base, coordinate: Coordinate, question: Question, blank_nodes: BlankNodes
    ) -> None:
        self._base = base
        self._coordinate = coordinate
        self._question = question
        self._blank_nodes: BlankNodes = blank_nodes
        self._rewritten = question.prepared.as_of(
            default_namespace=coordinate.namespace == DEFAULT_NAMESPACE
        )

    def answer(self, forced: Strategy | None) -> Solutions | Boolean | Triples:
        """Return the answer; raises as `strategy.chosen` and `Question.answered_by` do."""
        taken = self._base.present.usable(self._coordinate)
        while True:
            choice = self._choice(taken, forced)
            text = self._text(choice.strategy)
            if choice.strategy == "rewrite":
                return self._question.answered_by(self._base.store, text, declared=True)()
            if choice.strategy == "materialise":
                store = materialised_at(self._base, self._coordinate, self._blank_nodes)
                return self._question.answered_by(store, text)()
            assert taken is not None
            read = self._question.answered_by(self._base.store, text, graph=taken.graph)
            if self._base.present.holds(taken):
                return read()
            taken = self._base.present.usable(self._coordinate)

    def plan(self, forced: Strategy | None) -> Plan:
        """Return how `answer` would go about it now."""
        taken = self._base.present.usable(self._coordinate)
        choice = self._choice(taken, forced)
        situation = self._situation(taken)
        obstacles = {"present": situation.not_present, "rewrite": situation.not_rewritten}
        return Plan(
            *choice,
            {name: why for name, why in obstacles.items() if why and name != choice.strategy},
            self._text(choice.strategy),
        )

    def _choice(self, taken: Taken | None, forced: Strategy | None) -> Choice:
        return chosen(self._situation(taken), forced)

    def _situation(self, taken: Taken | None) -> Situation:
        prepared = self._question.prepared
        return Situation(
            shape=None if prepared.form is None else prepared.shape,
            not_rewritten=self._not_rewritten(),
            not_present=self._not_present(taken),
            warm=warm_at(self._base, self._coordinate, self._blank_nodes) is not None,
        )

    def _not_rewritten(self) -> str:
        if self._blank_nodes == "restore":
            return _RESTORED
        return self._rewritten.sentence if isinstance(self._rewritten, Refusal) else ""

    def _not_present(self, taken: Taken | None) -> str:
        if self._blank_nodes == "restore":
            return _RESTORED
        prepared = self._question.prepared
        if prepared.form is None:
            return "the query's text is not one the front reads, and it may name graphs"
        if prepared.shape.uses_dataset:
            return _DATASET
        if taken is None:
            return self._base.present.obstacle(self._coordinate) or "srdf:present was just moved"
        return ""

    def _text(self, strategy: Strategy) -> str:
        question = self._question
        if strategy == "rewrite":
            assert not isinstance(self._rewritten, Refusal)
            return question.text(self._rewritten, _holes(self._coordinate))
        return question.text(self._plain())

    def _plain(self) -> Pieces:
        prepared = self._question.prepared
        return prepared.plain_restore if self._blank_nodes == "restore" else prepared.plain


@lru_cache(maxsize=1024)
def _holes(coordinate: Coordinate) -> Mapping[str, str]:
    """Return what a rewritten query says of a coordinate, as N-Triples."""
    return MappingProxyType(
        {
            "valid_at": _moment(coordinate.valid_at),
            "known_at": _moment(coordinate.known_at),
            "namespace": LiteralTerm(coordinate.namespace).ntriples,
        }
    )


def _moment(instant: int) -> str:
    return f'"{instant_text(instant)}"^^<{vocab.XSD_DATETIME}>'


def plan_values(plan: Plan) -> dict[str, Any]:
    """Return a plan as plain values, for JSON."""
    return {**plan._asdict(), "obstacles": dict(plan.obstacles)}


__all__ = ["Answering", "Plan", "plan_values"]
