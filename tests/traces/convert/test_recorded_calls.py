"""How calls of a conversation meet their results, and what is told as lost."""

from typing import Any

import pytest

from corpus.traces.convert.format import Conversion
from corpus.traces.convert.lookup import plain_text
from corpus.traces.convert.recorder import Recorder
from corpus.traces.convert.redaction import Redaction
from corpus.traces.convert.usage import Usage
from tests.support.converted import lost, shown, stop_of


def talk(*, has_clock: bool = True) -> Recorder:
    found = Recorder("t", "test", Redaction(), "run.json:1", has_clock=has_clock)
    found.stop_reason = "implicit"
    return found


def ended(one: Recorder) -> Conversion:
    one.end_of_talk()
    return one.finish()


def results(found: Conversion) -> list[tuple[Any, ...]]:
    return [one[2:] for one in shown(found.trace, "x_call_id", "tool") if one[0] == "tool_result"]


def test_a_result_without_an_id_answers_the_oldest_call_of_its_agent():
    one = talk()
    one.call("b", 0, "other", "b1", None)
    one.call("a", 1, "first", "", None)
    one.call("a", 2, "second", "a2", None)
    one.result("a", 3, "", "x")
    one.result("a", 4, "", "y")
    found = ended(one)
    assert results(found) == [("call-1", "first"), ("a2", "second")]
    assert lost(found, "answers the oldest") == [("inferred", 2)]


@pytest.mark.parametrize(("agent", "name"), [("a", "z"), ("b", "c1"), ("b", "")])
def test_a_result_that_fits_no_call_of_its_agent_is_dropped(agent, name):
    one = talk()
    one.call("a", 0, "tool", "c1", None)
    one.result(agent, 1, name, "x")
    found = ended(one)
    assert results(found) == []
    assert lost(found, "whose call is not in the input") == [("dropped", 1)]


def tools_answered(*names: str) -> tuple[list[str], str]:
    """Tools in the order of their results, for three calls of which two have one id; the stop."""
    one = talk()
    for tool, name in (("first", "c1"), ("other", "c2"), ("second", "c1")):
        one.call("a", 0, tool, name, None)
    for time, name in enumerate(names, start=1):
        one.result("a", time, name, "x")
    found = ended(one)
    return [tool for _, tool in results(found)], stop_of(found.trace)


def test_calls_of_one_id_are_answered_in_their_order():
    """Some models give the calls of one answer the same id."""
    assert tools_answered("c1", "c1", "c2") == (["first", "second", "other"], "implicit")
    assert tools_answered("c1", "c2") == (["first", "other"], "truncated")
    assert tools_answered("", "c1", "") == (["first", "second", "other"], "implicit")


def test_one_result_answers_a_call_and_a_second_one_does_not():
    one = talk()
    one.call("a", 0, "tool", "c1", None)
    one.result("a", 1, "c1", "x")
    one.result("a", 2, "c1", "x")
    found = ended(one)
    assert results(found) == [("c1", "tool")]
    assert lost(found, "whose call is not in the input") == [("dropped", 1)]


def test_a_call_that_waits_leaves_the_run_cut_short_whatever_its_stop():
    one = talk()
    one.stop_reason = "explicit"
    one.call("a", 0, "tool", "c1", None)
    assert stop_of(ended(one).trace) == "truncated"


def test_an_answered_run_stops_as_its_format_told():
    one = talk()
    one.stop_reason = "external"
    one.call("a", 0, "tool", "c1", None)
    one.result("a", 1, "c1", "x")
    assert stop_of(ended(one).trace) == "external"


def test_a_failed_and_a_refused_result_show_it():
    one = talk()
    for name in ("ok", "bad", "no"):
        one.call("a", 0, "tool", name, None)
        one.result("a", 1, name, "x", failed=name != "ok", refused=name == "no")
    found = ended(one)
    after = [event for event in shown(found.trace, "x_error") if event[0] != "tool_call"]
    assert sorted(after, key=str) == [
        ("safety_event", "a", None),
        ("tool_result", "a", None),
        ("tool_result", "a", True),
        ("tool_result", "a", True),
    ]


def test_without_a_clock_the_order_is_all_that_edges_tell():
    edges = []
    for has_clock in (True, False):
        one = talk(has_clock=has_clock)
        for time in range(2):
            one.step("a", time)
            one.settle("a")
        found = ended(one)
        edges.append([edge["type"] for edge in found.trace["edges"]])
        assert bool(lost(found, "t counts the turns")) is not has_clock
    assert edges == [["causal"], ["temporal"]]


def test_what_was_skipped_is_counted_by_kind_under_a_safe_name():
    one = talk()
    for kind in ("b", "a", "b", "/home/ada/x"):
        one.unknown("x", "turns of the type", kind)
    found = ended(one)
    skipped = [(loss.what, loss.count) for loss in found.losses if "of the type" in loss.what]
    assert [count for _, count in skipped] == [1, 2, 1]
    assert skipped[:2] == [("turns of the type a", 1), ("turns of the type b", 2)]
    assert "ada" not in str(skipped)


def test_missing_usage_is_a_loss_and_stated_usage_is_none():
    found = ended(talk())
    assert lost(found, "usage is not recorded") == [("dropped", 1)]
    one = talk()
    one.step("a", 0, Usage(input=1))
    assert lost(ended(one), "usage is not recorded") == []


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("a", "a"),
        (None, None),
        ({"text": "a"}, {"text": "a"}),
        (["a", {"text": "b"}, {"image": "c"}, 3], "a\nb"),
        # Without any text the parts themselves are the content, which then is not empty.
        ([{"image": "c"}], [{"image": "c"}]),
        ([], []),
    ],
)
def test_the_text_of_parts_is_their_lines(content, text):
    assert plain_text(content) == text
