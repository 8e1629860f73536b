"""`history`: every version of a claim or about a subject, in words or as a picture on both axes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

import typer

from semantica_rdf.cli import options, plain, sheets
from semantica_rdf.cli.picture import pictured
from semantica_rdf.cli.session import Session
from semantica_rdf.cli.targets import is_named, known_instant, target_of
from semantica_rdf.cli.text import iri_text, short_id, triple_text, window_text
from semantica_rdf.cli.words import Words
from semantica_rdf.model.time import instant_text, start_of

if TYPE_CHECKING:
    from semantica_rdf.knowledge_base import KnowledgeBase
    from semantica_rdf.model.statement import Statement


def history(
    context: typer.Context,
    target: Annotated[
        list[str],
        typer.Argument(
            metavar="TARGET",
            help="An id or the beginning of one, a support id, a SUBJECT, "
            "or SUBJECT PREDICATE OBJECT [GRAPH].",
        ),
    ],
    *,
    picture: Annotated[
        bool,
        typer.Option(
            "--picture", metavar="", help="Draw what held when: valid time right, known down."
        ),
    ] = False,
    valid_at: options.ValidAtOnly = None,
    known_at: options.KnownAt = None,
    namespace: options.Namespace = None,
    format: options.Format = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Show every version of a claim: what was said, when, by whom, and what took its place."""
    session = Session.of(context, kb, as_json, wait, format)
    if picture and (session.output.as_json or session.output.as_csv):
        raise typer.BadParameter("--picture is for people: it takes neither JSON nor CSV")
    with session.reading() as base:
        versions = _versions(base, target, valid_at, known_at, namespace)
        if session.output.as_json:
            session.output.json([plain.statement_value(version) for version in versions])
        elif session.output.as_csv:
            session.output.csv(sheets.STATEMENT_COLUMNS, sheets.statement_rows(versions))
        elif picture:
            instant = None if valid_at is None else start_of(valid_at, where="valid_at").instant
            for line in _picture(versions, instant, session, base.prefixes):
                session.output.line(line)
        else:
            why = cache(lambda transaction: _why(transaction, base))
            for number, version in enumerate(versions):
                if number:
                    session.output.line()
                for line in _version_lines(version, base.prefixes, why):
                    session.output.line(line)


def _versions(
    base: KnowledgeBase,
    target: list[str],
    valid_at: str | None,
    known_at: str | None,
    namespace: str | None,
) -> list[Statement]:
    reader = Words(base.prefixes)
    found: Any
    if len(target) == 1 and not is_named(base, target[0], namespace):
        found = (reader.iri(target[0]), None, None)
    else:
        found = target_of(base, target, reader, namespace)
    known = known_instant(base, known_at)
    return base.history(found, namespace=namespace, valid_at=valid_at, known_at=known)


def _picture(
    versions: list[Statement],
    valid_at: int | None,
    session: Session,
    prefixes: Mapping[str, str],
) -> Iterator[str]:
    return pictured(
        versions,
        prefixes,
        valid_at=valid_at,
        width=session.output.width,
        plain=not session.output.draws_boxes,
    )


def _version_lines(
    version: Statement, prefixes: Mapping[str, str], why: Callable[[str], str]
) -> Iterator[str]:
    yield f"{short_id(version.id)}  {triple_text(version, prefixes)}"
    yield f"      {said_text(version, prefixes)}"
    recorded = instant_text(version.recorded_at)
    yield f"      recorded {recorded} by {why(version.transaction)}"
    if version.superseded_by is not None:
        closed = instant_text(version.superseded_at)
        yield f"      superseded {closed} by {why(version.superseded_by)}"


def said_text(version: Statement, prefixes: Mapping[str, str]) -> str:
    """Return when a version holds, how it stands, who says so, under which id, how surely."""
    said = [
        f"valid {window_text(version.window)}",
        version.standing,
        f"from {iri_text(version.source, prefixes)}",
    ]
    if version.support_id is not None:
        said.append(f"support id {version.support_id}")
    if version.confidence is not None:
        said.append(f"confidence {version.confidence}")
    return ", ".join(said)


def _why(transaction: str, base: KnowledgeBase) -> str:
    name = short_id(transaction)
    sequence = int(name.partition("-")[0])
    record = next(base.changes(since=sequence - 1), None)
    return name if record is None else f"{name} ({record.operation}: {record.reason})"
