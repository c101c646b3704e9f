"""How calls of a conversation meet their results, and what is told as lost."""

import pytest

from corpus.traces.convert.format import Redaction
from corpus.traces.convert.recorder import Recorder
from corpus.traces.convert.usage import Usage
from tests.support.converted import lost, shown


def talk(*, has_clock=True):
    found = Recorder("t", "test", Redaction(), "run.json:1", has_clock=has_clock)
    found.stop_reason = "implicit"
    return found


def ended(one):
    one.end_of_talk()
    return one.finish()


def results(found):
    return [one[2:] for one in shown(found.trace, "x_call_id", "tool") if one[0] == "tool_result"]


@pytest.mark.parametrize(("agent", "name"), [("a", "z"), ("b", "c1"), ("b", "")])
def test_a_result_that_fits_no_call_of_its_agent_is_dropped(agent, name):
    one = talk()
    one.at(0).tool_call("a", "tool", "c1", None)
    one.at(1).result(agent, name, "x")
    found = ended(one)
    assert results(found) == []
    assert lost(found, "whose call is not in the input") == [("dropped", 1)]


def test_one_result_answers_a_call_and_a_second_one_does_not():
    one = talk()
    one.at(0).tool_call("a", "tool", "c1", None)
    one.at(1).result("a", "c1", "x")
    one.at(2).result("a", "c1", "x")
    found = ended(one)
    assert results(found) == [("c1", "tool")]
    assert lost(found, "a second result of one tool call") == [("dropped", 1)]


def test_missing_usage_is_a_loss_and_stated_usage_is_none():
    found = ended(talk())
    assert lost(found, "usage is not recorded") == [("dropped", 1)]
    one = talk()
    one.at(0).step("a", Usage(input=1))
    assert lost(ended(one), "usage is not recorded") == []
