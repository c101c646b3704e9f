"""A run as text for a terminal."""

from __future__ import annotations

import pytest

from corpus.traces.draw import VIEWS, draw
from tests.support.golden import golden
from tests.support.large_traces import varied
from tests.support.made_traces import pair, run_of


def test_text_has_one_line_per_event_and_marks_the_paths() -> None:
    head, events, foot = draw(run_of(pair()), "text", "swimlane").decode().split("\n\n")[1:]
    assert [line.split()[1] for line in head.splitlines()] == ["lead", "ann", "bob"]
    assert len(events.splitlines()) == len(pair()["events"])
    assert "5 # <-B     ann return -> lead" in events.splitlines()
    assert "3   <-+-B   bob return -> lead" in events.splitlines()
    assert "# critical path" in foot


@pytest.mark.parametrize("view", VIEWS)
def test_text_cuts_no_fact_for_a_long_name(view: str) -> None:
    trace = pair()
    trace["trace_id"] = "w" * 48
    lines = draw(run_of(trace), "text", view).decode().splitlines()
    assert lines[1] == "w" * 48 + ":"
    assert lines[2].endswith("stop: implicit")


@pytest.mark.parametrize("view", VIEWS)
def test_a_run_with_one_of_everything_is_written_as_it_was(view: str) -> None:
    golden(f"traces/{view}.txt", draw(run_of(varied()), "text", view).decode())
