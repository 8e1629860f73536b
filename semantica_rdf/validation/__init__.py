"""
A user's own shapes: adding them to a base, and auditing a coordinate by them.
"""

from semantica_rdf.validation.audit import ValidationReport, audited
from semantica_rdf.validation.register import ShapesRegister
from semantica_rdf.validation.shapes_document import shapes_text

__all__ = ["ShapesRegister", "ValidationReport", "audited", "shapes_text"]
