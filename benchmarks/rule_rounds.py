"""The contests of the rewriter's rules: each rule's form against another, over the same record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyoxigraph as ox
from contests import OURS, Contest, Line, Rows, answering
from people_history import DRAFTS, EX, KNOWN_AT
from rule_trials import PLAIN, TRIALS, Trial
from view_bases import opened, recorded
from view_queries import about

from semantica_rdf import KnowledgeBase
from semantica_rdf.model.statement import DEFAULT_NAMESPACE
from semantica_rdf.view.view import View

DAY = "2019-02-01"
SOMEBODY = EX + "somebody"
MARGIN = 1.1
"""How many times the other form's seconds a rule's form may take: as much as noise makes of 1."""


def rule_rows(directory: Path, *, facts: int, rounds: int) -> Iterator[list[str]]:
    """Yield the table's rows: what, ours, against, its figure, ratio, asked, met."""
    recorded(directory / "kb", facts, minutes=True)
    with opened(directory / "kb") as base:
        contests = list(_contests(base, facts))
        for number in range(rounds):
            for contest in contests:
                contest.play(number)
        for contest in contests:
            yield from contest.rows()


def _contests(base: KnowledgeBase, facts: int) -> Iterator[Contest]:
    views, plain = {}, {}
    for namespace in (DEFAULT_NAMESPACE, DRAFTS):
        views[namespace] = base.at(valid_at=DAY, known_at=KNOWN_AT, namespace=namespace)
        plain[namespace] = ox.Store()
        plain[namespace].bulk_extend(views[namespace].quads())
    raw = base._base.store.raw  # noqa: SLF001 - the very store, its caches included
    for trial in TRIALS:
        ours, other = _texts(trial, views[trial.namespace])
        store = plain[trial.namespace] if trial.against == PLAIN else raw
        yield Contest(
            f"{trial.rule}{trial.note and f', {trial.note}'}",
            {OURS: _asked(raw, ours), trial.against: _asked(store, other)},
            [Line(trial.against, None if trial.against == PLAIN else MARGIN)],
            _people(trial, facts),
        )


def _texts(trial: Trial, view: View) -> tuple[str, str]:
    """Return the two texts of a trial, about somebody; they are sure to differ."""
    text = about(trial.query, SOMEBODY)
    ours = view.explain_plan(text, strategy="rewrite").text
    if trial.against == PLAIN:
        return ours, text
    with trial.alternative():
        # What was rewritten is kept by its text: a comment makes it another.
        other = view.explain_plan(f"{text} # {trial.against}", strategy="rewrite").text
    if other.startswith(ours):
        raise AssertionError(f"{trial.query} does not use the rule {trial.rule}")
    return ours, other


def _asked(store: ox.Store, text: str) -> Any:
    return answering(lambda who: _read(store, text.replace(f"<{SOMEBODY}>", f"<{who}>")), _told)


def _people(trial: Trial, facts: int) -> Callable[[int], Sequence[str]]:
    """Return who is asked about: those whose company is in the minutes, or who has a draft."""
    first, step = (5, 10) if trial.namespace == DRAFTS else (0, 30)
    few = [f"{EX}person/{number}" for number in range(first, facts // 8, step)][:20]
    if "$who" not in trial.query:
        few = few[:1]

    def asked(number: int) -> Sequence[str]:
        """Return the same people in every round."""
        del number
        return few

    return asked


def _read(store: ox.Store, text: str) -> list[tuple[Any, ...]]:
    answer = store.query(text)
    if isinstance(answer, ox.QueryTriples):
        return [(triple.subject, triple.predicate, triple.object) for triple in answer]
    return [tuple(row) for row in answer]


def _told(answer: list[tuple[Any, ...]]) -> Rows:
    return (tuple(map(str, row)) for row in answer)
