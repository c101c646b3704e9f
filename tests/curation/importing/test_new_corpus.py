"""The files of a new corpus: tables in order, stages of the source, and a toolkit that pip finds."""

import csv
import json
import tomllib
from dataclasses import replace
from importlib.metadata import PackageNotFoundError

import pytest

import corpus
from corpus.curation.importing import new_corpus
from corpus.curation.importing.column_plan import plan_columns
from corpus.curation.importing.foreign_file import LOG_COLUMNS
from corpus.curation.importing.new_corpus import (
    Start,
    is_requirement,
    new_corpus_files,
    toolkit_requirement,
)
from corpus.curation.importing.pool import make_pool
from tests.support.imported import recorded

START = Start("bogs", 'Bogs "and" fens', "About bogs.", "list.csv", "mas-rl-corpus==1.0")


def imported(*rows, **excluded):
    records = recorded(*rows)
    made = make_pool(records.rows, plan_columns(records.columns, records.rows))
    return replace(made, **excluded), records


def codebook(files):
    return tomllib.loads(files["data/codebook.toml"])


def table(files, name):
    return list(csv.DictReader(files[f"data/{name}.csv"].splitlines()))


def test_the_pool_is_sorted_by_key_and_every_other_table_is_empty():
    result, _ = imported({"key": "moor", "title": "B b"}, {"key": "alder", "title": "A a"})
    files = new_corpus_files(START, result)
    assert [row["key"] for row in table(files, "pool")] == ["alder", "moor"]
    assert table(files, "exclusions") == table(files, "accepted") == []
    assert "authors" not in files["data/exclusions.csv"]
    assert "import-report.md" not in files
    book = codebook(files)
    assert (book["corpus"]["title"], book["corpus"]["id"]) == ('Bogs "and" fens', "bogs")


def test_stages_of_the_source_are_those_of_the_log():
    row = dict.fromkeys(LOG_COLUMNS, "") | {"record_id": "E001", "title": "Fen", "stage": "expert"}
    stages = {"full_text": "Full text", "expert": "Expert check", "screening": ""}
    log = [tuple(row[name] for name in LOG_COLUMNS)]
    result, _ = imported({"title": "A a"}, log=log, stages=stages)
    files = new_corpus_files(START, result)
    book = codebook(files)
    terms = {term["id"]: term for term in book["vocabularies"]["stage"]["terms"]}
    assert list(terms) == ["full_text", "expert", "screening"]
    assert terms["full_text"]["definition"] == "Excluded after reading the full text."
    assert (terms["expert"]["label"], terms["screening"]["label"]) == ("Expert check", "screening")
    assert [row["title"] for row in table(files, "exclusions")] == ["Fen"]


def test_an_axis_called_stage_leaves_the_name_to_it():
    rows = [{"title": f"T {n}", "stage": ("early", "late")[n % 2]} for n in range(6)]
    result, _ = imported(*rows)
    book = codebook(new_corpus_files(START, result))
    assert {"stage", "screening_stage"} <= set(book["vocabularies"])
    (column,) = [c for c in book["tables"]["exclusions"]["columns"] if c["name"] == "stage"]
    assert column["vocabulary"] == "screening_stage"


RELEASE = f"mas-rl-corpus=={corpus.__version__}"


class Installed:
    def __init__(self, origin):
        self.origin = origin

    def read_text(self, name):
        assert name == "direct_url.json"
        return None if self.origin is None else json.dumps(self.origin)


@pytest.mark.parametrize(
    ("origin", "requirement"),
    [
        (None, RELEASE),
        ({"url": "file:///home/ann/toolkit", "dir_info": {"editable": True}}, ""),
        ({"url": "file:///home/ann/mas_rl_corpus-1.0-py3-none-any.whl"}, ""),
    ],
)
def test_the_toolkit_is_what_pip_can_install_elsewhere(monkeypatch, origin, requirement):
    monkeypatch.setattr(new_corpus, "distribution", lambda name: Installed(origin))
    assert toolkit_requirement() == requirement


def test_without_a_toolkit_for_others_there_are_no_workflows():
    files = new_corpus_files(replace(START, toolkit=""), imported({"title": "A a"})[0])
    assert not [path for path in files if "workflows" in path or "actions" in path]
    assert "pip install" in files["README.md"]


def test_a_toolkit_that_is_not_installed_is_known_to_nobody(monkeypatch):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(new_corpus, "distribution", missing)
    assert toolkit_requirement() == ""


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("mas-rl-corpus", True),
        ("mas-rl-corpus[rank]==1.0.post1", True),
        ("x @ git+https://a.example/b@main#egg=x", True),
        ('x" && rm', False),
        ("x\n", False),
        ("-r file", False),
        ("x @ file.whl", False),
        ("", False),
    ],
)
def test_a_requirement_ends_no_line_of_a_workflow(text, is_one):
    assert is_requirement(text) is is_one
