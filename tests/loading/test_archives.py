"""Gzip in: by name and by first bytes, whole or not at all, bombs refused while they are small."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loading.recording import Recorder
from loading.test_mapping import CSV

from semantica_rdf.errors import ValidationError
from semantica_rdf.loading.archives import unpacked

LINE = b"<http://e/a> <http://e/p> <http://e/b> .\n"
CONTENT = {
    ".ttl": b"@prefix e: <http://e/> .\ne:a e:p e:b .",
    ".nt": LINE,
    ".nq": LINE[:-2] + b"<http://e/g> .\n",
    ".trig": b"<http://e/g> { " + LINE + b" }",
    ".jsonld": b'{"@id": "http://e/a", "http://e/p": {"@id": "http://e/b"}}',
    ".rdf": b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">'
    b'<rdf:Description rdf:about="http://e/a"><e:p rdf:resource="http://e/b"/></rdf:Description>'
    b"</rdf:RDF>",
}
TABLE = b"who,what,whom,since,till,src,id,sure,seen\nAnn,works,Bo,2020-01-01,,hr,,,\n"
MIB = 1024 * 1024


def refused(act: Callable[[], object]) -> str:
    """Return the code of the refusal."""
    with pytest.raises(ValidationError) as caught:
        act()
    return caught.value.code


@pytest.mark.quick
@pytest.mark.parametrize("suffix", CONTENT)
def test_the_suffix_before_gz_is_the_format(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"facts{suffix}.gz"
    path.write_bytes(gzip.compress(CONTENT[suffix]))
    base = Recorder()
    assert (base.load(path).document, base.triples) == (
        path.name,
        [("http://e/a", "http://e/p", "http://e/b")],
    )
    with path.open("rb") as file:
        assert base.load(file).already_there == 1
    with gzip.open(path) as file:
        assert base.load(file).already_there == 1
    renamed = path.rename(tmp_path / f"FACTS{suffix.upper()}.GZ")
    assert base.load(renamed).already_there == 1
    again = renamed.rename(tmp_path / f"packed{suffix}")
    assert base.load(again).already_there == 1


def test_tables_and_bytes_are_unpacked_too(tmp_path: Path) -> None:
    path = tmp_path / "people.csv.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + TABLE))
    base = Recorder()
    assert base.load(path, mapping=CSV).stored == 1
    assert base.load(gzip.compress(TABLE), mapping=CSV).already_there == 1
    assert base.load(io.BytesIO(gzip.compress(TABLE)), mapping=CSV).already_there == 1


@given(
    st.lists(st.tuples(st.binary(max_size=300), st.integers(0, 9)), min_size=1, max_size=4),
    st.integers(0, 70_000),
)
def test_members_and_padding_are_read_as_the_gzip_module_reads_them(
    members: list[tuple[bytes, int]], padding: int
) -> None:
    data = b"".join(gzip.compress(content, level) for content, level in members) + b"\0" * padding
    wanted = b"".join(content for content, _ in members)
    assert unpacked(data, "", max_bytes=MIB) == gzip.decompress(data) == wanted


@given(st.binary(max_size=2000), st.data())
def test_an_archive_that_is_cut_or_changed_gives_an_error_or_the_same(
    content: bytes, data: st.DataObject
) -> None:
    whole = gzip.compress(content)
    cut = data.draw(st.integers(1, len(whole) - 1))
    assert refused(lambda: unpacked(whole[:cut], "", max_bytes=MIB)) == "bad_archive"
    at = data.draw(st.integers(10, len(whole) - 1))
    changed = whole[:at] + bytes([whole[at] ^ data.draw(st.integers(1, 255))]) + whole[at + 1 :]
    try:
        assert unpacked(changed, "", max_bytes=MIB) == content
    except ValidationError as error:
        assert error.code == "bad_archive"  # noqa: PT017
    assert unpacked(whole, "", max_bytes=MIB) == content


@pytest.mark.quick
@pytest.mark.parametrize(
    ("content", "code"),
    [
        (gzip.compress(LINE)[:-5], "bad_archive"),
        (gzip.compress(LINE) + LINE, "bad_archive"),
        (gzip.compress(LINE) + b"\0" * 100_000 + b"x", "bad_archive"),
        (gzip.compress(LINE) + b"\x1f\x8b", "bad_archive"),
        (gzip.compress(gzip.compress(LINE)), "bad_archive"),
        (gzip.compress(b"PK\x03\x04"), "bad_encoding"),
        (gzip.compress(LINE.decode().encode("utf-16")), "bad_encoding"),
        (gzip.compress(LINE + b"oops"), "syntax_error"),
    ],
    ids=["cut", "text behind", "byte behind", "half a member", "twice", "zip", "utf-16", "syntax"],
)
def test_a_bad_archive_is_refused_whole(content: bytes, code: str) -> None:
    base = Recorder()
    assert refused(lambda: base.load(content, format="nt")) == code
    assert base.drafts == []
    assert base.load(gzip.compress(LINE) + gzip.compress(LINE), format="nt").stored == 1


FOREIGN = {
    "bzip2": (bz2.compress(LINE), "pack it with gzip"),
    "xz": (lzma.compress(LINE), "pack it with gzip"),
    "zstd": (b"\x28\xb5\x2f\xfd\x04\x00", "pack it with gzip"),
    "Parquet": (b"PAR1\x15\x04PAR1", "read_table"),
    "Arrow": (b"ARROW1\0\0\xff\xff", "open_file"),
}


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.parametrize("suffix", [".nt", ".csv", ".what"])
def test_what_is_no_text_is_named_with_what_to_do(tmp_path: Path, name: str, suffix: str) -> None:
    content, advice = FOREIGN[name]
    path = tmp_path / f"facts{suffix}"
    path.write_bytes(content)
    with pytest.raises(ValidationError) as caught:
        Recorder().load(path)
    assert caught.value.code == "bad_encoding"
    assert name in caught.value.message
    assert advice in (caught.value.hint or "")


def test_a_name_that_says_gz_and_lies_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "facts.nt.gz"
    path.write_bytes(LINE)
    base = Recorder()
    assert refused(lambda: base.load(path)) == "bad_archive"
    path.write_bytes(gzip.compress(LINE)[:-4])
    with gzip.open(path) as file:
        assert refused(lambda: base.load(file)) == "bad_archive"
    assert base.drafts == []


def test_an_empty_member_is_an_empty_document() -> None:
    assert Recorder().load(gzip.compress(b""), format="nt").read == 0


def bomb(size: int) -> bytes:
    """Return an archive of zeros, made without holding them."""
    packer = zlib.compressobj(9, wbits=31)
    zeros = b"\0" * MIB
    return b"".join([packer.compress(zeros) for _ in range(size // MIB)]) + packer.flush()


@pytest.mark.parametrize("limit", [MIB, 1024 * MIB], ids=["size", "ratio"])
def test_a_bomb_is_refused_before_it_is_unpacked(limit: int) -> None:
    packed = bomb(64 * MIB)
    assert len(packed) < MIB
    tracemalloc.start()
    try:
        code = refused(lambda: Recorder().load(packed, format="nt", max_bytes=limit))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert code == "too_large"
    assert peak < 20 * MIB


def test_many_small_members_are_a_bomb_together() -> None:
    packed = bomb(8 * MIB) * 4
    assert refused(lambda: unpacked(packed, "", max_bytes=1024 * MIB)) == "too_large"
    assert len(unpacked(bomb(8 * MIB), "", max_bytes=1024 * MIB)) == 8 * MIB


def test_the_limit_is_on_what_is_unpacked() -> None:
    packed = gzip.compress(LINE * 1000)
    base = Recorder()
    assert (
        refused(lambda: base.load(packed, format="nt", max_bytes=len(LINE) * 1000 - 1))
        == "too_large"
    )
    assert base.load(packed, format="nt", max_bytes=len(LINE) * 1000).stored == 1
