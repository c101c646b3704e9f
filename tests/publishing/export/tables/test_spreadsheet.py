import io

import pandas as pd
import pytest

from corpus.publishing.export.tables.spreadsheet import export_table
from tests.corpora.bogs import bogs, site


def _read(corpus) -> pd.DataFrame:
    content = export_table(corpus, corpus.pool)
    assert content.startswith(b"\xef\xbb\xbf")
    return pd.read_csv(io.BytesIO(content), encoding="utf-8-sig", dtype=str, keep_default_na=False)


@pytest.mark.parametrize(
    "title",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", " =1", "|calc", "=cmd|' /C calc'!A0", "1e5", "2025-08", "mar2020", "1/2",
     "TRUE", "007", "Sept 3", "\uff1d1+1", "\uff0b1", " \uff0d1", "\uff20SUM(A1)"],
)  # fmt: skip
def test_what_excel_would_run_or_guess_is_text(title):
    assert _read(bogs([site("a", name=title)], []))["name"][0] == "'" + title


@pytest.mark.parametrize(
    "title", ["A = B", "Moss 2.0 in bogs", "Marching on", "漢字", 'say "yes", please', "NA"]
)
def test_other_text_stays_as_it_is(title):
    assert _read(bogs([site("a", name=title)], []))["name"][0] == title


def test_numbers_stay_numbers_and_identifiers_keep_their_zeros():
    frame = _read(bogs())
    assert frame["depth"][0] == "2.50"
    assert frame["when"][0] == "2019"
    assert frame["arx"][0] == "arXiv:1901.00010"
    assert frame["peat"][1] == "NA"
