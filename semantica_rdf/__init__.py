"""
semantica_rdf: the system of record for knowledge that changes.

Every fact says when it was true, when we knew it, who said so and why we believe it.
"""

from semantica_rdf.errors import SemanticaError
from semantica_rdf.knowledge_base import KnowledgeBase
from semantica_rdf.model.draft import Draft
from semantica_rdf.model.terms import Iri, Literal, iri, literal

__version__ = "0.1.0"

__all__ = [
    "Draft",
    "Iri",
    "KnowledgeBase",
    "Literal",
    "SemanticaError",
    "__version__",
    "iri",
    "literal",
]
