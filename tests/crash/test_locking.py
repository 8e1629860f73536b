"""One process, one open: who holds the base is named, readers share it, a dead holder lets go."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from crash.killing import Writer
from crash.story import WHO, Story, check_writable

from semantica_rdf import KnowledgeBase
from semantica_rdf.errors import NotFound, StoreLocked, ValidationError

STORY = Story()
ROOT = Path(__file__).parents[2]

TRY = """
import sys
from semantica_rdf import KnowledgeBase
from semantica_rdf.errors import StoreLocked
try:
    KnowledgeBase.open(sys.argv[1], read_only=sys.argv[2] == "read").close()
except StoreLocked as error:
    print(error.code, error)
else:
    print("opened")
"""


def elsewhere(directory, mode="write"):
    """Open the base in another process; return what came of it."""
    done = subprocess.run(
        [sys.executable, "-c", TRY, str(directory), mode],
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    return done.stdout.strip()


@pytest.mark.quick
def test_a_second_open_in_the_same_process_is_refused_and_names_the_holder(tmp_path, clock):
    with KnowledgeBase.open(tmp_path / "kb", **WHO, clock=clock) as base:
        for read_only in (False, True):
            with pytest.raises(StoreLocked) as refused:
                KnowledgeBase.open(tmp_path / "kb", read_only=read_only)
            assert refused.value.code == "store_locked"
            assert str(os.getpid()) in refused.value.message
            assert Path(sys.argv[0]).name in refused.value.message
            assert "since 2026-10-01T00:00:0" in refused.value.message
        check_writable(base, STORY)
    with KnowledgeBase.open(tmp_path / "kb", **WHO) as base:
        assert base.head().sequence == 1


def test_a_second_open_in_another_process_is_refused_and_names_the_holder(tmp_path):
    with KnowledgeBase.open(tmp_path / "kb", **WHO):
        for mode in ("write", "read"):
            said = elsewhere(tmp_path / "kb", mode)
            assert said.startswith("store_locked ")
            assert f"process {os.getpid()} " in said
            assert re.search(r"since \d{4}-\d\d-\d\dT", said)
    assert elsewhere(tmp_path / "kb") == "opened"


def test_readers_share_a_base_and_keep_a_writer_out(tmp_path):
    with KnowledgeBase.open(tmp_path / "kb", **WHO) as base:
        check_writable(base, STORY)
    with (
        KnowledgeBase.open(tmp_path / "kb", read_only=True) as first,
        KnowledgeBase.open(tmp_path / "kb", read_only=True) as second,
    ):
        assert elsewhere(tmp_path / "kb", "read") == "opened"
        assert first.at().count() == second.at().count() == 3
        assert elsewhere(tmp_path / "kb", "write").startswith("store_locked ")
    assert elsewhere(tmp_path / "kb", "write") == "opened"


def test_a_base_open_for_reading_refuses_to_write(tmp_path):
    with KnowledgeBase.open(tmp_path / "kb", **WHO) as base:
        check_writable(base, STORY)
    with KnowledgeBase.open(tmp_path / "kb", **WHO, read_only=True) as base:
        with pytest.raises(ValidationError) as refused, base.transaction(reason="write"):
            pass
        assert refused.value.code == "read_only"
        assert base.head().sequence == 1


def test_reading_never_creates_a_base(tmp_path):
    with pytest.raises(NotFound) as refused:
        KnowledgeBase.open(tmp_path / "kb", read_only=True)
    assert refused.value.code == "no_base"
    assert not (tmp_path / "kb").exists()


def test_a_reader_is_not_mistaken_for_the_writer_before_it(tmp_path):
    KnowledgeBase.open(tmp_path / "kb", **WHO).close()
    with KnowledgeBase.open(tmp_path / "kb", read_only=True):
        with pytest.raises(StoreLocked) as refused:
            KnowledgeBase.open(tmp_path / "kb", **WHO)
        assert str(os.getpid()) not in refused.value.message
        assert "reads" in refused.value.message


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_a_killed_holder_frees_the_lock_and_a_reader_does_not_speak_for_it(tmp_path):
    writer = Writer(tmp_path / "kb", STORY)
    assert writer.read()
    assert writer.read()
    with pytest.raises(StoreLocked) as refused:
        KnowledgeBase.open(tmp_path / "kb", **WHO)
    named = refused.value.message
    writer.kill()
    assert "writer_process.py" in named
    KnowledgeBase.open(tmp_path / "kb", **WHO).close()
    lock = tmp_path / "kb" / "lock"
    lock.write_text('{"pid": 1, "command": "gone", "started": "2026-01-01T00:00:00Z"}')
    with KnowledgeBase.open(tmp_path / "kb", read_only=True):
        with pytest.raises(StoreLocked) as refused:
            KnowledgeBase.open(tmp_path / "kb", **WHO)
        assert "gone" not in refused.value.message


def test_a_lock_timeout_ends_in_the_same_refusal(tmp_path):
    with KnowledgeBase.open(tmp_path / "kb", **WHO), pytest.raises(StoreLocked) as refused:
        KnowledgeBase.open(tmp_path / "kb", lock_timeout=0.1)
    assert refused.value.code == "store_locked"


def test_closing_twice_is_harmless_and_a_closed_base_says_so(tmp_path):
    base = KnowledgeBase.open(tmp_path / "kb", **WHO)
    check_writable(base, STORY)
    view = base.at()
    assert view.count() == 3
    base.close()
    base.close()
    with pytest.raises(StoreLocked) as refused:
        base.at().facts()
    assert refused.value.code == "closed"
