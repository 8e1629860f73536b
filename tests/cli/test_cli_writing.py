"""The writing commands: what they record, what they say, and the verb they name."""

from __future__ import annotations

from pathlib import Path

import pytest

from semantica_rdf import KnowledgeBase

EX = "https://example.org/"
WHO = ("--agent", "ex:ann", "--reason", "test")


def objects(cli, *options):
    return [
        fact["object"]["value"] for fact in cli("show", "ex:bob", "--json", *options).json["facts"]
    ]


def test_a_claim_with_everything_arrives_as_given(base):
    done = base(
        "assert", "ex:bob", "ex:salary", '"900"^^xsd:integer', "--valid-during", "2024-05",
        "--graph", "ex:payroll", "--support-id", "p-1", "--confidence", "0.9", "--source", "ex:hr",
        *WHO, "--json",
    )  # fmt: skip
    assert done.code == 0
    assert done.json["sequence"] == 3
    (version,) = base("history", "p-1", "--json").json
    assert version["id"] == done.json["statements"][0]
    assert version["object"] == {
        "type": "literal",
        "value": "900",
        "datatype": "http://www.w3.org/2001/XMLSchema#integer",
    }
    assert version["graph"] == EX + "payroll"
    assert version["confidence"] == "0.9"
    assert version["valid_from"] == "2024-05-01T00:00:00Z"
    assert version["valid_until"] == "2024-06-01T00:00:00Z"


def test_a_negative_number_goes_behind_two_dashes(base):
    says = ("--source", "ex:hr", *WHO)
    refused = base("assert", "ex:bob", "ex:balance", "-5", *says)
    assert refused.code == 2
    assert "behind --" in refused.err
    assert "ex:balance -5" in base("assert", *says, "--", "ex:bob", "ex:balance", "-5").out


def test_json_leaves_stderr_to_errors(cli):
    claim = ("assert", EX + "a", EX + "p", "1", "--source", EX + "s", "--agent", EX + "a")
    assert cli(*claim, "--kb", "one", "--reason", "test").err.startswith("made a new")
    assert cli(*claim, "--kb", "two", "--reason", "test", "--json").err == ""
    refused = cli(*claim, "--kb", "three", "--json")
    assert refused.error["code"] == "missing_reason"
    assert not Path("three").exists()


def test_date_end_inclusive_takes_the_last_day_in(base):
    window = ("--valid-from", "2026-01-01", "--valid-until", "2026-01-31")
    says = ("--source", "ex:hr", *WHO)
    base("assert", "ex:a", "ex:p", "1", *window, *says)
    done = base("assert", "ex:a", "ex:p", "2", *window, "--date-end", "inclusive", *says)
    assert "until 2026-02-01" in done.out
    on_the_last_day = base("show", "ex:a", "--valid-at", "2026-01-31", "--json").json["facts"]
    assert [fact["object"]["value"] for fact in on_the_last_day] == ["2"]


def test_the_same_claim_again_changes_nothing_and_says_so(base):
    again = ("assert", "ex:bob", "ex:livesAt", "1 Mill Lane", "--source", "ex:hr", *WHO)
    done = base(*again)
    assert done.code == 0
    assert "Already on record as 2-1. Nothing changed." in done.out
    assert base("stats", "--json").json["transactions"] == 2


@pytest.mark.quick
def test_retract_keeps_earlier_dates_and_names_withdraw(base):
    done = base("retract", "2-1", "--valid-until", "2026-01-01", *WHO)
    assert done.code == 0
    assert "semantica-rdf withdraw 3-1 --reason WHY" in done.out
    assert objects(base, "--valid-at", "2025-12-31") == ["1 Mill Lane"]
    assert objects(base, "--valid-at", "2026-01-01") == []


def test_withdraw_takes_it_back_at_every_date_but_not_as_known_before(base):
    done = base("withdraw", "hr-1", *WHO)
    assert done.code == 0
    assert "semantica-rdf assert" in done.out
    assert objects(base, "--valid-at", "2024-06-01") == ["1 Mill Lane"]
    known = objects(base, "--valid-at", "2024-06-01", "--known-at", "2-0")
    assert known == ["1 Mill Lane", EX + "acme"]


def test_a_fact_as_target_means_every_sources_claim(base):
    base("assert", "ex:bob", "ex:livesAt", "1 Mill Lane", "--source", "ex:register", *WHO)
    done = base(
        "retract", "ex:bob", "ex:livesAt", "1 Mill Lane", "--valid-until", "2026-01-01", *WHO
    )
    assert "Ended 2 statements (2-1, 3-1)" in done.out
    assert "withdraw ex:bob ex:livesAt '1 Mill Lane'" in done.out


def test_a_source_can_be_retracted_and_withdrawn_whole(base):
    base("assert", "ex:bob", "ex:livesAt", "2 Elm Row", "--source", "ex:register", *WHO)
    assert base("withdraw", "--source", "ex:hr", *WHO).code == 0
    assert objects(base, "--valid-at", "2024-06-01") == ["2 Elm Row"]
    assert base("retract", "--source", "ex:register", "--valid-until", "2024-01-01", *WHO).code == 0
    assert objects(base, "--valid-at", "2024-06-01") == []


def test_revise_changes_what_is_given_and_names_replace(base):
    done = base("revise", "hr-1", "--valid-from", "2023-01-01", "--without", "valid-until", *WHO)
    assert done.code == 0
    assert "semantica-rdf replace" in done.out
    first, second = base("history", "hr-1", "--json").json
    assert (first["valid_from"], first["valid_until"]) == (
        "2024-01-01T00:00:00Z",
        "2025-01-01T00:00:00Z",
    )
    assert (second["valid_from"], second["valid_until"]) == ("2023-01-01T00:00:00Z", None)
    assert second["object"]["value"] == EX + "acme"


def test_revise_refuses_a_part_both_given_and_left_out(base):
    done = base("revise", "hr-1", "--confidence", "1", "--without", "confidence", *WHO)
    assert done.code == 2
    assert base("revise", "hr-1", "--confidence", "1", *WHO).code == 0


def test_replace_cuts_others_and_names_revise(base):
    moved = ("replace", "ex:bob", "ex:livesAt", "2 Elm Row", "--valid-from", "2026-01-01")
    done = base(*moved, "--source", "ex:register", *WHO)
    assert "it cut 2-1." in done.out
    assert "semantica-rdf revise 2-1" in done.out
    assert objects(base, "--valid-at", "2025-12-31") == ["1 Mill Lane"]
    assert objects(base, "--valid-at", "2026-01-01") == ["2 Elm Row"]


def test_replace_within_a_source_leaves_other_sources_alone(base):
    moved = ("replace", "ex:bob", "ex:livesAt", "2 Elm Row", "--within", "source")
    assert base(*moved, "--source", "ex:register", *WHO).code == 0
    assert objects(base, "--valid-at", "2026-01-01") == ["1 Mill Lane", "2 Elm Row"]


def test_namespaces_are_kept_apart(base):
    says = ("--source", "ex:hr", *WHO, "--namespace", "drafts")
    assert base("assert", "ex:bob", "ex:livesAt", "3 Oak Way", *says).code == 0
    assert objects(base, "--valid-at", "2026-01-01") == ["1 Mill Lane"]
    there = ("--valid-at", "2026-01-01", "--namespace", "drafts")
    assert objects(base, *there) == ["3 Oak Way"]
    assert base("retract", "3-1", *WHO).code == 4
    assert base("retract", "3-1", *WHO, "--namespace", "drafts").code == 0


def test_an_id_may_be_cut_to_a_beginning_only_one_has(base):
    full = base("history", "2-1", "--json").json[0]["id"]
    for name in ("2", "2-", full, full[: full.rindex("/") + 2], f"<{full}>"):
        (version,) = base("history", name, "--json").json
        assert version["id"] == full


@pytest.mark.quick
def test_a_beginning_that_several_ids_have_lists_them(base):
    two = "<https://example.org/a> <https://example.org/p> 1, 2 ."
    load = ("load", "-", "--format", "turtle", "--source", "ex:hr", *WHO)
    assert base(*load, stdin=two).code == 0
    done = base("retract", "3", *WHO, "--json")
    assert done.code == 3
    assert done.error["code"] == "ambiguous_target"
    assert "3-1, 3-2" in done.error["message"]
    assert base("retract", "7", *WHO).code == 4


def test_a_support_id_of_digits_wins_over_the_beginning_of_an_id(base):
    base("assert", "ex:carl", "ex:age", "40", "--support-id", "2", "--source", "ex:hr", *WHO)
    (version,) = base("history", "2", "--json").json
    assert version["support_id"] == "2"


def test_the_agent_may_come_from_the_environment(base, monkeypatch):
    claim = ("assert", "ex:a", "ex:p", "1", "--source", "ex:hr", "--reason", "test")
    assert base(*claim).code == 3
    monkeypatch.setenv("SEMANTICA_AGENT", EX + "zoe")
    assert base(*claim).code == 0
    assert base("log", "--json").json[-1]["agent"] == EX + "zoe"


def test_a_prefix_is_kept_with_the_base_and_not_when_the_rest_is_refused(base):
    claim = ("assert", "o:a", "o:p", "1", "--prefix", "o=https://other.example/", "--source", "o:s")
    assert base(*claim).code == 3
    assert base("show", "o:a").code == 3
    assert base(*claim, *WHO).code == 0
    assert base("show", "o:a").code == 0


def test_a_prefix_that_is_none_is_refused_before_anything_is_written(base):
    claim = ("assert", "ex:a", "ex:p", "1", "--source", "ex:hr", *WHO)
    assert base(*claim, "--prefix", "1a=https://x.example/").code == 3
    assert base(*claim, "--prefix", "srdf=https://x.example/").code == 3
    assert base(*claim, "--prefix", "nonsense").code == 2
    assert base("stats", "--json").json["transactions"] == 2


def test_assert_makes_an_absent_base_and_retract_does_not(cli, tmp_path):
    assert cli("retract", "1-1", *WHO).code == 4
    assert not list(tmp_path.iterdir())
    says = ("--source", "ex:hr", *WHO, "--prefix", f"ex={EX}")
    done = cli("assert", "ex:a", "ex:p", "1", *says)
    assert done.code == 0
    assert done.err == "made a new knowledge base in kb\n"


def test_init_twice_says_that_there_is_one(cli):
    assert cli("init", "here", "--json").json == {
        "path": "here",
        "created": True,
        "transactions": 0,
    }
    assert cli("init", "here", "--json").json["created"] is False
    assert cli("init", "here", "--kb", "there").code == 2
    assert cli("--kb", "there", "init", "here").code == 2
    with KnowledgeBase.open("here", read_only=True) as base:
        assert base.stats().transactions == 0


def test_a_command_to_type_next_names_the_base_that_was_named(base):
    done = base("retract", "2-1", *WHO, "--kb", "kb")
    assert "withdraw 3-1 --reason WHY --kb kb" in done.out
