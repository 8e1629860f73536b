"""
Settle: which belief rows a fact needs, given the statements that stand for it (pure).

Input: the fact's open rows, its believed statements as they will stand, which of them are new and
which statements close. Output: the rows to close, the statements that name their own row, and the
windows to mint rows for. For one fact, rows never overlap, and their union is exactly the union of
the believed windows (design, section 7).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from semantica_rdf.model.interval_set import IntervalSet, covers, difference, union
from semantica_rdf.model.statement import Row, Statement
from semantica_rdf.model.time import Window


class RowPlan(NamedTuple):
    """Ids of minted rows to close, ids of new statements that name a row, windows to mint."""

    closed: tuple[str, ...]
    named: tuple[str, ...]
    minted: IntervalSet


def settled(
    rows: Sequence[Row],
    believed: Sequence[Statement],
    *,
    new: Collection[str],
    closing: Collection[str],
) -> RowPlan:
    """
    Return the row changes that make the rows cover exactly the believed statements' windows.

    `rows` are the fact's open rows; `believed` its believed statements after the transaction, in
    the order they were written; `new` and `closing` are ids of statements.
    """
    if not rows and len(believed) == 1 and believed[0].id in new:
        return RowPlan((), (believed[0].id,), ())
    wanted = union(statement.window for statement in believed)
    kept: list[Window] = []
    closed: list[str] = []
    for row in rows:
        if row.id in closing:
            continue
        if not row.by_statement and not covers(wanted, row.window):
            closed.append(row.id)
        else:
            kept.append(row.window)
    named: list[str] = []
    for statement in believed:
        if statement.id in new and not any(statement.window.overlaps(row) for row in kept):
            named.append(statement.id)
            kept.append(statement.window)
    return RowPlan(tuple(closed), tuple(named), difference(wanted, kept))
