"""The tables of docs/shacl.md say what the tests find."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from shacl.known_faults import FAULTS, MEASURED
from shacl.suite import SUITE, cases, outcome
from shacl.test_mutants import BY_COMMAND, IN_THE_GATE

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "shacl.md").read_text(encoding="utf-8")
SAID = {True: "conforms", False: "violates", None: "raises"}


@pytest.mark.skipif(not SUITE.is_dir(), reason="the outside data folder is absent")
def test_the_table_of_the_suite_is_what_the_suite_finds():
    counted: dict[str, Counter] = {}
    refused = {}
    for case in cases():
        said, _, why = outcome(case).partition(": ")
        counted.setdefault(case.name.rpartition("/")[0], Counter())[said] += 1
        if said == "refused":
            refused[case.name] = why
    rows = re.findall(
        r"^\| `([\w/-]+)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE
    )
    assert {name: tuple(map(int, numbers)) for name, *numbers in rows} == {
        part: (sum(found.values()), found["passed"], found["refused"], found["differing"])
        for part, found in counted.items()
    }
    named = dict(re.findall(r"^\| `([\w/-]+)` \| ([^|\d]+) \|$", PAGE, re.MULTILINE))
    assert set(named) == set(refused)
    for name, why in named.items():
        assert why.partition(";")[0] in refused[name]


def test_every_known_fault_of_the_reference_is_on_the_page():
    assert f"pySHACL {MEASURED}" in PAGE
    for fault in FAULTS:
        ours = SAID.get(fault.ours, "refused")
        assert f"| {fault.name} | {ours} | {SAID[fault.pyshacl]} | {fault.reason} |" in PAGE


def test_the_numbers_of_pairs_are_those_of_the_tests():
    assert f"{IN_THE_GATE:,} random pairs" in PAGE
    assert f"{BY_COMMAND:,} by `pytest -m long tests/shacl`" in PAGE
