"""RDFC-1.0: the suite of the W3C, the engine's own implementation, and graphs built to take long."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semantica_rdf.errors import ValidationError
from semantica_rdf.export.canonical import MAX_DEPTH, canonical_labels, relabelled
from semantica_rdf.export.hashing import canonical_hash

SUITE = Path(__file__).resolve().parents[3] / "shared" / "data" / "w3c-rdf-canon"
TEST = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
CANON = "https://w3c.github.io/rdf-canon/tests/vocab#"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
P = ox.NamedNode("http://example.org/p")

Quads = list[ox.Quad]


def canonical(quads: Quads, algorithm: str = "sha256") -> str:
    labels = canonical_labels(quads, algorithm=algorithm)
    return "".join(sorted({f"{relabelled(quad, labels)} .\n" for quad in quads}))


def by_the_engine(quads: Quads) -> str:
    dataset = ox.Dataset(quads)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    return "".join(sorted(f"{quad} .\n" for quad in dataset))


def suite() -> list[tuple[str, dict[str, str]]]:
    entries: dict[str, dict[str, str]] = {}
    for quad in ox.parse(
        path=str(SUITE / "manifest.ttl"),
        format=ox.RdfFormat.TURTLE,
        base_iri="https://example.org/suite/manifest",
    ):
        entries.setdefault(quad.subject.value, {})[quad.predicate.value] = quad.object.value
    return [
        (name.partition("#")[2], entry)
        for name, entry in entries.items()
        if entry.get(RDF_TYPE, "").startswith(CANON)
    ]


def place(entry: dict[str, str], what: str) -> Path:
    return SUITE / entry[TEST + what].removeprefix("https://example.org/suite/")


def passes(entry: dict[str, str]) -> bool:
    quads = list(ox.parse(path=str(place(entry, "action")), format=ox.RdfFormat.N_QUADS))
    algorithm = entry.get(CANON + "hashAlgorithm", "sha256").lower()
    kind = entry[RDF_TYPE].removeprefix(CANON)
    if kind == "RDFC10NegativeEvalTest":
        with pytest.raises(ValidationError) as caught:
            canonical_labels(quads, algorithm=algorithm)
        return caught.value.code == "blank_nodes_too_entangled"
    wanted = place(entry, "result").read_text(encoding="utf-8")
    if kind == "RDFC10MapTest":
        return canonical_labels(quads, algorithm=algorithm) == json.loads(wanted)
    return canonical(quads, algorithm) == wanted


def test_the_suite_of_the_w3c_passes_whole() -> None:
    if not SUITE.is_dir():
        pytest.skip("the shared data is not beside this checkout")
    told = Counter((entry[RDF_TYPE].removeprefix(CANON), passes(entry)) for _, entry in suite())
    assert told == {
        ("RDFC10EvalTest", True): 64,
        ("RDFC10MapTest", True): 21,
        ("RDFC10NegativeEvalTest", True): 1,
    }


NODES = st.sampled_from([ox.BlankNode(name) for name in "abcdef"])
THINGS = st.sampled_from(
    [ox.NamedNode("http://example.org/x"), ox.Literal("x"), ox.Literal("x\n\x00", language="en")]
)
GRAPHS = st.sampled_from([ox.DefaultGraph(), ox.NamedNode("http://example.org/g")])
DATASETS = st.lists(
    st.builds(
        ox.Quad,
        NODES | st.just(P),
        st.sampled_from([P, ox.NamedNode("http://example.org/q")]),
        NODES | THINGS,
        GRAPHS | NODES,
    ),
    max_size=9,
)


@given(DATASETS)
def test_canonical_n_quads_are_those_of_the_engine(quads: Quads) -> None:
    assert canonical(quads) == by_the_engine(quads)
    assert canonical_hash(quads) == hashlib.sha256(by_the_engine(quads).encode()).hexdigest()


@given(DATASETS, st.randoms(use_true_random=False))
def test_the_hash_depends_on_neither_labels_nor_order(quads: Quads, chance: random.Random) -> None:
    names = [f"n{number}" for number in range(6)]
    chance.shuffle(names)
    renamed = [relabelled(quad, dict(zip("abcdef", names, strict=True))) for quad in quads * 2]
    chance.shuffle(renamed)
    assert canonical_hash(renamed) == canonical_hash(quads)
    more = [*quads, ox.Quad(ox.BlankNode("more"), P, ox.Literal("more"))]
    assert canonical_hash(more) != canonical_hash(quads)


def chain(length: int) -> Quads:
    nodes = [ox.BlankNode(f"n{number}") for number in range(length)]
    return [ox.Quad(one, P, two) for one, two in pairwise(nodes)]


def clique(size: int) -> Quads:
    nodes = [ox.BlankNode(f"n{number}") for number in range(size)]
    return [ox.Quad(one, P, two) for one in nodes for two in nodes if one != two]


def test_a_graph_built_to_take_long_is_refused_and_a_smaller_one_is_not() -> None:
    assert len(canonical_labels(chain(60))) == 60
    assert len(canonical_labels(clique(5))) == 5
    for poison in (clique(12), chain(MAX_DEPTH + 50), chain(5 * MAX_DEPTH)):
        with pytest.raises(ValidationError) as caught:
            canonical_labels(poison, max_steps=20_000)
        assert caught.value.code == "blank_nodes_too_entangled"
    assert canonical_labels(chain(60), max_steps=10_000)
    with pytest.raises(ValidationError):
        canonical_labels(chain(60), max_steps=1000)


def test_a_triple_term_is_refused_by_name() -> None:
    inner = ox.Triple(ox.NamedNode("http://example.org/a"), P, ox.BlankNode("b"))
    with pytest.raises(ValidationError) as caught:
        canonical_labels([ox.Quad(ox.BlankNode("c"), P, inner)])
    assert caught.value.code == "unsupported_term"
