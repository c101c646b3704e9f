"""The one function that touches the network, against a server on this machine."""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from corpus.curation.lookup.transport import open_address


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "https://other.example/")
            self.end_headers()
            return
        if self.path == "/slow":
            time.sleep(0.5)
            return
        self.send_response(200)
        self.send_header("X-Agent", self.headers["User-Agent"])
        self.end_headers()
        self.wfile.write(b"peat " * 40_000)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def server(monkeypatch):
    for name in ("https_proxy", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


def test_reads_in_pieces(server):
    reply = open_address(f"{server}/", {"User-Agent": "me"}, 5)
    pieces = list(reply.pieces)
    assert (reply.status, reply.headers["x-agent"]) == (200, "me")
    assert b"".join(pieces) == b"peat " * 40_000
    assert len(pieces) > 1


def test_follows_no_redirect(server):
    reply = open_address(f"{server}/away", {}, 5)
    assert (reply.status, reply.headers["location"]) == (302, "https://other.example/")
    list(reply.pieces)


def test_gives_up_when_time_is_over(server):
    with pytest.raises(TimeoutError):
        open_address(f"{server}/slow", {}, 0.1)


def test_no_server_is_an_os_error(server):
    with pytest.raises(OSError, match=r"\w") as error:
        open_address("http://127.0.0.1:9/", {}, 5)
    assert not isinstance(error.value, TimeoutError)
    assert "object at" not in str(error.value)


@pytest.mark.parametrize(
    "proxy", ["::::", "ftp://x", "http://", "http://a b:1", "http://127.0.0.1:9"]
)
def test_a_proxy_that_is_none_is_an_os_error(monkeypatch, proxy):
    monkeypatch.setenv("https_proxy", proxy)
    with pytest.raises(OSError, match=r"\S"):
        open_address("https://export.arxiv.org/", {}, 5)
