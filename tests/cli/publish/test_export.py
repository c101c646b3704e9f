import os
import shutil
import sqlite3
import subprocess
import sys

import pytest
from click.testing import CliRunner

from corpus.cli.main import main
from corpus.publishing.export.formats import FORMATS
from tests.conftest import REAL


def run(*arguments):
    return CliRunner().invoke(main, ["export", *arguments])


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    shutil.copytree(REAL, folder)
    return folder


def test_a_text_format_goes_to_stdout_and_nothing_else_does():
    result = run("bibtex", "--data", str(REAL))
    assert result.exit_code == 0
    assert result.stdout.count("\n@") + 1 == 84
    assert result.stderr == ""


def test_binary_output_survives_a_pipe(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "corpus", "export", "sqlite", "--data", str(REAL)],
        capture_output=True,
        check=True,
    )
    (tmp_path / "c.sqlite").write_bytes(done.stdout)
    database = sqlite3.connect(tmp_path / "c.sqlite")
    assert database.execute("SELECT count(*) FROM pool").fetchone() == (84,)
    database.close()


def test_all_formats_go_into_one_new_folder(minimal, tmp_path):
    out = tmp_path / "out"
    assert run("--all", "--out", str(out), "--data", str(minimal)).exit_code == 0
    assert (out / "croissant" / "croissant.json").exists()
    assert (out / "schema" / "sensors.schema.yaml").exists()
    assert run("--all", "--out", str(out), "--data", str(minimal)).exit_code == 2


def test_somebody_elses_folder_is_refused(minimal, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "x").write_text("x")
    assert run("--all", "--out", str(tmp_path / "other"), "--data", str(minimal)).exit_code == 2
    assert os.listdir(tmp_path / "other") == ["x"]


@pytest.mark.parametrize(
    "target", ["pool.csv", "codebook.toml", "evidence/credit.csv", "protocol.toml", "."]
)
def test_the_corpus_itself_is_never_overwritten(data, target):
    before = (data / "pool.csv").read_bytes()
    assert run("json", "-o", str(data / target), "--data", str(data)).exit_code == 2
    assert run("data-package", "-o", str(data), "--data", str(data)).exit_code == 2
    assert (data / "pool.csv").read_bytes() == before


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "poem",
        "--all",
        "bibtex --all --out x",
        "bibtex --table pool",
        "schema --table x",
        "--all --out x --table pool",
    ],
)
def test_wrong_usage_is_exit_2(data, arguments):
    assert run(*arguments.split(), "--data", str(data)).exit_code == 2


def test_a_broken_corpus_is_exit_1_and_leaves_the_file(data, tmp_path):
    out = tmp_path / "pool.json"
    out.write_text("old")
    pool = data / "pool.csv"
    pool.write_text(pool.read_text().replace(",2025,", ",20x5,", 1))
    result = run("json", "-o", str(out), "--data", str(data))
    assert result.exit_code == 1
    assert "X102" in result.stderr
    assert out.read_text() == "old"


def test_the_help_names_every_format():
    lines = run("--help").stdout.splitlines()
    for name, format_ in FORMATS.items():
        assert f"  {name:13} {format_.title}" in lines


def test_a_hyphen_is_standard_output_and_no_file(run, minimal, tmp_path):
    folder = tmp_path / "empty"
    folder.mkdir()
    for command in (
        ("export", "bibtex"), ("export", "json"), ("render",), ("site",), ("render-appendix", "--format", "markdown"),
    ):  # fmt: skip
        plain = run(*command, "--data", minimal, cwd=folder)
        assert plain.exit_code == 0
        assert run(*command, "-o", "-", "--data", minimal, cwd=folder).stdout == plain.stdout != ""
    assert run("export", "--all", "--out", "-", "--data", minimal, cwd=folder).exit_code == 2
    assert list(folder.iterdir()) == []


def test_a_file_that_cannot_be_written_is_called_by_its_name(run, minimal):
    result = run("export", "bibtex", "-o", minimal / "missing" / "pool.bib", "--data", minimal)
    assert result.exit_code == 1
    assert f"{minimal / 'missing' / 'pool.bib'}: " in result.stderr
    assert ".tmp" not in result.stderr
