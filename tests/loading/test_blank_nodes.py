"""Blank nodes become IRIs that a reload finds again and an edit elsewhere leaves alone."""

from __future__ import annotations

from itertools import product

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loading.recording import Recorder

from semantica_rdf.errors import ValidationError
from semantica_rdf.model import vocab
from semantica_rdf.model.skolem import skolemised

PEOPLE = b"""
@prefix e: <http://e/> .
e:ann e:address [ e:city "Zug" ; e:street [ e:name "Main" ] ] .
e:bob e:address [ e:city "Bern" ] .
"""


def _named(quads: list[ox.Quad], source: str = "s") -> set[str]:
    return {str(quad) for quad in skolemised(quads, namespace="default", source=source)}


def _edges(*pairs: tuple[str, str]) -> list[ox.Quad]:
    predicate = ox.NamedNode("http://e/p")
    return [ox.Quad(ox.BlankNode(s), predicate, ox.BlankNode(o)) for s, o in pairs]


@pytest.mark.quick
def test_reloading_a_document_changes_nothing() -> None:
    base = Recorder()
    assert base.load(PEOPLE, format="turtle").stored == 6
    assert base.load(PEOPLE, format="turtle").already_there == 6


def test_an_edit_elsewhere_moves_no_other_node() -> None:
    base = Recorder()
    base.load(PEOPLE, format="turtle")
    report = base.load(PEOPLE.replace(b'"Bern"', b'"Basel"'), format="turtle")
    assert (report.already_there, report.stored) == (4, 2)


def test_a_change_inside_or_around_a_component_renames_it() -> None:
    base = Recorder()
    base.load(PEOPLE, format="turtle")
    report = base.load(PEOPLE.replace(b"e:bob", b"e:rob"), format="turtle")
    assert (report.already_there, report.stored) == (4, 2)


def test_a_generated_label_never_meets_a_given_one() -> None:
    base = Recorder()
    base.load(b"<http://e/g> { _:b1 <http://e/p> [] . }", format="trig")
    [draft] = base.drafts
    assert draft.subject != draft.object
    assert str(draft.subject).startswith(vocab.SKOLEM_BASE)


def test_equal_components_stay_two_and_source_and_namespace_tell_apart() -> None:
    quads = [
        ox.Quad(ox.BlankNode(label), ox.NamedNode("http://e/p"), ox.Literal("x")) for label in "ab"
    ]
    assert len(_named(quads)) == 2
    assert _named(quads) == _named(quads[::-1])
    assert not _named(quads) & _named(quads, source="other")


def test_a_blank_graph_name_is_named_with_its_content() -> None:
    base = Recorder()
    base.load(b"_:g { <http://e/a> <http://e/p> _:x }", format="trig")
    [draft] = base.drafts
    assert str(draft.graph).startswith(vocab.SKOLEM_BASE)
    assert draft.graph != draft.object


def test_long_lists_of_equal_members_and_many_twins_are_named() -> None:
    chain = _edges(*((f"n{i}", f"n{i + 1}") for i in range(3000)))
    star = _edges(*(("c", f"l{i}") for i in range(1000)))
    clique = _edges(*((f"k{i}", f"k{j}") for i, j in product(range(20), repeat=2) if i != j))
    for quads in (chain, star, clique):
        assert len(_named(quads)) == len(quads)


def test_a_graph_too_symmetric_to_settle_is_refused() -> None:
    size = range(8)
    rook = _edges(
        *(
            (f"n{a}_{b}", f"n{c}_{d}")
            for a, b, c, d in product(size, size, size, size)
            if (a == c) != (b == d)
        )
    )
    with pytest.raises(ValidationError) as refused:
        _named(rook)
    assert refused.value.code == "blank_nodes_too_entangled"
    assert len(_named(rook[:3])) == 3


_TRIPLES = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from("pq"), st.integers(0, 4)), min_size=1, max_size=7
)


def _graph(triples: list[tuple[int, str, int]], order: list[int]) -> list[ox.Quad]:
    def node(number: int) -> ox.BlankNode | ox.NamedNode:
        return ox.NamedNode("http://e/x") if number == 4 else ox.BlankNode(f"b{order[number]}")

    quads = [
        ox.Quad(node(s), ox.NamedNode(f"http://e/{p}"), node(o))  # type: ignore[arg-type]
        for s, p, o in triples
    ]
    return sorted(quads, key=str)


def _canonical(quads: list[ox.Quad]) -> set[str]:
    dataset = ox.Dataset(quads)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.RDFC_1_0)
    return {str(quad) for quad in dataset}


@settings(deadline=None)
@given(_TRIPLES, _TRIPLES, st.permutations(range(4)))
def test_names_agree_exactly_where_rdfc_says_the_graphs_are_equal(
    one: list[tuple[int, str, int]], other: list[tuple[int, str, int]], order: list[int]
) -> None:
    left, right = _graph(one, list(range(4))), _graph(other, order)
    assert _named(left) == _named(_graph(one, order))
    assert (_named(left) == _named(right)) == (_canonical(left) == _canonical(right))
