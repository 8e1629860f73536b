"""The benchmarks run, in a form too small to say anything about speed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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
