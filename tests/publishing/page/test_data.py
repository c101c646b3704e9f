"""What the page's script is given: each row once, in the table that shows it or in the data."""

from __future__ import annotations

import pytest

from corpus.publishing.page.data import page_data
from corpus.tables.corpus_reader import load_corpus

SEEN = """
[tables.seen]
file = "seen.csv"
role = "evidence"
key = ["id"]
columns = [
  { name = "id", type = "ref", references = "sensors", role = "key", definition = "Name." },
  { name = "quality", type = "term", definition = "How good." },
]

[vocabularies.quality]
terms = [
  { id = "good", label = "LABEL", definition = "Good." },
  { id = "bad", definition = "Bad." },
]
"""


def rows_in_data(minimal, label, printed):
    (minimal / "seen.csv").write_text("id,quality\nfen,good\nclay,bad\n", "utf-8")
    book = minimal / "codebook.toml"
    book.write_text(book.read_text("utf-8") + SEEN.replace("LABEL", label), "utf-8")
    tables = page_data(load_corpus(str(minimal)), {}, printed)["tables"]
    return next(table for table in tables if table["name"] == "seen").get("rows")


def test_rows_that_the_page_shows_are_not_repeated(minimal):
    assert rows_in_data(minimal, "very good", ["seen"]) is None


def test_rows_that_the_page_does_not_show_are_in_the_data(minimal):
    assert rows_in_data(minimal, "very good", []) == [["fen", 0], ["clay", 1]]


@pytest.mark.parametrize("label", ["bad", "good, or so", "good\\u200b"])
def test_labels_that_do_not_tell_the_term_leave_the_rows_in_the_data(minimal, label):
    """Which of two terms a cell has must not be guessed from what is printed."""
    assert rows_in_data(minimal, label, ["seen"]) == [["fen", 0], ["clay", 1]]


def test_a_label_is_a_path_where_a_group_has_its_first_part(minimal):
    book = minimal / "codebook.toml"
    text = book.read_text("utf-8")
    for term, label in (("moisture", "water/ground"), ("salt", "in/out"), ("heat", "warm › air")):
        text = text.replace(f'id = "{term}", ', f'id = "{term}", label = "{label}", ')
    group = '[[vocabularies.measures.groups]]\nid = "water"\nlabel = "water"\n'
    group += 'definition = "Wet."\nterms = ["moisture", "salt"]\n'
    book.write_text(f"{text}\n{group}", "utf-8")
    terms = page_data(load_corpus(str(minimal)), {})["vocabularies"]["measures"]["terms"]
    assert [term[1:2] + term[3:] for term in terms] == [
        ["water/ground", "water › ground"], ["in/out"], ["warm › air"]
    ]  # fmt: skip
