"""A service is asked at its pace, and waited for as long as it asks, within a limit."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from corpus.curation.lookup.transport import TRIES, GaveUp, PoliteClient, wanted_wait
from tests.support.recorded_answers import reply


def ask(opener):
    return opener("https://mire.example/1", {}, 5.0).status


def waits(*replies, pause=1.0, questions=1):
    """Return the waits, in seconds, until every question has an answer."""
    found = []
    answers = list(replies)
    client = PoliteClient(pause, lambda *_: answers.pop(0), found.append)
    for _ in range(questions):
        assert client.answer(ask) == 200
    return found


def later(status=503, **headers):
    return reply(status, retry_after=headers.get("wish", "")) if headers else reply(status)


def test_each_further_wait_is_twice_as_long():
    assert waits(later(), later(429), later(500), later(502), reply(200)) == [5, 10, 20, 40]


@pytest.mark.parametrize(
    ("wish", "wait"),
    [
        ("7", 7),
        ("0", 5),
        ("1", 2),
        ("150", 150),
        ("9" * 5000, 5),
        ("1.5", 5),
        ("-3", 5),
        ("soon", 5),
        ("٧", 5),
    ],
)
def test_a_service_is_waited_for_as_it_asks_and_no_less_than_the_pause(wish, wait):
    assert waits(later(wish=wish), reply(200), pause=2.0) == [wait]


def test_the_pause_is_before_every_question_but_the_first():
    assert waits(reply(200), reply(200), reply(200), questions=3) == [1, 1]


@pytest.mark.parametrize(
    ("wish", "tries"), [("", TRIES), ("999999", 1), ("Wed, 21 Oct 9999 07:28:00 GMT", 1)]
)
def test_a_service_that_refuses_for_too_long_or_asks_for_too_long_is_given_up(wish, tries):
    found = []
    client = PoliteClient(1.0, lambda *_: later(wish=wish), found.append)
    with pytest.raises(GaveUp) as error:
        client.answer(ask)
    assert error.value.status == 503
    assert [(one.code, one.file) for one in error.value.findings] == [("C706", "mire.example")]
    assert len(found) == error.value.tries - 1 == tries - 1


def test_another_status_is_an_answer():
    client = PoliteClient(1.0, lambda *_: reply(404), lambda _: None)
    assert client.answer(ask) == 404


def test_a_date_asks_for_the_time_until_then():
    then = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    assert 30 < wanted_wait({"retry-after": then}) <= 60
