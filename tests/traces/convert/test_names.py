"""Names of agents and of calls: each given once, whatever the source calls them."""

import pytest

from corpus.traces.convert.format import Redaction
from corpus.traces.convert.recorder import Recorder
from tests.support.converted import Readable


@pytest.fixture
def recorder():
    return Recorder("r", "test", Redaction())


def test_no_two_agents_have_one_name(recorder):
    wanted = ["critic", "critic#2", "critic", "critic#2", "", "agent"]
    given = [recorder.new_agent(one) for one in wanted]
    assert given == ["critic", "critic#2", "critic#3", "critic#2#2", "agent", "agent#2"]


def test_what_may_be_something_else_than_a_name_is_hashed(recorder):
    hidden = recorder.new_agent("/home/ada")
    assert hidden == Redaction().name("/home/ada", "agent") != "/home/ada"
    assert recorder.new_agent("/home/ada") == f"{hidden}#2"
    shown = Recorder("r", "test", Readable())
    assert shown.ranked_agent("/home/ada") == "/home/ada-1"
