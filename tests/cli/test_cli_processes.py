"""The real program: what it imports, its exit codes, locks, Ctrl-C, and bases left by a crash."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path

import pytest
import typer

from semantica_rdf import KnowledgeBase
from semantica_rdf.cli.app import app
from semantica_rdf.errors import StoreLocked

EX = "https://example.org/"
COMMANDS = typer.main.get_command(app).commands
WHO = ("--source", EX + "s", "--agent", EX + "ann", "--reason", "test")

WHAT_IT_IMPORTS = """
import contextlib, io, json, sys
from semantica_rdf.cli.run import run
out = io.TextIOWrapper(io.BytesIO())
with contextlib.redirect_stdout(out):
    codes = [run(words) for words in json.loads(sys.argv[1])]
names = ["pyshacl", "owlrl", "rdflib", "usearch", "pandas", "pyarrow", "pyld", "pyoxigraph"]
json.dump({"codes": codes, "loaded": [name for name in names if name in sys.modules]}, sys.stdout)
"""
READING = [
    ("show", "ex:bob"),
    ("query", "SELECT * { ?s ?p ?o }"),
    ("query", "SELECT * { ?s ?p ?o }", "--format", "csv"),
    ("why", "ex:bob", "ex:livesAt", "1 Mill Lane"),
    ("diff", "--from", "@1-0", "--format", "csv"),
    ("history", "ex:bob"),
    ("history", "ex:bob", "--picture"),
    ("log", "--statements"),
    ("stats", "--known-at", "1-0"),
    ("prefixes",),
    ("verify",),
    ("shapes", "list"),
    ("shapes", "show", "rules"),
    ("validate",),
    ("export", "--format", "turtle"),
]

RULES = f"""
@prefix sh: <http://www.w3.org/ns/shacl#> .
[] a sh:NodeShape ; sh:targetSubjectsOf <{EX}livesAt> ; sh:nodeKind sh:IRI .
""".encode()

HOLDING = f"""
from semantica_rdf import KnowledgeBase
with KnowledgeBase.open("kb", agent="{EX}ann", source="{EX}s"):
    print("open", flush=True)
    input()
"""

CRASHING = f"""
import os
from semantica_rdf import KnowledgeBase
kb = KnowledgeBase.open("kb", agent="{EX}ann", source="{EX}s")
with kb.transaction(reason="test") as tx:
    tx.assert_("{EX}a", "{EX}p", 1)
os._exit(9)
"""

HEAVY = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n2 ?o }"


def imported(programs, *commands):
    """Run commands in one new process; return their exit codes and which libraries it imported."""
    program = [sys.executable, "-c", WHAT_IT_IMPORTS, json.dumps(commands)]
    with programs._start(program) as process:
        told, errors = process.communicate(timeout=60)
    assert not errors
    return json.loads(told)


@pytest.mark.quick
def test_help_and_completion_import_no_heavy_library(programs):
    found = imported(programs, ("--help",), ("show", "--help"), ("completion", "bash"))
    assert set(found["codes"]) == {0}
    assert set(found["loaded"]) <= {"pyoxigraph"}


@pytest.mark.quick
def test_reading_imports_no_heavy_library(base, programs):
    tried = {words[0] for words in READING} | {" ".join(words[:2]) for words in READING}
    missing = set(_reading_commands()) - tried
    assert not missing, "add them to READING, so that what they import is checked too"
    with KnowledgeBase.open("kb", agent=EX + "ann", source=EX + "hr") as kb:
        kb.shapes.add(RULES, name="rules", reason="house rules")
    found = imported(programs, *READING)
    assert found == {"codes": [0] * len(READING), "loaded": ["pyoxigraph"]}


def _reading_commands():
    """Yield the commands that read a base: every write takes a reason, and two make what is there."""
    for name, command in COMMANDS.items():
        options = {option for item in command.params for option in item.opts}
        if "--reason" not in options and "--kb" in options and name not in {"init", "rebuild"}:
            yield name


@pytest.mark.quick
def test_json_ld_is_written_by_the_library_that_reading_does_without(base, programs):
    found = imported(programs, ("export", "--format", "jsonld"))
    assert found["codes"] == [0]
    assert found["loaded"] in (["pyld", "pyoxigraph"], ["pyoxigraph"])


def test_the_program_answers_and_exits_with_the_code_of_the_error(base, programs):
    assert programs.run("--version").out.startswith("semantica-rdf ")
    assert programs.run("verify").code == 0
    assert programs.run("verify", "--head", "2:" + "00" * 32).code == 1
    assert programs.run("verify", "--heat", "2:00").code == 2
    assert programs.run("assert", "ex:a", "ex:p", "1").code == 3
    assert programs.run("history", "9-9").code == 4
    refused = programs.run("show", "--json", "nope:a")
    assert refused.code == 3
    assert refused.out == ""
    assert refused.error["code"] == "unknown_prefix"
    assert "--prefix" in refused.error["hint"]


def test_a_damaged_base_is_told_without_a_traceback(base, programs):
    assert programs.run("stats").code == 0
    Path("kb/journal.sqlite").write_bytes(b"no database at all" * 100)
    done = programs.run("stats")
    assert done.code == 6
    assert done.err.startswith("error[corrupt_store]: ")
    assert "Traceback" not in done.err


def test_no_arguments_show_the_help_as_a_usage_error(programs):
    done = programs.run()
    assert done.code == 2
    assert "Usage: semantica-rdf" in done.out + done.err


def test_a_base_another_process_writes_to_is_locked_until_it_lets_go(programs):
    with programs.python(HOLDING) as holder:
        assert holder.stdout.readline() == "open\n"
        for words in (("show", EX + "a"), ("assert", EX + "a", EX + "p", "1", *WHO)):
            done = programs.run(*words)
            assert done.code == 75
            assert done.err.startswith("error[store_locked]: ")
            assert str(holder.pid) in done.err
            assert "--wait SECONDS" in done.err
        with programs.start("show", EX + "a", "--wait", "60") as waiting:
            holder.communicate("\n", timeout=60)
            out, err = waiting.communicate(timeout=60)
    assert waiting.returncode == 0, err
    assert "Nothing is believed" in out


def test_readers_share_a_base(base, programs):
    with KnowledgeBase.open("kb", read_only=True):
        assert programs.run("show", "ex:bob").code == 0
        assert programs.run("withdraw", "1-1", *WHO[2:]).code == 75
    assert programs.run("withdraw", "1-1", *WHO[2:]).code == 0


def test_reading_brings_in_what_a_crash_left_waiting(programs):
    with programs.python(CRASHING) as crashed:
        assert crashed.wait(timeout=60) == 9
    with pytest.raises(StoreLocked) as caught:
        KnowledgeBase.open("kb", read_only=True)
    assert caught.value.code == "replay_needed"
    done = programs.run("show", EX + "a")
    assert done.code == 0
    assert f"<{EX}p>" in done.out


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_ctrl_c_ends_a_long_query_at_once(programs, cli):
    facts = "".join(f"<{EX}{number}> <{EX}p> {number} .\n" for number in range(2000))
    assert cli("load", "-", "--format", "turtle", *WHO, stdin=facts).code == 0
    with programs.start("query", HEAVY, "--format", "table") as process:
        assert process.stdout.readline().startswith("at valid ")
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT
    assert (out, err) == ("", "")
    assert cli("verify").code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_ctrl_c_ends_a_write_with_nothing_half_there(programs, cli):
    with programs.start("load", "-", "--format", "turtle", *WHO) as process:
        assert process.stderr.readline() == "made a new knowledge base in kb\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == -signal.SIGINT
    assert cli("stats", "--json").json["transactions"] == 0
    assert cli("load", "-", "--format", "turtle", *WHO, stdin=f"<{EX}a> <{EX}p> 1 .").code == 0
    assert cli("verify").code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGPIPE")
def test_a_reader_that_goes_away_ends_the_program_quietly(programs, cli):
    facts = "".join(f"<{EX}{number}> <{EX}p> {number} .\n" for number in range(3000))
    cli("load", "-", "--format", "turtle", *WHO, stdin=facts)
    with programs.start("export", "--format", "ntriples") as process:
        assert process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
        process.wait(timeout=60)
    assert errors == ""
    assert process.returncode == -signal.SIGPIPE
