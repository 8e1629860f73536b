"""The W3C suite of SHACL, test by test: verdict and results as its manifests expect them."""

from __future__ import annotations

import pytest
from shacl.suite import SUITE, cases, outcome

pytestmark = pytest.mark.skipif(not SUITE.is_dir(), reason="the outside data folder is absent")

REFUSED = {
    "sparql/component/nodeValidator-001": "is of type sh:ConstraintComponent",
    "sparql/component/optional-001": "is of type sh:ConstraintComponent",
    "sparql/component/propertyValidator-select-001": "is of type sh:ConstraintComponent",
    "sparql/component/validator-001": "uses sh:parameter",
    "sparql/pre-binding/shapesGraph-001": "its sh:select uses $shapesGraph",
}
"""Tests whose shapes do not compile here, and what the refusal names."""


@pytest.mark.parametrize(
    "case", list(cases()) if SUITE.is_dir() else [], ids=lambda case: case.name
)
def test_verdict_and_results_are_as_expected(case):
    said = outcome(case)
    if case.name in REFUSED:
        assert said.startswith("refused: ")
        assert REFUSED[case.name] in said
    else:
        assert said == "passed"


def test_the_whole_suite_was_read():
    names = [case.name for case in cases()]
    assert len(names) == len(set(names)) == 121
    assert set(REFUSED) <= set(names)
