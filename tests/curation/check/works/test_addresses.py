"""The same address in two rows."""

import pytest

from corpus.curation.check.works.duplicates import address_findings, all_works
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
        for one in address_findings(all_works(sheets, study.codebook))
    ]


FEN = "https://fen.example/a"


@pytest.mark.parametrize(
    "other",
    [
        FEN,
        "https://fen.example/a/",
        "https://www.fen.example/a",
        "http://fen.example/a",
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
