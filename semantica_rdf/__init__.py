"""
semantica_rdf: the system of record for knowledge that changes.

Every fact says when it was true, when we knew it, who said so and why we believe it.
`KnowledgeBase` is imported when it is first asked for, so that a command line starts quickly.
"""

from typing import TYPE_CHECKING, Any

from semantica_rdf.errors import SemanticaError
from semantica_rdf.model.draft import Draft
from semantica_rdf.model.terms import Iri, Literal, iri, literal

if TYPE_CHECKING:
    from semantica_rdf.knowledge_base import KnowledgeBase

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


def __getattr__(name: str) -> Any:
    if name == "KnowledgeBase":
        from semantica_rdf.knowledge_base import KnowledgeBase

        globals()[name] = KnowledgeBase
        return KnowledgeBase
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return sorted(__all__)
