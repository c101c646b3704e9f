"""Identifiers of works are found in any form, and nothing else is taken for one."""

from datetime import date

import pytest

from corpus.model.identifiers import (
    arxiv_month,
    ascii_text,
    begun_doi,
    find_arxiv,
    find_doi,
    identities,
    is_key,
    normal_title,
    parse_arxiv,
    parse_doi,
)


@pytest.mark.parametrize(
    ("text", "month"),
    [
        ("0704.0001", (2007, 4)), ("1412.9999", (2014, 12)), ("1501.00001", (2015, 1)),
        ("2508.03680", (2025, 8)), ("hep-th/9901001", (1999, 1)), ("math.AG/0601001", (2006, 1)),
        ("cs/9108001", (1991, 8)), ("q-bio/0703001", (2007, 3)), ("cond-mat/0001001", (2000, 1)),
    ],
)  # fmt: skip
def test_an_arxiv_identifier_tells_its_month(text, month):
    assert arxiv_month(parse_arxiv(text)) == date(*month, 1)


@pytest.mark.parametrize(
    "text",
    [
        "", "2508.0368", "1412.00001", "1501.0001", "2513.00001", "2500.00001", "0612.0001", "2508.036800",
        "2508.03680v2", "arXiv:2508.03680", " 2508.03680", "2508.03680\n", "hep-th/9913001", "hep-th/990101",
        "HEP-TH/9901001", "２508.03680",
    ],
)  # fmt: skip
def test_what_is_not_written_exactly_is_no_arxiv_identifier(text):
    with pytest.raises(ValueError, match="not an arXiv identifier"):
        parse_arxiv(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2508.03680", "2508.03680"), ("2508.03680v12", "2508.03680"), ("arXiv:2508.03680", "2508.03680"),
        ("ARXIV 2508.03680 [cs]", "2508.03680"), ("https://arxiv.org/abs/2508.03680v2", "2508.03680"),
        ("http://arxiv.org/pdf/2508.03680.pdf", "2508.03680"), ("arxiv.org/html/2508.03680v1", "2508.03680"),
        ("https://doi.org/10.48550/arXiv.2508.03680", "2508.03680"), ("https://arxiv.org/abs/hep-th/9901001v3", "hep-th/9901001"),
        ("arXiv:hep-th/1601.07616", "1601.07616"), ("cs.LG/2101.00001v2", "2101.00001"),
        (" 2508.03680 ", "2508.03680"), ("https://arxiv.org/abs/q-bio/0703001v2", "q-bio/0703001"),
        ("see 2508.03680", None), ("arXiv:2513.00001", None), ("2508.036801", None), ("10.1234/2508.03680", None),
        ("https://fen.example/2508.03680", None), ("", None),
    ],
)  # fmt: skip
def test_an_arxiv_identifier_is_found_where_it_is_named_as_one(text, found):
    assert find_arxiv(text) == found


@pytest.mark.parametrize("text", ["", "10.123/x", "10.1234/", "10.1234/a b", "doi:10.1234/x", "10.1234/é", "11.1234/x"])  # fmt: skip
def test_what_is_not_written_exactly_is_no_doi(text):
    with pytest.raises(ValueError, match="not a DOI"):
        parse_doi(text)


@pytest.mark.parametrize(
    ("text", "found", "begun"),
    [
        ("10.1145/3658617", "10.1145/3658617", ""), ("https://doi.org/10.1145/ABC).", "10.1145/abc", ""),
        ("DOI: 10.1145/3658617, 2024", "10.1145/3658617", ""), ("http://dx.doi.org/10.1/x", None, ""),
        ("https://doi.org/10.1145/a(b)c", "10.1145/a(b)c", ""),
        ("10.1145/...", None, "10.1145/..."), ("https://doi.org/10.1145/36...", None, "10.1145/36..."),
        # Another work may have the DOI that an ellipsis or a letter cuts off.
        ("https://doi.org/10.1145/36…", None, "10.1145/36…"), ("10.1145/gröse", None, "10.1145/gröse"),
        ("“doi:10.1145/36”", "10.1145/36", ""), ("https://fen.example/10.1145/36", None, ""), ("", None, ""),
    ],
)  # fmt: skip
def test_a_doi_is_found_whole_or_told_to_be_cut_off(text, found, begun):
    assert find_doi(text) == found
    assert begun_doi(text) == begun


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("fen", True), ("fen-2026", True), ("Fen", True), ("2", True), ("a" * 80, True), ("a" * 81, False),
        ("", False), ("-fen", False), ("fen-", False), ("a--b", False), ("a b", False), ("a_b", False),
        ("fén", False), ("fen\n", False),
    ],
)  # fmt: skip
def test_a_key_is_ascii_words_between_single_hyphens(text, valid):
    assert is_key(text) is valid


def test_a_work_has_the_same_identities_in_every_form():
    arxiv = {"arxiv:2508.03680"}
    assert identities("https://doi.org/10.48550/arXiv.2508.03680") == arxiv
    assert identities("arXiv: 2508.03680v1") == identities("", "2508.03680") == arxiv
    acl = {"acl:2020.acl-main.1"}
    assert identities("10.18653/v1/2020.acl-main.1") == acl
    assert identities("https://aclanthology.org/2020.acl-main.1.pdf") == acl
    assert identities("acl:P19-1001") == identities("10.18653/v1/P19-1001") == {"acl:p19-1001"}
    review = {"openreview:ur295YVtmt"}
    assert identities("https://openreview.net/forum?id=ur295YVtmt&x=1") == review
    assert identities("openreview:ur295YVtmt") == review
    assert identities("10.1145/3658617") == {"doi:10.1145/3658617"}


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Über – die Moore!", "UBER die moore"), ("ﬁne peat", "Fine Peat"), ("Straße", "STRASSE"),
        ("a\u0301bc", "ábc"), ("  a  b ", "ab"),
    ],
)  # fmt: skip
def test_titles_are_equal_without_case_accents_and_punctuation(text, same):
    assert normal_title(text) == normal_title(same) != ""


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Łukasz", "lukasz"),
        ("Ærø ℡", "aero tel"),
        ("日本 x", " x"),
        ("Þór", "thor"),
        ("Ðiđħæœ", "didhaeoe"),
        ("İ", "i"),
    ],
)
def test_names_are_transcribed_to_ascii(text, plain):
    assert ascii_text(text) == plain
