"""Colours and symbols: every type has one, and no two look alike."""

import re
from itertools import combinations
from pathlib import Path
from typing import get_args

from corpus.traces import view
from corpus.traces.draw.ink import ARROWS, SYMBOLS
from corpus.traces.model import EVENT_TYPES, EdgeType


def test_every_type_of_event_has_a_symbol_of_its_own():
    assert set(SYMBOLS) == set(EVENT_TYPES)
    for name in ("marker", "colour", "letter", "name"):
        looks = [getattr(symbol, name) for symbol in SYMBOLS.values()]
        assert len(set(looks)) == len(looks), name
    assert all(len(symbol.letter) == 1 for symbol in SYMBOLS.values())


def test_the_viewer_draws_every_symbol_as_the_figures_do():
    marks = (Path(view.__file__).parent / "files" / "marks.js").read_text("utf-8")
    _, _, outlines = marks.partition("const OUTLINES = {")
    known = set(re.findall(r'^  "?([^\s":]+)"?: ', outlines.partition("};")[0], re.MULTILINE))
    assert known == {symbol.marker for symbol in SYMBOLS.values()}


def test_colours_of_edges_are_distinct_and_every_type_has_one():
    assert set(get_args(EdgeType)) <= set(ARROWS)
    colours = {kind: _channels(colour) for kind, colour in ARROWS.items()}
    for (one, first), (other, second) in combinations(colours.items(), 2):
        distance = sum(abs(a - b) for a, b in zip(first, second, strict=True))
        assert distance > 90, f"{one} and {other} look alike"
    assert all(ARROWS[kind] == SYMBOLS[kind].colour for kind in ("spawn", "return", "message"))


def _channels(colour):
    return tuple(int(colour[start : start + 2], 16) for start in (1, 3, 5))
