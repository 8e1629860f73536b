"""
Encoding: the exact N-Quads lines a transaction adds, by the part they belong to.

What is usual is said by absence: default namespace, standing believed, first version of a family,
open windows. A statement without a row of its own says its standing, beside the key it is found by. These lines are what is journaled, committed to and stored; nothing else is.
"""

from __future__ import annotations

from functools import lru_cache

import pyoxigraph as ox

from semantica_rdf.model import vocab
from semantica_rdf.model.statement import DEFAULT_NAMESPACE, FactKey, Statement
from semantica_rdf.model.time import OPEN_END, OPEN_START, Window, instant_text
from semantica_rdf.view.statements import fact_key_text

_DATETIME = f"^^<{vocab.XSD_DATETIME}>"
_JOURNAL = f" <{vocab.JOURNAL_GRAPH}> .\n"
_STATEMENT_TYPE = f"<{vocab.RDF_TYPE}> <{vocab.RDF_STATEMENT}> .\n"
_ROW_TYPE = f"<{vocab.RDF_TYPE}> <{vocab.BELIEF_ROW}> .\n"


@lru_cache(maxsize=4096)
def moment(instant: int) -> str:
    """Return an instant as an N-Triples literal."""
    return f'"{instant_text(instant)}"{_DATETIME}'


def text(value: str) -> str:
    """Return a plain string as an N-Triples literal."""
    return str(ox.Literal(value))


def _window_lines(node: str, window: Window) -> list[str]:
    lines = []
    if window.start != OPEN_START:
        lines.append(f"{node} <{vocab.VALID_FROM}> {moment(window.start)} .\n")
    if window.end != OPEN_END:
        lines.append(f"{node} <{vocab.VALID_UNTIL}> {moment(window.end)} .\n")
    return lines


def _scope_lines(node: str, fact: FactKey) -> list[str]:
    lines = []
    if fact.namespace != DEFAULT_NAMESPACE:
        lines.append(f"{node} <{vocab.NAMESPACE}> {text(fact.namespace)} .\n")
    if fact.graph:
        lines.append(f"{node} <{vocab.IN_GRAPH}> {fact.graph} .\n")
    return lines


def statement_lines(statement: Statement, recorded: str, *, names_row: bool) -> list[str]:
    """
    Return the lines of a new statement.

    `recorded` is the literal of its `recordedAt`; `names_row` tells whether it carries its row.
    """
    node, fact = f"<{statement.id}>", statement.fact
    lines = [
        f"{node} {_STATEMENT_TYPE}",
        f"{node} <{vocab.RDF_SUBJECT}> {fact.subject} .\n",
        f"{node} <{vocab.RDF_PREDICATE}> {fact.predicate} .\n",
        f"{node} <{vocab.RDF_OBJECT}> {fact.object} .\n",
        f"{node} <{vocab.SOURCE}> <{statement.source}> .\n",
        f"{node} <{vocab.RECORDED_AT}> {recorded} .\n",
        f"{node} <{vocab.TRANSACTION}> <{statement.transaction}> .\n",
        *_window_lines(node, statement.window),
    ]
    if fact.graph or fact.namespace != DEFAULT_NAMESPACE:
        lines += _scope_lines(node, fact)
    if names_row:
        lines.append(f"{fact.triple} {node} .\n")
    else:
        lines.append(f"{node} <{vocab.STANDING}> <{vocab.SRDF}{statement.standing}> .\n")
        lines.append(f"{node} <{vocab.FACT_KEY}> {text(fact_key_text(fact))} .\n")
    return lines + _rare_lines(node, statement)


def _rare_lines(node: str, statement: Statement) -> list[str]:
    lines = []
    if statement.family != statement.id:
        lines.append(f"{node} <{vocab.IN_FAMILY}> <{statement.family}> .\n")
    if statement.revision_of is not None:
        lines.append(f"{node} <{vocab.WAS_REVISION_OF}> <{statement.revision_of}> .\n")
    texts = (
        (vocab.IDENTIFIER, statement.support_id),
        (vocab.VALID_FROM_TEXT, statement.valid_from_text),
        (vocab.VALID_UNTIL_TEXT, statement.valid_until_text),
        (vocab.SOURCE_TEXT, statement.source_text),
    )
    lines += [f"{node} <{name}> {text(value)} .\n" for name, value in texts if value is not None]
    if statement.confidence is not None:
        decimal = f'"{statement.confidence}"^^<{vocab.XSD}decimal>'
        lines.append(f"{node} <{vocab.CONFIDENCE}> {decimal} .\n")
    if statement.source_recorded_at is not None:
        when = moment(statement.source_recorded_at)
        lines.append(f"{node} <{vocab.SOURCE_RECORDED_AT}> {when} .\n")
    return lines


def row_lines(
    node: str, fact: FactKey, window: Window, recorded: str, transaction: str
) -> list[str]:
    """Return the lines of a minted belief row, its triple included."""
    name = f"<{node}>"
    return [
        f"{name} {_ROW_TYPE}",
        f"{name} <{vocab.RECORDED_AT}> {recorded} .\n",
        f"{name} <{vocab.TRANSACTION}> <{transaction}> .\n",
        *_window_lines(name, window),
        *_scope_lines(name, fact),
        f"{fact.triple} {name} .\n",
    ]


def closing_lines(node: str, recorded: str, transaction: str) -> list[str]:
    """Return exactly the two lines that close a statement or a row."""
    return [
        f"<{node}> <{vocab.SUPERSEDED_AT}> {recorded} .\n",
        f"<{node}> <{vocab.SUPERSEDED_BY}> <{transaction}> .\n",
    ]


def journal_line(node: str, predicate: str, value: str) -> str:
    """Return one line of a transaction's node in the journal graph."""
    return f"<{node}> <{predicate}> {value}{_JOURNAL}"
