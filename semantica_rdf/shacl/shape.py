"""
A compiled shape: what it applies to, and a function that tells whether a node conforms.

Design: a constraint is one of four kinds of check, and a way to list what breaks it. Checks are
cheap and make no objects; results are only made once a check has failed. A check of values alone
is remembered for the values that passed it, a bounded number of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import pyoxigraph as ox

from semantica_rdf.shacl.data_graph import DataGraph
from semantica_rdf.shacl.names import Node, Term
from semantica_rdf.shacl.paths import Evaluator, Path, evaluator
from semantica_rdf.shacl.report import Result
from semantica_rdf.shacl.targets import Target

Conforms: TypeAlias = Callable[[DataGraph, Term], bool]
ValueTest: TypeAlias = Callable[[Term], bool]
Holds: TypeAlias = Callable[[DataGraph, Term, Collection[Term]], bool]
Results: TypeAlias = Callable[[DataGraph, Term, Collection[Term]], Iterable[Result]]

REMEMBERED = 1024
"""How many values that passed are remembered per shape before forgetting them all."""
_LONGEST_REMEMBERED = 256
NO_LIMIT = 2**63
"""The limit of a number of values that has none."""


class Constraint(NamedTuple):
    """
    One constraint of one shape: exactly one of `limits`, `test`, `each` and `whole` is given.

    `limits` bounds the number of values. `test` looks at one value alone, and is `cheap` where
    remembering would cost more. `each` looks at one value in the data; `whole` at the focus node
    with all its values. `results` lists what is wrong and is asked only when something is.
    `shape` is the nested shape of a `sh:property`; `needs` a predicate without which, at the focus
    node, the constraint holds whatever the values are.
    """

    component: str
    results: Results
    limits: tuple[int, int] | None = None
    test: ValueTest | None = None
    cheap: bool = False
    each: Conforms | None = None
    whole: Holds | None = None
    has_sparql: bool = False
    shape: Shape | None = None
    needs: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """
    One shape. `path` is None for a node shape; `severity` is an IRI as text.

    `conforms(data, node)` takes a node for a focus node whatever the targets say; `test` does the
    same without data, and exists where the values alone decide.
    """

    node: Node
    path: Path | None
    targets: tuple[Target, ...]
    severity: str
    message_literals: tuple[ox.Literal, ...]
    deactivated: bool
    constraints: tuple[Constraint, ...]
    conforms: Conforms
    values: Evaluator
    test: ValueTest | None
    has_sparql: bool

    @property
    def messages(self) -> tuple[str, ...]:
        """The shape's own messages as text."""
        return tuple(literal.value for literal in self.message_literals)

    def check(self, data: DataGraph, node: Term) -> list[Result]:
        """Return what is wrong with a node, taken for a focus node whatever the targets say."""
        if self.conforms(data, node):
            return []
        values = self.values(data, node)
        return [
            result
            for constraint in self.constraints
            for result in constraint.results(data, node, values)
        ]

    def __str__(self) -> str:
        return str(self.node)


def checks_of(
    path: Path | None, constraints: tuple[Constraint, ...]
) -> tuple[Conforms, Evaluator, ValueTest | None]:
    """Return the functions of a shape: whether a node conforms, its values, the test without data."""
    if path is None:
        return _node_check(constraints), _itself, _test_of(constraints)
    values = evaluator(path)
    predicate = path.value if isinstance(path, ox.NamedNode) else None
    return _property_check(predicate, values, constraints), values, None


def _itself(_: DataGraph, node: Term) -> Collection[Term]:
    return (node,)


def _test_of(constraints: tuple[Constraint, ...]) -> ValueTest | None:
    """Return one test for all constraints of a node shape, when each looks at the value alone."""
    tests = tuple(constraint.test for constraint in constraints if constraint.test is not None)
    if len(tests) != len(constraints):
        return None
    return _all_of(tests)


def _all_of(tests: tuple[ValueTest, ...]) -> ValueTest:
    if len(tests) == 1:
        return tests[0]

    def _passes(value: Term) -> bool:
        return all(test(value) for test in tests)

    return _passes


def _node_check(constraints: tuple[Constraint, ...]) -> Conforms:
    checks = tuple(_on_focus(constraint) for constraint in constraints)

    def _conforms(data: DataGraph, node: Term) -> bool:
        for check in checks:  # noqa: SIM110 - a generator costs more than the loop
            if not check(data, node):
                return False
        return True

    return checks[0] if len(checks) == 1 else _conforms


def _on_focus(constraint: Constraint) -> Conforms:
    """Return a constraint as a check of a focus node that is its own and only value."""
    test, each, whole = constraint.test, constraint.each, constraint.whole
    if test is not None:
        return lambda _, node: test(node)
    if each is not None:
        return each
    assert whole is not None
    return lambda data, node: whole(data, node, (node,))


def _property_check(
    predicate: str | None, values_of: Evaluator, constraints: tuple[Constraint, ...]
) -> Conforms:
    counts = [constraint.limits for constraint in constraints if constraint.limits is not None]
    low = max((low for low, _ in counts), default=0)
    high = min((high for _, high in counts), default=NO_LIMIT)
    check_values = _values_check(constraints)
    others = _others_check(constraints)
    if predicate is not None and others is None:
        return _plain_check(predicate, low, high, constraints)

    def _conforms(data: DataGraph, node: Term) -> bool:
        values = values_of(data, node)
        return (
            low <= len(values) <= high
            and check_values(values)
            and (others is None or others(data, node, values))
        )

    return _conforms


def _plain_check(
    predicate: str, low: int, high: int, constraints: tuple[Constraint, ...]
) -> Conforms:
    """Return the check of one predicate's values alone: the usual one, so without calls inside."""
    test, remembering = _value_tests(constraints)
    passed: set[Term] = set()

    def _counted(data: DataGraph, node: Term) -> bool:
        return low <= len(data.objects(node, predicate)) <= high

    def _tested(data: DataGraph, node: Term) -> bool:
        values = data.objects(node, predicate)
        if not values:
            return not low
        for value in values:
            if not test(value):
                return False
        return low <= len(values) <= high

    def _remembered(data: DataGraph, node: Term) -> bool:
        values = data.objects(node, predicate)
        if not values:
            return not low
        for value in values:
            if value not in passed:
                if not test(value):
                    return False
                _remember(passed, value)
        return low <= len(values) <= high

    if test is _anything:
        return _counted
    return _remembered if remembering else _tested


def _anything(_: Term) -> bool:
    return True


def _value_tests(constraints: tuple[Constraint, ...]) -> tuple[ValueTest, bool]:
    """Return one test for all that look at a value alone, and whether remembering it pays."""
    found = [constraint for constraint in constraints if constraint.test is not None]
    tests = tuple(constraint.test for constraint in found if constraint.test is not None)
    if not tests:
        return _anything, False
    return _all_of(tests), not all(constraint.cheap for constraint in found)


def _values_check(constraints: tuple[Constraint, ...]) -> Callable[[Collection[Term]], bool]:
    """Return the check of each value alone, that remembers the values which passed."""
    test, remembering = _value_tests(constraints)
    passed: set[Term] = set()

    def _check(values: Collection[Term]) -> bool:
        for value in values:
            if value not in passed:
                if not test(value):
                    return False
                if remembering:
                    _remember(passed, value)
        return True

    return (lambda _: True) if test is _anything else _check


def _remember(passed: set[Term], value: Term) -> None:
    if is_worth_remembering(value):
        if len(passed) >= REMEMBERED:
            passed.clear()
        passed.add(value)


def is_worth_remembering(value: Term) -> bool:
    """Tell whether a value is short enough to be kept with others that passed."""
    return not isinstance(value, ox.Triple) and len(value.value) <= _LONGEST_REMEMBERED


def _others_check(constraints: tuple[Constraint, ...]) -> Holds | None:
    """Return the check of what needs the data; None when nothing does."""
    each = tuple(constraint.each for constraint in constraints if constraint.each is not None)
    whole = tuple(constraint.whole for constraint in constraints if constraint.whole is not None)
    if not each and not whole:
        return None

    def _check(data: DataGraph, node: Term, values: Collection[Term]) -> bool:
        for value in values:
            for of_value in each:
                if not of_value(data, value):
                    return False
        for of_all in whole:  # noqa: SIM110 - a generator costs more than the loop
            if not of_all(data, node, values):
                return False
        return True

    return _check


__all__ = [
    "NO_LIMIT",
    "REMEMBERED",
    "Conforms",
    "Constraint",
    "Holds",
    "Results",
    "Shape",
    "ValueTest",
    "checks_of",
    "is_worth_remembering",
]
