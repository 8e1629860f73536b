"""
Writes `docs/vocabulary.md` from `ontology/semantica.ttl`: `python docs/write_vocabulary.py`.

The ontology is the only place where a term is defined; the page is its reading copy, and a test
writes it again and compares. It stands here, and not in the package, because nobody who uses the
package needs it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from semantica_rdf.assets import asset_text
from semantica_rdf.model import vocab

PAGE = Path(__file__).resolve().parent / "vocabulary.md"

RDFS, OWL = vocab.RDFS, vocab.BUILT_IN_PREFIXES["owl"]
SKOS, SRDF = vocab.BUILT_IN_PREFIXES["skos"], vocab.SRDF
ONTOLOGY = "https://w3id.org/semantica-rdf/ns"

_INTRODUCTION = """\
# The vocabulary

<!-- written by docs/write_vocabulary.py from ontology/semantica.ttl: change that file, not this -->

{description}

Prefix `srdf:` is `{namespace}`, version {version}.
A **reserved** property is written by the ledger only; as a user's predicate it is refused with
`ReservedTerm`, and so is every other name in this namespace.
"""


class Ontology:
    """The ontology, read by term."""

    def __init__(self, text: str) -> None:
        graph = ox.Dataset(ox.parse(text, format=ox.RdfFormat.TURTLE))
        self._graph = graph

    def objects(self, subject: Any, predicate: str) -> list[Any]:
        """Return what a subject, an IRI or a node, has for a predicate."""
        node = ox.NamedNode(subject) if isinstance(subject, str) else subject
        found = self._graph.quads_for_subject(node)
        return [quad.object for quad in found if quad.predicate.value == predicate]

    def texts(self, subject: str, predicate: str) -> list[str]:
        """Return the values of a predicate as sorted texts."""
        return sorted(term.value for term in self.objects(subject, predicate))

    def declared(self, kind: str) -> list[str]:
        """Return the terms of this vocabulary with a type, by name."""
        found = self._graph.quads_for_object(ox.NamedNode(kind))
        types = [quad for quad in found if quad.predicate.value == vocab.RDF_TYPE]
        names = (quad.subject.value for quad in types if isinstance(quad.subject, ox.NamedNode))
        return sorted(name for name in names if name.startswith(SRDF))

    def members(self, term: str) -> list[str]:
        """Return the members of a closed list, in its order."""
        found: list[str] = []
        for node in self.objects(term, OWL + "equivalentClass"):
            rest = self.objects(node, OWL + "oneOf")
            while rest and rest[0] != ox.NamedNode(vocab.RDF + "nil"):
                found += [item.value for item in self.objects(rest[0], vocab.RDF + "first")]
                rest = self.objects(rest[0], vocab.RDF + "rest")
        return found


def short(iri: str) -> str:
    """
    Return an IRI as a prefixed name where a built-in prefix fits.

    >>> short("http://www.w3.org/ns/prov#Entity")
    'prov:Entity'
    """
    for prefix, namespace in vocab.BUILT_IN_PREFIXES.items():
        if iri.startswith(namespace):
            return f"{prefix}:{iri.removeprefix(namespace)}"
    return f"<{iri}>"


def vocabulary_page(text: str) -> str:
    """Return the page for an ontology's Turtle text."""
    ontology = Ontology(text)
    properties = ontology.declared(OWL + "ObjectProperty")
    properties += ontology.declared(OWL + "DatatypeProperty")
    journal = [term for term in properties if vocab.TRANSACTION_CLASS in _domain(ontology, term)]
    cursor = [term for term in properties if vocab.CURSOR in _domain(ontology, term)]
    parts = [
        _INTRODUCTION.format(
            description=ontology.texts(ONTOLOGY, vocab.DCTERMS + "description")[0],
            namespace=SRDF,
            version=ontology.texts(ONTOLOGY, OWL + "versionInfo")[0],
        ),
        *_section(ontology, "Classes and closed lists", _classes(ontology)),
        *_section(ontology, "Individuals", ontology.declared(OWL + "NamedIndividual")),
        *_section(
            ontology,
            "Properties of statements and rows",
            sorted({*properties} - {*journal, *cursor}),
        ),
        *_section(ontology, "Properties of transactions only", sorted(journal)),
        *_section(ontology, "Properties of cursors", sorted(cursor)),
        "## Words of other vocabularies\n",
        "Nothing but these and the words above is ever written, apart from what users state.\n",
        *(
            f"- `{short(term)}`: {_sentence(ontology.texts(term, SKOS + 'scopeNote'))}"
            for term in ontology.texts(ONTOLOGY, vocab.DCTERMS + "requires")
        ),
    ]
    return "\n".join(parts) + "\n"


def _classes(ontology: Ontology) -> list[str]:
    return ontology.declared(OWL + "Class") + ontology.declared(RDFS + "Datatype")


def _domain(ontology: Ontology, term: str) -> list[str]:
    return ontology.texts(term, RDFS + "domain")


def _section(ontology: Ontology, title: str, terms: list[str]) -> Iterator[str]:
    yield f"## {title}\n"
    for term in terms:
        yield f"### `{short(term)}`\n"
        yield _sentence(ontology.texts(term, SKOS + "definition"))
        yield from ontology.texts(term, SKOS + "scopeNote")
        yield ""
        yield from _details(ontology, term)
        yield ""


def _details(ontology: Ontology, term: str) -> Iterator[str]:
    types = ontology.texts(term, vocab.RDF_TYPE)
    kinds = [short(kind) for kind in types if kind != OWL + "NamedIndividual"]
    yield f"- type: {_names(kind for kind in kinds if kind != 'srdf:ReservedTerm')}" + (
        ", **reserved**" if "srdf:ReservedTerm" in kinds else ""
    )
    for label, predicate in (
        ("narrower than", RDFS + "subClassOf"),
        ("narrower than", RDFS + "subPropertyOf"),
        ("values", RDFS + "range"),
        ("see also", RDFS + "seeAlso"),
    ):
        found = ontology.texts(term, predicate)
        if found:
            yield f"- {label}: {_names(map(short, found))}"
    members = ontology.members(term)
    if members:
        yield f"- one of: {_names(short(item) if '://' in item else item for item in members)}"
    for comment in ontology.texts(term, RDFS + "comment"):
        yield f"- note: {comment}"


def _names(names: Any) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _sentence(texts: list[str]) -> str:
    return " ".join(texts)


if __name__ == "__main__":
    PAGE.write_text(vocabulary_page(asset_text("ontology", "semantica.ttl")), encoding="utf-8")
