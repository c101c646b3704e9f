"""A journal may name the files of the corpus, copies of its releases, and few beside the data."""

import os

import pytest

from corpus.tables.writing.journal import is_in_place, is_replaceable, package_files
from tests.corpora.full import full

BOOK = full().codebook


@pytest.mark.parametrize(
    ("file", "may"),
    [
        ("codebook.toml", True), ("sensors.csv", True), ("claims.toml", True), ("releases.toml", True),
        ("datapackage.json", True), ("releases/v1/sensors.csv", True), ("releases/v1/sensors.parquet", True),
        ("releases/2026.1/codebook.toml", True),
        ("../pyproject.toml", True), ("../CITATION.cff", True), ("../soils/__init__.py", True),
        ("sensors.parquet", False), ("notes.md", False), ("", False), ("/etc/passwd", False), (".corpus.journal", False),
        ("releases/v1/notes.md", False), ("releases/../sensors.csv", False), ("releases/.v1/sensors.csv", False),
        ("releases/v1/../../../sensors.csv", False), ("releases/v1/v2/sensors.csv", False),
        ("../sensors.csv", False), ("../../pyproject.toml", False), ("../soils/main.py", False),
        ("../a/b/__init__.py", False), ("../../soils/__init__.py", False), ("../.ssh/__init__.py", False),
        ("../soils/__init__.py\n", False), ("sensors.csv\n", False),
    ],
)  # fmt: skip
def test_a_journal_may_name_these_files_alone(file, may):
    assert is_replaceable(file, BOOK) is may


def test_a_link_does_not_lead_out_of_the_data_folder(tmp_path):
    data = tmp_path / "study" / "data"
    data.mkdir(parents=True)
    inside = [data / "sensors.csv", data / "releases" / "v1" / "sensors.csv"]
    beside = [data.parent / "pyproject.toml", data.parent / "soils" / "__init__.py"]
    outside = [
        data.parent / "sensors.csv", tmp_path / "pyproject.toml", data.parent / "data2" / "sensors.csv",
        data.parent / "soils" / "main.py", data,
    ]  # fmt: skip
    for path in (*inside, *beside):
        assert is_in_place(str(data), os.path.realpath(path)), path
    for path in outside:
        assert not is_in_place(str(data), os.path.realpath(path)), path


def test_a_data_folder_that_is_a_link_is_followed(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "data").symlink_to("real")
    assert is_in_place(str(tmp_path / "data"), str(tmp_path / "real" / "sensors.csv"))
    assert not is_in_place(str(tmp_path / "data"), str(tmp_path / "data" / "sensors.csv"))


def test_packages_are_the_folders_with_a_first_module(tmp_path):
    for name in ("soils", "Bogs", "notes", "2020", "my-data"):
        (tmp_path / name).mkdir()
        if name != "notes":
            (tmp_path / name / "__init__.py").write_text("", "utf-8")
    (tmp_path / "notes" / "__init__.py").mkdir()
    assert list(package_files(str(tmp_path))) == ["Bogs/__init__.py", "soils/__init__.py"]
