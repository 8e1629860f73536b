"""`validate` and `shapes`: a user's own shapes, and what they say of a coordinate."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from semantica_rdf.cli import options
from semantica_rdf.cli.session import Session, Who
from semantica_rdf.cli.targets import view_of
from semantica_rdf.cli.text import bound_text, escaped, short_id, term_text
from semantica_rdf.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semantica_rdf.ledger.receipt import Receipt
    from semantica_rdf.shacl import Result
    from semantica_rdf.validation import ValidationReport

STDIN = "-"
RESULT_COLUMNS = ("severity", "focus", "path", "value", "message")
SHEET_COLUMNS = ("severity", "focus", "path", "value", "message", "shape", "component")
SHAPES_COLUMNS = ("name", "shapes", "recorded", "id")

shapes = typer.Typer(
    help="The shapes that gate every write.",
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@shapes.callback()
def _group() -> None:
    """Add, list, show and remove the shapes that gate every write."""


_ShapesFile = Annotated[
    str, typer.Argument(metavar="FILE", help="A shapes graph in Turtle or other RDF; - is stdin.")
]
_Name = Annotated[str, typer.Argument(metavar="NAME", help="The name it was added under.")]


def validate(
    context: typer.Context,
    *,
    shapes_files: Annotated[
        list[str] | None,
        typer.Option(
            "--shapes", metavar="FILE", help="By these instead of the base's own. Repeatable."
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Write the W3C report; format by suffix."),
    ] = None,
    valid_at: options.ValidAt = None,
    known_at: options.KnownAt = None,
    namespace: options.Namespace = None,
    format: options.Format = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Hold what is believed at a date against shapes; exits with 1 when something breaks one."""
    session = Session.of(context, kb, as_json, wait, format)
    documents = [_document(name) for name in shapes_files or ()]
    with session.reading() as base:
        at = view_of(base, valid_at, known_at, namespace).coordinate
        found = base.validate(
            shapes=documents or None,
            valid_at=at.valid_at_text,
            known_at=at.known_at_text,
            namespace=at.namespace,
        )
        prefixes = dict(base.prefixes)
    if report is not None:
        found.serialize(report, format=report.suffix.lstrip(".") or "turtle")
    _tell(session, found, prefixes)
    if not found.conforms:
        raise typer.Exit(1)


def _tell(session: Session, found: ValidationReport, prefixes: Mapping[str, str]) -> None:
    output = session.output
    if output.as_json:
        output.json(found.to_dict())
        return
    if output.as_csv:
        output.csv(SHEET_COLUMNS, (_sheet_row(result) for result in found.results))
        return
    met = sum(found.focus_counts.values())
    judged = f"{met:,} focus node{'' if met == 1 else 's'} judged at {found.coordinate.text}"
    if found.engine != "semantica_rdf":
        judged += f" by {found.engine}"
    output.line(judged)
    for shape in found.unmet:
        output.line(f"No focus node for {escaped(shape)}: it has said nothing.")
    if found.conforms:
        output.line("Everything conforms.")
        return
    rows = (result_cells(result, prefixes) for result in found.results)
    output.table(RESULT_COLUMNS, rows)


def result_cells(result: Result, prefixes: Mapping[str, str]) -> tuple[str, ...]:
    """Return a result as the cells of a table under `RESULT_COLUMNS`."""
    from semantica_rdf.model.terms import term_of_pyoxigraph
    from semantica_rdf.shacl import path_text

    def term(node: Any) -> str:
        """Return a term as people read it; None is nothing."""
        return "" if node is None else term_text(term_of_pyoxigraph(node), prefixes)

    return (
        result.severity.rpartition("#")[2],
        term(result.focus),
        "" if result.path is None else _path(path_text(result.path), prefixes),
        "" if result.value == result.focus else term(result.value),
        escaped(" ".join(result.messages)),
    )


def _path(text: str, prefixes: Mapping[str, str]) -> str:
    from semantica_rdf.model.terms import Iri

    if text.startswith("<") and text.count("<") == 1 and text.endswith(">"):
        return term_text(Iri(text[1:-1]), prefixes)
    return escaped(text)


def _sheet_row(result: Result) -> tuple[str, ...]:
    from semantica_rdf.validation.audit import result_dict

    found = result_dict(result)
    found["message"] = " ".join(found["messages"])
    return tuple("" if found[name] is None else found[name] for name in SHEET_COLUMNS)


@shapes.command("add")
def add(
    context: typer.Context,
    file: _ShapesFile,
    *,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", help="What to call it; default the file's name."),
    ] = None,
    agent: options.Agent = None,
    reason: options.Reason = None,
    source: options.Source = None,
    namespace: options.Namespace = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Let a shapes graph gate every write from now on, or the next version of one."""
    session = Session.of(context, kb, as_json, wait)
    document = _document(file)
    with session.writing(Who(agent, reason, source, namespace), create=True) as writer:
        receipt = writer.base.shapes.add(
            document,
            name=name,
            reason=writer.reason,
            namespace=writer.namespace,
            agent=writer.agent,
            source=writer.source,
        )
    _tell_receipt(session, receipt, "It gates every write from now on")
    if not session.output.as_json:
        see = session.command("validate")
        session.output.line(f"What is on record already was not judged: {see}")


@shapes.command("remove")
def remove(
    context: typer.Context,
    name: _Name,
    *,
    agent: options.Agent = None,
    reason: options.Reason = None,
    namespace: options.Namespace = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Let a shapes graph gate no more; its versions stay on record."""
    session = Session.of(context, kb, as_json, wait)
    with session.writing(Who(agent, reason, None, namespace)) as writer:
        receipt = writer.base.shapes.remove(
            name, reason=writer.reason, namespace=writer.namespace, agent=writer.agent
        )
    _tell_receipt(session, receipt, "It gates no more")


@shapes.command("list")
def listed(
    context: typer.Context,
    *,
    known_at: options.KnownAt = None,
    namespace: options.Namespace = None,
    format: options.Format = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """List the shapes that gate a namespace, or did as known at a date."""
    session = Session.of(context, kb, as_json, wait, format)
    with session.reading() as base:
        known = view_of(base, None, known_at, namespace).coordinate.known_at_text
        found = base.shapes.listed(namespace=namespace, known_at=known)
        rows = [
            (
                each.name,
                str(sum(bool(shape.targets) for shape in each.shapes.every)),
                bound_text(each.statement.recorded_at),
                short_id(each.statement.id),
            )
            for each in found
        ]
    if session.output.as_json:
        session.output.json([dict(zip(SHAPES_COLUMNS, row, strict=True)) for row in rows])
    elif session.output.as_csv:
        session.output.csv(SHAPES_COLUMNS, rows)
    elif not rows:
        session.output.line("No shapes gate this namespace.")
    else:
        session.output.table(SHAPES_COLUMNS, rows)


@shapes.command("show")
def show(
    context: typer.Context,
    name: _Name,
    *,
    known_at: options.KnownAt = None,
    namespace: options.Namespace = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Print the text of a shapes graph, as known at a date."""
    session = Session.of(context, kb, as_json, wait)
    with session.reading() as base:
        known = view_of(base, None, known_at, namespace).coordinate.known_at_text
        found = base.shapes.get(name, namespace=namespace, known_at=known)
    if session.output.as_json:
        session.output.json({"name": found.name, "text": found.text})
    else:
        session.output.document(found.text)


def _document(name: str) -> Any:
    if name == STDIN:
        return sys.stdin.buffer
    if not Path(name).exists():
        raise NotFound(f"no file {name}", code="no_file")
    return Path(name)


def _tell_receipt(session: Session, receipt: Receipt, effect: str) -> None:
    if session.output.as_json:
        session.output.json({"receipt": str(receipt), "sequence": receipt.sequence})
        return
    session.output.line(str(receipt))
    if not receipt.is_empty:
        session.output.line(f"{effect}.")
