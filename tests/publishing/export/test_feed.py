"""The feed, checked against RFC 4287, sections 4.1.1 and 4.1.2."""

import re

import pytest
from defusedxml.ElementTree import fromstring

from corpus.publishing.export.feed import atom
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import ROWS, codebook_data, full, full_of, sensor

ATOM = "{http://www.w3.org/2005/Atom}"


def _entries(feed):
    return feed.findall(f"{ATOM}entry")


def test_feed_and_entries_have_what_the_format_requires():
    feed = fromstring(atom(load_corpus(str(REAL))))
    assert feed.tag == f"{ATOM}feed"
    assert feed.find(f"{ATOM}author/{ATOM}name").text
    for element in [feed, *_entries(feed)]:
        for name in ("id", "title", "updated"):
            assert len(element.findall(ATOM + name)) == 1
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", element.find(f"{ATOM}updated").text)
        assert len(element.findall(f"{ATOM}link[@rel='alternate']")) <= 1
        # Without content an entry needs a link to it.
        assert element.find(f"{ATOM}link") is not None
    identifiers = [entry.find(f"{ATOM}id").text for entry in _entries(feed)]
    assert len(set(identifiers)) == len(identifiers)


def test_the_newest_is_first_and_an_added_entry_changes_no_other():
    before = _entries(fromstring(atom(full())))
    assert [entry.find(f"{ATOM}published").text[:7] for entry in before] == [
        "2021-01",
        "2020-11",
        "2020-11",
        "2020-01",
        "2019-05",
    ]
    more = [*ROWS["sensors"], sensor("new", year="2022")]
    after = _entries(fromstring(atom(full({"sensors": more}))))
    known = {entry.find(f"{ATOM}id").text for entry in before}
    added = [entry for entry in after if entry.find(f"{ATOM}id").text not in known]
    assert [entry.find(f"{ATOM}title").text for entry in added] == ["new"]


def test_hostile_cells_stay_text():
    study = full_of(
        sensor("a", name="</title><script>\x01 &x;", year="nonsense", url="javascript:x")
    )
    entry = _entries(fromstring(atom(study)))[0]
    assert entry.find(f"{ATOM}title").text == "</title><script> &x;"
    assert entry.find(f"{ATOM}link") is None


def _updated(**about):
    feed = fromstring(atom(full(corpus={**codebook_data()["corpus"], **about})))
    return feed.find(f"{ATOM}updated").text


@pytest.mark.parametrize(
    ("cutoff", "day"),
    [
        ("2020-05-06", "2021-01-01"),
        ("2023-05-06", "2023-05-06"),
        ("", "2021-01-01"),
        ("soon", "2021-01-01"),
    ],
)
def test_a_feed_is_as_new_as_its_newest_entry_or_its_cutoff(cutoff, day):
    assert _updated(cutoff=cutoff) == f"{day}T00:00:00Z"


def test_entries_have_authors_in_reading_order_categories_and_their_address():
    entry = _entries(fromstring(atom(full())))[1]
    assert [name.text for name in entry.findall(f"{ATOM}author/{ATOM}name")] == [
        "Ann Ward",
        "Soil Trust",
    ]
    assert entry.find(f"{ATOM}category").get("term") == "depth: surface"
    assert entry.find(f"{ATOM}link").get("href") == "https://arxiv.org/abs/2011.00010"
    assert entry.find(f"{ATOM}updated").text == entry.find(f"{ATOM}published").text
