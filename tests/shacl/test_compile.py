"""What compiles and what is refused; targets, reports, bounds of cost; one test per promise."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pyoxigraph as ox
import pytest
from shacl.mutants import PREFIXES
from shacl.reference import parsed

from semantica_rdf.assets import asset_path
from semantica_rdf.errors import ValidationError
from semantica_rdf.model.vocab import SKOLEM_BASE
from semantica_rdf.shacl import MemoryGraph, Shapes, compile_shapes
from semantica_rdf.shacl.shape import REMEMBERED

pytestmark = pytest.mark.quick

EX = "https://example.org/"
SH = "http://www.w3.org/ns/shacl#"


def compiled(turtle: str, **options) -> Shapes:
    return compile_shapes(parsed(PREFIXES + turtle), name="shapes.ttl", **options)


def graph(turtle: str) -> MemoryGraph:
    return MemoryGraph(parsed(PREFIXES + turtle))


def node(name: str) -> ox.NamedNode:
    return ox.NamedNode(EX + name)


def select(query: str, *, more: str = "", path: str = "") -> str:
    return f'ex:S sh:targetNode ex:i ; {path} sh:sparql [ {more} sh:select """{query}""" ] .'


BAD = {
    "ex:S a sh:PropertyShape ; sh:targetNode ex:i .": "without sh:path",
    "ex:S a sh:NodeShape ; sh:path ex:p .": "a node shape with sh:path",
    "ex:S sh:targetNode ex:i ; sh:path ex:p , ex:q ; sh:minCount 1 .": "sh:path has 2 values",
    "ex:S sh:targetNode ex:i ; sh:minCount 1 .": "may only stand on a property shape",
    "ex:S sh:path ex:p ; sh:minCount -1 .": "no whole number",
    'ex:S sh:path ex:p ; sh:minCount "one" .': "no whole number",
    "ex:S sh:path ex:p ; sh:datatype xsd:date , xsd:time .": "sh:datatype has 2 values",
    'ex:S sh:targetNode ex:i ; sh:datatype "date" .': "is no IRI",
    "ex:S sh:targetNode ex:i ; sh:nodeKind sh:Iri .": "is none of the six",
    'ex:S sh:targetNode ex:i ; sh:pattern "(" .': "sh:pattern",
    'ex:S sh:targetNode ex:i ; sh:pattern "a" ; sh:flags "k" .': "no such flag as k",
    'ex:S sh:targetNode ex:i ; sh:flags "i" .': "sh:flags says nothing without sh:pattern",
    "ex:S sh:targetNode ex:i ; sh:minInclusive ex:one .": "is no literal",
    'ex:S sh:targetNode ex:i ; sh:minInclusive "a"@en .': "has no order",
    "ex:S sh:targetNode ex:i ; sh:in ex:a .": "no well-formed list",
    "ex:S sh:targetNode ex:i ; sh:or ( ) .": "empty list",
    'ex:S sh:targetNode ex:i ; sh:node "x" .': "stands where a shape must",
    "ex:S sh:targetNode ex:i ; sh:property [ sh:minLength 1 ] .": "has no sh:path",
    "ex:S sh:targetNode ex:i ; sh:node [ sh:path ex:p ; sh:minCount 1 ] .": "is a property shape",
    "ex:S sh:targetNode ex:i ; sh:closed ex:yes .": "is no boolean",
    "ex:S sh:targetNode ex:i ; sh:closed true ; sh:ignoredProperties ( 1 ) .": "is no IRI",
    'ex:S sh:targetClass "C" .': "is no sh:targetClass",
    "ex:S sh:targetNode ex:i ; sh:severity 1 .": "severity",
    "ex:S sh:targetNode ex:i ; sh:message 1 .": "is no text",
    "ex:S sh:targetNode ex:i ; sh:deactivated 1 .": "is no boolean",
    "ex:S sh:path ex:p ; sh:qualifiedValueShape [ sh:class ex:C ] .": "has neither",
    "ex:S sh:targetNode ex:i ; sh:node ex:Missing .": f"<{EX}Missing>: is referred to as a shape",
    "ex:i ex:p ex:o .": "holds no shape",
    select("ASK { $this ?p ?o }"): "is no SELECT",
    select("CONSTRUCT { $this ?p 1 } { { SELECT $this { $this ?p ?o } } }"): "is no SELECT",
    select("SELECT ?value { ?this ?p ?value }"): "does not name $this",
    select("SELECT $this { $this ?p ?o "): "not SPARQL",
    select("SELECT $this { $this nope:p ?o }"): "nope:p",
    select("SELECT $this { $this $PATH ?o }"): "a node shape has no path",
    select("SELECT $this { $this ?p ?o MINUS { $this ?p 1 } }"): "MINUS",
    select("SELECT $this { VALUES ?x { 1 } $this ?p ?x }"): "VALUES",
    select("SELECT $this { $this ?p ?o } VALUES ?o { 1 }"): "VALUES",
    select("SELECT $this { BIND(1 AS $this) }"): "a value of its own",
    select("SELECT $this { $this ?p ?o { SELECT ?o { ?o ?p ?q } } }"): "a nested SELECT",
    select("SELECT $this { $this ?p ?o { SELECT * { $this ?p ?q } } }"): "a nested SELECT",
    select("SELECT $this { $this ?p ?o }", more="sh:prefixes [ sh:declare [ sh:prefix 'a' ] ] ;"):
        "sh:declare",
    "ex:S sh:targetNode ex:i ; sh:sparql [ sh:select 1 ] .": "is no string",
}  # fmt: skip
UNSUPPORTED = {
    "ex:S sh:targetNode ex:i ; sh:js [ ] .": "uses sh:js",
    "ex:S sh:targetNode ex:i ; sh:rule [ ] .": "uses sh:rule",
    "ex:S sh:target [ ] ; sh:class ex:C .": "uses sh:target",
    "ex:S sh:targetNode ex:i ; sh:expression [ ] .": "uses sh:expression",
    "ex:S sh:targetNode ex:i ; sh:minCout 1 .": "uses sh:minCout",
    "ex:S sh:targetNode ex:i ; sh:value 1 .": "uses sh:value",
    "ex:S sh:targetClas ex:C .": "uses sh:targetClas",
    "ex:S a sh:NodShape .": "is of type sh:NodShape",
    "ex:C a sh:ConstraintComponent . ex:S sh:targetNode ex:i .": "is of type sh:ConstraintComponent",
    "ex:F a sh:SPARQLFunction . ex:S sh:targetNode ex:i .": "is of type sh:SPARQLFunction",
    'ex:S sh:targetNode ex:i ; sh:sparql "SELECT" .': "has no sh:select",
    "ex:o sh:entailment ex:RDFS . ex:S sh:targetNode ex:i .": "uses sh:entailment",
    "ex:S sh:targetNode ex:i ; sh:node ex:S .": "refers to itself",
    "ex:S sh:targetNode ex:i ; sh:not [ sh:or ( ex:S ) ] .": "refers to itself",
    "ex:S sh:targetNode ex:i ; sh:sparql [ sh:ask 'ASK { }' ] .": "uses sh:ask",
    "ex:S sh:targetNode ex:i ; sh:sparql [ sh:message 'no query' ] .": "has no sh:select",
    select("SELECT $this { $this ?p ?o }", more="sh:severity sh:Warning ;"): "uses sh:severity",
    select("SELECT $this { GRAPH ?g { $this ?p ?o } }"): "uses GRAPH",
    select("SELECT $this FROM <urn:g> { $this ?p ?o }"): "uses FROM",
    select("SELECT $this { SERVICE <urn:s> { $this ?p ?o } }"): "SERVICE",
    select("SELECT $this { $this ?p ?o FILTER($currentShape = ?o) }"): "uses $currentShape",
    select("SELECT $this { $this ?p ?o FILTER(bound($shapesGraph)) }"): "uses $shapesGraph",
    select("SELECT $this ?failure { $this ?p ?failure }"): "uses ?failure",
    select("SELECT $this { $this ?p ?o FILTER(" + "(" * 200 + "?o" + ")" * 200 + ") }"): "nested too deeply",
}  # fmt: skip


@pytest.mark.parametrize("turtle", BAD)
def test_what_is_not_well_formed_is_refused_by_name(turtle):
    with pytest.raises(ValidationError) as caught:
        compiled(turtle)
    assert caught.value.code == "bad_shape"
    assert BAD[turtle] in caught.value.message
    assert caught.value.message.startswith("shapes.ttl: ")


@pytest.mark.parametrize("turtle", UNSUPPORTED)
def test_what_is_not_supported_is_refused_by_name(turtle):
    with pytest.raises(ValidationError) as caught:
        compiled(turtle)
    assert caught.value.code == "unsupported_shape"
    assert UNSUPPORTED[turtle] in caught.value.message
    assert caught.value.hint


def test_a_function_nobody_knows_is_refused_and_a_cast_is_not():
    with pytest.raises(ValidationError, match="urn:f"):
        compiled(select("SELECT $this { $this ?p ?o FILTER(<urn:f>(?o)) }"))
    query = f"SELECT $this {{ $this ?p ?o FILTER(<{EX}#x> IN (?p) || <http://www.w3.org/2001/XMLSchema#integer>(?o) = 1) }}"
    shapes = compiled(select(query))
    assert not shapes.validate(graph("ex:i ex:p '1' .")).conforms


def test_the_vocabulary_of_shacl_may_stand_beside_the_shapes():
    vocabulary = (
        "sh:TheComponent a sh:ConstraintComponent ; sh:parameter sh:TheComponent-the ."
        "sh:Parameter rdfs:subClassOf sh:PropertyShape . sh:TheComponent-the a sh:Parameter ; sh:path sh:the ."
    )
    shapes = compiled(vocabulary + "ex:S sh:targetNode ex:i ; sh:class ex:C .")
    assert not shapes.validate(graph("ex:i ex:p 1 .")).conforms
    with pytest.raises(ValidationError, match="uses sh:the"):
        compiled(vocabulary + "ex:S sh:targetNode ex:i ; sh:the ex:C .")


def test_what_says_nothing_about_conformance_is_taken():
    shapes = compiled(
        """ex:S a sh:NodeShape , rdfs:Resource ; sh:targetNode ex:i ; sh:name "s" ; ex:note 1 ;
        sh:description "d" ; sh:property [ sh:path ex:p ; sh:order 1 ; sh:group ex:G ; sh:name "p" ;
        sh:defaultValue 2 ] . ex:G a sh:PropertyGroup ; sh:order 0 ; rdfs:label "group" ."""
    )
    assert shapes.validate(graph("ex:i ex:p 1 .")).conforms


def nested(depth: int) -> str:
    links = (f"ex:S{number} sh:node ex:S{number + 1} ." for number in range(depth))
    return f"ex:S0 sh:targetNode ex:i . {' '.join(links)} ex:S{depth} sh:class ex:C ."


def test_nesting_has_a_limit_that_the_stack_bears():
    shapes = compiled(nested(49))
    assert not shapes.validate(graph("ex:i ex:p 1 .")).conforms
    assert shapes.validate(graph("ex:i a ex:C .")).conforms
    with pytest.raises(ValidationError, match="more than 50 deep"):
        compiled(nested(50))


# targets


def test_a_shape_without_focus_nodes_is_named_and_one_without_target_too():
    shapes = compiled(
        "ex:Met sh:targetClass ex:C . ex:Unmet sh:targetClass ex:D . ex:Off sh:targetClass ex:D ;"
        " sh:deactivated true . ex:Loose sh:class ex:C . ex:Part sh:class ex:C . ex:Met sh:node ex:Part ."
    )
    report = shapes.validate(graph("ex:i a ex:C ."))
    assert dict(report.focus_counts) == {node("Met"): 1, node("Unmet"): 0}
    assert report.unmet == (node("Unmet"),)
    assert [shape.node for shape in shapes.untargeted] == [node("Loose")]
    assert {shape.node for shape in shapes.shapes} == {
        node(name) for name in ("Met", "Unmet", "Off", "Loose", "Part")
    }


@pytest.mark.parametrize(
    "type_", ["rdfs:Class", "<http://www.w3.org/2002/07/owl#Class>", "ex:Kind"]
)
def test_a_shape_that_is_a_class_targets_its_instances(type_):
    shapes = compiled(
        f"ex:Kind rdfs:subClassOf rdfs:Class . ex:C a {type_} , sh:NodeShape ; sh:nodeKind sh:IRI ."
    )
    data = graph("ex:i a ex:C . ex:j a ex:D . ex:D rdfs:subClassOf ex:C . [] a ex:C .")
    report = shapes.validate(data)
    assert dict(report.focus_counts) == {node("C"): 3}
    assert len(report.results) == 1
    assert (
        shapes.validate_nodes(data, [node("i"), node("j"), node("k")]).focus_counts[node("C")] == 2
    )


@pytest.mark.parametrize(
    "target",
    ["targetNode ex:i", "targetClass ex:C", "targetSubjectsOf ex:p", "targetObjectsOf ex:q"],
)
def test_only_the_nodes_asked_for_and_targeted_are_tried(target):
    shapes = compiled(f"ex:S sh:{target} ; sh:hasValue ex:nothing .")
    data = graph("ex:i a ex:C ; ex:p 1 . ex:j a ex:C ; ex:p 2 . ex:k ex:q ex:i .")
    assert len(shapes.validate_nodes(data, [node("i")]).results) == 1
    assert len(shapes.validate_nodes(data, [node("k"), node("none")]).results) == 0
    shape = shapes.shapes[0]
    assert len(shape.check(data, node("none"))) == 1


class Watched(MemoryGraph):
    """A graph that counts its look-ups and refuses to be enumerated."""

    looked = 0

    def objects(self, subject, predicate, /):
        self.looked += 1
        return super().objects(subject, predicate)

    def subjects_of(self, predicate, /):
        raise AssertionError(predicate)

    objects_of = subjects_of


def test_what_some_nodes_cost_does_not_follow_the_size_of_the_data():
    shapes = compiled(
        "ex:S sh:targetSubjectsOf ex:p ; sh:targetObjectsOf ex:q ; sh:targetClass ex:C ;"
        " sh:property [ sh:path ex:p ; sh:minCount 1 ; sh:class ex:C ] ."
    )
    looked = set()
    for size in (10, 1000):
        lines = [f"ex:n{number} ex:p ex:n{number} ; a ex:C ." for number in range(size)]
        data = Watched(parsed(PREFIXES + "\n".join(lines)))
        report = shapes.validate_nodes(data, [node("n1"), node("n2")])
        assert report.conforms
        assert report.focus_counts[node("S")] == 2
        looked.add(data.looked)
    assert len(looked) == 1


# data and reports


def test_every_graph_counts_unless_one_is_chosen():
    quads = [ox.Quad(node("i"), node("p"), ox.Literal("bad"), node("graph"))]
    shapes = compiled("ex:S sh:targetSubjectsOf ex:p ; sh:path ex:p ; sh:datatype xsd:integer .")
    assert not shapes.validate(MemoryGraph(quads)).conforms
    assert shapes.validate(MemoryGraph.of_graph(quads, ox.DefaultGraph())).conforms
    assert not shapes.validate(MemoryGraph.of_graph(quads, node("graph"))).conforms


def test_a_triple_that_comes_twice_counts_once():
    quads = [ox.Quad(node("i"), node("p"), ox.Literal(1), node(name)) for name in ("a", "b")]
    shapes = compiled("ex:S sh:targetNode ex:i ; sh:path ex:p ; sh:maxCount 1 .")
    data = MemoryGraph(quads)
    assert shapes.validate(data).conforms
    assert len(data) == len(list(data)) == 1


def test_terms_are_judged_as_they_came():
    shapes = compiled(
        "ex:S sh:targetNode ex:i ; sh:path ex:p ; sh:datatype xsd:dateTime ; sh:maxCount 1 ."
    )
    stamp = '"2026-01-01T00:00:00Z"^^xsd:dateTime'
    assert shapes.validate(graph(f"ex:i ex:p {stamp} .")).conforms
    assert not shapes.validate(graph(f"ex:i ex:p {stamp}Stamp .")).conforms
    assert not shapes.validate(
        graph(f'ex:i ex:p {stamp} , "2026-01-01T00:00:00+00:00"^^xsd:dateTime .')
    ).conforms


def test_a_skolem_iri_counts_as_a_blank_node_only_where_asked():
    data = MemoryGraph([ox.Triple(node("i"), node("p"), ox.NamedNode(SKOLEM_BASE + "x"))])
    for kind, plain, unskolemised in [("IRI", True, False), ("BlankNode", False, True),
                                      ("BlankNodeOrIRI", True, True), ("IRIOrLiteral", True, False)]:  # fmt: skip
        text = f"ex:S sh:targetNode ex:i ; sh:path ex:p ; sh:nodeKind sh:{kind} ."
        assert compiled(text).validate(data).conforms is plain
        assert compiled(text, skolem_is_blank=True).validate(data).conforms is unskolemised
    text = 'ex:S sh:targetNode ex:i ; sh:path ex:p ; sh:pattern "genid" .'
    assert compiled(text).validate(data).conforms
    assert not compiled(text, skolem_is_blank=True).validate(data).conforms


def test_a_warning_does_not_conform_and_is_told_apart():
    shapes = compiled(
        "ex:S sh:targetNode ex:i ; sh:severity sh:Warning ; sh:class ex:C ; sh:property ex:P ."
        'ex:P sh:path ex:p ; sh:minCount 1 ; sh:message "one p, please" , "ein p, bitte"@de .'
    )
    report = shapes.validate(graph("ex:i ex:q 1 ."))
    assert not report.conforms
    assert [str(result.source_shape) for result in report.warnings] == [f"<{EX}S>"]
    (violation,) = report.violations
    assert (violation.focus, violation.path, violation.value) == (node("i"), node("p"), None)
    assert violation.component == SH + "MinCountConstraintComponent"
    assert violation.messages == ("one p, please", "ein p, bitte")
    assert {str(literal) for literal in violation.message_literals} == {
        '"one p, please"', '"ein p, bitte"@de',
    }  # fmt: skip
    with pytest.raises(dataclasses.FrozenInstanceError):
        violation.value = 1


def test_the_report_is_rdf_with_every_part_of_a_result():
    shapes = compiled(
        "ex:S sh:targetNode ex:i ; sh:path ( ex:p [ sh:inversePath ex:q ] ) ; sh:in ( 1 ) ; sh:message 'm' ."
    )
    quads = shapes.validate(graph("ex:i ex:p ex:a . ex:b ex:q ex:a .")).to_quads()
    written = {(quad.predicate.value.removeprefix(SH), str(quad.object)) for quad in quads}
    assert {
        ("conforms", str(ox.Literal(False))),
        ("focusNode", f"<{EX}i>"),
        ("value", f"<{EX}b>"),
        ("resultMessage", '"m"'),
        ("inversePath", f"<{EX}q>"),
        ("sourceShape", f"<{EX}S>"),
        ("sourceConstraintComponent", f"<{SH}InConstraintComponent>"),
        ("resultSeverity", f"<{SH}Violation>"),
    } <= written
    conforming = shapes.validate(graph("ex:i ex:q 1 .")).to_quads()
    assert len(conforming) == 2


def test_every_result_has_a_message_also_without_one_in_the_shape():
    for path in sorted(asset_path("shapes").glob("*.ttl")):
        shapes = compile_shapes(
            ox.parse(path=str(path), format=ox.RdfFormat.TURTLE), name=path.name
        )
        bare = [quad for quad in ox.parse(path=str(path), format=ox.RdfFormat.TURTLE)
                if quad.predicate.value != SH + "message"]  # fmt: skip
        empty = MemoryGraph()
        for shape in [*shapes.every, *compile_shapes(bare).every]:
            for result in shape.check(empty, node("i")):
                assert all(result.messages)
                assert str(result)
        assert not shapes.has_sparql


def test_values_that_passed_are_forgotten_before_they_are_too_many():
    shapes = compiled('ex:S sh:targetSubjectsOf ex:p ; sh:path ex:p ; sh:pattern "^v" .')
    values = [ox.Literal(f"v{number}") for number in range(3 * REMEMBERED)]
    data = MemoryGraph(ox.Triple(node("i"), node("p"), value) for value in values)
    assert shapes.validate(data).conforms
    kept = [cell.cell_contents for cell in closure_of(shapes.every[0].conforms)
            if isinstance(cell.cell_contents, set)]  # fmt: skip
    assert len(kept) == 1
    assert 0 < len(kept[0]) <= REMEMBERED


def closure_of(function) -> list:
    cells = list(function.__closure__ or ())
    for cell in cells:
        if callable(cell.cell_contents) and getattr(cell.cell_contents, "__closure__", None):
            cells += cell.cell_contents.__closure__
    return cells


# queries


def test_messages_take_the_solution_s_values():
    text = (
        'ex:S sh:targetNode ex:i ; sh:message "of the shape" ; sh:sparql [ sh:message'
        ' "{?value} of {$this}, {?none}" , "Wert {?value}"@de ;'
        ' sh:select "SELECT $this ?value { $this ?p ?value }" ] .'
    )
    (result,) = compiled(text).validate(graph("ex:i ex:p 'v' .")).results
    assert result.messages == (f"v of {EX}i, {{?none}}", "Wert v")
    assert result.message_literals[1].language == "de"
    text = select("SELECT $this ?message { $this ?p ?message }", more="sh:message 'other' ;")
    (result,) = compiled(text).validate(graph("ex:i ex:p 'said by the data' .")).results
    assert result.messages == ("said by the data",)


def test_a_bound_value_is_bound_without_brackets_too():
    shapes = compiled(select("SELECT $this { $this ?p ?o FILTER bound($this) }"))
    assert len(shapes.shapes[0].check(graph("ex:i ex:p 1 ."), node("i"))) == 1
    assert len(shapes.shapes[0].check(graph("ex:i ex:p 1 ."), node("j"))) == 0


def test_a_deactivated_query_constrains_nothing_and_is_still_read():
    query = "SELECT $this { $this ?p ?o }"
    assert not compiled(select(query)).validate(graph("ex:i ex:p 1 .")).conforms
    shapes = compiled(select(query, more="sh:deactivated true ;"))
    assert shapes.validate(graph("ex:i ex:p 1 .")).conforms
    with pytest.raises(ValidationError):
        compiled(select("SELECT", more="sh:deactivated true ;"))


def test_a_query_is_asked_about_a_blank_node_where_it_can_be():
    data = graph("[] ex:p 1 . [] ex:p 2 . ex:i ex:p 2 .")
    text = select(
        "SELECT $this ?value { $this ex:p ?value FILTER(?value > 1) }", more="sh:prefixes ex:o ;"
    )
    declared = f'ex:o sh:declare [ sh:prefix "ex" ; sh:namespace "{EX}" ] . '
    shapes = compiled(declared + text.replace("sh:targetNode ex:i", "sh:targetSubjectsOf ex:p"))
    report = shapes.validate(data)
    assert [type(result.focus) for result in report.results].count(ox.BlankNode) == 1
    assert len(report.results) == 2
    one_by_one = [result for focus in data.subjects_of(EX + "p")
                  for result in shapes.shapes[0].check(data, focus)]  # fmt: skip
    assert len(one_by_one) == 2
    alone = text.replace("{ $this ex:p", "{ { $this ex:p ?x } $this ex:p")
    shapes = compiled(declared + alone.replace("sh:targetNode ex:i", "sh:targetSubjectsOf ex:p"))
    with pytest.raises(ValidationError, match="about a blank node"):
        shapes.validate(data)


def test_prefixes_come_from_imported_declarations_and_must_agree():
    declared = (
        f'ex:a <http://www.w3.org/2002/07/owl#imports> ex:b . ex:b sh:declare [ sh:prefix "e" ;'
        f' sh:namespace "{EX}"^^xsd:anyURI ] . '
    )
    text = declared + select("SELECT $this { $this e:p ?o }", more="sh:prefixes ex:a ;")
    assert not compiled(text).validate(graph("ex:i ex:p 1 .")).conforms
    assert compiled(text).validate(graph("ex:i ex:q 1 .")).conforms
    other = 'ex:a sh:declare [ sh:prefix "e" ; sh:namespace "urn:other" ] . '
    with pytest.raises(ValidationError, match="declared twice"):
        compiled(other + text)


def test_imports_that_are_not_there_are_listed():
    text = "<urn:o> <http://www.w3.org/2002/07/owl#imports> <urn:missing> , ex:S . ex:S sh:targetNode ex:i ."
    assert compiled(text).imports == ("<urn:missing>",)


def test_the_package_reads_no_slow_library():
    package = Path(compile_shapes.__code__.co_filename).parent
    imports = [line for path in package.glob("*.py") for line in path.read_text().splitlines()
               if line.startswith(("import ", "from "))]  # fmt: skip
    assert len(imports) > 20
    assert not [line for line in imports if "rdflib" in line or "pyshacl" in line]
