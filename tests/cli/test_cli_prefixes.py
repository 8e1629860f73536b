"""Prefixes on the command line: kept, and never given another meaning without a word."""

from __future__ import annotations

SAID = (
    "--agent",
    "https://example.org/ann",
    "--reason",
    "test",
    "--source",
    "https://example.org/hr",
)


def test_a_prefix_that_changes_its_meaning_is_announced_and_one_that_does_not_is_not(cli):
    cli("assert", "ex:a", "ex:p", "1", "--prefix", "ex=https://example.org/", *SAID)
    same = cli("init", "--prefix", "ex=https://example.org/")
    assert "from now on" not in same.err
    other = cli("init", "--prefix", "ex=https://elsewhere.example/")
    assert "ex: meant https://example.org/" in other.err
    assert "https://elsewhere.example/ from now on" in other.err
