"""
Claims from RDF: documents and rdflib graphs.

In: statements with their positions. Out: claims. Statements without blank nodes pass through one by
one; those with blank nodes wait for the end, since a node's name depends on all that touches it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from semantica_rdf.errors import CallerError, ValidationError
from semantica_rdf.loading.claims import Claim
from semantica_rdf.loading.exported import Positioned, own_claims, partitioned
from semantica_rdf.loading.report import Tally
from semantica_rdf.model.draft import Draft
from semantica_rdf.model.skolem import has_blank_node, skolemised
from semantica_rdf.model.terms import (
    Iri,
    iri,
    literal,
    term_of_pyoxigraph,
)

if TYPE_CHECKING:
    import rdflib


class Context(NamedTuple):
    """What names a document's blank nodes: the namespace, and the source it is loaded as."""

    namespace: str
    source: str


def is_rdflib(document: Any) -> bool:
    """Tell whether a document is an rdflib graph, without importing rdflib."""
    module = sys.modules.get("rdflib")
    return module is not None and isinstance(document, module.Graph)


def claims_of(
    quads: Iterable[Positioned], context: Context, tally: Tally, *, own: bool
) -> Iterator[Claim]:
    """
    Yield the claims of statements.

    With `own`, statements of our own exports are recognised, for which all must be held.
    Raises `ValidationError` (`blank_nodes_too_entangled`), and what reading the quads raises.
    """
    if own:
        record = partitioned(quads)
        yield from own_claims(record, tally)
        quads = record.rest
    waiting: list[Positioned] = []
    for position, quad in quads:
        tally.read += 1
        if has_blank_node(quad):
            waiting.append((position, quad))
        else:
            yield from _claim(position, quad, tally)
    named = skolemised(
        [quad for _, quad in waiting],
        namespace=context.namespace,
        source=context.source,
    )
    for (position, _), quad in zip(waiting, named, strict=True):
        yield from _claim(position, quad, tally)


def _claim(position: int, quad: ox.Quad, tally: Tally) -> Iterator[Claim]:
    try:
        value = quad.object
        term = _iri(value.value) if isinstance(value, ox.NamedNode) else term_of_pyoxigraph(value)
    except CallerError as error:
        tally.reject((position,), error)
        return
    subject: Any = quad.subject
    name = quad.graph_name
    graph = None if isinstance(name, ox.DefaultGraph) else _iri(name.value)
    draft = Draft(_iri(subject.value), _iri(quad.predicate.value), term, graph)
    yield Claim(draft, (position,))


@lru_cache(maxsize=65536)
def _iri(text: str) -> Iri:
    return Iri(text)


def rdflib_quads(graph: rdflib.Graph, tally: Tally) -> Iterator[Positioned]:
    """Yield the statements of an rdflib Graph or Dataset; a term that is none is a rejection."""
    import rdflib

    from semantica_rdf.view.rdflib_graph import default_graph_of

    default = ""
    rows: Iterable[tuple[Any, ...]] = graph
    if isinstance(graph, rdflib.ConjunctiveGraph):
        default = str(default_graph_of(graph).identifier)
        rows = graph.quads((None, None, None, None))
    for position, row in enumerate(rows, 1):
        try:
            subject, predicate, value = (_of_rdflib(part) for part in row[:3])
            name = _graph_name(row[3], default) if len(row) > 3 else None
            graph_name = ox.DefaultGraph() if name is None else _of_rdflib(name)
            quad = ox.Quad(subject, predicate, value, graph_name)
        except CallerError as error:
            tally.read += 1
            tally.reject((position,), error)
        except (TypeError, ValueError) as error:
            tally.read += 1
            tally.reject((position,), _not_a_term(error))
        else:
            yield position, quad
    tally.prefixes.update({prefix: str(base) for prefix, base in graph.namespaces() if prefix})


def _not_a_term(error: Exception) -> CallerError:
    return ValidationError(f"no RDF statement: {error}", code="unsupported_term")


def _graph_name(context: Any, default: str) -> Any:
    """Return the name of a context, None for the default graph."""
    import rdflib

    name = context.identifier if isinstance(context, rdflib.Graph) else context
    return None if name is None or str(name) == default else name


def _of_rdflib(term: Any) -> Any:
    import rdflib.term

    if isinstance(term, rdflib.term.BNode):
        return ox.BlankNode(str(term))
    if isinstance(term, rdflib.term.URIRef):
        return iri(str(term)).to_pyoxigraph()
    if isinstance(term, rdflib.term.Literal):
        datatype = None if term.datatype is None or term.language else str(term.datatype)
        return literal(str(term), lang=term.language, datatype=datatype).to_pyoxigraph()
    raise TypeError(f"{type(term).__name__} is no term")


__all__ = ["Context", "claims_of", "is_rdflib", "rdflib_quads"]
