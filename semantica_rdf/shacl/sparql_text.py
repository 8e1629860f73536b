"""
The text of a `sh:select`: its prefixes, what it may not say, and whether many nodes can share a run.

SHACL asks a query once for each focus node with `$this` bound before it runs. `Select.shared` says
that one run over all of them gives the same solutions, and is only true where that can be seen
from the text: the first triple pattern of the outermost group has `$this` in it and a plain
predicate, so every solution has a value for it; expressions name `$this` in that group only, where
it has the value; nothing counts, cuts off or sets apart (no sub-SELECT, no GROUP BY, HAVING,
LIMIT, OFFSET). Patterns may name it also in groups inside, where they join, but not in an OPTIONAL
of such a group, which is settled before the join; nor may such a group have an EXISTS of its own,
since the engine lets it see the values outside in one plan and not in another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import pyoxigraph as ox

from semantica_rdf.errors import QueryRefused
from semantica_rdf.shacl.context import Context
from semantica_rdf.shacl.names import OWL_IMPORTS, SH, Term, shown
from semantica_rdf.shacl.paths import path_text
from semantica_rdf.sparql.guard import refuse_unsafe
from semantica_rdf.sparql.tokens import Token, tokens
from semantica_rdf.store.embedded import RdfStore
from semantica_rdf.store.query_errors import mapped

_EMPTY = RdfStore.memory()
"""Where a text is tried, so that one that is no SPARQL is refused with its shape."""
_PREFIX = re.compile(r"(?:[A-Za-z](?:[\w.-]*[\w-])?)?\Z")
_THIS = frozenset({"?this", "$this"})
_PREBOUND = frozenset({"this", "shapesGraph", "currentShape"})
_NOT_ALLOWED = ("MINUS", "VALUES")
_ELSEWHERE = ("GRAPH", "FROM", "LATERAL")
_COUNTING = (
    *("GROUP", "HAVING", "LIMIT", "OFFSET", "REDUCED"),
    *("COUNT", "SUM", "MIN", "MAX", "AVG", "SAMPLE", "GROUP_CONCAT"),
)
_TERMS = frozenset({"variable", "iri", "name", "string", "number", "blank"})


class Select(NamedTuple):
    """
    A checked query: the text to ask, where in it a list of nodes goes, and how it may be asked.

    `place` is the position behind the outermost `{`; `shared` says that one run may answer for
    many nodes, `as_subject` that `$this` can only be the subject of a triple.
    """

    text: str
    place: int
    shared: bool
    as_subject: bool


def read_select(context: Context, node: Term) -> Select:
    """
    Return the query of a `sh:sparql` value, checked as far as it can be without data.

    Raises `ValidationError`: `bad_shape` when it is no SELECT that projects `$this`, or breaks
    SHACL's rules for pre-bound variables; `unsupported_shape` for SERVICE, GRAPH, FROM,
    `$shapesGraph`, `$currentShape`, `?failure` and for what the guard of queries refuses.
    """
    given = context.graph.only(node, SH + "select")
    if given is None:
        raise context.unsupported(f"its sh:sparql {shown(node)} has no sh:select")
    text = _prologue(context, node) + _with_path(context, context.text("select", given))
    try:
        refuse_unsafe(text)
    except QueryRefused as refusal:
        raise context.unsupported(f"its sh:select: {refusal}") from None
    found = [token for token in tokens(text) if token.kind != "comment"]
    _check_words(context, found)
    heads = list(_heads(found))
    if not heads or any(token.mark for token in found[: heads[0]]):
        raise context.bad("its sh:select is no SELECT")
    for head in heads:
        _check_projection(context, found, head)
    try:
        _EMPTY.raw.query(text)
    except (SyntaxError, ValueError, RuntimeError, OSError) as error:
        raise context.bad(
            f"its sh:select: {mapped(error, text).message}",
            hint="prefixes are declared with sh:prefixes and sh:declare, or with PREFIX",
        ) from None
    opened = next(index for index, token in enumerate(found) if token.mark == "{")
    first = found[opened + 1 : opened + 4]
    return Select(text, found[opened].end, _is_shared(found, opened), _is_this(first[0]))


def _prologue(context: Context, node: Term) -> str:
    """Return the PREFIX lines for what `sh:prefixes` declares, imported declarations included."""
    graph = context.graph
    pending = list(graph.objects(node, SH + "prefixes"))
    declared: dict[str, str] = {}
    for ontology in pending:
        pending += [more for more in graph.objects(ontology, OWL_IMPORTS) if more not in pending]
        for declaration in graph.objects(ontology, SH + "declare"):
            prefix, namespace = _declaration(context, declaration)
            if declared.setdefault(prefix, namespace) != namespace:
                raise context.bad(f"the prefix {prefix}: is declared twice, differently")
    lines = (f"PREFIX {prefix}: <{namespace}>\n" for prefix, namespace in declared.items())
    return "".join(lines)


def _declaration(context: Context, declaration: Term) -> tuple[str, str]:
    prefix = context.graph.only(declaration, SH + "prefix")
    namespace = context.graph.only(declaration, SH + "namespace")
    if isinstance(prefix, ox.Literal) and isinstance(namespace, ox.Literal):
        try:
            iri = ox.NamedNode(namespace.value).value
        except ValueError:
            iri = ""
        if iri and _PREFIX.match(prefix.value):
            return prefix.value, iri
    raise context.bad("a sh:declare has no sh:prefix and sh:namespace that can be used")


def _with_path(context: Context, text: str) -> str:
    """Put the path of a property shape in the place of `$PATH`."""
    parts: list[str] = []
    position = 0
    for token in tokens(text):
        if token.kind == "variable" and token.text[1:] == "PATH":
            if context.path is None:
                raise context.bad("its sh:select names $PATH, and a node shape has no path")
            path = path_text(context.path)
            plain = isinstance(context.path, ox.NamedNode)
            parts += [text[position : token.start], f" {path} " if plain else f" ({path}) "]
            position = token.end
    return "".join([*parts, text[position:]])


def _check_words(context: Context, found: list[Token]) -> None:
    """Refuse the words that SHACL or this package does not allow."""
    for index, token in enumerate(found):
        before = found[index - 1] if index else token
        if token.keyword.endswith(_NOT_ALLOWED):
            raise context.bad(f"its sh:select uses {token.keyword}, which SHACL does not allow")
        if token.keyword.endswith(_ELSEWHERE):
            raise context.unsupported(
                f"its sh:select uses {token.keyword}", hint="a shape sees one graph: leave it out"
            )
        if token.kind != "variable":
            continue
        name = token.text[1:]
        if name in _PREBOUND and before.keyword == "AS":
            raise context.bad(f"its sh:select gives {token.text} a value of its own")
        if name in _PREBOUND - {"this"} or name == "failure":
            raise context.unsupported(f"its sh:select uses {token.text}")


def _heads(found: list[Token]) -> Iterator[int]:
    """Give the positions of the SELECTs; the first is the query's own."""
    for index, token in enumerate(found):
        if token.keyword.startswith("SELECT") and not token.in_expression:
            yield index


def _check_projection(context: Context, found: list[Token], head: int) -> None:
    """Refuse a SELECT, be it a nested one, that does not name `$this` in its head (`bad_shape`)."""
    nested = any(token.mark == "{" for token in found[:head])
    depth = 0
    for token in found[head + 1 :]:
        depth += (token.mark == "(") - (token.mark == ")")
        if token.mark == "{" or token.keyword == "WHERE":
            break
        if depth == 0 and (_is_this(token) or (token.mark == "*" and not nested)):
            return
    where = "a nested SELECT" if nested else "its sh:select"
    raise context.bad(f"{where} does not name $this in its head")


def _is_this(token: Token) -> bool:
    return token.kind == "variable" and token.text in _THIS


def _is_shared(found: list[Token], opened: int) -> bool:
    """Tell whether one run may answer for many nodes, by the rule of the module's docstring."""
    if len(list(_heads(found))) > 1 or any(t.keyword.endswith(_COUNTING) for t in found):
        return False
    first = found[opened + 1 : opened + 5]
    if len(first) < 4 or not (_is_this(first[0]) or _is_this(first[2])):
        return False
    predicate = first[1].kind in {"iri", "name", "variable"} or first[1].text == "a"
    ends = first[3].mark in {".", ";", ",", "}"} or first[3].keyword != ""
    if not (first[0].kind in _TERMS and predicate and first[2].kind in _TERMS and ends):
        return False
    return _joins_everywhere(found)


def _joins_everywhere(found: list[Token]) -> bool:
    """Tell whether `$this` only stands where its value is known or joined to what is known."""
    openers: list[str] = []
    before = ""
    for token in found:
        if token.mark == "{":
            openers.append(before)
        elif token.mark == "}":
            openers.pop()
        elif token.keyword.endswith("EXISTS") and len(openers) > 1:
            return False
        elif _is_this(token) and len(openers) > 1:
            settled_early = any(word.endswith("OPTIONAL") for word in openers[2:])
            if token.in_expression or settled_early:
                return False
        before = token.keyword
    return True


__all__ = ["Select", "read_select"]
