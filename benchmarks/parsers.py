"""
Parsers of SPARQL side by side: which of the W3C queries that must parse each reads, and how fast;
and how fast the front refuses what is hostile.

Ours is the reader of the front (`semantica_rdf/sparql/query_reader.py`). The others are there when
they are installed beside it: `pip install sparqlkit tree-sitter tree-sitter-sparql`.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import pyoxigraph as ox

from semantica_rdf.errors import QueryRefused
from semantica_rdf.sparql.front import prepared
from semantica_rdf.sparql.query_reader import read_query
from semantica_rdf.sparql.reading import NotRead

MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
SUITE = Path(__file__).resolve().parents[2] / "shared" / "data" / "w3c-sparql"
_NEGATIVE = (f"{MF}NegativeSyntaxTest", f"{MF}NegativeSyntaxTest11")

HOSTILE = {
    "SERVICE": "SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }",
    "SERVICE after 60,000 characters": f"SELECT * {{ {'?s ?p 1. ' * 90}{'#' * 59_000}\nSERVICE <a:a> {{}} }}",
    "LOAD": "LOAD <http://127.0.0.1:1/>",
    "a large text": "SELECT * { } #" + "x" * 10_000_000,
    "brackets": f"SELECT * {{ FILTER({'(' * 15_000}1{')' * 15_000}) }}",
    "groups": f"SELECT * {'{' * 30_000}{'}' * 30_000}",
    "unions": f"SELECT * {{ {{}} {'UNION{}' * 8_000} }}",
    "operators": f"SELECT * {{ FILTER(1{'+1' * 30_000}) }}",
    "negations": f"SELECT * {{ FILTER({'!' * 60_000}1) }}",
    "VALUES rows": f"SELECT * {{ VALUES ?x {{ {'1 ' * 30_000} }} }}",
    "closures": f"SELECT * {{ ?s {'(' * 90}<a:a>{')*' * 90} ?o }}",
    "patterns": f"SELECT * {{ ?s ?p 1{';?p 1' * 9_000} }}",
    "nested isBlank": f"ASK {{ FILTER({'isBlank(' * 90}?x{')' * 90}) }}",
}
"""Texts that would connect, write or exhaust an engine, by what they do it with."""

Parse = Callable[[str], bool]


class Contender(NamedTuple):
    """A parser by name: tells whether it read a text."""

    name: str
    parse: Parse


def queries(suite: Path) -> dict[str, str]:
    """Return the texts of the suite's queries that must parse, by their path in it."""
    refused = set(_refused(suite))
    return {
        str(path.relative_to(suite)): path.read_text(encoding="utf-8")
        for path in sorted(suite.rglob("*.rq"))
        if path not in refused
    }


def _refused(suite: Path) -> Iterator[Path]:
    """Yield the queries a manifest says no parser may take."""
    for manifest in suite.rglob("manifest*.ttl"):
        graph = ox.Store()
        graph.load(path=manifest, format=ox.RdfFormat.TURTLE, base_iri=manifest.as_uri())
        for kind in _NEGATIVE:
            for entry in graph.quads_for_pattern(None, None, ox.NamedNode(kind)):
                for action in graph.quads_for_pattern(
                    entry.subject, ox.NamedNode(f"{MF}action"), None
                ):
                    if isinstance(action.object, ox.NamedNode):
                        yield Path(action.object.value.removeprefix("file://"))


def ours(text: str) -> bool:
    """Read with the front's reader."""
    try:
        read_query(text, {})
    except NotRead:
        return False
    return True


def contenders() -> Iterator[Contender]:
    """Yield ours, and those that are installed."""
    yield Contender("ours", ours)
    try:
        import lark
        import sparqlkit.parser
    except ImportError:
        print("left out, not installed: sparqlkit")
    else:
        grammar = resources.files("sparqlkit").joinpath("grammar.lark").read_text(encoding="utf-8")
        lalr = lark.Lark(grammar, start="query_unit", parser="lalr", propagate_positions=True)
        yield Contender("sparqlkit's grammar, LALR", _with_lark(lalr.parse))
        earley = sparqlkit.parser.sparql_query_parser
        yield Contender("sparqlkit, Earley", _with_lark(earley.parse))
    try:
        import tree_sitter
        import tree_sitter_sparql
    except ImportError:
        print("left out, not installed: tree-sitter-sparql")
    else:
        parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_sparql.language()))
        yield Contender(
            "tree-sitter-sparql", lambda text: not parser.parse(text.encode()).root_node.has_error
        )


def _with_lark(parse: Callable[[str], object]) -> Parse:
    from lark.exceptions import LarkError

    def read(text: str) -> bool:
        try:
            parse(text)
        except LarkError:
            return False
        return True

    return read


def print_refusals(rounds: int) -> None:
    """Print how long it takes to refuse each hostile text."""
    print("\n| hostile text | refused as | ms | asked |\n| --- | --- | ---: | --- |")
    for name, text in HOSTILE.items():
        times, code = [], ""
        for _ in range(rounds):
            start = time.perf_counter()
            try:
                prepared(text, prefixes={})
            except QueryRefused as error:
                code = error.code
            times.append(time.perf_counter() - start)
        print(f"| {name} | {code or 'NOT REFUSED'} | {max(times) * 1000:.1f} | < 50 |")


def main() -> None:
    """Print a table of parsers, what ours does not read, and a table of refusals."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--suite", type=Path, default=SUITE)
    asked.add_argument("--rounds", type=int, default=3)
    given = asked.parse_args()
    texts = queries(given.suite)
    rows = {one: [list[float](), set[str]()] for one in contenders()}
    for _ in range(given.rounds):
        for one, (times, missed) in rows.items():
            for name, text in texts.items():
                start = time.perf_counter()
                read = one.parse(text)
                times.append(time.perf_counter() - start)
                if not read:
                    missed.add(name)
    print(
        "| parser | reads | of | mean, ms a query | median |\n| --- | ---: | ---: | ---: | ---: |"
    )
    for one, (times, missed) in rows.items():
        mean, median = statistics.mean(times) * 1000, statistics.median(times) * 1000
        print(
            f"| {one.name} | {len(texts) - len(missed)} | {len(texts)} | {mean:.2f} | {median:.2f} |"
        )
    own = rows[next(iter(rows))][1]
    for name in sorted(own):
        others = [one.name for one, (_, missed) in rows.items() if name not in missed]
        print(f"not read: {name}; read by {', '.join(others) or 'nobody'}")
    print_refusals(given.rounds)


if __name__ == "__main__":
    main()
