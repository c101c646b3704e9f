"""Colours, symbols and their names in the legend: one table for every picture."""

from __future__ import annotations

from typing import NamedTuple


class Symbol(NamedTuple):
    """How one event type looks: matplotlib marker, colour, letter on a terminal, legend name."""

    marker: str
    colour: str
    letter: str
    name: str


BLACK = "#1a1a1a"
GREY = "#8a8f98"
RED = "#c8102e"
BAR = "#e4e9f0"
PERSON_BAR = "#f5f0e6"
WORK = "#b9c6d8"

#: After Okabe and Ito: eight colours that people with any colour vision can tell apart.
SYMBOLS: dict[str, Symbol] = {
    "orchestrator_decision": Symbol("D", "#e69f00", "D", "decision"),
    "spawn": Symbol("v", "#0072b2", "S", "spawn"),
    "despawn": Symbol("X", "#5a5f68", "X", "despawn"),
    "message": Symbol("o", "#cc79a7", "M", "message"),
    "tool_call": Symbol("s", "#56b4e9", "C", "tool call"),
    "tool_result": Symbol("|", "#3d6f8f", "R", "tool result"),
    "return": Symbol("^", "#009e73", "B", "return"),
    "aggregate": Symbol("h", "#7a4fb5", "A", "aggregate"),
    "human_intervention": Symbol("p", "#8c5a2b", "H", "person"),
    "safety_event": Symbol("8", "#d55e00", "G", "safety check"),
}
ARROWS: dict[str, str] = {
    "spawn": SYMBOLS["spawn"].colour,
    "despawn": SYMBOLS["despawn"].colour,
    "message": SYMBOLS["message"].colour,
    "return": SYMBOLS["return"].colour,
    "aggregate": SYMBOLS["aggregate"].colour,
    "safety_flow": SYMBOLS["safety_event"].colour,
    "tool_dependency": SYMBOLS["tool_call"].colour,
    "causal": "#8a7d00",
    "temporal": "#aeb4bd",
}
"""The colour of each kind of edge and of what is sent; no two are alike."""
LIFE = "#dfe5ee"
BUSY = "#7f9cc0"
WASTED_LIFE = "#f3e3d3"
WASTED_BUSY = "#c99a6b"
