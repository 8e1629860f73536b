"""`docs/cli.md` has every command with every option and an example, which runs with the other pages'."""

from __future__ import annotations

import importlib.util
import re
import shlex
import sys
from pathlib import Path

import pytest
import typer

from semantica_rdf.cli.app import app

pytestmark = pytest.mark.quick

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
_spec = importlib.util.spec_from_file_location("cli_story", ROOT / "tests" / "docs" / "story.py")
story = importlib.util.module_from_spec(_spec)
sys.modules["cli_story"] = story
_spec.loader.exec_module(story)


def leaves(command, words=()):
    """Return every command that does something, by its words; a group does nothing itself."""
    below = getattr(command, "commands", {})
    found = {} if below else {" ".join(words): command}
    for name, inner in below.items():
        found |= leaves(inner, (*words, name))
    return found


COMMANDS = leaves(typer.main.get_command(app))
SHARED = PAGE[: PAGE.index("## demo")]


def section(name):
    found = re.search(rf"^## {name}$(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found, f"docs/cli.md has no section on {name}"
    return found.group(1)


def names_of(command):
    for parameter in command.params:
        if parameter.param_type_name == "option":
            yield from (name for name in parameter.opts if name != "--help")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_documented_with_all_its_options(name):
    text = section(name)
    assert f"semantica-rdf {name}" in text
    for option in names_of(COMMANDS[name]):
        assert re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", text), option


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_an_example_that_shows_output(name):
    shown = {
        command: [line for line in expected if line.strip() not in {"", "…"}]
        for block in story.blocks(section(name))
        if block.language == "console"
        for command, expected in story.commands(block.text)
    }
    own = [command for command in shown if called(command)[: len(name.split())] == name.split()]
    assert own, f"no console block calls semantica-rdf {name}"
    assert all(shown.values()), "a command without any line of its output checks nothing"


def called(command):
    """Return the words behind `semantica-rdf` of a shell's command."""
    words = shlex.split(command)
    return words[words.index("semantica-rdf") + 1 :]


def test_the_page_is_one_of_those_whose_examples_are_run():
    runner = (ROOT / "tests" / "docs" / "test_docs_run.py").read_text(encoding="utf-8")
    assert '(ROOT / "docs").glob("*.md")' in runner
    assert len([block for block in story.blocks(PAGE) if block.language == "console"]) > 20


@pytest.mark.parametrize("name", COMMANDS)
def test_no_section_names_an_option_that_does_not_exist(name):
    known = {option for command in COMMANDS.values() for option in names_of(command)}
    known |= {"--help", "--version"}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", section(name))) <= known


def test_the_shared_part_names_the_options_before_a_command_and_every_exit_code():
    for option in ("--kb", "--json", "--version", "--help", "--wait"):
        assert option in SHARED
    for code in (0, 1, 2, 3, 4, 6, 75):
        assert re.search(rf"^\| {code} \|", SHARED, re.MULTILINE)
