"""A run keeps what it has after each page, goes on there, and never has more than was asked for."""

import json

import pytest

from corpus.curation.lookup.transport import TRIES, PoliteClient
from corpus.curation.retrieval.searches import Search
from corpus.curation.retrieval.sources import FOLDER, forget, retrieve
from corpus.model.finding import CorpusError
from tests.support.search_answers import Answers, openalex_page, openalex_work

SEARCH = Search("wet", "openalex", "peat", "", "", 3)


def works(*names):
    return [openalex_work(display_name=name) for name in names]


def run(data, *answers, search=SEARCH, today="2026-01-02"):
    client = PoliteClient(1, Answers(*answers), lambda _: None)
    return retrieve(search, str(data), client, today)


def titles(found):
    return [record.title for record in found.records]


def test_an_interrupted_run_keeps_its_day_and_its_pages(tmp_path):
    first = openalex_page(*works("a"), {"display_name": ""}, cursor="two", count=9)
    running = run(tmp_path, first)
    assert titles(next(running)) == ["a"]
    assert (tmp_path / FOLDER / ".gitignore").read_text() == "*\n"
    found = list(run(tmp_path, openalex_page(*works("b")), today="2026-02-02"))[-1]
    assert titles(found) == ["a", "b"]
    assert (found.started, found.hits, found.skipped) == ("2026-01-02", 9, 1)
    assert found.run_id.startswith("wet-2026-01-02-")


def test_a_complete_run_is_there_until_it_is_forgotten(tmp_path):
    list(run(tmp_path, openalex_page(*works("a"))))
    assert titles(list(run(tmp_path))[-1]) == ["a"]
    forget(SEARCH, str(tmp_path))
    assert [path.name for path in (tmp_path / FOLDER).iterdir()] == [".gitignore"]
    forget(SEARCH, str(tmp_path))


def test_another_query_of_that_name_begins_anew(tmp_path):
    first = list(run(tmp_path, openalex_page(*works("a"), cursor="two"), openalex_page()))[-1]
    second = list(run(tmp_path, openalex_page(*works("b")), search=SEARCH._replace(query="moss")))[
        -1
    ]
    assert (titles(first), titles(second)) == (["a"], ["b"])
    assert first.run_id != second.run_id


@pytest.mark.parametrize("wrong", [
    {"search": None}, {"started": None}, {"records": [["OpenAlex", 7]]}, {"records": ["peat"]}, {"records": 7},
    {"hits": "many"}, {"skipped": []},
])  # fmt: skip
def test_a_state_that_lacks_something_or_has_another_kind_is_not_used(tmp_path, wrong):
    list(run(tmp_path, openalex_page(*works("a"))))
    path = tmp_path / FOLDER / "wet.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **wrong}))
    assert titles(list(run(tmp_path, openalex_page(*works("b"))))[-1]) == ["b"]


def test_a_source_that_refuses_for_too_long_is_named(tmp_path):
    with pytest.raises(CorpusError) as error:
        list(run(tmp_path, *[(503, {})] * TRIES))
    assert [(one.code, one.file) for one in error.value.findings] == [("S104", "wet")]
