"""`believe`, `dispute`, `reject`: judgements of statements on record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from semantica_rdf.cli import options
from semantica_rdf.cli.effects import tell_effect
from semantica_rdf.cli.session import Session, Who
from semantica_rdf.cli.targets import target_of
from semantica_rdf.cli.text import short_id, triple_text, window_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from semantica_rdf.ledger.transaction import Transaction

_AGAIN = {
    "believed": "As known before, it stays as it was; if it is doubtful after all: ",
    "disputed": "It is on record and not believed; once it is settled: ",
    "rejected": "It is on record and not believed; if it was right after all: ",
}
_SIBLINGS = {"believed": "dispute", "disputed": "believe", "rejected": "believe"}


def believe(
    context: typer.Context,
    target: options.Target,
    *,
    agent: options.Agent = None,
    reason: options.Reason = None,
    namespace: options.Namespace = None,
    prefix: options.Prefix = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Judge a statement believed: one that was proposed, disputed or rejected."""
    who = Who(agent, reason, None, namespace, prefix)
    session = Session.of(context, kb, as_json, wait)
    _judge(session, who, target, "believed", lambda tx, found: tx.believe(found))


def dispute(
    context: typer.Context,
    target: options.Target,
    *,
    agent: options.Agent = None,
    reason: options.Reason = None,
    namespace: options.Namespace = None,
    prefix: options.Prefix = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Judge a statement disputed: it stays on record, and is not believed meanwhile."""
    who = Who(agent, reason, None, namespace, prefix)
    session = Session.of(context, kb, as_json, wait)
    _judge(session, who, target, "disputed", lambda tx, found: tx.dispute(found))


def reject(
    context: typer.Context,
    target: options.Target,
    *,
    agent: options.Agent = None,
    reason: options.Reason = None,
    namespace: options.Namespace = None,
    prefix: options.Prefix = None,
    kb: options.Kb = None,
    as_json: options.Json = False,
    wait: options.Wait = 0.0,
) -> None:
    """Judge a statement rejected: it stays on record, and is not believed."""
    who = Who(agent, reason, None, namespace, prefix)
    session = Session.of(context, kb, as_json, wait)
    _judge(session, who, target, "rejected", lambda tx, found: tx.reject(found))


def _judge(
    session: Session,
    who: Who,
    target: list[str],
    standing: str,
    judged: Callable[[Transaction, object], str],
) -> None:
    with session.writing(who) as writer:
        found = target_of(writer.base, target, writer.words, writer.namespace)
        with writer.transaction() as tx:
            made = judged(tx, found)
        name = short_id(made)
        version = writer.version(made)
        claim = f"{triple_text(version, writer.words.prefixes)}, {window_text(version.window)}"
        if tx.receipt.already_there:
            sentence = f"{name} is {standing} already: {claim}."
        else:
            before = short_id(tx.receipt.superseded[0])
            sentence = f"{standing.capitalize()} {before} as {name}: {claim}."
        again = session.command(f"{_SIBLINGS[standing]} {name} --reason WHY")
        tell_effect(session, tx.receipt, sentence, f"{_AGAIN[standing]}{again}")
