"""
Checks nanopublications: `python examples/nanopub/check.py FILE...`, one line for each reason.

A file that is no RDF is refused by the loader. What is RDF and no nanopublication is refused here,
with the rules of the nanopublication guidelines (https://nanopub.net/guidelines/working_draft/):
the head and its links, four graphs of their own, none empty, each saying what it is about; values
that fit their datatypes; a trusty URI and a signature that fit the content (see `trusty.py`).

The statements are checked as their source spelled them: the record keeps a spelling that the store
would rewrite, and a hash covers every character.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from datetime import date, datetime, time
from pathlib import Path
from typing import NamedTuple

import pyoxigraph as ox
import trusty

from semantica_rdf import KnowledgeBase, SemanticaError

NP = "http://www.nanopub.org/nschema#"
TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
NANOPUB = ox.NamedNode(NP + "Nanopublication")
PARTS = {
    "assertion": ox.NamedNode(NP + "hasAssertion"),
    "provenance": ox.NamedNode(NP + "hasProvenance"),
    "publication info": ox.NamedNode(NP + "hasPublicationInfo"),
}
HAS_SIGNATURE = ox.NamedNode(trusty.NPX + "hasSignature")
XSD = "http://www.w3.org/2001/XMLSchema#"
WRITE = {"agent": "https://example.org/checker", "source": "https://example.org/nanopublications"}


class Nanopub(NamedTuple):
    """A nanopublication as its head draws it: its IRI, its head graph, its parts by name."""

    name: ox.NamedNode
    head: ox.NamedNode
    parts: dict[str, list[ox.NamedNode]]

    @property
    def graphs(self) -> list[ox.NamedNode]:
        """The head, and the graphs it links to."""
        return [self.head, *(graph for part in self.parts.values() for graph in part)]


def reasons(document: Path | bytes, *, format: str | None = None) -> list[str]:
    """Return why a document holds no valid nanopublications, nothing where it does."""
    with KnowledgeBase.memory(**WRITE) as base:
        try:
            report = base.load(document, reason="check", format=format)
        except SemanticaError as error:
            return [f"{error.code}: {error}"]
        faults = [f"line {line}: {reason}" for line, reason in report.rejected]
        return faults + list(problems(list(spelled(base))))


def spelled(base: KnowledgeBase) -> Iterator[ox.Quad]:
    """Yield what is believed, each literal as its source wrote it."""
    for subject in sorted({quad.subject.value for quad in base.at().quads()}):
        for statement in base.history((subject, None, None)):
            if not statement.is_open or statement.standing != "believed":
                continue
            graph = statement.graph
            yield ox.Quad(
                ox.NamedNode(subject),
                statement.predicate.to_pyoxigraph(),
                _original(statement.object.to_pyoxigraph(), statement.source_text),
                ox.DefaultGraph() if graph is None else graph.to_pyoxigraph(),
            )


def _original(value: ox.NamedNode | ox.Literal, text: str | None) -> ox.NamedNode | ox.Literal:
    if text is None:
        return value
    if text.startswith('"'):
        [quad] = ox.parse(f"<a:a> <a:a> {text} .", format=ox.RdfFormat.N_TRIPLES)
        return quad.object
    if value.language:
        return ox.Literal(text, language=value.language)
    return ox.Literal(text, datatype=value.datatype)


def problems(quads: list[ox.Quad]) -> Iterator[str]:
    """Yield what is wrong with the nanopublications that a set of quads holds."""
    found = list(nanopubs(quads))
    if not found:
        yield "no graph says that something is a np:Nanopublication"
    known: set[ox.NamedNode] = set()
    for item in found:
        known |= set(item.graphs)
        own = [quad for quad in quads if quad.graph_name in item.graphs]
        yield from _structure(item, own)
        yield from _values(own)
        yield from _integrity(item, own)
    for graph in sorted({quad.graph_name for quad in quads} - known, key=str):
        yield f"{graph} belongs to no nanopublication"


def nanopubs(quads: list[ox.Quad]) -> Iterator[Nanopub]:
    """Yield the nanopublications whose heads stand in the quads."""
    for quad in quads:
        if quad.predicate != TYPE or quad.object != NANOPUB:
            continue
        head = [q for q in quads if (q.subject, q.graph_name) == (quad.subject, quad.graph_name)]
        links = {
            part: [other.object for other in head if other.predicate == link]
            for part, link in PARTS.items()
        }
        yield Nanopub(quad.subject, quad.graph_name, links)


def _structure(item: Nanopub, quads: list[ox.Quad]) -> Iterator[str]:
    about = {"provenance": item.parts["assertion"], "publication info": [item.name]}
    for part, graphs in item.parts.items():
        if len(graphs) != 1:
            yield f"{item.name} has {len(graphs)} links to its {part}, not 1"
            continue
        said = [quad for quad in quads if quad.graph_name == graphs[0]]
        if not said:
            yield f"the {part} {graphs[0]} is empty"
        for topic in about.get(part, []):
            if said and not any(topic in {quad.subject, quad.object} for quad in said):
                yield f"the {part} {graphs[0]} says nothing of {topic}"
    if len(set(item.graphs)) < len(item.graphs):
        yield f"{item.name} has one graph for two of head, assertion, provenance, publication info"
    for graph in dict.fromkeys(item.graphs):
        if not graph.value.startswith(item.name.value):
            yield f"the graph {graph} is not named after {item.name}"


def _values(quads: list[ox.Quad]) -> Iterator[str]:
    for quad in quads:
        value = quad.object
        if isinstance(value, ox.Literal) and not _fits(value):
            yield f"{value} does not fit its datatype"


def _fits(value: ox.Literal) -> bool:
    read = _READERS.get(value.datatype.value.removeprefix(XSD))
    if read is None:
        return True
    try:
        read(value.value)
    except (ValueError, KeyError):
        return False
    return True


def _whole_number(text: str) -> int:
    if re.fullmatch(r"[+-]?[0-9]+", text) is None:
        raise ValueError(text)
    return int(text)


def _truth(text: str) -> bool:
    return {"true": True, "1": True, "false": False, "0": False}[text]


_READERS: dict[str, Callable[[str], object]] = {
    "boolean": _truth,
    "integer": _whole_number,
    "decimal": float,
    "double": float,
    "float": float,
    "date": lambda text: date.fromisoformat(text[:10]),
    "dateTime": datetime.fromisoformat,
    "time": time.fromisoformat,
}
"""How the common datatypes are read; a KeyError or ValueError says that a text does not fit."""


def _integrity(item: Nanopub, quads: list[ox.Quad]) -> Iterator[str]:
    code = trusty.code_of(item.name.value)
    if code is not None and trusty.content_code(quads, code) != code:
        yield f"the hash in {item.name} does not fit the content"
    for quad in quads:
        signed = quad.predicate == HAS_SIGNATURE
        if signed and not trusty.has_valid_signature(quads, quad, code or "\0"):
            yield f"the signature {quad.subject} does not fit the content"


def main(names: list[str]) -> int:
    """Print the reasons for each file; 1 when there are any."""
    found = [(name, reason) for name in names for reason in reasons(Path(name))]
    for name, reason in found:
        print(f"{name}: {reason}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
