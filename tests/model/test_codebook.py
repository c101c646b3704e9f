"""What a codebook declares: values of cells, names of rows, axes, impossible cells."""

import pytest

from corpus.model.codebook import Column
from corpus.model.finding import UsageProblem
from tests.corpora.full import full

BOOK = full().codebook


def column(separator=""):
    return Column("a", "text", "A", "", "", False, "", separator, "", False)


@pytest.mark.parametrize(
    ("separator", "cell", "values"),
    [
        ("", "", ()), ("", "a; b", ("a; b",)), ("; ", "", ()), ("; ", "a", ("a",)), ("; ", "a; b", ("a", "b")),
        ("; ", "a;b ;c", ("a", "b", "c")), ("; ", "a; ", ("a", "")), ("; ", "a; a", ("a", "a")), (" | ", "a|b", ("a", "b")),
    ],
)  # fmt: skip
def test_a_cell_has_one_value_or_those_between_its_separators(separator, cell, values):
    assert column(separator).values(cell) == values


def test_a_vocabulary_knows_its_terms_and_their_labels():
    depth = BOOK.vocabularies["depth"]
    assert depth.ids == ("surface", "shallow", "deep", "rock", "none")
    assert depth.labels["deep"] == "deep"
    assert depth.term("rock").definition == "Below."
    with pytest.raises(KeyError, match="abyss"):
        depth.term("abyss")


def test_an_axis_is_one_of_the_pool_that_counts_run_over():
    found, vocabulary = BOOK.axis("senses")
    assert (found.name, vocabulary.id) == ("senses", "senses")
    for name in ("dept", "name", "proof"):
        with pytest.raises(UsageProblem, match="depth, senses"):
            BOOK.axis(name)


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ({"depth": "rock", "senses": "water"}, "rock holds no water"), ({"depth": "rock", "senses": "heat"}, ""),
        ({"depth": "rock"}, ""), ({"senses": "water"}, ""), ({}, ""),
        ({"depth": "rock", "senses": "water", "proof": "lab"}, "rock holds no water"),
    ],
)  # fmt: skip
def test_a_cell_is_impossible_where_it_has_all_that_cannot_be_together(cell, reason):
    assert BOOK.impossible_reason(cell) == reason
