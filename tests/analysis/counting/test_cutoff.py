"""Up to when a corpus is, in words: what is dated after its cutoff is counted, never hidden."""

import json

import pytest

from corpus.analysis.counting.cutoff import as_of_study
from corpus.publishing.export.croissant import croissant
from corpus.tables.corpus_reader import load_corpus
from tests.corpora.full import add_sensor, codebook_data, full, write_full

DAY = {"name": "day", "type": "date", "role": "date", "required": False, "definition": "Day."}


def as_of_records(*days):
    data = codebook_data()
    data["tables"]["dropped"]["columns"].append(DAY)
    rows = [(f"x{number}", "title", "A meadow", "", day) for number, day in enumerate(days)]
    return as_of_study(full({"dropped": rows}, **data))


@pytest.mark.parametrize("day", ["2021-03-31", "2021", "2021-03", "", "May"])
def test_what_may_be_earlier_is_not_later(day):
    assert as_of_records(day) == "as of 2021-03-31"


def test_records_are_counted():
    found = as_of_records("2021-04-01", "2022")
    assert found == "2 exclusions dated after the cutoff of 2021-03-31"


def test_printed_texts_tell_it(run, tmp_path):
    data = write_full(tmp_path)
    assert "cutoff 2021-03-31." in run("stats", "--data", data).stdout
    add_sensor(data, "fay", seen="2021-05")
    later = "1 entry dated after the cutoff of 2021-03-31"
    assert later in " ".join(run("stats", "--data", data).stdout.split())
    printed = run("render-appendix", "--format", "markdown", "--part", "table", "--data", data)
    assert later in printed.stdout
    assert "as of" not in printed.stdout
    assert f"<dt>Cutoff</dt><dd>{later}" in run("site", "--data", data).stdout
    descriptor = json.loads(croissant(load_corpus(str(data)))["croissant.json"])
    assert descriptor["datePublished"] == "2021-05-01"


def test_without_a_cutoff_nothing_is_told():
    data = codebook_data()
    del data["corpus"]["cutoff"]
    assert as_of_study(full(**data)) == ""
