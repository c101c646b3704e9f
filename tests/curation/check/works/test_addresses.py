"""Addresses: the same one twice, and http where https exists."""

import pytest

from corpus.curation.check.works.addresses import address_findings
from corpus.tables.sheet import sheet_of
from tests.corpora.full import codebook_data, full_of, sensor

LINK = {"name": "link", "type": "url", "required": False, "definition": "Address."}


def found(*urls, dropped=(), seen=(), code=()):
    """Check sensors with these addresses; records, rows of evidence and code with others."""
    data = codebook_data()
    for table in ("dropped", "probes"):
        data["tables"][table]["columns"].append(LINK)
    rows = {
        "dropped": [(f"x{number}", "title", "", "", url) for number, url in enumerate(dropped)],
        "probes": [("k0", str(number), "", url) for number, url in enumerate(seen)],
    }
    data["tables"]["sensors"]["columns"].append({**LINK, "name": "code"})
    sensors = [(*sensor(f"k{n}", url=url), *code) for n, url in enumerate(urls)]
    study = full_of(*sensors, rows=rows, **data)
    sheets = {name: sheet_of(table) for name, table in study.tables.items()}
    return [
        f"{one.code} {one.file}:{one.line} {one.value}"
        for one in address_findings(sheets, study.codebook)
    ]


FEN = "https://fen.example/a"


@pytest.mark.parametrize(
    "other",
    [
        FEN,
        "https://fen.example/a/",
        "https://www.fen.example/a",
        "https://FEN.example/a",
        "https://fen.example/a#part",
        f"https://moss.example/ ; {FEN}",
    ],
)
def test_the_same_address_is_found_at_the_later_row(other):
    assert found(FEN, "", other) == [f"C313 sensors.csv:4 {other}"]


def test_a_record_of_the_log_is_a_work_and_a_row_of_evidence_is_not():
    assert found(FEN, dropped=[FEN], seen=[FEN, FEN]) == [f"C313 dropped.csv:2 {FEN}"]


def test_two_works_may_have_their_code_in_one_repository():
    assert found(FEN, "https://moss.example/", code=["https://github.com/fen/moss"]) == []


@pytest.mark.parametrize(
    "address", ["https://arxiv.org/abs/2101.00001", "https://doi.org/10.1234/x"]
)
def test_an_address_with_an_identifier_is_left_to_the_check_for_the_same_work(address):
    assert found(address, address) == []


@pytest.mark.parametrize(
    ("cell", "is_found"),
    [
        ("http://arxiv.org/abs/2101.00001", True),
        ("http://www.nature.com/x", True),
        ("http://dl.acm.org/x", True),
        ("http://moss.example/x", False),  # nobody knows whether it answers by https
        ("https://arxiv.org/abs/2101.00001", False),
        ("https://moss.example/x ; http://github.com/x", True),
        ("https://moss.example/?to=http://arxiv.org/", False),
        ("http://[::1", False),
        ("http://", False),
    ],
)
def test_http_is_reported_where_the_host_answers_by_https(cell, is_found):
    assert found(cell) == [f"C314 sensors.csv:2 {cell}"] * is_found


def test_another_address_of_the_corpus_shows_that_a_host_answers_by_https():
    places = found("http://www.fen.example/b", seen=["https://fen.example/c"])
    assert places == ["C314 sensors.csv:2 http://www.fen.example/b"]


@pytest.mark.parametrize(("url", "is_found"), [
    ("https://arxiv.org.evil.example/abs/2011.00002", True),
    ("https://mirror.example/papers/2011.00002", True),
    ("https://mirror.example/hep-th/9901001.html", True),
    ("https://export.arxiv.org/abs/2011.00002", False),
    ("https://arxiv.org/pdf/2011.00002", False),
    ("https://doi.org/10.48550/arXiv.2011.00002", False),
    ("https://fen.example/paper ; https://arxiv.org-x.example/abs/2011.00002", True),
    ("https://github.com.example/fen", True),
    ("https://gist.github.com/fen", False),
    ("https://fen.example/paper", False),
])  # fmt: skip
def test_a_host_that_looks_like_an_archive_or_has_its_identifiers_is_found(url, is_found):
    arxiv = "hep-th/9901001" if "hep-th" in url else "2011.00002"
    study = full_of(sensor("fen", arxiv=arxiv, url=url))
    sheets = {name: sheet_of(table) for name, table in study.tables.items()}
    codes = {one.code for one in address_findings(sheets, study.codebook)}
    assert ("C443" in codes) is is_found


@pytest.mark.parametrize(("cell", "times"), [
    ("https://arxiv.org/pdf/2101.00001v2", 1),
    ("https://fen.example/a ; https://arxiv.org/pdf/hep-th/9901001", 1),
    ("https://openreview.net/pdf?id=ur295YVtmt", 1),
    ("https://aclanthology.org/2025.fen-main.1.pdf", 1),
    ("https://arxiv.org/abs/2101.00001", 0),
    ("https://arxiv.org/pdf/nothing", 0),
    ("https://openreview.net/forum?id=ur295YVtmt", 0),
    ("https://aclanthology.org/2025.fen-main.1", 0),
    ("https://fen.example/pdf/2101.00001", 0),
])  # fmt: skip
def test_the_pdf_of_a_work_at_an_archive_has_a_page(cell, times):
    assert found(cell) == [f"C445 sensors.csv:2 {cell}"] * times
