"""
Property paths spelled out as single steps and choices between them.

A sequence becomes patterns joined by minted variables, an inverse swaps its ends, a negated set is
a pattern whose predicate is a variable. How often a solution comes back is the engine's count: a
sequence multiplies, a negated set counts triples, a choice gives each pair of ends once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from semantica_rdf.sparql import syntax
from semantica_rdf.sparql.refusals import CannotRewrite
from semantica_rdf.sparql.syntax import Pattern, Term


class Atom(NamedTuple):
    """One triple to match; its predicate may be none of `excluded`."""

    subject: Term
    predicate: Term
    object: Term
    excluded: tuple[str, ...] = ()

    @property
    def terms(self) -> tuple[Term, Term, Term]:
        """Subject, predicate and object."""
        return self.subject, self.predicate, self.object

    @property
    def names(self) -> frozenset[str]:
        """The names of its variables."""
        return frozenset(term.name for term in self.terms if term.is_variable)


class Choice(NamedTuple):
    """Ways from one end to the other, each a row of steps."""

    subject: Term
    object: Term
    branches: tuple[tuple[Step, ...], ...]

    @property
    def single(self) -> tuple[Atom, ...]:
        """Return the branches as atoms where each is one plain step, else nothing."""
        atoms = [branch[0] for branch in self.branches if len(branch) == 1]
        plain = [atom for atom in atoms if isinstance(atom, Atom) and not atom.excluded]
        return tuple(plain) if len(plain) == len(self.branches) else ()

    @property
    def parallel(self) -> bool:
        """Whether all branches are single steps in one direction."""
        found = self.single
        return bool(found) and len({(atom.subject, atom.object) for atom in found}) == 1

    @property
    def names(self) -> frozenset[str]:
        """The names of its ends that are variables."""
        return frozenset(term.name for term in (self.subject, self.object) if term.is_variable)


Step: TypeAlias = Atom | Choice


def steps_of(pattern: Pattern, fresh: Callable[[], Term]) -> tuple[Step, ...]:
    """
    Return the steps of a pattern, joined by fresh variables.

    Raises `CannotRewrite` (`transitive_path`).
    """
    subject, path, value = pattern
    if isinstance(path, syntax.Link):
        return (Atom(subject, path.term, value),)
    if isinstance(path, syntax.Inverse):
        return steps_of(Pattern(value, path.path, subject), fresh)
    if isinstance(path, syntax.Sequence):
        return _sequence(subject, path.paths, value, fresh)
    if isinstance(path, syntax.Alternative):
        return (_choice(subject, path.paths, value, fresh),)
    if isinstance(path, syntax.Negated):
        return (_negated(subject, path, value, fresh),)
    raise CannotRewrite("transitive_path")


def _sequence(
    subject: Term, paths: Sequence[syntax.Path], value: Term, fresh: Callable[[], Term]
) -> tuple[Step, ...]:
    found: list[Step] = []
    start = subject
    for path in paths[:-1]:
        middle = fresh()
        found.extend(steps_of(Pattern(start, path, middle), fresh))
        start = middle
    found.extend(steps_of(Pattern(start, paths[-1], value), fresh))
    return tuple(found)


def _choice(
    subject: Term, paths: Sequence[syntax.Path], value: Term, fresh: Callable[[], Term]
) -> Choice:
    branches: list[tuple[Step, ...]] = []
    for path in paths:
        steps = steps_of(Pattern(subject, path, value), fresh)
        only = steps[0] if len(steps) == 1 else None
        if isinstance(only, Choice) and (only.subject, only.object) == (subject, value):
            branches.extend(only.branches)
        else:
            branches.append(steps)
    return Choice(subject, value, tuple(branches))


def _negated(subject: Term, path: syntax.Negated, value: Term, fresh: Callable[[], Term]) -> Step:
    forward = Atom(subject, fresh(), value, tuple(term.text for term in path.forward))
    backward = Atom(value, fresh(), subject, tuple(term.text for term in path.backward))
    if not path.backward:
        return forward
    if not path.forward:
        return backward
    return Choice(subject, value, ((forward,), (backward,)))


__all__ = ["Atom", "Choice", "Step", "steps_of"]
