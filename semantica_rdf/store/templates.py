"""
The shipped queries: `queries/**/*.rq`, with checked headers and one binder.

A template is valid SPARQL as it stands. Its `#+` header declares what it takes and gives; its
parameters are written `$name`, its own variables `?name`. Undeclared, unused, unknown, missing
and wrong parameters are errors, so a template can never run with a hole in it. Values reach the
text only as a term's own N-Triples form, in the place of a `$name` token.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple, NoReturn, cast

from semantica_rdf import assets
from semantica_rdf.errors import ValidationError
from semantica_rdf.model import terms, vocab
from semantica_rdf.sparql.tokens import Token, tokens

Time = Literal["both", "valid", "transaction", "none"]
Dataset = Literal["view", "record"]

_KEYS = frozenset({"summary", "takes", "gives", "time", "dataset", "order", "reason"})
_REQUIRED = ("summary", "gives", "time", "dataset")
_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_KIND = re.compile(r"(?:IRI|literal|term|xsd:[A-Za-z]+)\Z")
_CLOSED: dict[str, frozenset[str]] = {
    "time": frozenset({"both", "valid", "transaction", "none"}),
    "dataset": frozenset({"view", "record"}),
}


class Parameter(NamedTuple):
    """One declared parameter; `kind` is `IRI`, `literal`, `term` or a datatype such as `xsd:date`."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """
    One shipped query with its checked header.

    `takes` are its parameters, `gives` the names of its columns, `time` says which of the two
    axes its parameters choose, `dataset` whether it asks a view's plain triples or the record.
    """

    name: str
    summary: str
    takes: tuple[Parameter, ...]
    gives: tuple[str, ...]
    time: Time
    dataset: Dataset
    order: str | None
    text: str
    pieces: tuple[str, ...]
    """The text cut at its parameters: a piece of text, a parameter's name, a piece of text, …"""

    def bind(self, values: Mapping[str, terms.Term]) -> str:
        """
        Return the query with every `$name` replaced by its value.

        Raises `ValidationError`: `bad_binding` for an unknown or missing name, a value of
        another kind than declared, or a blank node.
        """
        declared = {parameter.name: parameter.kind for parameter in self.takes}
        if values.keys() != declared.keys():
            self._refuse_names(values, declared)
        texts = {name: self._checked(name, declared[name], values[name]) for name in declared}
        parts = list(self.pieces)
        parts[1::2] = [texts[name] for name in parts[1::2]]
        return "".join(parts)

    def _refuse_names(self, values: Mapping[str, terms.Term], declared: dict[str, str]) -> NoReturn:
        unknown = sorted(values.keys() - declared.keys())
        missing = sorted(declared.keys() - values.keys())
        said = [f"no parameter {name}" for name in unknown] + [
            f"{name} missing" for name in missing
        ]
        raise ValidationError(
            f"the query {self.name}: {', '.join(said)}",
            code="bad_binding",
            hint=f"it takes {', '.join(sorted(declared)) or 'no parameters'}",
        )

    def _checked(self, name: str, kind: str, value: terms.Term) -> str:
        if _fits(kind, value):
            return f" {value.ntriples} "
        raise ValidationError(
            f"the query {self.name} takes {name} as {kind}, not {terms.shortened(value.ntriples)}",
            code="bad_binding",
            hint="give a term of the declared kind",
        )


def _fits(kind: str, value: terms.Term) -> bool:
    if isinstance(value, terms.Iri):
        return kind in {"IRI", "term"}
    if not isinstance(value, terms.Literal) or kind == "IRI":
        return False
    return kind in {"literal", "term"} or value.datatype == vocab.XSD + kind.removeprefix("xsd:")


@cache
def template(name: str) -> Template:
    """
    Return the shipped query of that name, such as `view/rows_at`; each is read and checked once.

    Raises `NotFound` (`asset_missing`) and `ValidationError` (`bad_template`).
    """
    return parsed_template(name, assets.asset_text("queries", *f"{name}.rq".split("/")))


def template_names() -> tuple[str, ...]:
    """Return the names of all shipped queries, sorted."""
    root = assets.asset_path("queries")
    return tuple(
        sorted(path.relative_to(root).with_suffix("").as_posix() for path in root.rglob("*.rq"))
    )


def parsed_template(name: str, text: str) -> Template:
    """Return the checked template of a text. Raises `ValidationError` (`bad_template`)."""
    found = tokens(text)
    header = _header(name, found)
    takes = _parameters(name, header.get("takes", ""))
    gives = tuple(column.strip() for column in header["gives"].split(",") if column.strip())
    for key, choices in _CLOSED.items():
        if header[key] not in choices:
            _refuse(name, f"{key} is {header[key]!r}, not one of {', '.join(sorted(choices))}")
    if header["time"] == "none" and "reason" not in header:
        _refuse(name, "time: none needs a reason line")
    _check_parameters(name, found, {parameter.name for parameter in takes})
    return Template(
        name=name,
        summary=header["summary"],
        takes=takes,
        gives=gives,
        time=cast("Time", header["time"]),
        dataset=cast("Dataset", header["dataset"]),
        order=header.get("order"),
        text=text,
        pieces=_pieces(text, found),
    )


def _header(name: str, found: list[Token]) -> dict[str, str]:
    header: dict[str, str] = {}
    for token in found:
        if token.kind != "comment" or not token.text.startswith("#+"):
            continue
        key, colon, value = token.text[2:].partition(":")
        key, value = key.strip(), value.strip()
        if key not in _KEYS:
            _refuse(name, f"the header key {key!r} is not one of {', '.join(sorted(_KEYS))}")
        if key in header:
            _refuse(name, f"the header key {key!r} stands twice")
        if not colon or not value:
            _refuse(name, f"the header key {key!r} has no value")
        header[key] = value
    missing = [key for key in _REQUIRED if key not in header]
    if missing:
        _refuse(name, f"the header lacks {', '.join(missing)}")
    return header


def _parameters(name: str, declared: str) -> tuple[Parameter, ...]:
    found: list[Parameter] = []
    for entry in filter(None, (entry.strip() for entry in declared.split(","))):
        parts = entry.split()
        if len(parts) != 2 or not _NAME.match(parts[0]) or not _KIND.match(parts[1]):
            _refuse(name, f"takes: {entry!r} is not a name and a kind (IRI, literal, term, xsd:…)")
        if parts[0] in {parameter.name for parameter in found}:
            _refuse(name, f"takes: {parts[0]!r} stands twice")
        found.append(Parameter(parts[0], parts[1]))
    return tuple(found)


def _is_parameter(token: Token) -> bool:
    return token.kind == "variable" and token.text.startswith("$")


def _check_parameters(name: str, found: list[Token], declared: set[str]) -> None:
    used = {token.text[1:] for token in found if _is_parameter(token)}
    if used - declared:
        _refuse(name, f"${min(used - declared)} is not declared in takes")
    if declared - used:
        _refuse(name, f"the parameter {min(declared - used)} is declared and not used")
    own = {token.text[1:] for token in found if token.text.startswith("?") and len(token.text) > 1}
    if own & used:
        _refuse(name, f"{min(own & used)} is both a parameter and a variable")


def _pieces(text: str, found: list[Token]) -> tuple[str, ...]:
    pieces: list[str] = []
    position = 0
    for token in filter(_is_parameter, found):
        pieces += [text[position : token.start], token.text[1:]]
        position = token.end
    return (*pieces, text[position:])


def _refuse(name: str, what: str) -> NoReturn:
    raise ValidationError(
        f"queries/{name}.rq: {what}",
        code="bad_template",
        hint="see the header of queries/view/rows_at.rq",
    )


__all__ = ["Parameter", "Template", "parsed_template", "template", "template_names"]
