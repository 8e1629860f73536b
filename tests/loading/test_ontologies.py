"""
Ontologies full of blank nodes: a reload changes nothing, and an edit shows as that edit alone.

In the gate: W3C test ontologies with OWL restrictions, and the SHACL vocabularies that come with
pyshacl. By command, any ontology of your own, such as the Brick schema with its 511 restrictions:
`SEMANTICA_ONTOLOGY=Brick.ttl pytest -m long tests/loading/test_ontologies.py`.
"""

from __future__ import annotations

import os
import random
from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path

import pyoxigraph as ox
import pytest

from semantica_rdf import KnowledgeBase

W3C = Path(__file__).resolve().parents[3] / "shared/data/w3c-sparql/sparql11/entailment"
SHAPES = Path(find_spec("pyshacl").origin).parent / "assets"
OWL = ("parent", "paper-sparqldl-data", "data-02", "data-11", "owlds01", "owlds02")
GATE = [*(W3C / f"{name}.ttl" for name in OWL), SHAPES / "shacl-shacl.ttl"]
GIVEN = os.environ.get("SEMANTICA_ONTOLOGY")
RESTRICTION = ox.NamedNode("http://www.w3.org/2002/07/owl#Restriction")
SOURCE = "https://example.org/ontology"
AGAIN = ox.NamedNode("https://example.org/edited")


def _quads(path):
    found = ox.parse(path.read_bytes(), format=ox.RdfFormat.TURTLE, base_iri=SOURCE)
    return list(dict.fromkeys(found))


def _shuffled(quads):
    """Return N-Triples of the quads in another order, their blank nodes under other labels."""
    names: dict[str, ox.BlankNode] = {}

    def other(term):
        if not isinstance(term, ox.BlankNode):
            return term
        return names.setdefault(term.value, ox.BlankNode())

    renamed = [ox.Triple(other(q.subject), q.predicate, other(q.object)) for q in quads]
    random.Random(7).shuffle(renamed)
    return ox.serialize(renamed, format=ox.RdfFormat.N_TRIPLES)


def _load(base, quads, day, **more):
    return base.load(
        _shuffled(quads),
        format="nt",
        reason="ontology",
        source=SOURCE,
        mode="snapshot",
        valid_from=f"2026-03-{day:02}",
        max_closed=0.9,
        **more,
    )


def _blank(quad):
    return [term for term in (quad.subject, quad.object) if isinstance(term, ox.BlankNode)]


def _component(quads, quad):
    """Return the quads that hang together with one by blank nodes."""
    touching = defaultdict(list)
    for other in quads:
        for term in _blank(other):
            touching[term].append(other)
    found = {quad: None}
    for item in (waiting := [quad]):
        for other in (other for term in _blank(item) for other in touching[term]):
            if other not in found:
                found[other] = None
                waiting.append(other)
    return list(found)


def _check(path):
    quads = _quads(path)
    blank = next(quad for quad in quads if _blank(quad) and quad.subject != quad.object)
    plain = next(quad for quad in quads if not _blank(quad))
    with KnowledgeBase.memory(agent="urn:test:agent") as base:
        first = base.load(path, reason="ontology", source=SOURCE, valid_from="2026-03-01")
        assert (first.stored, first.rejected) == (len(quads), ())
        assert _load(base, quads, 2).receipts == ()
        again = base.load(path, reason="ontology", source=SOURCE, valid_from="2026-03-01")
        assert (again.stored, again.receipts) == (0, ())

        edited = [
            ox.Quad(plain.subject, plain.predicate, AGAIN) if q == plain else q for q in quads
        ]
        report = _load(base, edited, 3)
        assert (report.stored, report.closed, report.unchanged) == (1, 1, len(quads) - 1)

        touched = len(_component(edited, blank))
        inside = [ox.Quad(q.subject, AGAIN, q.object) if q == blank else q for q in edited]
        report = _load(base, inside, 4)
        assert (report.stored, report.closed) == (touched, touched)
        assert base.at(valid_at="2026-03-01").count() == base.at(valid_at="2026-03-04").count()
        back = base.export(view=base.at(valid_at="2026-03-02"), format="nt", blank_nodes="restore")
        assert (
            _load(base, list(ox.parse(back, format=ox.RdfFormat.N_TRIPLES)), 5).stored
            == touched + 1
        )


@pytest.mark.parametrize("path", GATE, ids=lambda path: path.name)
def test_an_ontology_reloads_without_growth_and_shows_its_edits(path):
    if not path.is_file():
        pytest.skip("the outside data folder is absent")
    _check(path)


@pytest.mark.skipif(not W3C.is_dir(), reason="the outside data folder is absent")
def test_the_w3c_ontologies_hold_restrictions():
    held = sum(quad.object == RESTRICTION for path in GATE[:-1] for quad in _quads(path))
    assert held == 7


@pytest.mark.long
@pytest.mark.parametrize(
    "path", [SHAPES / "dash.ttl", SHAPES / "schema.ttl"], ids=["dash", "schema"]
)
def test_a_large_vocabulary_reloads_without_growth_and_shows_its_edits(path):
    _check(path)


@pytest.mark.long
@pytest.mark.skipif(GIVEN is None, reason="SEMANTICA_ONTOLOGY names no ontology in Turtle")
def test_a_given_ontology_reloads_without_growth_and_shows_its_edits():
    _check(Path(GIVEN))
