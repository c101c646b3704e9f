"""One page per entry: what search engines read, where it leads, and that no cell gets out of its place."""

import re
from html.parser import HTMLParser

import pytest
from defusedxml.ElementTree import fromstring

from corpus.model.finding import CorpusError
from corpus.publishing.page.entry_pages import site_files
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import full, full_of, sensor
from tests.support.conformance import needed

ADDRESS = "https://soil.example/site"
HOSTILE = "</script></title><img src=x onerror=alert(1)> \" ' {{7*7}} \u202e"


class Elements(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def test_every_entry_has_a_page_that_names_the_work():
    study = load_corpus(str(REAL))
    made = site_files(study, "page", ADDRESS)
    assert set(made) == {
        "index.html",
        "sitemap.xml",
        *(f"entries/{key}.html" for key in study.entries),
    }
    html = made["entries/c3.html"].decode()
    assert html.count(study.entries["c3"].cell("title")) >= 2
    assert "@misc{c3,\n  author" in html
    assert '<link rel="canonical" href="https://soil.example/site/entries/c3.html">' in html
    assert 'name="citation_title"' in html
    assert 'href="../index.html#entry?key=c3"' in html


def test_the_sitemap_has_every_page_once():
    made = site_files(full(), "page", f"{ADDRESS}/")
    places = [
        node.text for node in fromstring(made["sitemap.xml"]).iter() if node.tag.endswith("loc")
    ]
    assert places == [
        f"{ADDRESS}/",
        *(f"{ADDRESS}/entries/{key}.html" for key in ("ada", "bob", "cy", "dot", "eve")),
    ]


def test_without_an_address_there_is_no_sitemap_and_no_canonical_one():
    made = site_files(full(), "page")
    assert "sitemap.xml" not in made
    assert b"canonical" not in made["entries/ada.html"]


def test_terms_come_with_their_meaning_and_evidence_is_there():
    html = site_files(full(), "page")["entries/cy.html"].decode()
    assert "To 1 m." in html
    assert "2019-05" in site_files(full(), "page")["entries/ada.html"].decode()
    assert "No depth." not in site_files(full(), "page")["entries/eve.html"].decode()


@pytest.mark.parametrize(
    "study", [full(), full_of(sensor("a", name=HOSTILE, authors=HOSTILE, venue=HOSTILE))]
)
def test_the_pages_are_valid_html(study):
    for name, content in site_files(study, "", ADDRESS).items():
        if name.startswith("entries/"):
            needed("html5lib").HTMLParser(strict=True).parse(content.decode())


def test_no_cell_becomes_an_element_or_an_address():
    study = full_of(
        sensor("a", name=HOSTILE, authors=HOSTILE, venue=HOSTILE, url="javascript:alert(1)")
    )
    html = site_files(study, "", ADDRESS)["entries/a.html"].decode()
    found = Elements(html).found
    assert not {"script", "img"} & {tag for tag, _ in found}
    for tag, attributes in found:
        assert not [name for name in attributes if name.startswith("on")], tag
        assert re.match(
            r"https://soil\.example|\.\./index\.html#", attributes.get("href", "../index.html#")
        )
    assert "script-src 'none'" in html.replace("&#x27;", "'")


def test_a_key_that_is_no_file_name_is_refused():
    for key in ("../up", "con"):
        with pytest.raises(CorpusError) as error:
            site_files(full_of(sensor(key)), "")
        assert [finding.code for finding in error.value.findings] == ["X107"]
