"""A source is asked at its own pace, and left alone when it does not answer."""

import pytest

from corpus.curation.retrieval.run import TRIES, PoliteAsker
from corpus.curation.retrieval.searches import Search
from corpus.curation.retrieval.sources import SOURCES
from corpus.model.finding import CorpusError
from tests.support.search_answers import Answers, arxiv_page

SEARCH = Search("wet", "arxiv", "peat", "", "", 10)
BUSY = (503, {})


def waits(*answers, pages=1):
    found = []
    asker = PoliteAsker(SOURCES["arxiv"], Answers(*answers), found.append)
    for _ in range(pages):
        asker.body(SEARCH, "")
    return found


def test_each_further_wait_is_twice_as_long():
    assert waits(BUSY, BUSY, BUSY, BUSY, arxiv_page()) == [5, 10, 20, 40]


def test_a_wait_is_never_shorter_than_the_pause_of_the_source():
    assert waits((429, {"retry-after": "1"}), arxiv_page()) == [SOURCES["arxiv"].pause]


def test_there_is_a_pause_before_every_page_but_the_first():
    assert waits(arxiv_page(), arxiv_page(), arxiv_page(), pages=3) == [3, 3]


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_after_the_last_try_nobody_waits(status):
    found = []
    asker = PoliteAsker(SOURCES["arxiv"], Answers(*[(status, {})] * TRIES), found.append)
    with pytest.raises(CorpusError) as error:
        asker.body(SEARCH, "")
    assert [finding.code for finding in error.value.findings] == ["S104"]
    assert len(found) == TRIES - 1
