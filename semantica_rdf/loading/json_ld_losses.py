"""
What of a JSON-LD document would vanish without a word: JSON-LD drops what it cannot expand.

Walks the document as expansion does (JSON-LD 1.1, section 5.1) and yields each key, reference or
value that no statement will hold. A null and an empty list say nothing, and are no loss. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from semantica_rdf.loading.json_ld_context import (
    NO_CONTEXT,
    Active,
    Term,
    entries,
    initial,
    is_absolute,
    is_language,
    is_valid,
    listed,
)
from semantica_rdf.model.terms import shortened

MAX_NAMED = 100
"""How many different losses are named one by one."""

_SENTENCES = {
    "unmapped": "the key {} is mapped by no context and is dropped",
    "null": "the key {} is mapped to null and is dropped",
    "no IRI": "the key {} makes no IRI that can be a predicate and is dropped",
    "no keyword": "the key {} is no keyword of JSON-LD and is dropped",
    "free": "values outside of any node are dropped",
    "node": "the node {} has no valid IRI, and what is said of it is dropped",
    "reference": "the reference {} makes no valid IRI and is dropped",
    "type": "the type {} makes no valid IRI and is dropped",
    "language": "the language {} is no language tag, and its texts are dropped",
    "index": "the index {} says nothing in RDF and is dropped",
    "reverse": "texts are dropped where {} makes them subjects",
    "direction": "the direction {} of a text without a language is dropped",
}
_NO_TERM = Term(None)
_MAPS = frozenset({"@language", "@index", "@id", "@type"})


class Loss(NamedTuple):
    """Something that vanishes: why, its name for a message, and what vanishes with it."""

    why: str
    name: str
    content: Any


def losses(document: Any, base: str | None) -> Iterator[Loss]:
    """Yield what vanishes of a document whose contexts all stand in it."""
    yield from _value(document, None, initial(base))


def sentences(found: Iterable[Loss]) -> list[str]:
    """Return one sentence for each kind and name, with how often; beyond `MAX_NAMED` only a count."""
    counts = Counter((loss.why, loss.name) for loss in found)
    said = [
        f"{_SENTENCES[why].format(repr(shortened(name)))} ({count:,} times)"
        for (why, name), count in list(counts.items())[:MAX_NAMED]
    ]
    if len(counts) > MAX_NAMED:
        rest = sum(list(counts.values())[MAX_NAMED:])
        said.append(f"{len(counts) - MAX_NAMED:,} more names are dropped ({rest:,} times)")
    return said


def _value(
    value: Any, key: str | None, active: Active, *, from_map: bool = False
) -> Iterator[Loss]:
    """Yield the losses of a value of a key; None is outside of any node."""
    if isinstance(value, list):
        for item in value:
            yield from _value(item, key, active, from_map=from_map)
        return
    term = _NO_TERM if key is None else active.terms.get(key, _NO_TERM)
    if isinstance(value, dict):
        yield from _object(value, key, _entered(value, active, term, from_map=from_map))
    elif value is not None:
        active = active.scoped(term)
        term = _NO_TERM if key is None else active.terms.get(key, term)
        yield from _scalar(value, key, term, active)


def _entered(value: dict[str, Any], active: Active, term: Term, *, from_map: bool) -> Active:
    """
    Return the context in force inside an object: fallen back, property-scoped, its own.

    Where a property scopes a context the parser keeps more than the algorithm: it does not fall back.
    """
    if active.previous is not None and not from_map and term.context is NO_CONTEXT:
        names = {active.key(key) for key in value}
        if "@value" not in names and names != {"@id"}:
            active = active.previous
    active = active.scoped(term)
    return active.within(value["@context"]) if "@context" in value else active


def _typed(value: dict[str, Any], active: Active) -> Active:
    """Return the context in force for the properties of a node: that of its types as well."""
    before = active
    for key, item in sorted(value.items()):
        if before.key(key) == "@type":
            for name in sorted(name for name in listed(item) if isinstance(name, str)):
                active = _of_type(name, active, before)
    return active


def _of_type(name: str, active: Active, before: Active) -> Active:
    return active.scoped(before.terms.get(name, _NO_TERM), propagate=False)


def _scalar(value: Any, key: str | None, term: Term, active: Active) -> Iterator[Loss]:
    if key is None:
        yield Loss("free", "", value)
    elif isinstance(value, str):
        kind = term.kind
        if kind in {"@id", "@vocab"}:
            if not _is_node(active.reference(value, by_vocabulary=kind == "@vocab")):
                yield Loss("reference", value, value)
        elif kind is None or kind == "@none":
            is_own = term.language is not NO_CONTEXT
            yield from _text(value, term.language if is_own else active.language)


def _text(value: Any, language: Any) -> Iterator[Loss]:
    if isinstance(language, str) and not is_language(language):
        yield Loss("language", language, value)


def _object(value: dict[str, Any], key: str | None, active: Active) -> Iterator[Loss]:
    typed = _typed(value, active)
    names = {expanded: item for _, expanded, item in entries(typed, value) if expanded}
    if "@value" in names:
        yield from _literal(names, key)
    elif "@list" in names and key is None:
        yield Loss("free", "", names["@list"])
    elif "@list" in names or "@set" in names:
        yield from _value(names.get("@list", names.get("@set")), key, typed)
    else:
        yield from _node(value, active, typed)


def _literal(names: dict[str, Any], key: str | None) -> Iterator[Loss]:
    text = names["@value"]
    if text is None:
        return
    if key is None:
        yield Loss("free", "", text)
        return
    yield from _text(text, names.get("@language"))
    if isinstance(names.get("@direction"), str) and names.get("@language") is None:
        yield Loss("direction", names["@direction"], names["@direction"])
    if names.get("@index") is not None:
        yield Loss("index", str(names["@index"]), names["@index"])


def _is_node(iri: str | None) -> bool:
    if iri is not None and iri.startswith("_:"):
        return is_valid(iri)
    return is_absolute(iri)


def _node(
    value: dict[str, Any], outer: Active, active: Active, *, known: bool = True
) -> Iterator[Loss]:
    """Yield the losses of a node; `known` is false when the key it stands under is no IRI."""
    for key, expanded, item in entries(active, value):
        is_lost = expanded == "@id" and isinstance(item, str) and item[:1] != "@"
        if is_lost and not _is_node(active.reference(item)):
            known = False
            yield Loss("node", item, [item, *_own_values(value, active)])
        elif key != "@context" and expanded == "@index" and item is not None:
            yield Loss("index", str(item), item)
    for key, expanded, item in entries(active, value):
        yield from _entry(key, expanded, item, (outer, active), known=known)


def _own_values(value: dict[str, Any], active: Active) -> Iterator[Any]:
    """Yield what is said of a node itself, not of the nodes inside it."""
    for key, expanded, item in entries(active, value):
        if expanded == "@nest":
            for inner in (one for one in listed(item) if isinstance(one, dict)):
                yield from _own_values(inner, active)
        elif expanded == "@reverse":
            for inner in (one for one in listed(item) if isinstance(one, dict)):
                for _, meant, held in entries(active, inner):
                    if is_absolute(meant):
                        yield from _plain_values(held, active)
        elif is_absolute(expanded) or expanded == "@type":
            term = active.terms.get(key, _NO_TERM)
            is_map = isinstance(item, dict) and term.containers & {"@language", "@index"}
            yield from _plain_values(list(item.values()) if is_map else item, active)


def _plain_values(item: Any, active: Active, *, bare: bool = True) -> Iterator[Any]:
    """Yield the literals of a value, those of sets included; with `bare` those without `@value`."""
    if isinstance(item, list):
        for one in item:
            yield from _plain_values(one, active, bare=bare)
    elif isinstance(item, dict):
        for key, expanded, held in entries(active, item):
            if expanded == "@value":
                yield held
            elif expanded == "@set":
                yield from _plain_values(item[key], active, bare=bare)
    elif bare and item is not None:
        yield item


def _entry(
    key: str,
    expanded: str | None,
    item: Any,
    contexts: tuple[Active, Active],
    *,
    known: bool,
    turned: bool = False,
) -> Iterator[Loss]:
    """Yield the losses of one entry of a node; `turned` is true directly inside `@reverse`."""
    outer, active = contexts
    if item is None or item == []:
        return
    if expanded == "@type":
        for name in (one for one in listed(item) if known and isinstance(one, str)):
            if not _is_node(outer.reference(name, by_vocabulary=True)):
                yield Loss("type", name, name)
    elif expanded == "@graph" and not known:
        yield Loss("node", "", item)
    elif expanded in {"@graph", "@included"}:
        yield from _value(item, None, active)
    elif expanded in {"@reverse", "@nest"}:
        yield from _inner_entries(expanded, item, contexts, known=known)
    elif expanded is not None and expanded.startswith("@"):
        return
    elif is_absolute(expanded):
        yield from _property(key, item, active, known=known, turned=turned)
    else:
        yield Loss(_why(key, expanded, active), key, item)


def _inner_entries(
    keyword: str | None, item: Any, contexts: tuple[Active, Active], *, known: bool
) -> Iterator[Loss]:
    """Yield the losses of the properties that stand one deeper, in a reverse or a nest."""
    active = contexts[1]
    for inner in (one for one in listed(item) if isinstance(one, dict)):
        for name, meant, held in entries(active, inner):
            turned = keyword == "@reverse"
            yield from _entry(name, meant, held, contexts, known=known, turned=turned)


def _why(key: str, expanded: str | None, active: Active) -> str:
    if key.startswith("@"):
        return "no keyword"
    if expanded is None:
        return "null"
    return "unmapped" if key not in active.terms and ":" not in expanded else "no IRI"


def _property(key: str, item: Any, active: Active, *, known: bool, turned: bool) -> Iterator[Loss]:
    """Yield the losses of a property; a reverse one inside `@reverse` is turned back again."""
    term = active.terms.get(key, _NO_TERM)
    if term.kind == "@json":
        return
    if term.is_reverse != turned:
        yield from _subjects(key, item, active)
    is_map = isinstance(item, dict) and bool(term.containers & _MAPS)
    if "@graph" in term.containers and not is_map:
        yield from _loose(item, active.scoped(term), texts=False)
    if not is_map:
        yield from _value(item if known else list(_nodes(item, active)), key, active)
        return
    inner = active.scoped(term)
    for name, held in item.items():
        if held is None:
            continue
        is_none = inner.key(name) == "@none"
        if "@language" in term.containers:
            if not is_none and any(one is not None for one in listed(held)):
                yield from _text(held, name)
        else:
            yield from _mapped(key, name, held, (active, inner), is_none=is_none)


def _nodes(item: Any, active: Active) -> Iterator[Any]:
    """Yield the nodes among the values of a key, those in lists and sets included."""
    if isinstance(item, list):
        for one in item:
            yield from _nodes(one, active)
    elif isinstance(item, dict):
        names = {expanded: held for _, expanded, held in entries(active, item)}
        if "@list" in names or "@set" in names:
            yield from _nodes(names.get("@list", names.get("@set")), active)
        elif "@value" not in names:
            yield item


def _subjects(key: str, item: Any, active: Active) -> Iterator[Loss]:
    """Yield the texts that would have to be subjects; the parser refuses those outside of sets."""
    term = active.terms.get(key, _NO_TERM)
    is_map = isinstance(item, dict) and bool(term.containers & _MAPS)
    values = list(item.values()) if is_map else item
    are_texts = term.kind not in {"@id", "@vocab"}
    for text in _plain_values(values, active, bare=are_texts):
        yield Loss("reverse", key, text)


def _loose(item: Any, active: Active, *, texts: bool) -> Iterator[Loss]:
    """Yield the values that stand in a graph and in no node; plain texts where they count as such."""
    for one in listed(item):
        if isinstance(one, dict):
            held = [inner for key, inner in one.items() if active.key(key) == "@value"]
            yield from (Loss("free", "", inner) for inner in held if inner is not None)
        elif texts and one is not None:
            yield Loss("free", "", one)


def _mapped(
    key: str, name: str, held: Any, contexts: tuple[Active, Active], *, is_none: bool
) -> Iterator[Loss]:
    """Yield the losses under one key of a map of indexes, ids or types."""
    active, inner = contexts
    term = active.terms[key]
    if "@index" in term.containers and term.index is None and not is_none:
        yield Loss("index", name, name)
    elif "@id" in term.containers and not is_none and not _is_node(inner.reference(name)):
        if "@graph" in term.containers:
            yield Loss("node", name, [name, held])
            return
        yield Loss("node", name, name)
        for one in (one for one in listed(held) if isinstance(one, dict)):
            yield from _node(one, inner, _typed(one, inner), known=False)
        return
    if "@type" in term.containers and not is_none:
        if not _is_node(inner.reference(name, by_vocabulary=True)):
            yield Loss("type", name, name)
        active = _of_type(name, active, inner)
    if "@graph" in term.containers:
        yield from _loose(held, inner, texts=True)
    yield from _value(held, key, active, from_map=True)


__all__ = ["MAX_NAMED", "Loss", "losses", "sentences"]
