"""The pool as a table: which columns, in which order, grouped, and how each cell is printed."""

import pytest

from corpus.model.filters import parse_filters
from corpus.publishing.appendix.pool_table import (
    TableChoice,
    chosen_rows,
    first_address,
    group_heading,
    pool_part,
    usual_columns,
)
from tests.corpora.full import codebook_data, full, full_of, sensor


def grouped(rows, **corpus):
    """Return a corpus whose pool is grouped by depth, which may be left open."""
    data = codebook_data()
    data["tables"]["sensors"]["columns"][2] |= {"role": "group", "required": False}
    data["corpus"] |= corpus
    return full_of(*rows, **data)


def printed(study, **choice):
    (sheet,) = pool_part(study, TableChoice(**choice)).sheets
    return [(block.heading, list(block.rows)) for block in sheet.blocks]


def keys(rows):
    return [row[0] for row in rows]


def test_the_usual_columns_are_chosen_by_their_roles():
    spec = full().codebook.pool
    assert [column.name for column in usual_columns(spec)] == [
        "sensor", "name", "year", "venue", "depth", "senses",
    ]  # fmt: skip
    grouped_spec = grouped([]).codebook.pool
    assert "depth" not in [column.name for column in usual_columns(grouped_spec)]


def test_a_pool_without_roles_shows_all_its_columns():
    data = codebook_data()
    pool = data["tables"]["sensors"]
    pool["columns"] = [
        {"name": "sensor", "type": "key", "role": "key", "definition": "Key."},
        {"name": "place", "type": "text", "definition": "Place."},
    ]
    study = full_of(
        ("a", "here"), tables={"sensors": pool}, rows={}, impossible=[], crosstabs=[], sparsity={}
    )
    assert [column.name for column in usual_columns(study.codebook.pool)] == ["sensor", "place"]


def test_rows_are_in_the_order_of_their_group_then_year_then_key():
    study = grouped([
        sensor("d", depth="deep", year="2019"), sensor("c", year="2021"),
        sensor("b", year="2020"), sensor("a", year="2021"), sensor("e", depth="", year="2010"),
    ])  # fmt: skip
    found = keys(chosen_rows(study, TableChoice()))
    assert [key for key in found if key != "e"] == ["b", "a", "c", "d"]
    assert [key for key in keys(chosen_rows(study, TableChoice(sort=("-sensor",)))) if key != "e"] == [
        "c", "b", "a", "d",
    ]  # fmt: skip


def test_filters_choose_rows_and_the_introduction_tells_how_many():
    study = full()
    filters = tuple(parse_filters(("depth=surface",), study.pool.spec, study.codebook))
    assert keys(chosen_rows(study, TableChoice(filters=filters))) == ["bob", "ada"]
    part = pool_part(study, TableChoice(filters=filters))
    assert part.paragraphs == ("2 of 5 entries, as of 2021-03-31.",)
    assert pool_part(study, TableChoice()).paragraphs == ("5 entries, as of 2021-03-31.",)


def test_each_group_has_a_heading_with_its_number():
    entries = [sensor("a"), sensor("b", depth="deep"), sensor("c")]
    study = grouped([*entries, sensor("d", depth="")], entry="probe", entries="probes")
    assert {heading: len(rows) for heading, rows in printed(study)} == {
        "surface (2 probes)": 2, "deep (1 probe)": 1, "not given (1 probe)": 1,
    }  # fmt: skip


def test_a_heading_has_the_labels_of_all_terms():
    data = codebook_data()
    data["vocabularies"]["senses"]["terms"][0]["label"] = "fresh water"
    book = full(**data).codebook
    senses = book.pool.column("senses")
    assert group_heading(senses, "water; salt", book) == "fresh water, salt"
    assert group_heading(senses, "", book) == "not given"
    assert group_heading(book.pool.column("venue"), "SOILS 2019", book) == "SOILS 2019"


def test_each_cell_is_printed_by_what_its_column_is():
    data = codebook_data()
    data["vocabularies"]["senses"]["terms"][0] |= {"label": "fresh water", "short": "W"}
    data["tables"]["sensors"]["columns"][7]["role"] = "year"
    row = sensor(
        "a",
        senses="water; salt",
        arxiv="2011.00010",
        url="https://a.example/(1) ; https://b.example/",
    )
    study = full_of(row, **data)
    columns = ("sensor", "name", "senses", "arxiv")
    ((_, [cells]),) = printed(study, columns=columns)
    assert [tuple(cell) for cell in cells] == [
        ("a", "", "a"),
        ("a", "https://a.example/%281%29", ""),
        ("W, salt", "", ""),
        ("2011.00010", "https://arxiv.org/abs/2011.00010", ""),
    ]
    ((_, [cells]),) = printed(study, columns=columns, abbreviated=False)
    assert cells[2].text == "fresh water, salt"


def test_only_short_forms_that_differ_are_explained():
    data = codebook_data()
    data["vocabularies"]["senses"]["terms"][0] |= {"label": "fresh water", "short": "W"}
    (sheet,) = pool_part(full(**data), TableChoice()).sheets
    assert [tuple(legend) for legend in sheet.legends] == [("Senses", (("W", "fresh water"),))]
    (sheet,) = pool_part(full(**data), TableChoice(abbreviated=False)).sheets
    assert sheet.legends == ()


@pytest.mark.parametrize(("entries", "em"), [(3, 2.72), (99, 2.72), (100, 3.25), (1000, 3.78)])
def test_the_column_of_citations_has_place_for_the_largest_number(entries, em):
    study = full_of(*[sensor(f"s{number}") for number in range(entries)])
    (sheet,) = pool_part(study, TableChoice(columns=("sensor", "depth"))).sheets
    assert (sheet.fields[0].head, sheet.fields[0].em) == ("Ref.", pytest.approx(em))


@pytest.mark.parametrize(("cell", "address"), [
    ("https://a.example/ ; https://b.example/", "https://a.example/"), ("", ""),
    ("javascript:x ; https://b.example/", ""),
])  # fmt: skip
def test_the_first_address_of_a_cell_is_linked_if_it_is_safe(cell, address):
    assert first_address(cell) == address
