"""Sentences of a report: what is markup there, and what only looks like it."""

import pytest
from markdown_it import MarkdownIt

from corpus.curation.changes.sentence import Marked, code, markdown_text

PARTS = (code("fen"), " is in ", Marked("arXiv:1", "https://a.example/1"))


def test_code_and_links_are_rendered():
    html = MarkdownIt().renderInline(markdown_text(PARTS))
    assert html == '<code>fen</code> is in <a href="https://a.example/1">arXiv:1</a>'


@pytest.mark.parametrize(
    "text", ["a`b", "`", "@octocat", "<b>", "a\nb", "::error::x", "\u202ea", "https://a.example"]
)
def test_a_text_that_could_leave_its_code_span_is_escaped_instead(text):
    html = MarkdownIt("commonmark", {"html": True}).renderInline(markdown_text([code(text)]))
    assert "<code>" not in html
    assert "<b>" not in html


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "no address"])
def test_only_web_addresses_become_links(address):
    written = markdown_text([Marked("here", address)])
    assert written == "here"


def test_no_address_ends_its_link_or_mentions_anybody():
    part = Marked("here", "https://a.example/@octocat) [x](https://b.example")
    html = MarkdownIt().renderInline(markdown_text([part]))
    assert html.count("<a ") == 1
    assert "@octocat" not in markdown_text([part])
