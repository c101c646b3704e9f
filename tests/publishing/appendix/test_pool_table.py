"""The pool as a table: which columns, in which order, grouped, and how each cell is printed."""

import pytest

from corpus.model.filters import parse_filters
from corpus.publishing.appendix.pool_table import grouped_rows, pool_part
from tests.corpora.full import codebook_data, full, full_of, sensor


def table(study):
    (sheet,) = pool_part(study).sheets
    return sheet


def printed(study):
    return [(block.heading, list(block.rows)) for block in table(study).blocks]


def texts(study):
    rows = [row for _, members in printed(study) for row in members]
    return [tuple(cell.text for cell in row) for row in rows]


def groups(study, filters=()):
    found = grouped_rows(study, filters)
    return {heading: [row[0] for row in rows] for heading, rows in found}


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
    assert texts(study) == [("a", "here")]


def test_filters_choose_rows_and_the_introduction_tells_how_many():
    study = full()
    filters = tuple(parse_filters(("depth=surface",), study.pool.spec, study.codebook))
    assert groups(study, filters) == {"": ["bob", "ada"]}
    part = pool_part(study, filters)
    assert part.paragraphs == ("2 of 5 entries, as of 2021-03-31.",)
    assert pool_part(study).paragraphs == ("5 entries, as of 2021-03-31.",)


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
    columns = [{"columns": [name]} for name in ("sensor", "name", "senses", "arxiv")]
    study = full_of(row, **data, appendix={"columns": columns})
    ((_, [cells]),) = printed(study)
    assert [tuple(cell)[:2] for cell in cells] == [
        ("a", ""),
        ("a", "https://a.example/%281%29"),
        ("W, salt", ""),
        ("2011.00010", "https://arxiv.org/abs/2011.00010"),
    ]


def test_only_short_forms_that_differ_are_explained():
    data = codebook_data()
    data["vocabularies"]["senses"]["terms"][0] |= {"label": "fresh water", "short": "W"}
    study = full(**data)
    # The table prints a dash for what does not apply.
    assert [terms for _, terms in table(study).legends] == [
        [("–", "none")], [("W", "fresh water")],
    ]  # fmt: skip


@pytest.mark.parametrize(("cell", "address"), [
    ("https://a.example/ ; https://b.example/", "https://a.example/"), ("", ""),
    ("javascript:x ; https://b.example/", ""),
])  # fmt: skip
def test_the_first_address_of_a_cell_is_linked_if_it_is_safe(cell, address):
    (block,) = table(full_of(sensor("a", url=cell))).blocks
    (row,) = block.rows
    assert "".join(printed.link for printed in row) == address
