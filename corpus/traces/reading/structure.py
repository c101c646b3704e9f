"""Check a JSON value against the schema, key by key, once decoding into the model has failed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from corpus.model.finding import Rule
from corpus.traces import trace_rules as rules
from corpus.traces.model import EDGE_TYPES, EVENT_TYPES, KNOWN_COSTS, REQUIRED_COSTS, TOPOLOGIES
from corpus.traces.reading.pointer_lines import pointer
from corpus.traces.token_kinds import TOKEN_KINDS

REQUIRED: Final = ("trace_id", "task_id", "events", "edges", "rewards", "costs")
ROOT_KEYS: Final = frozenset((*REQUIRED, "system", "topology", "metrics"))
NOT_A_TRACE: Final = f"this JSON is not a trace: an object with {', '.join(REQUIRED)} is expected"
_EVENT_REQUIRED: Final = ("id", "t", "type", "agent")
EVENT_TEXTS: Final = ("role", "from", "to", "tool", "content_ref")
#: The type of each ``x_`` key that has one: in words, and in Python (float for any number).
ADDED: Final[Mapping[str, tuple[str, type | tuple[type, ...]]]] = {
    "x_inferred": ("true, false or a list of strings", (bool, list)),
    "x_steps": ("a number from 0 on", float),
    "x_tokens": ("a number from 0 on", float),
    **{f"x_tokens_{kind}": ("a number from 0 on", float) for kind in TOKEN_KINDS},
    "x_model": ("a string", str),
    "x_end": ("a number from 0 on", float),
    "x_step_t": ("a number from 0 on", float),
    "x_step_end": ("a number from 0 on", float),
    "x_call_id": ("a string", str),
    "x_stop_reason": ("a string", str),
}

#: The smallest whole number that is too large for a double.
_BEYOND: Final = 1 << 1024
#: Characters of a value that a finding shows.
_LONGEST: Final = 200


#: Checks one member of a list, and is given the pointer to it.
_MemberCheck: TypeAlias = "Callable[[str, dict[str, Any]], Iterator[Problem]]"


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


def _wrong(path: str, value: object, problem: str) -> Problem:
    text = "" if value is None else shown(value)
    return Problem.at(rules.SCHEMA, path, text, problem=problem)


def _fault(value: float, least: float | None) -> str:
    """Return why `value` is not a finite number from `least` on; empty where it is one."""
    # NaN compares false with everything, hence `not ... <` rather than `>=`.
    if not abs(value) < _BEYOND:
        return "too large for a number"
    if least is not None and value < least:
        return "negative"
    return ""


def _is_number(value: object) -> bool:
    """Whether `value` is a JSON number; in Python, true and false are whole numbers as well."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(path: str, name: str, value: Any, least: float | None = 0) -> Iterator[Problem]:
    if not _is_number(value):
        yield _wrong(path, value, f"{name} must be a number")
    elif fault := _fault(value, least):
        yield Problem.at(rules.BAD_NUMBER, path, shown(value), name=name, fault=fault)


def _text(path: str, name: str, value: object, empty: bool = True) -> Iterator[Problem]:
    if not isinstance(value, str):
        yield _wrong(path, value, f"{name} must be a string")
    elif not value and not empty:
        yield _wrong(path, value, f"{name} must not be empty")


def _choice(path: str, name: str, value: object, allowed: tuple[str, ...]) -> Iterator[Problem]:
    if not isinstance(value, str) or value not in allowed:
        yield _wrong(path, value, f"{name} must be one of {', '.join(allowed)}")


def _missing(
    path: str, what: str, value: Mapping[str, object], required: tuple[str, ...]
) -> Iterator[Problem]:
    for key in required:
        if key not in value:
            yield _wrong(path, None, f"{what} lacks the required key {key}")


def problems(value: Any) -> Iterator[Problem]:
    """Yield every way in which the decoded JSON `value` breaks the schema, in order of the keys.

    A value that has none of the required root keys is something else: one problem, not one for each
    key.
    """
    if not isinstance(value, dict) or value.keys().isdisjoint(REQUIRED):
        yield _wrong("", None, NOT_A_TRACE)
        return
    yield from _missing("", "the trace", value, REQUIRED)
    # The schema closes the root and edges to further keys, not events.
    for key in value:
        if key not in ROOT_KEYS:
            yield _wrong(pointer(key), value[key], f"unknown key {shown(key)!r} at the root")
    for name in ("trace_id", "task_id"):
        if name in value:
            yield from _text(pointer(name), name, value[name], empty=False)
    if "system" in value:
        yield from _text("/system", "system", value["system"])
    if "topology" in value:
        yield from _choice("/topology", "topology", value["topology"], TOPOLOGIES)
    if "events" in value:
        yield from _members("events", value["events"], _event)
    if "edges" in value:
        yield from _members("edges", value["edges"], _edge)
    for name in ("rewards", "costs", "metrics"):
        if name in value:
            yield from _numbers(name, value[name])


def _members(name: str, value: object, check: _MemberCheck) -> Iterator[Problem]:
    """Check that `value` is a list, and each member of it."""
    if not isinstance(value, list):
        yield _wrong(pointer(name), value, f"{name} must be a list")
        return
    if name == "events" and not value:
        yield _wrong("/events", None, "a trace has at least one event")
    for place, member in enumerate(value):
        path = f"/{name}/{place}"
        if isinstance(member, dict):
            yield from check(path, member)
        else:
            yield _wrong(path, member, f"each of {name} must be an object")


def _event(path: str, event: dict[str, Any]) -> Iterator[Problem]:
    yield from _missing(path, "the event", event, _EVENT_REQUIRED)
    for key, value in event.items():
        here = path + pointer(key)
        if key in ("id", "agent"):
            yield from _text(here, key, value, empty=False)
        elif key == "t":
            yield from _number(here, "t", value)
        elif key == "type":
            yield from _choice(here, "event type", value, EVENT_TYPES)
        elif key in EVENT_TEXTS:
            yield from _text(here, key, value)
        elif key == "trusted" and not isinstance(value, bool):
            yield _wrong(here, value, "trusted must be true or false")
        elif key in ADDED and not fits(key, value):
            expected = ADDED[key][0]
            yield Problem.at(rules.ADDED_KEY, here, shown(value), name=key, expected=expected)


def fits(key: str, value: Any) -> bool:
    """Whether `value` has the documented type of the ``x_`` key `key`."""
    kind = ADDED[key][1]
    if kind is float:
        return _is_number(value) and not _fault(value, 0)
    if isinstance(value, list):
        return key == "x_inferred" and all(isinstance(member, str) for member in value)
    return isinstance(value, kind)


def _edge(path: str, edge: dict[str, Any]) -> Iterator[Problem]:
    yield from _missing(path, "the edge", edge, ("src", "dst", "type"))
    for key, value in edge.items():
        here = path + pointer(key)
        if key in ("src", "dst"):
            yield from _text(here, key, value, empty=False)
        elif key == "type":
            yield from _choice(here, "edge type", value, EDGE_TYPES)
        else:
            yield _wrong(here, value, f"unknown key {shown(key)!r} in an edge")


def _numbers(name: str, value: object) -> Iterator[Problem]:
    """Check a table of numbers: rewards, costs or metrics."""
    if not isinstance(value, dict):
        yield _wrong(pointer(name), value, f"{name} must be an object")
        return
    if name == "costs":
        yield from _missing("/costs", "costs", value, REQUIRED_COSTS)
    for key, number in value.items():
        least = 0 if name == "costs" and key in KNOWN_COSTS else None
        yield from _number(pointer(name, key), f"{name}.{key}", number, least)
