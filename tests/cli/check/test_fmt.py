import json
import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from corpus.cli.main import main

DATA = Path(__file__).parents[3] / "data"


@pytest.fixture
def data(tmp_path):
    return Path(
        shutil.copytree(
            DATA, tmp_path / "data", ignore=shutil.ignore_patterns("releases", "traces")
        )
    )


def run(*arguments):
    return CliRunner().invoke(
        main, [str(argument) for argument in arguments], catch_exceptions=False
    )


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*.csv")}


def test_check_names_each_file_and_changes_none(data):
    (data / "pool.csv").write_bytes(
        b"\xef\xbb\xbf" + (data / "pool.csv").read_bytes().replace(b"\n", b"\r\n")
    )
    (data / "evidence/credit.csv").write_bytes((data / "evidence/credit.csv").read_bytes()[:-1])
    before = contents(data)
    result = run("fmt", "--check", "--format", "json", "--data", data)
    found = {(Path(f["file"]).name, f["code"]) for f in json.loads(result.stdout)["findings"]}
    assert result.exit_code == 1
    assert found == {("pool.csv", "C105"), ("pool.csv", "C108"), ("credit.csv", "C109")}
    assert contents(data) == before


def test_fmt_restores_the_canonical_files_and_keeps_their_mode(data):
    before = contents(data)
    pool = data / "pool.csv"
    lines = pool.read_text("utf-8").splitlines(keepends=True)
    pool.write_text("".join([lines[0], *reversed(lines[1:])]), "utf-8")
    pool.chmod(0o640)
    assert run("fmt", "--data", data).exit_code == 0
    assert contents(data) == before
    assert pool.stat().st_mode & 0o777 == 0o640
    assert run("fmt", "--check", "--data", data).exit_code == 0


def test_one_broken_file_keeps_all_as_they_were(data):
    (data / "pool.csv").write_bytes((data / "pool.csv").read_bytes().replace(b"\n", b"\r\n"))
    (data / "exclusions.csv").write_bytes((data / "exclusions.csv").read_bytes() + b'E999,"open\n')
    before = contents(data)
    result = run("fmt", "--data", data)
    assert result.exit_code == 1
    assert "C112" in result.stderr
    assert contents(data) == before


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="permissions do not bind root")
def test_a_folder_that_cannot_be_written_is_reported_in_one_line(data):
    data.chmod(0o555)
    result = run("fmt", "--data", data)
    data.chmod(0o755)
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
