"""Public bug reports of the family jsonld: contexts that lie elsewhere."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator

import pytest

from semantica_rdf import errors

GOOD = {"@id": "https://example.org/a", "https://example.org/p": "x"}


@pytest.fixture
def listener() -> Iterator[tuple[str, list[object]]]:
    """An address on this machine, and who has connected to it."""
    met: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            try:
                met.append(server.accept())
            except OSError:
                return

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/context.jsonld", met
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def refused(kb, document):
    """Return the refusal of a document with a good node before what is wrong; nothing is stored."""
    before = kb.head(), kb.stats()
    with pytest.raises(errors.ValidationError) as caught:
        kb.load(json.dumps([GOOD, document]).encode(), format="jsonld", reason="test")
    assert caught.value.code == "remote_context"
    assert (kb.head(), kb.stats()) == before
    return str(caught.value)


@pytest.mark.quick
def test_a_remote_context_is_not_fetched_and_named_with_what_to_do(kb, listener):
    """B102."""
    address, met = listener
    for url in ("http://schema.org/", address, "file:///etc/hostname", "context.jsonld"):
        message = refused(kb, {"@context": url, "name": "x"})
        assert url in message
        assert "put the context itself into the document" in message
        assert url in refused(kb, {"@context": [{"n": "http://e/n"}, url], "n": "x"})
    assert met == []
    own = {"@context": {"name": "http://schema.org/name"}, "@id": "http://e/a", "name": "x"}
    assert kb.load(json.dumps([GOOD, own]).encode(), format="jsonld", reason="test").stored == 2


@pytest.mark.quick
@pytest.mark.parametrize("where", ["context", "list", "property", "type", "node"])
def test_an_import_inside_a_context_is_refused_whole_wherever_it_stands(kb, listener, where):
    """B103."""
    address, met = listener
    imported = {"@import": address, "n": "http://e/n"}
    context = {
        "context": imported,
        "list": [{"n": "http://e/n"}, imported],
        "property": {"p": {"@id": "http://e/p", "@context": imported}},
        "type": {"T": {"@id": "http://e/T", "@context": [imported]}},
        "node": {"n": "http://e/n"},
    }[where]
    document = {"@context": context, "@id": "http://e/a", "http://e/q": "kept?"}
    if where == "node":
        document["http://e/p"] = {"@context": imported, "n": "x"}
    assert address in refused(kb, document)
    assert met == []
    assert kb.load(json.dumps(GOOD).encode(), format="jsonld", reason="test").stored == 1
