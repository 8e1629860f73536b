"""`why`: the statements behind a fact at a coordinate, or what is on record where it does not hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import typer

from semantica_rdf.cli import options, plain, sheets
from semantica_rdf.cli.claims import Object, Predicate, Subject
from semantica_rdf.cli.past import said_text
from semantica_rdf.cli.record import ANSWER_IS_NO
from semantica_rdf.cli.session import Session
from semantica_rdf.cli.targets import known_instant
from semantica_rdf.cli.text import (
    bound_text,
    iri_text,
    short_id,
    term_text,
    triple_text,
    window_text,
)
from semantica_rdf.cli.words import Words
from semantica_rdf.model.time import instant_text

if TYPE_CHECKING:
    from semantica_rdf.model.statement import Statement
    from semantica_rdf.view.explanation import Evidence, Explanation
    from semantica_rdf.view.transactions import Act

_COLUMNS = ("bearing", *sheets.STATEMENT_COLUMNS, "operation", "reason_code", "reason", "agent")


def why(
    context: typer.Context,
    subject: Subject,
    predicate: Predicate,
    object: Object,
    *,
    graph: options.Graph = None,
    valid_at: options.ValidAt = None,
    known_at: options.KnownAt = None,
    namespace: options.Namespace = None,
    format: options.Format = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> int:
    """Say why a fact holds at a coordinate; exit code 1 where it does not, with what is on record."""
    session = Session.of(context, kb, as_json, wait, format)
    with session.reading() as base:
        words = Words(base.prefixes)
        found = base.explain(
            words.iri(subject),
            words.predicate(predicate),
            words.term(object),
            words.iri_or_none(graph),
            valid_at=valid_at,
            known_at=known_instant(base, known_at),
            namespace=namespace,
        )
        if session.output.as_json:
            session.output.json(_value(found))
        elif session.output.as_csv:
            session.output.csv(_COLUMNS, sheets.rows(_COLUMNS, _rows(found)))
        else:
            asked = (words.iri(subject), words.predicate(predicate), words.term(object))
            claim = " ".join(term_text(term, words.prefixes) for term in asked)
            for line in _lines(claim, found, words.prefixes):
                session.output.line(line)
    return 0 if found.holds else ANSWER_IS_NO


def _lines(claim: str, found: Explanation, prefixes: Mapping[str, str]) -> Iterator[str]:
    where = found.coordinate.text
    if found.belief is not None:
        yield f"{claim} holds at {where}: believed {window_text(found.belief.window)}."
    else:
        yield f"{claim} does not hold at {where}."
        if not (found.others or found.later):
            yield "Nothing is on record for it."
    rest = "Also on record:" if found.holds else "On record:"
    for heading, evidence in (
        ("Because:", found.statements),
        (rest, found.others),
        ("Recorded only later:", found.later),
    ):
        yield from _listed(heading, evidence, prefixes)
    if found.instead:
        yield "Beside it, there:" if found.holds else "Instead, there:"
    for fact in found.instead:
        ids = ", ".join(short_id(name) for name in fact.statements)
        yield f"  {triple_text(fact, prefixes)}, {window_text(fact.window)} ({ids})"


def _listed(
    heading: str, evidence: Iterable[Evidence], prefixes: Mapping[str, str]
) -> Iterator[str]:
    for number, item in enumerate(evidence):
        if number == 0:
            yield heading
        statement = item.statement
        yield f"  {short_id(statement.id)}  {said_text(statement, prefixes)}"
        yield f"        recorded {_act_text(item.recorded, prefixes)}"
        became = _became(item, prefixes)
        if became:
            yield f"        {became}"


def _act_text(act: Act, prefixes: Mapping[str, str]) -> str:
    when = instant_text(act.recorded_instant)
    who = iri_text(act.agent, prefixes)
    return f"{when} by {short_id(act.id)} of {who} ({act.operation}: {act.reason})"


def _became(item: Evidence, prefixes: Mapping[str, str]) -> str:
    """Return why a statement does not support its fact there, or what became of it."""
    statement = item.statement
    if item.superseded is not None:
        became = f"superseded {_act_text(item.superseded, prefixes)}"
        return became + _successor_text(statement, item.successor, prefixes)
    if item.bearing == "ended":
        return f"ended {bound_text(statement.window.end)}"
    if item.bearing == "starts_later":
        return f"starts only {bound_text(statement.window.start)}"
    return "" if item.bearing == "supports" else f"{item.bearing}, so not believed"


def _successor_text(
    statement: Statement, successor: Statement | None, prefixes: Mapping[str, str]
) -> str:
    if successor is None:
        return ", nothing in its place"
    claim = ""
    if successor.fact != statement.fact:
        claim = f" {triple_text(successor, prefixes)},"
    standing = "" if successor.standing == statement.standing else f", {successor.standing}"
    name = short_id(successor.id)
    return f", in its place {name}:{claim} {window_text(successor.window)}{standing}"


def _value(found: Explanation) -> dict[str, Any]:
    return {
        "fact": plain.key_value(found.key),
        "coordinate": plain.coordinate_value(found.coordinate),
        "holds": found.holds,
        "belief": None if found.belief is None else plain.fact_value(found.belief),
        "statements": [_evidence_value(item) for item in found.statements],
        "others": [_evidence_value(item) for item in found.others],
        "instead": [plain.fact_value(fact) for fact in found.instead],
        "later": [_evidence_value(item) for item in found.later],
    }


def _evidence_value(item: Evidence) -> dict[str, Any]:
    return {
        **plain.statement_value(item.statement),
        "bearing": item.bearing,
        "recorded_by": plain.act_value(item.recorded),
        "closed_by": None if item.superseded is None else plain.act_value(item.superseded),
        "successor": None if item.successor is None else item.successor.id,
    }


def _rows(found: Explanation) -> Iterator[dict[str, Any]]:
    for item in (*found.statements, *found.others, *found.later):
        bearing = "recorded_later" if item in found.later else item.bearing
        act = plain.act_value(item.recorded)
        yield {**act, **sheets.statement_value(item.statement), "bearing": bearing}
