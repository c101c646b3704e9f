"""Queries of protocols in the form of each source; nothing is dropped."""

import pytest

from corpus.curation.retrieval.query import QueryProblem, query_for

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
