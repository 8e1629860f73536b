"""Shipped queries: their headers are checked, and values reach them only as whole terms."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semantica_rdf.errors import NotFound, ValidationError
from semantica_rdf.model import terms, vocab
from semantica_rdf.store.templates import parsed_template, template, template_names

pytestmark = pytest.mark.quick

HEADER = {
    "summary": "Objects of a subject.",
    "takes": "subject IRI, least xsd:integer",
    "gives": "o",
    "time": "none",
    "reason": "it asks plain triples",
    "dataset": "view",
}
BODY = "SELECT ?o { $subject ?p ?o FILTER(?o >= $least) } # $nobody\n"


def text_with(body: str = BODY, **changes: str | None) -> str:
    header = {**HEADER, **changes}
    lines = [f"#+ {key}: {value}" for key, value in header.items() if value is not None]
    return "\n".join([*lines, body])


def test_a_template_knows_its_header() -> None:
    found = parsed_template("view/objects", text_with())
    assert found.summary == "Objects of a subject."
    assert found.takes == (("subject", "IRI"), ("least", "xsd:integer"))
    assert (found.gives, found.time, found.dataset) == (("o",), "none", "view")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"verb": "SELECT"}, "verb"),
        ({"summary": None}, "lacks summary"),
        ({"gives": None}, "lacks gives"),
        ({"time": "sometimes"}, "time"),
        ({"dataset": "world"}, "dataset"),
        ({"reason": None}, "reason"),
        ({"takes": "subject IRI"}, "$least is not declared"),
        ({"takes": "subject IRI, least xsd:integer, most term"}, "most is declared and not used"),
        ({"takes": "subject IRI, least number"}, "least number"),
        ({"takes": "subject IRI, subject IRI, least term"}, "twice"),
        ({"takes": "subject, least term"}, "'subject'"),
        ({"summary": ""}, "no value"),
    ],
)
def test_a_bad_header_is_refused(changes: dict[str, str | None], said: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        parsed_template("view/objects", text_with(**changes))
    assert refusal.value.code == "bad_template"
    assert said in refusal.value.message


def test_a_header_key_that_stands_twice_is_refused() -> None:
    with pytest.raises(ValidationError, match="stands twice"):
        parsed_template("view/objects", "#+ summary: again\n" + text_with())


def test_a_name_that_is_parameter_and_variable_is_refused() -> None:
    with pytest.raises(ValidationError, match="both a parameter and a variable"):
        parsed_template("view/objects", text_with(BODY.replace("?p", "?least")))


def test_bind_replaces_parameters_and_nothing_else() -> None:
    found = parsed_template("view/objects", text_with(BODY + "#'$least' '$least'"))
    text = found.bind({"subject": terms.iri("http://e/a"), "least": terms.literal(3)})
    assert text.endswith("# $nobody\n#'$least' '$least'")
    assert " <http://e/a> ?p ?o FILTER(?o >= " in " ".join(text.split()).replace("{", "{ ")
    assert '"3"^^<http://www.w3.org/2001/XMLSchema#integer>' in text


@pytest.mark.parametrize(
    "values",
    [
        {"subject": terms.iri("http://e/a")},
        {"subject": terms.iri("http://e/a"), "least": terms.literal(3), "most": terms.literal(4)},
        {"subject": terms.literal("a"), "least": terms.literal(3)},
        {"subject": terms.BlankNode("b"), "least": terms.literal(3)},
        {"subject": terms.iri("http://e/a"), "least": terms.literal("3")},
        {"subject": terms.iri("http://e/a"), "least": terms.iri("http://e/3")},
    ],
)
def test_unknown_missing_and_wrong_values_are_refused(values: dict[str, terms.Term]) -> None:
    found = parsed_template("view/objects", text_with())
    with pytest.raises(ValidationError) as refusal:
        found.bind(values)
    assert refusal.value.code == "bad_binding"


@given(st.text(max_size=40))
@settings(max_examples=200, deadline=None)
def test_any_text_comes_through_a_binding_unchanged(value: str) -> None:
    found = parsed_template(
        "view/echo", text_with("SELECT ($value AS ?o) {}", takes="value literal")
    )
    rows = list(ox.Store().query(found.bind({"value": terms.literal(value)})))  # type: ignore[arg-type]
    assert [row["o"].value for row in rows] == [value]  # type: ignore[union-attr]


def test_every_shipped_query_has_a_checked_header_and_is_sparql_as_it_stands() -> None:
    names = template_names()
    assert {"view/rows_at", "view/rows_in_namespace_at"} <= set(names)
    for name in names:
        found = template(name)
        answer = ox.Store().query(found.text)
        if isinstance(answer, ox.QuerySolutions):
            assert [variable.value for variable in answer.variables] == list(found.gives), name


def test_a_query_that_is_not_shipped_is_not_found() -> None:
    with pytest.raises(NotFound) as refusal:
        template("view/nothing")
    assert refusal.value.code == "asset_missing"


RECORD = """
@prefix srdf: <https://w3id.org/semantica-rdf/ns#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix e: <http://e/> .
e:open srdf:recordedAt "2026-01-01T00:00:00Z"^^xsd:dateTime .
e:until srdf:recordedAt "2026-01-01T00:00:00Z"^^xsd:dateTime ;
  srdf:validUntil "2026-02-01T00:00:00Z"^^xsd:dateTime .
e:from srdf:recordedAt "2026-01-01T00:00:00Z"^^xsd:dateTime ;
  srdf:validFrom "2026-02-01T00:00:00Z"^^xsd:dateTime ; srdf:inGraph e:g .
e:late srdf:recordedAt "2026-03-01T00:00:00Z"^^xsd:dateTime .
e:closed srdf:recordedAt "2026-01-01T00:00:00Z"^^xsd:dateTime ;
  srdf:supersededAt "2026-03-01T00:00:00Z"^^xsd:dateTime .
e:other srdf:recordedAt "2026-01-01T00:00:00Z"^^xsd:dateTime ; srdf:namespace "other" .
e:nameless srdf:recordedAt "2026-01-01T00:00:00Z"^^xsd:dateTime .
e:open { e:s e:p 1 } e:until { e:s e:p 2 } e:from { e:s e:p 3 } e:late { e:s e:p 4 }
e:closed { e:s e:p 5 } e:other { e:s e:p 6 } srdf:journal { e:s e:p 7 }
"""


@pytest.mark.parametrize(
    ("valid_at", "known_at", "expected"),
    [
        ("2026-01-31T23:59:59.999999Z", "2026-01-01T00:00:00Z", "closed open until"),
        ("2026-02-01T00:00:00Z", "2026-02-28T00:00:00Z", "closed from open"),
        ("2026-02-01T00:00:00Z", "2026-02-28T23:59:59.999999Z", "closed from open"),
        ("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z", "from late open"),
        ("2026-02-01T00:00:00Z", "2025-12-31T00:00:00Z", ""),
    ],
)
def test_rows_at_gives_the_rows_of_a_coordinate(
    valid_at: str, known_at: str, expected: str
) -> None:
    values: dict[str, terms.Term] = {
        "valid_at": terms.literal(valid_at, datatype=vocab.XSD_DATETIME),
        "known_at": terms.literal(known_at, datatype=vocab.XSD_DATETIME),
    }
    store = ox.Store()
    store.load(RECORD.encode(), format=ox.RdfFormat.TRIG)
    rows = list(store.query(template("view/rows_at").bind(values)))  # type: ignore[arg-type]
    found = sorted(row["row"].value.removeprefix("http://e/") for row in rows)  # type: ignore[union-attr]
    assert " ".join(found) == expected
    graphs = {row["row"].value: row["graph"] for row in rows}  # type: ignore[union-attr]
    if "from" in expected:
        assert graphs["http://e/from"] == ox.NamedNode("http://e/g")
        assert graphs["http://e/open"] is None
    values["namespace"] = terms.literal("other")
    others = list(store.query(template("view/rows_in_namespace_at").bind(values)))  # type: ignore[arg-type]
    assert len(others) == (0 if known_at < "2026" else 1)
