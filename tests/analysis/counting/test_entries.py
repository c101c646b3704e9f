"""Which entries are listed, in what order, and which stand next to one."""

import pytest

from corpus.analysis.counting.entries import neighbours, select_rows
from corpus.model.filters import parse_filter
from tests.corpora.full import ROWS, full

CORPUS = full({"sensors": [*ROWS["sensors"], ("fay", "Fay", "none", "gas")]})


def keys(sort, where=()):
    filters = [parse_filter(text, CORPUS.pool.spec, CORPUS.codebook) for text in where]
    return [row[0] for row in select_rows(CORPUS.pool, filters, sort, CORPUS.codebook)]


@pytest.mark.parametrize(("sort", "order"), [
    ((), "ada bob cy dot eve fay"), (("-sensor",), "fay eve dot cy bob ada"), (("depth",), "ada bob cy dot eve fay"),
    (("-depth", "sensor"), "eve fay dot cy ada bob"), (("depth", "-sensor"), "bob ada cy dot fay eve"),
    (("senses", "sensor"), "ada bob eve cy dot fay"),  # several terms in a cell come before the single ones
])  # fmt: skip
def test_entries_sort_by_the_first_column_first_and_terms_as_declared(sort, order):
    assert keys(sort) == order.split()


def test_only_entries_that_pass_every_filter_are_listed():
    assert keys(("-sensor",), ["senses=water", "depth=surface"]) == ["bob", "ada"]


def test_neighbours_share_most_tags_and_not_applicable_is_not_one():
    assert neighbours(CORPUS, CORPUS.entry("ada")) == [
        ("bob", ("depth", "senses")), ("dot", ("senses",)), ("eve", ("senses",)), ("cy", ()), ("fay", ()),
    ]  # fmt: skip
    found = neighbours(CORPUS, CORPUS.entry("ada"), 2)
    assert found == [("bob", ("depth", "senses")), ("dot", ("senses",))]
    assert ("eve", ()) in neighbours(CORPUS, CORPUS.entry("fay"), 9)
