"""Check a JSON value against the model, key by key, once decoding into it has failed.

msgspec stops at the first mistake; here all of them are found, with the types of the model.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec.inspect import (
    AnyType,
    BoolType,
    DictType,
    Field,
    FloatType,
    ListType,
    LiteralType,
    StrType,
    Type,
    UnionType,
    type_info,
)

from corpus.model.finding import Rule
from corpus.traces import trace_rules as rules
from corpus.traces.lookup import is_number
from corpus.traces.model import KNOWN_COSTS, REQUIRED_COSTS, Event, Trace
from corpus.traces.reading.pointer_lines import pointer


def _struct_fields(struct: Any) -> dict[str, Field]:
    return {field.encode_name: field for field in struct.fields}


_TRACE = type_info(Trace)
REQUIRED = tuple(name for name, field in _struct_fields(_TRACE).items() if field.required)
NOT_A_TRACE = f"this JSON is not a trace: an object with {', '.join(REQUIRED)} is expected"


#: The type of each ``x_`` key that has one.
ADDED = {
    name: field.type
    for name, field in _struct_fields(type_info(Event)).items()
    if name.startswith("x_") and not isinstance(field.type, AnyType)
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
    return Problem.at(rules.SCHEMA, path, text, problem=problem)


def problems(value: Any) -> Iterator[Problem]:
    """Yield every way in which the decoded JSON `value` breaks the schema, in order of the keys.

    A value that has none of the required root keys is something else: one problem, not one for each
    key.
    """
    if not isinstance(value, dict) or value.keys().isdisjoint(REQUIRED):
        yield _wrong("", None, NOT_A_TRACE)
        return
    yield from _object("", value, _TRACE)


def _object(path: str, value: dict[str, Any], struct: Any) -> Iterator[Problem]:
    """Check the keys of the trace, of an event or of an edge."""
    what = struct.cls.__name__.lower()
    keys = _struct_fields(struct)
    for name, field in keys.items():
        if field.required and name not in value:
            yield _wrong(path, None, f"the {what} lacks the required key {name}")
    # The schema closes the root and edges to further keys, not events.
    if struct.forbid_unknown_fields:
        for name in value:
            if name not in keys:
                problem = f"unknown key {shown(name)!r} in the {what}"
                yield _wrong(path + pointer(name), value[name], problem)
    for name, field in keys.items():
        if name in value:
            yield from _member(path + pointer(name), name, value[name], field.type)


def _member(path: str, name: str, value: Any, kind: Type) -> Iterator[Problem]:
    """Check the value of one key."""
    if isinstance(kind, ListType) and name not in ADDED:
        yield from _members(path, name, value, kind.item_type)
    elif isinstance(kind, DictType) and name not in ADDED:
        yield from _check_numbers(path, name, value)
    elif expected := _expected(value, kind):
        if name in ADDED:
            yield Problem.at(rules.ADDED_KEY, path, shown(value), name=name, expected=expected)
        elif isinstance(kind, FloatType) and is_number(value):
            fault = "negative" if abs(value) < _BEYOND else "too large for a number"
            yield Problem.at(rules.BAD_NUMBER, path, shown(value), name=name, fault=fault)
        else:
            yield _wrong(path, value, f"{name} must be {expected}")


def _members(path: str, name: str, value: Any, struct: Type) -> Iterator[Problem]:
    """Check the list of events or of edges, and each member of it."""
    if not isinstance(value, list):
        yield _wrong(path, value, f"{name} must be a list")
        return
    if name == "events" and not value:
        yield _wrong(path, None, "a trace has at least one event")
    for place, member in enumerate(value):
        here = f"{path}/{place}"
        if isinstance(member, dict):
            yield from _object(here, member, struct)
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
        is_known = table == "costs" and name in KNOWN_COSTS
        kind = FloatType(ge=0) if is_known else FloatType()
        yield from _member(path + pointer(name), f"{table}.{name}", number, kind)


def fits(key: str, value: Any) -> bool:
    """Whether `value` has the documented type of the ``x_`` key `key`."""
    return not _expected(value, ADDED[key])


def _expected(value: Any, kind: Type) -> str:
    """Return in words what a type asks for, or nothing where `value` fits it."""
    is_good = isinstance(kind, AnyType)
    expected = ""
    if isinstance(kind, UnionType):
        of_each = [_expected(value, one) for one in kind.types]
        is_good = "" in of_each
        expected = " or ".join(of_each)
    elif isinstance(kind, FloatType):
        expected = "a number" if kind.ge is None else "a number from 0 on"
        # NaN compares false with everything.
        is_good = is_number(value) and abs(value) < _BEYOND
        is_good = is_good and (kind.ge is None or value >= kind.ge)
    elif isinstance(kind, StrType):
        expected = "a string, and not empty" if kind.min_length else "a string"
        is_good = isinstance(value, str) and len(value) >= (kind.min_length or 0)
    elif isinstance(kind, LiteralType):
        expected = f"one of {', '.join(map(str, kind.values))}"
        is_good = value in kind.values
    elif isinstance(kind, ListType):
        expected = "a list of strings"
        is_good = isinstance(value, list)
        is_good = is_good and not any(_expected(one, kind.item_type) for one in value)
    elif isinstance(kind, DictType):
        is_of_numbers = isinstance(kind.value_type, FloatType)
        expected = f"an object of {'numbers' if is_of_numbers else 'lists of strings'}"
        is_good = isinstance(value, dict)
        is_good = is_good and not any(_expected(one, kind.value_type) for one in value.values())
    elif isinstance(kind, BoolType):
        expected = "true or false"
        is_good = isinstance(value, bool)
    return "" if is_good else expected
