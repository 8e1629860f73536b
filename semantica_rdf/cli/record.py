"""`log`, `stats`, `verify`: the record itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from semantica_rdf.cli import options, plain, sheets
from semantica_rdf.cli.session import Session
from semantica_rdf.cli.targets import known_instant, view_of
from semantica_rdf.cli.text import iri_text, short_id, triple_text, window_text
from semantica_rdf.model.time import instant_text
from semantica_rdf.view.shown import counted

if TYPE_CHECKING:
    from semantica_rdf.knowledge_base import KnowledgeBase
    from semantica_rdf.model.statement import Statement
    from semantica_rdf.view.transactions import TransactionRecord

ANSWER_IS_NO = 1
_SINCE = re.compile(r"(\d+)(?:-0)?\Z", re.ASCII)


class _Entry(NamedTuple):
    """A transaction, and what it wrote (`+`) and closed (`-`) where that is asked for."""

    record: TransactionRecord
    touched: tuple[tuple[str, Statement], ...]


def log(
    context: typer.Context,
    *,
    since: Annotated[
        str,
        typer.Option(
            "--since", metavar="N", help="Only transactions after number N, or after id N-0."
        ),
    ] = "0",
    statements: Annotated[
        bool,
        typer.Option("--statements", metavar="", help="With the statements written and closed."),
    ] = False,
    valid_at: options.ValidAtOnly = None,
    known_at: options.KnownAt = None,
    namespace: options.NamespaceOnly = None,
    format: options.Format = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """List the transactions, oldest first: who changed what, when, why."""
    session = Session.of(context, kb, as_json, wait, format)
    after = _SINCE.match(short_id(since))
    if after is None:
        raise typer.BadParameter(
            f"--since {since}: give a number, or a transaction's id such as 3-0"
        )
    with session.reading() as base:
        coordinate = view_of(base, valid_at, known_at, namespace).coordinate
        entries = (
            entry
            for record in base.changes(since=int(after.group(1)))
            if record.recorded_instant <= coordinate.known_at
            and namespace in {None, record.namespace}
            for entry in _entries(
                record,
                base,
                valid_at=None if valid_at is None else coordinate.valid_at,
                wanted=statements,
            )
        )
        if session.output.as_json:
            session.output.json([_value(entry, statements) for entry in entries])
        elif session.output.as_csv:
            _print_csv(entries, session, statements)
        else:
            _print_lines(entries, base.prefixes, session)


def _entries(
    record: TransactionRecord, base: KnowledgeBase, *, valid_at: int | None, wanted: bool
) -> Iterator[_Entry]:
    """Yield the entry of a transaction, unless nothing it touched holds at the instant asked for."""
    if not wanted and valid_at is None:
        yield _Entry(record, ())
        return
    touched = tuple(
        (mark, item)
        for mark, item in _touched(record, base)
        if valid_at is None or item.window.holds_at(valid_at)
    )
    if touched or valid_at is None:
        yield _Entry(record, touched if wanted else ())


def _print_lines(entries: Iterator[_Entry], prefixes: Mapping[str, str], session: Session) -> None:
    empty = True
    for entry in entries:
        empty = False
        for line in _transaction_lines(entry.record, prefixes):
            session.output.line(line)
        for mark, statement in entry.touched:
            text = triple_text(statement, prefixes)
            window = window_text(statement.window)
            session.output.line(f"     {mark} {short_id(statement.id)}  {text}, {window}")
    if empty:
        session.output.line("No transactions.")


def _print_csv(entries: Iterator[_Entry], session: Session, with_statements: bool) -> None:
    """Print a row per transaction, or with statements a row per statement written or closed."""
    columns: tuple[str, ...] = sheets.TRANSACTION_COLUMNS
    values = (plain.transaction_value(entry.record) for entry in entries)
    if with_statements:
        values = (
            {"change": _CHANGES[mark], "by": entry.record.id, **sheets.statement_value(item)}
            for entry in entries
            for mark, item in entry.touched
        )
        columns = ("by", "change", *sheets.STATEMENT_COLUMNS)
    session.output.csv(columns, sheets.rows(columns, values))


_CHANGES = {"+": "written", "-": "closed"}


def _value(entry: _Entry, with_statements: bool) -> dict[str, object]:
    value = plain.transaction_value(entry.record)
    if with_statements:
        value |= {
            name: [plain.statement_value(item) for mark, item in entry.touched if mark == wanted]
            for name, wanted in (("statements", "+"), ("superseded", "-"))
        }
    return value


def _transaction_lines(record: TransactionRecord, prefixes: Mapping[str, str]) -> Iterator[str]:
    did = [f"{counted(len(record.statements), 'statement')} written"]
    if record.superseded:
        did.append(f"{len(record.superseded):,} superseded")
    scope = "" if record.namespace == "default" else f" in namespace {record.namespace}"
    what = f"{record.operation} ({record.reason_code}){scope}: {', '.join(did)}"
    yield f"{short_id(record.id)}  {instant_text(record.recorded_instant)}  {what}"
    batch = "" if record.reference is None else f" [reference {record.reference}]"
    yield f"     by {iri_text(record.agent, prefixes)}: {record.reason}{batch}"


def _touched(record: TransactionRecord, base: KnowledgeBase) -> Iterator[tuple[str, Statement]]:
    for mark, ids in (("-", record.superseded), ("+", record.statements)):
        for name in ids:
            yield mark, next(item for item in base.history(name) if item.id == name)


def stats(
    context: typer.Context,
    *,
    valid_at: options.ValidAtOnly = None,
    known_at: options.KnownAt = None,
    namespace: options.NamespaceOnly = None,
    format: options.Format = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Count what the base holds; prints the head of its chain, to be kept elsewhere."""
    session = Session.of(context, kb, as_json, wait, format)
    with session.reading() as base:
        known = known_instant(base, known_at)
        counted_there = base.stats(valid_at=valid_at, known_at=known, namespace=namespace)
        counts, head = counted_there.to_dict(), str(base.head())
        if session.output.as_json:
            told = {"path": str(session.path), "head": head, "prefixes": dict(base.prefixes)}
            session.output.json({**counts, **told})
        elif session.output.as_csv:
            rows = [*((name, str(count)) for name, count in counts.items()), ("head", head)]
            session.output.csv(("name", "value"), rows)
        else:
            cells = [(name.replace("_", " "), f"{count:,}") for name, count in counts.items()]
            session.output.table(("", "count"), cells)
            session.output.line(f"head {head}")


def verify(
    context: typer.Context,
    *,
    head: Annotated[
        str | None,
        typer.Option("--head", metavar="HEAD", help="A head kept elsewhere: shows a cut tail."),
    ] = None,
    format: options.Format = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> int:
    """Check journal and record against each other; exit code 1 when they disagree."""
    session = Session.of(context, kb, as_json, wait, format)
    with session.reading() as base:
        report = base.verify(head=head)
    problems = [
        {"code": item.code, "sequence": item.sequence, "message": item.message}
        for item in report.problems
    ]
    if session.output.as_json:
        counts = {
            "transactions": report.transactions,
            "statements": report.statements,
            "facts": report.facts,
        }
        told = {"ok": report.ok, **counts, "head": str(report.head), "problems": problems}
        session.output.json(told)
    elif session.output.as_csv:
        columns = ("code", "sequence", "message")
        session.output.csv(columns, sheets.rows(columns, problems))
    else:
        session.output.line(str(report))
        for problem in report.problems:
            session.output.line(f"  {problem}")
    return 0 if report.ok else ANSWER_IS_NO
