"""Runs commands in this process, or as processes of their own."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from semantica_rdf import KnowledgeBase, iri
from semantica_rdf.cli.output import shown_to_people
from semantica_rdf.cli.run import run

ROOT = Path(__file__).resolve().parents[2]
EX = "https://example.org/"


class Answer(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def error(self):
        return json.loads(self.err)["error"]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("SEMANTICA_KB", "SEMANTICA_AGENT", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def cli(capsysbinary, monkeypatch):
    """Return a function that runs one command in this process."""

    def call(*words, stdin=None):
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        capsysbinary.readouterr()
        code = run([str(word) for word in words])
        captured = capsysbinary.readouterr()
        return Answer(code, captured.out.decode(), captured.err.decode())

    return call


@pytest.fixture
def for_people():
    """Let commands print as they do on a terminal."""
    token = shown_to_people.set(True)
    yield
    shown_to_people.reset(token)


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """Write a base once: a prefix, an address of an open window, an employment that ended."""
    folder = tmp_path_factory.mktemp("written") / "kb"
    with KnowledgeBase.open(folder, agent=EX + "ann", source=EX + "hr") as base:
        base.prefixes.bind("ex", EX)
        with base.transaction(reason="test") as tx:
            window = {"valid_from": "2024-01-01", "valid_until": "2025-01-01"}
            acme = iri(EX + "acme")
            tx.assert_("ex:bob", "ex:worksFor", acme, **window, support_id="hr-1")
        with base.transaction(reason="test") as tx:
            tx.assert_("ex:bob", "ex:livesAt", "1 Mill Lane")
    return folder


@pytest.fixture
def base(cli, written):
    """Return `cli` with the written base in `./kb`."""
    shutil.copytree(written, "kb")
    return cli


class Programs:
    """Starts the real program."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}

    def start(self, *words, **given):
        command = [sys.executable, "-m", "semantica_rdf", *map(str, words)]
        return self._start(command, **given)

    def python(self, source, **given):
        return self._start([sys.executable, "-c", source], **given)

    def _start(self, command, **given):
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        pipes |= given
        return subprocess.Popen(
            command, cwd=self.folder, env=self.environment, text=True, encoding="utf-8", **pipes
        )

    def run(self, *words, stdin=None):
        with self.start(*words) as process:
            out, err = process.communicate(stdin, timeout=60)
        return Answer(process.returncode, out, err)


@pytest.fixture
def programs(tmp_path):
    return Programs(tmp_path)
