"""What targets share: which tokens an event states, and whether a model was called."""

import pytest

from corpus.traces.convert.format import LossList
from corpus.traces.emit.target import note_whole
from tests.support.made_traces import pair, run_of


@pytest.mark.parametrize("has_clock", [True, False])
def test_a_run_without_a_clock_is_told_from_one_without_a_date(has_clock):
    trace = pair()
    if not has_clock:
        for one in trace["events"]:
            one["x_inferred"] = ["t"]
    losses = LossList()
    assert note_whole(run_of(trace), losses) is has_clock
    loss, _rewards = losses.all()
    assert (loss.kind, loss.place) == ("inferred", "times")
    assert ("no clock" in loss.what) is not has_clock
