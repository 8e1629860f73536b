"""Writing quads: every format gives back the same terms in two libraries, and files are whole."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest
from export.graphs import PREFIXES, QUADS, TRIPLES, read_by_pyoxigraph, read_by_rdflib, rows, stored
from hypothesis import given
from hypothesis import strategies as st

from semantica_rdf.errors import ProcessingError, ValidationError
from semantica_rdf.export.formats import FORMATS, format_named
from semantica_rdf.export.record import record_quads
from semantica_rdf.export.write import export_quads
from semantica_rdf.model import vocab

RDFLIB_NAMES = {
    "turtle": "turtle",
    "trig": "trig",
    "nquads": "nquads",
    "ntriples": "nt",
    "jsonld": "json-ld",
    "rdfxml": "xml",
}
EVERY = [each.name for each in FORMATS]
HOLDING_ALL = [name for name in EVERY if name != "rdfxml"]
WITH_GRAPHS = [each.name for each in FORMATS if each.graphs]


def written(quads: object, name: str) -> bytes:
    """Return what is written with the awkward prefixes declared."""
    data = export_quads(quads, format=name, prefixes=PREFIXES)  # type: ignore[arg-type]
    assert data is not None
    return data


def check(quads: list[ox.Quad], name: str) -> None:
    """Read what was written with both libraries and compare every term."""
    data = written(quads, name)
    assert read_by_pyoxigraph(data, format_named(name).syntax) == set(quads)
    assert read_by_rdflib(data, RDFLIB_NAMES[name]) == rows(quads)


@pytest.mark.parametrize("name", HOLDING_ALL)
@given(quads=TRIPLES)
def test_triples_come_back_the_same_from_two_parsers(name: str, quads: list[ox.Quad]) -> None:
    check(quads, name)


@pytest.mark.parametrize("name", WITH_GRAPHS)
@given(quads=QUADS)
def test_quads_come_back_the_same_from_two_parsers(name: str, quads: list[ox.Quad]) -> None:
    check(quads, name)


@pytest.mark.parametrize("name", HOLDING_ALL)
@given(quads=TRIPLES, chance=st.randoms(use_true_random=False))
def test_the_same_set_gives_the_same_bytes(name: str, quads: list[ox.Quad], chance: object) -> None:
    shuffled = quads * 2
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert written(shuffled, name) == written(quads, name)


@pytest.mark.quick
@pytest.mark.parametrize("name", EVERY)
def test_the_record_comes_back_the_same_from_every_format(
    store_quads: tuple[ox.Quad, ...], name: str
) -> None:
    exported = list(record_quads(stored(store_quads)))
    assert len(exported) > 150
    check(exported, name)


def dataset(lines: str) -> list[ox.Quad]:
    return list(ox.parse(lines, format=ox.RdfFormat.N_QUADS))


@pytest.mark.parametrize("name", EVERY)
def test_a_name_that_ends_in_a_dot_or_holds_a_slash_comes_back(name: str) -> None:
    quads = dataset(
        "<http://example.org/ns/exuri.> <http://example.org/ns/10.1/x> <http://example.org/ns/a> .\n"
        '<http://example.org/ns/Acme%20Inc.> <http://example.org/ns/p> "e:x\\\\. \\\\" .\n'
    )
    check(quads, name)
    if format_named(name).prefixes and name != "rdfxml":
        assert b"e:a" in written(quads, name)


def test_two_graphs_with_two_namespaces_do_not_mix_and_two_runs_agree() -> None:
    quads = dataset(
        "<http://a.org/1> <http://a.org/p> <http://b.org/1> <http://a.org/g> .\n"
        "<http://b.org/1> <http://b.org/p> <http://a.org/1> <http://b.org/g> .\n"
    )
    prefixes = {"a": "http://a.org/", "b": "http://b.org/"}
    first = export_quads(quads, format="trig", prefixes=prefixes)
    assert first == export_quads(reversed(quads), format="trig", prefixes=prefixes)
    assert first is not None
    assert b"a:1 a:p b:1 ." in first
    assert b"b:1 b:p a:1 ." in first
    assert read_by_rdflib(first, "trig") == rows(quads)


@pytest.mark.parametrize("name", HOLDING_ALL)
def test_quotes_line_breaks_and_backslashes_come_back(name: str) -> None:
    node = ox.NamedNode("http://example.org/ns/a")
    texts = ('He said "hi"\nand \\ left', "\r\t\x00\x7f", "tail\\", "'''\"\"\"", "\u2028 \u0085 é")
    check([ox.Quad(node, node, ox.Literal(text)) for text in texts], name)


@pytest.mark.parametrize("name", [each.name for each in FORMATS if not each.graphs])
def test_named_graphs_are_refused_where_they_cannot_be_held(name: str, tmp_path: Path) -> None:
    node = ox.NamedNode("http://example.org/ns/a")
    target = tmp_path / f"out{format_named(name).suffix}"
    target.write_bytes(b"before")
    opened = io.BytesIO()
    quads = [ox.Quad(node, node, node), ox.Quad(node, node, node, node)]
    for place, given_name in ((target, None), (opened, name), (None, name)):
        with pytest.raises(ValidationError) as caught:
            export_quads(quads, place, format=given_name)
        assert caught.value.code == "graphs_need_trig"
    assert (target.read_bytes(), opened.getvalue()) == (b"before", b"")
    assert os.listdir(tmp_path) == [target.name]  # noqa: PTH208 - names are what is asked
    export_quads(quads[:1], target)
    assert b"example.org" in target.read_bytes()


@pytest.mark.quick
@pytest.mark.parametrize("each", FORMATS, ids=lambda each: each.name)
def test_a_path_an_open_file_and_bytes_get_the_same(
    each: object, tmp_path: Path, store_quads: tuple[ox.Quad, ...]
) -> None:
    name, suffix = each[:2]  # type: ignore[index]
    exported = list(record_quads(stored(store_quads)))
    path, opened = tmp_path / f"out{suffix}", io.BytesIO()
    assert export_quads(exported, path) is None
    assert export_quads(exported, str(path)) is None
    assert export_quads(exported, opened, format=name) is None
    assert path.read_bytes() == opened.getvalue() == export_quads(exported, format=name)
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_export_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    node = ox.NamedNode("http://example.org/ns/a")

    def breaking() -> Iterator[ox.Quad]:
        yield ox.Quad(node, node, node)
        raise KeyboardInterrupt

    target = tmp_path / "out.ttl"
    target.write_bytes(b"before")
    with pytest.raises(KeyboardInterrupt):
        export_quads(breaking(), target)
    assert target.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_stays_a_link_and_its_file_is_replaced(tmp_path: Path) -> None:
    node = ox.NamedNode("http://example.org/ns/a")
    real, link = tmp_path / "real.nt", tmp_path / "link.nt"
    real.write_bytes(b"before")
    link.symlink_to(real)
    export_quads([ox.Quad(node, node, node)], link)
    assert link.is_symlink()
    assert real.read_bytes().count(b"\n") == 1


@pytest.mark.parametrize("place", ["absent/out.ttl", "folder.ttl"])
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, place: str) -> None:
    (tmp_path / "folder.ttl").mkdir()
    node = ox.NamedNode("http://example.org/ns/a")
    with pytest.raises(ProcessingError, match=place.split("/", maxsplit=1)[0]) as caught:
        export_quads([ox.Quad(node, node, node)], tmp_path / place)
    assert caught.value.code == "write_failed"
    assert [item.name for item in tmp_path.iterdir()] == ["folder.ttl"]


def test_an_unknown_treatment_of_blank_nodes_is_refused() -> None:
    with pytest.raises(ValidationError, match="restore"):
        export_quads([], format="ttl", blank_nodes="keep")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", EVERY)
def test_restored_blank_nodes_are_the_same_in_every_place_and_run(name: str) -> None:
    quads = dataset(
        "".join(
            f"<{vocab.SKOLEM_BASE}{one}> <http://example.org/ns/knows> <{vocab.SKOLEM_BASE}{two}> .\n"
            for one, two in (("aa", "bb"), ("bb", "cc"), ("bb", "aa"))
        )
    )
    data = export_quads(quads, format=name, blank_nodes="restore")
    assert data == export_quads(quads[::-1], format=name, blank_nodes="restore")
    assert data is not None
    read = ox.Dataset(ox.parse(data, format=format_named(name).syntax))
    wanted = ox.Dataset(
        ox.parse(
            "_:a <http://example.org/ns/knows> _:b .\n_:b <http://example.org/ns/knows> _:c .\n"
            "_:b <http://example.org/ns/knows> _:a .\n",
            format=ox.RdfFormat.N_QUADS,
        )
    )
    for each in (read, wanted):
        each.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    assert read == wanted
    assert vocab.SKOLEM_BASE.encode() not in data
