"""
Errors on stderr: `error[code]: what`, a hint below; with `--json` one object.

Hints speak the command line's words: where an error's own hint names Python arguments, the one
for its code stands here.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from semantica_rdf.cli.text import escaped
from semantica_rdf.errors import AmbiguousTerm, QuerySyntaxError, SemanticaError, ShapeViolation

_HINTS = {
    "ambiguous_target": "give the id of the one you mean; show and history print ids",
    "bad_blank_nodes": "--blank-nodes skolem or restore",
    "bad_time": "write a date or an instant: 2026-09-01, 2026-09, 2026-09-01T12:00:00Z",
    "bad_target": "give an id, a support id, or SUBJECT PREDICATE OBJECT [GRAPH]",
    "confidence_differs": "revise it: semantica-rdf revise ID --confidence N",
    "empty_window": "ends are exclusive; --date-end inclusive takes a date as the whole day, month or year",
    "inverted_window": "--valid-from must come before --valid-until",
    "mapping_required": "give --mapping FILE, a TOML file that says which column is what",
    "missing_agent": "say who writes: --agent IRI, or set SEMANTICA_AGENT",
    "missing_reason": 'say in a few words why: --reason "HR import"',
    "missing_source": "say where it is from: --source IRI",
    "naive_datetime": "append Z or an offset such as +02:00",
    "no_base": "make one: semantica-rdf init, or name it: --kb PATH",
    "no_open_version": "it was withdrawn or replaced; assert it again to put it back",
    "not_an_iri": "write an IRI, or a name with a declared prefix",
    "other_namespace": "give --namespace",
    "store_locked": "close it there, or wait for it: --wait SECONDS",
    "two_windows": "give --valid-during, or --valid-from and --valid-until",
    "unknown_prefix": "declare it once: --prefix ex=https://example.org/ on a writing command; "
    "as a text, write it in quotes: '\"ex:a\"'",
    "unused_binding": "--bind must name a variable of the query",
}


def tell(error: SemanticaError, *, as_json: bool) -> None:
    """Print an error of the package to stderr."""
    hint = _HINTS.get(error.code, error.hint)
    if isinstance(error, AmbiguousTerm):
        hint = "write <…> around an IRI, quotes around a text"
    if as_json:
        _print_json(error.code, error.message, hint, error.exit_code, _details(error))
        return
    lines = [f"error[{error.code}]: {error.message}"]
    if isinstance(error, ShapeViolation):
        lines += [f"  {where}: {message}" for where, message in error.report]
    if hint:
        lines.append(f"  hint: {hint}")
    _print(lines)


def _details(error: SemanticaError) -> dict[str, Any]:
    if isinstance(error, QuerySyntaxError) and error.line:
        return {"line": error.line, "column": error.column}
    if isinstance(error, ShapeViolation):
        return {"report": [list(pair) for pair in error.report]}
    return {}


def tell_usage(error: Any, *, as_json: bool) -> None:
    """Print a wrong command line to stderr."""
    message = str(error.format_message())
    context = error.ctx
    command = "semantica-rdf" if context is None else context.command_path
    hint = f"{command} --help"
    if re.match(r"No such option: -[0-9.]", message):
        hint = "what begins with - and is no option goes behind --, last: … -- SUBJECT PREDICATE -5"
    if as_json:
        _print_json("usage", message, hint, 2, {})
    elif type(error).__name__ == "NoArgsIsHelpError":
        _print(message.splitlines())
    else:
        _print([f"error[usage]: {message}", f"  hint: {hint}"])


def _print_json(
    code: str, message: str, hint: str | None, exit_code: int, details: dict[str, Any]
) -> None:
    told = {"code": code, "message": message, "hint": hint, "exit_code": exit_code, **details}
    sys.stderr.write(json.dumps({"error": told}) + "\n")


def _print(lines: list[str]) -> None:
    sys.stderr.write("".join(f"{escaped(line)}\n" for line in lines))
