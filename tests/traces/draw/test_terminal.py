"""A run as text for a terminal."""

import json

from corpus.printing.grid import width
from corpus.traces.draw import draw
from tests.support.made_traces import pair, run_of


def lines_of(trace):
    return draw(run_of(trace), "text").decode().splitlines()


def test_text_cuts_no_fact_for_a_long_name():
    lines = lines_of({**pair(), "trace_id": "w" * 48})
    assert lines[1] == "w" * 48 + ":"
    assert lines[2].endswith("stop: implicit")


def test_no_line_takes_more_than_100_columns_where_characters_are_wide():
    wide = json.dumps(pair()).replace('"ann"', json.dumps("機" * 60))
    wide = wide.replace('"shop"', json.dumps("店" * 60)).replace('"ask"', json.dumps("問" * 15))
    assert max(map(width, lines_of(json.loads(wide)))) <= 100
