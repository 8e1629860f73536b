"""`KnowledgeBase.load` over the real ledger: no-op reloads, chunks, dry runs, own exports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from semantica_rdf import KnowledgeBase
from semantica_rdf.errors import ValidationError

PEOPLE = b"""
@prefix e: <https://example.org/> .
e:ann e:worksFor e:acme ; e:address [ e:city "Zug" ] ; e:age 01 .
e:bob e:address [ e:city "Bern" ] .
"""


def _base() -> KnowledgeBase:
    return KnowledgeBase.memory(agent="urn:test:agent", source="urn:test:source")


@pytest.fixture
def base() -> Iterator[KnowledgeBase]:
    with _base() as base:
        yield base


@pytest.mark.quick
def test_a_loaded_file_is_one_transaction_and_a_reload_none(base: KnowledgeBase) -> None:
    first = base.load(PEOPLE, reason="import", format="turtle")
    assert (first.read, first.stored) == (6, 6)
    assert len(first.receipts) == 1
    again = base.load(PEOPLE, reason="import", format="turtle")
    assert (again.stored, again.already_there, again.receipts) == (0, 6, ())
    assert len(list(base.changes())) == 1
    assert base.at().count() == 6


def test_a_dry_run_and_a_failed_load_leave_nothing(base: KnowledgeBase) -> None:
    dry = base.load(PEOPLE, reason="import", format="turtle", dry_run=True)
    assert dry.stored == 6
    with pytest.raises(ValidationError):
        base.load(PEOPLE + b"<oops", reason="import", format="turtle")
    assert base.at().count() == 0
    assert list(base.changes()) == []
    assert base.load(PEOPLE, reason="import", format="turtle").stored == 6


def test_a_repeated_reference_records_nothing_and_says_so(base: KnowledgeBase) -> None:
    first = base.load(PEOPLE, reason="import", format="turtle", reference="batch-1")
    other = PEOPLE.replace(b"e:ann", b"e:eve")
    again = base.load(other, reason="import", format="turtle", reference="batch-1")
    assert (first.stored, again.stored) == (6, 0)
    assert again.receipt.sequence == first.receipt.sequence
    assert again.warnings
    assert base.at().count() == 6


def test_chunks_are_recorded_one_by_one(base: KnowledgeBase) -> None:
    report = base.load(PEOPLE, reason="import", format="turtle", chunk=4)
    assert len(report.receipts) == len(list(base.changes())) == 2
    assert base.at().count() == 6


def test_reserved_words_are_rejected_and_the_rest_is_stored(base: KnowledgeBase) -> None:
    text = PEOPLE + b"e:ann <https://w3id.org/semantica-rdf/ns#recordedAt> 1 ."
    report = base.load(text, reason="import", format="turtle")
    assert (report.stored, report.rejected_by_code) == (6, {"reserved_term": 1})


@pytest.mark.parametrize("format_", ["turtle", "nquads", "jsonld"])
def test_our_own_export_comes_back_with_windows_and_sources(
    base: KnowledgeBase, tmp_path: Path, format_: str
) -> None:
    base.load(PEOPLE, reason="import", format="turtle", valid_from="2020", valid_until="2024")
    with base.transaction(reason="ended") as change:
        change.retract(source="urn:test:source", valid_until="2022")
    path = tmp_path / "record"
    path.write_bytes(base.export(format=format_) or b"")
    with _base() as other:
        report = other.load(path, reason="restore", format=format_)
        assert (report.stored, report.rejected) == (6, ())
        assert report.skipped["superseded versions"] == 6
        assert report.skipped["transactions"] == 2
        for date in ("2019", "2021", "2023"):
            mine, theirs = base.at(valid_at=date), other.at(valid_at=date)
            assert set(map(str, mine.quads())) == set(map(str, theirs.quads()))
        assert (other.at(valid_at="2021").count(), other.at(valid_at="2023").count()) == (6, 0)
