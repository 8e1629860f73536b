"""
A rewritten text is standard SPARQL 1.1: rdflib, given the same record, answers alike.

Left out by name is what rdflib is known to do otherwise.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import pyoxigraph as ox
import pytest
import rdflib
from sparql.record_among_decoys import PREFIXES, answer, prepared, record, rewritten
from sparql.test_rewriting import ALIKE, RULED

pytestmark = pytest.mark.filterwarnings("ignore:Dataset:DeprecationWarning")

SEED, SIZE = 2, 36

OTHERWISE = {
    "PREFIX : <http://e/> PREFIX x: <http://e/> SELECT * { :a x:p ?o }": (
        "of two prefixes for one IRI rdflib keeps one"
    ),
    "SELECT (EXISTS { ?o e:q ?x } AS ?has) ?o { ?s e:p ?o }": (
        "rdflib does not translate a FILTER inside an EXISTS that is projected"
    ),
}
"""Queries rdflib refuses to run, and why."""


@lru_cache(maxsize=1)
def dataset() -> rdflib.Dataset:
    """Return the record, quad by quad, in rdflib."""
    made = rdflib.Dataset()
    text = record(SEED, SIZE).store.dump(format=ox.RdfFormat.N_QUADS)
    made.parse(data=text, format="nquads")
    return made


def answered_by_rdflib(text: str):
    """Return rdflib's answer in the form that is compared."""
    found = dataset().query(text)
    if found.type == "ASK":
        return bool(found.askAnswer)
    if found.type == "CONSTRUCT":
        return {tuple(term.n3() for term in triple) for triple in found.graph}
    return Counter(frozenset(_texts(found.vars, row)) for row in found)


def _texts(names, row):
    return [
        (str(name), _text(term)) for name, term in zip(names, row, strict=True) if term is not None
    ]


def _text(term) -> str:
    return str(ox.Literal(str(term))) if _is_string(term) else term.n3()


def _is_string(term) -> bool:
    return isinstance(term, rdflib.Literal) and term.datatype == rdflib.XSD.string


def answered_here(text: str):
    """Return the engine's answer to the same text in the same form."""
    found = answer(record(SEED, SIZE).store.query(text))
    if isinstance(found, bool | set):
        return found
    names, rows = found
    counted: Counter = Counter()
    for row, often in rows.items():
        pairs = zip(names, row, strict=True)
        counted[frozenset((name, term) for name, term in pairs if term is not None)] += often
    return counted


def check(text):
    """Compare the engines on a query at a coordinate of either namespace."""
    query = prepared(text, prefixes=PREFIXES)
    among = record(SEED, SIZE)
    for view in (among.views()[8], among.views()[-2]):
        whole = rewritten(query, view.coordinate)
        assert answered_by_rdflib(whole) == answered_here(whole)


@pytest.mark.parametrize("text", RULED)
def test_a_text_of_each_rule_runs_unchanged_on_rdflib(text):
    check(text)


@pytest.mark.long
@pytest.mark.parametrize("text", [text for text in ALIKE if text not in OTHERWISE])
def test_a_rewritten_text_runs_unchanged_on_rdflib(text):
    check(text)


@pytest.mark.parametrize("text", OTHERWISE)
def test_what_is_left_out_is_what_rdflib_does_not_run(text):
    with pytest.raises(Exception, match=r"Unknown namespace prefix|What do I do"):
        check(text)


def test_the_record_has_something_to_find():
    assert any(
        answered_here(
            rewritten(prepared(text, prefixes=PREFIXES), record(SEED, SIZE).views()[8].coordinate)
        )
        for text in RULED
    )
