"""A pool kept as Parquet gives the same numbers and the same findings as its CSV file."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest
from pyarrow import parquet


@pytest.fixture
def kept(run, soil):
    """The tiny corpus with its pool and its bibliography as Parquet files, as the export writes them."""
    for table, file in (("sensors", "sensors"), ("papers", "papers")):
        assert (
            run(
                "export",
                "parquet",
                "--table",
                table,
                "-o",
                soil / f"{file}.parquet",
                "--data",
                soil,
            ).exit_code
            == 0
        )
    for file in ("sensors", "papers"):
        (soil / f"{file}.csv").rename(soil / f"{file}.csv.away")
    return soil


def test_numbers_and_lists_are_the_same(run, kept):
    def outputs():
        return [run(*command, "--data", kept).stdout for command in (
            ("stats", "--format", "json"), ("stats", "--where", "year=2021"), ("list", "--columns", "all", "--format", "json"),
            ("list", "--table", "papers", "--columns", "all", "--format", "json"), ("check", "--format", "json"),
        )]  # fmt: skip

    with_parquet = outputs()
    assert json.loads(with_parquet[0])["entries"] == 3
    for file in ("sensors", "papers"):
        (kept / f"{file}.csv.away").rename(kept / f"{file}.csv")
    assert outputs() == with_parquet


def test_the_file_itself_can_be_named(run, kept):
    assert "3 sensors" in run("stats", "--data", kept / "sensors.parquet").stdout


def test_wrong_tags_and_duplicate_keys_are_found(run, kept):
    table = parquet.read_table(kept / "sensors.parquet")
    rows = table.to_pylist()
    rows[1]["probe"] = "optic"
    rows[2]["id"] = "clay"
    parquet.write_table(pa.Table.from_pylist(rows), kept / "sensors.parquet")
    for command in ("stats", "check"):
        result = run(command, "--data", kept)
        assert result.exit_code == 1
        assert "sensors.parquet:3 [probe]: error C202" in result.output
        assert "sensors.parquet:4 [id]: error C301" in result.output


@pytest.mark.parametrize(
    "damage",
    [
        lambda b: b"not parquet",
        lambda b: b[: len(b) // 2],
        lambda b: b"",
        lambda b: b[:50] + b"\xff" * 40 + b[90:],
    ],
)
def test_a_damaged_file_is_a_finding(run, kept, damage):
    file = kept / "sensors.parquet"
    file.write_bytes(damage(file.read_bytes()))
    result = run("stats", "--data", kept)
    assert result.exit_code == 1
    assert "C122" in result.stderr


def test_a_missing_column_is_a_finding(run, kept):
    file = kept / "sensors.parquet"
    parquet.write_table(parquet.read_table(file).drop_columns(["probe"]), file)
    assert "[probe]: error C122" in run("check", "--data", kept).stdout
