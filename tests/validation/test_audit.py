"""`kb.validate`: the audit equals pySHACL's, and what our compiler refuses goes there."""

from __future__ import annotations

import pyoxigraph as ox
import pyshacl
import pytest
import rdflib

from semantica_rdf import KnowledgeBase, errors, iri

EX = "https://example.org/"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
PREFIXES = "@prefix sh: <http://www.w3.org/ns/shacl#> .\n@prefix ex: <https://example.org/> .\n"
PEOPLE = PREFIXES + (
    "ex:PersonShape a sh:NodeShape ; sh:targetClass ex:Person ;\n"
    "  sh:property [ sh:path ex:name ; sh:minCount 1 ] ; sh:property [ sh:path ex:boss ; sh:class ex:Person ] .\n"
    "ex:RobotShape a sh:NodeShape ; sh:targetClass ex:Robot ; sh:nodeKind sh:IRI .\n"
)
COMPONENT = PREFIXES + (
    "ex:Even a sh:ConstraintComponent ; sh:parameter [ sh:path ex:even ] ;\n"
    "  sh:validator [ a sh:SPARQLAskValidator ; sh:ask 'ASK { FILTER(STRLEN(STR($value)) > 3) }' ] .\n"
    "ex:S a sh:NodeShape ; sh:targetSubjectsOf ex:name ; sh:property [ sh:path ex:name ; ex:even true ] .\n"
)

pytestmark = pytest.mark.quick


@pytest.fixture
def kb() -> KnowledgeBase:
    kb = KnowledgeBase.memory(agent=EX + "ann", source=EX + "hr")
    kb.prefixes.bind("ex", EX)
    with kb.transaction(reason="import") as tx:
        for name in ("ada", "bo", "cy"):
            tx.assert_(f"ex:{name}", TYPE, iri(EX + "Person"))
        tx.assert_("ex:ada", "ex:name", "Ada", valid_from="2020")
        tx.assert_("ex:bo", "ex:name", "Boris", valid_until="2020")
        tx.assert_("ex:cy", "ex:boss", iri(EX + "nobody"), graph=EX + "g")
    return kb


@pytest.mark.parametrize("valid_at", ["2019", "2020", "2021"])
def test_the_audit_finds_what_pyshacl_finds_in_the_same_triples(kb, valid_at):
    ours = kb.validate(shapes=PEOPLE.encode(), valid_at=valid_at)
    data = rdflib.Graph()
    for quad in kb.at(valid_at=valid_at).quads():
        data.add(
            tuple(
                rdflib.util.from_n3(str(term))
                for term in (quad.subject, quad.predicate, quad.object)
            )
        )
    _, report, _ = pyshacl.validate(data, shacl_graph=rdflib.Graph().parse(data=PEOPLE))
    theirs = sorted(str(node) for node in report.objects(None, rdflib.SH.focusNode))
    assert sorted(result.focus.value for result in ours.results) == theirs
    assert theirs
    assert ours.focus_counts == {f"<{EX}PersonShape>": 3, f"<{EX}RobotShape>": 0}
    assert ours.unmet == (f"<{EX}RobotShape>",)
    assert not ours


def test_the_report_is_a_w3c_report(kb):
    report = kb.validate(shapes=PEOPLE.encode(), valid_at="2021")
    graph = rdflib.Graph().parse(data=report.serialize(format="turtle"))
    assert len(list(graph.subjects(rdflib.RDF.type, rdflib.SH.ValidationResult))) == len(
        report.results
    )
    assert report.to_dict()["conforms"] is False
    assert "does not conform" in str(report)


def test_shapes_of_a_kind_the_compiler_refuses_audit_through_pyshacl(kb):
    report = kb.validate(shapes=COMPONENT.encode(), valid_at="2021")
    assert report.engine == "pyshacl"
    (result,) = report.results
    assert result.focus == ox.NamedNode(EX + "ada")
    assert kb.validate(shapes=COMPONENT.encode(), valid_at="2019").conforms
    with pytest.raises(errors.ValidationError) as caught:
        kb.shapes.add(COMPONENT.encode(), name="even", reason="rules")
    assert caught.value.code == "unsupported_shape"


def test_what_pyshacl_cannot_compare_never_conforms():
    kb = KnowledgeBase.memory(agent=EX + "ann", source=EX + "hr")
    integer = ox.NamedNode("http://www.w3.org/2001/XMLSchema#integer")
    with kb.transaction(reason="import") as tx:
        tx.assert_(EX + "a", EX + "from", ox.Literal("abc", datatype=integer))
        tx.assert_(EX + "a", EX + "until", ox.Literal("1", datatype=integer))
    shapes = COMPONENT + (
        "ex:T a sh:NodeShape ; sh:targetSubjectsOf ex:from ;\n"
        "  sh:property [ sh:path ex:from ; sh:lessThanOrEquals ex:until ] .\n"
    )
    report = kb.validate(shapes=shapes.encode())
    assert (report.engine, report.conforms) == ("pyshacl", False)


def test_several_documents_an_rdflib_graph_and_an_unknown_format(kb, tmp_path):
    graph = rdflib.Graph().parse(data=PEOPLE)
    path = tmp_path / "people.nt"
    graph.serialize(path, format="nt", encoding="utf-8")
    one = kb.validate(shapes=graph, valid_at="2021")
    two = kb.validate(shapes=[path, PEOPLE.encode()], valid_at="2021")
    assert len(two.results) == 2 * len(one.results) > 0
    with pytest.raises(errors.ValidationError):
        kb.validate(shapes=b"a,b\n", valid_at="2021")
    with pytest.raises(errors.NotFound):
        kb.validate(shapes=tmp_path / "absent.ttl")
