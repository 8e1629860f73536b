"""`shapes` and `validate`: a user's own shapes from the command line."""

from __future__ import annotations

import csv
import io

import pyoxigraph as ox
import pytest

EX = "https://example.org/"
WHO = ("--agent", EX + "ann", "--reason", "test", "--source", EX + "hr")
RULES = """
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix ex: <https://example.org/> .
ex:PersonShape a sh:NodeShape ; sh:targetClass ex:Person ;
  sh:property [ sh:path ex:name ; sh:minCount 1 ; sh:maxCount 1 ; sh:message "Give one name." ] ;
  sh:property [ sh:path ex:nick ; sh:pattern "^[a-z]+$" ; sh:severity sh:Warning ; sh:message "Lower case." ] .
ex:RobotShape a sh:NodeShape ; sh:targetClass ex:Robot ; sh:nodeKind sh:IRI .
"""
GOOD = """
@prefix ex: <https://example.org/> .
ex:ada a ex:Person ; ex:name "Ada" ; ex:nick "ADA" .
"""
BAD = GOOD + 'ex:bo a ex:Person ; ex:nick "bo" .\nex:cy a ex:Person ; ex:name "Cy", "Cyd" .\n'

pytestmark = pytest.mark.quick


@pytest.fixture
def ruled(cli):
    """Return the runner, over a base gated by the rules."""
    assert cli("shapes", "add", "-", "--name", "rules", *WHO, stdin=RULES).code == 0
    return cli


def load(cli, text, *options):
    return cli("load", "-", "--format", "turtle", *options, *WHO, stdin=text)


def counts(cli):
    return {
        name: count
        for name, count in cli("stats", "--json").json.items()
        if name != "bytes_on_disk"
    }


def test_a_bad_import_is_refused_as_a_whole_with_a_table_of_what_to_mend(ruled):
    before = counts(ruled)
    refused = load(ruled, BAD)
    assert refused.code == 3
    assert "error[shape_violation]" in refused.err
    assert refused.err.count("Give one name.") == 3
    assert "ex:bo" in refused.err or EX + "bo" in refused.err
    assert "statement" in refused.err
    assert load(ruled, BAD, "--dry-run").code == 3
    assert counts(ruled) == before
    assert load(ruled, GOOD).code == 0


def test_the_refusal_in_json_has_every_result_with_its_place(ruled):
    report = load(ruled, BAD, "--json").error["report"]
    assert {(each["focus"], each["component"]) for each in report} == {
        (f"<{EX}bo>", "MinCountConstraintComponent"),
        (f"<{EX}cy>", "MaxCountConstraintComponent"),
    }
    assert all(each["lines"] and each["statements"] for each in report)
    assert all(each["messages"] == ["Give one name."] for each in report)


def test_validate_names_what_breaks_and_the_shape_that_met_nothing(ruled):
    load(ruled, GOOD)
    found = ruled("validate")
    assert found.code == 1
    assert "Lower case." in found.out
    assert f"No focus node for <{EX}RobotShape>" in found.out
    assert "Warning" in found.out
    as_json = ruled("validate", "--json").json
    assert as_json["focus_counts"] == {f"<{EX}PersonShape>": 1, f"<{EX}RobotShape>": 0}
    assert as_json["unmet"] == [f"<{EX}RobotShape>"]
    rows = list(csv.DictReader(io.StringIO(ruled("validate", "--format", "csv").out)))
    assert [(row["severity"], row["value"]) for row in rows] == [("Warning", '"ADA"')]
    ruled(
        "retract",
        "ex:ada",
        "ex:nick",
        "ADA",
        "--valid-until",
        "2024",
        "--prefix",
        "ex=" + EX,
        *WHO[:4],
    )
    assert ruled("validate").code == 0
    assert ruled("validate", "--valid-at", "2023").code == 1


def test_other_shapes_than_the_bases_own_and_a_report_as_rdf(ruled, tmp_path):
    load(ruled, GOOD)
    strict = tmp_path / "strict.ttl"
    strict.write_text(RULES.replace("ex:nick ;", "ex:age ; sh:minCount 1 ;"), encoding="utf-8")
    found = ruled("validate", "--shapes", strict, "--report", "report.nt")
    assert found.code == 1
    report = list(ox.parse(path="report.nt"))
    assert sum(quad.predicate.value.endswith("#result") for quad in report) == 1
    assert ruled("validate", "--shapes", "nowhere.ttl").code == 4


def test_shapes_have_versions_and_can_be_removed(ruled):
    assert "rules" in ruled("shapes", "list").out
    assert ruled("shapes", "show", "rules").out.strip() == RULES.strip()
    changed = RULES.replace("Give one name.", "One name, please.")
    assert ruled("shapes", "add", "-", "--name", "rules", *WHO, stdin=changed).code == 0
    assert ruled("shapes", "show", "rules", "--json").json["text"] == changed
    assert ruled("shapes", "show", "rules", "--known-at", "1-0").out.strip() == RULES.strip()
    assert len(ruled("shapes", "list", "--json").json) == 1
    again = ruled("shapes", "add", "-", "--name", "rules", *WHO, stdin=changed)
    assert "Nothing to record" in again.out
    assert ruled("shapes", "remove", "rules", *WHO[:4]).code == 0
    assert ruled("shapes", "remove", "rules", *WHO[:4]).code == 4
    assert "No shapes gate" in ruled("shapes", "list").out
    assert load(ruled, BAD).code == 0
    assert ruled("validate").code == 3


def test_shapes_that_cannot_gate_are_refused_by_name(cli):
    custom = RULES + "ex:PersonShape sh:rule [ a sh:TripleRule ] .\n"
    refused = cli("shapes", "add", "-", *WHO, stdin=custom)
    assert (refused.code, "error[unsupported_shape]" in refused.err) == (3, True)
    assert "rule" in refused.err
    untargeted = RULES.replace("sh:targetClass", "ex:about")
    assert "error[shapes_without_target]" in cli("shapes", "add", "-", *WHO, stdin=untargeted).err
    assert cli("shapes", "list").out in {"", "No shapes gate this namespace.\n"}
