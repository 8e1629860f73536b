"""
A query as a tree of values: what the rewriter must know, each part with its place in the text.

Groups, triple patterns, paths, clauses and projections are read; expressions are not, but for the
groups of EXISTS in them and the variables they name. `start` and `end` are offsets in the text, so
that a rewritten query keeps everything else to the letter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

RESERVED = "srdf__"
"""Variables that begin with this are the rewriter's own; a user's text may not use them."""


class Term(NamedTuple):
    """A term of a pattern as it was written; a blank node is a minted variable."""

    kind: Literal["variable", "minted", "iri", "literal"]
    text: str

    @property
    def is_variable(self) -> bool:
        """Whether a pattern binds it."""
        return self.kind in {"variable", "minted"}

    @property
    def name(self) -> str:
        """The variable's name, without `?`."""
        return self.text[1:]


@dataclass(frozen=True, slots=True)
class Link:
    """A predicate, an IRI or a variable."""

    term: Term


@dataclass(frozen=True, slots=True)
class Inverse:
    """A path walked backwards."""

    path: Path


@dataclass(frozen=True, slots=True)
class Sequence:
    """Paths one after the other."""

    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Alternative:
    """Paths of which one is walked."""

    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Negated:
    """Any predicate but these: forwards, and backwards when `backward` names any."""

    forward: tuple[Term, ...]
    backward: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Closure:
    """A path walked `?`, `*` or `+` times."""

    path: Path
    mark: str


Path: TypeAlias = Link | Inverse | Sequence | Alternative | Negated | Closure


class Pattern(NamedTuple):
    """One triple pattern, its predicate a path."""

    subject: Term
    path: Path
    object: Term


@dataclass(frozen=True, slots=True)
class Exists:
    """`EXISTS { … }` or `NOT EXISTS { … }` in an expression."""

    start: int
    end: int
    group: Group


@dataclass(frozen=True, slots=True)
class Expression:
    """
    An expression: the groups of its EXISTS, and the variables it names outside them.

    `aggregates` tells of COUNT and its kind, `counts_distinct_rows` of `COUNT(DISTINCT *)`.
    """

    start: int
    end: int
    exists: tuple[Exists, ...]
    variables: frozenset[str]
    aggregates: bool
    counts_distinct_rows: bool


@dataclass(frozen=True, slots=True)
class Triples:
    """Triple patterns that stand together, their last `.` included."""

    start: int
    end: int
    patterns: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Optional:
    """`OPTIONAL { … }`."""

    start: int
    end: int
    group: Group


@dataclass(frozen=True, slots=True)
class Minus:
    """`MINUS { … }`."""

    start: int
    end: int
    group: Group


@dataclass(frozen=True, slots=True)
class Union:
    """Groups joined by UNION; a group that stands by itself is a union of one."""

    start: int
    end: int
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class InGraph:
    """`GRAPH <g> { … }`."""

    start: int
    end: int
    name: Term
    group: Group


@dataclass(frozen=True, slots=True)
class Filter:
    """`FILTER …`."""

    start: int
    end: int
    expression: Expression


@dataclass(frozen=True, slots=True)
class Bind:
    """`BIND(… AS ?v)`."""

    start: int
    end: int
    expression: Expression
    variable: str


@dataclass(frozen=True, slots=True)
class Values:
    """`VALUES ?v { … }`."""

    start: int
    end: int
    variables: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """`{ … }`; a sub-SELECT is the only part of its group."""

    start: int
    end: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Projection:
    """
    What SELECT names: `star`, or names with the expressions some of them stand for.

    `start` and `end` are those of the star where there is one.
    """

    start: int
    end: int
    star: bool
    names: tuple[str, ...]
    expressions: tuple[Expression, ...]


class DatasetClause(NamedTuple):
    """`FROM <g>` or `FROM NAMED <g>`."""

    start: int
    end: int
    named: bool
    name: Term


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """
    A query or a sub-SELECT.

    `head_end` is where its head ends and the dataset clauses or the group begin. `template` is the
    span of a CONSTRUCT template, None in the short form, whose one block is the group's.
    `grouped` is whether there is a GROUP BY, `modified` whether anything follows the group but a
    VALUES clause.
    """

    start: int
    end: int
    form: Literal["SELECT", "ASK", "CONSTRUCT", "DESCRIBE"]
    head_end: int
    projection: Projection | None = None
    described: tuple[Term, ...] = ()
    template: tuple[int, int] | None = None
    dataset: tuple[DatasetClause, ...] = ()
    group: Group | None = None
    modifiers: tuple[Expression, ...] = ()
    group_names: tuple[str, ...] = ()
    grouped: bool = False
    modified: bool = False
    values: Values | None = None


Part: TypeAlias = Triples | Optional | Minus | Union | InGraph | Filter | Bind | Values | Query


__all__ = [
    "RESERVED",
    "Alternative",
    "Bind",
    "Closure",
    "DatasetClause",
    "Exists",
    "Expression",
    "Filter",
    "Group",
    "InGraph",
    "Inverse",
    "Link",
    "Minus",
    "Negated",
    "Optional",
    "Part",
    "Path",
    "Pattern",
    "Projection",
    "Query",
    "Sequence",
    "Term",
    "Triples",
    "Union",
    "Values",
]
