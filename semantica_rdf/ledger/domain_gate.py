"""
The domain gate: a user's own shapes, held against what a write would leave believed.

Judged are the touched focus nodes, the subjects and objects of facts whose belief changes, at
every valid instant the write changes: a verdict is good up to the first bound of anything it
looked at, and there the next one begins. In the first stretch of a window without a start, as far
back as anyone asks, nothing is missed: what is lacking there may only be undated. Too many or wrong
values are refused there as anywhere; and where nothing is dated, or the window ends before
anything begins, everything is judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from semantica_rdf.errors import ShapeViolation
from semantica_rdf.ledger.believed import BelievedGraph, BelievedRecord
from semantica_rdf.ledger.working import WorkingSet
from semantica_rdf.model.interval_set import IntervalSet, union
from semantica_rdf.model.statement import Statement
from semantica_rdf.model.time import OPEN_END, OPEN_START, Window, instant_text
from semantica_rdf.shacl import Report, Result, Shape, Shapes
from semantica_rdf.shacl.names import INFO, SH, WARNING, Term
from semantica_rdf.shacl.sparql_constraints import Batch

_Key: TypeAlias = tuple[object, ...]


_NOT_MENDED_BY_MORE = frozenset(
    f"{SH}{name}ConstraintComponent"
    for name in (
        "MaxCount", "QualifiedMaxCount", "Datatype", "NodeKind", "Pattern", "MinLength", "MaxLength",
        "MinInclusive", "MaxInclusive", "MinExclusive", "MaxExclusive", "In", "LanguageIn",
        "UniqueLang", "LessThan", "LessThanOrEquals", "Disjoint", "Closed",
    )
)  # fmt: skip
"""Components whose results stay whatever else turns out to have held."""


class Finding(NamedTuple):
    """A result, the valid windows in which it stands, and the new statements it is about."""

    result: Result
    windows: IntervalSet
    statements: tuple[str, ...]

    def __str__(self) -> str:
        when = _when(self.windows)
        return f"{self.result} ({when})" if when else str(self.result)


def _when(windows: IntervalSet) -> str:
    bounds = []
    for start, end in windows:
        since = [] if start == OPEN_START else [f"from {instant_text(start)}"]
        until = [] if end == OPEN_END else [f"until {instant_text(end)}"]
        bounds.append(" ".join(since + until))
    return ", and ".join(bounds) if all(bounds) else ""


def findings(shapes: Iterable[Shapes], working: WorkingSet, namespace: str) -> list[Finding]:
    """Return what the believed graph of a namespace would break, were the transaction to end now."""
    record = BelievedRecord(working, namespace)
    changed = _changed_nodes(record)
    if not changed:
        return []
    graph = BelievedGraph(record)
    every = [
        shape for each in shapes for shape in each.every if shape.targets and not shape.deactivated
    ]
    core = [shape for shape in every if not shape.has_sparql]
    asking = [shape for shape in every if shape.has_sparql]
    found: dict[_Key, tuple[Result, list[Window]]] = {}
    for result, window in (*_of_core(core, graph, changed), *_of_queries(asking, graph, changed)):
        key = (result.focus, str(result.path), result.value, result.source_shape, result.component)
        found.setdefault(key, (result, []))[1].append(window)
    by_node = _statements_by_node(working)
    return [
        Finding(result, union(windows), _about(result, graph, by_node))
        for result, windows in found.values()
    ]


def refuse_violations(found: Sequence[Finding]) -> tuple[Finding, ...]:
    """
    Return the warnings among findings.

    Raises `ShapeViolation` with the whole report where there is a violation.
    """
    report = Report(tuple(item.result for item in found), {})
    broken = [item for item in found if item.result.severity not in {WARNING, INFO}]
    if not broken:
        return tuple(found)
    more = f"; and {len(broken) - 1:,} more" if len(broken) > 1 else ""
    raise ShapeViolation(
        f"{broken[0]}{more}",
        report=report,
        findings=tuple(broken),
        hint="nothing was written; see the report for each, its shape says what to do",
    )


def _changed_nodes(record: BelievedRecord) -> dict[str, IntervalSet]:
    """Return the touched nodes in N-Triples, each with the valid windows in which a fact changes."""
    windows: dict[str, dict[Window, None]] = {}
    for fact, changed in record.changed.items():
        windows.setdefault(fact.subject, {}).update(dict.fromkeys(changed))
        if fact.object[0] == "<":
            windows.setdefault(fact.object, {}).update(dict.fromkeys(changed))
    return {node: tuple(each) for node, each in windows.items()}


def _of_core(
    shapes: Sequence[Shape], graph: BelievedGraph, changed: dict[str, IntervalSet]
) -> Iterator[tuple[Result, Window]]:
    """Yield the results of shapes without queries, node by node, each as far as it looked."""
    if not shapes:
        return
    for text, windows in changed.items():
        node = graph.node(text)
        judged: dict[int, tuple[list[Result], int]] = {}
        for window in windows:
            at = window.start
            while at < window.end:
                if at not in judged:
                    graph.move(at)
                    judged[at] = (list(_broken(shapes, graph, node)), graph.stable_until)
                results, stable_until = judged[at]
                until = min(stable_until, window.end)
                undated = at == OPEN_START and until < window.end
                for result in results:
                    if not undated or result.component in _NOT_MENDED_BY_MORE:
                        yield result, Window(at, until)
                at = until


def _broken(shapes: Sequence[Shape], graph: BelievedGraph, node: Term) -> Iterator[Result]:
    for shape in shapes:
        if _targets(shape, graph, node):
            yield from shape.check(graph, node)


def _targets(shape: Shape, graph: BelievedGraph, node: Term) -> bool:
    return any(target.includes(graph, node) for target in shape.targets)


def _of_queries(
    shapes: Sequence[Shape], graph: BelievedGraph, changed: dict[str, IntervalSet]
) -> Iterator[tuple[Result, Window]]:
    """Yield the results of shapes with queries, instant by instant, all nodes of one at once."""
    if not shapes:
        return
    bounds = {bound for windows in changed.values() for window in windows for bound in window}
    instants = sorted(bounds - {OPEN_END})
    for at, until in zip(instants, [*instants[1:], OPEN_END], strict=True):
        nodes = [
            graph.node(text)
            for text, windows in changed.items()
            if any(_judged_at(window, at, until) for window in windows)
        ]
        graph.move(at)
        for shape in shapes:
            met = [node for node in nodes if _targets(shape, graph, node)]
            batch = Batch(graph, met)
            for node in met:
                yield from ((result, Window(at, until)) for result in shape.check(batch, node))


def _judged_at(window: Window, at: int, until: int) -> bool:
    if not window.start <= at < window.end:
        return False
    return at != OPEN_START or until >= window.end


def _statements_by_node(working: WorkingSet) -> dict[str, list[Statement]]:
    found: dict[str, list[Statement]] = {}
    for statement in working.new.values():
        found.setdefault(statement.fact.subject, []).append(statement)
        if statement.fact.object[0] == "<":
            found.setdefault(statement.fact.object, []).append(statement)
    return found


def _about(
    result: Result, graph: BelievedGraph, by_node: dict[str, list[Statement]]
) -> tuple[str, ...]:
    """Return the new statements a result is about: of its path and value, else all of its node."""
    near = by_node.get(str(result.focus), [])
    on_path = [item for item in near if item.fact.predicate in str(result.path)]
    exact = [item for item in on_path if _shows(graph, item, result.value)]
    return tuple(item.id for item in exact or on_path or near)


def _shows(graph: BelievedGraph, statement: Statement, value: Term | None) -> bool:
    return value is not None and graph.shown(statement) == value


__all__ = ["Finding", "findings", "refuse_violations"]
