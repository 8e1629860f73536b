"""The reading commands: what they show, in words and as JSON, and that they create nothing."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.quick

EX = "https://example.org/"
WHO = ("--source", "ex:hr", "--agent", "ex:ann", "--reason", "test")
READING = [
    ("show", "ex:bob"),
    ("query", "ASK { ?s ?p ?o }"),
    ("query", "SELECT * { ?s ?p ?o }"),
    ("query", "CONSTRUCT WHERE { ?s ?p ?o }"),
    ("why", "ex:bob", "ex:livesAt", "1 Mill Lane"),
    ("diff", "--from", "@1-0"),
    ("history", "1-1"),
    ("history", "ex:bob"),
    ("prefixes",),
    ("log",),
    ("log", "--statements"),
    ("stats",),
    ("verify",),
    ("export", "-o", "out.ttl"),
]


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_a_reading_command_answers_in_json_and_never_makes_a_base(base, words, tmp_path):
    done = base(*words, "--kb", "nowhere")
    assert done.code == 4
    assert done.err.startswith("error[no_base]: there is no knowledge base in nowhere\n  hint: ")
    assert not (tmp_path / "nowhere").exists()
    there = base(*words, "--json")
    assert there.code == 0
    assert there.json


CSV = [words for words in READING if words[0] != "export" and "CONSTRUCT" not in str(words)]
COORDINATE = ("--valid-at", "2024-06-01", "--known-at", "2-0", "--namespace", "default")
EVERYWHERE = {"prefixes", "verify"}
"""What has no time axis, or is all of the base by its nature."""


@pytest.mark.parametrize("words", CSV, ids=" ".join)
def test_a_reading_command_answers_in_csv_with_a_header(base, words):
    done = base(*words, "--format", "csv")
    assert done.code == 0
    if "ASK" in str(words):
        assert done.out == "true\n"
        return
    assert done.out.count("\n") == done.out.count("\r\n") > 0
    header, *rows = csv.reader(io.StringIO(done.out, newline=""), strict=True)
    assert len(set(header)) == len(header) > 0
    assert all(len(row) == len(header) for row in rows)
    assert rows or words[0] == "verify"


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_format_json_is_json_and_formats_exclude_each_other(base, words):
    if words[0] in {"query", "export"}:
        return
    same = (base(*words, "--json").json, base(*words, "--format", "json").json)
    assert _timeless(same[0]) == _timeless(same[1])
    tables = [base(*words, *chosen).out for chosen in ((), ("--format", "table"))]
    assert tables[0].count("\n") == tables[1].count("\n") > 0
    wrong = base(*words, "--format", "csv", "--json")
    assert wrong.code == 2
    assert wrong.error["code"] == "usage"
    assert base(*words, "--format", "yaml").code == 2


def _timeless(value):
    """Return a plain value without the coordinate: "now" moves on between two commands."""
    if not isinstance(value, dict):
        return value
    return {
        name: inner for name, inner in value.items() if name not in {"coordinate", "from", "to"}
    }


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_every_reading_command_takes_a_coordinate(base, words):
    done = base(*words, *COORDINATE)
    if words[0] in EVERYWHERE:
        assert done.code == 2
    else:
        assert done.code == (1 if words == ("why", "ex:zoe", "ex:p", "1") else 0), done.err
        assert base(*words, "--known-at", "9-0").code == 4
        assert base(*words, "--valid-at", "soon").code == 3


def test_csv_keeps_what_json_says(base):
    base("assert", "ex:bob", "ex:says", r'"a, \"b\"\nc"@en', "--graph", "ex:g", *WHO)
    base("assert", "ex:bob", "ex:age", "41", *WHO)
    asked = ("show", "ex:bob", "--valid-at", "2024-06-01")
    facts = base(*asked, "--json").json["facts"]
    sheet = list(csv.DictReader(io.StringIO(base(*asked, "--format", "csv").out, newline="")))
    assert len(facts) == len(sheet) == 4
    for fact, row in zip(facts, sheet, strict=True):
        value = fact["object"]
        assert row["object"] == value["value"]
        assert row["object_kind"] == {"uri": "iri", "literal": "literal"}[value["type"]]
        assert row["language"] == value.get("xml:lang", "")
        assert row["datatype"].endswith(value.get("datatype", ""))
        assert row["graph"] == (fact["graph"] or "")
        assert row["valid_until"] == (fact["valid_until"] or "")
        assert row["statements"].split() == fact["statements"]
    exported = base("export", "--format", "csv", "--dataset", "view", "--valid-at", "2024-06-01")
    assert sorted(exported.out.split("\r\n")) == sorted(
        base(*asked, "--format", "csv").out.split("\r\n")
    )
    record = base("export", "--format", "csv").out.split("\r\n")
    assert sorted(base("history", "ex:bob", "--format", "csv").out.split("\r\n")) == sorted(record)


def test_the_record_is_filtered_by_the_coordinate(base):
    base("retract", "2-1", "--valid-until", "2026-01-01", *WHO[2:])
    says = (*WHO, "--namespace", "drafts")
    base("assert", "ex:bob", "ex:p", "1", "--valid-from", "2030", *says)
    history = ("history", "ex:bob", "--json")
    assert [item["id"][-3:] for item in base(*history).json] == ["2-1", "3-1", "1-1"]
    assert [item["id"][-3:] for item in base(*history, "--known-at", "1-0").json] == ["1-1"]
    assert [item["id"][-3:] for item in base(*history, "--valid-at", "2027").json] == ["2-1"]
    (then,) = base("history", "2-1", "--json", "--known-at", "2-0").json
    assert then["superseded_by"] is None
    assert base("history", "ex:bob", "--known-at", "1-0", "--valid-at", "2023").code == 4

    def numbers(*options):
        return [record["sequence"] for record in base("log", "--json", *options).json]

    assert numbers() == [1, 2, 3, 4]
    assert numbers("--known-at", "2-0") == [1, 2]
    assert numbers("--namespace", "drafts") == [4]
    assert numbers("--valid-at", "2024-06-01") == [1, 2, 3]
    assert numbers("--valid-at", "2031") == [2, 3, 4]
    assert numbers("--since", "2-0") == numbers("--since", "2") == [3, 4]
    assert base("log", "--since", "2-1").code == 2
    (record,) = base("log", "--since", "2", "--statements", "--valid-at", "2027", "--namespace",
                     "default", "--json").json  # fmt: skip
    assert [len(record[name]) for name in ("statements", "superseded")] == [0, 1]

    def count(*options):
        return base("stats", "--json", *options).json["statements"]

    assert count() == 4
    assert count("--known-at", "2-0") == 2
    assert count("--namespace", "drafts") == 1
    assert count("--valid-at", "2027") == 1


def test_show_is_a_table_with_the_coordinate_above(base):
    done = base("show", "ex:bob", "--valid-at", "2024-06-01")
    lines = done.out.splitlines()
    assert lines[0].startswith("ex:bob at valid 2024-06-01T00:00:00Z, known 20")
    assert lines[1].split() == ["predicate", "object", "from", "until", "source", "id"]
    assert lines[3].split() == ["ex:livesAt", '"1', "Mill", 'Lane"', "ex:hr", "2-1"]
    assert lines[4].split() == [
        "ex:worksFor", "ex:acme", "2024-01-01", "2025-01-01", "ex:hr", "1-1",
    ]  # fmt: skip


def test_show_says_so_when_nothing_is_believed(base):
    nothing = base("show", "ex:zoe")
    assert nothing.code == 0
    assert "Nothing is believed about it there." in nothing.out
    assert "Nothing is believed" not in base("show", "ex:bob").out


def test_show_names_the_graph_where_there_is_one(base):
    base("assert", "ex:eve", "ex:p", "1", "--graph", "ex:g", *WHO)
    assert "graph" in base("show", "ex:eve").out
    assert "graph" not in base("show", "ex:bob").out


def test_known_at_takes_a_transaction(base):
    before = base("show", "ex:bob", "--known-at", "1-0", "--valid-at", "2024-06-01", "--json").json
    after = base("show", "ex:bob", "--known-at", "2-0", "--valid-at", "2024-06-01", "--json").json
    assert len(before["facts"]) == 1
    assert len(after["facts"]) == 2
    assert before["coordinate"]["known_at"] == base("log", "--json").json[0]["recorded_at"]
    assert base("show", "ex:bob", "--known-at", "3-0").code == 4
    assert base("show", "ex:bob", "--known-at", "0-0").code == 4


def test_a_query_takes_text_a_file_or_stdin(base):
    text = "SELECT ?o { ex:bob ex:livesAt ?o }"
    Path("ask.rq").write_text(text, encoding="utf-8")
    answers = {
        base("query", text).out,
        base("query", "-f", "ask.rq").out,
        base("query", "-", stdin=text).out,
    }
    assert answers == {'?o\n"1 Mill Lane"\n'}
    assert base("query", text, "-f", "ask.rq").code == 2
    assert base("query", "-f", "nowhere.rq").code == 4
    named = base("query", "ask.rq")
    assert named.code == 2
    assert "with --file" in named.err


def test_a_query_takes_terms_for_its_variables(base):
    asked = ("query", "SELECT ?s { ?s ex:worksFor ?o }", "--valid-at", "2024-06-01", "--bind")
    assert base(*asked, "o=ex:acme", "--format", "csv").out.split() == ["s", EX + "bob"]
    assert base(*asked, "o=ex:other", "--format", "csv").out.split() == ["s"]
    assert base(*asked, "unknown=ex:acme").code == 3
    assert base(*asked, "nonsense").code == 2


@pytest.mark.parametrize(
    ("format", "beginning"),
    [("json", "{"), ("csv", "o"), ("tsv", "?o"), ("xml", "<?xml"), ("table", "at valid")],
)
def test_a_query_answers_in_the_format_asked_for(base, format, beginning):
    done = base("query", "SELECT ?o { ex:bob ex:livesAt ?o }", "--format", format)
    assert done.code == 0
    assert done.out.startswith(beginning)
    assert "1 Mill Lane" in done.out
    assert base("query", "SELECT ?o { ?s ?p ?o }", "--format", "turtle").code == 3


def test_a_table_is_the_default_for_people(base, for_people):
    shown = base("query", "SELECT ?o { ex:bob ex:livesAt ?o }").out
    graph = base("query", "CONSTRUCT WHERE { ex:bob ex:livesAt ?o }").out
    empty = base("query", "SELECT ?o { ex:zoe ?p ?o }").out
    truth = base("query", "ASK { ex:bob ?p ?o }").out
    assert shown.splitlines()[-1] == "1 row"
    assert "ex:bob ex:livesAt" in graph
    assert "no rows for o" in empty
    assert truth.endswith("true\n")


def test_the_record_is_queried_without_a_coordinate(base):
    text = "SELECT (COUNT(?s) AS ?n) { ?s a rdf:Statement }"
    assert base("query", text, "--dataset", "record", "--format", "csv").out.split() == ["n", "2"]
    assert base("query", text, "--format", "csv").out.split() == ["n", "0"]
    assert base("query", text, "--dataset", "record", "--valid-at", "2024").code == 2


def test_history_tells_the_versions_with_their_reasons(base):
    base("revise", "hr-1", "--valid-from", "2023-01-01", *WHO[2:4], "--reason", "typing error")
    told = base("history", "hr-1").out
    assert "valid from 2024-01-01 until 2025-01-01, believed, from ex:hr, support id hr-1" in told
    assert "by 3-0 (revise: typing error)" in told
    assert base("history", "ex:bob", "ex:worksFor", "ex:acme").out == told
    assert base("history", "hr-2").code == 4
    assert base("history", "ex:bob", "ex:worksFor").code == 2


def test_the_log_goes_on_after_a_number_and_shows_statements(base):
    base("withdraw", "hr-1", *WHO[2:])
    assert [record["sequence"] for record in base("log", "--since", "1", "--json").json] == [2, 3]
    told = base("log", "--since", "2", "--statements").out
    assert "withdraw (withdrawn-by-source): 0 statements written, 1 superseded" in told
    assert "- 1-1  ex:bob ex:worksFor ex:acme, from 2024-01-01 until 2025-01-01" in told
    (record,) = base("log", "--since", "2", "--statements", "--json").json
    assert record["superseded"][0]["object"]["value"] == EX + "acme"
    assert base("log", "--since", "3").out == "No transactions.\n"


def test_verify_is_no_when_the_head_kept_elsewhere_differs(base):
    head = base("stats", "--json").json["head"]
    assert base("verify", "--head", head).code == 0
    base("withdraw", "hr-1", *WHO[2:])
    assert base("verify", "--head", head).code == 0
    done = base("verify", "--head", f"7:{head.partition(':')[2]}", "--json")
    assert done.code == 1
    assert [problem["code"] for problem in done.json["problems"]] == ["tail_cut"]


def test_options_stand_before_or_after_the_command(base):
    Path("kb").rename("moved")
    before = base("--kb", "moved", "--json", "stats")
    after = base("stats", "--json", "--kb", "moved")
    assert before.json["facts"] == after.json["facts"] == 2


def test_control_characters_of_data_are_shown_not_obeyed(base):
    base("assert", "ex:bob", "ex:says", "\x1b[31mred\u202e\n", *WHO)
    asked = ("query", "SELECT ?o { ex:bob ex:says ?o }", "--format")
    shown = '"\\u001b[31mred\\u202e\\n"'
    assert shown in base("show", "ex:bob").out
    assert shown in base("history", "3").out
    assert shown in base(*asked, "table").out
    assert "\x1b[31mred\u202e" in base(*asked, "csv").out
    assert json.loads(base(*asked, "json").out)["results"]["bindings"][0]["o"]["value"] == (
        "\x1b[31mred\u202e\n"
    )


def test_a_document_shown_to_people_holds_no_control_character(base, for_people):
    base("assert", "ex:bob", "ex:says", "\x1b[31mred\n", *WHO)
    shown = base("query", "SELECT ?o { ex:bob ex:says ?o }", "--format", "csv").out
    assert "\\u001b[31mred" in shown
    assert "\x1b" not in shown


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_terminal_gets_a_table_and_no_control_characters(base, programs):
    base("assert", "ex:bob", "ex:says", "\x1b[31mred", *WHO)
    ours, theirs = os.openpty()
    asked = "SELECT ?o { ex:bob ex:says ?o }"
    with programs.start("query", asked, stdin=subprocess.DEVNULL, stdout=theirs) as process:
        os.close(theirs)
        assert process.wait(timeout=60) == 0
        shown = os.read(ours, 100_000).decode()
        os.close(ours)
    assert '"\\u001b[31mred"' in shown
    assert "\x1b[31mred" not in shown
    assert "1 row" in shown
