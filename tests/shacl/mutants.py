"""
Small random shapes graphs with small random data, in Turtle: the same pair for every seed.

A pair has either constraints that order values, and then literals of one ordered kind beside
strings; or literals of every kind, and then no such constraint: pySHACL orders values of different
kinds by the IRI of their type, which `known_faults.py` shows case by case.
"""

from __future__ import annotations

import random
from typing import NamedTuple

PREFIXES = """
@prefix ex: <https://example.org/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
NODES = ("ex:n0", "ex:n1", "ex:n2", "ex:n3", "_:b0", "_:b1")
PREDICATES = ("ex:p0", "ex:p1", "ex:p2")
COMPARED = ("ex:q0", "ex:q1")
CLASSES = ("ex:C0", "ex:C1", "ex:C2")
NUMBERS = ("-1", "0", "1", "2", "3", "2.5", "1.0", "2.5e0", "1e3",
           '"4"^^xsd:byte', '"5"^^xsd:nonNegativeInteger', '"1.5"^^xsd:float')  # fmt: skip
TIMES = ('"2026-01-01T00:00:00Z"^^xsd:dateTime', '"2026-01-01T12:00:00Z"^^xsd:dateTime',
         '"2026-01-01T14:00:00+02:00"^^xsd:dateTime', '"2025-06-01T00:00:00.5Z"^^xsd:dateTime')  # fmt: skip
NAIVE = ('"2026-01-01T00:00:00"^^xsd:dateTime', '"2027-01-01T00:00:00"^^xsd:dateTime')
DATES = ('"2026-01-01"^^xsd:date', '"2026-02-28"^^xsd:date', '"1999-12-31"^^xsd:date')
BOOLEANS = ("true", "false")
STRINGS = ('""', '"a"', '"abc"', '"Zug"', '"b7"', '"a long text of words"', '"line\\nbreak"')
TAGGED = ('"Zug"@de', '"Bahn"@de', '"train"@en', '"rail"@en', '"lift"@en-GB', '"autre"@fr')
ILL_TYPED = ('"x"^^xsd:integer', '"300"^^xsd:byte', '"-1"^^xsd:nonNegativeInteger',
             '"yes"^^xsd:boolean', '"2026-13-01"^^xsd:date', '"1,5"^^xsd:decimal')  # fmt: skip
OTHER = ('"v"^^ex:type', '"2026"^^xsd:gYear', '"P1D"^^xsd:dayTimeDuration')
ORDERED = (NUMBERS, TIMES, DATES, (*TIMES, *NAIVE))
LITERALS = (*NUMBERS, *TIMES, *DATES, *BOOLEANS, *STRINGS, *TAGGED, *ILL_TYPED, *OTHER)
DATATYPES = ("xsd:integer", "xsd:decimal", "xsd:double", "xsd:string", "xsd:boolean", "xsd:date",
             "xsd:dateTime", "xsd:byte", "xsd:nonNegativeInteger", "rdf:langString", "ex:type")  # fmt: skip
KINDS = ("sh:IRI", "sh:BlankNode", "sh:Literal", "sh:BlankNodeOrIRI", "sh:BlankNodeOrLiteral",
         "sh:IRIOrLiteral")  # fmt: skip
PATTERNS = (('"^a"', None), ('"[0-9]$"', None), ('"zug"', '"i"'), ('"n[01]"', None),
            ('"^(a|b)"', '"i"'), ('"."', None))  # fmt: skip
PATHS = ("inverse", "sequence", "alternative", "zeroOrMore", "oneOrMore", "zeroOrOne")
VALUES = {
    "class": CLASSES,
    "datatype": DATATYPES,
    "nodeKind": KINDS,
    "minLength": range(1, 6),
    "maxLength": (1, 3, 21, 22, 40),
    "languageIn": ('( "en" )', '( "de" "fr" )', '( "EN" "en-GB" )'),
    "equals": PREDICATES,
    "disjoint": PREDICATES,
    "lessThan": COMPARED,
    "lessThanOrEquals": COMPARED,
    "minCount": (0, 1, 1, 2),
    "maxCount": (0, 1, 1, 2),
    "uniqueLang": ("true", "true", "false"),
}
SIMPLE = ("class", "datatype", "nodeKind", "minExclusive", "minInclusive", "maxExclusive",
          "maxInclusive", "minLength", "maxLength", "pattern", "languageIn", "equals", "disjoint",
          "hasValue", "in", "closed")  # fmt: skip
ONLY_PROPERTY = ("minCount", "maxCount", "uniqueLang", "uniqueLang", "qualifiedValueShape", "lessThan",
                 "lessThanOrEquals", "lessThan", "lessThanOrEquals")  # fmt: skip
NESTING = ("not", "and", "or", "xone", "node", "property", "property", "property")
SEVERITIES = ("sh:Violation", "sh:Warning", "sh:Info")


class Mutant(NamedTuple):
    """One pair of graphs, and the components its shapes use."""

    shapes: str
    data: str
    parameters: frozenset[str]


class Maker:
    """Draws one mutant."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"mutant {seed}")
        self.parameters: set[str] = set()
        self.extra: list[str] = []
        self.named = 0
        self.ordered = self.pick((*ORDERED, None, None))
        self.literals = (
            LITERALS if self.ordered is None else (*self.ordered, *self.ordered, *STRINGS)
        )
        unwanted = "clusive" if self.ordered is None else "uniqueLang"
        self.simple = tuple(name for name in SIMPLE if unwanted not in name)
        self.only_property = tuple(name for name in ONLY_PROPERTY if unwanted not in name)
        if self.ordered is None or NAIVE[0] in self.ordered:
            self.only_property = tuple(n for n in self.only_property if "lessThan" not in n)

    def pick(self, choices):
        return self.random.choice(choices)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def mutant(self, top_level: int = 2) -> Mutant:
        tops = [self.top(number) for number in range(self.random.randint(1, top_level))]
        shapes = PREFIXES + "\n".join([*self.extra, *tops])
        data = self.data(shapes)
        return Mutant(shapes, PREFIXES + data, frozenset(self.parameters))

    # data

    def data(self, shapes: str) -> str:
        lines = ["ex:C1 rdfs:subClassOf ex:C0 ."] if self.chance(0.5) else []
        lines += [f"{self.pick(NODES)} a {self.pick(CLASSES)} ." for _ in range(4)]
        for _ in range(self.random.randint(3, 10)):
            subject, predicate = self.pick(NODES), self.pick(PREDICATES)
            lines.append(f"{subject} {predicate} {self.value()} .")
        if "uniqueLang" in shapes:
            for predicate in PREDICATES:
                tagged = " , ".join(self.pick(TAGGED) for _ in range(3))
                lines.append(f"{self.pick(NODES[:2])} {predicate} {tagged} .")
        for _ in range(self.pick((3, 6)) if "ex:q1" in shapes else 0):
            value = self.pick(self.ordered if self.chance(0.9) else STRINGS)
            lines.append(f"{self.pick(NODES[:3])} {self.pick(COMPARED)} {value} .")
        if "ex:q1" in shapes and self.chance(0.2):
            lines.append(f"{self.pick(NODES[:3])} {COMPARED[1]} {self.pick(NODES[4:])} .")
        return "\n".join(lines)

    def value(self) -> str:
        return self.pick(NODES) if self.chance(0.35) else self.pick(self.literals)

    # shapes

    def top(self, number: int) -> str:
        is_property = self.chance(0.4)
        node = f"ex:Shape{number}"
        parts = [self.target()]
        if self.chance(0.2):
            parts.append(self.target())
        if self.chance(0.1):
            node = CLASSES[number]
            parts.append(
                "a rdfs:Class, sh:PropertyShape" if is_property else "a rdfs:Class, sh:NodeShape"
            )
        else:
            parts.append("a sh:PropertyShape" if is_property else "a sh:NodeShape")
        parts += self.body(is_property, 0)
        return f"{node} {' ; '.join(parts)} ."

    def target(self) -> str:
        kind = self.pick(("targetNode", "targetClass", "targetSubjectsOf", "targetObjectsOf"))
        self.parameters.add(kind)
        if kind == "targetNode":
            return f"sh:targetNode {self.pick([*NODES[:4], *self.literals[:3], *STRINGS[:4]])}"
        return f"sh:{kind} {self.pick(CLASSES if kind == 'targetClass' else PREDICATES)}"

    def body(self, is_property: bool, depth: int) -> list[str]:
        parts = [f"sh:path {self.path(0)}"] if is_property else []
        makers = list(self.simple if depth >= 2 else [*self.simple, *self.simple, *NESTING])
        if is_property:
            makers += [*self.only_property, *self.only_property, *self.only_property]
        taken: set[str] = set()
        for _ in range(self.pick((1, 1, 1, 2, 3))):
            name = self.pick(makers)
            if name not in taken:
                taken.add(name)
                parts.append(self.constraint(name, depth))
        if taken & {"lessThan", "lessThanOrEquals"}:
            parts[0] = f"sh:path {COMPARED[0]}"
        if self.chance(0.1):
            parts.append(f"sh:severity {self.pick(SEVERITIES)}")
        if self.chance(0.05):
            self.parameters.add("deactivated")
            parts.append(f"sh:deactivated {self.pick(BOOLEANS)}")
        return parts

    def path(self, depth: int, kinds=PATHS) -> str:
        if depth >= 2 or self.chance(0.7):
            return self.pick((*PREDICATES, "rdf:type") if self.chance(0.1) else PREDICATES)
        kind = self.pick(kinds)
        self.parameters.add(kind)
        if kind == "inverse":
            kinds = tuple(name for name in kinds if name != "sequence")
        inner = self.path(depth + 1, kinds)
        if kind == "sequence":
            return f"( {inner} {self.path(depth + 1, kinds)} )"
        if kind == "alternative":
            return f"[ sh:alternativePath ( {inner} {self.path(depth + 1, kinds)} ) ]"
        return f"[ sh:{kind}Path {inner} ]"

    def inner(self, depth: int, *, is_property: bool = False) -> str:
        body = " ; ".join(self.body(is_property, depth + 1))
        if self.chance(0.2):
            self.named += 1
            self.extra.append(f"ex:Inner{self.named} {body} .")
            return f"ex:Inner{self.named}"
        return f"[ {body} ]"

    def shapes(self, depth: int) -> str:
        inner = (
            self.inner(depth, is_property=self.chance(0.2)) for _ in range(self.pick((1, 2, 2, 3)))
        )
        return f"( {' '.join(inner)} )"

    def constraint(self, name: str, depth: int) -> str:
        """Return predicate and object of a parameter, with its companions."""
        self.parameters.add(name)
        if name == "pattern":
            pattern, flags = self.pick(PATTERNS)
            return f"sh:pattern {pattern}" + (f" ; sh:flags {flags}" if flags else "")
        if name == "closed":
            ignored = self.random.sample([*PREDICATES, "rdf:type"], self.pick((0, 1, 3, 4)))
            closed = self.pick(("true", "true", "false"))
            return f"sh:closed {closed} ; sh:ignoredProperties ( {' '.join(ignored)} )"
        if name == "qualifiedValueShape":
            count = self.pick(("MinCount 1", "MaxCount 1", "MinCount 2", "MaxCount 0"))
            disjoint = "sh:qualifiedValueShapesDisjoint true ; " if self.chance(0.3) else ""
            return f"{disjoint}sh:qualified{count} ; sh:{name} {self.inner(depth)}"
        if name in {"and", "or", "xone"}:
            return f"sh:{name} {self.shapes(depth)}"
        if name in {"not", "node", "property"}:
            is_property = name == "property" or (name == "not" and self.chance(0.2))
            return f"sh:{name} {self.inner(depth, is_property=is_property)}"
        if name.endswith("clusive"):
            return f"sh:{name} {self.pick(self.ordered if self.chance(0.8) else STRINGS)}"
        if name == "hasValue":
            return f"sh:{name} {self.pick([*NODES[:4], *self.literals])}"
        if name == "in":
            members = self.random.sample([*NODES[:4], *self.literals], self.pick((1, 4, 8, 12)))
            return f"sh:in ( {' '.join(members)} )"
        return f"sh:{name} {self.pick(VALUES[name])}"


def mutant(seed: int) -> Mutant:
    return Maker(seed).mutant()
