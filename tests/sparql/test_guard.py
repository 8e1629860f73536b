"""The guard: every evasion is refused, nothing honest is, and what passes does not crash."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pyoxigraph as ox
import pytest

from semantica_rdf import assets
from semantica_rdf.errors import QueryRefused
from semantica_rdf.sparql.guard import refuse_unsafe

W3C = Path(__file__).resolve().parents[3] / "shared" / "data" / "w3c-sparql"
NOWHERE = "<http://127.0.0.1:1/>"
PREFIXES = f"PREFIX ex:{NOWHERE} PREFIX :{NOWHERE} PREFIX service:{NOWHERE} "
CALL = f"{NOWHERE}{{?s ?p ?o}}"

SERVICE_EVASIONS = [
    f"SELECT*{{SERVICE {CALL}}}",
    f"SELECT*{{service {CALL}}}",
    f"SELECT*{{SeRvIcE{CALL}}}",
    f"SELECT*{{SERVICE SILENT {CALL}}}",
    f"SELECT*{{SERVICESILENT{CALL}}}",
    f"SELECT*{{SERVICE#comment\n{CALL}}}",
    f"SELECT*{{SERVICE#>\n{CALL}}}",
    f"SELECT*{{SERVICE\t\r\n{CALL}}}",
    f"SELECT*{{SERVICE SILENT#\n{CALL}}}",
    "SELECT*{SERVICE ex:a{?s ?p ?o}}",
    "SELECT*{SERVICEex:a{?s ?p ?o}}",
    "SELECT*{SERVICE:a{?s ?p ?o}}",
    "SELECT*{service:{?s ?p ?o}}",
    "SELECT*{SERVICESILENT:a{?s ?p ?o}}",
    "SELECT*{SERVICESILENTex:a{?s ?p ?o}}",
    "SELECT*{SERVICE?s{?s ?p ?o}}",
    "SELECT*{SERVICE$s{?s ?p ?o}}",
    f"SELECT*{{?a ?b trueSERVICE{CALL}}}",
    f"SELECT*{{?a ?b falseSERVICE{CALL}}}",
    "SELECT*{?a ?b trueSERVICEex:a{?s ?p ?o}}",
    f"SELECT*{{?a ?b 1SERVICE{CALL}}}",
    f"SELECT*{{?a ?b 1.5SERVICE{CALL}}}",
    f"SELECT*{{?a ?b 1e5SERVICE{CALL}}}",
    f"SELECT*{{?a ?b 'x'SERVICE{CALL}}}",
    f"SELECT*{{?a ?b '''x'''SERVICE{CALL}}}",
    f'SELECT*{{?a ?b "\\""SERVICE{CALL}}}',
    f'SELECT*{{?a ?b """\\""""SERVICE{CALL}}}',
    f"SELECT*{{?a ?b 'x'@en SERVICE{CALL}}}",
    f"SELECT*{{?a ?b 'x'^^<a:b>SERVICE{CALL}}}",
    f"SELECT*{{?a ?b ex:a\\' SERVICE {CALL}#'\n}}",
    f"SELECT*{{?a ?b ex:a\\# SERVICE {CALL}}}",
    f"SELECT*{{?a ?b <a:#> SERVICE {CALL}}}",
    f"SELECT*{{?a ?b <a:'> SERVICE {CALL}#'\n}}",
    f"SELECT*{{?a ?b ?c FILTER(?a<?c)SERVICE#>\n{CALL}}}",
    f"SELECT*{{?a ?b ?c FILTER(?a<'''>''')SERVICE{CALL}#'''\n}}",
    f"SELECT*{{?a ?b ?c FILTER(<f:f>(?a<'''>'''))SERVICE{CALL}#'''\n}}",
    f"SELECT*{{?a ?b ?c FILTER<f:f>(?a<'''>''')SERVICE{CALL}#'''\n}}",
    f"SELECT*{{?a ?b ?c FILTERex:f(?a<'''>''')SERVICE{CALL}#'''\n}}",
    f"SELECT*{{?a ?b ?c FILTER(EXISTS{{}}<'''>''')SERVICE{CALL}#'''\n}}",
    f"SELECT*{{?a ?b ?c FILTER(!true<'''>''')SERVICE{CALL}#'''\n}}",
    f"SELECT*{{?a ?b ?c BIND(1<'''>''' AS ?d)SERVICE{CALL}#'''\n}}",
    f"SELECT*{{{{SELECT(1<'''>''' AS ?d){{}}}}SERVICE{CALL}#'''\n}}",
    f"SELECT*{{{{SELECT?a{{?a ?b ?c}}GROUP BYex:f(?a<'''>''')}}SERVICE{CALL}#'''\n}}",
    f"SELECT*{{{{SELECT?a{{?a ?b ?c}}ORDER BY(?a<'''>''')}}SERVICE{CALL}#'''\n}}",
    f"SELECT*{{{{SELECT?a{{?a ?b ?c}}GROUP BY?a HAVING(1)(1<'''>''')}}SERVICE{CALL}#'''\n}}",
    f"SELECT*{{?a ?b ?c FILTER NOT EXISTS{{SERVICE{CALL}}}}}",
    f"SELECT*{{?a ?b ?c FILTER(EXISTS{{SERVICE{CALL}}})}}",
    f"SELECT*{{{{}}UNION{{SERVICE{CALL}}}}}",
    f"SELECT*{{OPTIONAL{{SERVICE{CALL}}}}}",
    f"SELECT*{{?a ?b ?c MINUS{{SERVICE{CALL}}}}}",
    f"SELECT*{{GRAPH ?g{{SERVICE{CALL}}}}}",
    f"SELECT*{{{{SELECT*{{SERVICE{CALL}}}}}}}",
    f"ASK{{SERVICE{CALL}}}",
    f"CONSTRUCT{{?s ?p ?o}}{{SERVICE{CALL}}}",
    f"DESCRIBE?s{{SERVICE{CALL}}}",
    f"#'\nSELECT*{{SERVICE{CALL}}}#'",
    f"SELECT*{{#\x0b\x0c\u2028\u0085\rSERVICE{CALL}}}",
    f"BASE<a:'>SELECT*{{SERVICE{CALL}}}#'",
    f"SELECT*{{VALUES?x{{'a'}}SERVICE{CALL}}}",
]

OTHER_EVASIONS = [
    ("update_refused", f"LOAD {NOWHERE}"),
    ("update_refused", f"load#c\nsilent {NOWHERE}"),
    ("update_refused", "PREFIX load:<a:> LOAD load:a"),
    ("update_refused", "INSERT DATA { <a:a> <a:b> <a:c> }"),
    ("update_refused", "BASE <a:b> # c\n DELETE WHERE { ?s ?p ?o }"),
    ("update_refused", "WITH <a:g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }"),
    ("update_refused", "DROP ALL"),
    ("query_too_large", "SELECT * { } #" + "x" * 65_536),
    ("query_too_deep", "SELECT * { FILTER(" + "(" * 6_000 + "1" + ")" * 6_001 + "}"),
    ("query_too_deep", "SELECT * " + "{" * 6_000 + "}" * 6_000),
    ("query_too_deep", "SELECT * { ?s ?p " + "[ ?p " * 200 + "1" + "]" * 200 + "}"),
    ("query_too_deep", "SELECT * { ?s ?p " + "<<( ?s ?p " * 200 + "1" + ")>>" * 200 + "}"),
    ("query_too_deep", "SELECT * { ?s " + "!(" * 200 + "<a:a>" + ")" * 200 + " ?o}"),
    ("too_many_unions", "SELECT * {{}" + "UNION{}" * 8_000 + "}"),
    ("too_many_unions", "SELECT * {{}" + "union#\n{}" * 300 + "}"),
    ("too_many_operators", "SELECT * {FILTER(" + "!" * 12_000 + "1)}"),
    ("too_many_operators", "SELECT * {FILTER(1" + "+1" * 20_000 + ")}"),
    ("too_many_operators", "SELECT * {FILTER(1" + " -1" * 2_000 + ")}"),
    ("too_many_operators", "SELECT * {FILTER(1" + "||1" * 2_000 + ")}"),
    ("too_many_operators", "SELECT * {FILTER(" + ("!" * 200 + "(") * 20 + "1" + ")" * 21 + "}"),
    ("too_many_operators", "SELECT * {FILTER(" + "(" * 9 + "1" + ("+1" * 200 + ")") * 10 + "}"),
    ("too_many_operators", "SELECT * {} ORDER BY (1" + "*1" * 2_000 + ")"),
    ("too_many_values", "SELECT * {VALUES ?x {" + "1 " * 10_001 + "}}"),
    ("too_many_values", "SELECT * {VALUES (?x) {" + "(1)" * 10_001 + "}}"),
    ("too_many_values", "SELECT * {VALUES () {" + "()" * 10_001 + "}}"),
    ("too_many_values", "SELECT * {} VALUES ?x {" + "UNDEF " * 10_001 + "}"),
    ("too_many_paths", "SELECT * { ?s ((((((<a:a>*)*)*)*)*)*)* ?o }"),
    ("too_many_paths", "SELECT * { ?s ((((((<a:a>+)+)?)*)*)+)* ?o }"),
    ("too_many_patterns", "SELECT * { ?s <a:a>" + "/<a:a>" * 5_000 + " ?o }"),
    ("too_many_patterns", "SELECT * { ?s <a:a>" + "|<a:a>" * 5_000 + " ?o }"),
    ("too_many_patterns", "SELECT * { ?s ?p 1" + ";?p 1" * 9_000 + "}"),
    ("too_many_patterns", "SELECT * { ?s ?p (" + "1 " * 9_000 + ")}"),
    ("too_many_patterns", "SELECT * {" + "OPTIONAL{}" * 5_000 + "}"),
    ("too_many_patterns", "SELECT * {" + "MINUS{?s ?p ?o}" * 4_000 + "}"),
    ("too_many_patterns", "SELECT * {" + "FILTER(1)" * 5_000 + "}"),
    ("too_many_patterns", "SELECT * {" + "GRAPH?g{}" * 5_000 + "}"),
    ("too_many_patterns", "SELECT * {" + "VALUES?x{1}" * 5_000 + "}"),
    ("too_many_patterns", "DESCRIBE " + "<a:a>" * 5_000),
    ("too_many_patterns", "SELECT " + "(1 AS ?x)" * 5_000 + "{}"),
    ("too_many_patterns", "SELECT (1 AS ?x) {} GROUP BY ?s HAVING " + "(1)" * 5_000),
]

HONEST = [
    "PREFIX ex: <http://e/> SELECT * { ?s ex:service ?service }",
    "SELECT * { ?s ?p 'SERVICE <http://e/> {}' }",
    "SELECT * { ?s ?p '''\nSERVICE <http://e/> {}''' } # SERVICE <http://e/> {}",
    "SELECT * { <http://e/SERVICE> ?p <http://e/LOAD#SERVICE> }",
    "SELECT * { ?s <http://e/p> <http://e/service>, <http://e/it's/service> }",
    "PREFIX service: <http://e/> SELECT * { ?s service:a ?o ; service:b service:c }",
    "PREFIX service: <http://e/> SELECT * FROM service:g { GRAPH service:g { ?s ?p ?o } }",
    "PREFIX load: <http://e/> SELECT ?load { ?s load:load ?load FILTER(?load < 5 && 3 > 2) }",
    "SELECT * { VALUES (?x ?y) { ('service' <http://e/SERVICE>) (1 UNDEF) } }",
    "SELECT * { VALUES ?x {" + "1 " * 9_999 + "} }",
    "SELECT * { ?s ?p ?o FILTER(?o IN (" + "1, " * 5_000 + "2)) }",
    "SELECT * { {?s ?p ?o}" + " UNION { ?s ?p ?o . ?o ?p ?s }" * 199 + " }",
    "SELECT * { ?s ?p ?o FILTER(?o = 1" + " || ?o = 1" * 450 + ") }",
    "SELECT * { ?s ((((<http://e/a>*)/<http://e/b>)+|^<http://e/c>)*)* ?o }",
    "SELECT * {" + "?s ?p ?o ." * 150 + "}",
    "this is no SPARQL at all",
    "",
]


@pytest.fixture(scope="module")
def store() -> ox.Store:
    store = ox.Store()
    store.add(
        ox.Quad(ox.NamedNode("a:a"), ox.NamedNode("a:b"), ox.NamedNode("http://127.0.0.1:1/"))
    )
    return store


def code_of(text: str) -> str | None:
    try:
        refuse_unsafe(text)
    except QueryRefused as refusal:
        return refusal.code
    return None


@pytest.mark.quick
@pytest.mark.parametrize("text", SERVICE_EVASIONS)
def test_service_is_refused_however_it_is_written(text: str) -> None:
    assert code_of(PREFIXES + text) == "service_refused"


@pytest.mark.quick
@pytest.mark.parametrize(("code", "text"), OTHER_EVASIONS)
def test_updates_and_excesses_are_refused_with_their_code(code: str, text: str) -> None:
    assert code_of(text) == code


def test_the_corpus_of_evasions_has_fifty_cases_at_least() -> None:
    assert len(SERVICE_EVASIONS) + len(OTHER_EVASIONS) >= 50


@pytest.mark.quick
@pytest.mark.parametrize("text", HONEST)
def test_an_honest_query_passes(text: str) -> None:
    assert code_of(text) is None


@pytest.mark.quick
def test_every_shipped_query_passes() -> None:
    files = sorted(assets.asset_path("queries").rglob("*.rq"))
    assert files
    for file in files:
        assert code_of(file.read_text(encoding="utf-8")) is None, file.name


@pytest.mark.skipif(not W3C.is_dir(), reason="the W3C SPARQL suite is not beside the checkout")
def test_every_query_of_the_w3c_suite_passes_but_those_about_service() -> None:
    files = sorted(W3C.rglob("*.rq"))
    about_service = {file for file in files if file.parent.name in {"service", "syntax-fed"}}
    assert len(files) > 800
    assert len(about_service) >= 10
    for file in files:
        expected = "service_refused" if file in about_service else None
        assert code_of(file.read_text(encoding="utf-8")) == expected, file.name


FRAGMENTS = [
    "SERVICE",
    CALL,
    f"SERVICE{CALL}",
    "service:",
    "{?s ?p ?o}",
    "FILTER(",
    "FILTERex:f(",
    "BIND(",
    ")",
    "?a",
    "?a ?b ?o",
    "<'''>",
    "<#>",
    "<",
    ">",
    "'''",
    "'",
    '"',
    "#",
    "#>",
    "\n",
    " ",
    "true",
    "1",
    ".",
    "ex:a\\'",
    "ex:",
    "||1",
    "{",
    "}",
    "@en",
    "EXISTS{}",
    "\\",
    "<a:'>",
    "<a:|>",
    "<a:^'>",
    "VALUES?x{",
]


def connects(store: ox.Store, text: str) -> bool:
    """Tell whether the engine tried to connect: it refuses port 1 with an OSError of its own."""
    try:
        list(store.query(text))  # type: ignore[arg-type]
    except OSError as error:
        return "port 1 " in str(error)
    except (SyntaxError, RuntimeError, ValueError):
        return False
    return False


def random_text(rng: random.Random) -> str:
    middle = "".join(rng.choice(FRAGMENTS) for _ in range(rng.randint(1, 7)))
    tail = "".join(rng.choice(FRAGMENTS) for _ in range(rng.randint(0, 4)))
    return f"{PREFIXES}SELECT * {{{middle}SERVICE{CALL}{tail}\n}}"


@pytest.mark.parametrize("seed", range(4))
def test_what_makes_the_engine_connect_is_refused_in_random_texts(
    seed: int, store: ox.Store
) -> None:
    rng = random.Random(seed)
    texts = [random_text(rng) for _ in range(3_000)]
    connecting = [text for text in texts if connects(store, text)]
    assert connecting
    assert [text for text in connecting if code_of(text) is None] == []


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * {FILTER(" + "!" * 999 + "1)}",
        "SELECT * {FILTER(1" + "+1" * 999 + ")}",
        "SELECT * {FILTER(" + "(" * 98 + "1" + ")" * 99 + "}",
        "SELECT * {{}" + "UNION{}" * 200 + "}",
        "SELECT * {" + "OPTIONAL{}" * 99 + "}",
        "SELECT * {" + "MINUS{}" * 99 + "}",
        "SELECT " + "".join(f"(1 AS ?x{i})" for i in range(199)) + "{}",
    ],
)
def test_a_query_just_inside_the_limits_leaves_the_process_alive(text: str) -> None:
    assert code_of(text) is None
    program = (
        "import sys, pyoxigraph; list(pyoxigraph.Store().query(sys.stdin.read())); print('ok')"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], input=text, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout.strip()) == (0, "ok"), run.stderr[-300:]
