"""Tokens by kind and model, as each recorder writes them."""

import json
from collections import Counter

from corpus.traces.convert.usage import Usage
from corpus.traces.model import TOKEN_KINDS
from tests.support.converted import otlp_traces
from tests.support.recorded_samples import otel_span, otlp
from tests.support.recorded_traces import Recorder, use


def tokens_of(trace):
    """Model, all tokens and tokens of each kind of every event that has tokens."""
    keys = ("x_model", "x_tokens", *(f"x_tokens_{kind}" for kind in TOKEN_KINDS))
    return [tuple(map(event.get, keys)) for event in trace["events"] if "x_tokens" in event]


def test_a_path_in_the_place_of_a_model_is_hashed():
    chat = {"gen_ai__operation__name": "chat", "gen_ai__usage__input_tokens": 5}
    model = {"gen_ai__response__model": "/home/ada/secret/model.bin"}
    (trace,) = otlp_traces(otlp(otel_span("chat", 1, 4, **chat, **model)))
    ((model, *_),) = tokens_of(trace)
    assert model.startswith("model-")
    assert "ada" not in json.dumps(trace)


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
    assert Usage(10, 80, 5, 9).apart().total == 10 + 80 + 5 + 9
    assert Usage(100, 80, 5, 9).apart().total == 100 + 9
    assert Usage(100, None, None, 9, 20).apart().output == 29


def test_what_is_not_stated_is_unknown_and_what_is_stated_as_zero_is_zero():
    keys = Usage(input=0, output=3).keys()
    assert keys["x_tokens_input"] == 0
    assert "x_tokens_cached" not in keys
