"""OpenReview: both versions of its interface."""

import json

import pytest

from corpus.curation.lookup.services import look_up, parse_notes
from tests.support.imported import refused
from tests.support.recorded_answers import Web, openreview, openreview_v1, refusal

REVIEW = "https://api2.openreview.net/notes?id=AbCdEf1234"
REVIEW_V1 = "https://api.openreview.net/notes?id=AbCdEf1234"


def test_openreview():
    work = look_up("https://openreview.net/forum?id=AbCdEf1234", Web({REVIEW: openreview()}))
    assert (work.title, work.authors) == (
        "Wet Sensors: Reading Soil",
        ("Ward, Ann", "de Groot, Zoë"),
    )
    assert (work.venue, work.year, work.first_public) == ("MIRES 2025 poster", "2025", "2025-10-28")


def test_openreview_of_older_venues():
    empty = json.dumps({"notes": [], "count": 0}).encode()
    work = look_up(
        "https://openreview.net/pdf?id=AbCdEf1234", Web({REVIEW: empty, REVIEW_V1: openreview_v1()})
    )
    assert (work.authors, work.venue, work.first_public) == (
        ("Ward, Ann",),
        "MIRES 2021 Oral",
        "2020-09-28",
    )


def note(**changes):
    content = {"title": {"value": "Peat"}, **changes.pop("content", {})}
    return found({"id": "AbCdEf1234", "content": content, **changes})


def found(*notes):
    return parse_notes(json.dumps({"notes": notes}).encode(), "AbCdEf1234")


#: 2025-10-28, 2025-09-19 and 2025-04-30, in milliseconds.
ONLINE, PUBLISHED, CREATED = 1761609600000, 1758240000000, 1746000000000


@pytest.mark.parametrize(
    ("times", "day"),
    [
        ({"odate": ONLINE, "pdate": PUBLISHED, "cdate": CREATED}, "2025-10-28"),
        ({"pdate": PUBLISHED, "cdate": CREATED}, "2025-09-19"),
        ({"odate": None, "cdate": CREATED}, "2025-04-30"),
        ({"odate": 10**14, "cdate": CREATED}, "2025-04-30"),
        ({"odate": True}, ""),
        ({}, ""),
    ],
)
def test_the_day_is_that_of_going_online_else_of_publishing_else_of_making(times, day):
    work = note(**times)
    assert (work.first_public, work.year) == (day, day[:4])
    assert bool(work.evidence) is bool(day)


@pytest.mark.parametrize(
    ("venue", "year"),
    [
        ("MIRES 2026 poster", "2026"),
        ("Mires 26", "2025"),
        ("", "2025"),
        ("Track 20266 of 2024", "2024"),
    ],
)
def test_the_year_is_that_of_the_venue_else_of_the_day(venue, year):
    assert note(odate=ONLINE, content={"venue": {"value": venue}}).year == year


def test_a_note_is_found_among_others():
    other = {"id": "ZyXwVu9876", "content": {"title": {"value": "Fen"}}}
    own = {"id": "AbCdEf1234", "content": {"title": {"value": "Peat"}}}
    assert found(other, 7, own).title == "Peat"
    assert refused(found, other) == ["C705"]


def test_a_work_that_openreview_does_not_know_is_unknown():
    assert refusal("openreview:AbCdEf1234", {}) == "C705"


def test_what_is_no_name_is_no_author():
    authors = {"authors": {"value": ["Ann Ward", None, 7, "", "ANONYMOUS"]}}
    assert note(content=authors).authors == ("Ward, Ann",)
