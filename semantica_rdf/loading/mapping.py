"""
The declared mapping of a table: which column becomes which part of a statement.

A mapping is a TOML file with the sections `[format]`, `[subject]`, `[predicate]`, `[object]`,
`[window]`, and where wanted `[graph]`, `[source]` and `[statement]`. Every key is one of a closed
set; an unknown one is refused by name, so that a misspelt key never means "absent".
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping as MappingType
from dataclasses import fields
from pathlib import Path
from typing import Any, cast

from semantica_rdf.errors import CallerError, NotFound, UnknownFilter, ValidationError
from semantica_rdf.loading.rules import (
    Case,
    Layout,
    Mapping,
    StatementRule,
    TermRule,
    WindowRule,
)
from semantica_rdf.model.terms import iri, literal
from semantica_rdf.model.zones import zone_named


def read_mapping(
    source: str | Path | bytes | MappingType[str, Any] | Mapping,
) -> Mapping:
    """
    Read a mapping from a TOML file, its bytes, or the same keys as a dict.

    Raises `UnknownFilter` for a key it does not know, `NotFound` for a missing file,
    `ValidationError` (`bad_mapping`).
    """
    if isinstance(source, Mapping):
        return source
    if isinstance(source, MappingType):
        return _mapping_of(dict(source))
    name = "the mapping"
    if not isinstance(source, bytes):
        name = Path(source).name
        try:
            source = Path(source).read_bytes()
        except OSError as error:
            raise NotFound(f"no mapping {name}: {error.strerror}", code="no_file") from None
    try:
        declared = tomllib.loads(source.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _bad(f"{name} is no TOML: {error}") from None
    except RecursionError:
        raise _bad(f"{name} is no TOML that can be read: it nests too deep") from None
    return _mapping_of(declared)


def _mapping_of(declared: dict[str, Any]) -> Mapping:
    made: dict[str, Any] = {}
    for key, value in declared.items():
        reader = _SECTIONS.get(key)
        if reader is None and key not in {"labels", "title"}:
            raise _unknown(key, "the mapping", (*_SECTIONS, "labels", "title"))
        if reader is not None and not isinstance(value, dict):
            raise _bad(f"{key} must be a section", hint=f"write [{key}]")
        made[key] = value if reader is None else reader(value, f"[{key}]")
    if not isinstance(made.get("labels", True), bool):
        raise _bad("labels is true or false")
    for key in ("format", "subject", "predicate", "object"):
        if key not in made:
            raise _bad(f"the section [{key}] is missing")
    mapping = Mapping(**made)
    _check_columns(mapping)
    return mapping


def _layout(declared: dict[str, Any], where: str) -> Layout:
    values = _values(Layout, declared, where)
    if values.get("kind") not in {"csv", "tsv", "jsonl"}:
        raise _bad(f"{where} kind must be csv, tsv or jsonl")
    if values.get("quoting", "standard") not in {"standard", "none"}:
        raise _bad(f"{where} quoting must be standard or none")
    values.setdefault("delimiter", "\t" if values["kind"] == "tsv" else ",")
    if len(values["delimiter"]) != 1:
        raise _bad(f"{where} delimiter must be one character")
    try:
        "".encode(values.get("encoding", "utf-8"))
    except LookupError:
        raise _bad(f"{where} encoding {values['encoding']!r} is unknown") from None
    strip = values.get("strip")
    if isinstance(strip, dict) and not all(isinstance(item, str) for item in strip.values()):
        raise _bad(f"{where} strip must give each column a text")
    layout = Layout(**values)
    if layout.kind != "jsonl" and not layout.header and not layout.columns:
        raise _bad(f"{where} has neither header nor columns")
    if len(set(layout.columns)) < len(layout.columns):
        raise _bad(f"{where} names a column twice")
    return layout


def _term(declared: dict[str, Any], where: str) -> TermRule:
    return _made_term(declared, where, literals=False)


def _object(declared: dict[str, Any], where: str) -> TermRule:
    return _made_term(declared, where, literals=True)


def _made_term(declared: dict[str, Any], where: str, *, literals: bool) -> TermRule:
    values = _values(TermRule, declared, where)
    if not literals and _OF_THE_OBJECT & values.keys():
        raise _bad(
            f"{where} must be an IRI",
            hint=f"{', '.join(sorted(_OF_THE_OBJECT))} are the object's",
        )
    if values.get("optional") and where not in {"[graph]", "[source]"}:
        raise _bad(f"{where} cannot be optional", hint="only a graph and a source can")
    if ("column" in values) == ("iri" in values):
        raise _bad(f"{where} needs a column or an iri, one of them")
    if "iri" in values and _OF_A_COLUMN & values.keys():
        raise _bad(f"{where} has an iri, which no column says anything of")
    values["when"] = tuple(_case(case, f"{where} when") for case in values.get("when", ()))
    for name, target in values.get("values", {}).items():
        _checked(iri, target, f"{where} values {name!r}")
    _check_term(values, where)
    return TermRule(**values)


def _case(declared: Any, where: str) -> Case:
    if not isinstance(declared, dict):
        raise _bad(f"{where} must be a list of tables", hint="write [[object.when]]")
    values = _values(Case, declared, where)
    try:
        values["matches"] = re.compile(values["matches"])
    except KeyError:
        raise _bad(f"{where} needs matches") from None
    except re.error as error:
        raise _bad(f"{where} matches is no regular expression: {error}") from None
    _check_term(values, where)
    return Case(**values)


def _check_term(values: dict[str, Any], where: str) -> None:
    kinds = [key for key in ("base", "datatype", "language") if values.get(key) is not None]
    if len(kinds) > 1:
        raise _bad(f"{where} names {' and '.join(kinds)}", hint="one of them")
    by_row = [key for key in ("datatype_column", "language_column") if key in values]
    clash = kinds if by_row and "kind_column" not in values else set(kinds) - {"base"}
    if by_row and clash:
        raise _bad(
            f"{where} names {' and '.join([*sorted(clash), *by_row])}", hint="the whole, or by row"
        )
    if "base" in values and values.get("absolute"):
        raise _bad(f"{where} names base and absolute", hint="one of them")
    for key in ("iri", "base", "datatype"):
        if values.get(key) is not None:
            _checked(iri, values[key], f"{where} {key}")
    if values.get("language") is not None:
        language = values["language"]
        _checked(lambda tag: literal("", lang=tag), language, f"{where} language")


def _window(declared: dict[str, Any], where: str) -> WindowRule:
    if "from_" in declared:
        raise _unknown("from_", where, ["from", *(item.name for item in fields(WindowRule)[1:])])
    renamed = {("from_" if key == "from" else key): value for key, value in declared.items()}
    rule = WindowRule(**_values(WindowRule, renamed, where))
    if (rule.role is None) != (rule.date is None):
        raise _bad(f"{where} needs both role and date, or neither")
    if rule.role is not None and (not rule.starts or not rule.ends or rule.starts & rule.ends):
        raise _bad(f"{where} needs starts and ends, lists of roles with nothing in common")
    if rule.role is not None and (rule.from_ or rule.until or rule.during):
        raise _bad(f"{where} has role and date beside from, until or during")
    if rule.during is not None and (rule.from_ or rule.until):
        raise _bad(f"{where} has during beside from or until")
    if rule.date_end not in {"inclusive", "exclusive"}:
        raise _bad(f"{where} date_end must be inclusive or exclusive")
    if rule.timezone is not None:
        _checked(zone_named, rule.timezone, f"{where} timezone")
    return rule


def _statement(declared: dict[str, Any], where: str) -> StatementRule:
    return StatementRule(**_values(StatementRule, declared, where))


_SECTIONS: dict[str, Any] = {
    "format": _layout,
    "subject": _term,
    "predicate": _term,
    "object": _object,
    "window": _window,
    "graph": _term,
    "source": _term,
    "statement": _statement,
}
_LISTS = {"columns": tuple, "null": tuple, "starts": frozenset, "ends": frozenset}
_TABLES = {"values": dict, "when": list}
_TEXT_OR_TABLE = frozenset({"strip"})
_BOOLEANS = frozenset({"header", "join", "absolute", "optional"})
_BY_ROW = frozenset({"kind_column", "datatype_column", "language_column"})
_OF_THE_OBJECT = _BY_ROW | {"datatype", "language", "when"}
_OF_A_COLUMN = _BY_ROW | {"absolute", "optional"}


def _values(kind: type, declared: dict[str, Any], where: str) -> dict[str, Any]:
    """Return the declared values in their types; every key must be a field of `kind`."""
    known = [item.name for item in fields(kind)]
    values: dict[str, Any] = {}
    for key, value in declared.items():
        if key not in known or key == "from":
            raise _unknown(key, where, [name.rstrip("_") for name in known])
        if key in _LISTS:
            if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
                raise _bad(f"{where} {key} must be a list of texts")
            values[key] = _LISTS[key](value)
        else:
            wanted = _TABLES.get(key, bool if key in _BOOLEANS else str)
            table = key in _TEXT_OR_TABLE and isinstance(value, dict)
            if not table and not isinstance(value, wanted):
                raise _bad(f"{where} {key} must be {_KIND_NAMES[wanted]}")
            values[key] = value
    return values


_KIND_NAMES: dict[type, str] = {
    bool: "true or false",
    str: "a text",
    dict: "a table",
    list: "a list",
}


def _check_columns(mapping: Mapping) -> None:
    declared = mapping.format.columns
    stripped = mapping.format.strip
    named = mapping.columns | (frozenset() if isinstance(stripped, str) else stripped.keys())
    if not declared or mapping.format.kind == "jsonl":
        return
    for name in sorted(named - set(declared)):
        raise unknown_column(name, declared)


def unknown_column(name: str, known: tuple[str, ...]) -> ValidationError:
    """Return the error for a column the table does not have."""
    return ValidationError(
        f"the mapping names the column {name!r}, which the table does not have",
        code="unknown_column",
        hint=f"its columns are {', '.join(known[:20])}",
    )


def _checked(check: Any, value: Any, where: str) -> None:
    try:
        check(value)
    except CallerError as error:
        raise _bad(f"{where}: {error.message}", hint=error.hint) from None


def _unknown(key: str, where: str, known: Any) -> UnknownFilter:
    return UnknownFilter(
        f"{where} does not know the key {key!r}",
        hint=f"its keys are {', '.join(cast('list[str]', list(known)))}",
    )


def _bad(message: str, hint: str | None = None) -> ValidationError:
    return ValidationError(message, code="bad_mapping", hint=hint)


__all__ = ["Mapping", "read_mapping", "unknown_column"]
