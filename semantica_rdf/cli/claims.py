"""`assert`, `propose`, `replace`, `revise`: putting claims on record and correcting them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, NamedTuple

import typer

from semantica_rdf.cli import options
from semantica_rdf.cli.effects import ids_text, tell_effect
from semantica_rdf.cli.session import Session, Who
from semantica_rdf.cli.targets import target_of
from semantica_rdf.cli.text import short_id, term_text, triple_text, window_text

Subject = Annotated[str, typer.Argument(metavar="SUBJECT", help="An IRI or prefixed name.")]
Predicate = Annotated[
    str, typer.Argument(metavar="PREDICATE", help="An IRI or prefixed name; a is rdf:type.")
]
Object = Annotated[
    str,
    typer.Argument(
        metavar="OBJECT",
        help="An IRI or prefixed name, a number, true or false, a literal in Turtle form, else a text.",
    ),
]


class Within(StrEnum):
    """Whose other values a replacement cuts."""

    namespace = "namespace"
    source = "source"


class Part(StrEnum):
    """A part of a claim that can be left out."""

    valid_from = "valid-from"
    valid_until = "valid-until"
    graph = "graph"
    support_id = "support-id"
    confidence = "confidence"


def assert_(
    context: typer.Context,
    subject: Subject,
    predicate: Predicate,
    object: Object,
    *,
    valid_from: options.ValidFrom = None,
    valid_until: options.ValidUntil = None,
    valid_during: options.ValidDuring = None,
    date_end: options.DateEnd = options.DateEndChoice.exclusive,
    graph: options.Graph = None,
    support_id: options.SupportId = None,
    confidence: options.Confidence = None,
    source: options.Source = None,
    agent: options.Agent = None,
    reason: options.Reason = None,
    namespace: options.Namespace = None,
    prefix: options.Prefix = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Put a claim on record, with its source and when it holds."""
    session = Session.of(context, kb, as_json, wait)
    who = Who(agent, reason, source, namespace, prefix)
    window = (valid_from, valid_until, valid_during, date_end)
    given = _Given((subject, predicate, object), window, graph, support_id, confidence)
    _state(session, who, given, proposed=False)


def propose(
    context: typer.Context,
    subject: Subject,
    predicate: Predicate,
    object: Object,
    *,
    valid_from: options.ValidFrom = None,
    valid_until: options.ValidUntil = None,
    valid_during: options.ValidDuring = None,
    date_end: options.DateEnd = options.DateEndChoice.exclusive,
    graph: options.Graph = None,
    support_id: options.SupportId = None,
    confidence: options.Confidence = None,
    source: options.Source = None,
    agent: options.Agent = None,
    reason: options.Reason = None,
    namespace: options.Namespace = None,
    prefix: options.Prefix = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Put a claim on record that waits for review: nobody believes it yet."""
    session = Session.of(context, kb, as_json, wait)
    who = Who(agent, reason, source, namespace, prefix)
    window = (valid_from, valid_until, valid_during, date_end)
    given = _Given((subject, predicate, object), window, graph, support_id, confidence)
    _state(session, who, given, proposed=True)


class _Given(NamedTuple):
    """A claim as typed: its words, its bounds and how dates end them, and the rest."""

    words: tuple[str, str, str]
    window: tuple[str | None, str | None, str | None, options.DateEndChoice]
    graph: str | None
    support_id: str | None
    confidence: str | None


def _state(session: Session, who: Who, given: _Given, *, proposed: bool) -> None:
    valid_from, valid_until, valid_during, date_end = given.window
    with session.writing(who, create=True) as writer:
        words = writer.words
        subject, predicate, value = given.words
        with writer.transaction() as tx:
            verb = tx.propose if proposed else tx.assert_
            made = verb(
                words.iri(subject),
                words.predicate(predicate),
                words.term(value),
                graph=words.iri_or_none(given.graph),
                valid_from=valid_from,
                valid_until=valid_until,
                valid_during=valid_during,
                date_end=date_end.value,
                support_id=given.support_id,
                confidence=given.confidence,
            )
        version = writer.version(made)
        name = short_id(made)
        said = f"{triple_text(version, words.prefixes)}, {window_text(version.window)}"
        if tx.receipt.already_there:
            sentence = f"Already on record as {name}."
        elif proposed:
            sentence = f"Proposed as {name}, not believed yet: {said}."
        else:
            sentence = f"On record as {name}: {said}."
        sibling = f"When it ends: {session.command(f'retract {name} --reason WHY')}"
        if proposed:
            sibling = f"Once it is reviewed: {session.command(f'believe {name} --reason WHY')}"
        tell_effect(session, tx.receipt, sentence, sibling)


def replace(
    context: typer.Context,
    subject: Subject,
    predicate: Predicate,
    object: Object,
    *,
    valid_from: options.ValidFrom = None,
    valid_until: options.ValidUntil = None,
    valid_during: options.ValidDuring = None,
    date_end: options.DateEnd = options.DateEndChoice.exclusive,
    within: Annotated[
        Within, typer.Option("--within", help="Cut every source's values, or only this source's.")
    ] = Within.namespace,
    graph: options.Graph = None,
    support_id: options.SupportId = None,
    confidence: options.Confidence = None,
    source: options.Source = None,
    agent: options.Agent = None,
    reason: options.Reason = None,
    namespace: options.Namespace = None,
    prefix: options.Prefix = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Say that from a date on the value is another: other values end where it begins."""
    session = Session.of(context, kb, as_json, wait)
    who = Who(agent, reason, source, namespace, prefix)
    with session.writing(who, create=True) as writer:
        words = writer.words
        with writer.transaction() as tx:
            made = tx.replace(
                words.iri(subject),
                words.predicate(predicate),
                words.term(object),
                valid_from=valid_from,
                valid_until=valid_until,
                valid_during=valid_during,
                date_end=date_end.value,
                within=within.value,
                graph=words.iri_or_none(graph),
                support_id=support_id,
                confidence=confidence,
            )
        cut = tx.receipt.cut
        value = term_text(words.term(object), words.prefixes)
        window = window_text(writer.version(made).window)
        sentence = f"The value is {value} {window} ({short_id(made)})"
        sentence += f"; it cut {ids_text(cut)}." if cut else "; there was nothing to cut."
        old = short_id(cut[0]) if cut else "ID"
        sibling = (
            "The old value still answers at earlier dates; if it was wrong from the start: "
            f"{session.command(f'revise {old} --object VALUE --reason WHY')}"
        )
        tell_effect(session, tx.receipt, sentence, sibling)


def revise(
    context: typer.Context,
    target: options.Target,
    *,
    subject: Annotated[
        str | None, typer.Option("--subject", metavar="IRI", help="The right subject.")
    ] = None,
    predicate: Annotated[
        str | None, typer.Option("--predicate", metavar="IRI", help="The right predicate.")
    ] = None,
    object: Annotated[
        str | None, typer.Option("--object", metavar="TERM", help="The right object.")
    ] = None,
    valid_from: options.ValidFrom = None,
    valid_until: options.ValidUntil = None,
    valid_during: options.ValidDuring = None,
    date_end: options.DateEnd = options.DateEndChoice.exclusive,
    without: Annotated[
        list[Part] | None,
        typer.Option("--without", help="Leave this part out: an open bound, no graph. Repeatable."),
    ] = None,
    graph: options.Graph = None,
    support_id: options.SupportId = None,
    confidence: options.Confidence = None,
    source: Annotated[
        str | None, typer.Option("--source", metavar="IRI", help="The right source.")
    ] = None,
    agent: options.Agent = None,
    reason: options.Reason = None,
    namespace: options.Namespace = None,
    prefix: options.Prefix = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Correct a claim that was recorded wrongly; as known before, the old answer stays."""
    session = Session.of(context, kb, as_json, wait)
    with session.writing(Who(agent, reason, None, namespace, prefix)) as writer:
        words = writer.words
        given = {
            "subject": words.iri_or_none(subject),
            "predicate": None if predicate is None else words.predicate(predicate),
            "object": None if object is None else words.term(object),
            "graph": words.iri_or_none(graph),
            "source": words.iri_or_none(source),
            "valid_from": valid_from,
            "valid_until": valid_until,
            "valid_during": valid_during,
            "support_id": support_id,
            "confidence": confidence,
        }
        changes = _changes(given, without or [])
        found = target_of(writer.base, target, words, namespace)
        with writer.transaction() as tx:
            made = tx.revise(found, date_end=date_end.value, **changes)
        version = writer.version(made)
        claim = f"{triple_text(version, words.prefixes)}, {window_text(version.window)}"
        sentence = f"Corrected {ids_text(tx.receipt.superseded)} as {short_id(made)}: {claim}."
        sibling = (
            "As known before, the old answer stays; if the world changed instead: "
            f"{session.command('replace SUBJECT PREDICATE OBJECT --valid-from DATE --reason WHY')}"
        )
        tell_effect(session, tx.receipt, sentence, sibling)


def _changes(given: dict[str, Any], without: list[Part]) -> dict[str, Any]:
    """Return the parts to change: those given, and those to be left out as None."""
    changes = {name: value for name, value in given.items() if value is not None}
    for part in without:
        name = part.value.replace("-", "_")
        if name in changes:
            raise typer.BadParameter(
                f"--{part.value} and --without {part.value} exclude each other"
            )
        changes[name] = None
    return changes
