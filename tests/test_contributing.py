"""What CONTRIBUTING.md shows is true: its example rows pass, its commands exist."""

import csv
import re
from pathlib import Path

import pytest
import yaml

from corpus.cli.main import main
from corpus.curation.check.check import check_corpus
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import shipped_data

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
POOL, BIBLIOGRAPHY, PROMOTION = (
    block.strip() for block in re.findall(r"```csv\n(.*?)```", TEXT, re.DOTALL)
)


def insert(path, row):
    """Put a row where its key belongs, as the reader is told."""
    header, *rows = path.read_text("utf-8").splitlines()
    path.write_text(
        "\n".join([header, *sorted([*rows, row], key=lambda line: line.split(",")[0])]) + "\n",
        "utf-8",
    )


def test_the_example_rows_pass_every_check(real, run):
    insert(real / "pool.csv", POOL)
    insert(real / "bibliography.csv", BIBLIOGRAPHY)
    assert check_corpus(str(real)) == []
    assert run("check", "--data", real).exit_code == 0  # no guard breaks either
    assert run("fmt", "--check", "--data", real).exit_code == 0


@pytest.mark.parametrize(
    ("old", "new", "code"), [(",agent,", ",agnet,", "C202"), ('"Gives', "Gives", "C111")]
)
def test_a_slip_in_the_example_row_is_found(real, old, new, code):
    assert old in POOL
    insert(real / "pool.csv", POOL.replace(old, new))
    assert code in {finding.code for finding in check_corpus(str(real))}


def test_the_example_of_a_promotion_has_the_columns_and_a_term_of_the_codebook():
    book = load_corpus(shipped_data()).codebook
    cells = dict(zip(book.tables["promotions"].header, next(csv.reader([PROMOTION])), strict=True))
    assert cells["key"] == POOL.split(",")[0]
    assert cells["changes"] in book.vocabularies["promotion_cell"].ids


def test_every_command_that_is_named_exists(run):
    named = set(re.findall(r"corpus ([a-z-]+)", TEXT)) - {"in"}
    assert named <= set(main.callable)
    for name in named:
        assert run(name, "--help").exit_code == 0


def test_the_form_and_the_label_are_called_so():
    form = yaml.safe_load((ROOT / ".github/ISSUE_TEMPLATE/add-entry.yml").read_text("utf-8"))
    workflow = yaml.safe_load((ROOT / ".github/workflows/form-to-pr.yml").read_text("utf-8"))
    assert f"**{form['name']}**" in TEXT
    label = re.search(r"the label `(.+?)`", TEXT)[1]
    assert f"'{label}'" in workflow["jobs"]["pull-request"]["if"]
