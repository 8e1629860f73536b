"""
The working set of one transaction: the record as it would stand if the transaction ended now.

New versions live here until commit; closed ones are only noted. Every look-up sees the
transaction's own writes, so what is recorded is the net effect: a statement asserted and withdrawn
inside leaves nothing, one asserted and retracted is recorded once, with its final window.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from semantica_rdf.ledger.plan import Version, version_of
from semantica_rdf.model.statement import FactKey, Statement
from semantica_rdf.model.time import OPEN_END, OPEN_START
from semantica_rdf.store.identity import Identity
from semantica_rdf.view.statements import StatementReader


class WorkingSet:
    """
    Statements a transaction has written or closed, over the record it started from.

    `gate` is asked about every new version before anything changes; it raises to refuse.
    """

    def __init__(
        self,
        reader: StatementReader,
        identity: Identity,
        sequence: int,
        gate: Callable[[Statement], None],
    ) -> None:
        self.reader = reader
        self._gate = gate
        self.sequence = sequence
        self.new: dict[str, Statement] = {}
        self.closed: dict[str, Statement] = {}
        self._identity = identity
        self._transaction = identity.iri(sequence, 0)
        self._ordinal = 0
        self._stored: dict[FactKey, list[Statement]] = {}
        self._new_of_fact: dict[FactKey, dict[str, None]] = {}
        self._new_like: dict[tuple[str, ...], dict[FactKey, None]] = {}
        self._gone: dict[str, str | None] = {}
        self._new_of_support: dict[tuple[str, str], dict[str, None]] = {}
        self._new_of_family: dict[str, str] = {}

    def next_id(self) -> str:
        """Return a fresh id of this transaction."""
        self._ordinal += 1
        return self._identity.iri(self.sequence, self._ordinal)

    def put(
        self, version: Version, *, family: str | None = None, after: str | None = None
    ) -> Statement:
        """Add a new version: the first of a family of its own, or the next of `family`."""
        statement = self._made(version, family, after)
        self._index(statement)
        return statement

    def _made(self, version: Version, family: str | None, after: str | None) -> Statement:
        """Return the statement of a new version, which the gate let through."""
        node = self._identity.iri(self.sequence, self._ordinal + 1)
        statement = self._statement(node, version, family or node, after)
        self._gate(statement)
        self._ordinal += 1
        return statement

    def _statement(self, node: str, version: Version, family: str, after: str | None) -> Statement:
        claim = version.claim
        window, from_text, until_text = claim.span
        return Statement(
            node,
            claim.fact,
            claim.source,
            window,
            self._transaction,
            OPEN_END,  # recorded at: set by the commit
            family,
            OPEN_END,
            None,
            after,
            claim.support_id,
            version.standing,
            claim.confidence,
            from_text,
            until_text,
            claim.source_text,
            claim.source_recorded_at,
        )

    def succeed(self, statement: Statement, version: Version) -> Statement:
        """Let `version` follow a statement in its family; one of this transaction is rewritten."""
        if statement.id in self.new:
            changed = self._statement(
                statement.id, version, statement.family, statement.revision_of
            )
            self._gate(changed)
            self._forget(statement)
        else:
            changed = self._made(version, statement.family, statement.id)
            self.end(statement)
        self._index(changed)
        return changed

    def end(self, statement: Statement) -> None:
        """Close a statement without a successor; one of this transaction simply goes."""
        if statement.id in self.new:
            self._forget(statement)
        else:
            self.closed[statement.id] = statement

    def _index(self, statement: Statement) -> None:
        self.new[statement.id] = statement
        fact = statement.fact
        self._new_of_fact.setdefault(fact, {})[statement.id] = None
        self._new_like.setdefault(fact[:4], {})[fact] = None
        self._new_of_family[statement.family] = statement.id
        if statement.support_id is not None:
            key = (statement.fact.namespace, statement.support_id)
            self._new_of_support.setdefault(key, {})[statement.id] = None

    def _forget(self, statement: Statement) -> None:
        del self.new[statement.id]
        self._gone[statement.id] = statement.revision_of
        del self._new_of_fact[statement.fact][statement.id]
        self._new_of_family.pop(statement.family, None)
        if statement.support_id is not None:
            del self._new_of_support[statement.fact.namespace, statement.support_id][statement.id]

    def stored(self, fact: FactKey) -> list[Statement]:
        """Return the fact's statements on record before, closed ones too; none before the first."""
        if self.sequence == 1:
            return []
        known = self._stored.get(fact)
        if known is None:
            known = self._stored[fact] = self.reader.statements_of(fact)
        return known

    def open_of(self, fact: FactKey) -> list[Statement]:
        """Return the fact's open statements, in the order they were written."""
        before = [item for item in self.stored(fact) if self._still_open(item)]
        return before + [self.new[node] for node in self._new_of_fact.get(fact, ())]

    def _still_open(self, statement: Statement) -> bool:
        return statement.is_open and statement.id not in self.closed

    def statement(self, node: str) -> Statement | None:
        """Return the statement with this id."""
        return self.new.get(node) or self.reader.statement(node)

    def open_version(self, family: str) -> Statement | None:
        """Return the family's open version, None when it has none."""
        node = self._new_of_family.get(family)
        if node is not None:
            return self.new[node]
        for statement in self.reader.family(family):
            if self._still_open(statement):
                return statement
        return None

    def with_support_id(self, namespace: str, support_id: str) -> Iterator[Statement]:
        """Return every statement that carries a support id, closed ones too."""
        yield from self.reader.with_support_id(namespace, support_id)
        for node in self._new_of_support.get((namespace, support_id), ()):
            yield self.new[node]

    def is_open(self, statement: Statement) -> bool:
        """Tell whether a statement is open as things stand."""
        return statement.id in self.new or self._still_open(statement)

    def open_of_source(
        self, namespace: str, source: str, *, ending_after: int | None = None
    ) -> list[Statement]:
        """Return a source's open statements in a namespace; those ending after an instant, if given."""
        found = self.reader.of_source(source, ending_after=ending_after)
        before = [item for item in found if self._still_open(item)]
        since = OPEN_START if ending_after is None else ending_after
        ours = [
            item for item in self.new.values() if item.source == source and item.window.end > since
        ]
        return [item for item in before + ours if item.fact.namespace == namespace]

    def facts_like(self, fact: FactKey) -> list[FactKey]:
        """Return the facts that share namespace, graph, subject and predicate with `fact`."""
        found = dict.fromkeys(self.reader.facts_like(fact))
        found.update(self._new_like.get(fact[:4], {}))
        return list(found)

    def settle_versions(self) -> None:
        """Leave the net effect: no version that says what its closed one said, none revising nothing."""
        if not self.closed and not self._gone:
            return
        self._drop_idle_changes()
        for statement in list(self.new.values()):
            before = statement.revision_of
            while before in self._gone and before not in self.new:
                before = self._gone[before]
            if before != statement.revision_of:
                self.new[statement.id] = statement._replace(revision_of=before)

    def _drop_idle_changes(self) -> None:
        for statement in list(self.new.values()):
            before = self.closed.get(statement.revision_of or "")
            if before is None or before.family != statement.family:
                continue
            if version_of(before) == version_of(statement):
                self._forget(statement)
                del self.closed[before.id]

    def touched(self) -> list[FactKey]:
        """Return the facts whose statements change, in the order they were first touched."""
        facts = dict.fromkeys(item.fact for item in self.new.values())
        facts.update(dict.fromkeys(item.fact for item in self.closed.values()))
        return list(facts)
