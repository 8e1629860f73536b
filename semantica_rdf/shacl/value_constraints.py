"""
Constraints that look at values alone: kinds, datatypes, ranges, texts, lists, counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator

import pyoxigraph as ox

from semantica_rdf.shacl.comparing import compare, value_of
from semantica_rdf.shacl.context import Context, of_focus, of_value
from semantica_rdf.shacl.data_graph import DataGraph
from semantica_rdf.shacl.datatypes import lexical_test
from semantica_rdf.shacl.names import SH, Term, shown
from semantica_rdf.shacl.patterns import compiled_pattern
from semantica_rdf.shacl.report import Result
from semantica_rdf.shacl.shape import Constraint

_KINDS: dict[str, tuple[str, ...]] = {
    SH + "IRI": ("iri",),
    SH + "BlankNode": ("blank",),
    SH + "Literal": ("literal",),
    SH + "BlankNodeOrIRI": ("blank", "iri"),
    SH + "BlankNodeOrLiteral": ("blank", "literal"),
    SH + "IRIOrLiteral": ("iri", "literal"),
}
_TYPES: dict[str, type] = {"iri": ox.NamedNode, "blank": ox.BlankNode, "literal": ox.Literal}
_UNBOUNDED = 2**63


def node_kind(context: Context, value: Term) -> Constraint:
    """Compile `sh:nodeKind`."""
    name = context.iri("nodeKind", value)
    if name not in _KINDS:
        raise context.bad(f"sh:nodeKind {shown(value)} is none of the six")
    types = tuple(_TYPES[kind] for kind in _KINDS[name])
    blank_fits, iri_fits = ox.BlankNode in types, ox.NamedNode in types

    def _fits(term: Term) -> bool:
        return type(term) in types

    def _fits_unskolemised(term: Term) -> bool:
        if isinstance(term, ox.NamedNode):
            return blank_fits if context.is_blank(term) else iri_fits
        return type(term) in types

    told_apart = context.skolem_is_blank and blank_fits != iri_fits
    test = _fits_unskolemised if told_apart else _fits
    component = SH + "NodeKindConstraintComponent"
    return of_value(context, component, test, f"not of node kind {shown(value)}", cheap=True)


def datatype(context: Context, value: Term) -> Constraint:
    """Compile `sh:datatype`: the datatype's IRI, and a text that it admits."""
    iri = context.iri("datatype", value)
    admitted = lexical_test(iri)

    def _test(term: Term) -> bool:
        if not isinstance(term, ox.Literal) or term.datatype.value != iri:
            return False
        return admitted is None or admitted(term.value)

    component = SH + "DatatypeConstraintComponent"
    return of_value(context, component, _test, f"no well-formed literal of type {shown(value)}")


def bound(
    parameter: str, word: str, accepted: tuple[int, ...]
) -> Callable[[Context, Term], Constraint]:
    """Return the compiler of one of the four ranges; `accepted` are the outcomes of comparing."""
    component = SH + parameter[0].upper() + parameter[1:] + "ConstraintComponent"

    def _compiled(context: Context, value: Term) -> Constraint:
        if not isinstance(value, ox.Literal):
            raise context.bad(f"sh:{parameter} {shown(value)} is no literal")
        limit = value_of(value)
        if limit is None:
            raise context.bad(f"sh:{parameter} {shown(value)} has no order")

        def _test(term: Term) -> bool:
            return compare(value_of(term), limit) in accepted

        return of_value(context, component, _test, f"not {word} {shown(value)}")

    return _compiled


def min_length(context: Context, value: Term) -> Constraint:
    """Compile `sh:minLength`."""
    length = context.whole_number("minLength", value)
    component = SH + "MinLengthConstraintComponent"

    def _test(term: Term) -> bool:
        text = _text_of(context, term)
        return text is not None and len(text) >= length

    return of_value(context, component, _test, f"shorter than {length} characters")


def max_length(context: Context, value: Term) -> Constraint:
    """Compile `sh:maxLength`."""
    length = context.whole_number("maxLength", value)
    component = SH + "MaxLengthConstraintComponent"

    def _test(term: Term) -> bool:
        text = _text_of(context, term)
        return text is not None and len(text) <= length

    return of_value(context, component, _test, f"longer than {length} characters")


def pattern(context: Context, value: Term) -> Constraint:
    """Compile `sh:pattern` with its `sh:flags`."""
    given = context.only("flags")
    flags = "" if given is None else context.text("flags", given)
    text = context.text("pattern", value)
    try:
        expression = compiled_pattern(text, flags)
    except ValueError as error:
        raise context.bad(f"sh:pattern {text!r} with flags {flags!r}: {error}") from None
    search = expression.search

    def _test(term: Term) -> bool:
        found = _text_of(context, term)
        return found is not None and search(found) is not None

    component = SH + "PatternConstraintComponent"
    return of_value(context, component, _test, f"does not match {text}")


def _text_of(context: Context, term: Term) -> str | None:
    """Return the text of an IRI or literal; a blank node has none."""
    if isinstance(term, ox.Literal):
        return term.value
    if isinstance(term, ox.NamedNode) and not context.is_blank(term):
        return term.value
    return None


def language_in(context: Context, value: Term) -> Constraint:
    """Compile `sh:languageIn`: a range `en` admits `en-GB`, `*` any language."""
    ranges = [
        context.text("languageIn", member).lower()
        for member in context.members("languageIn", value)
    ]
    subtags = tuple(range_ + "-" for range_ in ranges)

    def _test(term: Term) -> bool:
        if not isinstance(term, ox.Literal) or term.language is None:
            return False
        tag = term.language.lower()
        return tag in ranges or "*" in ranges or tag.startswith(subtags)

    component = SH + "LanguageInConstraintComponent"
    return of_value(context, component, _test, f"not a text in {', '.join(ranges)}")


def one_of(context: Context, value: Term) -> Constraint:
    """Compile `sh:in`."""
    members = frozenset(context.members("in", value))
    component = SH + "InConstraintComponent"
    listed = ", ".join(sorted(shown(member) for member in members))
    return of_value(context, component, members.__contains__, f"not one of {listed}", cheap=True)


def has_value(context: Context, value: Term) -> Constraint:
    """Compile `sh:hasValue`."""
    component = SH + "HasValueConstraintComponent"

    def _holds(_: DataGraph, __: Term, values: Collection[Term]) -> bool:
        return value in values

    return of_focus(context, component, _holds, f"{shown(value)} is not among the values")


def min_count(context: Context, value: Term) -> Constraint:
    """Compile `sh:minCount`."""
    count = context.whole_number("minCount", value)
    return _counted(context, "Min", (count, _UNBOUNDED), f"fewer than {count} values")


def max_count(context: Context, value: Term) -> Constraint:
    """Compile `sh:maxCount`."""
    count = context.whole_number("maxCount", value)
    return _counted(context, "Max", (0, count), f"more than {count} values")


def _counted(context: Context, name: str, limits: tuple[int, int], text: str) -> Constraint:
    component = f"{SH}{name}CountConstraintComponent"

    def _results(_: DataGraph, focus: Term, values: Collection[Term]) -> Iterator[Result]:
        if not limits[0] <= len(values) <= limits[1]:
            yield context.result(component, focus, text)

    return Constraint(component, _results, limits=limits)


def unique_lang(context: Context, value: Term) -> Constraint | None:
    """Compile `sh:uniqueLang`: one result for each language that several values have."""
    if not context.flag("uniqueLang", value):
        return None
    component = SH + "UniqueLangConstraintComponent"

    def _shared(values: Collection[Term]) -> list[str]:
        tags = Counter(
            term.language.lower()
            for term in values
            if isinstance(term, ox.Literal) and term.language
        )
        return sorted(tag for tag, count in tags.items() if count > 1)

    def _holds(_: DataGraph, __: Term, values: Collection[Term]) -> bool:
        return len(values) < 2 or not _shared(values)

    def _results(_: DataGraph, focus: Term, values: Collection[Term]) -> Iterator[Result]:
        for tag in _shared(values):
            yield context.result(component, focus, f"several values in the language {tag}")

    return Constraint(component, _results, whole=_holds)


__all__ = [
    "bound",
    "datatype",
    "has_value",
    "language_in",
    "max_count",
    "max_length",
    "min_count",
    "min_length",
    "node_kind",
    "one_of",
    "pattern",
    "unique_lang",
]
