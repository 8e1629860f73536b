"""The benchmarks run, in a form too small to say anything about speed."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from semantica_rdf.sparql.rules import RULES

ROOT = Path(__file__).parents[2]


def test_the_ledger_benchmark_prints_one_table_with_every_row(tmp_path):
    done = subprocess.run(
        [
            sys.executable, "benchmarks/run.py", "ledger", "--facts", "20,30", "--rounds", "2",
            "--asserts", "3", "--without-rivals", "--directory", str(tmp_path),
        ],
        capture_output=True, text=True, check=False, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = [line for line in done.stdout.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    assert {len(row) for row in cells} == {len(cells[0])}
    told = {(row[0], row[1], row[3]) for row in cells[2:]}
    for facts in ("20", "30"):
        for what, against in (
            ("bulk add", "raw extend"),
            ("bulk add", "raw bulk_extend"),
            ("one durable assert_", "bare SQLite commit"),
            ("disk", "the nine quads"),
            ("verify", ""),
        ):
            assert (facts, what, against) in told
    assert "left out" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_the_shapes_benchmark_prints_what_the_gate_costs(tmp_path):
    done = subprocess.run(
        [
            sys.executable, "benchmarks/run.py", "shapes", "--facts", "20", "--rounds", "2",
            "--asserts", "3", "--directory", str(tmp_path),
        ],
        capture_output=True, text=True, check=False, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = [line for line in done.stdout.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + 4
    assert "pySHACL" in rows[-1]


def _table(what, tmp_path, *arguments):
    """Return the cells of a benchmark's table, heading left out."""
    done = subprocess.run(
        [
            sys.executable, "benchmarks/run.py", what, "--directory", str(tmp_path), *arguments,
        ],
        capture_output=True, text=True, check=False, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = [line for line in done.stdout.splitlines() if line.startswith("|")]
    assert list(tmp_path.iterdir()) == []
    return [[cell.strip() for cell in row[1:-1].split("|")] for row in rows[2:]]


def test_the_views_benchmark_prints_every_line_and_the_growth(tmp_path):
    table = _table("views", tmp_path, "--facts", "200,400", "--rounds", "2", "--without-rivals")
    assert {len(row) for row in table} == {8}
    told = {(row[0], row[1], row[3]): row for row in table}
    for facts in ("200", "400"):
        for what, against in (
            ("point, rewritten", "raw form, same store"),
            ("entity, rewritten", "raw form, same store"),
            ("two hops, rewritten", "raw form, same store"),
            ("view.facts(s, p)", "SQLite table"),
            ("view.facts(predicate=p)", "SQLite table"),
            ("view.count()", "SQLite table"),
            ("SPARQL scan, first answer", "SQLite, visible rows"),
            ("count by group, warm", "plain store in memory"),
            ("two-hop aggregate, warm", "plain store in memory"),
            ("whole scan, warm", "plain store in memory"),
        ):
            assert float(told[facts, what, against][5]) > 0
        assert told[facts, "SPARQL scan, warm", "tiramemsu"][7] == "not measured"
    for name in ("point", "entity", "two hops"):
        assert float(told["400", f"{name}, rewritten, growth", "at 200"][5]) > 0


def test_the_rules_benchmark_has_a_line_for_every_rule(tmp_path):
    table = _table("rules", tmp_path, "--facts", "400", "--rounds", "1")
    assert {row[1].split(",")[0] for row in table} == set(RULES)
    assert all(float(row[5]) > 0 for row in table)


def test_a_contest_whose_answers_differ_ends_the_run(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    contests = importlib.import_module("contests")
    ours = contests.answering(lambda asked: asked, lambda answer: [(answer,)])
    same = contests.answering(lambda asked: asked.lower(), lambda answer: [(answer,)])
    line = contests.Line("other", 1.0)
    contest = contests.Contest("echo", {"ours": ours, "other": same}, [line], lambda number: ["a"])
    contest.play(0)
    assert contest.rows()[0][5] == "≤ 1"
    contest.questions = lambda number: ["a", "B"]
    with pytest.raises(AssertionError, match="echo, B"):
        contest.play(1)
