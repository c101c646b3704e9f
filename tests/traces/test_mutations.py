"""4,000 mutated traces: no crash, and each is refused, warned about, or still a trace by the published schema."""

import json
import random
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from corpus.traces.checks.validate import check
from corpus.traces.measures.decisions import labels
from corpus.traces.measures.metrics import measure
from corpus.traces.reading.decoding import valid_run
from corpus.traces.reading.reading import TraceText
from tests.support.made_traces import pair

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "data/traces/orchestration_trace.schema.json").read_text())
VALUES: list[Any] = [
    None,
    True,
    -1,
    0,
    10**400,
    1.5,
    "",
    "x",
    "plan",
    "ann",
    [],
    [None],
    {},
    {"a": []},
    "\ud800",
    "spawn",
]
TOKENS = [
    b"",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b'"',
    b"\\",
    b"\x00",
    b"\xff",
    b"1e999",
    b"NaN",
    b"null",
    b"-",
    b"\\ud800",
]


def places(value):
    """Every holder and key or position inside a value."""
    found: list[tuple[Any, Any]] = []
    todo = [value]
    while todo:
        holder = todo.pop()
        for key in holder if isinstance(holder, dict) else range(len(holder)):
            found.append((holder, key))
            if isinstance(holder[key], dict | list):
                todo.append(holder[key])
    return found


def changed_value(dice):
    """Change, remove, double or add members of the trace."""
    trace = pair()
    for _ in range(dice.randint(1, 3)):
        holder, key = dice.choice(places(trace))
        match dice.randrange(4):
            case 0:
                holder[key] = dice.choice(VALUES)
            case 1:
                del holder[key]
            case 2 if isinstance(holder, list):
                holder.append(holder[key])
            case _:
                other, name = dice.choice(places(trace))
                holder[key] = json.loads(json.dumps(other[name]))
    return json.dumps(trace).encode()


def changed_bytes(dice):
    """Cut, double or overwrite a stretch of the text."""
    raw = json.dumps(pair()).encode()
    for _ in range(dice.randint(1, 3)):
        start, length = dice.randrange(len(raw)), dice.randint(0, 8)
        middle = dice.choice([*TOKENS, raw[start : start + 20] * 2, bytes([dice.randrange(256)])])
        raw = raw[:start] + middle + raw[start + length :]
    return raw


@pytest.mark.slow
@pytest.mark.parametrize(("change", "seed"), [(changed_value, 1), (changed_bytes, 2)])
def test_a_mutated_trace_is_refused_or_is_still_one(change, seed):
    schema = jsonschema.Draft202012Validator(SCHEMA)
    dice = random.Random(seed)
    refused = 0
    for _ in range(2_000):
        raw = change(dice)
        mutant = TraceText("a.json", 1, raw, True)
        run, _ = valid_run(mutant)
        findings, _ = check(mutant)
        if run is None:
            refused += 1
            assert any(finding.is_error for finding in findings), raw
            continue
        assert schema.is_valid(json.loads(raw)), raw
        measure(run)
        labels(run)
    assert 200 < refused < 2_000
