"""
The choice of how a query is answered: from the present, by rewriting, or from a materialised view.

All three give the same answer; the choice is about time alone. The rules are tried in order, and
the first that speaks decides. `explain_plan` says which one did.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, get_args

from semantica_rdf.errors import QueryRefused, ValidationError
from semantica_rdf.sparql.shape import Shape

Strategy = Literal["present", "rewrite", "materialise"]

STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)


class Situation(NamedTuple):
    """
    What the choice looks at.

    `not_rewritten` and `not_present` say why that strategy cannot answer, and are empty where it
    can. `warm` tells whether the view is materialised already.
    """

    shape: Shape | None
    not_rewritten: str
    not_present: str
    warm: bool


class Choice(NamedTuple):
    """A strategy, the name of the rule that chose it, and a sentence that says why."""

    strategy: Strategy
    rule: str
    because: str


def _warm(situation: Situation) -> Choice | None:
    if not situation.warm:
        return None
    return Choice("materialise", "warm-view", "the view is materialised already, in memory")


def _not_read(situation: Situation) -> Choice | None:
    if situation.shape is not None:
        return None
    return Choice("materialise", "not-read", "the query's text is not one the rewriter reads")


def _present(situation: Situation) -> Choice | None:
    if situation.not_present:
        return None
    return Choice("present", "present-holds", "srdf:present stands for this very coordinate")


def _not_rewritten(situation: Situation) -> Choice | None:
    if not situation.not_rewritten:
        return None
    return Choice("materialise", "not-rewritten", situation.not_rewritten)


def _reads_all(situation: Situation) -> Choice | None:
    shape = situation.shape
    if shape is None or shape.selective:
        return None
    if shape.sub_select:
        because = "a sub-SELECT is evaluated before what it is joined with: a scan"
    elif shape.values_keys:
        because = "VALUES is joined to patterns that were read whole: a scan"
    else:
        because = "no subject or object is given to begin with: a scan"
    return Choice("materialise", "scan", f"{because}, which is quicker over the view")


def _selective(situation: Situation) -> Choice:
    del situation
    return Choice("rewrite", "selective", "every pattern is reached from a given term")


RULES: tuple[Callable[[Situation], Choice | None], ...] = (
    _warm,
    _not_read,
    _present,
    _not_rewritten,
    _reads_all,
    _selective,
)
"""The rules in order; the last one always speaks."""


def chosen(situation: Situation, forced: Strategy | None = None) -> Choice:
    """
    Return how a query is answered.

    Raises `QueryRefused` (`strategy_not_applicable`) when the forced strategy cannot answer it.
    """
    if forced is None:
        return next(choice for rule in RULES if (choice := rule(situation)) is not None)
    why = _obstacle(situation, forced)
    if why:
        raise QueryRefused(
            f"this query has no {forced} answer here: {why}",
            code="strategy_not_applicable",
            hint="leave it to the rules, with strategy=None, and see view.explain_plan(query)",
        )
    return Choice(forced, "forced", "the caller asked for it")


def _obstacle(situation: Situation, strategy: Strategy) -> str:
    if strategy == "present":
        return situation.not_present
    return situation.not_rewritten if strategy == "rewrite" else ""


def checked_strategy(strategy: str | None) -> Strategy | None:
    """Refuse what is no strategy (`bad_strategy`); None leaves the choice to the rules."""
    for known in STRATEGIES:
        if strategy == known:
            return known
    if strategy is None:
        return None
    raise ValidationError(
        f"strategy={strategy!r}", code="bad_strategy", hint=f"give {', '.join(STRATEGIES)} or None"
    )


__all__ = ["RULES", "STRATEGIES", "Choice", "Situation", "Strategy", "checked_strategy", "chosen"]
