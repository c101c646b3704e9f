"""Traces of the OpenAI Agents SDK."""

import pytest

from corpus.traces.convert.readers.openai_agents import FORMAT
from tests.support.converted import converted
from tests.support.recorded_samples import sdk, sdk_rows


def traces(*documents):
    return [one.trace for one in converted(FORMAT, *documents)]


def test_sdk_guardrail_that_fires_ends_the_run():
    rows = sdk_rows()[:5]
    rows[4]["span_data"]["triggered"] = True
    (trace,) = traces(*rows)
    assert [(event["type"], event["x_stop_reason"]) for event in trace["events"]] == [
        ("safety_event", "external")
    ]


USED = {"input_tokens": 10, "output_tokens": 2}
LEAD = sdk("a", "", 0, 9, type="agent", name="lead")


@pytest.mark.parametrize(("calls", "tokens"), [(1, 12), (2, 0)])
@pytest.mark.parametrize("kind", ["custom", "turn"])
def test_the_usage_of_a_turn_is_that_of_its_only_response(kind, calls, tokens):
    turn = sdk("u", "a", 0, 9, type=kind, data={"usage": USED})
    responses = [sdk(f"m{n}", "u", n, n + 1, type="response") for n in range(calls)]
    (trace,) = traces(LEAD, turn, *responses)
    assert trace["costs"]["tokens"] == tokens
