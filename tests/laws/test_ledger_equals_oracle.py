"""
Laws: any history of the verbs, any coordinate, the ledger answers as plain lists do.

The same facts, each once; an answered coordinate never changes; refusals agree; windows never
widen by a retraction; rows never overlap; the base always verifies. Longer runs:
`SEMANTICA_HYPOTHESIS_PROFILE=ci pytest tests/laws` and `=deep`.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
import strategies as given
from hypothesis import settings
from hypothesis.stateful import rule, run_state_machine_as_test
from ledger_machine import LedgerMachine

from semantica_rdf import KnowledgeBase


class DiskMachine(LedgerMachine):
    """The same on disk, closed and opened again between transactions."""

    def opened(self):
        self.directory = getattr(self, "directory", None) or Path(tempfile.mkdtemp())
        return KnowledgeBase.open(self.directory / "kb", agent=given.EX + "ann", clock=self.clock)

    @rule()
    def reopen(self):
        head = self.kb.head()
        self.kb.close()
        self.kb = self.opened()
        assert self.kb.head() == head
        self.check_record()

    def teardown(self):
        try:
            super().teardown()
        finally:
            shutil.rmtree(self.directory)


def run(machine, *, share, steps):
    """Run a machine with a share of the profile's examples."""
    examples = max(1, int(settings.default.max_examples * share))
    chosen = settings(settings.default, max_examples=examples, stateful_step_count=steps)
    run_state_machine_as_test(machine, settings=chosen)


@pytest.mark.quick
def test_a_few_histories_in_memory_equal_the_oracle():
    run(LedgerMachine, share=0.4, steps=12)


def test_histories_in_memory_equal_the_oracle():
    run(LedgerMachine, share=3, steps=25)


def test_histories_on_disk_with_reopens_equal_the_oracle():
    run(DiskMachine, share=0.4, steps=15)
