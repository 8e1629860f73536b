"""Every hint the package can give is said in the command line's words, none in Python's."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import typer

import semantica_rdf
from semantica_rdf import errors
from semantica_rdf.cli.app import app
from semantica_rdf.cli.failures import spoken

pytestmark = pytest.mark.quick

PACKAGE = Path(semantica_rdf.__file__).parent
_PYTHON = re.compile(
    r"\b(?:kb|tx|view|base)\.\w|\bKnowledgeBase\b|\b[a-z_]+\((?!s\))|\b[a-z_]+=(?!https?:)|\bdef \b"
)


def texts(node):
    """Return the texts an expression can be, a hole for what a format puts in."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            return ["".join(p.value if isinstance(p, ast.Constant) else "{}" for p in parts)]
        case ast.IfExp(body=one, orelse=other):
            return texts(one) + texts(other)
        case ast.BoolOp(values=values):
            return [text for value in values for text in texts(value)]
        case ast.BinOp(left=left, right=right):
            return [one + other for one in texts(left) for other in texts(right)]
    return []


def hints():
    """Yield `module:line, code, hint, in a query` for every hint that stands in the package."""
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        in_query = path.name == "query_errors.py"
        for node in ast.walk(tree):
            place = f"{path.name}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Call):
                given = {item.arg: item.value for item in node.keywords}
                name = node.func.id if isinstance(node.func, ast.Name) else ""
                default = getattr(getattr(errors, name, None), "default_code", "")
                codes = texts(given.get("code")) or [default]
                for code in codes:
                    for hint in texts(given.get("hint")):
                        yield place, code, hint, in_query
            elif isinstance(node, ast.FunctionDef) and "hint" in node.name:
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Return):
                        for hint in texts(inner.value):
                            yield place, "query_syntax", hint, in_query


EVERY = [item for item in hints() if not item[0].startswith("failures.py")]


def test_no_hint_of_the_package_reaches_the_command_line_in_python():
    assert len(EVERY) > 80
    python = []
    for place, code, hint, in_query in EVERY:
        told = spoken(code, hint, in_query=in_query)
        if told and _PYTHON.search(told):
            python.append(f"{place} [{code}] {told}")
    assert not python, "say it in the command line's words in cli/failures.py:\n" + "\n".join(
        python
    )


def commands(command, words=()):
    """Yield every command of the program by its words, the program itself by none."""
    yield " ".join(words), command
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, (*words, name))


def test_a_hint_names_only_commands_and_options_that_there_are():
    there = dict(commands(typer.main.get_command(app)))
    known = {name for command in there.values() for item in command.params for name in item.opts}
    unknown = []
    for place, code, hint, in_query in EVERY:
        told = spoken(code, hint, in_query=in_query) or ""
        named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", told)) - known
        named |= set(re.findall(r"semantica-rdf ([a-z]+)", told)) - set(there)
        if named:
            unknown.append(f"{place} [{code}] {told}")
    assert not unknown, "\n".join(unknown)
    assert "--snapshot" in known


PASSED_ON = {"hint", "error.hint", "_update_hint(text)"}
"""Expressions that stand for hints found elsewhere: a parameter, another error's, a function read above."""


def test_no_hint_of_the_package_escapes_these_checks():
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and path.name != "failures.py":
                for item in node.keywords:
                    if item.arg == "hint" and not texts(item.value):
                        assert ast.unparse(item.value) in PASSED_ON, f"{path.name}:{node.lineno}"


def test_the_package_s_own_hints_do_speak_python_so_the_check_sees_it():
    assert sum(bool(_PYTHON.search(hint)) for _, _, hint, _ in EVERY) > 10


def test_arguments_become_options_and_their_values_stay():
    assert spoken("x", "give valid_from= or source=") == "give --valid-from or --source"
    assert spoken("x", "reason='HR import'") == "--reason 'HR import'"
    assert spoken("x", 'say quoting = "none"') == 'say quoting = "none"'
    assert spoken("x", None) is None


def test_hints_on_the_way_out_name_commands(base):
    assert "semantica-rdf history SUBJECT" in base("history", "hr-9").err
    assert "semantica-rdf stats" in base("verify", "--head", "nonsense").err
    assert "semantica-rdf assert" in base("query", "INSERT DATA { <urn:a> <urn:b> 1 }").err
    undeclared = base("query", "SELECT * {\n ?s nope:p ?o }", "--json")
    assert undeclared.error["code"] == "unknown_prefix"
    assert (undeclared.error["line"], undeclared.error["column"]) == (2, 5)
    assert "semantica-rdf prefixes NAME=IRI" in undeclared.error["hint"]
    assert "kb." not in undeclared.err
