"""The known faults of the reference, one by one: what it answers, and what we answer instead."""

from __future__ import annotations

import logging
from pathlib import Path

import pyshacl
import pytest
from shacl.known_faults import AGREED, FAULTS, MEASURED, graphs
from shacl.reference import of_ours, of_pyshacl, parsed

from semantica_rdf.errors import ValidationError
from semantica_rdf.shacl import compile_shapes

PAGE = Path(__file__).resolve().parents[2] / "docs" / "shacl.md"
CASES = [*FAULTS, *AGREED]

pytestmark = [
    pytest.mark.quick,
    pytest.mark.filterwarnings("ignore::UserWarning:rdflib"),
    pytest.mark.filterwarnings("ignore:.*A Recursive Shape was detected"),
]


@pytest.fixture(autouse=True)
def _quiet():
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_we_answer(case):
    shapes, data = (parsed(text) for text in graphs(case))
    if isinstance(case.ours, str):
        with pytest.raises(ValidationError) as caught:
            compile_shapes(shapes)
        assert caught.value.code == case.ours
    else:
        assert of_ours(compile_shapes(shapes), data).conforms is case.ours


@pytest.mark.skipif(pyshacl.__version__ != MEASURED, reason="measured with another pySHACL")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_pyshacl_answers(case):
    verdict = of_pyshacl(*(parsed(text) for text in graphs(case)))
    assert (None if verdict.results is None else verdict.conforms) is case.pyshacl


def test_a_fault_is_a_difference():
    for fault in FAULTS:
        assert fault.pyshacl is not fault.ours
        assert fault.reason
    assert all(case.pyshacl is case.ours for case in AGREED)
