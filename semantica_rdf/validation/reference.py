"""
pySHACL, for shapes our compiler does not know: the one module of the package that imports it.

Its report is read back into ours. Where it raises instead of judging (it compares what cannot be
compared), that counts as a result: such data never conform.
"""

from __future__ import annotations

from typing import Any

import pyoxigraph as ox

from semantica_rdf.errors import ValidationError
from semantica_rdf.model.terms import term_of_pyoxigraph
from semantica_rdf.shacl import Report, Result
from semantica_rdf.shacl.names import RDF_TYPE, SH, VIOLATION
from semantica_rdf.shacl.paths import read_path
from semantica_rdf.shacl.shapes_graph import ShapesGraph

_NOWHERE = ox.NamedNode(SH + "Shape")


def pyshacl_report(quads: list[ox.Quad], shapes: str) -> Report:
    """
    Return pySHACL's report on quads, all graphs together; `shapes` is a text in Turtle.

    Raises `ValidationError` (`bad_shape`) when pySHACL cannot load the shapes. Fetches nothing.
    """
    import pyshacl
    import rdflib
    from pyshacl.errors import ConstraintLoadError, ReportableRuntimeError, ShapeLoadError

    data = rdflib.Graph()
    for quad in quads:
        data.add(
            tuple(  # type: ignore[arg-type]
                term_of_pyoxigraph(term).to_rdflib()
                for term in (quad.subject, quad.predicate, quad.object)
            )
        )
    graph = rdflib.Graph().parse(data=shapes, format="turtle")
    try:
        _, report, text = pyshacl.validate(
            data, shacl_graph=graph, advanced=True, do_owl_imports=False, js=False
        )
    except (ShapeLoadError, ConstraintLoadError) as error:
        raise ValidationError(f"pySHACL refuses the shapes: {error}", code="bad_shape") from None
    except (TypeError, ReportableRuntimeError) as error:
        return _raised(error)
    if not isinstance(report, rdflib.Graph):
        return _raised(ValueError(text))
    return _read(report)


def _raised(error: Exception) -> Report:
    message = ox.Literal(f"pySHACL could not judge the data: {error}")
    result = Result(
        _NOWHERE, None, None, _NOWHERE, SH + "ConstraintComponent", VIOLATION, (message,)
    )
    return Report((result,), {})


def _read(report: Any) -> Report:
    """Return a report graph of rdflib as ours."""
    text = report.serialize(format="nt")
    quads = list(ox.parse(text.encode(), format=ox.RdfFormat.N_TRIPLES))
    graph = ShapesGraph(quads, "the report of pySHACL")
    results = []
    for node in graph.subjects(RDF_TYPE, ox.NamedNode(SH + "ValidationResult")):

        def one(name: str, node: Any = node) -> Any:
            """Return the only value of a property of the result."""
            return next(iter(graph.objects(node, SH + name)), None)

        path = one("resultPath")
        results.append(
            Result(
                one("focusNode"),
                None if path is None else read_path(graph, path, path),
                one("value"),
                one("sourceShape"),
                one("sourceConstraintComponent").value,
                one("resultSeverity").value,
                tuple(
                    message
                    for message in graph.objects(node, SH + "resultMessage")
                    if isinstance(message, ox.Literal)
                ),
                one("sourceConstraint"),
            )
        )
    return Report(tuple(sorted(results, key=str)), {})


__all__ = ["pyshacl_report"]
