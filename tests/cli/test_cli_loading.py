"""`load` and `export`: documents in and out of the shell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

EX = "https://example.org/"
WHO = ("--source", EX + "s", "--agent", EX + "ann", "--reason", "test")
TURTLE = f"@prefix ex: <{EX}> . ex:a ex:p 1, 2 ; ex:q ex:b ."
MAPPING = f"""
[format]
kind = "csv"
[subject]
column = "who"
base = "{EX}"
[predicate]
iri = "{EX}born"
[object]
column = "day"
datatype = "http://www.w3.org/2001/XMLSchema#date"
[window]
from = "day"
"""


def test_stdin_is_loaded_when_its_format_is_said(cli):
    assert cli("load", "-", *WHO, stdin=TURTLE).code == 3
    done = cli("load", "-", "--format", "turtle", *WHO, stdin=TURTLE)
    assert done.code == 0
    assert "read 3: stored 3" in done.out
    assert "Transaction 1, recorded" in done.out
    assert len(cli("show", "ex:a", "--json").json["facts"]) == 3


def test_several_files_are_a_transaction_each(cli):
    Path("one.ttl").write_text(TURTLE, encoding="utf-8")
    Path("two.nt").write_text(f"<{EX}c> <{EX}p> <{EX}d> .\n", encoding="utf-8")
    reports = cli("load", "one.ttl", "two.nt", *WHO, "--json").json
    assert [report["stored"] for report in reports] == [3, 1]
    assert [record["operation"] for record in cli("log", "--json").json] == ["load", "load"]


def test_chunks_are_transactions(cli):
    Path("one.ttl").write_text(TURTLE, encoding="utf-8")
    assert cli("load", "one.ttl", "--chunk", "2", *WHO).code == 0
    assert [len(record["statements"]) for record in cli("log", "--json").json] == [2, 1]


def test_rejected_lines_are_shown_up_to_twenty_and_all_of_them_as_json(cli):
    rows = "".join(f"p{number},31.12.2020\n" for number in range(25))
    Path("people.csv").write_text(f"who,day\nada,1990-05-01\n{rows}", encoding="utf-8")
    Path("people.toml").write_text(MAPPING, encoding="utf-8")
    load = ("load", "people.csv", "--mapping", "people.toml", *WHO)
    done = cli(*load)
    assert done.code == 0
    assert "stored 1, rejected 25 (bad_time 25)" in done.out
    assert "  line 3: " in done.out
    assert done.out.count("  line ") == 20
    assert "and 5 more" in done.out
    (report,) = cli(*load, "--json").json
    assert len(report["rejected"]) == 25
    assert report["already_there"] == 1


def test_a_file_of_which_everything_is_rejected_is_refused(cli):
    Path("people.csv").write_text("who,day\nada,never\n", encoding="utf-8")
    Path("people.toml").write_text(MAPPING, encoding="utf-8")
    assert cli("load", "people.csv", "--mapping", "people.toml", *WHO).code == 3
    assert cli("stats", "--json").json["transactions"] == 0


def test_a_table_without_a_mapping_hints_at_the_option(cli):
    Path("people.csv").write_text("who,day\nada,1990-05-01\n", encoding="utf-8")
    done = cli("load", "people.csv", *WHO)
    assert done.code == 3
    assert "error[mapping_required]" in done.err
    assert "semantica-rdf map infer" in done.err
    assert "--mapping FILE" in done.err


def test_a_dry_run_records_nothing_and_makes_no_base(cli):
    Path("one.ttl").write_text(TURTLE, encoding="utf-8")
    done = cli("load", "one.ttl", "--dry-run", *WHO)
    assert done.code == 0
    assert "dry run, nothing recorded: read 3: stored 3" in done.out
    assert not Path("kb").exists()
    assert cli("load", "one.ttl", *WHO).code == 0
    assert Path("kb").exists()


def test_a_missing_file_makes_no_base(cli):
    assert cli("load", "nowhere.ttl", *WHO).code == 4
    assert not Path("kb").exists()


def test_a_reference_names_one_batch(cli):
    Path("one.ttl").write_text(TURTLE, encoding="utf-8")
    load = ("load", "one.ttl", *WHO, "--reference", "batch-1")
    assert cli(*load).code == 0
    assert cli(*load).code == 0
    assert cli("stats", "--json").json["transactions"] == 1
    assert cli("load", "one.ttl", "one.ttl", *WHO, "--reference", "batch-2").code == 2


@pytest.mark.parametrize("name", ["x.ttl", "x.trig", "x.nq", "x.nt", "x.jsonld"])
def test_the_record_goes_out_in_the_format_of_the_suffix_and_comes_back(cli, name):
    cli("load", "-", "--format", "turtle", *WHO, stdin=TURTLE)
    done = cli("export", "-o", name)
    assert done.code == 0
    assert done.out == f"Wrote the record to {name} ({Path(name).stat().st_size:,} bytes).\n"
    assert cli("load", name, "--kb", "copy", *WHO).code == 0
    assert cli("stats", "--kb", "copy", "--json").json["statements"] == 3


def test_an_export_to_stdout_is_the_document_and_nothing_else(cli):
    cli("load", "-", "--format", "turtle", *WHO, stdin=TURTLE)
    whole = cli("export", "--format", "jsonld")
    assert json.loads(whole.out)
    held = cli("export", "--format", "ntriples", "--dataset", "view")
    assert len(held.out.splitlines()) == 3
    never = cli("export", "--format", "ntriples", "--known-at", "2001-01-01")
    assert never.out == ""
    assert cli("export").code == 2
    assert (
        cli("export", "--format", "turtle", "--dataset", "record", "--valid-at", "2001").code == 2
    )


def test_a_mapping_beside_rdf_and_rdf_as_a_mapping_are_refused_before_anything_is_read(cli):
    Path("one.ttl").write_text(TURTLE, encoding="utf-8")
    Path("people.csv").write_text("who,day\nada,1990-05-01\n", encoding="utf-8")
    Path("people.toml").write_text(MAPPING, encoding="utf-8")
    for words in (
        ("one.ttl", "--mapping", "people.toml"),
        ("people.csv", "--mapping", "people.toml", "--format", "turtle"),
        ("people.csv", "one.ttl", "--mapping", "people.toml"),
    ):
        done = cli("load", *words, *WHO)
        assert done.code == 2
        assert "--mapping is for tables" in done.err
    done = cli("load", "people.csv", "--mapping", "one.ttl", *WHO)
    assert done.code == 2
    assert "one.ttl is a document" in done.err
    assert not Path("kb").exists()
    assert cli("load", "people.csv", "--mapping", "people.toml", *WHO).code == 0


def test_a_nightly_extract_from_the_shell(cli):
    staff = [
        f'<https://example.org/p{n}> <https://example.org/role> "clerk" .\n' for n in range(20)
    ]
    Path("night.nt").write_text("".join(staff), encoding="utf-8")
    night = ("load", "night.nt", "--snapshot", *WHO, "--valid-from")
    assert cli(*night, "2026-03-01").code == 0
    Path("night.nt").write_text("".join(staff[1:]), encoding="utf-8")
    dry = cli(*night, "2026-03-02", "--dry-run")
    assert "stored 0, already there 19, closed 1, unchanged 19" in dry.out
    done = cli(*night, "2026-03-02", "--json")
    assert (done.json[0]["closed"], done.json[0]["unchanged"]) == (1, 19)
    assert "Transaction" not in cli(*night, "2026-03-02").out
    Path("night.nt").write_text("".join(staff[:3]), encoding="utf-8")
    refused = cli(*night, "2026-03-03")
    assert (refused.code, "too_many_closed" in refused.err) == (3, True)
    assert "--max-closed" in refused.err
    assert cli(*night, "2026-03-03", "--max-closed", "1").code == 0
    assert cli(*night, "2026-03-01").code == 3
    assert cli("load", "night.nt", "--snapshot", *WHO).code == 3
    assert cli("load", "night.nt", "night.nt", "--snapshot", *WHO, "--valid-from", "2027").code == 2
    for words in (("--chunk", "5"), ("--valid-until", "2028"), ("--max-closed", "1.5")):
        assert cli(*night, "2027", *words).code == 2
    alone = cli("load", "night.nt", "--max-closed", "0.5", *WHO)
    assert (alone.code, "goes with --snapshot" in alone.err) == (2, True)


def test_tables_go_out_by_suffix_and_csv_to_stdout(cli):
    cli("load", "-", "--format", "turtle", *WHO, stdin=TURTLE)
    for name in ("held.csv", "held.parquet", "held.arrow"):
        assert cli("export", "-o", name, "--dataset", "view").code == 0
        assert cli("export", "-o", f"all-{name}").code == 0
        assert Path(name).stat().st_size
    held = cli("export", "--format", "csv", "--dataset", "view")
    assert held.out.splitlines()[0].startswith("subject,predicate,object,object_kind,")
    assert len(held.out.splitlines()) == 4
    assert held.out.encode() == Path("held.csv").read_bytes()
    assert cli("export", "-o", "x.csv", "--blank-nodes", "restore").code == 3


def test_the_hash_is_the_same_in_every_format_and_of_rdf_only(cli):
    cli("load", "-", "--format", "turtle", *WHO, stdin=TURTLE)
    told = {
        cli("export", "-o", name, "--hash", "--json").json["hash"]
        for name in ("x.ttl", "x.trig", "x.nq", "x.nt", "x.jsonld")
    }
    assert len(told) == 1
    shown = cli("export", "-o", "y.trig", "--hash")
    assert shown.out.splitlines()[1] == f"RDFC-1.0 hash: {told.pop()}"
    assert cli("export", "-o", "z.csv", "--hash").code == 3
    assert cli("export", "--format", "trig", "--hash").code == 2
    assert not Path("z.csv").exists()


def test_a_drafted_mapping_is_one_that_load_takes_and_is_never_written_over_a_file(cli):
    Path("people.csv").write_text("who,day\nada,1990-05-01\nbob,1991-02-03\n", encoding="utf-8")
    drafted = cli("map", "infer", "people.csv")
    assert drafted.code == 0
    assert 'kind = "csv"' in drafted.out
    written = cli("map", "infer", "people.csv", "-o", "draft.toml")
    assert "--mapping draft.toml --dry-run" in written.out
    assert Path("draft.toml").read_text(encoding="utf-8") == drafted.out
    assert cli("load", "people.csv", "--mapping", "draft.toml", "--dry-run", *WHO).code == 0
    Path("draft.toml").write_text("mine", encoding="utf-8")
    refused = cli("map", "infer", "people.csv", "--output", "draft.toml")
    assert refused.code == 3
    assert "error[file_exists]" in refused.err
    assert Path("draft.toml").read_text(encoding="utf-8") == "mine"
    assert not Path("kb").exists()


def test_a_mapping_is_drafted_from_stdin_in_the_format_said_and_of_tables_only(cli):
    drafted = cli("map", "infer", "-", "--format", "tsv", "--rows", "1", stdin="who\tday\na\t1\n")
    assert 'kind = "tsv"' in drafted.out
    assert cli("map", "infer", "-", "--format", "turtle", stdin=TURTLE).code == 3
    assert cli("map", "infer", "nowhere.csv").code == 4
    assert cli("map", "infer", "nowhere.csv", "--rows", "0").code == 2
    assert cli("map").code == 2
