"""
Blank nodes of a document become IRIs that the next load of the same document finds again.

The IRI of a blank node is keyed by namespace, source and the canonical form of the node's own
connected component: the statements that touch its blank nodes, incoming ones included. So loading
a file twice changes nothing, and an edit elsewhere in it changes no other node. Equal components
are numbered: two addresses with equal content stay two.

The canonical form: nodes are coloured by what they touch until nothing more tells them apart; a
tie is broken by trying its members and keeping the smallest text. RDFC-1.0 gives the same
partition of documents, but takes 14 seconds for a list of 500 equal members and cannot be
interrupted; here such a list takes milliseconds, and a graph too symmetric to settle is refused.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import pyoxigraph as ox

from semantica_rdf.errors import ValidationError
from semantica_rdf.model import vocab

MAX_STEPS = 500_000
"""How many looks at a statement one component may cost, beyond a few for each of its own."""

_Node: TypeAlias = ox.BlankNode
_Colours: TypeAlias = dict[str, str]
_Part: TypeAlias = tuple[str | _Node, ...]
_Form: TypeAlias = tuple[dict[str, int], str]


def skolemised(quads: Sequence[ox.Quad], *, namespace: str, source: str) -> list[ox.Quad]:
    """
    Return the quads in their order, every blank node replaced by its IRI.

    All quads of a document that hold a blank node must be given together. Raises
    `ValidationError` (`blank_nodes_too_entangled`).
    """
    touching: defaultdict[str, list[ox.Quad]] = defaultdict(list)
    for quad in dict.fromkeys(quads):
        for label in set(_labels(quad)):
            touching[label].append(quad)
    names: dict[str, ox.NamedNode] = {}
    seen: Counter[str] = Counter()
    for component in _components(touching):
        labels, text = _Component(component, touching).canonical()
        seen[text] += 1
        key = "\n".join((namespace, source, str(seen[text]), text))
        digest = hashlib.sha256(key.encode()).hexdigest()[:32]
        for node, number in labels.items():
            names[node] = ox.NamedNode(f"{vocab.SKOLEM_BASE}{digest}b{number}")
    return [_renamed(quad, names) for quad in quads]


def has_blank_node(quad: ox.Quad) -> bool:
    """Tell whether a quad holds a blank node."""
    return any(isinstance(part, ox.BlankNode) for part in _positions(quad))


def _positions(quad: ox.Quad) -> tuple[ox.NamedNode | ox.BlankNode | ox.Literal, ...]:
    return (quad.subject, quad.object, quad.graph_name)  # type: ignore[return-value]


def _labels(quad: ox.Quad) -> list[str]:
    return [part.value for part in _positions(quad) if isinstance(part, ox.BlankNode)]


def _renamed(quad: ox.Quad, names: dict[str, ox.NamedNode]) -> ox.Quad:
    subject, object_, graph = (
        names[part.value] if isinstance(part, ox.BlankNode) else part for part in _positions(quad)
    )
    return ox.Quad(subject, quad.predicate, object_, graph)  # type: ignore[arg-type]


def _components(touching: dict[str, list[ox.Quad]]) -> Iterable[list[str]]:
    """Yield the connected components, each as the labels of its blank nodes."""
    done: set[str] = set()
    for first in touching:
        if first in done:
            continue
        done.add(first)
        found = [first]
        for node in found:
            for quad in touching[node]:
                for other in _labels(quad):
                    if other not in done:
                        done.add(other)
                        found.append(other)
        yield found


class _Component:
    """One component on its way to a canonical form."""

    def __init__(self, nodes: list[str], touching: dict[str, list[ox.Quad]]) -> None:
        self._nodes = nodes
        self._parts: dict[str, list[_Part]] = {}
        self._neighbours: dict[str, list[str]] = {}
        for node in nodes:
            self._parts[node] = [_part(quad) for quad in touching[node]]
            others = {label for quad in touching[node] for label in _labels(quad)}
            self._neighbours[node] = sorted(others - {node})
        self._quads = list(dict.fromkeys(part for node in nodes for part in self._parts[node]))
        edges = sum(len(others) for others in self._neighbours.values()) // 2
        self._is_tree = edges == len(nodes) - 1
        self._steps = MAX_STEPS + 4 * sum(len(parts) for parts in self._parts.values())

    def canonical(self) -> tuple[dict[str, int], str]:
        """Return each node's canonical number, and the text of the component under them."""
        return self._settled(self._refined(dict.fromkeys(self._nodes, ""), self._nodes))

    def _settled(self, colours: _Colours) -> _Form:
        """Break ties until none is left, trying what may differ and keeping the smallest text."""
        while tied := self._smallest_tie(colours):
            kinds = [self._like(tied)] if self._is_tree else self._kinds(tied)
            if len(kinds) > 1:
                return self._smallest_of(colours, [kind[0] for kind in kinds])
            for place, node in enumerate(kinds[0]):
                colours[node] = _hash(colours[node], str(place))
            colours = self._refined(
                colours,
                {other for node in kinds[0] for other in self._neighbours[node]},
            )
        labels = {node: n for n, node in enumerate(sorted(colours, key=colours.__getitem__))}
        return labels, self._text(labels)

    def _smallest_of(self, colours: _Colours, candidates: list[str]) -> _Form:
        found: list[_Form] = []
        for node in candidates:
            tried = colours | {node: _hash(colours[node], "0")}
            found.append(self._settled(self._refined(tried, self._neighbours[node])))
        return min(found, key=lambda form: form[1])

    def _smallest_tie(self, colours: _Colours) -> list[str]:
        self._spend(len(colours) // 50)
        classes: defaultdict[str, list[str]] = defaultdict(list)
        for node, colour in colours.items():
            classes[colour].append(node)
        ties = [(len(nodes), colour) for colour, nodes in classes.items() if len(nodes) > 1]
        return classes[min(ties)[1]] if ties else []

    def _kinds(self, tied: list[str]) -> list[list[str]]:
        """Group nodes that can be swapped without changing anything."""
        kinds: list[list[str]] = []
        for node in tied:
            for kind in kinds:
                if self._can_swap(kind[0], node):
                    kind.append(node)
                    break
            else:
                kinds.append([node])
        return kinds

    def _like(self, tied: list[str]) -> list[str]:
        """Return the first of them and its twins; in a tree it does not matter which is first."""
        return tied[:1] + [node for node in tied[1:] if self._can_swap(tied[0], node)]

    def _can_swap(self, one: str, other: str) -> bool:
        self._spend(1)
        if not set(self._neighbours[one]) ^ set(self._neighbours[other]) <= {
            one,
            other,
        }:
            return False
        self._spend(len(self._parts[one]))
        swap = {one: ox.BlankNode(other), other: ox.BlankNode(one)}
        swapped = {
            tuple(item if isinstance(item, str) else swap.get(item.value, item) for item in part)
            for part in self._parts[one]
        }
        return swapped == set(self._parts[other])

    def _refined(self, colours: _Colours, affected: Iterable[str]) -> _Colours:
        """Recolour nodes whose neighbours changed colour, until no class splits any more."""
        members: defaultdict[str, set[str]] = defaultdict(set)
        for node, colour in colours.items():
            members[colour].add(node)
        pending = set(affected)
        while pending:
            classes: defaultdict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
            for node in pending:
                if len(members[colours[node]]) > 1:
                    classes[colours[node]][self._signature(node, colours)].append(node)
            changed: list[str] = []
            for colour, groups in classes.items():
                for signature in _moving(groups, len(members[colour])):
                    new, nodes = _hash(colour, signature), groups[signature]
                    colours.update(dict.fromkeys(nodes, new))
                    members[colour].difference_update(nodes)
                    members[new].update(nodes)
                    changed += nodes
            pending = {other for node in changed for other in self._neighbours[node]}
        return colours

    def _signature(self, node: str, colours: _Colours) -> str:
        self._spend(len(self._parts[node]))
        lines = [
            "\0".join(
                item
                if isinstance(item, str)
                else "*"
                if item.value == node
                else "_:" + colours[item.value]
                for item in part
            )
            for part in self._parts[node]
        ]
        return _hash(*sorted(lines))

    def _spend(self, steps: int) -> None:
        self._steps -= steps
        if self._steps < 0:
            raise ValidationError(
                f"{len(self._nodes):,} blank nodes are too alike to tell apart",
                code="blank_nodes_too_entangled",
                hint="give them IRIs, or something that differs",
            )

    def _text(self, labels: dict[str, int]) -> str:
        self._spend(len(self._quads))
        lines = (
            " ".join(
                item if isinstance(item, str) else f"_:c14n{labels[item.value]}" for item in part
            )
            for part in self._quads
        )
        return "\n".join(sorted(lines))


def _moving(groups: dict[str, list[str]], size: int) -> list[str]:
    """
    Return the groups of a class that leave it: all, when some of its members were not touched.

    Otherwise the largest stays, so that what does not split costs nothing more.
    """
    if sum(len(nodes) for nodes in groups.values()) < size:
        return list(groups)
    staying = max(groups, key=lambda signature: (len(groups[signature]), signature))
    return [signature for signature in groups if signature != staying]


def _part(quad: ox.Quad) -> _Part:
    """Return a quad as texts, its blank nodes left as they are."""
    subject, object_, graph = (
        part if isinstance(part, ox.BlankNode) else str(part) for part in _positions(quad)
    )
    return subject, str(quad.predicate), object_, graph


def _hash(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


__all__ = ["MAX_STEPS", "has_blank_node", "skolemised"]
