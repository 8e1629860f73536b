"""Opening what is damaged, half made, or of another version: the right error, and nothing lost."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing

import pytest
from crash.killing import Writer
from crash.story import WHO, Story, check, check_writable

from semantica_rdf import KnowledgeBase
from semantica_rdf.errors import (
    CorruptStore,
    JournalBroken,
    NewerFormat,
    ProcessingError,
    StoreLocked,
)

needs_sigkill = pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
STORY = Story(bulk_every=4, bulk_statements=300)


def told(directory, count=3):
    """Make a base with some transactions, closed."""
    with KnowledgeBase.open(directory, **WHO) as base:
        return dict(STORY.write(base) for _ in range(count))


def killed(directory, point, passing):
    """Let a writer die at a point; return what it acknowledged."""
    writer = Writer(directory, STORY, "--die-at", point, str(passing))
    writer.wait()
    assert writer.was_killed
    return writer.acknowledged


@needs_sigkill
@pytest.mark.parametrize(
    ("point", "passing", "recorded"),
    [
        ("before-journal", 4, 3),
        ("after-journal", 3, 3),
        ("after-journal", 4, 4),
        ("after-store", 4, 4),
        ("before-flush", 1, 5),
        ("after-flush", 1, 5),
        ("after-payloads", 1, 5),
        ("after-journal", 8, 8),
    ],
)
def test_a_kill_at_each_point_of_the_write_path_leaves_whole_transactions(
    tmp_path, point, passing, recorded
):
    acknowledged = killed(tmp_path / "kb", point, passing)
    with KnowledgeBase.open(tmp_path / "kb", **WHO) as base:
        assert base.head().sequence == recorded
        check(base, STORY, acknowledged)
        check_writable(base, STORY)


@needs_sigkill
@pytest.mark.parametrize(
    ("point", "passing"), [("after-store", 1), ("after-store", 3), ("after-flush", 1)]
)
def test_a_kill_while_a_base_is_brought_up_to_date_is_made_good_by_the_next_open(
    tmp_path, point, passing
):
    acknowledged = killed(tmp_path / "kb", "after-journal", 4)
    writer = Writer(tmp_path / "kb", STORY, "--only-open", "--die-at", point, str(passing))
    writer.wait()
    assert writer.was_killed
    with KnowledgeBase.open(tmp_path / "kb", **WHO) as base:
        check(base, STORY, acknowledged)
        check_writable(base, STORY)


@needs_sigkill
def test_a_kill_while_a_base_is_made_leaves_one_that_opens(tmp_path):
    assert killed(tmp_path / "kb", "journal-made", 1) == {}
    with KnowledgeBase.open(tmp_path / "kb", **WHO) as base:
        assert base.head().sequence == 0
        check_writable(base, STORY)


@needs_sigkill
def test_reading_only_is_refused_while_something_waits_for_replay_and_granted_after(tmp_path):
    killed(tmp_path / "kb", "after-journal", 2)
    with pytest.raises(StoreLocked) as refused:
        KnowledgeBase.open(tmp_path / "kb", read_only=True)
    assert refused.value.code == "replay_needed"
    KnowledgeBase.open(tmp_path / "kb").close()
    with KnowledgeBase.open(tmp_path / "kb", read_only=True) as base:
        assert base.head().sequence == 2
        assert base.verify().ok


def test_files_of_a_bulk_load_that_was_killed_are_removed_at_the_next_open(tmp_path):
    told(tmp_path / "kb")
    orphan = tmp_path / "kb" / "store" / "bulk-123-00001.sst"
    orphan.write_bytes(b"half a table")
    with KnowledgeBase.open(tmp_path / "kb", **WHO) as base:
        assert not orphan.exists()
        check_writable(base, STORY)


def test_a_newer_format_is_refused_and_left_as_it_is(tmp_path):
    told(tmp_path / "kb")
    with closing(sqlite3.connect(tmp_path / "kb" / "journal.sqlite")) as journal, journal:
        journal.execute("UPDATE meta SET value = '99' WHERE key = 'format'")
    for read_only in (False, True):
        with pytest.raises(NewerFormat) as refused:
            KnowledgeBase.open(tmp_path / "kb", read_only=read_only)
        assert refused.value.code == "newer_format"
    with closing(sqlite3.connect(tmp_path / "kb" / "journal.sqlite")) as journal, journal:
        journal.execute("UPDATE meta SET value = '1' WHERE key = 'format'")
    with KnowledgeBase.open(tmp_path / "kb", **WHO) as base:
        assert base.verify().ok


def test_a_damaged_table_is_a_corrupt_store_wherever_the_base_lies(tmp_path):
    directory = tmp_path / "lockers"
    told(directory)
    for table in (directory / "store").glob("*.sst"):
        table.write_bytes(table.read_bytes()[:-40] + bytes(40))
    for read_only in (False, True):
        with pytest.raises((CorruptStore, StoreLocked)) as refused:
            KnowledgeBase.open(directory, read_only=read_only)
        assert refused.value.code in {"corrupt_store", "replay_needed"}
    with pytest.raises(CorruptStore):
        KnowledgeBase.open(directory)


def test_a_store_that_somebody_deleted_is_reported_not_replaced_by_an_empty_one(tmp_path):
    told(tmp_path / "kb")
    shutil.copytree(tmp_path / "kb" / "store", tmp_path / "kept")
    shutil.rmtree(tmp_path / "kb" / "store")
    with pytest.raises(CorruptStore) as refused:
        KnowledgeBase.open(tmp_path / "kb")
    assert refused.value.code == "store_missing"
    shutil.rmtree(tmp_path / "kb" / "store")
    shutil.copytree(tmp_path / "kept", tmp_path / "kb" / "store")
    with KnowledgeBase.open(tmp_path / "kb", **WHO) as base:
        assert base.verify().ok


def test_a_journal_that_is_no_database_is_a_corrupt_store(tmp_path):
    told(tmp_path / "kb")
    journal = tmp_path / "kb" / "journal.sqlite"
    journal.write_bytes(b"no database at all, but long enough" * 100)
    with pytest.raises(CorruptStore) as refused:
        KnowledgeBase.open(tmp_path / "kb")
    assert refused.value.code == "corrupt_store"


def test_a_journal_that_cannot_be_opened_is_not_called_damaged(tmp_path):
    (tmp_path / "kb" / "journal.sqlite").mkdir(parents=True)
    with pytest.raises(ProcessingError) as refused:
        KnowledgeBase.open(tmp_path / "kb")
    assert refused.value.code == "not_writable"


@needs_sigkill
def test_a_payload_that_is_not_what_was_committed_to_is_refused(tmp_path):
    killed(tmp_path / "kb", "after-journal", 2)
    with closing(sqlite3.connect(tmp_path / "kb" / "journal.sqlite")) as journal:
        good = journal.execute("SELECT data FROM payloads WHERE sequence = 2").fetchone()[0]
        with journal:
            bad = good.replace(b"#", b"%", 1)
            journal.execute("UPDATE payloads SET data = ? WHERE sequence = 2", (bad,))
        with pytest.raises(JournalBroken) as refused:
            KnowledgeBase.open(tmp_path / "kb")
        assert (refused.value.code, refused.value.at) == ("payload_damaged", 2)
        with journal:
            journal.execute("UPDATE payloads SET data = ? WHERE sequence = 2", (good,))
    with KnowledgeBase.open(tmp_path / "kb", **WHO) as base:
        assert base.head().sequence == 2
        assert base.verify().ok
