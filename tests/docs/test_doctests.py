"""Every example in a docstring gives what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import semantica_rdf

NAMES = sorted(
    module.name
    for module in pkgutil.walk_packages(semantica_rdf.__path__, "semantica_rdf.")
    if not module.name.endswith("__main__")
)

pytestmark = pytest.mark.quick


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_of_the_module_hold(name):
    results = doctest.testmod(importlib.import_module(name))
    assert results.failed == 0


def test_there_are_examples():
    found = sum(
        len(test.examples)
        for name in NAMES
        for test in doctest.DocTestFinder().find(importlib.import_module(name))
    )
    assert found > 10
