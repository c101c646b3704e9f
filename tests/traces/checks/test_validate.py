"""Each rule: one change to a sound trace breaks it, at the place that is named."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.cli.check.catalogue import catalogue
from corpus.traces.checks.validate import MOST, check
from corpus.traces.reading.reading import NOT_JSON
from tests.support.made_traces import act, codes, document, edge, event, pair

SCHEMA = json.loads(
    (Path(__file__).parents[3] / "data/traces/orchestration_trace.schema.json").read_text()
)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"trace_id": ""}, "/trace_id"),
        ({"task_id": 7}, "/task_id"),
        ({"topology": "ring"}, "/topology"),
        ({"events": []}, "/events"),
        ({"events": {}}, "/events"),
        ({"edges": [[]]}, "/edges/0"),
        (
            {"edges": [{"src": "plan", "dst": "tea", "type": "causal", "weight": 1}]},
            "/edges/0/weight",
        ),
        ({"edges": [{"src": "plan", "type": "causal"}]}, "/edges/0"),
        ({"rewards": {"team": "1"}}, "/rewards/team"),
        ({"costs": {"tokens": 1}}, "/costs"),
        ({"system": 1}, "/system"),
        ({"extra/key": 1}, "/extra~1key"),
        ({"costs": {"tokens": -1, "wall_clock_s": 0}}, "/costs/tokens"),
        ({"edges": {}, "rewards": []}, "/edges"),
    ],
)
def test_a_wrong_root_value_is_named_by_pointer(change, place):
    assert ("OT001", place) in codes({**pair(), **change})


def with_cycle(trace):
    trace["edges"].append(edge("tea", "plan"))


def with_self_loop(trace):
    trace["edges"].append(edge("tea", "tea"))


def with_taint(trace):
    event(trace, "told")["trusted"] = False
    event(trace, "ann-done")["trusted"] = True


def with_island(trace):
    del trace["edges"][2]


def with_wrong_counts(trace):
    trace["costs"].update(tool_calls=2, messages=1)
    event(trace, "ask")["x_tokens"] = 601


def with_nameless_spawn(trace):
    trace["events"].append(act("make-any", 2, "spawn", "lead"))
    trace["edges"].append(edge("plan", "make-any"))


def with_short_clock(trace):
    trace["costs"]["wall_clock_s"] = 3


#: An event, keys that it gets, and what is found then.
EVENTS: list[tuple[str, dict[str, Any], list[tuple[str, str]]]] = [
    ("bob-done", {"t": 0.5}, [("OT102", "/edges/5")]),
    ("make-ann", {"t": 3}, [("OT102", "/edges/2")]),
    ("told", {"x_call_id": "c9"}, [("OT104", "/events/4"), ("OT105", "/events/3")]),
    ("bob-done", {"type": "message"}, [("OT112", "/costs/messages"), ("OT108", "/events/2/to")]),
    ("ann-done", {"to": "lead2"}, [("OT109", "/events/5/to")]),
    ("ask", {"agent": "anne"}, [("OT109", "/events/3/agent")]),
    ("bob-done", {"from": "ann"}, [("OT114", "/events/6/from")]),
    (
        "ask",
        {"x_tokens": 600, "x_tokens_input": 600, "x_tokens_cached": 500},
        [("OT120", "/events/3")],
    ),
    ("ask", {"x_end": -1}, [("OT118", "/events/3/x_end")]),
]


@pytest.mark.parametrize(("name", "keys", "expected"), EVENTS)
def test_a_wrong_key_of_an_event_is_named_at_its_place(name, keys, expected):
    trace = pair()
    event(trace, name).update(keys)
    assert set(codes(trace)) == set(expected)


RUNS = [
    (with_cycle, [("OT101", "/events/0"), ("OT102", "/edges/8")]),
    (with_self_loop, [("OT101", "/events/7")]),
    (with_taint, [("OT107", "/events/5"), ("OT107", "/events/7")]),
    (with_island, [("OT110", "/events/3")]),
    (
        with_wrong_counts,
        [("OT112", "/costs/messages"), ("OT112", "/costs/tokens"), ("OT112", "/costs/tool_calls")],
    ),
    (with_nameless_spawn, [("OT113", "/events/8")]),
    (with_short_clock, [("OT115", "/costs/wall_clock_s")]),
]


@pytest.mark.parametrize(("change", "expected"), RUNS)
def test_a_broken_run_is_named_at_its_place(change, expected):
    trace = pair()
    change(trace)
    found = codes(trace)
    assert set(found) == set(expected)


def test_every_warning_has_a_test_above():
    tested = {code for *_, expected in (*EVENTS, *RUNS) for code, _ in expected}
    warnings = catalogue('"OT1').keys() & {f"OT{number}" for number in range(100, 200)}
    assert warnings - {"OT121"} == tested


def test_strict_makes_warnings_errors():
    trace = pair()
    with_taint(trace)
    with_cycle(trace)
    checked, _ = check(document(trace), strict=True)
    assert {f.code for f in checked if f.is_error} == {"OT101", "OT102", "OT107"}


def test_findings_of_one_kind_are_capped_and_the_rest_counted():
    trace = pair()
    trace["edges"] += [edge("bob-done", "ask")] * (MOST + 5)
    checked, unlisted = check(document(trace))
    assert (len(checked), unlisted) == (MOST, 5)


def test_a_finding_has_its_line_and_character():
    trace = pair()
    event(trace, "bob-done")["from"] = "ann"
    raw = json.dumps(trace, indent=1).encode()
    (finding,), _ = check(document(trace)._replace(raw=raw))
    line = raw.decode().splitlines()[finding.line - 1]
    assert line[finding.char - 1 :].startswith('"ann"')


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 3)
    | st.floats(-1, 2)
    | st.sampled_from(["", "a", "plan", "causal"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["id", "t", "src", "tokens"]), inner)
    ),
    max_leaves=5,
)


@given(st.data())
def test_errors_are_exactly_what_the_schema_refuses(data):
    """Whatever the JSON Schema accepts has no OT001, and the other way round."""
    trace = pair()
    holder = data.draw(
        st.sampled_from(
            [trace, *trace["events"], *trace["edges"], trace["costs"], trace["rewards"]]
        )
    )
    key = data.draw(st.sampled_from([*holder, "x_end", "other"]))
    if data.draw(st.booleans()):
        holder.pop(key, None)
    else:
        holder[key] = data.draw(values)
    accepted = jsonschema.Draft202012Validator(SCHEMA).is_valid(trace)
    assert accepted == ("OT001" not in dict(codes(trace))), (key, holder)


def test_a_finding_of_the_reader_is_passed_on():
    finding = NOT_JSON.at("b.jsonl", 9, problem="too large", remedy="split it")
    assert check(finding, strict=True) == ([finding], 0)
