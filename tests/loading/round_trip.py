"""
Outside files through a base and out again, held against what a parser makes of the file itself.

What the store alone makes of a literal (`rewritten`) is the one change allowed, and its spelling must
stand on record; everything else comes back as it was, blank nodes up to their names.
"""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox

from semantica_rdf import KnowledgeBase, Literal
from semantica_rdf.model.statement import Statement
from semantica_rdf.model.terms import as_spelled

FORMATS = {
    ".ttl": ox.RdfFormat.TURTLE,
    ".trig": ox.RdfFormat.TRIG,
    ".nq": ox.RdfFormat.N_QUADS,
    ".json": ox.RdfFormat.JSON_LD,
    ".rdf": ox.RdfFormat.RDF_XML,
}
EXPORTS = {
    "turtle": ox.RdfFormat.TURTLE,
    "trig": ox.RdfFormat.TRIG,
    "nquads": ox.RdfFormat.N_QUADS,
    "jsonld": ox.RdfFormat.JSON_LD,
}
NAMES = {".json": "jsonld"}
BASE = "https://example.org/outside"


def parsed(path: Path) -> list[ox.Quad]:
    """Return the statements of a file as pyoxigraph reads them, labels of blank nodes apart."""
    content = path.read_bytes()
    return list(
        ox.parse(content, format=FORMATS[path.suffix], base_iri=BASE, rename_blank_nodes=True)
    )


def rewritten(quads: list[ox.Quad]) -> set[ox.Quad]:
    """Return the statements as a plain store gives them back."""
    store = ox.Store()
    store.extend(quads)
    return set(store)


def is_literal(quad: ox.Quad) -> bool:
    """Tell whether the object is a literal."""
    return isinstance(quad.object, ox.Literal)


def spellings(base: KnowledgeBase) -> set[tuple[ox.NamedNode, ox.Literal]]:
    """Return predicate and literal of every statement on record, as its source spelled it."""
    return {
        (statement.predicate.to_pyoxigraph(), spelled(statement))
        for subject in {quad.subject.value for quad in base.at().quads()}
        for statement in base.history((subject, None, None))
        if isinstance(statement.object, Literal)
    }


def spelled(statement: Statement) -> ox.Literal:
    """Return the literal of a statement as its source spelled it."""
    value, text = statement.object, statement.source_text
    return (value if text is None else as_spelled(value, text)).to_pyoxigraph()


def same(one: set[ox.Quad], other: set[ox.Quad]) -> bool:
    """Tell whether two sets of statements differ in the names of blank nodes at most."""
    return _canonical(one) == _canonical(other)


def _canonical(quads: set[ox.Quad]) -> set[ox.Quad]:
    dataset = ox.Dataset(quads)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    return set(dataset)


def loaded(path: Path) -> tuple[KnowledgeBase, object]:
    """Return a base with the file loaded, and the report."""
    base = KnowledgeBase.memory(agent="urn:test:agent", source=BASE)
    return base, base.load(path, reason="outside data", format=NAMES.get(path.suffix))


def check_round_trip(path: Path, *, formats: tuple[str, ...] = tuple(EXPORTS)) -> tuple[int, int]:
    """
    Load a file, export what holds, and expect the file again; then load the export, and expect it too.

    Return how many statements were read and stored.
    """
    base, report = loaded(path)
    quads = parsed(path)
    wanted = rewritten(quads)
    assert (report.rejected, dict(report.skipped), report.warnings) == ((), {}, ())
    assert (report.read, report.stored) == (len(quads), len(wanted))
    assert spellings(base) <= {(quad.predicate, quad.object) for quad in quads if is_literal(quad)}
    for name in formats:
        if name == "turtle" and any(quad.graph_name != ox.DefaultGraph() for quad in quads):
            continue
        out = base.export(view=base.at(), format=name, blank_nodes="restore")
        again = set(ox.parse(out, format=EXPORTS[name]))
        assert same(again, wanted), (path.name, name)
        whole = base.export(view=base.at(), format=name)
        with KnowledgeBase.memory(agent="urn:test:agent", source=BASE) as other:
            assert other.load(whole, reason="again", format=name).stored == report.stored
            assert set(other.at().quads()) == set(base.at().quads())
    assert base.load(path, reason="again", format=NAMES.get(path.suffix)).receipts == ()
    base.close()
    return report.read, report.stored
