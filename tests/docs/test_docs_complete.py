"""Whatever a user can name is on a page: packaged queries, verbs, reason codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from semantica_rdf.model import vocab
from semantica_rdf.store.templates import template, template_names

DOCS = Path(__file__).resolve().parents[2] / "docs"

pytestmark = pytest.mark.quick


def test_every_packaged_query_is_on_its_page():
    page = (DOCS / "queries.md").read_text(encoding="utf-8")
    assert len(template_names()) >= 2
    for name in template_names():
        found = template(name)
        assert f"`{name}`: {found.summary}" in page
        assert all(f"`{given}`" in page for given in found.gives)


@pytest.mark.parametrize("verb", ["assert", "propose", "retract", "withdraw", "revise", "replace"])
def test_every_verb_is_in_the_glossary(verb):
    assert f"**{verb}.**" in (DOCS / "glossary.md").read_text(encoding="utf-8")


def test_every_code_of_a_transaction_is_on_the_page_of_the_write_path():
    page = (DOCS / "write-path.md").read_text(encoding="utf-8")
    missing = [code for code in (*vocab.REASON_CODES, *vocab.OPERATIONS) if f"`{code}`" not in page]
    assert not missing
