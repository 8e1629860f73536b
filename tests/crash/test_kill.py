"""kill -9 anywhere in a loop of commits: nothing acknowledged is lost, nothing is half there."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pytest
from crash.killing import cut_logs, killed_at_random, killed_while_opening
from crash.story import WHO, Story, check, check_indexes, check_writable

from semantica_rdf import KnowledgeBase

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")

CYCLES_PER_BASE = 2
"""A base lives through so many kills, then a new one begins."""


def survive(
    directory: Path, story: Story, chance: random.Random, *, cycles: int, power_cut: bool
) -> int:
    """Kill, cut, reopen and check so many times; return how many commits were acknowledged."""
    total = 0
    for cycle in range(cycles):
        base_directory = directory / f"kb{cycle // CYCLES_PER_BASE}"
        if cycle % CYCLES_PER_BASE == 0:
            acknowledged: dict[int, str] = {}
        acknowledged.update(killed_at_random(base_directory, story, chance))
        total += len(acknowledged)
        if power_cut:
            cut_logs(base_directory, chance)
        if chance.random() < 0.4:
            killed_while_opening(base_directory, story, chance)
            if power_cut:
                cut_logs(base_directory, chance)
        with KnowledgeBase.open(base_directory, **WHO) as base:
            check(base, story, acknowledged)
            if power_cut:
                check_indexes(base)
            acknowledged.update([check_writable(base, story)])
        if cycle % CYCLES_PER_BASE == CYCLES_PER_BASE - 1:
            shutil.rmtree(base_directory)
    return total


def test_thirty_kills_lose_no_acknowledged_commit_and_leave_none_half_there(tmp_path):
    story = Story(bulk_every=6, bulk_statements=1200)
    assert survive(tmp_path, story, random.Random(2), cycles=30, power_cut=False)


def test_a_power_cut_that_shortens_the_logs_loses_no_acknowledged_commit(tmp_path):
    story = Story(bulk_every=5, bulk_statements=300)
    assert survive(tmp_path, story, random.Random(3), cycles=15, power_cut=True)


def cycles_asked_for() -> int:
    return int(os.environ.get("SEMANTICA_KILL_CYCLES", "500"))


@pytest.mark.long
def test_five_hundred_kills_lose_no_acknowledged_commit(tmp_path):
    story = Story(bulk_every=6, bulk_statements=3000)
    assert survive(tmp_path, story, random.Random(), cycles=cycles_asked_for(), power_cut=False)


@pytest.mark.long
def test_five_hundred_power_cuts_lose_no_acknowledged_commit(tmp_path):
    story = Story(bulk_every=5, bulk_statements=1500)
    assert survive(tmp_path, story, random.Random(), cycles=cycles_asked_for(), power_cut=True)
