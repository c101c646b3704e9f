"""Which entries are listed, in what order, and which stand next to one."""

import json

import pytest

from corpus.analysis.counting.entries import (
    entries_grid,
    neighbours,
    record_json,
    record_text,
    select_rows,
    usual_columns,
)
from corpus.analysis.counting.records import find_record
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import ROWS, codebook_data, full, full_of, sensor

CORPUS = full({"sensors": [*ROWS["sensors"], ("fay", "Fay", "none", "gas")]})


def keys(sort):
    return [row[0] for row in select_rows(CORPUS.pool, (), sort, CORPUS.codebook)]


@pytest.mark.parametrize(("sort", "order"), [
    ((), "ada bob cy dot eve fay"), (("-sensor",), "fay eve dot cy bob ada"), (("depth",), "ada bob cy dot eve fay"),
    (("-depth", "sensor"), "eve fay dot cy ada bob"), (("depth", "-sensor"), "bob ada cy dot fay eve"),
    (("senses", "sensor"), "ada bob eve cy dot fay"),  # several terms in a cell come before the single ones
])  # fmt: skip
def test_entries_sort_by_the_first_column_first_and_terms_as_declared(sort, order):
    assert keys(sort) == order.split()


def test_neighbours_share_most_tags_and_not_applicable_is_not_one():
    assert neighbours(CORPUS, CORPUS.entry("ada")) == [
        ("bob", ("depth", "senses")), ("dot", ("senses",)), ("eve", ("senses",)), ("cy", ()), ("fay", ()),
    ]  # fmt: skip
    found = neighbours(CORPUS, CORPUS.entry("ada"), 2)
    assert found == [("bob", ("depth", "senses")), ("dot", ("senses",))]
    assert ("eve", ()) in neighbours(CORPUS, CORPUS.entry("fay"), 9)


STUDY = full()
POOL = STUDY.pool


def test_a_list_has_the_chosen_columns_and_numbers_to_the_right():
    grid = entries_grid(POOL.spec, POOL.rows[:2], ["year", "sensor", "weight"])
    assert (grid.header, grid.numeric) == (("year", "sensor", "weight"), {0, 2})
    assert grid.rows == (("2020", "ada", "2.50"), ("", "bob", ""))
    assert grid.records()[0] == {"year": "2020", "sensor": "ada", "weight": "2.50"}


def test_a_list_without_chosen_columns_has_those_that_name_an_entry(minimal):
    assert usual_columns(load_corpus(str(minimal)).pool.spec) == ["id", "name", "year", "probe"]
    assert usual_columns(STUDY.tables["ranges"].spec) == ["range", "sensor", "of", "value", "unit"]


def test_a_pool_without_roles_is_listed_by_its_first_columns():
    data = codebook_data()
    for column in data["tables"]["sensors"]["columns"]:
        column.pop("role", None)
    assert usual_columns(full(**data).pool.spec) == ["sensor", "name", "depth", "senses", "arxiv"]


def test_the_nearest_entries_are_named():
    text = record_text(STUDY, find_record(STUDY, "ada"))
    *_, near = text.partition("Entries with most tags in common\n")
    assert near.splitlines()[:2] == ["  bob: depth, senses", "  dot: senses"]


def test_the_only_entry_has_no_nearest_one():
    study = full_of(sensor("ada"))
    ada = find_record(study, "ada")
    assert "most tags in common" not in record_text(study, ada)
    assert json.loads(record_json(study, ada))["neighbours"] == []


def test_no_cell_reaches_the_terminal_as_it_is():
    study = full_of(sensor("ada", name="\x1b[31mred", notes="a\rb"))
    text = record_text(study, find_record(study, "ada"))
    assert "\x1b" not in text
    assert "\r" not in text
