"""Colours, signs and their names in the legend: one table for every picture."""

from __future__ import annotations

from typing import Final, NamedTuple


class Sign(NamedTuple):
    """How one event type looks: matplotlib marker, colour, letter on a terminal, name in a legend."""

    marker: str
    colour: str
    letter: str
    name: str


BLACK: Final = "#1a1a1a"
GREY: Final = "#8a8f98"
RED: Final = "#c8102e"
BAR: Final = "#e4e9f0"
PERSON_BAR: Final = "#f5f0e6"
WORK: Final = "#b9c6d8"

#: After Okabe and Ito: eight colours that people with any colour vision tell apart.
SIGNS: Final[dict[str, Sign]] = {
    "orchestrator_decision": Sign("D", "#e69f00", "D", "decision"),
    "spawn": Sign("v", "#0072b2", "S", "spawn"),
    "despawn": Sign("X", "#5a5f68", "X", "despawn"),
    "message": Sign("o", "#cc79a7", "M", "message"),
    "tool_call": Sign("s", "#56b4e9", "C", "tool call"),
    "tool_result": Sign("|", "#3d6f8f", "R", "tool result"),
    "return": Sign("^", "#009e73", "B", "return"),
    "aggregate": Sign("h", "#7a4fb5", "A", "aggregate"),
    "human_intervention": Sign("p", "#8c5a2b", "H", "person"),
    "safety_event": Sign("8", "#d55e00", "G", "safety check"),
}
ARROWS: Final[dict[str, str]] = {
    "spawn": SIGNS["spawn"].colour,
    "despawn": SIGNS["despawn"].colour,
    "message": SIGNS["message"].colour,
    "return": SIGNS["return"].colour,
    "aggregate": SIGNS["return"].colour,
    "safety_flow": SIGNS["safety_event"].colour,
}
