"""
Which statements and coordinates the words of a command mean.

An id may be cut to any beginning that only one statement has. A transaction's id stands for the
instant it was recorded at.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import typer

from semantica_rdf.cli.text import short_id
from semantica_rdf.cli.words import Words
from semantica_rdf.errors import AmbiguousTarget, NotFound
from semantica_rdf.model import vocab

if TYPE_CHECKING:
    from semantica_rdf.knowledge_base import KnowledgeBase
    from semantica_rdf.view.view import View

_WHOLE = re.compile(r"\d+-\d+\Z", re.ASCII)
_BEGINNING = re.compile(r"\d+-?\Z", re.ASCII)
_TRANSACTION = re.compile(r"(\d+)-0\Z", re.ASCII)
_LISTED = 20


def target_of(base: KnowledgeBase, words: list[str], reader: Words, namespace: str | None) -> Any:
    """
    Return what a verb takes as target: an id, a support id, or the terms of a fact.

    Raises `AmbiguousTarget` for a beginning that several ids have.
    """
    if len(words) == 1:
        return _named(base, words[0], namespace)
    if len(words) in {3, 4}:
        return reader.fact(words)
    raise typer.BadParameter(
        f"{len(words)} words are no target: give an id, or SUBJECT PREDICATE OBJECT [GRAPH]"
    )


def _named(base: KnowledgeBase, word: str, namespace: str | None) -> str:
    text = word[1:-1] if word.startswith("<") and word.endswith(">") else word
    short = short_id(text)
    if _WHOLE.match(short):
        return text
    is_beginning = text.startswith(vocab.ID_BASE) or _BEGINNING.match(text)
    if not is_beginning or _is_support_id(base, text, namespace):
        return text
    found = base.statement_ids(text)
    if len(found) > 1:
        listed = ", ".join(short_id(item) for item in found[:_LISTED])
        more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
        raise AmbiguousTarget(f"{len(found)} ids begin with {text}: {listed}{more}")
    if not found:
        raise NotFound(f"no id begins with {text}, and it is no support id")
    return found[0]


def is_named(base: KnowledgeBase, word: str, namespace: str | None) -> bool:
    """Tell whether a word is an id, the beginning of one, or a support id rather than a subject."""
    text = word[1:-1] if word.startswith("<") and word.endswith(">") else word
    if text.startswith(vocab.ID_BASE) or ":" not in text:
        return True
    return _is_support_id(base, text, namespace)


def _is_support_id(base: KnowledgeBase, text: str, namespace: str | None) -> bool:
    try:
        base.history(text, namespace=namespace)
    except NotFound:
        return False
    return True


def view_of(
    base: KnowledgeBase, valid_at: str | None, known_at: str | None, namespace: str | None
) -> View:
    """
    Return the view at the coordinate of the options.

    Raises `NotFound` for a transaction that is none, `TemporalValidationError`.
    """
    return base.at(valid_at=valid_at, known_at=known_instant(base, known_at), namespace=namespace)


def known_instant(base: KnowledgeBase, known_at: str | None) -> Any:
    """
    Return what `--known-at` means to the base: when a named transaction was recorded, else the text.

    Raises `NotFound` for a transaction that is none.
    """
    match = None if known_at is None else _TRANSACTION.match(short_id(known_at))
    return known_at if match is None else _recorded_at(base, int(match.group(1)))


def _recorded_at(base: KnowledgeBase, sequence: int) -> Any:
    record = next(base.changes(since=sequence - 1), None) if sequence > 0 else None
    if record is None or record.sequence != sequence:
        raise NotFound(f"no transaction {sequence}-0", hint="semantica-rdf log lists them")
    return record.recorded_at
