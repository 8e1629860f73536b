"""The options several commands share, each declared once."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


class DateEndChoice(StrEnum):
    """What a date as an end means."""

    exclusive = "exclusive"
    inclusive = "inclusive"


class FormatChoice(StrEnum):
    """How a reading command answers."""

    table = "table"
    json = "json"
    csv = "csv"


class Dataset(StrEnum):
    """What is read: what holds at a coordinate, or the record itself."""

    view = "view"
    record = "record"


class BlankNodesChoice(StrEnum):
    """Whether blank nodes of loaded documents are shown as IRIs or as blank nodes."""

    skolem = "skolem"
    restore = "restore"


class StrategyChoice(StrEnum):
    """The ways a query is answered; all give the same answer."""

    present = "present"
    rewrite = "rewrite"
    materialise = "materialise"


Kb = Annotated[
    str | None,
    typer.Option("--kb", metavar="PATH", help="The knowledge base; else $SEMANTICA_KB, else ./kb."),
]
Json = Annotated[bool, typer.Option("--json", metavar="", help="Answer and errors as JSON.")]
Format = Annotated[
    FormatChoice | None,
    typer.Option("--format", help="Answer as a table, JSON or CSV; --json is short for json."),
]
Wait = Annotated[
    float,
    typer.Option("--wait", metavar="S", min=0.0, help="Wait up to S seconds for a locked base."),
]

ValidAt = Annotated[
    str | None,
    typer.Option("--valid-at", metavar="TIME", help="When it held; default now."),
]
ValidAtOnly = Annotated[
    str | None,
    typer.Option("--valid-at", metavar="TIME", help="Only what holds then; default all."),
]
KnownAt = Annotated[
    str | None,
    typer.Option(
        "--known-at",
        metavar="TIME",
        help="As known when; default now. A transaction's id such as 3-0: as known after it.",
    ),
]
Namespace = Annotated[
    str | None, typer.Option("--namespace", metavar="NAME", help="Another namespace than default.")
]
NamespaceOnly = Annotated[
    str | None, typer.Option("--namespace", metavar="NAME", help="Only this one; default all.")
]

Agent = Annotated[
    str | None,
    typer.Option("--agent", metavar="IRI", help="Who writes; else $SEMANTICA_AGENT."),
]
Reason = Annotated[str | None, typer.Option("--reason", metavar="TEXT", help="Why, in words.")]
Source = Annotated[str | None, typer.Option("--source", metavar="IRI", help="Who says so.")]
Prefix = Annotated[
    list[str] | None,
    typer.Option(
        "--prefix", metavar="NAME=IRI", help="Declare a prefix, kept with the base. Repeatable."
    ),
]
Graph = Annotated[str | None, typer.Option("--graph", metavar="IRI", help="The graph it is in.")]
ValidFrom = Annotated[
    str | None, typer.Option("--valid-from", metavar="TIME", help="First instant it holds.")
]
ValidUntil = Annotated[
    str | None,
    typer.Option("--valid-until", metavar="TIME", help="First instant it no longer holds."),
]
ValidDuring = Annotated[
    str | None,
    typer.Option("--valid-during", metavar="PERIOD", help="A year, month or day it holds in."),
]
DateEnd = Annotated[
    DateEndChoice,
    typer.Option("--date-end", help="Whether a date as --valid-until belongs to the window."),
]
SupportId = Annotated[
    str | None,
    typer.Option("--support-id", metavar="ID", help="The claim's id in its source."),
]
Confidence = Annotated[
    str | None, typer.Option("--confidence", metavar="N", help="From 0 to 1, a decimal.")
]
BlankNodes = Annotated[
    BlankNodesChoice,
    typer.Option("--blank-nodes", help="Blank nodes of loaded documents as IRIs, or restored."),
]
Target = Annotated[
    list[str],
    typer.Argument(
        metavar="TARGET",
        help="An id or the beginning of one, a support id, or SUBJECT PREDICATE OBJECT [GRAPH].",
    ),
]
