"""What the page shows of a corpus at its releases."""

import shutil

import pytest

from corpus.model.finding import CorpusError
from corpus.publishing.page.history import page_history
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL


def test_rows_and_tracked_claims_that_moved_since_the_release():
    study = load_corpus(str(REAL)).without_entries({"c3", "mae"})
    now, first = page_history(study).states
    assert (now.label, first.label) == ("now", "v1")
    assert now.numbers[0] == "82"
    assert first.numbers[0] == "84"
    (lost,) = now.changed
    # They are no longer on the page, so nothing leads to them.
    assert (lost.sign, lost.number, lost.named) == ("-", 2, (("", "c3"), ("", "mae")))
    moved = {line.id: line for line in now.moved}
    assert (moved["pool-size"].before, moved["pool-size"].after) == ("84", "82")
    assert first.changed == first.moved == ()


def test_a_copy_that_cannot_be_read_is_named_and_the_rest_is_shown(tmp_path):
    data = shutil.copytree(REAL, tmp_path / "data")
    (data / "releases" / "v1" / "pool.csv").unlink()
    now, first = page_history(load_corpus(str(data))).states
    assert first.problem
    assert first.numbers[0] == ""
    assert now.numbers[0] == "84"


def test_a_mistake_in_the_list_of_releases_is_a_finding(tmp_path):
    data = shutil.copytree(REAL, tmp_path / "data")
    (data / "releases.toml").write_text("format = 1\n[[releases]]\nid = '../up'\n", "utf-8")
    with pytest.raises(CorpusError) as error:
        page_history(load_corpus(str(data)))
    assert {finding.code for finding in error.value.findings} == {"C605"}
