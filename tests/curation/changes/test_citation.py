"""How a report names a paper: the surest link, the first authors, the tags."""

import pytest

from corpus.curation.changes.delta import Delta
from corpus.curation.changes.effects import row_notes
from corpus.curation.changes.sentence import Marked, plain_text
from tests.corpora.full import ROWS, codebook_data, declared, full, full_of, sensor


def told(before, after):
    """Return the sentence about each entry that differs, by its key."""
    found = [
        note for note in row_notes.rows(Delta.between(before, after)) if note.group == "sensors"
    ]
    return {note.table[0]["key"]: note.text for note in found}


def cited(**cells):
    """Return the sentence about one added sensor with these cells."""
    return told(full_of(), full_of(sensor("fen", **cells)))["fen"]


def test_an_added_entry_has_title_authors_year_link_and_tags():
    text = cited(
        name="Peat",
        authors="Ward, Ann; Li, Bo",
        year="2021",
        arxiv="2101.00009",
        depth="deep",
        senses="gas; heat",
    )
    link = Marked("arXiv:2101.00009", "https://arxiv.org/abs/2101.00009")
    assert link in text
    named = f"fen, “Peat” (Ward, Ann; Li, Bo, 2021, {link.address})"
    assert plain_text(text) == f"Adds {named}: depth = deep, senses = gas; heat."


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
    links = [part for part in cited(url=url) if isinstance(part, Marked) and part.address]
    assert links == ([Marked(text, url.split(" ; ")[0])] if text else [])


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
    text = plain_text(told(*with_bibliography("10.1234/x", "Ward, Ann"))["fen"])
    assert "(Ward, Ann, https://doi.org/10.1234/x)" in text


def test_an_entry_is_cited_as_it_is_now_and_a_removed_one_as_it_was():
    rows = list(ROWS["sensors"])
    changed = [("aspen", *rows[0][1:]), (*rows[1][:2], "deep", *rows[1][3:]), *rows[2:4]]
    found = told(full(), full({"sensors": changed, "dropped": []}))
    assert set(found) == {"aspen", "bob", "eve"}
    assert f"“{rows[0][1]}”" in plain_text(found["aspen"])
