"""What targets share: which tokens an event states, and whether a model was called."""

import pytest

from corpus.traces.emit.target import RunWriter
from tests.support.made_traces import pair, run_of


@pytest.mark.parametrize("has_clock", [True, False])
def test_a_run_without_a_clock_is_told_from_one_without_a_date(has_clock):
    trace = pair()
    if not has_clock:
        for one in trace["events"]:
            one["x_inferred"] = ["t"]
    writer = RunWriter(run_of(trace))
    assert writer.has_clock is has_clock
    loss, _rewards = writer.losses.all()
    assert (loss.kind, loss.place) == ("inferred", "times")
    assert ("no clock" in loss.what) is not has_clock
