"""Years of entries against their first version and the years in their keys."""

import pytest

from corpus.curation.check.works import years
from corpus.curation.check.works.years import read_years
from corpus.model.documents.section import read_settings
from corpus.model.finding import CorpusError
from corpus.tables.sheet import sheet_of
from tests.corpora.full import codebook_data, full_of, sensor
from tests.support.checked import findings_of

LIMITS = {"after_first_public": 1, "in_keys": True}


def found(year, seen, key="fen", venue="", limits=LIMITS):
    """Check one sensor, first seen on a day; `seen` is None where nobody knows."""
    data = codebook_data(years=limits) if limits is not None else codebook_data()
    rows = {"dated": [(key, seen)]} if seen is not None else {}
    study = full_of(sensor(key, year=year, venue=venue), rows=rows, **data)
    sheets = {name: sheet_of(table) for name, table in study.tables.items()}
    return [
        (one.code, one.line, one.column, one.value) for one in findings_of([years], sheets, study)
    ]


@pytest.mark.parametrize(
    ("year", "venue", "is_plausible"),
    [
        ("2020", "", True),
        ("2019", "", False),
        ("2021", "", False),  # nothing published it then
        ("2021", "ICML 2021", True),
        ("2021", "Journal of Soil", True),
        ("2021", "arXiv, revised 2021", True),
        ("2021", "arXiv", False),
        ("2022", "ICML 2022", False),
        ("2019", "ICML 2019", False),
        ("20x0", "", True),  # C208 reports it
        ("", "", True),
    ],
)
def test_a_work_is_published_in_the_year_of_its_first_version_or_soon_after(
    year, venue, is_plausible
):
    assert found(year, "2020-11-02", venue=venue) == [("C315", 2, "year", year)] * (
        not is_plausible
    )


@pytest.mark.parametrize(
    ("allowed", "year", "is_plausible"), [(0, "2021", False), (2, "2022", True), (2, "2023", False)]
)
def test_how_much_later_a_venue_publishes_is_declared(allowed, year, is_plausible):
    places = found(year, "2020", venue=f"ICML {year}", limits={"after_first_public": allowed})
    assert bool(places) is not is_plausible


@pytest.mark.parametrize("seen", [None, "", "May"])
def test_without_a_day_of_its_first_version_any_year_is_plausible(seen):
    assert found("1999", seen) == []


@pytest.mark.parametrize(
    ("key", "year", "venue", "is_plausible"),
    [
        ("fen2020", "2020", "", True),
        ("fen2021", "2021", "ICML 2021", True),
        ("fen2020", "2021", "ICML 2021", True),  # first seen in 2020
        ("fen2019", "2020", "", False),
        ("fen2022", "2021", "ICML 2021", False),
        ("fen20201", "2020", "", True),  # a number that is no year
        ("fen-1020", "2020", "", True),
        ("2019fen", "2020", "", True),
    ],
)
def test_a_year_at_the_end_of_a_key_is_that_of_the_work(key, year, venue, is_plausible):
    places = found(year, "2020-11-02", key=key, venue=venue)
    assert places == [("C316", 2, "sensor", key)] * (not is_plausible)


def test_years_in_keys_are_compared_where_that_is_declared():
    assert found("2020", "2020", key="fen1999", limits={"in_keys": False}) == []
    assert found("2020", "2020", key="fen1999", limits={}) == []


@pytest.mark.parametrize("section", [
    {"after_first_public": "one"}, {"in_keys": 3}, {"unknown": 1}, {"after_first_public": True},
    {"after_first_public": -1},
])  # fmt: skip
def test_a_mistake_in_the_limits_is_refused_and_stops_no_check(section):
    book = full_of(years=section).codebook
    with pytest.raises(CorpusError) as error:
        read_settings(book, "years", read_years)
    assert {(one.code, one.file) for one in error.value.findings} == {("C001", "codebook.toml")}
    assert found("1999", "2020", limits=section) == []
