"""
The story every crash test writes and checks: transaction number k says exactly what k calls for.

Whoever opens the base afterwards can therefore tell, without having seen the writer, whether a
transaction is there whole. Transactions come small and, every `bulk_every`-th, big enough for the
store's bulk path; each also replaces a counter, so that statements are closed as well as added.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

import pyoxigraph as ox

from semantica_rdf import KnowledgeBase, literal
from semantica_rdf.ledger.verify import VerificationReport
from semantica_rdf.view.scan import scan

EX = "https://example.org/"
COUNTER, AT, SAYS = EX + "counter", EX + "at", EX + "says"
WHO = {"agent": EX + "people/ann", "source": EX + "story"}
BULK_BYTES = 128 * 1024
"""What the tests lower `store.embedded.BULK_BYTES` to; a big transaction has several times that."""


@dataclass(frozen=True)
class Story:
    """How many statements each transaction has."""

    bulk_every: int = 6
    bulk_statements: int = 2000

    def claims(self, number: int) -> list[tuple[str, str, str]]:
        """Return what transaction `number` asserts, the counter aside."""
        big = number % self.bulk_every == 0
        count = self.bulk_statements if big else 1 + number % 4
        return [(f"{EX}{number}/{index}", SAYS, f"{number} {index}") for index in range(count)]

    def write(self, base: KnowledgeBase) -> tuple[int, str]:
        """Commit the next transaction; return its sequence number and the digest of its claims."""
        with base.transaction(reason="the story goes on") as tx:
            number = base.head().sequence + 1
            claims = self.claims(number)
            tx.extend(claims, valid_from="2026-01-01")
            tx.replace(COUNTER, AT, number, valid_from="2026-01-01")
        return tx.receipt.sequence, digest_of_claims(claims)


def digest_of_claims(claims: Iterable[tuple[str, str, str]]) -> str:
    """Return a digest over claims in any order."""
    text = "\n".join(sorted(" ".join(claim) for claim in claims))
    return hashlib.sha256(text.encode()).hexdigest()


def written(base: KnowledgeBase) -> dict[int, list[tuple[str, str, str]]]:
    """Return what each transaction on record asserted, the counter aside."""
    ledger = base._ledger
    found: dict[int, list[tuple[str, str, str]]] = {
        record.sequence: [] for record in base.changes()
    }
    for item in scan(ledger.store, ledger.identity).statements():
        key = ledger.identity.key(item.transaction)
        assert key is not None
        if str(item.subject) != COUNTER:
            claim = (str(item.subject), str(item.predicate), str(item.object))
            found[key.sequence].append(claim)
    return found


def check(base: KnowledgeBase, story: Story, acknowledged: dict[int, str]) -> VerificationReport:
    """Hold a reopened base against the story and against what the writer was told."""
    found = written(base)
    last = len(found)
    assert list(found) == list(range(1, last + 1)), "a gap in the sequence"
    lost = [number for number in acknowledged if number > last]
    assert not lost, f"acknowledged and lost: {lost}"
    for number, claims in found.items():
        digest = digest_of_claims(claims)
        assert digest == digest_of_claims(story.claims(number)), (
            f"transaction {number} is not whole"
        )
        assert acknowledged.get(number, digest) == digest
    counter = [fact.object for fact in base.at().facts(COUNTER, AT)]
    assert counter == [literal(number) for number in (last,) if number]
    report = base.verify()
    assert report.ok, report
    assert base._ledger.journal.pending() == []
    return report


def check_writable(base: KnowledgeBase, story: Story) -> tuple[int, str]:
    """Write one more transaction, find it, and return its sequence number and digest."""
    sequence, digest = story.write(base)
    assert [fact.object for fact in base.at().facts(COUNTER, AT)] == [literal(sequence)]
    assert len(base.at().facts(story.claims(sequence)[0][0])) == 1
    return sequence, digest


def check_indexes(base: KnowledgeBase) -> None:
    """Find every quad by subject, by predicate and by object: the store's indexes agree."""
    store = base._ledger.store.raw
    everything = set(store)
    default = ox.DefaultGraph()
    record = {quad for quad in everything if quad.graph_name == default}
    subjects = {quad.subject for quad in everything}
    predicates = {quad.predicate for quad in everything}
    objects = {quad.object for quad in everything}
    for graph, expected in ((default, record), (None, everything)):
        by_subject = {q for s in subjects for q in store.quads_for_pattern(s, None, None, graph)}
        by_predicate = {
            q for p in predicates for q in store.quads_for_pattern(None, p, None, graph)
        }
        by_object = {q for o in objects for q in store.quads_for_pattern(None, None, o, graph)}
        assert by_subject == by_predicate == by_object == expected
    for quad in everything - record:
        assert list(store.quads_for_pattern(None, None, None, quad.graph_name))
