"""Every python and console block of the README and the docs runs, in a folder of its own."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").rglob("*.md")]
)

_spec = importlib.util.spec_from_file_location("story", Path(__file__).with_name("story.py"))
assert _spec is not None
assert _spec.loader is not None
story = importlib.util.module_from_spec(_spec)
sys.modules["story"] = story
_spec.loader.exec_module(story)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_of_the_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SEMANTICA_CHECKOUT", str(ROOT))
    monkeypatch.delenv("SEMANTICA_KB", raising=False)
    monkeypatch.delenv("SEMANTICA_AGENT", raising=False)
    ran = story.run(page.read_text(encoding="utf-8"), page.name)
    languages = {block.language for block in story.blocks(page.read_text(encoding="utf-8"))}
    assert ran > 0 or not languages & {"python", "console"}


def test_a_block_that_does_not_hold_fails():
    with pytest.raises(AssertionError):
        story.run("```python\nassert 1 == 2\n```\n", "wrong.md")
    with pytest.raises(AssertionError):
        story.run("```console\n$ echo one\ntwo\n```\n", "wrong.md")
    assert story.run("```console\n$ echo one\none\n```\n", "right.md") == 1


@pytest.mark.quick
def test_the_gate_runs_the_readme_s_two_commands_as_they_stand():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    gate = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    commands = [
        line
        for block in story.blocks(readme)
        if block.language == "sh"
        for line in block.text.splitlines()
        if "pip install" in line and line.startswith(("python3 -m venv", ".venv/bin/pip"))
    ]
    assert len(commands) >= 2
    assert all(command in gate for command in commands[:2])
