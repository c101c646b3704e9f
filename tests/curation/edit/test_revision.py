"""A change is checked before it is written: what it adds to the findings, and that nothing is half done."""

import pytest

from corpus.curation.edit.revision import RefusedChange, added_findings, preview, revise
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.writing.lock import changed_files
from tests.support.changing import rewrite

GOOD = ("bog", "Peat by radar", "Fen, Cy", "2022", "", "", "acoustic", "heat", "")
BESIDE = ("bog", "Fen, Cy", "", "2022")


def adding(*rows):
    return lambda before: before.with_more("sensors", *rows).with_more("papers", BESIDE)


def test_a_preview_is_ordered_and_writes_nothing(minimal):
    text = (minimal / "sensors.csv").read_bytes()
    found = preview(str(minimal), adding(GOOD))
    assert [row[0] for row in found.after.pool.rows] == ["bog", "clay", "fen", "till"]
    assert (found.findings, list(found.texts)) == ([], ["sensors.csv", "papers.csv"])
    assert (minimal / "sensors.csv").read_bytes() == text


def test_an_error_is_refused_in_the_place_where_it_would_stand(minimal):
    with pytest.raises(RefusedChange) as caught:
        revise(str(minimal), adding((*GOOD[:3], "22", *GOOD[4:])))
    (finding,) = caught.value.findings
    assert (finding.line, finding.column, finding.value) == (2, "year", "22")
    assert finding.file.endswith("soil/data/sensors.csv")
    assert "corpus-" not in finding.file + finding.message + finding.hint
    assert len(load_corpus(str(minimal)).pool.rows) == 3


def test_a_fault_that_was_there_is_not_added_and_a_second_like_it_is(minimal):
    pool = minimal / "sensors.csv"
    rewrite(pool, "2020,2003", "20,2003")
    before = load_corpus(str(minimal))

    def added(*rows):
        after = before.with_tables(
            {
                **before.tables,
                "sensors": before.pool._replace(rows=sorted([*before.pool.rows, *rows])),
            }
        )
        found = added_findings(str(minimal), changed_files(before, after))
        return [(finding.column, finding.value) for finding in found if finding.column == "year"]

    wrong = [(name, f"A title of {name}", *GOOD[2:3], "20", *GOOD[4:]) for name in ("bog", "zoo")]
    assert added() == []
    assert added(GOOD) == []
    assert added(wrong[0]) == [("year", "20")]
    assert added(*wrong) == [("year", "20")] * 2
