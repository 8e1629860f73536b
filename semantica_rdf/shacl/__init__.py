"""
SHACL: shapes compiled to checks over terms as they came, and the reports these make.

    quads → compile_shapes → Shapes → validate(DataGraph) → Report

`compile_shapes` takes all of SHACL Core and `sh:sparql` with `sh:select`; anything else is refused
by name. Nothing here reads a file or opens a connection.
"""

from semantica_rdf.shacl.compiler import compile_shapes
from semantica_rdf.shacl.data_graph import DataGraph, MemoryGraph
from semantica_rdf.shacl.description import Described, DescriptionPlan
from semantica_rdf.shacl.paths import Path, path_text
from semantica_rdf.shacl.report import Report, Result
from semantica_rdf.shacl.shape import Shape
from semantica_rdf.shacl.shapes import Shapes
from semantica_rdf.shacl.targets import Target

__all__ = [
    "DataGraph",
    "Described",
    "DescriptionPlan",
    "MemoryGraph",
    "Path",
    "Report",
    "Result",
    "Shape",
    "Shapes",
    "Target",
    "compile_shapes",
    "path_text",
]
