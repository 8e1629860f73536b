"""The demo: it runs, every command it prints can be copied, and what it prints is what comes out."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from semantica_rdf.cli.story import FILES

_TIMES = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
_VARYING = re.compile(r"\d+:[0-9a-f]{64}|\([\d,]+ bytes\)")


def typed(told):
    """Return the commands of a told demo, each with the lines below it."""
    commands = []
    for line in told.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif commands and commands[-1][0].endswith("\\"):
            commands[-1] = (commands[-1][0][:-1] + line, [])
        elif commands:
            commands[-1][1].append(line)
    return commands


def settled(text):
    return _VARYING.sub("~", _TIMES.sub("~", text))


@pytest.fixture
def told(cli):
    done = cli("demo")
    assert done.code == 0, done.err
    return done.out


def test_every_printed_command_works_when_copied_and_prints_the_same(told, cli, for_people):
    commands = typed(told)
    story, following = commands[:-3], commands[-3:]
    assert len(story) > 15
    for command, _ in following:
        done = cli(*shlex.split(command)[1:])
        assert done.code == 0
        assert done.out.strip()
    shutil.rmtree("semantica-demo/kb")
    for command, below in story:
        done = cli(*shlex.split(command)[1:])
        assert done.code == 0, command
        printed = settled(done.out).splitlines()
        assert printed == settled("\n".join(below)).splitlines()[: len(printed)], command


def test_the_commands_work_in_a_shell(told, programs, tmp_path):
    command = typed(told)[-3][0]
    done = programs.run(*shlex.split(command)[1:])
    assert done.code == 0
    assert "gave notice" in done.out


def test_the_story_has_its_turns(told, cli):
    kb = ("--kb", "semantica-demo/kb", "--json")
    counts = cli("stats", *kb).json
    assert counts["statements"] >= 300
    assert counts["sources"] == 3
    asked = ("show", "ex:ada-okafor", "--valid-at", "2023-11-15", *kb)
    works = "https://example.org/worksFor"
    before = [fact["predicate"]["value"] for fact in cli(*asked, "--known-at", "3-0").json["facts"]]
    after = [fact["predicate"]["value"] for fact in cli(*asked).json["facts"]]
    assert works not in before
    assert works in after
    assert '"14 Quay Street, Port Arden"' in told
    assert "Verified: 6 transactions" in told
    assert Path("semantica-demo/record.ttl").stat().st_size > 10_000
    assert "wasAssociatedWith" in Path("semantica-demo/record.jsonld").read_text(encoding="utf-8")


def test_it_refuses_a_folder_that_exists_unless_it_is_its_own(cli):
    Path("mine").mkdir()
    Path("mine/letter.txt").write_text("dear", encoding="utf-8")
    for options in ((), ("--force",)):
        done = cli("demo", "--path", "mine", *options)
        assert done.code == 3
        assert "error[demo_exists]" in done.err
    assert Path("mine/letter.txt").read_text(encoding="utf-8") == "dear"
    Path("old").mkdir()
    Path("old/hr.csv").write_text("stale", encoding="utf-8")
    assert cli("demo", "--path", "old").code == 3
    assert cli("demo", "--path", "old", "--force").code == 0
    assert {item.name for item in Path("old").iterdir()} == {
        *FILES,
        "kb",
        "record.ttl",
        "record.jsonld",
    }


def test_a_folder_with_blanks_is_quoted_in_what_it_prints(cli):
    done = cli("demo", "--path", "my demo")
    assert done.code == 0
    command = typed(done.out)[-1][0]
    assert "'my demo/kb'" in command or "'my demo'/kb" in command
    assert cli(*shlex.split(command)[1:]).code == 0
