"""The shape of the code: floors, sizes, who may import what, no SPARQL in Python, one public face."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import semantica_rdf
from semantica_rdf import errors

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "semantica_rdf"
MODULES = sorted(PACKAGE.rglob("*.py"))
FACADES = {"knowledge_base.py": 550, "transaction.py": 450}
"""Modules whose length is that of their signatures and docstrings, and how long they may be."""

pytestmark = pytest.mark.quick


def functions(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


def body_lines(function):
    first = function.body[0]
    has_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    start = function.body[1].lineno if has_docstring and len(function.body) > 1 else first.lineno
    return function.end_lineno - start + 1


def test_the_floors_hold():
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "1 kept" in done.stdout or "2 kept" in done.stdout


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_can_be_read_in_one_sitting(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    limit = FACADES.get(path.name, 350)
    assert len(lines) <= limit, f"{path.name} has {len(lines)} lines"
    long = [node.name for node in functions(path) if body_lines(node) > 50]
    assert not long


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_says_what_it_is_for(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_every_public_function_has_a_docstring():
    bare = []
    for path in MODULES:
        for node in functions(path):
            public = not node.name.startswith("_")
            nested = node.col_offset > 4
            if public and not nested and not ast.get_docstring(node):
                bare.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}")
    in_private_classes = {
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in MODULES
        for owner in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(owner, ast.ClassDef) and owner.name.startswith("_")
        for node in owner.body
        if isinstance(node, ast.FunctionDef)
    }
    assert not set(bare) - in_private_classes


def test_only_the_store_floor_opens_a_store():
    opening = re.compile(r"\b(ox|pyoxigraph)\.Store\b|import .*\bStore\b")
    users = {
        path.relative_to(PACKAGE).parts[0] for path in MODULES if opening.search(path.read_text())
    }
    assert users == {"store"}


def test_no_sparql_stands_in_python():
    sparql = re.compile(
        r"\b(SELECT\s+(\?|\(|\*\s*(WHERE|\{))|CONSTRUCT\s*\{|ASK\s*\{|INSERT\s+DATA|DELETE\s+WHERE)"
    )
    users = []
    for path in MODULES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docstrings = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        for node in ast.walk(tree):
            text = isinstance(node, ast.Constant) and isinstance(node.value, str)
            if text and id(node) not in docstrings and sparql.search(node.value):
                users.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert not users
    assert sparql.search("SELECT ?s { ?s ?p ?o }")


def test_nobody_dispatches_by_attribute_or_swallows_an_error():
    forbidden = re.compile(r"\bhasattr\(|except Exception|except:|utcnow\(|date\.today\(")
    found = [path.name for path in MODULES if forbidden.search(path.read_text(encoding="utf-8"))]
    assert not found


def test_the_clock_is_asked_in_one_place():
    users = [path.name for path in MODULES if "datetime.now(" in path.read_text(encoding="utf-8")]
    assert users == ["knowledge_base.py"]


def test_the_public_face_is_a_list():
    assert semantica_rdf.__all__ == sorted(semantica_rdf.__all__)
    assert all(getattr(semantica_rdf, name) is not None for name in semantica_rdf.__all__)


def test_the_tree_of_errors_is_drawn_as_it_is():
    drawn = re.findall(r"[─ ](\w+) {2,}\S", errors.__doc__)
    assert sorted(drawn) == sorted(set(errors.__all__) - {"SemanticaError"})
    for name in errors.__all__:
        depth = len(getattr(errors, name).__mro__)
        line = next(line for line in errors.__doc__.splitlines() if f" {name}" in f" {line}")
        indent = len(line) - len(line.lstrip(" │├└─"))
        assert indent == 4 + 4 * (depth - len(errors.SemanticaError.__mro__)), name


def test_every_error_code_is_documented():
    codes = set()
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        codes |= set(re.findall(r"code=\"([a-z_]+)\"", text))
        codes |= set(re.findall(r"default_code = \"([a-z_]+)\"", text))
        codes |= set(re.findall(r"(?:_problem|_refuse)\(\s*\"([a-z_]+)\"", text))
    page = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"`([a-z_]+)`", page))
    assert len(codes) > 40
    assert not codes - documented
    names = set(errors.__all__)
    assert all(f"`{name}`" in page for name in names)


def test_no_machine_or_registry_is_named_anywhere():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    if not listed:
        pytest.skip("not a git checkout")
    forbidden = re.compile(r"/(work|root|home)/\w|\.library\b|pythonhosted|pypi\.org")
    found = []
    for name in listed:
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".ttl", ".rq", ".jsonld", ""} and path.is_file():
            if path.name == "test_architecture.py":
                continue
            if forbidden.search(path.read_text(encoding="utf-8", errors="replace")):
                found.append(name)
    assert not found
