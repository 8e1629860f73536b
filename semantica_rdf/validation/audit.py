"""
The audit: everything believed at a coordinate, held against shapes.

Our own compiler judges; shapes it does not know go to pySHACL, and the report says so. All user
graphs are taken together, terms as their source spelled them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import IO, Any

import pyoxigraph as ox

from semantica_rdf.errors import ValidationError
from semantica_rdf.export.write import export_quads
from semantica_rdf.ledger.domain_shapes import compiled
from semantica_rdf.model.vocab import BUILT_IN_PREFIXES
from semantica_rdf.shacl import MemoryGraph, Report, Result, Shapes
from semantica_rdf.shacl.names import SH
from semantica_rdf.view.coordinate import Coordinate

OUR_ENGINE = "semantica_rdf"


@dataclass(frozen=True, slots=True)
class ValidationReport:
    """
    What shapes say of a coordinate.

    `conforms` is false as soon as there is a result of any severity. `focus_counts` gives each
    shape with a target the number of focus nodes it met; `unmet` names those that met none, which
    have said nothing. `engine` is `semantica_rdf` or `pyshacl`.
    """

    coordinate: Coordinate
    report: Report
    engine: str = OUR_ENGINE

    def __bool__(self) -> bool:
        return self.conforms

    @property
    def conforms(self) -> bool:
        """Whether nothing was found."""
        return self.report.conforms

    @property
    def results(self) -> tuple[Result, ...]:
        """What was found."""
        return self.report.results

    @property
    def focus_counts(self) -> dict[str, int]:
        """How many focus nodes each shape met, by the shape's node in N-Triples."""
        return {str(node): count for node, count in self.report.focus_counts.items()}

    @property
    def unmet(self) -> tuple[str, ...]:
        """The shapes that met no focus node."""
        return tuple(str(node) for node in self.report.unmet)

    def serialize(
        self, target: str | PathLike[str] | IO[bytes] | None = None, *, format: str = "turtle"
    ) -> bytes | None:
        """Write the W3C validation report as RDF; without a target its bytes are returned."""
        prefixes = {"sh": SH, **BUILT_IN_PREFIXES}
        return export_quads(self.report.to_quads(), target, format=format, prefixes=prefixes)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values, ready for JSON; terms in N-Triples."""
        return {
            "coordinate": self.coordinate.to_dict(),
            "conforms": self.conforms,
            "engine": self.engine,
            "focus_counts": self.focus_counts,
            "unmet": list(self.unmet),
            "results": [result_dict(result) for result in self.results],
        }

    def __str__(self) -> str:
        met = sum(self.report.focus_counts.values())
        head = "conforms" if self.conforms else f"does not conform: {len(self.results):,} results"
        lines = [f"{head}; {met:,} focus nodes, {self.coordinate.text}"]
        lines += [f"no focus node for {shape}" for shape in self.unmet]
        return "\n".join(lines + [f"  {result}" for result in self.results])


def result_dict(result: Result) -> dict[str, Any]:
    """Return a result as plain values, terms and paths in N-Triples and SPARQL's words."""
    from semantica_rdf.shacl import path_text

    return {
        "focus": str(result.focus),
        "path": None if result.path is None else path_text(result.path),
        "value": None if result.value is None else str(result.value),
        "shape": str(result.source_shape),
        "component": result.component.removeprefix(SH),
        "severity": result.severity.removeprefix(SH),
        "messages": list(result.messages),
    }


def audited(
    quads: Callable[[], Iterable[ox.Quad]],
    coordinate: Coordinate,
    shapes: Sequence[Shapes],
    texts: Sequence[tuple[str, str]],
) -> ValidationReport:
    """
    Return what shapes say of the quads that hold at a coordinate.

    `shapes` are compiled, `texts` pairs of a Turtle text and its name. Raises `ValidationError`:
    `no_shapes_given`, `shapes_without_target`, `bad_shape`, `syntax_error`.
    """
    ready, engine = list(shapes), OUR_ENGINE
    for text, name in texts:
        try:
            ready.append(compiled(text, name))
        except ValidationError as error:
            if error.code != "unsupported_shape":
                raise
            engine = "pyshacl"
    if not ready and not texts:
        raise ValidationError(
            "there are no shapes to validate by",
            code="no_shapes_given",
            hint="give shapes=, or add some with kb.shapes.add",
        )
    held = list(quads())
    data = MemoryGraph(held)
    if engine == "pyshacl":
        from semantica_rdf.validation.reference import pyshacl_report

        found = [pyshacl_report(held, text) for text, _ in texts]
        found += [each.validate(data) for each in shapes]
    else:
        found = [each.validate(data) for each in ready]
    return ValidationReport(coordinate, _together(found), engine)


def _together(reports: Sequence[Report]) -> Report:
    counts: dict[Any, int] = {}
    for report in reports:
        for node, count in report.focus_counts.items():
            counts[node] = counts.get(node, 0) + count
    return Report(tuple(result for report in reports for result in report.results), counts)


__all__ = ["OUR_ENGINE", "ValidationReport", "audited", "result_dict"]
