"""Answers and facts as Arrow and pandas: typed columns, nulls, nothing lost in silence."""

from __future__ import annotations

import math
import subprocess
import sys
from datetime import UTC, date, datetime
from decimal import Decimal

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semantica_rdf import KnowledgeBase, iri, literal
from semantica_rdf.errors import ValidationError
from semantica_rdf.model import terms, vocab
from semantica_rdf.view.results import Solutions, Triples

EX = "https://example.org/"
LONG = 10**18
TEXT = pa.string()
MOMENT = pa.timestamp("us", tz="UTC")


def typed(text: str, kind: str) -> terms.Literal:
    return literal(text, datatype=vocab.XSD + kind)


def column(*values: terms.Term | None) -> pa.ChunkedArray:
    return Solutions(("x",), [(value,) for value in values]).to_arrow().column("x")


@pytest.mark.quick
@pytest.mark.parametrize(
    ("values", "kind", "found"),
    [
        ([literal(7), None, literal(-3)], pa.int64(), [7, None, -3]),
        ([typed("01", "int"), typed("+2", "integer")], pa.int64(), [1, 2]),
        ([literal(2**63 - 1), literal(-(2**63))], pa.int64(), [2**63 - 1, -(2**63)]),
        ([literal(2**63), literal(1)], pa.decimal128(19, 0), [2**63, 1]),
        ([literal(-(10**38) + 1)], pa.decimal128(38, 0), [-(10**38) + 1]),
        ([literal(10**75), literal(0)], pa.decimal256(76, 0), [10**75, 0]),
        ([literal(10**76)], TEXT, [str(10**76)]),
        ([literal("9" * 5000, datatype="xsd:integer")], TEXT, ["9" * 5000]),
        ([typed("x", "integer"), literal(1)], TEXT, ["x", "1"]),
        ([typed("1_0", "integer")], TEXT, ["1_0"]),
        ([typed("1.50", "decimal"), typed("-.5", "decimal")], pa.decimal128(3, 2), ["1.5", "-0.5"]),
        ([typed("0.000", "decimal")], pa.decimal128(3, 3), ["0"]),
        ([typed("1." + "0" * 80, "decimal")], TEXT, ["1." + "0" * 80]),
        ([typed(".", "decimal")], TEXT, ["."]),
        ([literal(0.5), typed("INF", "double"), None], pa.float64(), [0.5, math.inf, None]),
        ([typed("-INF", "float"), typed("1e3", "float")], pa.float64(), [-math.inf, 1000.0]),
        ([typed("inf", "double")], TEXT, ["inf"]),
        ([typed("1_0", "double")], TEXT, ["1_0"]),
        ([literal(True), typed("0", "boolean"), None], pa.bool_(), [True, False, None]),
        ([typed("TRUE", "boolean")], TEXT, ["TRUE"]),
        ([typed("0001-01-01", "date"), None], pa.date32(), [date(1, 1, 1), None]),
        ([typed("2026-09-01Z", "date")], TEXT, ["2026-09-01Z"]),
        ([typed("2026-02-30", "date")], TEXT, ["2026-02-30"]),
        ([typed("2026", "gYear")], TEXT, ["2026"]),
        ([literal("a"), literal("b")], TEXT, ["a", "b"]),
        ([literal("a", lang="en"), None], TEXT, ["a", None]),
        ([literal("a"), literal("b", lang="en")], TEXT, ["a", "b"]),
        ([literal(1), literal("1")], TEXT, ["1", "1"]),
        ([literal(1), literal(1.5)], TEXT, ["1", "1.5E0"]),
        ([iri(EX + "a"), terms.BlankNode("b")], TEXT, [EX + "a", "_:b"]),
        ([iri(EX + "a"), literal(1)], TEXT, [EX + "a", "1"]),
        ([None, None], TEXT, [None, None]),
        ([], TEXT, []),
    ],
)
def test_a_column_has_the_type_all_its_values_fit(values, kind, found) -> None:
    made = column(*values)
    assert made.type == kind
    if pa.types.is_decimal(kind):
        found = [Decimal(value) for value in found]
    if values == [literal(1), literal(1.5)]:
        found = [str(value) for value in values]
    assert made.to_pylist() == found


@pytest.mark.quick
@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (["0001-01-01T00:00:00Z"], [datetime(1, 1, 1, tzinfo=UTC)]),
        (["9999-12-31T23:59:59.999999Z"], [datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)]),
        (["2026-09-01T02:00:00.5+02:00"], [datetime(2026, 9, 1, 0, 0, 0, 500000, tzinfo=UTC)]),
        (
            ["2026-09-01T00:00:00", "2026-09-02T00:00:00"],
            [datetime.fromisoformat("2026-09-01"), datetime.fromisoformat("2026-09-02")],
        ),
        (["2026-09-01T00:00:00", "2026-09-02T00:00:00Z"], None),
        (["0001-01-01T00:00:00+02:00"], None),
        (["2026-09-01T00:00:00.1234567Z"], None),
        (["2026-09-01T25:00:00Z"], None),
        (["-0044-03-15T00:00:00Z"], None),
        (["2026-W01-1T00:00:00Z"], None),
    ],
)
def test_instants_are_microseconds_or_text_where_they_would_lose(texts, found) -> None:
    made = column(*(typed(text, "dateTime") for text in texts))
    assert pa.types.is_timestamp(made.type) == (found is not None)
    assert made.to_pylist() == (texts if found is None else found)
    if found is not None:
        assert made.type.unit == "us"
        assert made.type.tz == ("UTC" if found[0].tzinfo else None)


def test_nan_is_not_null() -> None:
    made = column(typed("NaN", "double"), None)
    first, second = made.to_pylist()
    assert math.isnan(first)
    assert second is None
    assert made.null_count == 1


ANY_TERM = st.one_of(
    st.integers().map(literal),
    st.floats(allow_nan=False).map(literal),
    st.booleans().map(literal),
    st.decimals(allow_nan=False, allow_infinity=False, places=3).map(literal),
    st.dates().map(literal),
    st.datetimes(timezones=st.just(UTC)).map(literal),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=5).map(literal),
    st.text(max_size=3, alphabet="ab").map(lambda text: literal(text, lang="en")),
    st.sampled_from("abc").map(lambda name: iri(EX + name)),
)


@given(
    st.one_of(
        st.lists(st.none() | ANY_TERM, max_size=6),
        st.sampled_from(
            [st.integers(), st.decimals(-(10**9), 10**9, places=4), st.booleans(), st.dates()]
        ).flatmap(lambda kind: st.lists(st.none() | kind.map(literal), max_size=6)),
    )
)
def test_a_typed_column_says_what_the_values_say_and_an_untyped_one_gives_them_back(values) -> None:
    found = Solutions(("x",), [(value,) for value in values])
    typed_column = found.to_arrow().column("x")
    python = [None if value is None else value.to_python() for value in values]
    if typed_column.type == TEXT:
        assert typed_column.to_pylist() == [None if v is None else str(v) for v in values]
    else:
        assert typed_column.to_pylist() == python
    untyped = found.to_arrow(typed=False).column("x")
    assert untyped.type == TEXT
    assert [text and terms.term_of_ntriples(text) for text in untyped.to_pylist()] == values


@pytest.fixture
def people(kb: KnowledgeBase) -> Solutions:
    with kb.transaction(reason="test") as tx:
        tx.assert_(EX + "ann", EX + "age", 41)
        tx.assert_(EX + "ann", EX + "born", literal("1500-02-03", datatype="xsd:date"))
        tx.assert_(EX + "bob", EX + "age", 10**30)
    found = kb.at().query(
        f"SELECT ?s ?age ?born {{ ?s <{EX}age> ?age OPTIONAL {{ ?s <{EX}born> ?born }} }} ORDER BY ?s"
    )
    assert isinstance(found, Solutions)
    return found


def test_a_frame_keeps_the_types_and_the_years_before_pandas_own(people: Solutions) -> None:
    frame = people.to_pandas()
    assert list(frame.columns) == ["s", "age", "born"]
    assert frame.dtypes["age"] == pd.ArrowDtype(pa.decimal128(31, 0))
    assert list(frame["age"]) == [Decimal(41), Decimal(10**30)]
    assert frame["born"][0] == date(1500, 2, 3)
    assert frame["born"].isna().tolist() == [False, True]
    assert people.to_pandas(typed=False)["s"][0] == f"<{EX}ann>"
    assert people.to_arrow().column("s").to_pylist() == [EX + "ann", EX + "bob"]


def test_integers_with_gaps_stay_integers(kb: KnowledgeBase) -> None:
    frame = Solutions(("n",), [(literal(2**60 + 1),), (None,)]).to_pandas()
    assert frame["n"][0] == 2**60 + 1
    assert frame["n"].isna()[1]
    assert len(Solutions(("a", "b"), []).to_pandas().columns) == 2
    assert Solutions((), []).to_arrow().num_rows == 0


def test_triples_and_facts_become_tables_too(kb: KnowledgeBase, people: Solutions) -> None:
    triples = kb.at().query("CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }")
    assert isinstance(triples, Triples)
    assert triples.to_arrow().column_names == ["subject", "predicate", "object"]
    assert len(triples.to_pandas()) == len(triples) == 3
    facts = kb.at().facts(EX + "ann")
    assert facts == list(facts)
    frame = facts.to_pandas()
    assert list(frame["object"]) == ["41", "1500-02-03"]
    assert frame["valid_from"].isna().all()
    assert [list(sources) for sources in frame["sources"]] == [[EX + "hr"]] * 2
    assert facts.to_arrow().schema.field("valid_until").type == MOMENT


@pytest.mark.parametrize("library", ["pandas", "pyarrow"])
def test_a_library_that_is_missing_is_named_with_what_installs_it(
    kb: KnowledgeBase, people: Solutions, library: str, tmp_path, monkeypatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, library, None)
    calls = [people.to_pandas, kb.at().facts().to_pandas]
    if library == "pyarrow":
        calls += [people.to_arrow, kb.at().facts().to_arrow]
        calls += [lambda: kb.export(tmp_path / "facts.parquet", view=kb.at())]
        calls += [lambda: kb.export(tmp_path / "facts.arrow")]
    for call in calls:
        with pytest.raises(ValidationError, match=library) as caught:
            call()
        assert caught.value.code == "extra_missing"
        assert "pip install 'semantica-rdf[frames]'" in str(caught.value)
    assert not list(tmp_path.iterdir())
    assert kb.export(tmp_path / "facts.csv", view=kb.at()) is None
    assert (tmp_path / "facts.csv").stat().st_size


USES = """
import sys
from semantica_rdf import KnowledgeBase
kb = KnowledgeBase.memory(agent="https://example.org/a", source="https://example.org/s")
with kb.transaction(reason="test") as tx:
    tx.assert_("https://example.org/a", "https://example.org/p", 1)
kb.at().query("SELECT * { ?s ?p ?o }").to_dicts()
kb.at().facts()
kb.export(format="turtle"), kb.export(format="csv")
print([name for name in ("pandas", "pyarrow") if name in sys.modules])
kb.export(format="arrow")
print([name for name in ("pandas", "pyarrow") if name in sys.modules])
"""


def test_neither_library_is_imported_until_it_is_asked_for() -> None:
    done = subprocess.run([sys.executable, "-c", USES], capture_output=True, text=True, check=True)
    before, after = done.stdout.splitlines()
    assert before == "[]"
    assert "pyarrow" in after
