"""The formats an export can take, and how they are named."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from semantica_rdf.errors import ValidationError
from semantica_rdf.export.formats import FORMATS, TABLES, format_named, format_of


@pytest.mark.parametrize("each", [*FORMATS, *TABLES], ids=lambda each: each.name)
def test_a_format_is_found_by_name_suffix_media_type_and_path(each: object) -> None:
    name, suffix, media_type, aliases = each[:4]  # type: ignore[index]
    for text in (name, suffix, suffix[1:], media_type, name.upper(), *aliases):
        assert format_named(text) is each
    for path in (f"a.b{suffix}", Path("out") / f"x{suffix.upper()}"):
        assert format_of(path) is each


@pytest.mark.parametrize("target", ["facts.xlsx", "facts", Path("facts.doc"), ".ttl", None])
def test_an_unknown_suffix_is_refused_with_the_choices(target: object) -> None:
    with pytest.raises(ValidationError) as caught:
        format_of(target)
    assert caught.value.code == "unknown_format"
    for each in (*FORMATS, *TABLES):
        assert each.suffix in str(caught.value)


def test_an_open_file_needs_a_format() -> None:
    with pytest.raises(ValidationError, match="needs a format"):
        format_of(io.BytesIO())


def test_an_unknown_name_is_refused_with_the_choices() -> None:
    with pytest.raises(ValidationError, match=r"'xml'.*turtle \(\.ttl\)") as caught:
        format_named("xml")
    assert caught.value.code == "unknown_format"
