"""
Errors on stderr: `error[code]: what`, a hint below; with `--json` one object.

Hints speak the command line's words: where an error's own hint names Python, what stands here is
said instead, by its code or by its text; arguments are spelled as options.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from semantica_rdf.cli.text import escaped
from semantica_rdf.errors import QuerySyntaxError, SemanticaError, ShapeViolation

_HINTS = {
    "ambiguous_target": "give the id of the one you mean; show and history print ids",
    "ambiguous_term": "write <…> around an IRI, quotes around a text",
    "bad_blank_nodes": "--blank-nodes skolem or restore",
    "bad_head": "give the head that semantica-rdf stats printed",
    "bad_mode": "give --snapshot too",
    "bad_time": "write a date or an instant: 2026-09-01, 2026-09, 2026-09-01T12:00:00Z",
    "bad_target": "give an id, a support id, or SUBJECT PREDICATE OBJECT [GRAPH]",
    "binding_blank_node": "bind the IRI that --blank-nodes skolem shows for it",
    "binding_kind": "bind an IRI: --bind NAME=<https://…>",
    "blank_node": "give it an IRI, or load the whole document: it mints one",
    "closed": "run the command again",
    "confidence_differs": "revise it: semantica-rdf revise ID --confidence N",
    "empty_window": "ends are exclusive; --date-end inclusive takes a date as the whole day, month or year",
    "inverted_window": "--valid-from must come before --valid-until",
    "mapping_required": "give --mapping FILE, a TOML file that says which column is what; "
    "draft one: semantica-rdf map infer FILE",
    "missing_agent": "say who writes: --agent IRI, or set SEMANTICA_AGENT",
    "missing_reason": 'say in a few words why: --reason "HR import"',
    "missing_source": "say where it is from: --source IRI",
    "missing_valid_from": "say from when on: --valid-from DATE",
    "naive_datetime": "append Z or an offset such as +02:00",
    "no_base": "make one: semantica-rdf init, or name it: --kb PATH",
    "no_open_version": "it was withdrawn or replaced; assert it again to put it back",
    "no_shapes_given": "give --shapes FILE, or add some: semantica-rdf shapes add FILE",
    "not_an_iri": "write an IRI, or a name with a declared prefix",
    "other_namespace": "give --namespace",
    "store_locked": "close it there, or wait for it: --wait SECONDS",
    "two_windows": "give --valid-during, or --valid-from and --valid-until",
    "strategy_not_applicable": "leave --strategy out; query --plan says what is chosen and why",
    "unknown_prefix": "declare it once: --prefix ex=https://example.org/ on a writing command; "
    "as a text, write it in quotes: '\"ex:a\"'",
    "unused_binding": "--bind must name a variable of the query",
    "update_refused": "queries read; write with semantica-rdf assert, replace, retract or load",
    "writer_busy": "wait for it: --wait SECONDS",
}
"""What is said for every error of a code."""

_SAYINGS = {
    "write with kb.transaction": "write with semantica-rdf assert, replace, retract or load",
    "see what is: view.facts(subject)": "see what is: semantica-rdf history SUBJECT, "
    "or of all subjects: semantica-rdf log --statements",
    'give the language: literal("Zug", lang="de")': """give the language: '"Zug"@de'""",
    "text goes in as bytes, with format=": "give a file, or - for stdin with --format",
    "open it in binary mode": "save it as UTF-8",
    "split it, or raise the limit with max_bytes=": "split it into several files",
    "use .to_pyoxigraph()": "it cannot be written here; choose another format",
    "open another with kb.transaction(...)": "run the command again",
}
"""What is said for a hint of the package whose code has other hints too."""

_SHOWN = 20
"""Rows of a refused write's report that a terminal is shown; --json has them all."""
_ARGUMENT = re.compile(r"\b([a-z][a-z_]*)=(?![\w-])")
_BINDING = re.compile(r"kb\.prefixes\.bind\b")


def spoken(code: str, hint: str | None, *, in_query: bool = False) -> str | None:
    """
    Return a hint in the words of the command line; `in_query` when it is about a query's text.

    >>> spoken("bad_chunk", "give chunk= or reference=")
    'give --chunk or --reference'
    """
    if not in_query and code in _HINTS:
        return _HINTS[code]
    if hint is None or hint in _SAYINGS:
        return hint if hint is None else _SAYINGS[hint]
    hint = _BINDING.sub("semantica-rdf prefixes NAME=IRI", hint)
    return _ARGUMENT.sub(_option, hint)


def _option(match: re.Match[str]) -> str:
    rest = "" if match.string[match.end() : match.end() + 1] in {"", " "} else " "
    return "--" + match.group(1).replace("_", "-") + rest


def tell(error: SemanticaError, *, as_json: bool) -> None:
    """Print an error of the package to stderr."""
    in_query = isinstance(error, QuerySyntaxError)
    hint = spoken(error.code, error.hint, in_query=in_query)
    if as_json:
        _print_json(error.code, error.message, hint, error.exit_code, _details(error))
        return
    lines = [f"error[{error.code}]: {error.message}"]
    if isinstance(error, ShapeViolation):
        lines += _violations(error)
    if hint:
        lines.append(f"  hint: {hint}")
    _print(lines)


def _violations(error: ShapeViolation) -> list[str]:
    """Return the table of what broke a user's shapes; nothing where a shape of the record spoke."""
    from semantica_rdf.cli.output import table_lines
    from semantica_rdf.cli.validating import result_cells

    if not error.findings:
        return []
    lines = error.lines or ((),) * len(error.findings)
    rows = []
    for each, at in zip(error.findings, lines, strict=True):
        _, focus, path, value, message = result_cells(each.result, {})
        rows.append((", ".join(map(str, at)), focus, path, value, message))
    shown, more = rows[:_SHOWN], len(rows) - _SHOWN
    table = table_lines((error.counted, "focus", "path", "value", "what to do"), shown)
    return [*table, *([f"  … and {more:,} more"] if more > 0 else [])]


def _details(error: SemanticaError) -> dict[str, Any]:
    if isinstance(error, QuerySyntaxError) and error.line:
        return {"line": error.line, "column": error.column}
    if isinstance(error, ShapeViolation):
        from semantica_rdf.validation.audit import result_dict

        lines = error.lines or ((),) * len(error.findings)
        return {
            "report": [
                {**result_dict(each.result), "lines": list(at), "statements": list(each.statements)}
                for each, at in zip(error.findings, lines, strict=True)
            ]
        }
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
