"""Crossref and other agencies: one citation record, whoever sends it."""

import pytest

from corpus.curation.lookup.services import RESOLVER, look_up, parse_record
from tests.support.recorded_answers import Web, crossref, csl, refusal, reply

DOI = "10.5555/mire.2025.7"


CROSSREF = f"https://api.crossref.org/works/{DOI}"


def test_crossref():
    found = look_up(f"https://doi.org/{DOI}", Web({CROSSREF: crossref()}))
    assert found.title == "Wet Sensors in situ: Reading & Weighing Peat"
    assert found.authors == ("Ward, Ann", "de Groot, Zoë", "Bog Sensing Team")
    assert found.affiliation == "Mire Institute"
    assert (found.year, found.first_public) == ("2026", "2025-11-04")
    assert (found.venue, found.doi, found.arxiv) == (
        "Proceedings of the 7th Mire Meeting",
        DOI,
        "2601.00010",
    )


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (b"[]", "C707"),
        (b'{"message": []}', "C707"),
        (b'{"message": {"title": [null]}}', "C707"),
        (b'{"message": NaN}', "C707"),
        (b'{"message":' + b"[" * 100_000, "C707"),
        (crossref(DOI="10.5555/other"), "C707"),
        (crossref(title=[]), "C707"),
        (reply(403), "C706"),
    ],
)
def test_what_crossref_should_not_send(answer, expected):
    assert refusal(DOI, {CROSSREF: answer}) == expected


@pytest.mark.parametrize(
    "changes",
    [
        {"author": "nobody"},
        {"author": [None, 7, {"family": 3}, {}]},
        {
            "published-print": {"date-parts": [[None]]},
            "published-online": {"date-parts": 7},
            "issued": [],
        },
        {
            "relation": {"has-preprint": {"id": 1}},
            "container-title": {},
            "publisher": 3,
            "event": [],
        },
    ],
)
def test_odd_fields_of_crossref_are_left_empty(changes):
    found = look_up(DOI, Web({CROSSREF: crossref(**changes)}))
    assert found.title.startswith("Wet Sensors")
    assert not found.first_public or found.first_public[:2] == "20"


def test_a_doi_of_another_agency_is_resolved_by_content_negotiation():
    record = reply(302, location="https://data.crosscite.org/10.5281%2Fzenodo.1")
    web = Web(
        {
            "https://doi.org/10.5281/zenodo.1": record,
            "https://data.crosscite.org/10.5281%2Fzenodo.1": csl(),
        }
    )
    found = look_up("10.5281/zenodo.1", web)
    assert found.title == "Peat Data"
    assert found.authors == ("Ward, Ann", "Trust, Bog")  # a literal name is read like any other
    assert found.first_public == "2024-05-06"


def record(**fields):
    return parse_record({"title": ["Peat"], **fields}, "10.1234/peat", RESOLVER)


@pytest.mark.parametrize(
    ("parts", "date"),
    [
        ([2025, 2, 3], "2025-02-03"),
        ([2025], "2025"),
        (["2025", "06"], "2025-06"),
        ([2025, 2, 30], "2025-02"),  # no such day
        ([2025, 13, 1], "2025"),
        ([2025, None, 3], "2025"),
        ([20255], ""),
        (None, ""),
    ],
)
def test_a_date_is_taken_as_far_as_there_is_such_a_day(parts, date):
    assert record(issued={"date-parts": [parts]}).first_public == date


def test_the_earliest_date_counts_and_the_making_of_the_record_last():
    dates = {
        "published-online": {"date-parts": [[2025, 11, 4]]},
        "published-print": {"date-parts": [[2026, 1]]},
        "created": {"date-parts": [[2025, 11, 3]]},
    }
    found = record(**dates)
    assert (found.first_public, found.evidence) == ("2025-11-04", "doi.org, date published-online")
    assert found.year == "2026"
    found = record(created={"date-parts": [[2024, 3, 1]]})
    assert (found.first_public, found.evidence) == ("2024-03-01", "doi.org, date created")
    assert found.year == "2024"
    found = record()
    assert (found.first_public, found.evidence, found.year) == ("", "", "")


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"family": "Ward", "given": "Ann"}, "Ward, Ann"),
        ({"family": "Ward"}, "Ward"),
        ({"family": "Ward", "given": "Ann", "suffix": "Jr."}, "Ward Jr., Ann"),
        ({"family": "Groot", "given": "Zoë", "non-dropping-particle": "de"}, "de Groot, Zoë"),
        ({"name": "Bog; Fen Team"}, "Bog Fen Team"),
        ({"literal": "Ann Ward"}, "Ward, Ann"),
    ],
)
def test_a_name_has_all_its_parts(given, name):
    assert record(author=[given]).authors == (name,)


def test_a_subtitle_is_added_once():
    assert record(subtitle=["On wet ground"]).title == "Peat: On wet ground"
    assert (
        record(title=["Peat: on wet ground"], subtitle=["On Wet Ground"]).title
        == "Peat: on wet ground"
    )


def test_a_preprint_is_found_and_remarked():
    related = {"has-preprint": [{"id": "10.1/x"}, {"id": "10.48550/arXiv.2601.00010"}]}
    found = record(relation=related)
    assert (found.arxiv, found.remarks) == ("2601.00010", ("preprint: arXiv 2601.00010",))
    assert record().remarks == ()
