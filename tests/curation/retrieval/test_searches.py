"""Every mistake in a file of searches is named by its key; a valid file has none."""

import pytest

from corpus.curation.retrieval.retrieval_rules import SEARCH_MISTAKE
from corpus.curation.retrieval.searches import read_search_list
from corpus.model.documents.section import Section

WET = {"id": "wet-1", "source": "arxiv", "query": "peat"}


def parsed(*searches, format_=1):
    data = {"format": format_, "searches": list(searches)}
    section = Section(data, (), [], "searches.toml", SEARCH_MISTAKE)
    return read_search_list(section), [(each.code, each.column) for each in section.findings]


@pytest.mark.parametrize(
    ("changes", "code", "key"),
    [
        ({"id": "-wet"}, "S101", "id"),
        ({"id": "0" * 65}, "S101", "id"),
        ({"id": "Wet"}, "S101", "id"),
        ({"from": "2026-1-1"}, "S101", "from"),
        ({"to": "2026-02-30"}, "S101", "to"),
        ({"from": "2026-01-02", "to": "2026-01-01"}, "S101", "to"),
        ({"source": "dblp", "from": "2026-01-01"}, "S101", "from"),
        ({"source": "openreview", "to": "2026-01-01"}, "S101", "from"),
        ({"most": 0}, "S101", "most"),
        ({"most": 100_001}, "S101", "most"),
        ({"query": "peat AND"}, "S102", "query"),
        ({"source": "dblp", "query": "NOT peat"}, "S102", "query"),
        ({"wetness": 3}, "S101", "wetness"),
    ],
)
def test_a_mistake_is_named_by_its_key(changes, code, key):
    assert parsed({**WET, **changes})[1] == [(code, f"searches[1].{key}")]


def test_an_id_is_given_once_and_the_format_named():
    _, findings = parsed(WET, WET, format_=2)
    assert [column for _, column in findings] == ["format", "searches[2].id"]
