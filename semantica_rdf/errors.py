"""
The one tree of errors. Every error has a stable `code`, says what and where, and hints what to do.

    SemanticaError
    ├── CallerError                     the request was wrong; nothing changed
    │   ├── ValidationError             a value is not acceptable
    │   │   ├── TemporalValidationError     a time or a window
    │   │   └── ShapeViolation              a claim breaks a constraint (.report)
    │   ├── ReservedTerm                a word of the record itself used as a user's predicate
    │   ├── UnknownPrefix               a name whose prefix nobody declared
    │   ├── UnknownFilter               a key outside a closed set
    │   ├── AmbiguousTerm               a plain string where an IRI may have been meant
    │   ├── AmbiguousTarget             several statements where one is meant
    │   ├── NothingToRetract            the window already ends by then
    │   ├── NotFound                    no such statement, base, file or transaction
    │   └── QueryError                  a query cannot be answered
    │       ├── QuerySyntaxError            not SPARQL (.line, .column)
    │       └── QueryRefused                SPARQL that is not allowed here
    ├── ProcessingError                 the world got in the way
    │   └── StoreLocked                     another open holds the base
    └── IntegrityError                  what is on disk is not what was written
        ├── JournalBroken                   the chain does not verify (.at)
        ├── CorruptStore                    the store does not open
        └── NewerFormat                     written by a newer version

Exit codes of the command line derive from the tree (`exit_code`).
"""

from __future__ import annotations

from typing import Any


class SemanticaError(Exception):
    """
    Base of every error this package raises.

    `code` is stable and machine-readable, `hint` says what to do, `exit_code` is the command
    line's. The message says what and where.
    """

    default_code = "error"
    exit_code = 6

    def __init__(self, message: str, *, code: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.default_code
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (type(self), self.message, self.code, self.hint, self.__dict__.copy()))


def _restored(
    kind: type[SemanticaError],
    message: str,
    code: str,
    hint: str | None,
    attributes: dict[str, Any],
) -> SemanticaError:
    error = kind.__new__(kind)
    Exception.__init__(error, message)
    error.message, error.code, error.hint = message, code, hint
    error.__dict__.update(attributes)
    return error


class CallerError(SemanticaError):
    """The request was wrong; nothing changed."""

    default_code = "refused"
    exit_code = 3


class ValidationError(CallerError):
    """A value is not acceptable where it stands."""

    default_code = "invalid"


class TemporalValidationError(ValidationError):
    """A time or a window is not acceptable: unparsable, naive, out of range, empty or inverted."""

    default_code = "bad_time"


class ShapeViolation(ValidationError):
    """
    What would be written breaks a shape.

    `report` is the `semantica_rdf.shacl.Report` of everything found; `findings` are the violations
    of a user's shapes, each with the valid windows it stands in and the statements it is about;
    `lines` gives for each of them the places, from 1, in the document that was loaded, and
    `counted` what they count: `line` of a table, `statement` of RDF.
    """

    default_code = "shape_violation"

    def __init__(
        self,
        message: str,
        *,
        report: Any,
        findings: tuple[Any, ...] = (),
        code: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message, code=code, hint=hint)
        self.report = report
        self.findings = findings
        self.lines: tuple[tuple[int, ...], ...] = ()
        self.counted = "line"


class ReservedTerm(CallerError):
    """A word of the record itself was used as a user's predicate."""

    default_code = "reserved_term"


class UnknownPrefix(CallerError):
    """A prefixed name uses a prefix that nobody declared, or a string is no IRI."""

    default_code = "unknown_prefix"


class UnknownFilter(CallerError):
    """A key is not one of the closed set this call takes."""

    default_code = "unknown_filter"


class AmbiguousTerm(CallerError):
    """A plain string as object that would be an IRI as subject."""

    default_code = "ambiguous_term"


class AmbiguousTarget(CallerError):
    """A target matches several statements where one is meant."""

    default_code = "ambiguous_target"


class NothingToRetract(CallerError):
    """The window already ends by the given date, so a retraction would change nothing."""

    default_code = "nothing_to_retract"


class NotFound(CallerError):
    """No such statement, transaction, base or file."""

    default_code = "not_found"
    exit_code = 4


class QueryError(CallerError):
    """A query cannot be answered."""

    default_code = "query_error"


class QuerySyntaxError(QueryError):
    """The text is not SPARQL; `line` and `column` count from 1 and are 0 when unknown."""

    default_code = "query_syntax"

    def __init__(
        self,
        message: str,
        *,
        line: int = 0,
        column: int = 0,
        code: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message, code=code, hint=hint)
        self.line = line
        self.column = column


class QueryRefused(QueryError):
    """The text is SPARQL, and not allowed here: it would open a connection, write, or run away."""

    default_code = "query_refused"


class ProcessingError(SemanticaError):
    """The world got in the way: disk, lock, time."""

    default_code = "processing"
    exit_code = 6


class StoreLocked(ProcessingError):
    """Another open, here or in another process, holds the base; the message names its holder."""

    default_code = "store_locked"
    exit_code = 75


class IntegrityError(SemanticaError):
    """What is on disk is not what was written."""

    default_code = "integrity"
    exit_code = 6


class JournalBroken(IntegrityError):
    """The journal's chain does not verify; `at` is the first bad sequence number."""

    default_code = "journal_broken"

    def __init__(
        self,
        message: str,
        *,
        at: int = 0,
        code: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message, code=code, hint=hint)
        self.at = at


class CorruptStore(IntegrityError):
    """The store does not open, for another reason than a lock."""

    default_code = "corrupt_store"


class NewerFormat(IntegrityError):
    """The directory was written by a newer version of this package."""

    default_code = "newer_format"


__all__ = [
    "AmbiguousTarget",
    "AmbiguousTerm",
    "CallerError",
    "CorruptStore",
    "IntegrityError",
    "JournalBroken",
    "NewerFormat",
    "NotFound",
    "NothingToRetract",
    "ProcessingError",
    "QueryError",
    "QueryRefused",
    "QuerySyntaxError",
    "ReservedTerm",
    "SemanticaError",
    "ShapeViolation",
    "StoreLocked",
    "TemporalValidationError",
    "UnknownFilter",
    "UnknownPrefix",
    "ValidationError",
]
