"""
The TOML of a drafted mapping: every guess with a comment that says what was seen. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from semantica_rdf.loading.choosing import ENDS, STARTS, Parts, roles_of
from semantica_rdf.loading.columns import Column
from semantica_rdf.loading.names import encoded
from semantica_rdf.loading.rules import Layout
from semantica_rdf.model.terms import shortened

BASE = "https://example.org/"
"""Where the draft mints IRIs until somebody says better."""


def draft_text(
    sample: tuple[Layout, list[Column]], parts: Parts, *, name: str, inclusive: bool = False
) -> str:
    """
    Return the TOML of a mapping for a layout and its columns, its guesses commented.

    `inclusive` says that some windows would be empty unless their last day counts.
    """
    layout, columns = sample
    lines = [
        f"# A draft for {_plain(name) or 'a table'}: read it through, mend what is marked CHECK.",
        "",
        "[format]",
        *_format(layout),
        "",
        *_subject_lines(parts),
        "",
        *_predicate_lines(parts),
        "",
        "[object]",
        *_object_lines(parts.object),
        *_window(parts, inclusive=inclusive),
        *_source_and_graph(parts),
        *_statement(parts),
        *_unused(columns, parts),
    ]
    return "\n".join(lines) + "\n"


def _format(layout: Layout) -> Iterator[str]:
    yield f"kind = {_text(layout.kind)}"
    if layout.kind == "csv" and layout.delimiter != ",":
        yield f"delimiter = {_text(layout.delimiter)}"
    if layout.quoting == "none":
        yield 'quoting = "none"  # quotes do not pair up as CSV has them'
    if not layout.header:
        yield "header = false  # CHECK: the first row looks like data"
    if layout.columns:
        yield f"columns = [{', '.join(_text(name) for name in layout.columns)}]"
    if layout.strip and not isinstance(layout.strip, str):
        listed = ", ".join(f"{_text(name)} = {_text(wrap)}" for name, wrap in layout.strip.items())
        yield f"strip = {{ {listed} }}  # every cell stands between these"
    if layout.null:
        listed = ", ".join(map(_text, layout.null))
        yield f"null = [{listed}]  # CHECK: these count as empty, in every column"
    if layout.encoding != "utf-8":
        yield f"encoding = {_text(layout.encoding)}  # CHECK: it is not UTF-8; this is a guess"


def _subject_lines(parts: Parts) -> Iterator[str]:
    column = parts.subject
    yield "[subject]"
    yield f"column = {_text(column.name)}  # {_seen(column)}"
    yield from _named(column, "id/")


def _predicate_lines(parts: Parts) -> Iterator[str]:
    yield "[predicate]"
    if parts.predicate is not None:
        yield f"column = {_text(parts.predicate.name)}  # {_seen(parts.predicate)}"
        yield from _named(parts.predicate, "vocabulary/")
        return
    yield f"iri = {_text(_property(parts.object))}  # CHECK: no column says the relation"


def _named(column: Column, under: str) -> Iterator[str]:
    if column.kind == "iri":
        yield "absolute = true  # every cell is an IRI"
    else:
        yield f"base = {_text(BASE + under)}  # CHECK: IRIs are minted here, cells become labels"


def _property(column: Column) -> str:
    return f"{BASE}vocabulary/{encoded(column.name) or 'value'}"


def _object_lines(column: Column) -> Iterator[str]:
    yield f"column = {_text(column.name)}  # {_seen(column)}"
    if column.kind == "iri":
        yield "absolute = true  # every cell is an IRI"
    elif column.kind == "text":
        yield f"# Texts. For IRIs instead: base = {_text(BASE + 'id/')}"
    elif column.datatype is not None:
        yield f"datatype = {_text(column.datatype)}"


def _window(parts: Parts, *, inclusive: bool) -> Iterator[str]:
    bounds = [column for column in (parts.start, parts.end) if column is not None]
    if not bounds:
        return
    yield from ("", "[window]")
    if parts.role is not None:
        starts, ends = roles_of(parts.role)
        yield f"role = {_text(parts.role.name)}  # {_seen(parts.role)}"
        yield f"date = {_text(bounds[0].name)}  # {_seen(bounds[0])}"
        yield f"starts = [{', '.join(map(_text, starts))}]"
        yield f"ends = [{', '.join(map(_text, ends))}]"
    else:
        for key, column in (("from", parts.start), ("until", parts.end)):
            if column is not None:
                sure = bool(column.words & (STARTS if key == "from" else ENDS))
                check = "" if sure else "CHECK that it is one; "
                yield f"{key} = {_text(column.name)}  # {check}{_seen(column)}"
    if any(column.kind == "local" for column in bounds):
        yield 'timezone = "UTC"  # CHECK: times name no zone; say whose clock it was'
    if inclusive:
        yield 'date_end = "inclusive"  # some windows end in the period they start in'
    elif parts.end is not None or parts.role is not None:
        yield '# An end is exclusive. Where the last day counts: date_end = "inclusive"'


def _source_and_graph(parts: Parts) -> Iterator[str]:
    for key, column in (("source", parts.source), ("graph", parts.graph)):
        if column is not None:
            yield from ("", f"[{key}]", f"column = {_text(column.name)}  # {_seen(column)}")
            yield from _named(column, f"{key}/")
            if not column.is_full:
                yield "optional = true"


def _statement(parts: Parts) -> Iterator[str]:
    if parts.confidence is None and parts.recorded is None:
        return
    yield from ("", "[statement]")
    for key, column in (
        ("confidence", parts.confidence),
        ("source_recorded_at", parts.recorded),
    ):
        if column is not None:
            yield f"{key} = {_text(column.name)}  # {_seen(column)}"


def _unused(columns: Iterable[Column], parts: Parts) -> Iterator[str]:
    """Say what else there is: one mapping makes one statement of a row."""
    used = {column.name for column in parts if column is not None}
    others = [column for column in columns if column.name not in used]
    if not others:
        return
    yield from (
        "",
        "# Not taken. One mapping makes one statement of each row; load the table again",
    )
    yield "# with another mapping for each of these that matters:"
    for column in others:
        yield f"#   {_plain(column.name)}: {_seen(column)}"
        if column.kind == "text" and column.words & (STARTS | ENDS):
            yield "#     CHECK: is it a bound of the window? Times are read as in ISO 8601"
        if column.kind not in {"empty", "local"}:
            rule = (line.split("  # ")[0] for line in _object_lines(column) if line[0] != "#")
            yield f"#     [predicate] iri = {_text(_property(column))}"
            yield f"#     [object] {'; '.join(rule)}"


def _seen(column: Column) -> str:
    """Return what a column looks like, on one line."""
    if column.kind == "empty":
        return "empty"
    kind = {"local": "times without a zone", "instant": "times", "iri": "IRIs"}.get(
        column.kind, f"{column.kind}s" if column.kind != "boolean" else "true or false"
    )
    empty = len(column.cells) - column.filled
    parts = [
        kind,
        "all different" if column.is_unique and not empty else f"{column.distinct:,} different",
        f"{empty:,} empty" if empty else "",
    ]
    examples = "; ".join(_plain(text) for text in column.examples)
    return f"{', '.join(part for part in parts if part)}: {examples}"


def _plain(text: str) -> str:
    """Return a text short, on one line, without what a TOML comment may not hold."""
    return shortened("".join(char if char.isprintable() else " " for char in text), 30)


def _text(text: str) -> str:
    """Return a TOML string."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


__all__ = ["BASE", "draft_text"]
