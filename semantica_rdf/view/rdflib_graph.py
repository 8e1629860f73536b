"""
A view as rdflib's Graph or Dataset. The one module of this floor that imports rdflib.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyoxigraph as ox
import rdflib

from semantica_rdf.model.terms import term_of_pyoxigraph


def graph_of(quads: Iterable[ox.Quad], prefixes: Mapping[str, str]) -> rdflib.Graph:
    """Return a Graph of the quads, a Dataset when any stands in a named graph; prefixes bound."""
    quads = list(quads)
    named = any(not isinstance(quad.graph_name, ox.DefaultGraph) for quad in quads)
    target: Any = rdflib.Dataset() if named else rdflib.Graph()
    for prefix, iri in prefixes.items():
        target.bind(prefix, iri, override=True, replace=True)
    for quad in quads:
        triple = tuple(
            term_of_pyoxigraph(term).to_rdflib()
            for term in (quad.subject, quad.predicate, quad.object)
        )
        if isinstance(quad.graph_name, ox.DefaultGraph):
            target.add(triple)
        else:
            target.add((*triple, term_of_pyoxigraph(quad.graph_name).to_rdflib()))
    graph: rdflib.Graph = target
    return graph
