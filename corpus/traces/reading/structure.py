"""Check a JSON value against the model, key by key, once decoding into it has failed.

msgspec stops at the first mistake; here all of them are found, with the types of the model.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from msgspec import ValidationError, convert
from msgspec.inspect import (
    BoolType,
    DictType,
    FloatType,
    LiteralType,
    StrType,
    Type,
    UnionType,
    type_info,
)
from msgspec.structs import fields

from corpus.model.finding import WARNING, Rule
from corpus.traces.lookup import is_number
from corpus.traces.model import KNOWN_COSTS, REQUIRED_COSTS, Count, Edge, Event, Seconds, Trace
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
BAD_NUMBER = Rule(
    "OT004",
    "{name} is {value}, which is {fault}",
    "write finite numbers, times and costs from 0 on",
    title="Negative or non-finite number",
    reason="Sums, paths and comparisons over such a number mean nothing.",
)
ADDED_KEY = Rule(
    "OT118",
    "{name} is {value}, expected {expected}",
    "write the value as in `corpus docs traces`",
    WARNING,
    title="An x_ key has an unexpected value",
    reason="The schema leaves the x_ keys free, so a wrong one is ignored, not refused.",
)


_LISTS = {"events": Event, "edges": Edge}
_TABLES = ("rewards", "costs", "metrics")
_FIELDS = {
    struct: dict(zip(struct.__struct_encode_fields__, fields(struct), strict=True))
    for struct in (Trace, Event, Edge)
}
REQUIRED = tuple(name for name, field in _FIELDS[Trace].items() if field.required)
NOT_A_TRACE = f"this JSON is not a trace: an object with {', '.join(REQUIRED)} is expected"


#: The type of each ``x_`` key that has one.
ADDED = {
    name: field.type
    for name, field in _FIELDS[Event].items()
    if name.startswith("x_") and field.type is not Any
}

#: The smallest whole number that is too large for a double.
_BEYOND = 1 << 1024
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


def _wrong(path: str, value: object, problem: str) -> Problem:
    text = "" if value is None else shown(value)
    return Problem.at(SCHEMA, path, text, problem=problem)


def problems(value: Any) -> Iterator[Problem]:
    """Yield every way in which the decoded JSON `value` breaks the schema, in order of the keys.

    A value that has none of the required root keys is something else: one problem, not one for each
    key.
    """
    if not isinstance(value, dict) or value.keys().isdisjoint(REQUIRED):
        yield _wrong("", None, NOT_A_TRACE)
        return
    yield from _object("", value, Trace)


def _object(path: str, value: dict[str, Any], struct: Any) -> Iterator[Problem]:
    """Check the keys of the trace, of an event or of an edge."""
    what = struct.__name__.lower()
    keys = _FIELDS[struct]
    for name, field in keys.items():
        if field.required and name not in value:
            yield _wrong(path, None, f"the {what} lacks the required key {name}")
    # The schema closes the root and edges to further keys, not events.
    if struct.__struct_config__.forbid_unknown_fields:
        for name in value:
            if name not in keys:
                problem = f"unknown key {shown(name)!r} in the {what}"
                yield _wrong(path + pointer(name), value[name], problem)
    for name, field in keys.items():
        if name not in value:
            continue
        here, found = path + pointer(name), value[name]
        if name in _LISTS:
            yield from _members(here, name, found)
        elif name in _TABLES:
            yield from _check_numbers(here, name, found)
        else:
            yield from _member(here, name, found, field.type)


def _member(path: str, name: str, value: Any, kind: Any) -> Iterator[Problem]:
    """Check the value of one key."""
    if fits(value, kind):
        return
    if name in ADDED:
        yield Problem.at(ADDED_KEY, path, shown(value), name=name, expected=_expected(kind))
    elif kind in (float, Seconds) and is_number(value):
        fault = "negative" if abs(value) < _BEYOND else "too large for a number"
        yield Problem.at(BAD_NUMBER, path, shown(value), name=name, fault=fault)
    else:
        yield _wrong(path, value, f"{name} must be {_expected(kind)}")


def _members(path: str, name: str, value: Any) -> Iterator[Problem]:
    """Check the list of events or of edges, and each member of it."""
    if not isinstance(value, list):
        yield _wrong(path, value, f"{name} must be a list")
        return
    if name == "events" and not value:
        yield _wrong(path, None, "a trace has at least one event")
    for place, member in enumerate(value):
        here = f"{path}/{place}"
        if isinstance(member, dict):
            yield from _object(here, member, _LISTS[name])
        else:
            yield _wrong(here, member, f"each of {name} must be an object")


def _check_numbers(path: str, table: str, value: Any) -> Iterator[Problem]:
    """Check a table of numbers: rewards, costs or metrics."""
    if not isinstance(value, dict):
        yield _wrong(path, value, f"{table} must be an object")
        return
    if table == "costs":
        for name in REQUIRED_COSTS:
            if name not in value:
                yield _wrong(path, None, f"costs lacks the required key {name}")
    for name, number in value.items():
        kind = Count if table == "costs" and name in KNOWN_COSTS else float
        yield from _member(path + pointer(name), f"{table}.{name}", number, kind)


def fits(value: Any, kind: Any) -> bool:
    """Whether `value` is of a type of the model, and not an infinite number."""
    try:
        convert(value, kind)
    except (ValidationError, OverflowError):
        return False
    return not (isinstance(value, float) and math.isinf(value))


@cache
def _expected(kind: Any) -> str:
    """Return in words what a type of the model asks for."""
    known = type_info(kind)
    each = known.types if isinstance(known, UnionType) else (known,)
    return " or ".join(map(_in_words, each))


def _in_words(kind: Type) -> str:
    if isinstance(kind, FloatType):
        return "a number" if kind.ge is None else "a number from 0 on"
    if isinstance(kind, StrType):
        return "a string, and not empty" if kind.min_length else "a string"
    if isinstance(kind, LiteralType):
        return f"one of {', '.join(map(str, kind.values))}"
    if isinstance(kind, BoolType):
        return "true or false"
    if isinstance(kind, DictType):
        is_of_numbers = isinstance(kind.value_type, FloatType)
        return f"an object of {'numbers' if is_of_numbers else 'lists of strings'}"
    return "a list of strings"
