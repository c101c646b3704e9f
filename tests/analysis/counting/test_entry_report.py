"""Entries in print: the columns of a list, and everything that is known about one entry."""

import json

from corpus.analysis.counting.entry_report import (
    entries_grid,
    entries_json,
    entry_json,
    entry_text,
    excluded_json,
    excluded_text,
    usual_columns,
)
from corpus.analysis.counting.records import find_record
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import codebook_data, full, full_of, sensor

STUDY = full()
POOL = STUDY.pool


def test_a_list_has_the_chosen_columns_and_numbers_to_the_right():
    grid = entries_grid(POOL.spec, POOL.rows[:2], ["year", "sensor", "weight"])
    assert (grid.header, grid.numeric) == (("year", "sensor", "weight"), {0, 2})
    assert grid.rows == (("2020", "ada", "2.50"), ("", "bob", ""))


def test_a_list_without_chosen_columns_has_those_that_name_an_entry(minimal):
    assert usual_columns(load_corpus(str(minimal)).pool.spec) == ["id", "name", "year", "probe"]
    assert usual_columns(STUDY.tables["ranges"].spec) == ["range", "sensor", "of", "value", "unit"]


def test_a_pool_without_roles_is_listed_by_its_first_columns():
    data = codebook_data()
    for column in data["tables"]["sensors"]["columns"]:
        column.pop("role", None)
    assert usual_columns(full(**data).pool.spec) == ["sensor", "name", "depth", "senses", "arxiv"]


def test_json_lists_cells_as_they_are_in_the_file():
    assert json.loads(entries_json(POOL.spec, POOL.rows[:1], ["weight", "sensor"])) == [
        {"weight": "2.50", "sensor": "ada"}
    ]


def block(text, head):
    """The lines below one that begins with `head`, up to an empty one."""
    lines = text.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(head))
    found = []
    for line in lines[start + 1 :]:
        if not line:
            break
        found.append(line.strip())
    return found


def test_an_entry_is_shown_with_its_terms_explained_and_the_rows_about_it():
    text = entry_text(STUDY, STUDY.entry("dot"))
    lines = {line.split("  ")[0]: line for line in text.splitlines()}
    assert lines["Depth"].endswith("deep — To 10 m.")
    assert lines["Senses"].endswith("heat — Heat.")
    assert lines["Url"].endswith("–")
    assert block(text, "uses (uses.csv:2)") == [
        "Use     dam",
        "Proof   lab",
        "Limit   one dam only",
    ]
    assert block(text, "judged (judged.csv:5)") == ["At      rock", "How     well"]


def test_other_entries_of_each_cell_and_the_nearest_ones_are_named():
    text = entry_text(STUDY, STUDY.entry("ada"))
    assert block(text, "Entries in the same cells") == [
        "Depth by what is sensed, surface × water: bob",
        "Depth by what is sensed, surface × heat: none; this entry alone fills the cell",
    ]
    assert block(text, "Entries with most tags in common")[:2] == ["bob  2: depth, senses", "dot  1: senses"]  # fmt: skip


def test_the_only_entry_has_no_nearest_one():
    study = full_of(sensor("ada"))
    assert "most tags in common" not in entry_text(study, study.entry("ada"))
    assert json.loads(entry_json(study, study.entry("ada")))["neighbours"] == []


def test_a_term_that_only_its_label_explains_has_it(minimal):
    text = (minimal / "codebook.toml").read_text("utf-8")
    text += """
[tables.why]
file = "why.csv"
key = ["nr"]
columns = [
  { name = "nr", type = "ref", references = "rejected", definition = "Number." },
  { name = "stage", type = "term", vocabulary = "stage", separator = "; ", definition = "Stage." },
]
"""
    (minimal / "codebook.toml").write_text(text, "utf-8")
    (minimal / "why.csv").write_text("nr,stage\nX1,abstract; full_text\n", "utf-8")
    study = load_corpus(str(minimal))
    shown = excluded_text(study, find_record(study, "X1"))
    assert shown.startswith("Not in the pool: rejected (")
    assert "rejected.csv:2)" in shown
    # "full text" is the term with a space; "title and abstract" is not to be guessed.
    assert "abstract (title and abstract); full_text\n" in shown
    document = json.loads(excluded_json(study, find_record(study, "X1")))
    assert document["excluded"]["label"] == "A survey of mud"
    assert document["tables"] == {"why": [{"nr": "X1", "stage": "abstract; full_text"}]}


def test_lines_are_wrapped_below_their_text_and_addresses_stay_whole():
    address = "https://soil.example/" + "a" * 60
    study = full_of(sensor("ada", name="so " * 40, url=address))
    lines = entry_text(study, study.entry("ada"), 50).splitlines()
    assert f"         {address}" in lines
    assert all(len(line) <= 50 for line in lines if address not in line)


def test_no_cell_reaches_the_terminal_as_it_is():
    study = full_of(sensor("ada", name="\x1b[31mred", notes="a\rb"))
    text = entry_text(study, study.entry("ada"))
    assert "\x1b" not in text
    assert "\r" not in text


def test_json_of_an_entry_has_its_cells_tables_and_mates():
    document = json.loads(entry_json(STUDY, STUDY.entry("cy")))
    assert document["entry"]["senses"] == "salt"
    assert document["tables"] == {
        "dated": [{"sensor": "cy", "seen": "2021-01"}],
        "judged": [{"sensor": "cy", "at": "shallow", "how": "nearly"}],
    }
    assert document["cells"] == [
        {"crosstab": "Depth by what is sensed", "cell": ["shallow", "salt"], "keys": []}
    ]
    assert document["neighbours"][0] == {"key": "ada", "shared": []}
