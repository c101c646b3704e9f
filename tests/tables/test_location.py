"""Which data folder a command works on, and which it may change."""

import os

import pytest

from corpus.curation.check.check import check_corpus
from corpus.model.finding import CorpusError, UsageProblem
from corpus.tables import location
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.documents import read_codebook
from corpus.tables.fast.tally import tally_pool
from corpus.tables.git.snapshot import disk_opener
from corpus.tables.location import find_data, shipped_data, shown_path, table_of
from corpus.tables.writing.lock import writable_data


def test_a_named_folder_wins_or_is_refused(minimal, tmp_path, monkeypatch):
    monkeypatch.chdir(minimal)
    assert find_data(str(minimal)) == str(minimal)
    assert find_data(str(minimal.parent)) == str(minimal)
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(UsageProblem):
        find_data(str(empty))


def test_the_nearest_corpus_above_is_found_and_else_the_shipped_one(minimal, monkeypatch):
    below = minimal.parent / "notes" / "deep"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert find_data() == str(minimal)
    monkeypatch.chdir(os.sep)
    assert find_data() == shipped_data()


def test_the_dataset_inside_a_package_is_read_but_not_written(minimal, tmp_path, monkeypatch):
    package = tmp_path / "site" / "corpus" / "tables"
    package.mkdir(parents=True)
    shipped = minimal.rename(tmp_path / "site" / "corpus" / "_data")
    monkeypatch.setattr(location, "__file__", str(package / "location.py"))
    monkeypatch.chdir(tmp_path)
    assert find_data() == str(shipped)
    with pytest.raises(UsageProblem):
        writable_data(None)
    assert writable_data(str(shipped)) == str(shipped)  # who names it means it


def test_a_path_of_version_control_names_a_table_or_none(minimal):
    book = read_codebook(str(minimal))
    assert table_of("data/sensors.csv", str(minimal), book) is book.pool
    assert table_of("study/data/sensors.csv", str(minimal), book) is book.pool
    assert table_of("sensors.csv", str(minimal), book) is book.pool
    for path in ("data/other.csv", "olddata/sensors.csv", "mysensors.csv"):
        with pytest.raises(UsageProblem):
            table_of(path, str(minimal), book)


def test_paths_are_shown_from_the_working_directory_unless_they_are_above_it(minimal, monkeypatch):
    monkeypatch.chdir(minimal.parent)
    assert shown_path(str(minimal / "sensors.csv")) == "data/sensors.csv"
    outside = str(minimal.parent.parent / "pool.csv")
    assert shown_path(outside) == outside.replace(os.sep, "/")


@pytest.mark.parametrize("file", ["sensors.csv", "protocol.toml", "codebook.toml"])
def test_a_link_that_leads_out_of_the_data_folder_is_not_followed(minimal, tmp_path, file):
    """By `check`, by `stats` and by the report of a change."""
    outside = tmp_path / file
    (minimal / file).rename(outside)
    (minimal / file).symlink_to(outside)
    assert [found.code for found in check_corpus(str(minimal))] == ["C126"]
    with pytest.raises(CorpusError) as raised:
        load_corpus(str(minimal))
    assert [found.code for found in raised.value.findings] == ["C126"]
    if file == "sensors.csv":
        book = read_codebook(str(minimal))
        with pytest.raises(CorpusError):
            tally_pool(str(minimal), book, ("probe",))
    assert disk_opener(str(minimal))(file) is None


def test_a_link_within_the_data_folder_is_followed(minimal):
    (minimal / "kept").mkdir()
    (minimal / "sensors.csv").rename(minimal / "kept/sensors.csv")
    (minimal / "sensors.csv").symlink_to("kept/sensors.csv")
    assert check_corpus(str(minimal)) == []
