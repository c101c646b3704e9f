"""A run as text for a terminal."""

import json

import pytest

from corpus.printing.grid import width
from corpus.traces.draw import VIEWS, draw
from tests.support.made_traces import pair, run_of


@pytest.mark.parametrize("view", VIEWS)
def test_text_cuts_no_fact_for_a_long_name(view):
    trace = pair()
    trace["trace_id"] = "w" * 48
    lines = draw(run_of(trace), "text", view).decode().splitlines()
    assert lines[1] == "w" * 48 + ":"
    assert lines[2].endswith("stop: implicit")


@pytest.mark.parametrize("view", VIEWS)
def test_no_line_takes_more_than_100_columns_where_characters_are_wide(view):
    wide = json.dumps(pair()).replace('"ann"', json.dumps("機" * 60))
    wide = wide.replace('"shop"', json.dumps("店" * 60)).replace('"ask"', json.dumps("問" * 15))
    lines = draw(run_of(json.loads(wide)), "text", view).decode().splitlines()
    assert max(map(width, lines)) <= 100
    if view == "graph":
        # Ids are a column: what follows them begins at one place.
        asked = next(line for line in lines if "問" in line and "tool call" in line)
        assert width(asked[: asked.index(" 機")]) == len("# make-ann            ")
