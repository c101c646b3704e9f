"""Terms are asked for by number or as they are written."""

import click
import pytest
from click.testing import CliRunner

from corpus.cli.change.asking import ask_cell
from corpus.model.documents.codebook_parser import parse_codebook
from tests.corpora.full import codebook_data


def answer(typed, *ids):
    """What is printed in the end; older versions of click show before it what was typed."""
    data = codebook_data()
    data["vocabularies"]["depth"] = {
        "terms": [{"id": name, "definition": "Meaning."} for name in ids]
    }
    book = parse_codebook({**data, "impossible": [], "crosstabs": [], "sparsity": {}})
    command = click.Command(
        "ask", callback=lambda: click.echo(ask_cell(book.pool.column("depth"), book, ""))
    )
    return (
        CliRunner()
        .invoke(command, input=f"{typed}\n", catch_exceptions=False)
        .stdout.splitlines()[-1]
    )


@pytest.mark.parametrize(("typed", "term"), [("2", "deep"), ("flat", "flat"), ("9\n1", "flat")])
def test_a_term_is_given_by_its_number_or_as_it_is_written(typed, term):
    assert answer(typed, "flat", "deep") == term


@pytest.mark.parametrize(("typed", "term"), [("1", "1"), ("0", "0"), ("2\nyes", "yes")])
def test_terms_that_are_numbers_are_given_as_they_are_written_only(typed, term):
    assert answer(typed, "yes", "0", "1") == term


@pytest.mark.parametrize(
    ("required", "typed", "cell"),
    [(False, "", ""), (False, "2", "book"), (True, "\nmoor\n1", "web"), (False, "book", "book")],
)
def test_an_optional_cell_with_choices_may_stay_empty(required, typed, cell):
    data = codebook_data()
    (column,) = [one for one in data["tables"]["sensors"]["columns"] if one["name"] == "venue"]
    column["required"] = required
    book = parse_codebook(data)
    venue = book.pool.column("venue")

    def ask():
        click.echo(f"cell: {ask_cell(venue, book, '', ['web', 'book'])}")

    result = CliRunner().invoke(click.Command("ask", callback=ask), input=f"{typed}\n")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, f"cell: {cell}")
