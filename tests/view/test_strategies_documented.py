"""The page on SPARQL names every strategy, every rule of the choice and every refusal."""

from __future__ import annotations

from pathlib import Path

import pytest

from semantica_rdf.sparql.refusals import REFUSALS
from semantica_rdf.view import strategy
from semantica_rdf.view.strategy import RULES, STRATEGIES, Situation

PAGE = (Path(__file__).parents[2] / "docs" / "sparql.md").read_text(encoding="utf-8")


def _situations():
    from semantica_rdf.sparql.shape import Shape

    for shape in (None, Shape(), Shape(selective=True)):
        for rewritten in ("", "why"):
            for present in ("", "why"):
                for warm in (True, False):
                    yield Situation(shape, rewritten, present, warm)


@pytest.mark.quick
def test_every_rule_speaks_somewhere_and_is_on_the_page():
    spoken = {strategy.chosen(situation).rule for situation in _situations()}
    assert len(spoken) == len(RULES)
    for rule in spoken | {strategy.chosen(Situation(None, "", "", False), "present").rule}:
        assert f"| `{rule}` |" in PAGE


@pytest.mark.quick
def test_every_strategy_and_refusal_is_on_the_page():
    for name in (*STRATEGIES, *REFUSALS):
        assert f"| `{name}` |" in PAGE
    for sentence in REFUSALS.values():
        assert sentence in PAGE
