"""Sparklines."""

import json

from corpus.analysis.history.timeline import (
    History,
    HistoryPoint,
    Movement,
    Value,
    history_grids,
    history_json,
    history_summary,
    sparkline,
)
from corpus.tables.git.repository import GitRevision


def test_zero_is_drawn_and_an_unknown_number_is_not():
    assert sparkline([0, 7, None]) == "▁█ "


def test_a_ratio_without_divisor_has_no_bar():
    assert sparkline([None, 1.5]) == " █"


def test_a_long_history_keeps_its_first_and_last_number():
    bars = sparkline([8, *[1] * 500, 4])
    assert len(bars) == 40
    assert (bars[0], bars[-1]) == ("█", "▅")


START = GitRevision("a" * 40, "start", "2026-01-02", "Begin")
LATER = GitRevision("b" * 40, "later", "2026-02-03", "=Add")
BROKEN = GitRevision("c" * 40, "broken", "2026-03-04", "Break")
MOVED = Movement(LATER, "pool", 1, 1_000_001, ("fen", "mire"), ("bog",))
FOUND = History(
    "rows",
    (
        HistoryPoint(START, {"pool": Value(1), "log": Value(0)}),
        HistoryPoint(LATER, {"pool": Value(1_000_001), "log": Value(0)}),
        HistoryPoint(BROKEN, {}, "C202 in pool.csv"),
    ),
    (MOVED,),
    "Shallow.",
)


def test_a_history_is_a_line_for_each_series_and_each_change():
    series, changes = history_grids(FOUND)
    assert series.rows == (("pool", "1", "-", "▁█ "), ("log", "0", "-", "▁▁ "))
    assert changes.rows == (
        ("2026-02-03", "later", "pool", "1 → 1000001", "+fen, +mire, -bog", "=Add"),
    )
    (_, none_shown) = history_grids(FOUND._replace(movements=(MOVED, MOVED, MOVED)), 1)
    assert (len(none_shown.rows), none_shown.note) == (1, "2 earlier changes left out.")
    assert len(history_grids(FOUND._replace(movements=()))) == 1


def test_the_summary_names_what_was_read_and_what_could_not_be():
    assert history_summary(FOUND) == (
        "3 states, from start (2026-01-02) to broken; 1 change. "
        "1 without a value (broken): C202 in pool.csv. Shallow."
    )


def test_json_has_null_for_what_could_not_be_counted():
    document = json.loads(history_json(FOUND))
    assert [point["values"] for point in document["points"]] == [
        {"pool": 1, "log": 0}, {"pool": 1_000_001, "log": 0}, None,
    ]  # fmt: skip
    (moved,) = document["movements"]
    assert (moved["revision"], moved["before"], moved["after"]) == ("b" * 40, 1, 1_000_001)
    undefined = FOUND._replace(points=(HistoryPoint(START, {"r": Value(None)}),))
    assert json.loads(history_json(undefined))["points"][0]["values"] == {"r": None}
