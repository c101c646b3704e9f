"""What is written is read back by our own readers: the same agents, calls, tokens and order."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from corpus.traces.convert.intake import convert_all, format_of, read_inputs
from corpus.traces.document import parse_document
from corpus.traces.emit import atif
from corpus.traces.model import TOKEN_KINDS
from tests.support.converted import Readable
from tests.support.large_traces import swarm
from tests.support.made_traces import event, pair, run_of, runs
from tests.support.trace_commands import each_example, run_in


def written(run):
    """The trajectory of a run, through JSON as it is in a file."""
    (document,), _ = atif.write([run])
    found: dict[str, Any] = json.loads(json.dumps(document, allow_nan=False))
    return found


def read_back(run):
    document = parse_document(Path("a.json"), json.dumps(written(run)).encode())
    found = format_of(document)
    (conversion,) = convert_all({found.name: [document]}, Readable())
    return run_of(conversion.trace)


def calls(run):
    """Tool and id of each call, by agent in the order of time."""
    found: dict[str, list[tuple[object, object]]] = {}
    for place in run.by_kind["tool_call"]:
        one = run.events[place]
        call_id = one.x_call_id if isinstance(one.x_call_id, str) else one.id
        found.setdefault(one.agent, []).append((one.tool, call_id))
    return found


def times_of_calls(run):
    """When each call with an id began, in seconds since the first one."""
    events = [run.events[place] for place in run.by_kind["tool_call"]]
    first = min([one.t for one in events], default=0.0)
    return {one.x_call_id: round(one.t - first, 3) for one in events}


def tokens(run):
    """Tokens of each agent, all and by kind; what nobody states has no entry."""
    found: Counter[str] = Counter()
    for one in run.events:
        for key in ("x_tokens", *(f"x_tokens_{kind}" for kind in TOKEN_KINDS)):
            number = getattr(one, key)
            if isinstance(number, int | float):
                found[f"{one.agent} {key} {one.x_model}"] += number
    return {key: number for key, number in found.items() if number}


@each_example
def test_agents_calls_tokens_and_order_stay(path):
    run = run_in(path)
    back = read_back(run)
    assert set(back.agents) == set(run.agents)
    assert calls(back) == calls(run)
    assert tokens(back) == tokens(run)


def test_many_agents_stay_and_so_does_who_spawned_whom():
    run = run_of(swarm(130))
    back = read_back(run)
    assert back.parents == run.parents
    assert calls(back) == calls(run)
    assert back.depths == run.depths
    assert times_of_calls(back) == times_of_calls(run)


def test_kinds_of_tokens_and_models_stay():
    trace = pair()
    event(trace, "ask").update(
        x_model="m-1",
        x_tokens=115,
        x_tokens_input=20,
        x_tokens_cached=70,
        x_tokens_cache_write=5,
        x_tokens_output=20,
        x_tokens_reasoning=4,
    )
    event(trace, "tea").update(x_model="m-2", x_tokens=7, x_tokens_input=7, x_tokens_output=0)
    run = run_of(trace)
    assert tokens(read_back(run)) == tokens(run)


def test_what_is_not_stated_is_not_written():
    trace = pair()
    trace["costs"]["tokens"] = 0
    text = json.dumps(written(run_of(trace)))
    assert "token" not in text.replace("token_count", "")
    assert "null" not in text


@given(run=runs())
def test_any_run_is_written_and_what_it_holds_is_there_or_lost(run):
    (document,), (lost,) = atif.write([run])
    losses = tuple(lost.values())
    assert all(loss.count > 0 for loss in losses)
    text = json.dumps(document, allow_nan=False)
    lost = {loss.place for loss in losses}
    for one in run.events:
        shown = f'"{one.id}"' in text
        answers = one.type == "tool_result"
        silent = one.type in ("return", "aggregate", "orchestrator_decision")
        assert shown or answers or silent or lost, one


def test_atif_keeps_the_id_of_the_trace_and_what_failed():
    trace = pair()
    (result,) = (one for one in trace["events"] if one["type"] == "tool_result")
    result["x_error"] = True
    run = run_of(trace)
    again = read_back(run)
    assert again.trace.trace_id == run.trace.trace_id
    failed = [one.type for one in again.events if one.x_error is True]
    assert failed == ["tool_result"]


CASES = Path(__file__).parents[1] / "convert" / "cases"


@pytest.mark.parametrize("name", sorted(path.name for path in CASES.iterdir()))
def test_a_round_trip_through_atif_changes_no_count(name):
    taken, _ = read_inputs([CASES / name], "auto")
    for conversion in convert_all(taken, Readable()):
        run = run_of(conversion.trace)
        back = read_back(run)
        for kind in ("spawn", "tool_call", "tool_result", "message"):
            assert len(back.by_kind[kind]) == len(run.by_kind[kind]), kind
        assert set(back.agents) == set(run.agents)
        assert back.trace.metrics["corpus.steps"] == run.trace.metrics["corpus.steps"]
        assert tokens(back) == tokens(run)
