"""The temporal knowledge graphs from the shell: all lines in, a known fact of each file at its dates."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from loading.test_temporal_kgs import DATA, FILES, KNOWN, MAPPINGS

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the outside data folder is absent")


def srdf(folder: Path, *arguments: str) -> Any:
    environment = {**os.environ, "SEMANTICA_AGENT": "https://example.org/people/ann"}
    done = subprocess.run(
        [sys.executable, "-m", "semantica_rdf", *arguments, "--kb", str(folder), "--json"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def base(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("shell") / "kb"
    for graph in ("yago15k", "wikidata", "icews14"):
        files = [str(DATA / name) for name in FILES if name.startswith(graph)]
        mapping = ("--mapping", str(MAPPINGS / f"{graph}.toml"))
        said = ("--reason", "import", "--source", f"https://example.org/mmkb/{graph}")
        reports = srdf(folder, "load", *files, *mapping, *said)
        read = [report["read"] for report in reports]
        assert read == [FILES[name][0] for name in FILES if name.startswith(graph)]
    return folder


@pytest.mark.parametrize("name", FILES)
def test_show_finds_the_known_fact_at_its_dates_and_not_at_others(base: Path, name: str) -> None:
    (subject, _, object_), present, absent = KNOWN[name]

    def shown(*coordinate: str) -> str:
        return json.dumps(srdf(base, "show", subject, *coordinate))

    for instant in present:
        assert object_ in shown("--valid-at", instant)
    for instant in absent:
        assert object_ not in shown("--valid-at", instant)
    assert object_ not in shown("--valid-at", present[0], "--known-at", "2001-01-01")
