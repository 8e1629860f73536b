"""Restoring blank nodes: whatever ends a skolem IRI has, a label of its own comes out."""

from __future__ import annotations

import pytest

from semantica_rdf import iri
from semantica_rdf.model.vocab import SKOLEM_BASE

P = "https://example.org/p"


@pytest.mark.quick
def test_every_end_of_a_skolem_iri_gets_a_label_of_its_own(kb):
    tails = ["0f3a", "a%20b", "a~b", "x.", "", "a/b", "a-b", "ab"]
    with kb.transaction(reason="odd names") as tx:
        for tail in tails:
            tx.assert_(iri(SKOLEM_BASE + tail), P, "x")
    rows = kb.at().query("SELECT DISTINCT ?s { ?s ?p ?o }", blank_nodes="restore")
    labels = {row.s.ntriples for row in rows}
    assert len(labels) == len(tails)
    assert all(label.startswith("_:") for label in labels)
    assert len(kb.at().query("SELECT DISTINCT ?s { ?s ?p ?o FILTER(isBlank(?s)) }")) == len(tails)
    assert len(kb.at().query("SELECT DISTINCT ?s { ?s ?p ?o FILTER(isIRI(?s)) }")) == 0
    assert kb.export(view=kb.at(), format="nt", blank_nodes="restore").count(b"_:") == len(tails)
