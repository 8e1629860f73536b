"""
RDFC-1.0: canonical labels for the blank nodes of a dataset.

Section numbers are those of https://www.w3.org/TR/rdf-canon/.
The labels depend on the graph only, not on how a document named its nodes, so that sorted N-Quads
under them are the same text for the same dataset. Graphs can be built on which the algorithm takes
longer than anyone waits; its work is counted, and stops at a limit.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import Any

import pyoxigraph as ox

from semantica_rdf.errors import ValidationError

MAX_STEPS = 200_000
"""How many blank nodes may be looked at from another one: a few seconds' work."""
MAX_DEPTH = 220
"""How many blank nodes that look alike may hang on each other: Python's stack bears no more."""


def canonical_labels(
    quads: Iterable[ox.Quad], *, algorithm: str = "sha256", max_steps: int = MAX_STEPS
) -> dict[str, str]:
    """
    Return the canonical label of every blank node (4.4), by its label in the quads given.

    The quads that hold a blank node are all that is needed. `algorithm` is sha256 or sha384.
    Raises `ValidationError`: `blank_nodes_too_entangled` (above `max_steps`), `unsupported_term`
    for a triple term.
    """
    return _Canonicalization(quads, algorithm, max_steps).labels()


def relabelled(quad: ox.Quad, labels: dict[str, str]) -> ox.Quad:
    """Return a quad with its blank nodes named by `labels`."""
    subject, object_, graph = (
        ox.BlankNode(labels[part.value]) if isinstance(part, ox.BlankNode) else part
        for part in (quad.subject, quad.object, quad.graph_name)
    )
    return ox.Quad(subject, quad.predicate, object_, graph)  # type: ignore[arg-type]


class _Issuer:
    """Issues labels in order, one for each node (4.5)."""

    def __init__(self, prefix: str, issued: dict[str, str] | None = None) -> None:
        self.prefix = prefix
        self.issued = dict(issued or {})

    def copy(self) -> _Issuer:
        """Return an issuer that goes on from here by itself."""
        return _Issuer(self.prefix, self.issued)

    def issue(self, node: str) -> str:
        """Return the label of a node, a new one for a node without."""
        return self.issued.setdefault(node, f"{self.prefix}{len(self.issued)}")


class _Canonicalization:
    """One run over one dataset."""

    def __init__(self, quads: Iterable[ox.Quad], algorithm: str, max_steps: int) -> None:
        self._algorithm = algorithm
        self._steps = max_steps
        self._depth = 0
        self._touching: defaultdict[str, list[ox.Quad]] = defaultdict(list)
        for quad in dict.fromkeys(quads):
            for node in dict.fromkeys(_blank_nodes(quad)):
                self._touching[node].append(quad)
        self._first: dict[str, str] = {}
        self._canonical = _Issuer("c14n")

    def labels(self) -> dict[str, str]:
        """Name nodes with a first degree hash of their own, then settle the others (4.4.3)."""
        by_hash: defaultdict[str, list[str]] = defaultdict(list)
        for node in self._touching:
            self._first[node] = self._first_degree(node)
            by_hash[self._first[node]].append(node)
        shared = [(key, nodes) for key, nodes in sorted(by_hash.items()) if len(nodes) > 1]
        for _, nodes in sorted(by_hash.items()):
            if len(nodes) == 1:
                self._canonical.issue(nodes[0])
        for _, nodes in shared:
            self._settle(nodes)
        return self._canonical.issued

    def _settle(self, nodes: list[str]) -> None:
        paths = []
        for node in nodes:
            if node not in self._canonical.issued:
                issuer = _Issuer("b")
                issuer.issue(node)
                paths.append(self._n_degree(node, issuer))
        for _, issuer in sorted(paths, key=lambda path: path[0]):
            for node in issuer.issued:
                self._canonical.issue(node)

    def _hash(self, text: str) -> str:
        return hashlib.new(self._algorithm, text.encode()).hexdigest()

    def _first_degree(self, node: str) -> str:
        """Hash the quads of a node, it as `_:a`, other blank nodes as `_:z` (4.6.3)."""
        return self._hash("".join(sorted(_seen_from(node, quad) for quad in self._touching[node])))

    def _related(self, node: str, quad: ox.Quad, issuer: _Issuer, position: str) -> str:
        """Hash how a node is related by a quad, before its surroundings are known (4.7.3)."""
        label = self._canonical.issued.get(node) or issuer.issued.get(node)
        predicate = "" if position == "g" else str(quad.predicate)
        name = self._first[node] if label is None else f"_:{label}"
        return self._hash(f"{position}{predicate}{name}")

    def _n_degree(self, node: str, issuer: _Issuer) -> tuple[str, _Issuer]:
        """Hash a node with all that is related to it, and the issuer that chose (4.8.3)."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _entangled(f"more than {MAX_DEPTH} blank nodes in a row look alike")
        related: defaultdict[str, list[str]] = defaultdict(list)
        for quad in self._touching[node]:
            for position, other in _positions(quad):
                if other != node:
                    related[self._related(other, quad, issuer, position)].append(other)
        data = []
        for key, others in sorted(related.items()):
            path, issuer = self._smallest_path(others, issuer)
            data.append(key + path)
        self._depth -= 1
        return self._hash("".join(data)), issuer

    def _smallest_path(self, others: Sequence[str], issuer: _Issuer) -> tuple[str, _Issuer]:
        """Try the related nodes in every order; return the smallest path (4.8.3, step 5)."""
        best = ""
        best_issuer = issuer
        for order in permutations(others):
            path, chosen = self._path(order, issuer.copy(), best)
            if path is not None and (not best or path < best):
                best, best_issuer = path, chosen
        return best, best_issuer

    def _path(self, order: Sequence[str], issuer: _Issuer, best: str) -> tuple[str | None, _Issuer]:
        """Return the path of one order, None once it cannot become smaller than the best."""
        path = ""
        open_ends = []
        for other in order:
            self._spend()
            if other in self._canonical.issued:
                path += f"_:{self._canonical.issued[other]}"
            else:
                if other not in issuer.issued:
                    open_ends.append(other)
                path += f"_:{issuer.issue(other)}"
            if _is_longer(path, best):
                return None, issuer
        for other in open_ends:
            found, after = self._n_degree(other, issuer)
            path += f"_:{issuer.issue(other)}<{found}>"
            issuer = after
            if _is_longer(path, best):
                return None, issuer
        return path, issuer

    def _spend(self) -> None:
        self._steps -= 1
        if self._steps < 0:
            raise _entangled("the blank nodes are too much alike to be told apart")


def _entangled(message: str) -> ValidationError:
    return ValidationError(
        message,
        code="blank_nodes_too_entangled",
        hint='give the nodes IRIs, or leave blank_nodes at "skolem"',
    )


def _is_longer(path: str, best: str) -> bool:
    return bool(best) and len(path) >= len(best) and path > best


def _positions(quad: ox.Quad) -> Iterator[tuple[str, str]]:
    """Yield the blank nodes of a quad with their positions."""
    parts: tuple[tuple[str, Any], ...] = (
        ("s", quad.subject),
        ("o", quad.object),
        ("g", quad.graph_name),
    )
    for position, part in parts:
        if isinstance(part, ox.BlankNode):
            yield position, part.value
        elif isinstance(part, ox.Triple):
            raise ValidationError(
                f"{quad} holds a triple term, which RDFC-1.0 does not know",
                code="unsupported_term",
                hint="reify it",
            )


def _blank_nodes(quad: ox.Quad) -> list[str]:
    return [node for _, node in _positions(quad)]


def _seen_from(node: str, quad: ox.Quad) -> str:
    others = {other: "a" if other == node else "z" for other in _blank_nodes(quad)}
    return f"{relabelled(quad, others)} .\n"


__all__ = ["MAX_STEPS", "canonical_labels", "relabelled"]
