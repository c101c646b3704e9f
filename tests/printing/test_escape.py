from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from corpus.printing.escape import csv_cell, markdown, web_address
from tests.support.hostile import HOSTILE


@pytest.mark.parametrize(
    "text",
    ["1.8", "1. x", "12) y", "- a", "# h", "> q", "a_b_c", "*x*", "1.", "+ b", "~~s~~", "a | b"],
)
def test_a_text_reads_in_markdown_as_it_was_typed(text):
    page = MarkdownIt("commonmark").render(markdown(text))
    assert page == f"<p>{text.replace('>', '&gt;')}</p>\n"


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_one_plain_paragraph(text):
    tokens = MarkdownIt("commonmark").parse(markdown(text))
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    kinds = {token.type for token in tokens[1].children or []}
    assert kinds <= {"text", "text_special", "html_inline"}
    html = {token.content for token in tokens[1].children or [] if token.type == "html_inline"}
    assert html <= {"<!-- -->"}


@pytest.mark.parametrize(
    "text", ["@octocat", "see #12", "www.a.example", "http://a.example", "::error::x", "a @b/c"]
)
def test_syntax_of_github_alone_is_broken_up(text):
    """A mention, an issue, an address without brackets and a workflow command are no markup of plain Markdown."""
    assert not re.search(r"[@#]\w|www\.|://|::", markdown(text))


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("https://a.example/x", "https://a.example/x"),
        ("https://a.example/(x)|y z", "https://a.example/%28x%29%7Cy%20z"),
        ("http://a.example:80?q=<b>\"'", "http://a.example:80?q=%3Cb%3E%22%27"),
        ("javascript:alert(1)", ""),
        ("https://a.example\n.evil", ""),
        ("//a.example", ""),
        ("https:///x", ""),
        ("data:text/html,x", ""),
    ],
)
def test_only_plain_web_addresses_become_links(given, address):
    assert web_address(given) == address


@pytest.mark.parametrize(
    "sign", ["=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20"]
)
def test_no_cell_for_a_spreadsheet_begins_a_formula(sign):
    assert csv_cell(sign + "1+1") == "'" + sign + "1+1"
    assert csv_cell("a" + sign) == "a" + sign
