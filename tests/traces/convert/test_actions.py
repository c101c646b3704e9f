"""What agents and people do, as events that depend on what they follow from."""

import pytest

from corpus.traces.convert.format import Redaction
from corpus.traces.convert.recorder import Recorder
from tests.support.converted import Readable


@pytest.fixture
def actions():
    return Recorder("r", "test", Readable())


def trace_of(actions):
    return actions.finish().trace


@pytest.mark.parametrize("nothing", ["", None, [], {}])
def test_a_task_without_content_is_unknown_and_no_later_prompt_takes_its_place(actions, nothing):
    actions.at(0.0).prompt("main", nothing)
    actions.at(1.0).prompt("main", "go")
    trace = trace_of(actions)
    assert [one["role"] for one in trace["events"]] == ["task", "user"]
    assert trace["task_id"] == "unknown"


def test_names_and_content_leave_as_hashes():
    actions = Recorder("r", "test", Redaction())
    actions.at(0.0).tool_call("main", "/home/ada/run", "a b", "launch 4711")
    written = str(trace_of(actions))
    assert all(part not in written for part in ("ada", "a b", "4711"))
