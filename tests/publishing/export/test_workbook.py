import copy
import io
import itertools
import re
import zipfile
from unicodedata import normalize

import openpyxl
import pytest

from corpus.curation.importing.readers.excel import read_workbook
from corpus.curation.importing.readers.records import plain, without_markup
from corpus.model.finding import CorpusError
from corpus.publishing.export.workbook import workbook
from tests.corpora.full import ROWS, codebook_data, full, full_of, sensor
from tests.corpora.making import study_of
from tests.support.hostile import NAUGHTY

#: What XML cannot hold, so that such a cell is refused (X106).
NOT_IN_A_WORKBOOK = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]")


def _sheets(study):
    return openpyxl.load_workbook(io.BytesIO(workbook(study)))


def _column(sheet, name):
    header = [cell.value for cell in sheet[1]]
    return [row[header.index(name)] for row in sheet.iter_rows(min_row=2)]


def test_every_table_is_a_sheet_with_the_pool_first():
    book = _sheets(full())
    assert book.sheetnames == [*ROWS, "vocabularies"]
    keys = [cell.value for cell in _column(book["sensors"], "sensor")]
    assert keys == [row[0] for row in ROWS["sensors"]]
    assert [cell.value for cell in _column(book["probes"], "taken")] == [
        "2019-05",
        None,
        "2021-01-31",
    ]


def _offered(book, validation):
    """Return the terms that the dropdown of a column of sensors offers."""
    title, area = validation.formula1.lstrip("=").split("!")
    cells = itertools.chain.from_iterable(book[title.strip("'")][area.replace("$", "")])
    return [cell.value for cell in cells]


def test_a_column_of_several_terms_has_no_dropdown_that_would_replace_them():
    [depth] = _sheets(full())["sensors"].data_validations.dataValidation
    assert depth.type == "list"


@pytest.mark.parametrize(
    "title", ["=1+1", "+1", "@SUM(A1)", "-2", "=cmd|' /C calc'!A0", "0012", "1e5", "2025-08"]
)
def test_no_cell_is_a_formula_or_guessed(title):
    cell = _column(_sheets(full_of(sensor("a", name=title)))["sensors"], "name")[0]
    assert (cell.value, cell.data_type) == (title, "s")
    assert cell.number_format == "@"
    assert cell.quotePrefix


def test_every_text_that_fits_comes_back_as_it_was():
    texts = [text for name in NAUGHTY for text in NAUGHTY[name]]
    fitting = [normalize("NFC", text) for text in texts if not NOT_IN_A_WORKBOOK.search(text)]
    study = full_of(*(sensor(f"a{number:03}", name=text) for number, text in enumerate(fitting)))
    content = workbook(study)
    cells = _column(openpyxl.load_workbook(io.BytesIO(content))["sensors"], "name")
    assert {cell.data_type for cell in cells} == {"s"}
    # openpyxl shows the escapes that Excel reads.
    assert [cell.value.replace("_x005F_", "_") for cell in cells] == fitting
    read = {
        row.cells["sensor"]: row.cells.get("name", "") for row in read_workbook(content, "f").rows
    }
    for number, text in enumerate(fitting):
        # Lines of a cell are read as the items of a list.
        if "\n" not in text:
            assert read[f"a{number:03}"] == plain(without_markup(text))


def test_numbers_are_numbers_and_show_their_digits():
    sheet = _sheets(full())["sensors"]
    first = _column(sheet, "weight")[0]
    assert (first.value, first.number_format) == (2.5, "0.00")
    assert _column(sheet, "year")[0].value == 2020
    assert _column(sheet, "arxiv")[0].value == "2011.00010"


@pytest.mark.parametrize("title", ["x" * 32_768, "bell\x07", "\ufffe"])
def test_what_excel_would_cut_or_drop_is_refused(title):
    with pytest.raises(CorpusError) as error:
        workbook(full_of(sensor("a"), sensor("b", name=title)))
    found = [(finding.code, finding.line, finding.column) for finding in error.value.findings]
    assert found == [("X106", 3, "name")]


def test_each_dropdown_offers_the_terms_of_its_own_vocabulary():
    tables = codebook_data()["tables"]
    (senses,) = [column for column in tables["sensors"]["columns"] if column["name"] == "senses"]
    del senses["separator"]
    book = _sheets(full(tables=tables))
    validations = book["sensors"].data_validations.dataValidation
    offered = {str(found.sqref): _offered(book, found) for found in validations}
    assert offered == {
        "C2:C1048576": ["surface", "shallow", "deep", "rock", "none"],
        "D2:D1048576": ["water", "salt", "heat", "gas"],
    }


def test_sheets_have_names_that_excel_takes():
    codebook = codebook_data()
    tables = codebook["tables"]
    for name in ("vocabularies", "Probes", "x" * 40, "x" * 41):
        # A sheet is named by its table, whatever its file is called.
        tables[name] = {**copy.deepcopy(tables["probes"]), "file": f"further-{name}.csv"}
    rows = {name: [] for name in tables}
    names = openpyxl.load_workbook(io.BytesIO(workbook(study_of(codebook, rows)))).sheetnames
    assert names[0] == "sensors"
    assert len({name.casefold() for name in names}) == len(names) == len(tables) + 1
    assert max(map(len, names)) <= 31


def test_the_same_corpus_gives_the_same_bytes_without_the_time_of_today():
    content = workbook(full())
    assert content == workbook(full())
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert b"1980-01-01T00:00:00Z" in archive.read("docProps/core.xml")
