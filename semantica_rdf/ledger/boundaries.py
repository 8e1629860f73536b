"""
The instants at which something that is believed begins or ends, earliest first.

Only as far as a horizon are they known one by one: what a base holds may end a million times, and
the next few thousand are enough to move forward. Beyond the horizon the record is asked again.
Superseded rows stay in until their instant has passed, which costs a look-up and is never wrong.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from semantica_rdf.model.statement import DEFAULT_NAMESPACE, FactKey
from semantica_rdf.model.terms import Literal
from semantica_rdf.model.time import OPEN_END, Window, instant_text
from semantica_rdf.model.vocab import XSD_DATETIME
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.templates import template
from semantica_rdf.view.statements import instant_of

READ_AT_ONCE = 10_000
"""How many boundaries `ledger/boundaries_after` gives; all of them when it gives fewer."""


class Boundaries:
    """
    Boundaries of facts without a user graph, in every namespace.

    All that lie before `horizon` are held; the one at the horizon is known to be there, and which
    fact it is of is not.
    """

    def __init__(self, store: RdfStore, horizon: int) -> None:
        self.horizon = horizon
        self._store = store
        self._ahead: list[tuple[int, FactKey]] = []

    @property
    def next(self) -> int:
        """The first instant at which anything may begin or end, `OPEN_END` for never."""
        return self._ahead[0][0] if self._ahead else self.horizon

    def add(self, fact: FactKey, windows: Iterable[Window], after: int) -> None:
        """Note the bounds of a fact's windows that lie after an instant."""
        for window in windows:
            for bound in window:
                if after < bound < self.horizon:
                    heapq.heappush(self._ahead, (bound, fact))

    def passed(self, since: int, until: int, *, at_most: int) -> set[FactKey] | None:
        """
        Return the facts with a boundary after `since` and up to `until`, and forget these.

        None when there are more than `at_most`: what is held then is of no use any more.
        """
        if until >= self.horizon:
            self.read(since)
            if until >= self.horizon:
                return None
        found: set[FactKey] = set()
        while self._ahead and self._ahead[0][0] <= until:
            found.add(heapq.heappop(self._ahead)[1])
            if len(found) > at_most:
                return None
        return found

    def read(self, since: int) -> None:
        """Read the boundaries after an instant from the record as it is now; scans its windows."""
        text = template("ledger/boundaries_after").bind(
            {"after": Literal(instant_text(since), XSD_DATETIME)}
        )
        ahead: list[tuple[int, FactKey | None]] = []
        for row in self._store.raw.query(text):  # type: ignore[union-attr]
            space = row["namespace"]
            fact = None
            if row["subject"] is not None:
                fact = FactKey(
                    DEFAULT_NAMESPACE if space is None else space.value,
                    "",
                    str(row["subject"]),
                    str(row["predicate"]),
                    str(row["object"]),
                )
            ahead.append((instant_of(str(row["boundary"])), fact))
        whole = len(ahead) < READ_AT_ONCE
        self.horizon = OPEN_END if whole else max(bound for bound, _ in ahead)
        self._ahead = [
            (bound, fact) for bound, fact in ahead if bound < self.horizon and fact is not None
        ]
        heapq.heapify(self._ahead)


__all__ = ["READ_AT_ONCE", "Boundaries"]
