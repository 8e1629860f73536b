"""Bound variables: by hand for each place a variable may stand, and against a slow oracle."""

from __future__ import annotations

from collections import Counter

import pyoxigraph as ox
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from semantica_rdf.errors import QueryError, QueryRefused
from semantica_rdf.model import terms
from semantica_rdf.sparql.bindings import bind_variables

DATA = """
@prefix e: <http://e/> .
e:a e:p e:b ; e:q e:c, 1 . e:b e:p e:c ; e:r "x" . e:c e:q e:a, "x"@en ; e:p e:p . e:p e:p e:q .
e:g { e:a e:p e:c . e:c e:q 1 }
e:h { e:b e:q e:a }
"""
P = terms.iri("http://e/p")


def store() -> ox.Store:
    made = ox.Store()
    made.load(DATA.encode(), format=ox.RdfFormat.TRIG)
    return made


STORE = store()


def rows(sparql: str) -> Counter[frozenset[tuple[str, str]]]:
    """Return the multiset of solutions, each as its bound names and values."""
    answer = STORE.query(sparql, prefixes={"e": "http://e/"})
    assert isinstance(answer, ox.QuerySolutions)
    names = [variable.value for variable in answer.variables]
    return Counter(
        frozenset((n, str(v)) for n, v in zip(names, row, strict=True) if v is not None)
        for row in answer
    )


def bound_rows(sparql: str, **values: terms.Term) -> Counter[frozenset[tuple[str, str]]]:
    return rows(bind_variables(sparql, values))


def filtered(sparql: str, name: str, term: terms.Term) -> Counter[frozenset[tuple[str, str]]]:
    kept = (name, str(term.to_pyoxigraph()))
    return Counter({row: n for row, n in rows(sparql).items() if kept in row})


BY_HAND = [
    "SELECT ?p ?o { ?s ?p ?o }",
    "SELECT * { ?s ?p ?o }",
    "SELECT*{?s$p?o}",
    "SELECT DISTINCT ?p { ?s ?p ?o }",
    "SELECT ?s ?p { ?s ?q ?o . ?s ?p ?o # the end ?p\n}",
    "SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p",
    "SELECT ?p (COUNT(?p) AS ?n) { ?s ?p ?o } GROUP BY ?p HAVING(COUNT(?p) > 0 && BOUND(?p))",
    "SELECT ?p ?o { ?s ?p ?o } ORDER BY ?p DESC(?p) ?o",
    "SELECT ?p ?y { ?s ?p ?o BIND(?p AS ?y) }",
    "SELECT ?p (STR(?p) AS ?y) { ?s ?p ?o }",
    "SELECT ?p ?b { ?s ?p ?o BIND(BOUND( ?p ) AS ?b) }",
    "SELECT ?p { { SELECT ?p { ?s ?p ?o } } }",
    "SELECT * { SELECT ?p { ?s ?p ?o } }",
    "SELECT ?p ?n { { SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p } }",
    "SELECT ?p ?o { ?s ?p ?o { SELECT DISTINCT ?p { ?x ?p e:c } } }",
    "SELECT ?p ?s { ?s ?p ?o MINUS { ?x ?p 'x' } }",
    "SELECT ?p ?s { ?s ?p ?o MINUS { ?x ?p e:c } }",
    "SELECT ?p ?s { ?s ?p ?o MINUS { ?s ?p e:c } }",
    "SELECT ?p ?s { ?s ?p ?o MINUS { SELECT ?p { ?x ?p e:c } } }",
    "SELECT ?p ?s { ?s ?p ?o FILTER NOT EXISTS { ?o ?p ?x } }",
    "SELECT ?p ?s { ?s ?p ?o FILTER EXISTS { ?x e:q ?y FILTER(?x = ?p || ?y = ?s) } }",
    "SELECT ?p ?s { ?s ?q ?p }",
    "SELECT ?p ?q { ?p ?q [] }",
    "SELECT ?p ?s { GRAPH ?g { ?s ?p ?o } }",
    "SELECT ?p ?s { { ?s ?p e:c } UNION { ?s ?p e:b } }",
    "SELECT ?p ?y { ?s ?p ?o OPTIONAL { ?o ?p ?y } }",
    "SELECT ?p ?s { ?s ?p ?o FILTER(?p IN (e:p, e:r)) }",
    "SELECT ?p ?s { ?s ?p ?o VALUES ?s { e:a e:b } }",
]


@pytest.mark.quick
@pytest.mark.parametrize("sparql", BY_HAND)
@pytest.mark.parametrize("value", ["p", "q", "nowhere"])
def test_binding_a_variable_keeps_the_rows_where_it_has_the_value(sparql: str, value: str) -> None:
    term = terms.iri(f"http://e/{value}")
    assert bound_rows(sparql, p=term) == filtered(sparql, "p", term)


@pytest.mark.quick
def test_the_cases_by_hand_do_have_rows() -> None:
    assert all(filtered(sparql, "p", P) for sparql in BY_HAND if "MINUS" not in sparql)


@pytest.mark.quick
def test_graph_names_and_literals_bind_too() -> None:
    graph, text = terms.iri("http://e/g"), terms.literal("x", lang="en")
    by_graph = "SELECT ?g ?s { GRAPH ?g { ?s ?p ?o } }"
    assert bound_rows(by_graph, g=graph) == filtered(by_graph, "g", graph) != Counter()
    by_object = "SELECT ?s ?o { ?s ?p ?o }"
    assert bound_rows(by_object, o=text) == filtered(by_object, "o", text) != Counter()


@pytest.mark.quick
def test_a_filter_inside_a_sub_select_sees_the_value() -> None:
    inner = "SELECT ?o { { SELECT ?o { ?s ?x ?o FILTER(?x = ?p) } } }"
    assert bound_rows(inner, p=P) == rows("SELECT ?o { ?s e:p ?o }") != Counter()


@pytest.mark.quick
def test_several_variables_bind_together() -> None:
    both = "SELECT * { ?s ?p ?o FILTER(?o != ?s) }"
    found = bound_rows(both, p=P, s=terms.iri("http://e/a"))
    assert [dict(row)["o"] for row in found] == ["<http://e/b>"]
    assert {name for row in found for name, _ in row} == {"s", "p", "o"}


@pytest.mark.quick
def test_ask_construct_and_describe_take_values() -> None:
    ask = "ASK { ?s ?p e:b FILTER(BOUND(?p)) }"
    assert bool(STORE.query(bind_variables(ask, {"p": P}), prefixes={"e": "http://e/"}))
    other = bind_variables(ask, {"p": terms.iri("http://e/q")})
    assert not bool(STORE.query(other, prefixes={"e": "http://e/"}))
    for sparql in (
        "CONSTRUCT { ?o ?p ?s } { ?s ?p ?o }",
        "CONSTRUCT WHERE { ?s ?p ?o }",
    ):
        triples = list(STORE.query(bind_variables(sparql, {"p": P})))  # type: ignore[arg-type]
        assert len(triples) == 4
    for sparql, number in (
        ("DESCRIBE ?p", 1),
        ("DESCRIBE ?p { ?s ?p ?o }", 1),
        ("DESCRIBE ?p { ?p <http://e/nothing> ?o }", 0),
    ):
        assert len(list(STORE.query(bind_variables(sparql, {"p": P})))) == number  # type: ignore[arg-type]


@pytest.mark.quick
@pytest.mark.parametrize(
    "sparql",
    [
        "SELECT * { BIND(1 AS ?p) }",
        "SELECT (1 AS ?p) { }",
        "SELECT * { VALUES ?p { 1 } }",
        "SELECT * { VALUES (?x ?p) { (1 2) } }",
        "SELECT * { ?s ?p ?o } VALUES (?p) { (1) }",
        "SELECT (COUNT(*) AS $p) { ?s ?q ?o }",
        "SELECT ?x { ?s ?q ?o } GROUP BY (STR(?o) AS ?p)",
    ],
)
def test_a_variable_the_query_assigns_is_refused(sparql: str) -> None:
    with pytest.raises(QueryRefused) as refusal:
        bind_variables(sparql, {"p": P})
    assert refusal.value.code == "binding_assigned"


@pytest.mark.quick
@pytest.mark.parametrize(
    "sparql",
    [
        "SELECT * { ?s ?p ?o }",
        "SELECT * { ?p ?q ?o }",
        "SELECT * { ?p a ?o }",
        "SELECT * { ?p <http://e/a>|<http://e/b> ?o }",
        "SELECT * { ?s ?q ?o ; ?p ?x }",
        "SELECT * { [ ?p ?x ] ?q ?o }",
        "SELECT * { GRAPH ?p { ?s ?q ?o } }",
        "DESCRIBE ?p",
    ],
)
def test_a_literal_where_only_an_iri_may_stand_is_refused(sparql: str) -> None:
    with pytest.raises(QueryRefused) as refusal:
        bind_variables(sparql, {"p": terms.literal("x")})
    assert refusal.value.code == "binding_kind"


@pytest.mark.quick
@pytest.mark.parametrize(
    ("value", "code"),
    [
        (terms.BlankNode("b"), "binding_blank_node"),
        (terms.TripleTerm(P, P, P), "binding_kind"),
    ],
)
def test_values_that_match_like_variables_are_refused(value: terms.Term, code: str) -> None:
    with pytest.raises(QueryRefused) as refusal:
        bind_variables("SELECT * { ?s ?q ?p }", {"p": value})
    assert refusal.value.code == code


@pytest.mark.quick
@pytest.mark.parametrize(
    "sparql",
    [
        "SELECT * { ?s ?q ?o } # ?p",
        "SELECT * { ?s ?q '?p' }",
        "SELECT * { ?s <http://e/?p> ?o }",
        "SELECT * { ?s ?pp ?P }",
        "",
    ],
)
def test_a_name_that_is_no_variable_of_the_query_is_an_error(sparql: str) -> None:
    with pytest.raises(QueryError) as error:
        bind_variables(sparql, {"p": P})
    assert error.value.code == "unused_binding"


@pytest.mark.quick
@given(st.text(max_size=40))
def test_no_text_becomes_syntax(value: str) -> None:
    found = bound_rows("SELECT ?v (STR(?v) AS ?w) { BIND(1 AS ?one) }", v=terms.literal(value))
    assert found == Counter({frozenset((n, str(ox.Literal(value))) for n in "vw"): 1})


SUBJECTS = st.sampled_from(["?s", "?o", "?x", "e:a", "e:c", "?p"])
OBJECTS = st.sampled_from(["?s", "?o", "?x", "?y", "e:b", "e:c", "1", "'x'", "?p"])
PREDICATES = st.sampled_from(["?p", "?p", "?q", "e:p", "e:q", "e:p*", "^e:q", "e:p|e:q"])
TRIPLES = st.tuples(SUBJECTS, PREDICATES, OBJECTS).map(" ".join)
ANCHORS = st.tuples(SUBJECTS, OBJECTS).map(lambda ends: f"{ends[0]} ?p {ends[1]}")
CONDITIONS = st.sampled_from(
    [
        "FILTER(BOUND(?p))",
        "FILTER(?p != e:q || ?p = ?x)",
        "FILTER(STR(?p) < 'http://e/q')",
        "FILTER(?p IN (e:p, e:q))",
        "FILTER(!(?s = ?p))",
        "BIND(?p AS ?z)",
    ]
)


def _group(anchor: str, extras: list[str]) -> str:
    return "{ " + " ".join([anchor, ".", *extras]) + " }"


def _with_parts(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Groups in which ?p is always bound by a pattern of their own, and all that may follow."""
    parts = st.one_of(
        TRIPLES.map(lambda triple: f"{triple} ."),
        TRIPLES.map(lambda triple: f"OPTIONAL {{ {triple} }}"),
        TRIPLES.map(lambda triple: f"MINUS {{ {triple} }}"),
        ANCHORS.map(lambda triple: f"MINUS {{ {triple} }}"),
        TRIPLES.map(lambda triple: f"FILTER NOT EXISTS {{ {triple} }}"),
        TRIPLES.map(lambda triple: f"FILTER EXISTS {{ {triple} }}"),
        inner,
        st.tuples(inner, inner).map(" UNION ".join),
        inner.map(lambda group: f"{{ SELECT ?p ?x {group} }}"),
        inner.map(lambda group: f"{{ SELECT DISTINCT ?p {group} }}"),
        inner.map(lambda group: f"{{ SELECT * {group} }}"),
        inner.map(lambda group: f"MINUS {group}"),
        inner.map(lambda group: f"MINUS {{ SELECT ?p {group} }}"),
        inner.map(lambda group: f"GRAPH ?g {group}"),
    )
    return st.tuples(ANCHORS, st.lists(parts, max_size=2)).map(lambda made: _group(*made))


GROUPS = st.recursive(ANCHORS.map(lambda triple: f"{{ {triple} }}"), _with_parts, max_leaves=4)
QUERIES = st.one_of(
    GROUPS.map(lambda group: f"SELECT * {group}"),
    GROUPS.map(lambda group: f"SELECT ?p ?s ?x {group}"),
    GROUPS.map(lambda group: f"SELECT DISTINCT ?p ?o {group}"),
    GROUPS.map(lambda group: f"SELECT ?p (COUNT(*) AS ?n) {group} GROUP BY ?p"),
    GROUPS.map(lambda group: f"SELECT ?p (STR(?p) AS ?t) {group} ORDER BY ?p"),
    st.tuples(GROUPS, CONDITIONS).map(lambda both: f"SELECT * {both[0][:-1]} {both[1]} }}"),
)


@given(QUERIES, st.sampled_from(["p", "q", "r", "c", "nowhere"]))
@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_random_queries_agree_with_filtering_the_unbound_rows(sparql: str, value: str) -> None:
    term = terms.iri(f"http://e/{value}")
    assert bound_rows(sparql, p=term) == filtered(sparql, "p", term)
