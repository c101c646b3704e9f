"""Every format and view of a picture: complete, the same each time, and safe for what reads it."""

import json
import re
import xml.etree.ElementTree as ET
from typing import Any

import matplotlib
import pytest
from hypothesis import given, settings
from matplotlib.backends.backend_agg import FigureCanvasAgg

from corpus.traces.draw import FORMATS, draw
from corpus.traces.draw.figure import swimlane, trace_style
from corpus.traces.draw.picture import PAGES, Picture
from tests.support.golden import golden
from tests.support.large_traces import varied
from tests.support.made_traces import event, pair, run_of, runs

MAGIC = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}
NASTY = 'x\x1b[31m\u202e"; <script>end</script> $a_b$ 機 %%{init}%%\n---\n' + "w" * 300


def nasty():
    trace = pair()
    text = (
        json.dumps(trace).replace('"ann"', json.dumps(NASTY)).replace('"shop"', json.dumps(NASTY))
    )
    found: dict[str, Any] = json.loads(text)
    found["trace_id"] = found["system"] = NASTY
    event(found, "ask")["id"] = NASTY
    for edge in found["edges"]:
        edge.update({key: NASTY for key in ("src", "dst") if edge[key] == "ask"})
    return found


@pytest.mark.parametrize("kind", FORMATS)
def test_equal_runs_give_equal_bytes(kind):
    first = draw(run_of(pair()), kind)
    with matplotlib.rc_context({"font.size": 30, "svg.hashsalt": "other", "axes.facecolor": "red"}):
        assert draw(run_of(pair()), kind) == first
    assert first.startswith(MAGIC.get(kind, b""))


def test_a_run_with_one_of_everything_is_written_as_it_was():
    golden("traces/swimlane.txt", draw(run_of(varied()), "text").decode())


def test_hostile_names_reach_no_reader():
    run = run_of(nasty())
    text = draw(run, "text").decode()
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e]", text)
    assert max(map(len, text.splitlines())) <= 100
    ET.fromstring(draw(run, "svg"))


def test_no_text_leaves_a_figure_however_wide_the_names():
    trace = pair()
    trace["trace_id"] = trace["system"] = "W" * 200
    for one in trace["events"]:
        one["agent"] = one["agent"].replace("ann", "機" * 60).replace("bob", "W" * 60)
        if "to" in one:
            one["to"] = one["to"].replace("ann", "機" * 60).replace("bob", "W" * 60)
    run = run_of(trace)
    with trace_style():
        figure = swimlane(run, PAGES["auto"])
        renderer = FigureCanvasAgg(figure).get_renderer()
        for text in [*figure.texts, *figure.axes[0].texts]:
            box = text.get_window_extent(renderer)
            assert box.x0 >= -1
            assert box.x1 <= figure.bbox.x1 + 1


@given(run=runs())
def test_any_run_is_drawn(run):
    assert draw(run, "text")


@given(run=runs())
@settings(max_examples=5)
def test_any_run_is_a_figure(run):
    ET.fromstring(draw(run, "svg"))


def test_numbers_of_any_size_take_a_few_characters():
    trace = pair()
    trace["costs"]["tokens"] = 1.7e308
    for one in trace["events"]:
        one["t"] *= 1e300
        one["x_steps"] = 1.7e308
    found = Picture(run_of(trace))
    assert len(found.facts) < 100
    assert "inf" not in found.facts
    assert all(len(name) < 12 for _, name in found.ticks)
