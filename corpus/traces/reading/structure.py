"""What keeps a JSON value from being a trace, once decoding into the model has failed.

msgspec stops at its first mistake. Here each event, edge and number is converted by itself, so that
the first mistake of each is reported.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import ValidationError, convert

from corpus.model.finding import WARNING, Rule
from corpus.traces.lookup import items, record
from corpus.traces.model import KNOWN_COSTS, REQUIRED_COSTS, Count, Edge, Event, TraceOutline
from corpus.traces.reading.pointer_lines import pointer

SCHEMA = Rule(
    "OT001",
    "{problem}",
    "see data/traces/orchestration_trace.schema.json; convert other recordings with `corpus trace "
    "convert`",
    title="Does not match the trace schema",
    reason="Root and edges allow no further keys; events do, so what a producer wants "
    "to add belongs there.",
)
ADDED_KEY = Rule(
    "OT118",
    "{problem}",
    "write the value as in `corpus docs traces`",
    WARNING,
    title="An x_ key has an unexpected value",
    reason="The schema leaves the x_ keys free, so a wrong one is ignored, not refused.",
)

REQUIRED = ("trace_id", "task_id", "events", "edges", "rewards", "costs")
NOT_A_TRACE = f"this JSON is not a trace: an object with {', '.join(REQUIRED)} is expected"

#: How msgspec writes a mistake, and the key that has it.
_MISTAKE = re.compile(r"(.*?)(?: - at `(?:key in )?\$(?:\.(\w+))?.*)?", re.DOTALL)
_UNKNOWN = "Object contains unknown field "
#: Characters of a value that a finding shows.
_LONGEST = 200


class Problem(NamedTuple):
    """A broken rule: the pointer to the value, the value as text, and what the message needs."""

    rule: Rule
    path: str
    value: str
    words: dict[str, str | float]

    @classmethod
    def at(cls, rule: Rule, path: str, value: str = "", /, **words: str | float) -> Problem:
        """Return a problem; `words` fill the places of the message."""
        return cls(rule, path, value, words)


def shown(value: object) -> str:
    """Return a JSON value as short text for a finding."""
    text = value
    if not isinstance(text, str):
        text = json.dumps(value, ensure_ascii=False, default=str)
    if len(text) <= _LONGEST:
        return text
    return text[: _LONGEST - 1] + "…"


def problems(value: Any) -> Iterator[Problem]:
    """Yield in which ways the decoded JSON `value` is no trace: one for each part of it.

    A value that has none of the required root keys is something else: one problem, not one for each
    key. An ``x_`` key of an event that has another type than documented is taken out of `value`.
    """
    if not isinstance(value, dict) or value.keys().isdisjoint(REQUIRED):
        yield Problem.at(SCHEMA, "", problem=NOT_A_TRACE)
        return
    yield from _mistakes(value, TraceOutline, "")
    for place, event in enumerate(items(value, "events")):
        yield from _mistakes(event, Event, pointer("events", place))
    for place, edge in enumerate(items(value, "edges")):
        yield from _mistakes(edge, Edge, pointer("edges", place))
    for table in ("rewards", "costs", "metrics"):
        for name, number in record(value, table).items():
            kind = Count if table == "costs" and name in KNOWN_COSTS else float
            yield from _mistakes(number, kind, pointer(table, name))
    costs = value.get("costs")
    for name in REQUIRED_COSTS:
        if isinstance(costs, dict) and name not in costs:
            yield Problem.at(SCHEMA, "/costs", problem=f"costs lacks the required key {name}")


def _mistakes(value: Any, kind: Any, path: str) -> Iterator[Problem]:
    """Yield the first mistake of a value, after those of its ``x_`` keys, which it loses."""
    while True:
        try:
            convert(value, kind)
            return
        except ValidationError as error:
            match = _MISTAKE.fullmatch(str(error))
        assert match is not None
        problem, key = match.groups()
        if problem.startswith(_UNKNOWN):
            key = problem.removeprefix(_UNKNOWN)[1:-1]
        if key is None:
            wrong = "" if isinstance(value, dict | list) else shown(value)
            yield Problem.at(SCHEMA, path, wrong, problem=problem)
            return
        rule = ADDED_KEY if key.startswith("x_") and kind is Event else SCHEMA
        problem = f"{key}: {problem}"
        yield Problem.at(rule, path + pointer(key), shown(value[key]), problem=problem)
        if rule is SCHEMA:
            return
        del value[key]
