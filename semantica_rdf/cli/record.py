"""`history`, `log`, `stats`, `verify`: the record itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated

import typer

from semantica_rdf.cli import options, plain
from semantica_rdf.cli.session import Session
from semantica_rdf.cli.targets import target_of
from semantica_rdf.cli.text import counted, iri_text, short_id, triple_text, window_text
from semantica_rdf.cli.words import Words
from semantica_rdf.model.time import instant_text

if TYPE_CHECKING:
    from semantica_rdf.knowledge_base import KnowledgeBase
    from semantica_rdf.model.statement import Statement
    from semantica_rdf.view.transactions import TransactionRecord

ANSWER_IS_NO = 1


def history(
    context: typer.Context,
    target: options.Target,
    *,
    namespace: options.Namespace = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Show every version of a claim: what was said, when, by whom, and what took its place."""
    session = Session.of(context, kb, as_json, wait)
    with session.reading() as base:
        found = target_of(base, target, Words(base.prefixes), namespace)
        versions = base.history(found, namespace=namespace)
        if session.output.as_json:
            session.output.json([plain.statement_value(version) for version in versions])
            return
        why = cache(lambda transaction: _why(transaction, base))
        for number, version in enumerate(versions):
            if number:
                session.output.line()
            for line in _version_lines(version, base.prefixes, why):
                session.output.line(line)


def _version_lines(
    version: Statement, prefixes: Mapping[str, str], why: Callable[[str], str]
) -> Iterator[str]:
    yield f"{short_id(version.id)}  {triple_text(version, prefixes)}"
    said = [
        f"valid {window_text(version.window)}",
        version.standing,
        f"from {iri_text(version.source, prefixes)}",
    ]
    if version.support_id is not None:
        said.append(f"support id {version.support_id}")
    if version.confidence is not None:
        said.append(f"confidence {version.confidence}")
    yield f"      {', '.join(said)}"
    recorded = instant_text(version.recorded_at)
    yield f"      recorded {recorded} by {why(version.transaction)}"
    if version.superseded_by is not None:
        closed = instant_text(version.superseded_at)
        yield f"      superseded {closed} by {why(version.superseded_by)}"


def _why(transaction: str, base: KnowledgeBase) -> str:
    name = short_id(transaction)
    sequence = int(name.partition("-")[0])
    record = next(base.changes(since=sequence - 1), None)
    return name if record is None else f"{name} ({record.operation}: {record.reason})"


def log(
    context: typer.Context,
    *,
    since: Annotated[
        int, typer.Option("--since", metavar="N", min=0, help="Only transactions after number N.")
    ] = 0,
    statements: Annotated[
        bool,
        typer.Option("--statements", metavar="", help="With the statements written and closed."),
    ] = False,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """List the transactions, oldest first: who changed what, when, why."""
    session = Session.of(context, kb, as_json, wait)
    with session.reading() as base:
        records = base.changes(since=since)
        if session.output.as_json:
            session.output.json([_transaction(record, base, statements) for record in records])
            return
        empty = True
        for record in records:
            empty = False
            for line in _transaction_lines(record, base.prefixes):
                session.output.line(line)
            if statements:
                for mark, statement in _touched(record, base):
                    text = triple_text(statement, base.prefixes)
                    window = window_text(statement.window)
                    session.output.line(f"     {mark} {short_id(statement.id)}  {text}, {window}")
        if empty:
            session.output.line("No transactions.")


def _transaction(
    record: TransactionRecord, base: KnowledgeBase, with_statements: bool
) -> dict[str, object]:
    value = plain.transaction_value(record)
    if with_statements:
        written = [
            plain.statement_value(item) for mark, item in _touched(record, base) if mark == "+"
        ]
        closed = [
            plain.statement_value(item) for mark, item in _touched(record, base) if mark == "-"
        ]
        value |= {"statements": written, "superseded": closed}
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
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Count what the base holds; prints the head of its chain, to be kept elsewhere."""
    session = Session.of(context, kb, as_json, wait)
    with session.reading() as base:
        counts = base.stats().to_dict()
        head = str(base.head())
        if session.output.as_json:
            known = {"path": str(session.path), "head": head, "prefixes": dict(base.prefixes)}
            session.output.json({**counts, **known})
            return
        rows = [(name.replace("_", " "), f"{count:,}") for name, count in counts.items()]
        session.output.table(("", "count"), rows)
        session.output.line(f"head {head}")


def verify(
    context: typer.Context,
    *,
    head: Annotated[
        str | None,
        typer.Option("--head", metavar="HEAD", help="A head kept elsewhere: shows a cut tail."),
    ] = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> int:
    """Check journal and record against each other; exit code 1 when they disagree."""
    session = Session.of(context, kb, as_json, wait)
    with session.reading() as base:
        report = base.verify(head=head)
    if session.output.as_json:
        problems = [
            {"code": item.code, "sequence": item.sequence, "message": item.message}
            for item in report.problems
        ]
        counts = {
            "transactions": report.transactions,
            "statements": report.statements,
            "facts": report.facts,
        }
        told = {"ok": report.ok, **counts, "head": str(report.head), "problems": problems}
        session.output.json(told)
    else:
        session.output.line(str(report))
        for problem in report.problems:
            session.output.line(f"  {problem}")
    return 0 if report.ok else ANSWER_IS_NO
