"""Frictionless and mlcroissant read what is exported."""

import os

import frictionless
import mlcroissant
import pytest

from corpus.publishing.export.croissant import croissant
from corpus.publishing.export.folder import write_folder
from corpus.publishing.export.packages import data_package
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import ROWS, codebook_data, full, full_of, sensor

pytestmark = pytest.mark.filterwarnings("ignore")

SENSORS = ROWS["sensors"]


def _validate(corpus, folder):
    write_folder(str(folder), data_package(corpus))
    before = os.getcwd()
    os.chdir(folder)
    try:
        report = frictionless.validate("datapackage.json", type="package")
    finally:
        os.chdir(before)
    assert not report.errors
    return [
        (
            task.name,
            error.type,
            getattr(error, "row_number", None),
            getattr(error, "field_name", None),
        )
        for task in report.tasks
        for error in task.errors
    ]


def test_frictionless_finds_the_shipped_corpus_valid(tmp_path):
    assert _validate(load_corpus(str(REAL)), tmp_path / "p") == []


def test_frictionless_reads_na_as_a_value_and_identifiers_as_text(tmp_path):
    write_folder(str(tmp_path / "p"), data_package(full()))
    package = frictionless.Package(str(tmp_path / "p" / "datapackage.json"))
    rows = package.get_resource("sensors").read_rows()
    assert [row["depth"] for row in rows] == ["surface", "surface", "shallow", "deep", "none"]
    assert rows[0]["arxiv"] == "2011.00010"
    assert rows[4]["arxiv"] is None


@pytest.mark.parametrize(
    ("sensors", "probes", "expected"),
    [
        ([sensor("a", depth="chalk")], [], ("sensors", "constraint-error", 2, "depth")),
        ([sensor("a", senses="water, heat")], [], ("sensors", "constraint-error", 2, "senses")),
        ([sensor("a", name="")], [], ("sensors", "constraint-error", 2, "name")),
        ([sensor("a", year="20x0")], [], ("sensors", "type-error", 2, "year")),
        ([sensor("a"), sensor("a")], [], ("sensors", "primary-key", 3, None)),
        (SENSORS, [*ROWS["probes"], ("zzz", "1", "")], ("probes", "foreign-key", 5, None)),
        (SENSORS, [("ada", "1", "May 2019")], ("probes", "constraint-error", 2, "taken")),
    ],
)
def test_the_schema_catches_what_the_codebook_forbids(tmp_path, sensors, probes, expected):
    study = full_of(*sensors, rows={"probes": probes})
    assert expected in _validate(study, tmp_path / "p")


def read_back(study, folder):
    """Return the dataset as the reference reader of Croissant reads it."""
    write_folder(str(folder), croissant(study))
    dataset = mlcroissant.Dataset(str(folder / "croissant.json"))
    assert not dataset.metadata.issues.errors
    assert not dataset.metadata.issues.warnings
    return dataset


def test_mlcroissant_finds_the_shipped_corpus_valid_and_reads_its_pool(tmp_path):
    pool = list(read_back(load_corpus(str(REAL)), tmp_path / "c").records("pool"))
    assert len(pool) == 84
    assert sum(record["pool/reward_type"] == b"NA" for record in pool) == 33
    assert pool[0]["pool/arxiv_id"] == b"2508.03680"


def test_every_record_set_of_one_dataset_can_be_read(tmp_path):
    """As the checkers of conferences do: one reader for all of them."""
    about = {**codebook_data()["corpus"], "version": "1.2.0", "cite": "doi:10.1234/soil"}
    study = full(corpus=about)
    dataset = read_back(study, tmp_path / "c")
    numbers = {one.id: len(list(dataset.records(one.id))) for one in dataset.metadata.record_sets}
    assert numbers.items() >= {name: len(study.tables[name].rows) for name in study.tables}.items()
    assert numbers["vocabulary/depth"] == len(study.codebook.vocabularies["depth"].terms)
