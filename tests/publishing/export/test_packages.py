"""Packages of the tables: read by Frictionless."""

import hashlib
import json
import os

import pytest

from corpus.publishing.export.folder import write_folder
from corpus.publishing.export.packages import data_package, descriptor
from corpus.tables.corpus_reader import load_corpus
from tests.conftest import REAL
from tests.corpora.full import ROWS, full, full_of, sensor
from tests.support.conformance import needed

frictionless = needed("frictionless")

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


def test_a_package_has_sizes_and_checksums_and_the_committed_description_has_none():
    """Otherwise every edit of a table changes the description, and two branches collide in it."""
    study = load_corpus(str(REAL))
    package = data_package(study)
    for resource in json.loads(package["datapackage.json"])["resources"]:
        content = package[resource["path"]]
        assert resource["bytes"] == len(content)
        assert resource["hash"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
    for resource in descriptor(study)["resources"]:
        assert not {"bytes", "hash"} & set(resource)
