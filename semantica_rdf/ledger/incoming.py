"""
Incoming graphs: drafts out of tuples, pyoxigraph quads and datasets, rdflib graphs and datasets.

Blank nodes become IRIs keyed by namespace, source and the canonical form of the component they
stand in, so that the same graph given twice adds nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any

import pyoxigraph as ox

from semantica_rdf.errors import ValidationError
from semantica_rdf.model.draft import Draft
from semantica_rdf.model.skolem import skolemised
from semantica_rdf.model.terms import foreign_term, shortened, term_of_pyoxigraph


def drafts_of(
    claims: Iterable[Any], default: Draft, *, namespace: str, source: str | None
) -> Iterator[Draft]:
    """
    Return one draft per claim, open fields filled from `default`.

    Raises `ValidationError` (`bad_claim`) for something that is no claim, or no list of them.
    """
    quads = _quads_of_graph(claims)
    if quads is not None:
        for quad in skolemised(quads, namespace=namespace, source=source or ""):
            yield _draft_of_quad(quad, default)
        return
    if not isinstance(claims, Iterable):
        raise _no_claim(claims)
    given = {name: value for name, value in default._asdict().items() if value is not None}
    for claim in claims:
        yield _filled(claim, given) if isinstance(claim, Draft) else _draft(claim, default)


def _filled(draft: Draft, given: dict[str, Any]) -> Draft:
    """Return the draft, what it leaves open taken from `given`."""
    if not given:
        return draft
    windowed = any(getattr(draft, name) is not None for name in _WINDOW)
    return draft._replace(
        **{
            name: value
            for name, value in given.items()
            if getattr(draft, name) is None and not (windowed and name in _WINDOW)
        }
    )


_WINDOW = ("valid_from", "valid_until", "valid_during")


def _quads_of_graph(claims: Iterable[Any]) -> list[ox.Quad] | None:
    if isinstance(claims, ox.Dataset):
        return list(claims)
    rdflib = sys.modules.get("rdflib")
    if rdflib is None or not isinstance(claims, rdflib.Graph):
        return None
    if isinstance(claims, rdflib.Dataset | rdflib.ConjunctiveGraph):
        from semantica_rdf.view.rdflib_graph import default_graph_of

        default = default_graph_of(claims).identifier
        return [_quad(s, p, o, _graph_name(graph, default)) for s, p, o, graph in claims.quads()]
    return [_quad(s, p, o, ox.DefaultGraph()) for s, p, o in claims]


def _quad(subject: Any, predicate: Any, value: Any, graph: Any) -> ox.Quad:
    """Return the quad of rdflib's terms; rdflib holds triples that are none (`not_an_iri`)."""
    try:
        return ox.Quad(_node(subject), _node(predicate), _node(value), graph)
    except TypeError:
        raise ValidationError(
            f"{shortened(f'{subject!r} {predicate!r} {value!r}', 160)} is no triple",
            code="not_an_iri",
            hint="a subject is an IRI or a blank node, a predicate an IRI",
        ) from None


def _graph_name(graph: Any, default: Any) -> Any:
    if graph is None or graph == default:
        return ox.DefaultGraph()
    return _node(graph)


def _node(term: Any) -> Any:
    found = foreign_term(term)
    if found is None:
        raise ValidationError(f"{term!r} is no RDF term", code="unsupported_term")
    return found.to_pyoxigraph()


def _draft_of_quad(quad: ox.Quad, default: Draft) -> Draft:
    graph = default.graph if isinstance(quad.graph_name, ox.DefaultGraph) else quad.graph_name
    return default._replace(
        subject=term_of_pyoxigraph(quad.subject),
        predicate=term_of_pyoxigraph(quad.predicate),
        object=term_of_pyoxigraph(quad.object),
        graph=graph,
    )


def _draft(claim: Any, default: Draft) -> Draft:
    if isinstance(claim, ox.Quad):
        return _draft_of_quad(claim, default)
    if isinstance(claim, ox.Triple):
        return _draft_of_quad(ox.Quad(claim.subject, claim.predicate, claim.object), default)
    if isinstance(claim, tuple | list) and len(claim) in {3, 4}:
        graph = claim[3] if len(claim) > 3 and claim[3] is not None else default.graph
        return default._replace(subject=claim[0], predicate=claim[1], object=claim[2], graph=graph)
    raise _no_claim(claim)


def _no_claim(value: Any) -> ValidationError:
    return ValidationError(
        f"{type(value).__name__} is no claim",
        code="bad_claim",
        hint="give (s, p, o[, graph]), a Draft, a pyoxigraph triple or quad, or a graph",
    )
