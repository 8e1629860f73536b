"""
Outside data in and out again: the counts written down in `docs/outside-data.md` are met.

Every file is loaded, exported in each format that can hold it, parsed by pyoxigraph alone and held
against the file; the export is loaded again. The gate takes a sample; everything, in 40 seconds:
`pytest -m long tests/loading/test_outside_data.py`.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import pytest
from loading.round_trip import check_round_trip, loaded

from semantica_rdf import KnowledgeBase
from semantica_rdf.errors import SemanticaError

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"
NANOPUBS = DATA / "nanopub"
WIKIDATA = DATA / "wikidata-json" / "wbgetentities-Douglas-Adams.json"
COUNTS = {
    "gleif/*.ttl": (7, 681, 681, 58, 0),
    "revisions/data.nq": (1, 424, 424, 69, 25),
    "revisions/prov.json": (1, 446, 446, 38, 0),
    "nanopub/valid/plain/*.trig": (16, 301, 301, 0, 64),
    "nanopub/valid/plain/*.nq": (1, 9, 9, 0, 4),
    "nanopub/valid/signed/*.trig": (46, 1329, 1329, 8, 184),
    "nanopub/valid/trusty/*.trig": (27, 603, 603, 5, 108),
    "nanopub/invalid/*/*.trig": (17, 221, 221, 0, 70),
    "prov/rdf/*.ttl": (398, 5619, 4863, 799, 0),
    "prov/rdf/*.trig": (4, 56, 56, 0, 8),
}
"""Per set: files, statements read, stored, of these with a spelling kept beside, named graphs."""
SAMPLES = {"prov/rdf/*.ttl": 40, "nanopub/valid/signed/*.trig": 9, "nanopub/valid/trusty/*.trig": 9}
"""Of which sets the gate takes but every n-th file."""

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the outside data folder is absent")


def _files(pattern, step=1):
    return sorted(DATA.glob(pattern))[::step]


def _figures(path):
    base, report = loaded(path)
    with base:
        quads = list(base.at().quads())
        kept = [
            statement
            for subject in {quad.subject.value for quad in quads}
            for statement in base.history((subject, None, None))
            if statement.source_text is not None
        ]
        graphs = {str(quad.graph_name) for quad in quads} - {"DEFAULT"}
        assert report.rejected == ()
        return 1, report.read, report.stored, len(kept), len(graphs)


@pytest.mark.parametrize("pattern", COUNTS)
def test_every_file_loads_with_the_written_counts(pattern):
    figures = [_figures(path) for path in _files(pattern)]
    assert tuple(map(sum, zip(*figures, strict=True))) == COUNTS[pattern]


@pytest.mark.parametrize("pattern", COUNTS)
def test_a_sample_comes_back_as_it_was(pattern):
    for path in _files(pattern, SAMPLES.get(pattern, 4 if "*" in pattern else 1)):
        check_round_trip(path)


@pytest.mark.long
@pytest.mark.parametrize("pattern", COUNTS)
def test_every_file_comes_back_as_it_was(pattern):
    for path in _files(pattern):
        check_round_trip(path)


def test_the_one_format_that_is_not_read_is_refused_by_name():
    with pytest.raises(SemanticaError) as refused:
        loaded(NANOPUBS / "valid/plain/simple1.xml")
    assert refused.value.code == "unknown_format"


@pytest.mark.parametrize(
    "pattern", ["nanopub/valid/plain/*.trig", "prov/rdf/*.ttl", "revisions/[dp]*"]
)
def test_a_file_cut_short_is_refused_with_its_line_and_stores_nothing(pattern, tmp_path):
    for path in _files(pattern, 40 if "prov" in pattern else 1)[:12]:
        text = path.read_bytes()
        cut = tmp_path / path.name
        cut.write_bytes(text[: len(text) * 2 // 3].rstrip().rstrip(b".") + b" <")
        with KnowledgeBase.memory(agent="urn:test:agent", source="urn:test:cut") as base:
            with pytest.raises(SemanticaError) as refused:
                base.load(cut, reason="cut", format="jsonld" if path.suffix == ".json" else None)
            assert refused.value.code in {"syntax_error", "bad_encoding"}, path.name
            assert base.at().count() == 0
            assert len(refused.value.message) > 10


@pytest.fixture(scope="module")
def check():
    """Return the shipped checker of nanopublications."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "examples" / "nanopub"))
        import check

        yield check
    for name in ("check", "trusty"):
        sys.modules.pop(name, None)


INVALID = {
    "plain/assertion_graph_uri_not_matching.trig": "is not named after",
    "plain/emptya.trig": "the assertion <http://example.org/nanopub-validator-example/assertion> is empty",
    "plain/emptyinfo.trig": "is empty",
    "plain/emptyprov.trig": "is empty",
    "plain/extragraph.trig": "foobar> belongs to no nanopublication",
    "plain/graphs_uris_equal.trig": "has one graph for two",
    "plain/illtyped_datatypes_in_assertion.trig": "does not fit its datatype",
    "plain/noinfolink.trig": "says nothing of <http://example.org/nanopub-validator-example/>",
    "plain/noprovlink.trig": "says nothing of <http://example.org/nanopub-validator-example/assertion>",
    "plain/provenance_graph_uri_not_matching.trig": "is not named after",
    "plain/pubinfo_graph_uri_not_matching.trig": "is not named after",
    "plain/valid_invalid1.trig": "has 0 links to its assertion",
    "signed/RA6T-YLqLnYd5XfnqR9PaGUjCzudvHdYjcG4GvOc7fdpA-all-LF.trig": "the hash in",
    "signed/simple1-invalid-dsa.trig": "the signature",
    "signed/simple1-invalid-rsa.trig": "the signature",
    "trusty/trusty1.trig": "the hash in",
    "trusty/trusty2.trig": "is not named after",
}


def test_every_invalid_nanopublication_has_its_reason(check):
    folder = NANOPUBS / "invalid"
    assert {str(path.relative_to(folder)) for path in folder.rglob("*.trig")} == set(INVALID)
    for name, reason in INVALID.items():
        found = check.reasons(folder / name)
        assert found, name
        assert any(reason in text for text in found), (name, found)


def test_every_valid_nanopublication_has_none(check):
    paths = [path for path in (NANOPUBS / "valid").rglob("*") if path.suffix in {".trig", ".nq"}]
    assert len(paths) == 90
    assert [path.name for path in paths if check.reasons(path)] == []


def test_a_changed_character_breaks_hash_and_signature(check):
    text = (NANOPUBS / "valid/signed/example6.trig").read_bytes()
    assert check.reasons(text, format="trig") == []
    found = check.reasons(text.replace(b"2020-03-30", b"2020-03-31"), format="trig")
    assert [reason.split(" in ")[0].split(" <")[0] for reason in found] == [
        "the hash",
        "the signature",
    ]
    assert check.reasons(text[:-60], format="trig")[0].startswith("syntax_error")
    assert check.reasons(b"<http://e/a> <http://e/p> 1 .", format="turtle") == [
        "no graph says that something is a np:Nanopublication",
        "DEFAULT belongs to no nanopublication",
    ]


@pytest.fixture(scope="module")
def convert():
    """Return the shipped converter of Wikidata entities."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "examples" / "wikidata"))
        import convert

        yield convert
    sys.modules.pop("convert", None)


def _plain_count(entity):
    """Count claims by kind, without the converter."""
    counts = Counter()
    for kind in ("labels", "descriptions"):
        counts[kind] = len(entity[kind])
    counts["aliases"] = sum(map(len, entity["aliases"].values()))
    for statement in (s for several in entity["claims"].values() for s in several):
        counts["statements"] += 1
        snaks = [statement["mainsnak"]]
        for part in [statement.get("qualifiers", {})]:
            snaks += [snak for several in part.values() for snak in several]
        for reference in statement.get("references", []):
            counts["references"] += 1
            snaks += [snak for several in reference["snaks"].values() for snak in several]
        counts["snaks"] += len(snaks)
        counts["times"] += sum(snak["datavalue"]["type"] == "time" for snak in snaks)
    return counts


def test_a_wikidata_entity_becomes_claims_with_windows(convert):
    [entity] = json.loads(WIKIDATA.read_text(encoding="utf-8"))["entities"].values()
    counts = _plain_count(entity)
    assert counts == {
        "labels": 128, "descriptions": 51, "aliases": 16, "statements": 74, "references": 51,
        "snaks": 232, "times": 40,
    }  # fmt: skip
    drafts = list(convert.drafts([entity], left_out := Counter()))
    texts = sum(counts[kind] for kind in ("labels", "descriptions", "aliases"))
    each = 3 * counts["statements"]
    assert (
        len(drafts) == texts + each + counts["references"] + counts["snaks"] + 5 * counts["times"]
    )
    assert left_out == {"sitelinks": 94}
    with KnowledgeBase.memory(agent="urn:test:agent") as base:
        assert convert.load(base, WIKIDATA) == (732, {"sitelinks": 94})
        assert convert.load(base, WIKIDATA) == (732, {"sitelinks": 94})
        assert len(list(base.changes())) == 1
        _check_wife(base, convert)
        _check_precision(base, convert)


def _check_wife(base, convert):
    adams = convert.ENTITY + "Q42"
    held = [
        day
        for day in ("1991-11-24", "1991-11-25", "2001-05-11T23:59:59Z", "2001-05-12")
        if base.at(valid_at=day).facts(adams, convert.PROP + "direct/P26")
    ]
    assert held == ["1991-11-25", "2001-05-11T23:59:59Z"]
    school = base.history((adams, convert.PROP + "direct/P69", None))
    [left] = [statement for statement in school if statement.valid_until_text]
    assert (left.valid_until_text, left.valid_until.year, left.valid_from) == ("1974", 1975, None)
    assert left.support_id == "q42$0E9C4724-C954-4698-84A7-5CE0D296A6F2"


def _check_precision(base, convert):
    found = {
        (str(fact.object), fact.object.datatype.rpartition("#")[2])
        for fact in base.at().facts(predicate=convert.WIKIBASE + "timeValue")
    }
    assert ("1974", "gYear") in found
    assert ("1952-03-11", "date") in found
    codes = Counter(
        str(fact.object) for fact in base.at().facts(predicate=convert.WIKIBASE + "timePrecision")
    )
    assert set(codes) == {"9", "11"}
    assert sum(codes.values()) == len(found)


@pytest.mark.parametrize(
    ("time", "precision", "text", "datatype", "bounds"),
    [
        ("-0400-00-00T00:00:00Z", 7, "-0400", "gYear", None),
        ("-0044-03-15T00:00:00Z", 11, "-0044-03-15", "date", None),
        ("+0800-00-00T00:00:00Z", 7, "0800", "gYear", ("0701", "0800")),
        ("+1901-00-00T00:00:00Z", 7, "1901", "gYear", ("1901", "2000")),
        ("+1974-00-00T00:00:00Z", 8, "1974", "gYear", ("1970", "1979")),
        ("+1000-00-00T00:00:00Z", 6, "1000", "gYear", ("0001", "1000")),
        ("+00000001974-03-00T00:00:00Z", 10, "1974-03", "gYearMonth", ("1974-03", "1974-03")),
        ("+1952-03-11T00:00:00Z", 11, "1952-03-11", "date", ("1952-03-11", "1952-03-11")),
        ("+12000-00-00T00:00:00Z", 9, "12000", "gYear", None),
    ],
)
def test_wikidata_dates_keep_their_precision(convert, time, precision, text, datatype, bounds):
    date = convert.Date.of({"time": time, "precision": precision})
    assert (date.literal.value, date.literal.datatype.rpartition("#")[2]) == (text, datatype)
    assert date.bounds == bounds


def _statement(convert, **qualifiers):
    """Return an entity whose one statement has these qualifiers: a time and its precision."""
    snaks = {
        key: [
            {"snaktype": "value", "property": key, "datavalue": {"type": "time", "value": {
                "time": time, "precision": precision, "timezone": 0,
                "calendarmodel": calendar}}}
        ]
        for key, (time, precision, calendar) in qualifiers.items()
    }  # fmt: skip
    main = {"snaktype": "value", "property": "P39",
            "datavalue": {"type": "wikibase-entityid", "value": {"entity-type": "item", "id": "Q1"}}}  # fmt: skip
    statement = {"id": "Q9$1", "rank": "normal", "mainsnak": main, "qualifiers": snaks}
    return {"id": "Q9", "claims": {"P39": [statement]}}


def test_bounds_that_no_window_can_have_are_counted(convert):
    gregorian = "http://www.wikidata.org/entity/Q1985727"
    cases = {
        "bounds outside the years 1 to 9999": {"P580": ("-0400-00-00T00:00:00Z", 7, gregorian)},
        "direct facts that ended before year 1": {"P582": ("-0044-03-15T00:00:00Z", 11, gregorian)},
        "bounds in the Julian calendar": {"P580": ("+1500-03-15T00:00:00Z", 11, convert.JULIAN)},
    }
    for reason, qualifiers in cases.items():
        left_out = Counter()
        drafts = list(convert.drafts([_statement(convert, **qualifiers)], left_out))
        assert left_out[reason] == 1
        direct = [draft for draft in drafts if "direct" in draft.predicate.value]
        assert len(direct) == (reason != "direct facts that ended before year 1")
        assert all(draft.valid_from is draft.valid_until is None for draft in direct)
        assert any(draft.predicate.value.endswith("timePrecision") for draft in drafts)
    point = _statement(convert, P585=("+1999-05-00T00:00:00Z", 10, gregorian))
    [direct] = [d for d in convert.drafts([point], Counter()) if "direct" in d.predicate.value]
    with KnowledgeBase.memory(agent="urn:test:agent", source="urn:test:wd") as base:
        with base.transaction(reason="import") as tx:
            tx.extend([direct])
        held = [
            base.at(valid_at=day).count()
            for day in ("1999-04-30", "1999-05-01", "1999-05-31", "1999-06-01")
        ]
        assert held == [0, 1, 1, 0]
