"""Reports and tables as frames: their columns, their types, and what is missing instead of empty."""

import pandas as pd
import pytest

from corpus.frames import findings_frame, typed_frame
from corpus.model.finding import CorpusError, Finding
from tests.corpora.full import ROWS, full, sensor


def pool(study):
    return typed_frame(study.pool, study.codebook)


def dtypes(frame):
    return {name: str(dtype) for name, dtype in frame.dtypes.items()}


def test_a_table_has_the_types_of_its_columns_and_its_key_as_index():
    frame = pool(full())
    assert list(frame.index) == ["ada", "bob", "cy", "dot", "eve"]
    assert "sensor" not in frame.columns
    known = dtypes(frame)
    assert (known["name"], known["depth"], known["senses"]) == ("string", "category", "string")
    assert (known["year"], known["weight"]) == ("Int64", "Float64")
    assert list(frame.depth.cat.categories) == ["surface", "shallow", "deep", "rock", "none"]
    assert frame.depth.cat.ordered
    assert frame.year.tolist() == [2020, pd.NA, pd.NA, 2019, 2020]
    assert frame.weight["dot"] == 0.1
    assert frame.venue.isna().tolist() == [False, True, True, False, True]


def test_a_partial_date_is_its_first_day_with_its_precision():
    study = full()
    frame = typed_frame(study.tables["dated"], study.codebook)
    assert frame.seen["bob"] == pd.Timestamp("2020-11-01")
    assert frame.seen_precision.to_dict() == {
        "ada": "day",
        "bob": "month",
        "cy": "month",
        "dot": "month",
        "eve": "year",
    }
    taken = typed_frame(study.tables["probes"], study.codebook)
    assert (
        taken.taken.isna().tolist() == taken.taken_precision.isna().tolist() == [False, True, False]
    )
    # Two columns are the key: there is no index to look up by.
    assert list(taken.index) == [0, 1, 2]
    assert taken.nr.tolist() == [1, 2, 1]


@pytest.mark.parametrize(
    ("column", "cell", "code"),
    [
        ("year", " 2021", "C208"),
        ("year", "20_21", "C208"),
        ("year", "٢٠٢١", "C208"),
        ("year", "20x1", "C208"),
        ("weight", "2,5", "C208"),
        ("weight", "nan", "C208"),
        ("weight", "1e3", "C208"),
    ],
)
def test_a_cell_that_is_no_number_is_a_finding_and_never_a_guess(column, cell, code):
    study = full({"sensors": [*ROWS["sensors"], sensor("fay", **{column: cell})]})
    with pytest.raises(CorpusError) as caught:
        pool(study)
    found = [(one.code, one.line, one.column, one.value) for one in caught.value.findings]
    assert found == [(code, 7, column, cell)]


def test_every_cell_that_is_no_date_is_found():
    rows = [("ada", "2021-02-30"), ("bob", "spring"), ("cy", "2021-01")]
    study = full({"dated": rows})
    with pytest.raises(CorpusError) as caught:
        typed_frame(study.tables["dated"], study.codebook)
    found = [(one.code, one.line, one.value) for one in caught.value.findings]
    assert found == [("C210", 2, "2021-02-30"), ("C210", 3, "spring")]


def test_what_can_be_read_is_left_to_the_check():
    study = full({"sensors": [sensor("fay", year="3021")], "dated": [("fay", "2999-01-01")]})
    assert pool(study).year.tolist() == [3021]
    assert typed_frame(study.tables["dated"], study.codebook).seen["fay"].year == 2999


def test_findings_have_a_row_each_and_none_is_an_empty_frame_with_its_columns():
    finding = Finding("a.csv", 2, 0, "C201", "error", "x", "wrong", "mend it", "name")
    frame = findings_frame([finding])
    assert frame.to_dict("records")[0].keys() == {
        "file",
        "line",
        "column",
        "code",
        "severity",
        "value",
        "message",
        "hint",
    }
    empty = findings_frame([])
    assert len(empty) == 0
    assert dtypes(empty) == dtypes(frame)
    assert dtypes(empty)["line"] == "Int64"
