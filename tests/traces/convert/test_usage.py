"""Tokens by kind and model, as each recorder writes them."""

import json
from collections import Counter
from typing import Any

import pytest

from corpus.traces.convert.usage import Usage, usage_with_cache_in_input
from corpus.traces.model import TOKEN_KINDS
from tests.support.recorded_samples import iso, otel_span
from tests.support.recorded_traces import Recorder, say, use, write_rows

Found = list[tuple[Any, ...]]


def tokens_of(trace):
    """Model, all tokens and tokens of each kind of every event that has tokens."""
    keys = ("x_model", "x_tokens", *(f"x_tokens_{kind}" for kind in TOKEN_KINDS))
    return [tuple(map(event.get, keys)) for event in trace["events"] if "x_tokens" in event]


def claude_code(folder):
    log = Recorder()
    log.ask("main", "go")
    usage = {"input_tokens": 4, "cache_read_input_tokens": 90}
    usage |= {"cache_creation_input_tokens": 0, "output_tokens": 6}
    log.step("main", "m1", use("c1", "Read", path="a"), say("b"), **usage)
    for row in log.rows[1:]:
        row["message"]["model"] = "maker-1"
    return log.write(folder / "log.jsonl")


def codex(folder):
    last = {"input_tokens": 100, "cached_input_tokens": 80}
    last |= {"output_tokens": 9, "reasoning_output_tokens": 5}
    info = {"last_token_usage": last}
    rows = [
        ("session_meta", {"id": "root"}),
        ("turn_context", {"model": "maker-1"}),
        ("event_msg", {"type": "user_message", "message": "go"}),
        ("response_item", {"type": "message", "role": "assistant", "content": [{"text": "a"}]}),
        ("event_msg", {"type": "token_count", "info": info}),
        ("event_msg", {"type": "task_complete", "last_agent_message": "a"}),
    ]
    written = []
    for second, (kind, payload) in enumerate(rows):
        written.append({"timestamp": iso(second), "type": kind, "payload": payload})
    return write_rows(folder / "rollout-root.jsonl", written)


def atif(folder):
    metrics = {"prompt_tokens": 100, "cached_tokens": 80, "completion_tokens": 9}
    step = {"source": "agent", "timestamp": iso(1), "message": "a", "metrics": metrics}
    agent = {"name": "solo", "model_name": "maker/maker-1"}
    document = {"schema_version": "ATIF-v1.7", "agent": agent, "steps": [step]}
    path = folder / "run.json"
    path.write_text(json.dumps(document))
    return path


def otlp(folder, **attributes):
    given = {
        "gen_ai__operation__name": "chat",
        "gen_ai__request__model": "alias",
        "gen_ai__response__model": "maker-1",
        "gen_ai__usage__input_tokens": 100,
        "gen_ai__usage__output_tokens": 9,
        "gen_ai__usage__cache_read__input_tokens": 80,
    }
    agent = {"gen_ai__operation__name": "invoke_agent", "gen_ai__agent__name": "solo"}
    spans = [
        otel_span("run", 0, 5, **agent),
        otel_span("chat", 1, 4, "run", **(given | attributes)),
    ]
    path = folder / "spans.json"
    path.write_text(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}))
    return path


def openai_agents(folder):
    usage = {
        "input_tokens": 100,
        "output_tokens": 9,
        "input_tokens_details": {"cached_tokens": 80},
        "output_tokens_details": {"reasoning_tokens": 5},
    }
    generation = {"type": "generation", "model": "maker-1", "usage": usage}
    spans = []
    agent = {"type": "agent", "name": "solo"}
    for name, parent, data in (("a", None, agent), ("g", "a", generation)):
        times = {"started_at": iso(1), "ended_at": iso(2)}
        span = {"object": "trace.span", "id": name, "parent_id": parent, "trace_id": "t", **times}
        spans.append({**span, "span_data": data})
    return write_rows(folder / "spans.jsonl", spans)


@pytest.mark.parametrize(
    ("write", "expected"),
    [
        (claude_code, ("maker-1", 100, 4, 90, 0, 6, None)),
        (codex, ("maker-1", 109, 20, 80, None, 9, 5)),
        (atif, ("maker/maker-1", 109, 20, 80, None, 9, None)),
        (otlp, ("maker-1", 109, 20, 80, None, 9, None)),
        (openai_agents, ("maker-1", 109, 20, 80, None, 9, 5)),
    ],
)
def test_kinds_and_model_come_from_the_recorder(tmp_path, run, write, expected):
    (found,) = run(write(tmp_path))
    assert tokens_of(found.trace) == [expected]
    assert found.trace["costs"]["tokens"] == expected[1]


def test_a_path_in_the_place_of_a_model_is_hashed(tmp_path, run):
    (found,) = run(otlp(tmp_path, gen_ai__response__model="/home/ada/secret/model.bin"))
    ((model, *_),) = tokens_of(found.trace)
    assert model.startswith("model-")
    assert "ada" not in json.dumps(found.trace)


def test_the_steps_of_two_models_are_on_two_events(tmp_path, run):
    log = Recorder()
    log.ask("main", "go")
    for number, model in enumerate(("small", "large")):
        # The first step does nothing that a trace could show, so it waits for the next event.
        blocks = [use("c", "Read")] if number else [{"type": "thinking", "thinking": "x"}]
        log.step("main", f"m{number}", *blocks, output_tokens=10 + number)
        log.rows[-1]["message"]["model"] = model
    (found,) = run(log.write(tmp_path / "log.jsonl"))
    spent: Counter[str] = Counter()
    for model, tokens, *_ in tokens_of(found.trace):
        spent[model] += tokens
    assert spent == {"small": 10, "large": 11}


def test_counts_that_cannot_be_part_of_the_input_come_on_top_of_it():
    """Some instrumentations pass on counts of providers that leave the cache out of the input."""
    assert usage_with_cache_in_input(10, 80, 5, 9, None).total == 10 + 80 + 5 + 9
    assert usage_with_cache_in_input(100, 80, 5, 9, None).total == 100 + 9
    assert usage_with_cache_in_input(100, None, None, 9, 20).output == 29


def test_what_is_not_stated_is_unknown_and_what_is_stated_as_zero_is_zero():
    keys = Usage(input=0, output=3).keys()
    assert keys["x_tokens_input"] == 0
    assert "x_tokens_cached" not in keys
