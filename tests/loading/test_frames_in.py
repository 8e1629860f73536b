"""Frames of pandas and pyarrow come in through the mapping of a CSV, their cells typed."""

# ruff: noqa: DTZ001  # times without a zone are what is tried here

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semantica_rdf import KnowledgeBase, errors
from semantica_rdf.model import vocab

pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")

EX = "https://example.org/"
MAPPING = {
    "format": {"kind": "csv"},
    "subject": {"column": "who", "base": EX},
    "predicate": {"iri": EX + "value"},
    "object": {"column": "value"},
    "window": {"from": "since"},
    "labels": False,
}


def fresh() -> KnowledgeBase:
    return KnowledgeBase.memory(agent=EX + "ann", source=EX + "hr")


def loaded(frame, mapping=MAPPING):
    kb = fresh()
    report = kb.load(frame, mapping=mapping, reason="import")
    return report, {
        fact.subject.value.removeprefix(EX): fact for fact in kb.at(valid_at="2030").facts()
    }


def both(columns, kinds=None):
    table = pyarrow.table(columns, schema=kinds)
    return [table, table.to_pandas(), table.combine_chunks().to_batches()[0]]


@pytest.mark.quick
def test_cells_keep_their_types():
    values = {
        "integer": [7], "double": [1.5], "boolean": [True], "decimal": [Decimal("1.10")],
        "date": [date(2026, 9, 1)], "dateTime": [datetime(2026, 9, 1, 12, tzinfo=UTC)], "string": ["x"],
    }  # fmt: skip
    for name, value in values.items():
        for frame in both({"who": ["a"], "value": value, "since": ["2020-01-01"]}):
            report, facts = loaded(frame)
            assert (report.read, report.stored, report.rejected) == (1, 1, ()), name
            assert facts["a"].object.datatype == vocab.XSD + name


@pytest.mark.quick
def test_absences_are_empty_cells_and_rows_are_counted_from_one():
    for frame in both(
        {"who": ["a", None, "c"], "value": [1.0, 2.0, None], "since": [None, None, None]}
    ):
        report, facts = loaded(frame)
        assert [(item.line, item.code) for item in report.rejected] == [
            (2, "missing_value"), (3, "missing_value")
        ]  # fmt: skip
        assert list(facts) == ["a"]
    frame = pandas.DataFrame({"who": ["a"], "value": [pandas.NA], "since": [pandas.NaT]})
    assert loaded(frame)[0].rejected_by_code == {"missing_value": 1}


@pytest.mark.quick
def test_windows_are_read_as_from_a_csv_and_a_zone_is_asked_for():
    day, local = [date(2026, 3, 1)], [datetime(2026, 3, 1, 8)]
    for frame in both({"who": ["a"], "value": ["x"], "since": day}):
        assert loaded(frame)[1]["a"].window.start == 1772323200000000
    zoned = MAPPING | {"window": {"from": "since", "timezone": "Europe/Zurich"}}
    for frame in both({"who": ["a"], "value": ["x"], "since": local}):
        assert loaded(frame)[0].rejected_by_code == {"naive_datetime": 1}
        facts = loaded(frame, zoned)[1]
        assert facts["a"].window.start == 1772323200000000 + 7 * 3_600_000_000


@pytest.mark.quick
def test_what_cannot_be_read_is_refused():
    table = pyarrow.table({"who": ["a", "b"], "value": [[1], None], "since": ["2020", "2020"]})
    assert loaded(table)[0].rejected_by_code == {"missing_value": 1, "unsupported_term": 1}
    for frame in both({"who": ["a"], "value": ["x"]}):
        with pytest.raises(errors.ValidationError) as caught:
            fresh().load(frame, mapping=MAPPING, reason="import")
        assert caught.value.code == "unknown_column"
        with pytest.raises(errors.ValidationError) as caught:
            fresh().load(frame, reason="import")
        assert caught.value.code == "mapping_required"


@settings(max_examples=30)
@given(
    st.lists(
        st.tuples(
            st.sampled_from("abc"),
            st.text("xyz\u00e9 ", min_size=1, max_size=4),
            st.sampled_from(["2020", "2021-02"]),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_a_frame_of_texts_gives_what_its_csv_gives(rows):
    frame = pandas.DataFrame(rows, columns=["who", "value", "since"])
    results = []
    for document in (frame, pyarrow.Table.from_pandas(frame), frame.to_csv(index=False).encode()):
        kb = fresh()
        report = kb.load(document, mapping=MAPPING, reason="import")
        facts = [(fact.key, fact.window) for fact in kb.at(valid_at="2030").facts()]
        results.append((facts, report.stored, report.rejected_by_code))
    assert results[0] == results[1] == results[2]


@pytest.mark.quick
def test_loading_a_document_imports_no_frame_library():
    code = (
        "import sys\nfrom semantica_rdf import KnowledgeBase\n"
        "kb = KnowledgeBase.memory(agent='https://e.org/a', source='https://e.org/s')\n"
        "kb.load(b'<https://e.org/a> <https://e.org/b> 1 .', format='turtle', reason='x')\n"
        "print(sorted({'pandas', 'pyarrow'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def columns(**given):
    return {"who": ["a"], "since": ["2020"], **given}


PANDAS = {
    "int64": ([2**62], "integer"),
    "Int64": ([5], "integer"),
    "uint8": ([5], "integer"),
    "float32": ([1.5], "double"),
    "Float64": ([1.5], "double"),
    "bool": ([True], "boolean"),
    "boolean": ([True], "boolean"),
    "category": (["x"], "string"),
    "string": (["x"], "string"),
    "object": ([Decimal("1.5")], "decimal"),
    "datetime64[ns, UTC]": (["2026-09-01T12:00"], "dateTime"),
    "datetime64[us, Europe/Zurich]": (["2026-09-01T12:00"], "dateTime"),
    "date32[pyarrow]": ([date(2026, 9, 1)], "date"),
    "decimal128(5, 2)[pyarrow]": ([Decimal("1.50")], "decimal"),
}


@pytest.mark.parametrize("kind", PANDAS)
def test_every_kind_of_pandas_column_has_its_datatype(kind):
    cells, name = PANDAS[kind]
    if "decimal128" in kind:
        series = pandas.Series(cells, dtype=pandas.ArrowDtype(pyarrow.decimal128(5, 2)))
    else:
        series = pandas.Series(cells, dtype=kind)
    frame = pandas.DataFrame(columns(value=series))
    report, facts = loaded(frame)
    assert report.rejected == ()
    assert facts["a"].object.datatype == vocab.XSD + name
    empty = pandas.DataFrame(columns(value=series.reindex([7])))
    if kind not in {"bool", "int64", "uint8"}:
        assert loaded(empty)[0].rejected_by_code == {"missing_value": 1}


def test_numpy_scalars_inside_objects_are_numbers_and_infinity_is_a_double():
    import numpy as np

    cells = [np.int64(5), np.float32(0.5), np.bool_(True), float("inf"), float("nan"), "7"]
    frame = pandas.DataFrame(
        {"who": list("abcdef"), "value": cells, "since": ["2020"] * 6}, dtype=object
    )
    report, facts = loaded(frame)
    assert {name: facts[name].object.datatype.removeprefix(vocab.XSD) for name in facts} == {
        "a": "integer", "b": "double", "c": "boolean", "d": "double", "f": "string",
    }  # fmt: skip
    assert facts["d"].object.value == "INF"
    assert report.rejected_by_code == {"missing_value": 1}


@pytest.mark.parametrize("ns", [1, 999])
def test_times_finer_than_a_microsecond_are_refused_by_row(ns):
    stamps = [
        pandas.Timestamp("2026-09-01T12:00:00Z"),
        pandas.Timestamp(1_800_000_000_000_000_000 + ns, tz="UTC"),
    ]
    frame = pandas.DataFrame({"who": ["a", "b"], "value": stamps, "since": ["2020", "2020"]})
    arrow = pyarrow.table(
        {"who": ["a", "b"], "since": ["2020", "2020"],
         "value": pyarrow.array([1_800_000_000_000_000_000, 1_800_000_000_000_000_000 + ns],
                                pyarrow.timestamp("ns", "UTC"))}
    )  # fmt: skip
    for one in (frame.astype({"value": "datetime64[ns, UTC]"}), arrow):
        report, facts = loaded(one)
        assert [(item.line, item.code) for item in report.rejected] == [(2, "too_precise")]
        assert list(facts) == ["a"]


SECONDS, DAYS = pyarrow.timestamp("s", "UTC"), pyarrow.date32()
UNHELD = {
    "a time of Arrow": (pyarrow.array([2**60, 1_800_000_000], SECONDS), "unsupported_term"),
    "a day of Arrow": (pyarrow.array([2**30, 20_000], DAYS), "unsupported_term"),
    "a time at the edge": (
        pyarrow.array([-62_135_596_800, 1], pyarrow.timestamp("s", "America/New_York")),
        "unsupported_term",
    ),
    "a text that is no UTF-8": (
        pyarrow.Array.from_buffers(
            pyarrow.string(), 2,
            [None, pyarrow.py_buffer(bytes(4) + b"\1\0\0\0\2\0\0\0"), pyarrow.py_buffer(b"\xffx")],
        ),
        "unsupported_term",
    ),
    "an Arrow column of pandas": (
        pandas.Series(pandas.arrays.ArrowExtensionArray(pyarrow.array([2**60, 1], SECONDS))),
        "unsupported_term",
    ),
    "a time of pandas": (
        pandas.Series([568_971_820_800, 1_577_836_800]).astype("datetime64[s, UTC]"),
        "year_out_of_range",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNHELD)
def test_a_cell_that_python_has_no_value_for_is_refused_by_row(name):
    cells, code = UNHELD[name]
    if isinstance(cells, pandas.Series):
        frames = [pandas.DataFrame({"who": ["a", "b"], "value": cells, "since": ["2020", "2020"]})]
    else:
        table = pyarrow.table({"who": ["a", "b"], "value": cells, "since": ["2020", "2020"]})
        frames = [table, *table.to_batches()]
    for frame in frames:
        report, facts = loaded(frame)
        assert [(item.line, item.code) for item in report.rejected] == [(1, code)]
        assert list(facts) == ["b"]


def test_times_of_numpy_are_times_and_never_counts_of_ticks():
    import numpy as np

    cells = [
        np.datetime64("2026-03-01T08:00", "ns"), np.datetime64("2026-03-01T08:00", "s"),
        np.datetime64("2026-03-01"), np.datetime64("NaT", "ns"),
        np.datetime64(1, "ns"), np.datetime64("20000", "Y"), np.datetime64(2**61, "s"),
        np.timedelta64(5, "ns"), np.timedelta64(5, "h"),
    ]  # fmt: skip
    frame = pandas.DataFrame({"who": list("abcdefghi"), "since": ["2020"] * 9})
    frame["value"] = pandas.Series(cells, dtype=object)
    zoned = MAPPING | {"window": {"from": "since", "timezone": "Europe/Zurich"}}
    report, facts = loaded(frame, zoned)
    assert {name: fact.object.value for name, fact in facts.items()} == {
        "a": "2026-03-01T08:00:00+01:00", "b": "2026-03-01T08:00:00+01:00", "c": "2026-03-01",
    }  # fmt: skip
    assert [(item.line, item.code) for item in report.rejected] == [
        (4, "missing_value"), *((line, "unsupported_term") for line in range(5, 10))
    ]  # fmt: skip
    assert loaded(frame)[0].rejected_by_code["naive_datetime"] == 2


def test_gaps_and_folds_of_the_zone_are_refused_by_row_in_every_column():
    zoned = MAPPING | {"window": {"from": "since", "timezone": "Europe/Zurich"}}
    times = [
        datetime(2024, 3, 31, 2, 30),
        datetime(2024, 10, 27, 2, 30),
        datetime(2024, 3, 31, 3, 30),
    ]
    for frame in both({"who": list("abc"), "value": times, "since": ["2020"] * 3}):
        report, facts = loaded(frame, zoned)
        assert [(item.line, item.code) for item in report.rejected] == [
            (1, "nonexistent_time"), (2, "ambiguous_time"),
        ]  # fmt: skip
        assert facts["c"].object.value == "2024-03-31T03:30:00+02:00"


def test_equal_cells_of_another_spelling_stay_apart():
    cells = [0.0, -0.0]
    frame = pandas.DataFrame({"who": ["a", "b"], "value": cells, "since": ["2020", "2020"]})
    facts = loaded(frame)[1]
    assert facts["a"].object.value != facts["b"].object.value


def test_many_rows_keep_their_numbers_across_parts_and_chunks():
    count = 8_500
    values = [None if at in {1, 8_200, 8_499} else at for at in range(count)]
    table = pyarrow.table({"who": [f"w{at}" for at in range(count)], "value": values})
    table = pyarrow.concat_tables([table.slice(0, 7), table.slice(7)])
    names = table.column("who").dictionary_encode()
    mapping = {key: part for key, part in MAPPING.items() if key != "window"}
    for frame in (table.set_column(0, "who", names), table.to_pandas().astype({"value": "Int64"})):
        report = fresh().load(frame, mapping=mapping, reason="import", dry_run=True)
        assert [item.line for item in report.rejected] == [2, 8_201, 8_500]
        assert (report.read, report.stored) == (count, count - 3)


def test_a_column_twice_and_a_format_are_refused_and_other_labels_are_texts():
    twice = pandas.DataFrame([["a", 1, 2, "2020"]], columns=["who", "value", "value", "since"])
    with pytest.raises(errors.ValidationError, match="two columns 'value'"):
        loaded(twice)
    with pytest.raises(errors.ValidationError) as caught:
        fresh().load(twice, mapping=MAPPING, format="csv", reason="import")
    assert caught.value.code == "unknown_format"
    numbered = pandas.DataFrame([["a", 1, "2020"]])
    mapping = MAPPING | {
        "subject": {"column": "0", "base": EX}, "object": {"column": "1"}, "window": {"from": "2"}
    }  # fmt: skip
    assert loaded(numbered, mapping)[0].stored == 1


def test_what_a_mapping_does_not_name_may_be_anything():
    frame = pandas.DataFrame(columns(value=["x"], other=[{"a": object()}]))
    assert loaded(frame)[0].stored == 1
    assert loaded(frame.rename(columns={"value": "v", "other": "value"}))[0].rejected_by_code == {
        "unsupported_term": 1
    }


def test_a_confidence_is_rounded_to_what_a_float_says():
    mapping = MAPPING | {"statement": {"confidence": "sure"}}
    for frame in both(columns(value=["x"], sure=[0.1 + 0.2])):
        with fresh() as kb:
            assert kb.load(frame, mapping=mapping, reason="import").stored == 1
            (statement,) = kb.history((EX + "a", EX + "value", "x"))
            assert str(statement.confidence) == "0.3"


def test_roles_and_null_words_work_as_in_a_csv():
    mapping = MAPPING | {
        "format": {"kind": "csv", "null": ["-"]},
        "window": {"role": "role", "date": "since", "starts": ["+"], "ends": ["!"]},
    }
    for frame in both(
        {"who": ["a", "a", "b"], "value": ["x", "x", "-"], "role": ["+", "!", "+"],
         "since": [date(2020, 1, 1), date(2031, 1, 1), date(2020, 1, 1)]}
    ):  # fmt: skip
        report, facts = loaded(frame, mapping)
        assert (report.read, report.stored, report.joined) == (3, 1, 1)
        assert report.rejected_by_code == {"missing_value": 1}
        assert facts["a"].window.start == 1577836800000000
