"""Small random shapes with `sh:sparql`, and queries put together from random parts."""

from __future__ import annotations

import random

from shacl.mutants import CLASSES, NODES, PREDICATES, PREFIXES, STRINGS

DECLARED = """
ex:prefixes sh:declare [ sh:prefix "ex" ; sh:namespace "https://example.org/"^^xsd:anyURI ] .
"""
SHARED = (
    "SELECT $this ?value WHERE { $this ex:p0 ?value . FILTER(isLiteral(?value)) }",
    "SELECT $this WHERE { $this ex:p0 ?a . FILTER NOT EXISTS { $this ex:p1 ?b } }",
    "SELECT DISTINCT $this ?value { $this ex:p0 ?value . OPTIONAL { $this ex:p1 ?b } FILTER(!bound(?b)) }",
    "SELECT $this ?value { $this ex:p0 ?value . { $this ex:p1 ?x } UNION { $this ex:p2 ?x } }",
    "SELECT $this ?value { $this ex:p0 ?value . BIND($this AS ?that) FILTER(?that != ?value) }",
    "SELECT $this ?value { ?x ex:p0 $this . ?x ex:p1 ?value }",
    "SELECT $this (ex:p1 AS ?path) ?value { $this ex:p0 ?value ; a ?class . FILTER(?class = ex:C1) }",
    "SELECT $this ?path ?value { $this ?path ?value . FILTER(strlen(str(?value)) > 21) }",
    "SELECT $this ?value { $this ex:p0 ?value . ?value ex:p1|ex:p2 ?other } ORDER BY ?value",
    "SELECT $this ?value { $this ex:p0 ?x . ?x ex:p1 ?value FILTER EXISTS { ?value ex:p2 $this } }",
    "SELECT * { $this ex:p0 ?value . FILTER(?value != $this) }",
)
"""Queries that one run answers for many nodes."""
ALONE = (
    "SELECT $this { FILTER($this = ex:n0) }",
    "SELECT $this (COUNT(?x) AS ?value) { $this ex:p0 ?x } GROUP BY $this HAVING(COUNT(?x) > 1)",
    "SELECT $this ?value { { $this ex:p0 ?value } UNION { $this ex:p1 ?value } }",
    "SELECT $this ?value { { SELECT $this (COUNT(?v) AS ?value) { $this ex:p0 ?v } GROUP BY $this } }",
    "SELECT $this ?value { $this ex:p0/ex:p1 ?value }",
    "SELECT $this ?value { $this ex:p0 ?value . OPTIONAL { ?value ex:p1 ?w FILTER(?w = $this) } }",
    "SELECT $this ?value { $this ex:p0 ?value . { ?value ex:p1 ?w FILTER(?w != $this) } }",
    "SELECT $this ?value { OPTIONAL { $this ex:p0 ?value } FILTER(!bound(?value)) }",
    "SELECT $this ?value { $this ex:p0* ?value . FILTER(isBlank(?value)) }",
)
"""Queries that have to be asked for each node."""
OF_PROPERTIES = (
    "SELECT $this ?value { $this $PATH ?value . FILTER(!isLiteral(?value)) }",
    "SELECT $this { $this $PATH ?a . $this $PATH ?b . FILTER(?a != ?b) }",
    "SELECT $this ?value { $this $PATH ?value . FILTER NOT EXISTS { ?value a ex:C0 } }",
)


class Maker:
    """Draws one pair of graphs."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"sparql {seed}")

    def pick(self, choices):
        return self.random.choice(choices)

    def data(self, nodes=NODES) -> str:
        lines = ["ex:C1 rdfs:subClassOf ex:C0 ."]
        lines += [f"{self.pick(nodes)} a {self.pick(CLASSES)} ." for _ in range(4)]
        for _ in range(self.random.randint(4, 12)):
            value = (
                self.pick(nodes)
                if self.random.random() < 0.6
                else self.pick((*STRINGS, "1", "2.5"))
            )
            lines.append(f"{self.pick(nodes)} {self.pick(PREDICATES)} {value} .")
        return PREFIXES + "\n".join(lines)

    def shapes(self, query: str) -> str:
        target = self.pick(
            ("sh:targetNode ex:n0, ex:n1, ex:absent", f"sh:targetSubjectsOf {self.pick(PREDICATES)}",
             f"sh:targetClass {self.pick(CLASSES)}")
        )  # fmt: skip
        path = (
            f"sh:path {self.pick((*PREDICATES, '( ex:p0 ex:p1 )', '[ sh:inversePath ex:p0 ]'))} ;"
        )
        return (
            PREFIXES
            + DECLARED
            + f"ex:S {target} ; {path if '$PATH' in query else ''} sh:sparql ex:constraint ."
            + f'ex:constraint sh:message "said" ; sh:prefixes ex:prefixes ; sh:select """{query}""" .'
        )

    def query(self) -> str:
        """Return a query of random parts, some of which forbid that nodes share a run."""
        first = self.pick(
            ("$this ex:p0 ?a .", "?a ex:p0 $this .", "$this ?p ?a .", "$this ex:p0 ?a ; ex:p1 ?b .",
             "", "?a ex:p1 ?b .")
        )  # fmt: skip
        parts = [self.part(1) for _ in range(self.random.randint(0, 3))]
        head = self.pick(("$this", "DISTINCT $this", "$this ?a", "?b $this"))
        return f"SELECT {head} {{ {first} {' '.join(parts)} }}"

    def part(self, depth: int) -> str:
        inner = "" if depth > 2 else self.part(depth + 1) if self.random.random() < 0.4 else ""
        triple = self.pick(
            (
                "$this ex:p1 ?b .",
                "?a ex:p1 ?b .",
                "?b ex:p2 $this .",
                "?b ex:p0 ?c .",
                "?c ex:p2 ?d .",
            )
        )
        test = self.pick(
            ("?a != $this", "bound($this)", "?b = $this", "isIRI(?a)", "bound(?b)", "?c != ?a",
             "isIRI($this) && bound(?c)")
        )  # fmt: skip
        kind = self.pick(("triple", "filter", "optional", "union", "exists", "group", "bind"))
        return {
            "triple": triple,
            "filter": f"FILTER({test})",
            "optional": f"OPTIONAL {{ {triple} {inner} }}",
            "union": f"{{ {triple} {inner} }} UNION {{ {self.pick(('$this ex:p2 ?b', '?a a ?c'))} }}",
            "exists": f"FILTER {self.pick(('', 'NOT '))}EXISTS {{ {triple} {inner} }}",
            "group": f"{{ {triple} {inner} }}",
            "bind": f"BIND($this AS ?t{self.random.randint(0, 10**6)})",
        }[kind]
