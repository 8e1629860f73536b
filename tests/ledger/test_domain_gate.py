"""A user's shapes at the gate: judged like a plain list of facts, at every instant a write changes."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import BufferReader, feather, parquet

from semantica_rdf import KnowledgeBase, errors, iri
from semantica_rdf.shacl import MemoryGraph, compile_shapes

EX = "https://example.org/"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
PREFIXES = """
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix ex: <https://example.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
PEOPLE = PREFIXES + (
    "ex:PersonShape a sh:NodeShape ; sh:targetClass ex:Person ;\n"
    '  sh:property [ sh:path ex:name ; sh:minCount 1 ; sh:maxCount 1 ; sh:message "One name." ] ;\n'
    "  sh:property [ sh:path ex:boss ; sh:maxCount 1 ; sh:class ex:Person ] ;\n"
    "  sh:property [ sh:path ( ex:boss ex:name ) ; sh:disjoint ex:name ] ;\n"
    '  sh:property [ sh:path ex:nick ; sh:pattern "^[a-z]+$" ; sh:severity sh:Warning ] .\n'
)
QUERY = PREFIXES + (
    "ex: sh:declare [ sh:prefix 'ex' ; sh:namespace 'https://example.org/'^^xsd:anyURI ] .\n"
    "ex:BossShape a sh:NodeShape ; sh:targetSubjectsOf ex:boss ; sh:sparql [ sh:prefixes ex: ;\n"
    "  sh:message 'Nobody is their own boss.' ; sh:select '''SELECT $this ?value\n"
    "  WHERE { $this ex:boss ?value . FILTER($this = ?value) }''' ] .\n"
)


def base(text: str | None = PEOPLE) -> KnowledgeBase:
    kb = KnowledgeBase.memory(agent=EX + "ann", source=EX + "hr")
    kb.prefixes.bind("ex", EX)
    if text is not None:
        kb.shapes.add(text.encode(), name="people", reason="rules")
    return kb


def write(kb, *claims, **options):
    with kb.transaction(reason="test", **options) as tx:
        for subject, predicate, value, *window in claims:
            start, end = window or (None, None)
            tx.assert_(subject, predicate, value, valid_from=start, valid_until=end)
    return tx.receipt


PERSON = iri(EX + "Person")


@pytest.mark.quick
def test_a_shape_gates_what_would_be_believed_and_nothing_is_written():
    kb = base()
    before = kb.head()
    with pytest.raises(errors.ShapeViolation, match="One name") as caught:
        write(kb, ("ex:bob", TYPE, PERSON))
    assert kb.head() == before
    (finding,) = caught.value.findings
    assert str(finding.result.focus) == f"<{EX}bob>"
    assert len(finding.statements) == 1
    write(kb, ("ex:bob", TYPE, PERSON), ("ex:bob", "ex:name", "Bob"))
    with pytest.raises(errors.ShapeViolation), kb.transaction(reason="gone") as tx:
        tx.withdraw(("ex:bob", "ex:name", "Bob"))
    assert kb.validate().conforms
    assert kb.validate().focus_counts == {f"<{EX}PersonShape>": 1}


@pytest.mark.quick
def test_values_that_follow_one_another_do_not_collide_and_overlapping_ones_do():
    kb = base()
    write(kb, ("ex:bob", TYPE, PERSON), ("ex:bob", "ex:name", "Bob", "2020", "2022"),
          ("ex:bob", "ex:name", "Rob", "2022", None))  # fmt: skip
    with pytest.raises(errors.ShapeViolation) as caught:
        write(kb, ("ex:bob", "ex:name", "Bo", "2021", "2022"))
    assert "from 2021-01-01T00:00:00Z until 2022-01-01T00:00:00Z" in str(caught.value)
    with pytest.raises(errors.ShapeViolation, match="from 2025"), kb.transaction(reason="x") as tx:
        tx.retract(("ex:bob", "ex:name", "Rob"), valid_until="2025")


@pytest.mark.quick
def test_a_warning_lets_the_write_pass_and_stands_in_the_receipt():
    kb = base()
    receipt = write(
        kb, ("ex:bob", TYPE, PERSON), ("ex:bob", "ex:name", "Bob"), ("ex:bob", "ex:nick", "BO")
    )
    (warning,) = receipt.warnings
    assert warning.result.severity.endswith("#Warning")
    assert "1 warning" in str(receipt)
    assert not kb.validate().conforms
    assert not write(kb, ("ex:other", "ex:nick", "OTHER")).warnings


@pytest.mark.quick
def test_shapes_judge_the_spelling_that_came_in_not_the_stores():
    text = (
        PREFIXES
        + "ex:S a sh:NodeShape ; sh:targetSubjectsOf ex:code ; sh:property [ sh:path ex:code ; sh:datatype xsd:int ; sh:pattern '^..$' ] ."
    )
    kb = base(text)
    integer, small = (
        ox.NamedNode("http://www.w3.org/2001/XMLSchema#" + x) for x in ("integer", "int")
    )
    with pytest.raises(errors.ShapeViolation):
        write(kb, ("ex:a", "ex:code", ox.Literal("01", datatype=integer)))
    with pytest.raises(errors.ShapeViolation):
        write(kb, ("ex:a", "ex:code", ox.Literal("1", datatype=small)))
    write(kb, ("ex:a", "ex:code", ox.Literal("01", datatype=small)))
    write(kb, ("ex:a", "ex:other", "touches the node again"))
    assert kb.validate().conforms


@pytest.mark.quick
def test_a_node_written_into_a_named_graph_is_judged_too():
    kb = base()
    with pytest.raises(errors.ShapeViolation), kb.transaction(reason="x") as tx:
        tx.assert_("ex:bob", TYPE, PERSON, graph="ex:g")
    with kb.transaction(reason="x") as tx:
        tx.assert_("ex:bob", TYPE, PERSON, graph="ex:g")
        tx.assert_("ex:bob", "ex:name", "Bob", graph="ex:h")


@pytest.mark.quick
def test_a_query_gates_a_write_and_sees_the_base_as_it_would_be():
    kb = base(QUERY)
    write(kb, *((f"ex:p{number}", "ex:boss", iri(EX + "chief")) for number in range(9)))
    with pytest.raises(errors.ShapeViolation, match="their own boss") as caught:
        write(
            kb,
            *(
                (f"ex:p{number}", "ex:boss", iri(f"{EX}p{number}"), "2020", "2021")
                for number in range(9)
            ),
        )
    assert len(caught.value.findings) == 9
    write(kb, ("ex:p1", "ex:boss", iri(EX + "p2")))


@pytest.mark.quick
def test_shapes_are_versioned_and_an_old_coordinate_is_audited_by_the_shapes_of_its_day():
    kb = base()
    write(kb, ("ex:bob", TYPE, PERSON), ("ex:bob", "ex:name", "Bob"))
    then = kb.basis
    stricter = PEOPLE.replace("ex:nick ;", "ex:nick ; sh:minCount 1 ;")
    assert kb.shapes.add(stricter.encode(), name="people", reason="nicks are needed").superseded
    assert kb.shapes.add(stricter.encode(), name="people", reason="again").is_empty
    assert not kb.validate().conforms
    assert kb.validate(known_at=then).conforms
    assert kb.shapes.get("people", known_at=then).text == PEOPLE
    kb.shapes.remove("people", reason="no more rules")
    write(kb, ("ex:eve", TYPE, PERSON))
    with pytest.raises(errors.ValidationError) as caught:
        kb.validate()
    assert caught.value.code == "no_shapes_given"
    with pytest.raises(errors.NotFound):
        kb.shapes.remove("people", reason="twice")
    assert kb.verify().ok


@pytest.mark.quick
def test_shapes_gate_their_own_namespace_only_and_reopen_with_the_base(tmp_path):
    with KnowledgeBase.open(tmp_path / "kb", agent=EX + "ann", source=EX + "hr") as kb:
        kb.shapes.add(PEOPLE.encode(), name="people", reason="rules", namespace="team")
        write(kb, (EX + "bob", TYPE, PERSON))
    with KnowledgeBase.open(tmp_path / "kb", agent=EX + "ann", source=EX + "hr") as kb:
        with pytest.raises(errors.ShapeViolation):
            write(kb, (EX + "bob", TYPE, PERSON), namespace="team")
        assert [each.name for each in kb.shapes.listed(namespace="team")] == ["people"]
        assert not list(kb.shapes)
    with KnowledgeBase.open(
        tmp_path / "kb", agent=EX + "ann", source=EX + "hr", shapes=PEOPLE.encode()
    ) as kb:
        with pytest.raises(errors.ShapeViolation):
            write(kb, (EX + "eve", TYPE, PERSON))
        assert not kb.validate().conforms


@pytest.mark.quick
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("ex:S a sh:NodeShape ; sh:property [ sh:path ex:p ; sh:minCount 1 ] .", "shapes_without_target"),
        ("ex:S a sh:NodeShape ; sh:targetClass ex:C ; sh:minCount 1 .", "bad_shape"),
        ("ex:S a sh:NodeShape ; sh:targetClass ex:C ; sh:js ex:J .", "unsupported_shape"),
        ("ex:S a sh:NodeShape ; ", "syntax_error"),
    ],
)  # fmt: skip
def test_shapes_that_could_not_gate_are_refused_by_name(text, code):
    kb = base(None)
    before = kb.head()
    with pytest.raises(errors.ValidationError) as caught:
        kb.shapes.add((PREFIXES + text).encode(), name="s", reason="rules")
    assert caught.value.code == code
    assert kb.head() == before


@pytest.mark.quick
def test_a_loaded_document_is_refused_with_the_places_to_mend():
    kb = base()
    document = b"""@prefix ex: <https://example.org/> .
    ex:ada a ex:Person ; ex:name "Ada" . ex:bob a ex:Person ; ex:nick "b" ."""
    for dry_run in (True, False):
        with pytest.raises(
            errors.ShapeViolation, match=r"^statement 3, 4: .*bob.*One name"
        ) as caught:
            kb.load(document, format="turtle", reason="import", dry_run=dry_run)
        assert caught.value.lines == ((3, 4),)
    assert kb.stats().statements == 1
    table = b"who,what,value\nada,name,Ada\nada,name,Eda\n"
    mapping = {
        "subject": {"column": "who", "base": EX}, "predicate": {"column": "what", "base": EX},
        "object": {"column": "value"}, "format": {"kind": "csv"}, "labels": False,
    }  # fmt: skip
    write(kb, ("ex:ada", TYPE, PERSON), ("ex:ada", "ex:name", "Ada"))
    with pytest.raises(errors.ShapeViolation) as caught:
        kb.load(table, mapping=mapping, reason="import")
    assert caught.value.counted == "line"
    assert caught.value.lines in {((2, 3),), ((3,),)}


# ------------------------------------------------------------ the law

YEARS = ["2020", "2021", "2022", "2023"]
windows = st.tuples(st.none() | st.sampled_from(YEARS), st.none() | st.sampled_from(YEARS)).filter(
    lambda pair: pair[0] is None or pair[1] is None or pair[0] < pair[1]
)
nodes = st.sampled_from(["ex:a", "ex:b"])
claims = st.one_of(
    st.tuples(nodes, st.just(TYPE), st.just(PERSON), windows),
    st.tuples(nodes, st.just("ex:name"), st.sampled_from(["A", "B"]), windows),
    st.tuples(nodes, st.just("ex:boss"), st.sampled_from([iri(EX + "a"), iri(EX + "b")]), windows),
)
INSTANTS = [None, *YEARS]


def holds(window, instant):
    """Tell whether a window holds at the beginning of a year; None is before all of them."""
    start, end = window
    if instant is None:
        return start is None
    return (start is None or start <= instant) and (end is None or instant < end)


def graph_at(facts, instant):
    def node(value):
        if isinstance(value, str) and value.startswith("ex:"):
            return ox.NamedNode(EX + value[3:])
        if isinstance(value, str) and "://" not in value:
            return ox.Literal(value)
        return ox.NamedNode(getattr(value, "value", value))

    return MemoryGraph(
        ox.Triple(node(s), node(p), node(o)) for s, p, o, window in facts if holds(window, instant)
    )


LACKING = {
    f"http://www.w3.org/ns/shacl#{name}ConstraintComponent" for name in ("MinCount", "Class")
}


def oracle_refuses(before, after, shapes):
    """
    Judge both nodes at every year at which the triples about them differ; None is "either way".

    Before the first date of a node's own, what it lacks may go unnoticed.
    """
    verdict = False
    for name in ("a", "b"):
        node = ox.NamedNode(EX + name)
        first = min(_bounds_of(after, f"ex:{name}"), default="9999")
        for instant in INSTANTS:
            old, new = graph_at(before, instant), graph_at(after, instant)
            if _about(old, node) == _about(new, node):
                continue
            for result in shapes.validate_nodes(new, [node]).results:
                dated = instant is not None and instant >= first
                if dated or result.component not in LACKING:
                    return True
                verdict = None
    return verdict


def _bounds_of(facts, subject):
    """Yield the years at which belief in a subject's facts begins or ends, overlapping claims as one."""
    for fact in {claim[:3] for claim in facts if claim[0] == subject}:
        windows = [window for *said, window in facts if tuple(said) == fact]
        held = [any(holds(window, instant) for window in windows) for instant in INSTANTS]
        yield from (
            year
            for year, before, after in zip(YEARS, held, held[1:], strict=False)
            if before != after
        )


def _about(graph, node):
    return {str(triple) for triple in graph if node in (triple.subject, triple.object)}


@settings(max_examples=60)
@given(st.lists(claims, min_size=1, max_size=5), st.lists(claims, min_size=1, max_size=3))
def test_the_gate_refuses_what_a_plain_list_of_facts_would_break(first, second):
    shapes = compile_shapes(ox.parse(PEOPLE.encode(), format=ox.RdfFormat.TURTLE))
    kb = base(None)
    with kb.transaction(reason="unjudged") as tx:
        for s, p, o, (start, end) in first:
            tx.assert_(s, p, o, valid_from=start, valid_until=end)
    kb.shapes.add(PEOPLE.encode(), name="people", reason="rules")
    expected = oracle_refuses(first, [*first, *second], shapes)
    try:
        write(kb, *((s, p, o, *window) for s, p, o, window in second))
        refused = False
    except errors.ShapeViolation:
        refused = True
    if expected is not None:
        assert refused == expected
    assert kb.verify().ok


def table_of(document, format):
    """Return an exported table as Arrow reads it."""
    read = feather if format == "arrow" else parquet
    return read.read_table(BufferReader(document))


@pytest.mark.quick
@pytest.mark.parametrize("format", ["nquads", "csv", "parquet", "arrow"])
def test_the_export_of_a_gated_base_loads_elsewhere_without_its_shapes(format):
    kb = base()
    write(kb, ("ex:bob", TYPE, PERSON), ("ex:bob", "ex:name", "Bob"))
    kb.shapes.add(PEOPLE.encode() + b"\n", name="people-too", reason="more")
    kb.shapes.remove("people-too", reason="less")
    other = base(None)
    document = kb.export(format="nq" if format == "nquads" else format)
    if format in {"parquet", "arrow"}:
        document = table_of(document, format)
    report = other.load(
        document, format=format if format in {"nquads", "csv"} else None, reason="copy"
    )
    assert (report.stored, report.skipped["shapes versions"], report.rejected) == (2, 2, ())
    assert not list(other.shapes)
    assert len(other.at().facts()) == len(kb.at().facts()) == 2
