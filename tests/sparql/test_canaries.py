"""No query opens a connection or a file: a listening socket and a watched file see nothing."""

from __future__ import annotations

import contextlib
import ctypes
import os
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest
from sparql.record_among_decoys import record

from semantica_rdf.errors import QueryRefused, SemanticaError
from semantica_rdf.view.strategy import STRATEGIES

IN_OPEN = 0x20


class Listener:
    """A socket on the loopback that nobody should knock at."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address = self._socket.getsockname()
        self.iri = f"http://127.0.0.1:{self.address[1]}/data.ttl"

    def knocked(self) -> bool:
        """Tell whether somebody connected since the last look."""
        self._socket.setblocking(False)
        try:
            self._socket.accept()[0].close()
        except BlockingIOError:
            return False
        return True

    def hang_up_on_one(self) -> None:
        """Wait for a connection and close it."""
        self._socket.settimeout(30)
        self._socket.accept()[0].close()

    def close(self) -> None:
        self._socket.close()


class Watched:
    """A file whose openings the kernel tells."""

    def __init__(self, path: Path) -> None:
        path.write_text("<http://e/canary> <http://e/p> <http://e/o> .\n")
        self.path = path
        libc = ctypes.CDLL(None, use_errno=True)
        self._events = libc.inotify_init1(os.O_NONBLOCK)
        assert libc.inotify_add_watch(self._events, os.fsencode(path), IN_OPEN) > 0

    def opened(self) -> bool:
        """Tell whether anybody opened the file since the last look."""
        try:
            return bool(os.read(self._events, 4096))
        except BlockingIOError:
            return False

    def close(self) -> None:
        os.close(self._events)


@pytest.fixture
def listener() -> Iterator[Listener]:
    """Return a canary on the loopback."""
    with contextlib.closing(Listener()) as canary:
        yield canary


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    """Return a canary on disk."""
    if not sys.platform.startswith("linux"):
        pytest.skip("only Linux tells who opens a file")
    with contextlib.closing(Watched(tmp_path / "canary.nt")) as canary:
        yield canary


REFUSED = [
    "SELECT * { SERVICE <%s> { ?s ?p ?o } }",
    "SELECT * { SERVICE SILENT <%s> { ?s ?p ?o } }",
    "SELECT * { ?s e:p ?o OPTIONAL { service <%s> { ?o ?q ?x } } }",
    "SELECT * { VALUES ?where { <%s> } SERVICE ?where { ?s ?p ?o } }",
    "LOAD <%s>",
    "LOAD SILENT <%s> INTO GRAPH e:g",
    "PREFIX x: <%s> LOAD x:",
    "INSERT { GRAPH e:g { ?s ?p ?o } } WHERE { SERVICE <%s> { ?s ?p ?o } }",
]
"""What is never run."""

RUN = [
    "SELECT * FROM <%s> { ?s ?p ?o }",
    "SELECT * FROM NAMED <%s> { GRAPH ?g { ?s ?p ?o } }",
    "SELECT * { GRAPH <%s> { ?s ?p ?o } }",
    "SELECT * { <%s> ?p ?o }",
    "SELECT * { ?s <%s> ?o FILTER(<%s>(?o)) }",
    "ASK { ?s e:p <%s> }",
    "CONSTRUCT { ?s ?p <%s> } FROM <%s> WHERE { ?s ?p ?o }",
    "DESCRIBE <%s>",
    "BASE <%s> SELECT * FROM <> { <> ?p ?o }",
    "SELECT * { ?s e:p ?o BIND(IRI('%s') AS ?iri) FILTER(?o IN (<%s>, ?iri)) }",
]
"""What is run, and finds nothing beyond the record."""


def ask_every_way(text: str) -> set[str]:
    """Ask a query of views and of the record by every strategy; return the codes of refusals."""
    codes = set()
    kb = record(1).kb
    views = [kb.at(), kb.at(valid_at="2026-01-03T12:00:00Z", namespace="other")]
    asks = [
        lambda view=view, strategy=strategy: view.query(text, strategy=strategy)
        for view in views
        for strategy in (None, *STRATEGIES)
    ]
    for ask in [*asks, lambda: kb.record.query(text)]:
        try:
            answer = ask()
        except SemanticaError as error:
            codes.add(error.code)
        else:
            assert "canary" not in repr(answer)
    return codes


@pytest.mark.parametrize("text", REFUSED)
def test_what_would_connect_or_load_is_refused_and_nobody_knocks(
    text: str, listener: Listener, watched: Watched
) -> None:
    for iri in (listener.iri, watched.path.as_uri()):
        assert ask_every_way(text.replace("%s", iri)) <= {"service_refused", "update_refused"}
        with pytest.raises(QueryRefused):
            record(1).kb.at().query(text.replace("%s", iri))
    assert not listener.knocked()
    assert not watched.opened()


@pytest.mark.parametrize("text", RUN)
def test_an_iri_in_a_query_is_a_name_and_nobody_follows_it(
    text: str, listener: Listener, watched: Watched
) -> None:
    for iri in (listener.iri, watched.path.as_uri()):
        assert ask_every_way(text.replace("%s", iri)) <= {"strategy_not_applicable", "query_failed"}
    assert not listener.knocked()
    assert not watched.opened()


def test_the_canaries_see_who_does_come(listener: Listener, watched: Watched) -> None:
    socket.create_connection(listener.address).close()
    assert listener.knocked()
    assert not listener.knocked()
    assert list(ox.parse(path=watched.path))
    assert watched.opened()
    assert not watched.opened()


def test_the_bare_engine_would_have_connected(listener: Listener) -> None:
    waiting = threading.Thread(target=listener.hang_up_on_one)
    waiting.start()
    with pytest.raises(OSError):
        list(ox.Store().query(REFUSED[0].replace("%s", listener.iri)))
    waiting.join(30)
    assert not waiting.is_alive()
