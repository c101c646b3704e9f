"""Which cells become links."""

import pytest

from corpus.publishing.page.links import addresses, links


@pytest.mark.parametrize(("cell", "kind", "found"), [
    ("2508.03680", "arxiv", [("https://arxiv.org/abs/2508.03680", "arXiv:2508.03680")]),
    ("hep-th/9901001", "arxiv", [("https://arxiv.org/abs/hep-th/9901001", "arXiv:hep-th/9901001")]),
    ("2508.036", "arxiv", []),
    ("2508.03680v1", "arxiv", []),
    ("10.1234/a(b)c", "doi", [("https://doi.org/10.1234/a(b)c", "doi:10.1234/a(b)c")]),
    ("10.1234/<a>?#", "doi", [("https://doi.org/10.1234/%3Ca%3E%3F%23", "doi:10.1234/<a>?#")]),
    ("10.12/a", "doi", []),
    ("javascript:alert(1)", "url", []),
    ("HTTPS://WWW.A.example/x/", "url", [("HTTPS://WWW.A.example/x/", "A.example/x")]),
    ("https://a.example/", "text", [("https://a.example/", "a.example")]),
    ("see https://a.example/", "text", []),
])  # fmt: skip
def test_only_whole_identifiers_and_addresses_are_linked(cell, kind, found):
    assert links(cell, kind) == found


@pytest.mark.parametrize("cell", [
    "https://a.example/ ; javascript:x", "https://a.example/\"onclick", "https://a b.example/", "",
    "https://", "ftp://a.example/",
])  # fmt: skip
def test_one_bad_address_makes_the_whole_cell_text(cell):
    assert addresses(cell) == []
