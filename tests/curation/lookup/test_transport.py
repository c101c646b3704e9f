"""Limits of an answer; and the one function that touches the network, against a server on this machine."""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from corpus.curation.lookup.transport import (
    MAX_BYTES,
    MAX_REDIRECTS,
    Service,
    allowed,
    fetch,
    open_address,
)
from corpus.model.finding import CorpusError
from tests.support.recorded_answers import Web, refusal, reply

DOI = "10.5555/mire.2025.7"
CROSSREF = f"https://api.crossref.org/works/{DOI}"
MIRE = Service("Mire", frozenset({"mire.example", "www.mire.example"}))


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


def test_a_slow_answer_is_given_up(monkeypatch):
    clock = iter(range(0, 1000, 15))
    monkeypatch.setattr("corpus.curation.lookup.transport.time.monotonic", lambda: next(clock))
    assert refusal(DOI, {CROSSREF: reply(200, [b"{", b"}"])}) == "C704"


@pytest.mark.parametrize(
    ("url", "is_allowed"),
    [
        ("https://mire.example/x", True),
        ("https://MIRE.example:443/x", True),
        ("http://mire.example/x", False),
        ("https://mire.example:8443/x", False),
        ("https://ann@mire.example/x", False),
        ("https://:secret@mire.example/x", False),
        ("https://sub.mire.example/x", False),
        ("https://mire.example.evil/x", False),
        ("https://mire.example:99999/x", False),
        ("//mire.example/x", False),
        ("file:///etc/passwd", False),
        ("", False),
    ],
)
def test_only_the_hosts_of_a_service_are_asked(url, is_allowed):
    assert allowed(url, MIRE.hosts) is is_allowed


def fetched(answers, url="https://mire.example/a"):
    web = Web(answers)
    try:
        return fetch(url, MIRE, "text/plain", web), web.asked
    except CorpusError as error:
        return [finding.code for finding in error.findings], web.asked


def test_a_redirect_among_the_hosts_is_followed():
    away = reply(302, location="https://www.mire.example/b")
    answers = {"https://mire.example/a": away, "https://www.mire.example/b": reply(307, location="/c"),
               "https://www.mire.example/c": b"peat"}  # fmt: skip
    found, asked = fetched(answers)
    assert found == b"peat"
    assert asked == list(answers)


def test_redirects_end_at_their_limit():
    found, asked = fetched({"https://mire.example/a": reply(301, location="/a")})
    assert found == ["C707"]
    assert len(asked) == MAX_REDIRECTS + 1


@pytest.mark.parametrize(
    ("answer", "code"),
    [(reply(302, location="http://169.254.169.254/latest"), "C702"), (reply(410), "C705"), (reply(204), "C706"), (reply(500), "C706"),
     (reply(200, [b"x" * MAX_BYTES, b"x"]), "C703")],
)  # fmt: skip
def test_what_is_no_answer_is_a_finding(answer, code):
    assert fetched({"https://mire.example/a": answer})[0] == [code]


def test_a_service_is_told_what_is_wanted_and_who_asks():
    web = Web({"https://mire.example/a": b"peat"})
    fetch("https://mire.example/a", MIRE, "text/plain", web)
    (headers,) = web.headers
    assert (headers["Accept"], headers["Accept-Encoding"]) == ("text/plain", "identity")
    assert headers["User-Agent"].startswith("mas-rl-corpus/")
