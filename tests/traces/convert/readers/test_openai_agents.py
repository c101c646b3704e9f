"""Traces of the OpenAI Agents SDK."""

import pytest

from corpus.traces.convert.readers.openai_agents import FORMAT
from tests.support.converted import converted
from tests.support.recorded_samples import sdk


def traces(*documents):
    return [one.trace for one in converted(FORMAT, *documents)]


USED = {"input_tokens": 10, "output_tokens": 2}
LEAD = sdk("a", "", 0, 9, type="agent", name="lead")


@pytest.mark.parametrize(("calls", "tokens"), [(1, 12), (2, 0)])
@pytest.mark.parametrize("kind", ["custom", "turn"])
def test_the_usage_of_a_turn_is_that_of_its_only_response(kind, calls, tokens):
    turn = sdk("u", "a", 0, 9, type=kind, data={"usage": USED})
    responses = [sdk(f"m{n}", "u", n, n + 1, type="response") for n in range(calls)]
    (trace,) = traces(LEAD, turn, *responses)
    assert trace["costs"]["tokens"] == tokens
