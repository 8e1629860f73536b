"""The shipped mappings over the outside temporal knowledge graphs: every line is accounted for."""

from __future__ import annotations

from pathlib import Path

import pytest
from loading.counting import count
from loading.recording import Recorder

from semantica_rdf import KnowledgeBase
from semantica_rdf.loading import LoadReport

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data" / "temporal-kgs"
MAPPINGS = ROOT / "examples" / "temporal-kgs"
FILES = {
    "yago15k/yago15k_test.txt": (13800, 1524, 12276, 0, 0),
    "yago15k/yago15k_valid.txt": (13815, 1517, 12298, 0, 0),
    "wikidata/wiki_test.txt": (14283, 1178, 12623, 480, 2),
    "wikidata/wiki_valid.txt": (14374, 1097, 12778, 498, 1),
    "icews14/icews_2014_test.txt": (8963, 0, 8963, 0, 0),
    "icews14/icews_2014_valid.txt": (8941, 0, 8941, 0, 0),
}
"""Per file: read, joined, stored into an empty base, duplicates, rejected."""

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the outside data folder is absent")
YAGO = "http://yago-knowledge.org/resource/"
ENTITY, DIRECT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
ICEWS = "https://example.org/icews/"
KNOWN = {
    "yago15k/yago15k_valid.txt": (
        (YAGO + "Neil_Grayson", YAGO + "playsFor", YAGO + "Boston_United_F.C."),
        ("1992-01-01", "1994-12-31"),
        ("1991-12-31", "1995-01-01"),
    ),
    "yago15k/yago15k_test.txt": (
        (YAGO + "Ireland", YAGO + "isLocatedIn", YAGO + "Dublin"),
        ("1900", "2026"),
        (),
    ),
    "wikidata/wiki_test.txt": (
        (ENTITY + "Q470340", DIRECT + "P54", ENTITY + "Q18741"),
        ("2005-01-01", "2026"),
        ("2004-12-31",),
    ),
    "wikidata/wiki_valid.txt": (
        (ENTITY + "Q312510", DIRECT + "P54", ENTITY + "Q268208"),
        ("1900", "2015-12-31"),
        ("2016-01-01",),
    ),
    "icews14/icews_2014_test.txt": (
        (ICEWS + "actor/Japan", ICEWS + "event/Make%20a%20visit", ICEWS + "actor/Thailand"),
        ("2014-09-22T00:00:00Z", "2014-09-22T23:59:59Z"),
        ("2014-09-21", "2014-09-23"),
    ),
    "icews14/icews_2014_valid.txt": (
        (ICEWS + "actor/Citizen%20(India)", ICEWS + "event/Threaten",
         ICEWS + "actor/Company%20-%20Owner%20or%20Operator%20(India)"),
        ("2014-06-20",),
        ("2014-06-19", "2014-06-21"),
    ),
}  # fmt: skip
"""Per file: a fact, dates at which it holds, dates at which it does not."""


def _mapping(name: str) -> Path:
    return MAPPINGS / f"{name.partition('/')[0]}.toml"


def _figures(report: LoadReport) -> tuple[int, int, int, int, int]:
    rejected = len(report.rejected)
    return report.read, report.joined, report.stored, report.duplicates, rejected


@pytest.mark.parametrize("name", FILES)
def test_the_written_counts_are_met_and_agree_with_a_plain_count(name: str) -> None:
    report = Recorder().load(DATA / name, mapping=_mapping(name))
    assert _figures(report) == FILES[name]
    plain = count(DATA / name)
    keys = ("read", "joined", "stored", "duplicates", "rejected")
    assert tuple(plain[key] for key in keys) == FILES[name]
    assert report.labels == plain["labels"]
    assert set(report.rejected_by_code) <= {"missing_value"}


def test_the_shipped_page_states_these_counts() -> None:
    page = (MAPPINGS / "README.md").read_text(encoding="utf-8")
    for name, (read, joined, stored, duplicates, rejected) in FILES.items():
        figures = " | ".join(f"{n:,}" for n in (read, joined, stored, duplicates, rejected))
        assert f"`{name.split('/')[1]}` | {figures}" in page
    assert sum(figures[0] for figures in FILES.values()) == 74_176


@pytest.fixture(scope="module")
def loaded() -> dict[str, KnowledgeBase]:
    bases = {}
    for name, figures in FILES.items():
        base = KnowledgeBase.memory(agent="urn:test:agent", source=f"urn:test:{name}")
        report = base.load(DATA / name, reason="import", mapping=_mapping(name))
        assert _figures(report) == figures
        bases[name] = base
    return bases


@pytest.mark.parametrize("name", FILES)
def test_a_known_fact_is_found_when_it_held_and_absent_when_not(
    loaded: dict[str, KnowledgeBase], name: str
) -> None:
    (subject, predicate, object_), present, absent = KNOWN[name]
    base = loaded[name]

    def objects(**coordinate: str) -> list[str]:
        facts = base.at(**coordinate).facts(subject=subject, predicate=predicate)
        return [str(fact.object) for fact in facts]

    for instant in present:
        assert object_ in objects(valid_at=instant)
        assert object_ not in objects(valid_at=instant, known_at="2001-01-01")
    for instant in absent:
        assert object_ not in objects(valid_at=instant)
    base.close()
