"""
An export of a large base stays small in memory: the peak of the process hardly grows with it.

Measured in processes of their own, above what reading the whole store once takes, which is the
engine's cache. The limits of what is held at once are set low, so that a small base is beyond them;
`pytest -m long -s tests/export/test_memory.py` runs it as it is, with 20,000 and 80,000 statements,
and prints the table of `docs/export.md`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from semantica_rdf import KnowledgeBase

EX = "https://example.org/"

EXPORTING = r"""
import json, re, sys
from pathlib import Path
from semantica_rdf import KnowledgeBase
from semantica_rdf.export import order, table
import csv, pyld.jsonld, pyarrow.ipc, pyarrow.parquet

def peak():
    # getrusage would tell the peak of the process that started this one, where that was higher.
    return int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1]) * 1024

base, share, *wanted = sys.argv[1:]
order.RUN_BYTES //= int(share)
table.GROUP_BYTES //= int(share)
told = {}
with KnowledgeBase.open(base, read_only=True) as kb:
    for quad in kb._ledger.store:
        pass
    view = kb.at()
    before = peak()
    for name in wanted:
        what, _, suffix = name.partition(".")
        target = Path(base).with_name(name)
        kb.export(target, view=view if what == "view" else None)
        told[name] = {"bytes": target.stat().st_size, "above": peak() - before}
print(json.dumps(told))
"""


def base_of(path: Path, statements: int) -> Path:
    """Build a base with so many statements, five to a subject."""
    lines = (
        f'<{EX}person/{n // 5}> <{EX}p{n % 5}> "value {n} of something long enough to be real" .\n'
        for n in range(statements)
    )
    with KnowledgeBase.open(path, agent=EX + "ann", source=EX + "hr") as kb:
        kb.load("".join(lines).encode(), format="nt", reason="test", valid_from="2020-01-01")
    return path


def exported(base: Path, share: int, names: list[str]) -> dict[str, dict[str, Any]]:
    """Export in another process; return bytes written and the peak above reading, by name."""
    command = [sys.executable, "-c", EXPORTING, str(base), str(share), *names]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


pytestmark = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="the peak is read from /proc"
)


def check(folder: Path, sizes: tuple[int, int], share: int, groups: list[list[str]]) -> None:
    """
    Compare the growth of the peak with that of the largest text written.

    Each group is exported in one process. Holding the quads took four times that text; half of it
    leaves room for the allocator.
    """
    told: dict[int, dict[str, dict[str, Any]]] = {}
    for size in sizes:
        place = folder / str(size)
        place.mkdir()
        base = base_of(place / "kb", size)
        told[size] = {}
        for names in groups:
            told[size] |= exported(base, share, names)
    small, large = (told[size] for size in sizes)
    for name in large:
        shown = [
            f"{told[size][name][what] / 1e6:.1f}" for what in ("bytes", "above") for size in sizes
        ]
        print(f"| `{name}` | {' | '.join(shown)} |")
        assert large[name]["bytes"] > small[name]["bytes"] * sizes[1] / sizes[0] / 2
    written = max(large[name]["bytes"] - small[name]["bytes"] for name in large)
    grown = max(each["above"] for each in large.values()) - max(
        each["above"] for each in small.values()
    )
    assert written > 2000 * (sizes[1] - sizes[0])
    assert grown < written / 2, told


def test_the_peak_hardly_grows_with_what_is_exported(tmp_path: Path) -> None:
    names = ["record.nq", "record.csv", "view.ttl", "view.jsonld"]
    check(tmp_path, (1_500, 8_000), 16, [names])


@pytest.mark.long
def test_the_peak_hardly_grows_with_a_large_base(tmp_path: Path) -> None:
    suffixes = ("nq", "ttl", "rdf", "jsonld", "csv", "parquet", "arrow")
    names = [f"record.{suffix}" for suffix in suffixes]
    names += [f"view.{suffix}" for suffix in ("trig", "jsonld", "csv", "parquet")]
    check(tmp_path, (20_000, 80_000), 1, [[name] for name in names])
