"""`retract` and `withdraw`: what stopped being true, and what its source takes back."""

from __future__ import annotations

from shlex import quote
from typing import Annotated, Any

import typer

from semantica_rdf.cli import options
from semantica_rdf.cli.effects import statements_text, tell_effect
from semantica_rdf.cli.session import Session, Who, Writer
from semantica_rdf.cli.targets import target_of
from semantica_rdf.cli.text import bound_text, short_id

Targets = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[TARGET]",
        help="An id or the beginning of one, a support id, or SUBJECT PREDICATE OBJECT [GRAPH].",
    ),
]
OfSource = Annotated[
    str | None,
    typer.Option("--source", metavar="IRI", help="Instead of a target: all this source says."),
]


def retract(
    context: typer.Context,
    target: Targets = None,
    *,
    source: OfSource = None,
    valid_until: Annotated[
        str | None,
        typer.Option(
            "--valid-until", metavar="TIME", help="First instant it no longer held; default now."
        ),
    ] = None,
    agent: options.Agent = None,
    reason: options.Reason = None,
    namespace: options.Namespace = None,
    prefix: options.Prefix = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Say that a claim stopped being true; it still answers at earlier dates."""
    session = Session.of(context, kb, as_json, wait)
    with session.writing(Who(agent, reason, None, namespace, prefix)) as writer:
        found, chosen = _chosen(writer, target, source, namespace)
        with writer.transaction() as tx:
            made = tx.retract(found, source=chosen, valid_until=valid_until)
        ends = {_end_of(writer, name, namespace) for name in made}
        until = f"it holds until {ends.pop()}" if len(ends) == 1 else "they end at different times"
        sentence = f"Ended {statements_text(tx.receipt.superseded)}: {until}."
        again = session.command(f"withdraw {_again(made, target, source)} --reason WHY")
        sibling = f"It still answers at earlier dates; if it never was true: {again}"
        tell_effect(session, tx.receipt, sentence, sibling)


def withdraw(
    context: typer.Context,
    target: Targets = None,
    *,
    source: OfSource = None,
    agent: options.Agent = None,
    reason: options.Reason = None,
    namespace: options.Namespace = None,
    prefix: options.Prefix = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Take back a claim entirely: as known from now on it never held."""
    session = Session.of(context, kb, as_json, wait)
    with session.writing(Who(agent, reason, None, namespace, prefix)) as writer:
        found, chosen = _chosen(writer, target, source, namespace)
        with writer.transaction() as tx:
            closed = tx.withdraw(found, source=chosen)
        sentence = f"Took back {statements_text(closed)}."
        again = "assert SUBJECT PREDICATE OBJECT --valid-until DATE --reason WHY"
        sibling = (
            "As known before, it still answers; if it was true once and has ended, put it back: "
            f"{session.command(again)}"
        )
        tell_effect(session, tx.receipt, sentence, sibling)


def _chosen(
    writer: Writer, target: list[str] | None, source: str | None, namespace: str | None
) -> tuple[Any, Any]:
    if bool(target) == (source is not None):
        raise typer.BadParameter("give a TARGET or --source, one of them")
    if source is not None:
        return None, writer.words.iri(source)
    return target_of(writer.base, target or [], writer.words, namespace), None


def _end_of(writer: Writer, made: str, namespace: str | None) -> str:
    versions = writer.base.history(made, namespace=namespace)
    return next(bound_text(item.window.end) for item in versions if item.id == made)


def _again(made: list[str], target: list[str] | None, source: str | None) -> str:
    """Return the words that mean the same statements once more."""
    if source is not None:
        return f"--source {quote(source)}"
    if len(made) == 1 or target is None:
        return short_id(made[0])
    return " ".join(quote(word) for word in target)
