"""
A view as rdflib's Graph or Dataset. The one module below the loader that imports rdflib.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyoxigraph as ox
import rdflib

from semantica_rdf.model.terms import term_of_pyoxigraph


def default_graph_of(dataset: Any) -> Any:
    """Return the default graph of an rdflib dataset, by the name this version of rdflib has for it."""
    if "default_graph" in dir(type(dataset)):
        return dataset.default_graph
    return dataset.default_context


def graph_of(quads: Iterable[ox.Quad], prefixes: Mapping[str, str]) -> rdflib.Graph:
    """Return a Graph of the quads, a Dataset when any stands in a named graph; prefixes bound."""
    quads = list(quads)
    named = any(not isinstance(quad.graph_name, ox.DefaultGraph) for quad in quads)
    target: Any = rdflib.Dataset() if named else rdflib.Graph()
    for prefix, iri in prefixes.items():
        target.bind(prefix, iri, override=True, replace=True)
    default = default_graph_of(target) if named else target
    for quad in quads:
        triple = tuple(
            term_of_pyoxigraph(term).to_rdflib()
            for term in (quad.subject, quad.predicate, quad.object)
        )
        if isinstance(quad.graph_name, ox.DefaultGraph):
            default.add(triple)
        else:
            target.add((*triple, term_of_pyoxigraph(quad.graph_name).to_rdflib()))
    graph: rdflib.Graph = target
    return graph
