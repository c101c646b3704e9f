"""Every mistake in a file of searches is named by its key; queries are in the form of each source."""

import pytest

from corpus.curation.retrieval.searches import (
    SEARCH_MISTAKE,
    QueryProblem,
    query_for,
    read_search_list,
)
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


BOOLEAN = '"soil moisture" AND (sensor OR "wet probe") NOT drone'


@pytest.mark.parametrize(
    ("source", "query", "written"),
    [
        ("openalex", BOOLEAN, BOOLEAN),
        ("semanticscholar", BOOLEAN, '"soil moisture" + (sensor | "wet probe") -drone'),
        (
            "arxiv",
            '"soil moisture" AND (sensor OR peat) AND NOT drone',
            'all:"soil moisture" AND ( all:sensor OR all:peat ) ANDNOT all:drone',
        ),
        ("openalex", "pre- OR post", "pre- OR post"),
        ("openalex", "NOT (peat OR moss) lichen", "NOT (peat OR moss) lichen"),
        ("semanticscholar", "(peat-land NOT (moss)) OR NOT x", "(peat-land -(moss)) | -x"),
        ("semanticscholar", "pre- AND post", "pre- + post"),
        ("arxiv", '"AND" moss', 'all:"AND" AND all:moss'),
        ("arxiv", "(peat) (moss)", "( all:peat ) AND ( all:moss )"),
        ("dblp", "peat OR moss OR lichen AND fen", "peat|moss|lichen fen"),
        ("arxiv", "peat moss", "all:peat AND all:moss"),
        ("dblp", "peat AND moss OR lichen", "peat moss|lichen"),
        ("crossref", "peat moss", "peat moss"),
        ("openreview", "peat moss", "peat moss"),
    ],
)
def test_a_query_is_written_for_its_source(source, query, written):
    assert query_for(source, query) == written


@pytest.mark.parametrize(
    ("source", "query"),
    [
        ("dblp", '"peat moss"'),
        ("dblp", "peat AND (moss OR lichen)"),
        ("dblp", "peat NOT moss"),
        ("crossref", "peat AND moss"),
        ("openreview", '"peat moss"'),
        ("arxiv", "NOT peat"),
        ("arxiv", "peat OR NOT moss"),
        *(
            ("openalex", query)
            for query in (
                "",
                '"peat',
                '""',
                "(peat",
                "peat)",
                "()",
                "AND peat",
                "peat OR",
                "peat AND OR moss",
                "peat and moss",
                "peat AND (OR moss)",
                "peat (OR moss)",
                "peat ()",
                "peat NOT NOT moss",
                "peat AND NOT OR moss",
                "peat NOT",
                "(peat AND) moss",
                ")peat(",
                "“soil moisture”",
                "«sol humide»",
                "peat -moss",
                "+peat moss",
                "peat|moss",
                "not peat",
            )
        ),
    ],
)
def test_what_a_source_would_read_otherwise_is_refused(source, query):
    with pytest.raises(QueryProblem):
        query_for(source, query)
