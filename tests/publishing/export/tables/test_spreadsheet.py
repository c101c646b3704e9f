import csv
import io
from unicodedata import normalize

import pandas as pd
import pytest

from corpus.printing.escape import is_formula
from corpus.publishing.export.tables.spreadsheet import export_table, without_guard
from tests.corpora.full import full, full_of, sensor
from tests.support.hostile import NAUGHTY


def _read(corpus):
    content = export_table(corpus, corpus.pool)
    assert content.startswith(b"\xef\xbb\xbf")
    return pd.read_csv(io.BytesIO(content), encoding="utf-8-sig", dtype=str, keep_default_na=False)


@pytest.mark.parametrize(
    "title",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", " =1", "|calc", "=cmd|' /C calc'!A0", "%0a1", "\nwet", "1e5", "2025-08", "mar2020", "1/2",
     "TRUE", "007", "Sept 3", "\uff1d1+1", "\uff0b1", " \uff0d1", "\uff20SUM(A1)"],
)  # fmt: skip
def test_what_excel_would_run_or_guess_is_text(title):
    assert _read(full_of(sensor("a", name=title)))["name"][0] == "'" + title


def test_numbers_stay_numbers_and_identifiers_keep_their_zeros():
    frame = _read(full())
    assert frame["weight"][0] == "2.50"
    assert frame["year"][0] == "2020"
    assert frame["arxiv"][0] == "arXiv:2011.00010"
    assert frame["depth"][4] == "none"


def test_every_text_comes_back_as_it_was_and_none_is_a_formula():
    texts = [normalize("NFC", text) for name in NAUGHTY for text in NAUGHTY[name]]
    rows = [sensor(f"a{number:03}", name=text) for number, text in enumerate(texts)]
    study = full_of(*rows)
    content = export_table(study, study.pool).decode("utf-8-sig")
    header, *lines = csv.reader(io.StringIO(content, newline=""))
    cells = [line[header.index("name")] for line in lines]
    assert not any(map(is_formula, cells))
    assert [without_guard(cell) for cell in cells] == texts
