"""What the page shows without a script."""

import re

import pytest

from corpus.analysis.bibliography.works import works
from corpus.analysis.sparsity.cells import sparse_table
from corpus.publishing.page.page import site_page
from corpus.publishing.page.sections import other_cells, shown_cell, with_status, work_links
from corpus.tables.fast.tally import contingency_of
from tests.corpora.full import codebook_data, full, full_of, sensor


def crossed(study):
    return sparse_table(contingency_of(study), ("depth", "senses"), 0)


def test_each_column_tells_what_it_has_and_what_is_missing():
    table = crossed(full())
    assert with_status(table, "water", "empty") == ["shallow", "deep"]
    assert with_status(table, "water", "impossible") == ["rock"]
    assert with_status(table, "gas", "empty") == ["surface", "shallow", "deep", "rock"]
    page = site_page(full())
    assert "<td>surface 2, none 1</td>" in page[page.index('id="gap-depth_by_senses-water"') :]


def test_the_term_for_not_applicable_is_no_column_to_fill():
    data = codebook_data()
    data["vocabularies"]["senses"]["not_applicable"] = "gas"
    named = re.findall(r'<tr id="gap-\w+-(\w+)"', site_page(full(**data)))
    assert named == ["water", "salt", "heat"]


@pytest.mark.parametrize(("column", "cell", "text", "kind"), [
    ("senses", "water; salt", "water, salt", "term"), ("senses", "", "", "term"),
    ("depth", "bog", "", "term"), ("name", "x", "x", "text"),
])  # fmt: skip
def test_a_cell_is_shown_by_the_type_of_its_column(column, cell, text, kind):
    book = full().codebook
    shown = shown_cell(cell, book.pool.column(column), book)
    assert (shown.text, shown.kind, shown.links) == (text, kind, [])


def test_the_name_of_a_column_is_shown_as_its_label():
    data = codebook_data()
    column = {"name": "what", "type": "column", "references": "sensors", "definition": "Column."}
    key = {"name": "row", "type": "key", "definition": "Row."}
    data["tables"]["fixed"] = {"file": "f.csv", "key": ["row"], "columns": [key, column]}
    book = full({"fixed": []}, **data).codebook
    what = book.tables["fixed"].column("what")
    assert shown_cell("weight", what, book).text == "Weight"
    assert shown_cell("gone", what, book).text == "gone"


def test_only_a_reference_that_names_an_entry_is_a_link():
    book = full().codebook
    of = book.tables["judged"].column("sensor")
    assert shown_cell("ada", of, book).links == [("#entry?key=ada", "ada")]
    assert shown_cell("", of, book).links == []


def test_an_entry_without_a_script_has_people_and_addresses_once_tags_and_the_rest():
    row = sensor(
        "a b", name="T", authors="Ward, Ann", arxiv="2011.00010", year="2020", weight="1",
        url="https://arxiv.org/abs/2011.00010", senses="water; heat",
    )  # fmt: skip
    study = full_of(row, sensor("c"))
    first, second = works(study)
    # The address is that of the identifier: one link.
    assert work_links(first) == {"https://arxiv.org/abs/2011.00010": "arXiv"}
    rest = other_cells(study.entry("a b"), study.codebook)
    assert [(cell.label, cell.text) for cell in rest] == [("Weight", "1")]
    page = site_page(study)
    shown = re.sub(r"<[^>]+>|\s+", " ", page[page.index('<tr id="entry?key=a+b">') :]).split()
    assert " ".join(shown).startswith(
        "T Ann Ward 2020 arXiv · PDF Depth: surface Senses: water, heat"
    )
    assert "<bdi>c</bdi>" in page
    assert work_links(second) == {}
