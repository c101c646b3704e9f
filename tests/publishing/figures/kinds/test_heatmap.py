from corpus.analysis.sparsity.cells import EMPTY, FILLED, IMPOSSIBLE, NOT_APPLICABLE
from tests.support.drawn import data_of


def test_the_heatmaps_have_every_cell(shipped):
    found = shipped["reward_by_credit"]
    assert len(found.tiles) == len(found.rows) * len(found.columns) == 90
    assert found.tiles["shared", "message"] == (1, "filled")
    assert found.tiles["tool", "token"] == (0, EMPTY)
    assert found.tiles["individual", "team"][1] == IMPOSSIBLE
    assert found.tiles["NA", "orchestrator"] == (1, NOT_APPLICABLE)
    assert (found.total, sum(found.row_totals.values()), sum(found.column_totals.values())) == (
        84,
        84,
        84,
    )


def test_the_rows_behind_a_heatmap():
    found = data_of(kind="heatmap", rows="depth", columns="senses")
    header, rows = found.frame()
    assert header == ("row", "column", "entries", "status")
    assert len(rows) == 5 * 4
    assert [row for row in rows if row[2]] == [
        ("surface", "water", 2, FILLED), ("surface", "heat", 1, FILLED), ("shallow", "salt", 1, FILLED),
        ("deep", "heat", 1, FILLED), ("none", "water", 1, NOT_APPLICABLE),
    ]  # fmt: skip
    assert ("rock", "water", 0, IMPOSSIBLE) in rows
    assert ("rock", "heat", 0, EMPTY) in rows
    assert (found.row_name, found.column_name, found.row_absent, found.column_absent) == (
        "Depth",
        "Senses",
        "none",
        "",
    )
    assert (found.row_totals["surface"], found.column_totals["water"], found.total) == (2, 3, 5)
    assert (found.rows[0].id, [label.label for label in found.columns]) == (
        "surface", ["water", "salt", "heat", "gas"],
    )  # fmt: skip
