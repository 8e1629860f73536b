"""Proposals, judgements, `why`, `diff`, `prefixes`, `completion`: what they say and record."""

from __future__ import annotations

import csv
import io
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from semantica_rdf.cli.completing import command_tree, places
from semantica_rdf.cli.shells import SCRIPTS

pytestmark = pytest.mark.quick

EX = "https://example.org/"
WHO = ("--agent", "ex:ann", "--reason", "test")
SAYS = ("--source", "ex:hr", *WHO)


def standings(cli, name):
    return [version["standing"] for version in cli("history", name, "--json").json]


def test_a_proposal_is_believed_disputed_and_rejected_by_new_versions(base):
    done = base("propose", "ex:eve", "ex:likes", "tea", "--support-id", "p-1", *SAYS)
    assert 'Proposed as 3-1, not believed yet: ex:eve ex:likes "tea", always.' in done.out
    assert "semantica-rdf believe 3-1 --reason WHY" in done.out
    assert base("show", "ex:eve", "--json").json["facts"] == []
    done = base("believe", "p-1", *WHO)
    assert done.out.startswith('Believed 3-1 as 4-1: ex:eve ex:likes "tea", always.')
    assert len(base("show", "ex:eve", "--json").json["facts"]) == 1
    assert base("dispute", "4-1", *WHO).out.startswith("Disputed 4-1 as 5-1: ")
    assert base("reject", "5", *WHO).out.startswith("Rejected 5-1 as 6-1: ")
    assert base("show", "ex:eve", "--json").json["facts"] == []
    assert standings(base, "p-1") == ["proposed", "believed", "disputed", "rejected"]
    assert base("verify").code == 0


@pytest.mark.parametrize("verb", ["believe", "dispute", "reject"])
def test_a_judgement_said_twice_changes_nothing(base, verb):
    if verb == "believe":
        base("dispute", "2-1", *WHO)
    first = base(verb, "ex:bob", "ex:livesAt", "1 Mill Lane", *WHO, "--json")
    assert first.code == 0
    before = base("stats", "--json").json["transactions"]
    again = base(verb, first.json["statements"][0], *WHO)
    assert again.code == 0
    assert "already" in again.out
    assert "Nothing changed." in again.out
    assert base("stats", "--json").json["transactions"] == before


def test_a_judgement_wants_one_statement_an_agent_and_a_reason(base):
    base("assert", "ex:bob", "ex:livesAt", "1 Mill Lane", "--source", "ex:register", *WHO)
    assert base("dispute", "ex:bob", "ex:livesAt", "1 Mill Lane", *WHO, "--json").error["code"] == (
        "ambiguous_target"
    )
    assert base("dispute", "2-1", "--agent", "ex:ann", "--json").error["code"] == "missing_reason"
    assert base("dispute", "9-1", *WHO).code == 4
    assert base("dispute", "2-1", *WHO, "--namespace", "drafts").code == 4
    assert standings(base, "2-1") == ["believed"]


def test_a_proposal_makes_an_absent_base_and_a_judgement_does_not(cli, tmp_path):
    assert cli("believe", "1-1", *WHO).code == 4
    assert not list(tmp_path.iterdir())
    assert cli("propose", "ex:a", "ex:p", "1", *SAYS, "--prefix", f"ex={EX}").code == 0


LIVES = ("why", "ex:bob", "ex:livesAt", "1 Mill Lane")
WORKS = ("why", "ex:bob", "ex:worksFor", "ex:acme")


def test_why_names_the_statement_its_transaction_and_its_reason(base):
    base("assert", "ex:bob", "ex:livesAt", "1 Mill Lane", "--confidence", "0.9",
         "--source", "ex:register", "--agent", "ex:zoe", "--reason", "a letter")  # fmt: skip
    done = base(*LIVES)
    assert done.code == 0
    assert 'ex:bob ex:livesAt "1 Mill Lane" holds at valid ' in done.out
    assert "  2-1  valid always, believed, from ex:hr\n" in done.out
    assert "  3-1  valid always, believed, from ex:register, confidence 0.9\n" in done.out
    assert "by 3-0 of ex:zoe (assert: a letter)" in done.out
    told = base(*LIVES, "--json").json
    assert told["holds"] is True
    assert [item["id"][-3:] for item in told["statements"]] == ["2-1", "3-1"]
    assert told["statements"][1]["recorded_by"]["agent"] == EX + "zoe"
    assert told["belief"]["sources"] == [EX + "hr", EX + "register"]


def test_why_not_tells_what_is_on_record(base):
    ended = base(*WORKS)
    assert ended.code == 1
    assert "ended 2025-01-01" in ended.out
    later = base(*WORKS, "--valid-at", "2023")
    assert "starts only 2024-01-01" in later.out
    unknown = base(*LIVES, "--known-at", "1-0")
    assert unknown.code == 1
    assert "Recorded only later:" in unknown.out
    assert "On record:" not in unknown.out
    base("propose", "ex:bob", "ex:likes", "tea", *SAYS)
    assert "proposed, so not believed" in base("why", "ex:bob", "ex:likes", "tea").out
    nothing = base("why", "ex:zoe", "ex:p", "1")
    assert nothing.code == 1
    assert "Nothing is on record for it." in nothing.out
    assert base("why", "nope:zoe", "ex:p", "1").code == 3


def test_why_tells_what_took_its_place(base):
    base("replace", "ex:bob", "ex:livesAt", "2 Elm Row", "--valid-from", "2026-01-01", *SAYS)
    done = base(*LIVES, "--valid-at", "2026-06-01")
    assert done.code == 1
    assert "in its place 3-2: until 2026-01-01" in done.out
    assert 'Instead, there:\n  ex:bob ex:livesAt "2 Elm Row", from 2026-01-01 (3-1)' in done.out
    base("revise", "3-1", "--object", "3 Oak Way", *WHO)
    done = base("why", "ex:bob", "ex:livesAt", "2 Elm Row", "--valid-at", "2026-06-01")
    assert 'in its place 4-1: ex:bob ex:livesAt "3 Oak Way", from 2026-01-01' in done.out
    base("withdraw", "4-1", *WHO)
    gone = base("why", "ex:bob", "ex:livesAt", "3 Oak Way", "--valid-at", "2026-06-01")
    assert "nothing in its place" in gone.out


def test_why_as_csv_has_a_row_per_statement_with_its_bearing(base):
    base("withdraw", "2-1", *WHO)
    base("assert", "ex:bob", "ex:livesAt", "1 Mill Lane", *SAYS)
    rows = list(csv.DictReader(io.StringIO(base(*LIVES, "--format", "csv").out, newline="")))
    assert [row["bearing"] for row in rows] == ["supports", "superseded"]
    assert [row["operation"] for row in rows] == ["assert", "assert"]
    assert {row["agent"] for row in rows} == {EX + "ann"}
    assert {row["object"] for row in rows} == {"1 Mill Lane"}


def changes(cli, *words):
    told = cli("diff", *words, "--json").json
    return [[fact["object"]["value"] for fact in told[side]] for side in ("removed", "added")]


def test_diff_compares_on_either_axis_and_fills_what_is_left_out(base):
    assert changes(base, "--from", "2024-06-01", "--to", "2026-01-01") == [[EX + "acme"], []]
    assert changes(base, "--from", "2024-06-01", "--to", "2023") == [[EX + "acme"], []]
    assert changes(base, "--from", "@1-0", "--to", "@2-0", "--valid-at", "2024-06-01") == [
        [],
        ["1 Mill Lane"],
    ]
    assert changes(base, "--from", "2024-06-01@", "--to", "2025@2-0", "--known-at", "1-0") == [
        [EX + "acme"],
        ["1 Mill Lane"],
    ]
    assert changes(base, "--to", "2024-06-01") == [[], [EX + "acme"]]
    assert changes(base, "--from", "@1-0", "--to", "@2-0", "--namespace", "drafts") == [[], []]


def test_diff_tells_both_coordinates_and_counts(base):
    done = base("diff", "--from", "2024-06-01@1-0", "--to", "2026-01-01@2-0")
    lines = done.out.splitlines()
    assert lines[0].startswith("from valid 2024-06-01T00:00:00Z, known ")
    assert lines[1].startswith("to   valid 2026-01-01T00:00:00Z, known ")
    assert lines[-1] == "1 fact gone, 1 come"
    assert [line[0] for line in lines[4:-1]] == ["+", "-"]
    for to in ("2024-07-01", "2024-06-01"):
        same = base("diff", "--from", "2024-06-01", "--to", to)
        assert same.code == 0
        assert same.out.splitlines()[2:] == ["0 facts gone, 0 come"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((), 2),
        (("--from", "@"), 2),
        (("--to", " @ ", "--valid-at", "2026"), 2),
        (("--from", "2026@1-0@2-0"), 2),
        (("--from", "soon"), 3),
        (("--from", "@9-0"), 4),
        (("--from", "2026@2026-01-01T00:00:00"), 3),
    ],
)
def test_diff_refuses_what_is_no_pair_of_coordinates(base, words, code):
    assert base("diff", *words).code == code


def test_prefixes_are_listed_and_kept(base):
    assert ("ex:", EX) in [tuple(line.split()) for line in base("prefixes").out.splitlines()]
    done = base("prefixes", "o=https://other.example/", "ex=https://elsewhere.example/")
    assert done.code == 0
    assert f"ex: meant {EX}" in done.err
    kept = {item["prefix"]: item for item in base("prefixes", "--json").json}
    assert kept["o"]["iri"] == "https://other.example/"
    assert (kept["rdf"]["built_in"], kept["ex"]["built_in"]) == (True, False)
    assert base("prefixes", "1a=https://x.example/").code == 3
    assert base("prefixes", "nonsense").code == 2
    assert base("prefixes", "o=https://x.example/", "--kb", "nowhere").code == 4
    assert not Path("nowhere").exists()


@pytest.mark.parametrize("shell", SCRIPTS)
def test_a_completion_names_every_command_and_option(cli, shell):
    script = cli("completion", shell).out
    for command in command_tree().all():
        assert all(word in script for word in command.words)
        for option in command.options:
            assert all(name.lstrip("-") in script for name in option.names)
    assert "skolem restore" in script
    assert "srdf" in script


@pytest.mark.parametrize("shell", SCRIPTS)
def test_a_shell_that_is_here_reads_its_script(cli, shell):
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell} on this machine")
    script = cli("completion", shell).out
    done = subprocess.run(
        [program, "-n"], input=script, text=True, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


PRESSES = [
    (("srdf", "sho"), {"show"}),
    (("srdf", "query", "--data"), {"--dataset"}),
    (("srdf", "--kb", "show", "query", "--dataset", ""), {"view", "record"}),
    (("semantica-rdf", "show", "--format", "j"), {"json"}),
    (("semantica-rdf", "show", "ex:bob", "--valid"), {"--valid-at"}),
    (("semantica-rdf", "load", ""), set()),
]


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash on this machine")
def test_tab_in_bash_offers_commands_options_and_values(cli):
    script = cli("completion", "bash").out
    for words, _ in PRESSES:
        typed = " ".join(f"'{word}'" for word in words)
        script += f"COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; _semantica_rdf\n"
        script += 'echo "${COMPREPLY[*]}"\n'
    done = subprocess.run(
        ["bash", "-c", script], text=True, capture_output=True, check=True, env={**os.environ}
    )
    offered = [set(line.split()) for line in done.stdout.splitlines()]
    assert offered == [wanted for _, wanted in PRESSES]


@pytest.mark.parametrize("shell", SCRIPTS)
def test_an_installed_completion_is_what_is_printed_and_nothing_else_is_written(
    cli, shell, tmp_path, monkeypatch
):
    for name in ("ZDOTDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    done = cli("completion", shell, "--install")
    assert done.code == 0
    written = [path for path in (tmp_path / "home").rglob("*") if path.is_file()]
    assert sorted(written) == sorted(places(shell, os.environ))
    assert {path.read_text(encoding="utf-8") for path in written} == {cli("completion", shell).out}
    assert all(str(path) in done.out for path in written)
    assert cli("completion", "tcsh").code == 2
