"""
What became of a loaded document: counts, rejections with their lines, warnings.

Every thing read stands in exactly one count: `read == stored + already_there + joined +
duplicates + len(rejected) + skipped versions`, where `joined` counts the lines merged into the
window of another line, and `skipped` names what an export of ours holds and is not taken. Labels
of minted names are counted beside, in `labels`. Of a snapshot also stands there what became of the
statements its source had on record: `unchanged`, `closed` (retracted), `withdrawn`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from semantica_rdf.errors import CallerError


class Rejection(tuple[int, str]):  # noqa: SLOT001  # a tuple can have no slots of its own
    """
    One refused thing: unpacks as `(line, reason)`, and knows the stable `code`.

    `line` counts from 1. It is the line of a table, of JSON Lines, N-Triples and N-Quads, the row
    of a frame; for other RDF it is the position of the statement in the document.
    """

    code: str

    def __new__(cls, line: int, reason: str, code: str = "invalid") -> Self:
        """Make the pair, and keep the code beside it."""
        made = super().__new__(cls, (line, reason))
        made.code = code
        return made

    @classmethod
    def of(cls, line: int, error: CallerError) -> Rejection:
        """Return the rejection an error stands for."""
        return cls(line, str(error), error.code)

    @property
    def line(self) -> int:
        """The line, or the position of the statement, from 1."""
        return self[0]

    @property
    def reason(self) -> str:
        """What is wrong, and what to do."""
        return self[1]

    def __repr__(self) -> str:
        return f"Rejection(line={self.line}, reason={self.reason!r}, code={self.code!r})"

    def __getnewargs__(self) -> tuple[int, str, str]:
        return self.line, self.reason, self.code


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadReport:
    """
    The outcome of one load.

    `read` counts statements of RDF, rows of a table. `receipts` holds one receipt per transaction,
    none for a dry run. `prefixes` are those the document declares. `snapshot` is the date of a
    snapshot in UTC, empty for other loads; `unchanged`, `closed`, `withdrawn` then count statements
    that the source had on record.
    """

    document: str = ""
    read: int = 0
    joined: int = 0
    duplicates: int = 0
    stored: int = 0
    labels: int = 0
    already_there: int = 0
    rejected: tuple[Rejection, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    prefixes: Mapping[str, str] = field(default_factory=dict)
    receipts: tuple[Any, ...] = ()
    dry_run: bool = False
    snapshot: str = ""
    unchanged: int = 0
    closed: int = 0
    withdrawn: int = 0

    @property
    def receipt(self) -> Any:
        """The receipt of the last transaction, None when none was recorded."""
        return self.receipts[-1] if self.receipts else None

    @property
    def ok(self) -> bool:
        """False when something was read and every bit of it was rejected."""
        return not self.rejected or len(self.rejected) < self.read

    @property
    def rejected_by_code(self) -> dict[str, int]:
        """How many were rejected, by code."""
        return dict(sorted(Counter(rejection.code for rejection in self.rejected).items()))

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values, ready for JSON; receipts as their sentences."""
        return {
            "document": self.document,
            "dry_run": self.dry_run,
            "read": self.read,
            "joined": self.joined,
            "duplicates": self.duplicates,
            "stored": self.stored,
            "labels": self.labels,
            "already_there": self.already_there,
            "rejected": [
                {"line": item.line, "reason": item.reason, "code": item.code}
                for item in self.rejected
            ],
            "skipped": dict(self.skipped),
            "warnings": list(self.warnings),
            "prefixes": dict(self.prefixes),
            "receipts": [str(receipt) for receipt in self.receipts],
            "snapshot": self.snapshot,
            "unchanged": self.unchanged,
            "closed": self.closed,
            "withdrawn": self.withdrawn,
        }

    def __str__(self) -> str:
        parts = [f"stored {self.stored:,}"]
        parts += [
            f"{name} {count:,}"
            for name, count in (
                ("labels", self.labels),
                ("already there", self.already_there),
                ("joined", self.joined),
                ("duplicates", self.duplicates),
            )
            if count
        ]
        parts += [f"skipped {count:,} {name}" for name, count in self.skipped.items()]
        if self.rejected:
            codes = ", ".join(f"{code} {count:,}" for code, count in self.rejected_by_code.items())
            parts.append(f"rejected {len(self.rejected):,} ({codes})")
        if self.snapshot:
            parts.append(f"closed {self.closed:,}, unchanged {self.unchanged:,}")
            parts += [f"withdrawn {self.withdrawn:,}"] if self.withdrawn else []
        would = "dry run, nothing recorded: " if self.dry_run else ""
        name = f"{self.document}: " if self.document else ""
        return f"{name}{would}read {self.read:,}: {', '.join(parts)}"


@dataclass(slots=True)
class Tally:
    """The counts of a load while it runs; readers and the loader add to it."""

    document: str = ""
    read: int = 0
    joined: int = 0
    duplicates: int = 0
    stored: int = 0
    labels: int = 0
    already_there: int = 0
    rejected: list[Rejection] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    warnings: list[str] = field(default_factory=list)
    prefixes: dict[str, str] = field(default_factory=dict)
    receipts: list[Any] = field(default_factory=list)
    snapshot: str = ""
    unchanged: int = 0
    closed: int = 0
    withdrawn: int = 0

    def forget_repeated(self, stored: int = 0, labels: int = 0) -> None:
        """Count nothing since `stored` and `labels` as recorded: the reference was there before."""
        self.skipped["of a repeated reference"] += self.stored - stored
        self.stored, self.labels = stored, labels
        self.closed = self.withdrawn = 0
        self.warnings.append("this reference was recorded before; nothing was recorded now")

    def admit(self, *, label: bool, already_there: bool) -> None:
        """Count a claim the ledger took; labels of minted names are counted beside."""
        if label:
            self.labels += not already_there
        elif already_there:
            self.already_there += 1
        else:
            self.stored += 1

    def reject(self, lines: tuple[int, ...], error: CallerError) -> None:
        """Count one rejection for each line that made the refused thing."""
        self.rejected.extend(Rejection.of(line, error) for line in lines)

    def report(self, *, dry_run: bool) -> LoadReport:
        """Return the finished report, rejections in line order."""
        return LoadReport(
            document=self.document,
            read=self.read,
            joined=self.joined,
            duplicates=self.duplicates,
            stored=self.stored,
            labels=self.labels,
            already_there=self.already_there,
            rejected=tuple(sorted(self.rejected)),
            skipped=dict(sorted(self.skipped.items())),
            warnings=tuple(self.warnings),
            prefixes=dict(self.prefixes),
            receipts=tuple(self.receipts),
            dry_run=dry_run,
            snapshot=self.snapshot,
            unchanged=self.unchanged,
            closed=self.closed,
            withdrawn=self.withdrawn,
        )


__all__ = ["LoadReport", "Rejection", "Tally"]
