"""A write that fails half way: what is recorded, what is refused, and what the next open makes of it."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from crash.story import COUNTER, WHO, Story, check, check_writable

from semantica_rdf import KnowledgeBase, literal
from semantica_rdf.errors import ProcessingError
from semantica_rdf.ledger import ledger as ledger_module
from semantica_rdf.ledger.journal import Journal
from semantica_rdf.store.embedded import RdfStore

STORY = Story(bulk_every=50)
ROOT = Path(__file__).parents[2]


def failing(error):
    def fail(*given):
        raise error

    return fail


def counters(base):
    return [fact.object for fact in base.at().facts(COUNTER)]


FULL = OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.quick
@pytest.mark.parametrize("error", [FULL, RuntimeError("background error")])
def test_a_store_write_that_fails_after_the_journal_row_appears_at_the_next_open(
    tmp_path, monkeypatch, error
):
    with KnowledgeBase.open(tmp_path / "kb", **WHO) as base:
        told = dict([STORY.write(base), STORY.write(base)])
        before, basis = base.at(), base.basis
        with monkeypatch.context() as patch:
            patch.setattr(RdfStore, "add", failing(error))
            with pytest.raises(ProcessingError) as refused:
                STORY.write(base)
        assert refused.value.code == "store_write_failed"
        assert "next open" in refused.value.hint
        with pytest.raises(ProcessingError) as refused:
            STORY.write(base)
        assert refused.value.code == "store_write_failed"
        with pytest.raises(ProcessingError) as refused:
            base.verify()
        assert refused.value.code == "store_write_failed"
        assert base.basis == basis
        assert counters(base) == [literal(2)]
        assert base.at().facts() == before.facts()
        assert len(list(base.changes())) == 2
    with KnowledgeBase.open(tmp_path / "kb", **WHO) as base:
        assert base.head().sequence == 3
        assert counters(base) == [literal(3)]
        check(base, STORY, told)
        check_writable(base, STORY)


def test_an_interrupt_between_journal_and_store_loses_nothing(tmp_path, monkeypatch):
    with KnowledgeBase.open(tmp_path / "kb", **WHO) as base:
        told = dict([STORY.write(base)])
        with monkeypatch.context() as patch:
            patch.setattr(RdfStore, "add", failing(KeyboardInterrupt()))
            with pytest.raises(KeyboardInterrupt):
                STORY.write(base)
        assert counters(base) == [literal(1)]
        with pytest.raises(ProcessingError) as refused:
            STORY.write(base)
        assert refused.value.code == "store_write_failed"
    with KnowledgeBase.open(tmp_path / "kb", **WHO) as base:
        assert counters(base) == [literal(2)]
        check(base, STORY, told)
        check_writable(base, STORY)


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (sqlite3.OperationalError("database or disk is full"), ProcessingError),
        (KeyboardInterrupt(), KeyboardInterrupt),
    ],
)
def test_a_journal_write_that_fails_records_nothing_and_the_next_one_works(
    tmp_path, monkeypatch, error, raised
):
    with KnowledgeBase.open(tmp_path / "kb", **WHO) as base:
        told = dict([STORY.write(base)])
        head, basis = base.head(), base.basis
        with monkeypatch.context() as patch:
            patch.setattr("semantica_rdf.ledger.journal._packed", failing(error))
            with pytest.raises(raised) as refused:
                STORY.write(base)
        if raised is ProcessingError:
            assert refused.value.code == "journal_write_failed"
        assert (base.head(), base.basis) == (head, basis)
        assert counters(base) == [literal(1)]
        assert base.verify().ok
        told.update([STORY.write(base)])
        assert counters(base) == [literal(2)]
    with KnowledgeBase.open(tmp_path / "kb", **WHO) as base:
        check(base, STORY, told)


@pytest.mark.parametrize("owner", [(RdfStore, "flush", FULL), (Journal, "drop_payloads", None)])
def test_a_flush_that_fails_costs_no_commit_and_is_made_up_for_later(tmp_path, monkeypatch, owner):
    kind, name, error = owner
    error = error or ProcessingError("full", code="journal_write_failed")
    monkeypatch.setattr(ledger_module, "FLUSH_TRANSACTIONS", 2)
    with KnowledgeBase.open(tmp_path / "kb", **WHO) as base:
        with monkeypatch.context() as patch:
            patch.setattr(kind, name, failing(error))
            told = dict([STORY.write(base), STORY.write(base)])
        assert base._ledger.journal.pending() == [1, 2]
        told.update([STORY.write(base)])
        assert base._ledger.journal.pending() == []
        assert counters(base) == [literal(3)]
        check(base, STORY, told)


def test_a_close_that_cannot_flush_still_lets_go_and_the_next_open_has_it_all(
    tmp_path, monkeypatch
):
    base = KnowledgeBase.open(tmp_path / "kb", **WHO)
    told = dict([STORY.write(base)])
    with monkeypatch.context() as patch:
        patch.setattr(RdfStore, "flush", failing(FULL))
        base.close()
    with KnowledgeBase.open(tmp_path / "kb", **WHO) as base:
        check(base, STORY, told)
        check_writable(base, STORY)


@pytest.mark.quick
def test_a_failed_open_lets_go_of_the_store_at_once(tmp_path, monkeypatch):
    with KnowledgeBase.open(tmp_path / "kb", **WHO) as base:
        told = dict([STORY.write(base)])
        monkeypatch.setattr(base._ledger, "_unflushed", 0)
    with monkeypatch.context() as patch:
        patch.setattr(RdfStore, "add", failing(FULL))
        with pytest.raises(ProcessingError) as refused:
            KnowledgeBase.open(tmp_path / "kb", **WHO)
        assert refused.value.code == "store_write_failed"
    with KnowledgeBase.open(tmp_path / "kb", **WHO) as base:
        check(base, STORY, told)


FILL = """
import resource, signal, sys
from semantica_rdf import KnowledgeBase
from semantica_rdf.errors import ProcessingError
from crash.story import WHO, Story
limit, directory = int(sys.argv[1]), sys.argv[2]
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
story = Story(bulk_every=7, bulk_statements=400)
base = KnowledgeBase.open(directory, **WHO)
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
try:
    while True:
        print(*story.write(base), flush=True)
except ProcessingError as error:
    code = error.code
counter = base.at().facts("https://example.org/counter")
print("refused", code, base._ledger.sequence, counter[0].object, flush=True)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
if code == "journal_write_failed":
    print(*story.write(base), flush=True)
base.close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs file size limits")
@pytest.mark.parametrize("limit", [96_000, 200_000, 450_000, 900_000, 2_000_000])
def test_a_file_that_may_not_grow_loses_no_acknowledged_commit(tmp_path, limit):
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    done = subprocess.run(
        [sys.executable, "-c", FILL, str(limit), str(tmp_path / "kb")],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    told = {int(first): second for first, second in (line for line in lines if len(line) == 2)}
    (_, code, sequence, counter) = next(line for line in lines if line[0] == "refused")
    assert code in {"journal_write_failed", "store_write_failed"}
    assert sequence == counter
    story = Story(bulk_every=7, bulk_statements=400)
    with KnowledgeBase.open(tmp_path / "kb", **WHO) as base:
        assert base.head().sequence >= max(told)
        check(base, story, told)
        check_writable(base, story)
