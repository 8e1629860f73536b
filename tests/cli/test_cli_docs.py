"""`docs/cli.md` has every command with every option and an example; the examples run with the other pages'."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer

from semantica_rdf.cli.app import app

pytestmark = pytest.mark.quick

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
COMMANDS = typer.main.get_command(app).commands
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
    examples = re.findall(r"```console\n(.*?)```", section(name), re.DOTALL)
    assert any(
        f"$ semantica-rdf {name}" in example or f"semantica-rdf {name} -" in example
        for example in examples
    )
    assert all(len(example.splitlines()) > 1 for example in examples)


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
