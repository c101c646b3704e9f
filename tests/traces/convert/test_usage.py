"""Tokens by kind and model, as each recorder writes them."""

from collections import Counter

from corpus.traces.convert.usage import Usage
from corpus.traces.model import TOKEN_KINDS
from tests.support.recorded_traces import Recorder, use


def tokens_of(trace):
    """Model, all tokens and tokens of each kind of every event that has tokens."""
    keys = ("x_model", "x_tokens", *(f"x_tokens_{kind}" for kind in TOKEN_KINDS))
    return [tuple(map(event.get, keys)) for event in trace["events"] if "x_tokens" in event]


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
