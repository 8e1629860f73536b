"""`load` and `export`: documents in, documents out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from semantica_rdf.cli import options
from semantica_rdf.cli.output import Output
from semantica_rdf.cli.session import Session, Who, Writer
from semantica_rdf.cli.targets import view_of
from semantica_rdf.errors import NotFound, ValidationError

if TYPE_CHECKING:
    from semantica_rdf.loading.report import LoadReport

STDIN = "-"
SHOWN_REJECTIONS = 20


def load(
    context: typer.Context,
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Documents, each one transaction; - is stdin."),
    ],
    *,
    mapping: Annotated[
        Path | None,
        typer.Option("--mapping", metavar="FILE", help="TOML: which column of a table is what."),
    ] = None,
    format: Annotated[
        str | None,
        typer.Option("--format", metavar="NAME", help="Where the suffix does not say it."),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", metavar="", help="Read and check everything, record nothing."),
    ] = False,
    chunk: Annotated[
        int | None,
        typer.Option("--chunk", metavar="N", min=1, help="A transaction per N statements."),
    ] = None,
    snapshot: Annotated[
        bool,
        typer.Option(
            "--snapshot", metavar="", help="FILE is all its source says from --valid-from on."
        ),
    ] = False,
    max_closed: Annotated[
        float | None,
        typer.Option(
            "--max-closed",
            metavar="SHARE",
            min=0.0,
            max=1.0,
            help="With --snapshot: how much of the source it may end; default 0.1.",
        ),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option("--reference", metavar="ID", help="Batch id: the same one twice loads once."),
    ] = None,
    progress: Annotated[
        bool,
        typer.Option("--progress", "-p", metavar="", help="Show progress, on a terminal only."),
    ] = False,
    valid_from: options.ValidFrom = None,
    valid_until: options.ValidUntil = None,
    graph: options.Graph = None,
    source: options.Source = None,
    agent: options.Agent = None,
    reason: options.Reason = None,
    namespace: options.Namespace = None,
    prefix: options.Prefix = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> int:
    """Load Turtle, TriG, N-Quads, N-Triples, JSON-LD; CSV, TSV, JSON Lines by a mapping."""
    session = Session.of(context, kb, as_json, wait)
    _check_files(files, reference)
    _check_snapshot(files, max_closed, chunk, valid_until, snapshot=snapshot)
    if mapping is not None:
        _check_tables(files, mapping, format)
    who = Who(agent, reason, source, namespace, prefix)
    given: dict[str, Any] = {
        "mode": "snapshot" if snapshot else "add",
        "max_closed": max_closed,
        "mapping": mapping,
        "format": format,
        "dry_run": dry_run,
        "chunk": chunk,
        "reference": reference,
        "valid_from": valid_from,
        "valid_until": valid_until,
    }
    reports = []
    with session.writing(who, create=True, in_vain=dry_run) as writer:
        given["graph"] = writer.words.iri_or_none(graph)
        for name in files:
            with _telling(wanted=progress and not session.output.as_json) as told:
                report = _loaded(writer, name, {**given, "progress": told})
            reports.append(report)
            if not session.output.as_json:
                _tell(report, session.output)
    if session.output.as_json:
        session.output.json([report.to_dict() for report in reports])
    return 0 if all(report.ok for report in reports) else ValidationError.exit_code


def _check_files(files: list[str], reference: str | None) -> None:
    if reference is not None and len(files) > 1:
        raise typer.BadParameter("--reference names one batch: give one FILE")
    if files.count(STDIN) > 1:
        raise typer.BadParameter("stdin can be read once: give one -")
    for name in files:
        if name != STDIN and not Path(name).exists():
            raise NotFound(f"no file {name}", code="no_file")


def _check_snapshot(
    files: list[str],
    max_closed: float | None,
    chunk: int | None,
    valid_until: str | None,
    *,
    snapshot: bool,
) -> None:
    if not snapshot:
        if max_closed is not None:
            raise typer.BadParameter("--max-closed goes with --snapshot: nothing else ends claims")
        return
    if len(files) > 1:
        raise typer.BadParameter("--snapshot takes one FILE, which is all its source says")
    if chunk is not None:
        raise typer.BadParameter("--snapshot is one transaction: leave --chunk out")
    if valid_until is not None:
        raise typer.BadParameter("--snapshot holds until the next one: leave --valid-until out")


def _check_tables(files: list[str], mapping: Path, format: str | None) -> None:
    """Refuse a mapping beside a document that has no columns, and a document in place of one."""
    if _format_of(mapping.name) is not None:
        raise typer.BadParameter(f"--mapping takes a TOML file, and {mapping} is a document")
    for name in files:
        found = _format_of(name) if format is None else _format_of(f".{format}")
        if found not in {None, "csv", "tsv", "jsonl"}:
            raise typer.BadParameter(
                f"--mapping is for tables, and {name} is {found}: leave --mapping out"
            )


def _format_of(name: str) -> str | None:
    """Return the format a file's name speaks of, None when it is none that is known."""
    from semantica_rdf.loading.formats import format_named

    suffix = Path("x" + Path(name).name.removesuffix(".gz")).suffix
    try:
        return format_named(suffix)
    except ValidationError:
        return None


def _loaded(writer: Writer, name: str, given: dict[str, Any]) -> LoadReport:
    return writer.base.load(
        sys.stdin.buffer if name == STDIN else Path(name),
        reason=writer.reason,
        agent=writer.agent,
        source=writer.source,
        namespace=writer.namespace,
        **given,
    )


@contextmanager
def _telling(*, wanted: bool) -> Iterator[Callable[[int, int | None], None] | None]:
    if not wanted or not sys.stderr.isatty():
        yield None
        return
    from semantica_rdf.cli.progress import progress_on_stderr

    with progress_on_stderr() as told:
        yield told


def _tell(report: LoadReport, output: Output) -> None:
    output.line(str(report))
    for rejection in report.rejected[:SHOWN_REJECTIONS]:
        output.line(f"  line {rejection.line}: {rejection.reason}")
    rest = len(report.rejected) - SHOWN_REJECTIONS
    if rest > 0:
        output.line(f"  and {rest:,} more; --json lists them all")
    for warning in report.warnings:
        output.line(f"  warning: {warning}")
    for receipt in report.receipts:
        output.line(str(receipt))


def export(
    context: typer.Context,
    *,
    to: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Where to; its suffix says the format."
        ),
    ] = None,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="turtle, trig, nquads, ntriples, jsonld, rdfxml; csv, parquet, arrow.",
        ),
    ] = None,
    dataset: Annotated[
        options.Dataset | None,
        typer.Option(
            "--dataset", help="The record with its provenance (default), or what holds at a date."
        ),
    ] = None,
    with_hash: Annotated[
        bool,
        typer.Option("--hash", metavar="", help="Print the RDFC-1.0 hash of the written file."),
    ] = False,
    blank_nodes: options.BlankNodes = options.BlankNodesChoice.skolem,
    valid_at: options.ValidAt = None,
    known_at: options.KnownAt = None,
    namespace: options.Namespace = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Write the whole record, or what holds at a coordinate, as RDF or as a table."""
    session = Session.of(context, kb, as_json, wait)
    target = _export_target(session, to, format, with_hash=with_hash)
    has_coordinate = bool(valid_at or known_at or namespace)
    if has_coordinate and dataset is options.Dataset.record:
        raise typer.BadParameter("--dataset record is all of the record: it takes no coordinate")
    with session.reading() as base:
        view = None
        if has_coordinate or dataset is options.Dataset.view:
            view = view_of(base, valid_at, known_at, namespace)
        written = base.export(target, view=view, format=format, blank_nodes=blank_nodes.value)
        what = "the record" if view is None else f"the view at {view.coordinate.text}"
    if written is not None:
        session.output.document(written)
    elif to is not None:
        _tell_export(session, to, what, _hash_of(to, format) if with_hash else None)


def _export_target(
    session: Session, to: Path | None, format: str | None, *, with_hash: bool
) -> Path | IO[bytes] | None:
    """Return the file to write to, None where people look at what is written."""
    from semantica_rdf.export.formats import BINARY, chosen_format, rdf_format

    if to is None and format is None:
        raise typer.BadParameter("give --output FILE, or --format NAME to write to stdout")
    if with_hash and to is None:
        raise typer.BadParameter("--hash is that of a file: give --output FILE")
    if with_hash:
        rdf_format(to, format)
    if to is not None:
        return to
    stream = session.output.binary()
    if stream is None and chosen_format(to, format).name in BINARY:
        raise typer.BadParameter(f"{format} is nothing to look at: give --output FILE")
    return stream


def _hash_of(path: Path, format: str | None) -> str:
    from semantica_rdf.export.hashing import canonical_hash

    return canonical_hash(path, format=format)


def _tell_export(session: Session, to: Path, what: str, digest: str | None) -> None:
    size = to.stat().st_size
    if session.output.as_json:
        told = {"path": str(to), "bytes": size, "exported": what}
        session.output.json(told if digest is None else {**told, "hash": digest})
        return
    session.output.line(f"Wrote {what} to {to} ({size:,} bytes).")
    if digest is not None:
        session.output.line(f"RDFC-1.0 hash: {digest}")
