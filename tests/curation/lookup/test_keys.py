"""Keys and logins of services come from the environment and reach the service only."""

import json
from dataclasses import replace

import pytest

from corpus.curation.lookup import transport
from corpus.curation.lookup.services import OPENREVIEW
from corpus.curation.lookup.transport import fetch
from corpus.curation.retrieval.sources import SOURCES
from corpus.model.finding import CorpusError
from tests.support.recorded_answers import reply

KEY = "s3cret/key+1"
QUOTED = "s3cret%2Fkey%2B1"
OPENALEX, SCHOLAR = SOURCES["openalex"].service, SOURCES["semanticscholar"].service


@pytest.fixture
def keys(monkeypatch):
    monkeypatch.setattr(transport, "_TOKENS", {})
    for service in (OPENALEX, SCHOLAR, OPENREVIEW):
        for name in service.variables:
            monkeypatch.setenv(name, KEY)


def asked(service, *answers, url=None):
    """Ask with answers in order; return the body or what is printed, and what was opened."""
    opened, waiting = [], list(answers)

    def open_(address, headers, seconds, body=None):
        opened.append((address, headers, body))
        answer = waiting.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    try:
        found = fetch(url or f"https://{service.hosts[0]}/x?a=1", service, "text/plain", open_)
    except CorpusError as error:
        found = "".join(map(str, error.findings))
    return found, opened


def test_a_key_goes_where_its_service_wants_it(keys):
    _, ((address, headers, _),) = asked(OPENALEX, reply(200, [b"x"]))
    assert (address.partition("&")[2], KEY in str(headers)) == (f"api_key={QUOTED}", False)
    _, ((address, headers, _),) = asked(SCHOLAR, reply(200, [b"x"]))
    assert (headers["x-api-key"], "s3cret" in address) == (KEY, False)


def test_a_login_gives_a_token_once_for_all_questions(keys):
    token = reply(200, [json.dumps({"token": "t0ken"}).encode()])
    found, (login, question) = asked(OPENREVIEW, token, reply(200, [b"seen t0ken"]))
    assert (login[0], json.loads(login[2])) == (OPENREVIEW.login, {"id": KEY, "password": KEY})
    assert (question[1]["Authorization"], question[2], found) == ("Bearer t0ken", None, b"seen ***")
    _, opened = asked(OPENREVIEW, reply(200, [b"x"]))
    assert len(opened) == 1
    transport._TOKENS.clear()
    found, opened = asked(OPENREVIEW, reply(200, [b'{"error": 1}']))
    assert ("C707" in found, len(opened)) == (True, 1)


@pytest.mark.parametrize("service", [OPENALEX, SCHOLAR, OPENREVIEW], ids=lambda each: each.name)
@pytest.mark.parametrize("form", [KEY, QUOTED])
@pytest.mark.parametrize("make", [
    lambda text: reply(200, [f"you sent {text}".encode()]),
    lambda text: reply(302, location=f"https://evil.example/{text}"),
    lambda text: reply(302, location=f"/again?api_key={text}"),
    lambda text: reply(403, [text.encode()]),
    lambda text: OSError(f"Max retries exceeded with url: /x?api_key={text}"),
    lambda text: reply(200, [text.encode()], content_encoding="gzip"),
])  # fmt: skip
def test_no_answer_and_no_error_shows_a_key(keys, capfd, service, form, make):
    transport._TOKENS[OPENREVIEW.login] = KEY
    found, opened = asked(service, *[make(form)] * 8)
    assert opened
    shown = f"{found!r}{capfd.readouterr()}"
    assert KEY not in shown
    assert QUOTED not in shown


def test_a_refusal_names_what_is_not_set(monkeypatch):
    for name in OPENALEX.variables:
        monkeypatch.delenv(name, raising=False)
    found, ((address, _, _),) = asked(OPENALEX, reply(403))
    assert ("OPENALEX_API_KEY" in found, "api_key=" in address) == (True, False)
    assert replace(OPENALEX, variables=()).lacking == ""
