"""A pool kept as Parquet gives the same numbers and the same findings as its CSV file."""

import io
import json

import pyarrow as pa
import pytest
from pyarrow import parquet

from corpus.publishing.export.typed_tables import arrow_table
from corpus.tables.fast.parquet import read_parquet
from tests.corpora.full import full_of, sensor


@pytest.fixture
def kept(run, minimal):
    """The tiny corpus with its pool and its bibliography as Parquet files, as the export writes them."""
    for table, file in (("sensors", "sensors"), ("papers", "papers")):
        assert (
            run(
                "export",
                "parquet",
                "--table",
                table,
                "-o",
                minimal / f"{file}.parquet",
                "--data",
                minimal,
            ).exit_code
            == 0
        )
    for file in ("sensors", "papers"):
        (minimal / f"{file}.csv").rename(minimal / f"{file}.csv.away")
    return minimal


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


NUMBERS = ["2.5", "1234567.5", "0.1234567", "123456789012", "-0.25", "0", "1e-7", ""]


def weights_read_back(study, table):
    content = io.BytesIO()
    parquet.write_table(table, content)
    content.seek(0)
    return read_parquet(content, study.pool.spec, "x").column("weight")


@pytest.mark.parametrize("width", [pa.float64(), pa.float32()])
def test_a_number_keeps_its_digits(width):
    texts = NUMBERS
    if width == pa.float32():
        texts = ["2.5", "0.1", "-0.25", "16777215", ""]
    study = full_of(*[sensor(f"a{number}", weight=text) for number, text in enumerate(texts)])
    table = arrow_table(study, study.pool)
    place = table.column_names.index("weight")
    table = table.set_column(place, "weight", table["weight"].cast(width))
    assert weights_read_back(study, table) == texts


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan")])
def test_what_is_no_number_stays_one_that_the_checks_name(value):
    study = full_of(sensor("a"))
    table = arrow_table(study, study.pool)
    place = table.column_names.index("weight")
    table = table.set_column(place, "weight", pa.array([value], pa.float64()))
    assert weights_read_back(study, table) == [str(value)]
