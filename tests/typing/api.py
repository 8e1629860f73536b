"""User-like code that strict mypy must accept: the public face, with the types it promises."""

from __future__ import annotations

from datetime import UTC, datetime

from semantica_rdf import Draft, KnowledgeBase, iri, literal


def story() -> list[str]:
    """Use every public call once, as a user would."""
    kb = KnowledgeBase.memory(
        agent="https://example.org/people/ann", source="https://example.org/hr"
    )
    with kb.transaction(reason="import", reference="batch-1") as tx:
        first: str = tx.assert_(
            "https://example.org/alice",
            "https://example.org/worksFor",
            iri("https://example.org/acme"),
            valid_from=datetime(2026, 9, 1, tzinfo=UTC),
            confidence="0.9",
        )
        tx.extend([Draft("https://example.org/alice", "https://example.org/age", literal(41))])
        later: list[str] = tx.retract(first, valid_until="2026-10-01")
    moment: datetime | None = tx.receipt.recorded_at
    view = kb.at(valid_at="2026-09-15")
    names = [str(fact.object) for fact in view.facts(subject="https://example.org/alice")]
    versions = kb.history(later[0])
    kb.prefixes.bind("ex", "https://example.org/")
    report = kb.verify(head=kb.head())
    kb.close()
    return [str(moment), str(versions[0].valid_from), str(report.ok), *names]
