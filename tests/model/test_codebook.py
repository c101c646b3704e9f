"""What a codebook declares: values of cells, names of rows, axes, impossible cells."""

import pytest

from corpus.model.codebook import Column
from corpus.model.finding import UsageProblem
from tests.corpora.full import codebook_data, full

BOOK = full().codebook
POOL = BOOK.pool
USES = BOOK.tables["uses"]


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


def test_columns_are_found_by_name_and_role():
    assert (POOL.position("depth"), POOL.column("depth").vocabulary) == (2, "depth")
    assert POOL.by_role("title") == POOL.column("name")
    assert POOL.by_role("summary") is None
    assert POOL.axis_names == ("depth", "senses")
    assert [found.name for found in USES.term_columns] == ["use", "proof"]
    with pytest.raises(UsageProblem, match=r"table uses.*did you mean 'use'"):
        USES.column("usse")


def test_a_row_is_named_by_its_key_column_or_by_all_of_its_key_cells():
    assert USES.key_positions == (0, 1)
    assert USES.name_of(("farm", "ada", "lab", "")) == "farm/ada"
    second = BOOK.tables["second"]
    assert second.key == ("sensor", "reader")
    assert second.name_of(("ada", "two", "deep", "")) == "ada"
    assert list(POOL.names_of([])) == []


def test_references_are_found_by_the_table_that_they_name():
    assert list(USES.references_to(POOL)) == [1]
    assert list(POOL.references_to(POOL)) == []
    found = BOOK.tables["judged"].reference_to(POOL)
    assert found is not None
    assert found.name == "sensor"
    assert BOOK.tables["dropped"].reference_to(POOL) is None


def test_a_table_may_refer_to_another_one_twice():
    data = codebook_data()
    data["tables"]["uses"]["columns"].append(
        {"name": "beside", "type": "ref", "references": "sensors", "required": False, "definition": "."}
    )  # fmt: skip
    book = full(**data).codebook
    assert list(book.tables["uses"].references_to(book.pool)) == [1, 4]


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


def test_the_first_reason_is_given():
    impossible = [
        {"cells": {"depth": ["rock", "deep"]}, "reason": "nobody digs"},
        {"cells": {"depth": ["rock"], "senses": ["water"]}, "reason": "no water"},
    ]
    book = full(impossible=impossible).codebook
    assert book.impossible_reason({"depth": "rock", "senses": "water"}) == "nobody digs"


def test_tables_are_found_by_role_in_declared_order():
    assert [spec.name for spec in BOOK.by_role("evidence")] == [
        "judged",
        "uses",
        "ranges",
        "probes",
    ]
    assert [spec.name for spec in BOOK.by_role("audit")] == ["second"]
    assert BOOK.by_role("none") == ()
    assert BOOK.documents == {"claims": "claims.toml"}
    positions = [(position, found.name) for position, found, _ in BOOK.term_columns(USES)]
    assert positions == [(0, "use"), (2, "proof")]
