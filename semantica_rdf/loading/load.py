"""
Loading a document: read, admit claim by claim in transactions, count.

One document is one transaction unless `chunk` says how many statements make one; whatever raises
leaves nothing of the transaction it stands in. A claim the ledger refuses is a rejection with its
line, and the rest goes on. A dry run admits everything and discards it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Protocol

from semantica_rdf.errors import CallerError, ValidationError
from semantica_rdf.loading import frames, graphs, tabular
from semantica_rdf.loading.claims import Claim
from semantica_rdf.loading.documents import DEFAULT_MAX_BYTES, Document, opened
from semantica_rdf.loading.exported import MARK
from semantica_rdf.loading.formats import (
    TABULAR,
    Format,
    Statements,
    format_named,
    is_blank,
)
from semantica_rdf.loading.graphs import Context
from semantica_rdf.loading.lines import LinesOf, lines_named
from semantica_rdf.loading.mapping import Mapping, read_mapping
from semantica_rdf.loading.own_tables import own_csv, own_table, own_table_claims
from semantica_rdf.loading.report import LoadReport, Tally
from semantica_rdf.loading.rows import rows_of
from semantica_rdf.loading.spellings import noticed
from semantica_rdf.model.draft import Admission, Draft

_PROGRESS_STEP = 1000


class Admitting(Protocol):
    """What the loader needs of an open transaction."""

    def admit(self, draft: Draft) -> Admission:
        """Take one draft, or raise a `CallerError` and change nothing."""
        ...

    def check(self) -> object:
        """Hold what was admitted against the namespace's shapes; raise `ShapeViolation`."""
        ...

    def discard(self) -> None:
        """Let the block end without recording anything."""
        ...

    @property
    def receipt(self) -> Any:
        """What was recorded, once the block has ended."""
        ...


OpenTransaction = Callable[[int], AbstractContextManager[Admitting]]
"""Opens the transaction of the n-th chunk, counted from 1."""
Progress = Callable[[int, int | None], None]
"""Told how many claims are done, and of how many where that is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadOptions:
    """
    How to load.

    `source` and `graph` stand where the document names none, `valid_from` and `valid_until` where
    a claim has no bound of its own. `chunk` is the number of statements per transaction, None for
    one transaction. `namespace` and `default_source` only name blank nodes. `max_closed` is for
    snapshots: the largest share of the source's current statements that may end.
    """

    source: str | None = None
    default_source: str | None = None
    namespace: str = "default"
    graph: Any = None
    valid_from: Any = None
    valid_until: Any = None
    mapping: Any = None
    format: str | None = None
    chunk: int | None = None
    dry_run: bool = False
    progress: Progress | None = None
    max_bytes: int = DEFAULT_MAX_BYTES
    max_closed: float | None = None


def load(document: Any, open_transaction: OpenTransaction, options: LoadOptions) -> LoadReport:
    """
    Load a path, an open file, bytes, an rdflib Graph or Dataset, a pandas or Arrow table.

    Raises `NotFound`, `UnknownFilter` (the mapping), `ValidationError`: `unknown_format`,
    `mapping_required`, `bad_mapping`, `syntax_error`, `bad_encoding`, `bad_archive`, `nothing_read`,
    `too_large`, `too_deep`, `remote_context`, `doctype_refused`, `parser_limit`,
    `unsupported_term`, `blank_nodes_too_entangled`, `bad_chunk`.
    """
    if options.chunk is not None and (type(options.chunk) is not int or options.chunk < 1):
        raise ValidationError("chunk must be a whole number above 0", code="bad_chunk")
    tally = Tally()
    with reading(document, options, tally) as claims:
        _Loading(open_transaction, options, tally).run(claims)
    return tally.report(dry_run=options.dry_run)


@contextmanager
def reading(document: Any, options: LoadOptions, tally: Tally) -> Iterator[Iterator[Claim]]:
    """
    Give the claims of a document while it is open; what is read is counted in the tally.

    Raises as `load`, some of it only once the claims are read.
    """
    context = Context(options.namespace, str(options.source or options.default_source or ""))
    if graphs.is_rdflib(document):
        quads = graphs.rdflib_quads(document, tally)
        yield noticed(graphs.claims_of(quads, context, tally, own=True), tally)
    elif frames.is_frame(document):
        yield noticed(_frame_claims(document, options, tally), tally)
    else:
        with opened(document, max_bytes=options.max_bytes) as content:
            tally.document = content.name
            yield noticed(_content_claims(content, options, context, tally), tally)


def _frame_claims(frame: Any, options: LoadOptions, tally: Tally) -> Iterator[Claim]:
    if options.format is not None:
        raise ValidationError(
            f"format={options.format!r} for a frame, which has none", code="unknown_format"
        )
    if options.mapping is not None:
        mapping = read_mapping(options.mapping)
        return tabular.claims_of_rows(frames.frame_rows(frame, mapping), mapping, tally)
    table = own_table(frames.column_names(frame))
    if table is None:
        raise _mapping_missing("a frame")
    rows = frames.frame_rows(frame, table.mapping, table.columns)
    return own_table_claims(rows, table, tally)


def _content_claims(
    content: Document, options: LoadOptions, context: Context, tally: Tally
) -> Iterator[Claim]:
    mapping = None if options.mapping is None else read_mapping(options.mapping)
    format_ = _format(content, mapping, options.format)
    if is_blank(content, format_):
        return iter(())
    if mapping is not None:
        return _not_nothing(tabular.claims_of(content, mapping, tally), tally)
    if format_ not in TABULAR:
        return _not_nothing(_rdf_claims(content, format_, context, tally), tally)
    table = own_csv(content) if format_ == "csv" else None
    if table is None:
        raise _mapping_missing(format_)
    return own_table_claims(rows_of(content, table.mapping), table, tally)


def _format(content: Document, mapping: Mapping | None, name: str | None) -> Format:
    if mapping is not None:
        if name is not None and format_named(name) != mapping.format.kind:
            raise ValidationError(
                f"format={name!r}, and the mapping is for {mapping.format.kind}",
                code="bad_mapping",
            )
        return mapping.format.kind
    return format_named(content.suffix if name is None else name)


def _mapping_missing(what: str) -> ValidationError:
    return ValidationError(
        f"{what} is read through a mapping",
        code="mapping_required",
        hint="give mapping= a TOML file that says which column is what; infer_mapping drafts one",
    )


def _rdf_claims(
    content: Document, format_: Format, context: Context, tally: Tally
) -> Iterator[Claim]:
    own = content.data.find(MARK) >= 0
    statements = Statements(content, format_, base=context.source or None)
    tally.warnings.extend(statements.warnings)
    yield from graphs.claims_of(statements.placed(), context, tally, own=own)
    tally.prefixes.update(statements.prefixes)


def _not_nothing(claims: Iterator[Claim], tally: Tally) -> Iterator[Claim]:
    """
    Refuse a document that is not empty and says nothing: its content would be lost unseen.

    A snapshot of which nothing was lost may say that nothing is left; its share of ends guards it.
    """
    yield from claims
    if tally.read == 0 and not tally.skipped and (tally.warnings or not tally.snapshot):
        raise ValidationError(
            f"{tally.document or 'the document'} is not empty, and holds no statement",
            code="nothing_read",
            hint="; ".join(tally.warnings[:3]) or "check its format and its mapping",
        )


class _Loading:
    """One run of claims through transactions."""

    def __init__(
        self, open_transaction: OpenTransaction, options: LoadOptions, tally: Tally
    ) -> None:
        self._open = open_transaction
        self._options = options
        self._tally = tally
        self._done = 0

    def run(self, claims: Iterator[Claim]) -> None:
        """Admit every claim; no transaction is opened when there is none."""
        size = None if self._options.dry_run else self._options.chunk
        for part, first in enumerate(claims, 1):
            whole = chain((first,), claims)
            self._transaction(part, whole if size is None else islice(whole, size))
        self._tell()

    def _transaction(self, part: int, claims: Iterator[Claim]) -> None:
        tally = self._tally
        stored, labels = tally.stored, tally.labels
        lines_of: LinesOf = {}
        tabular = self._options.mapping is not None
        with lines_named(lines_of, tabular=tabular), self._open(part) as transaction:
            for claim in claims:
                self._admit(transaction, claim, lines_of)
                self._done += 1
                if self._done % _PROGRESS_STEP == 0:
                    self._tell()
            if self._options.dry_run:
                transaction.check()
                transaction.discard()
        if self._options.dry_run or (tally.stored, tally.labels) == (stored, labels):
            return
        receipt = transaction.receipt
        tally.receipts.append(receipt)
        if getattr(receipt, "repeated", False):
            tally.forget_repeated(stored, labels)

    def _admit(self, transaction: Admitting, claim: Claim, lines_of: LinesOf) -> None:
        tally = self._tally
        try:
            admission = transaction.admit(self._completed(claim))
        except CallerError as error:
            if not claim.label:
                tally.joined -= len(claim.lines) - 1
                tally.reject(claim.lines, error)
            return
        lines_of[admission.id] = claim.lines
        tally.admit(label=claim.label, already_there=admission.already_there)

    def _completed(self, claim: Claim) -> Draft:
        """Return the draft with the defaults of the load where it says nothing."""
        draft, options = claim.draft, self._options
        if draft.source is None and options.source is not None:
            draft = draft._replace(source=options.source)
        if draft.graph is None and options.graph is not None:
            draft = draft._replace(graph=options.graph)
        if (
            not claim.label
            and (options.valid_from is not None or options.valid_until is not None)
            and draft.valid_from is None
            and draft.valid_until is None
            and draft.valid_during is None
        ):
            bounds = {"valid_from": options.valid_from, "valid_until": options.valid_until}
            draft = draft._replace(**bounds, zone=None)
        return draft

    def _tell(self) -> None:
        if self._options.progress is not None:
            self._options.progress(self._done, None)


__all__ = [
    "Admitting",
    "LoadOptions",
    "OpenTransaction",
    "Progress",
    "load",
    "reading",
]
