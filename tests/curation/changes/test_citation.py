"""How a report names a paper: the surest link, the first authors, the tags."""

import pytest

from corpus.curation.changes.changes import compare
from corpus.curation.changes.sentence import Citation, Marked, citations, markdown_text
from tests.corpora.full import ROWS, codebook_data, declared, full, full_of, sensor


def cited(**cells):
    """Return the citation of one added sensor with these cells."""
    before, after = full_of(), full_of(sensor("fen", **cells))
    return citations(compare(before, after), before, after)["fen"]


def test_an_added_entry_has_title_authors_year_link_and_tags():
    found = cited(
        name="Peat",
        authors="Ward, Ann; Li, Bo",
        year="2021",
        arxiv="2101.00009",
        depth="deep",
        senses="gas; heat",
    )
    link = Marked("arXiv:2101.00009", "https://arxiv.org/abs/2101.00009")
    about = ("Ward, Ann; Li, Bo", "2021", link)
    assert found == Citation("Peat", about, (("depth", "deep"), ("senses", "gas; heat")))


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("https://www.fen.example/a", "fen.example"),
        ("https://fen.example:8080/a ; https://moss.example/b", "fen.example:8080"),
        ("https://arxiv.org@evil.example/", None),
        ("javascript:alert(1)", None),
        ("http://[::1", None),
        ("", None),
    ],
)
def test_a_link_shows_where_it_leads(url, text):
    link = Marked(text, url.split(" ; ")[0])
    assert cited(url=url).about == ((link,) if text else ())


def with_bibliography(doi="", authors=""):
    data = codebook_data()
    data["tables"]["dated"]["columns"] += [
        declared("doi", "doi", role="doi", required=False),
        declared("people", "names", role="authors", required=False),
    ]
    rows = {"dated": [("fen", "2021", doi, authors)]}
    return full_of(rows={}, **data), full_of(
        sensor("fen", url="https://fen.example/a"), rows=rows, **data
    )


def test_authors_and_doi_may_be_in_the_bibliography():
    before, after = with_bibliography("10.1234/x", "Ward, Ann")
    found = citations(compare(before, after), before, after)["fen"]
    authors, link = found.about
    assert (authors, link.text) == ("Ward, Ann", "DOI 10.1234/x")
    assert markdown_text([link]).endswith("(https://doi.org/10.1234/x)")


def test_an_entry_is_cited_as_it_is_now_and_a_removed_one_as_it_was():
    rows = list(ROWS["sensors"])
    changed = [("aspen", *rows[0][1:]), (*rows[1][:2], "deep", *rows[1][3:]), *rows[2:4]]
    before, after = full(), full({"sensors": changed, "dropped": []})
    found = citations(compare(before, after), before, after)
    assert set(found) == {"aspen", "bob", "eve"}
    assert found["aspen"].title == rows[0][1]
    assert dict(found["bob"].tags)["depth"] == "deep"
    assert found["eve"].title == rows[4][1]
