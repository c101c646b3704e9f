"""What targets share: which tokens an event states, and whether a model was called."""

import pytest

from corpus.traces.emit import TARGETS
from corpus.traces.emit.target import RunWriter
from tests.support.every_event import every_event
from tests.support.made_traces import pair, run_of


@pytest.mark.parametrize("has_clock", [True, False])
def test_a_run_without_a_clock_is_told_from_one_without_a_date(has_clock):
    trace = pair()
    if not has_clock:
        for one in trace["events"]:
            one["x_inferred"] = ["t"]
    writer = RunWriter(run_of(trace))
    loss, _rewards = writer.losses.values()
    assert (loss.kind, loss.place) == ("inferred", "times")
    assert ("no clock" in loss.what) is not has_clock


def test_every_loss_is_named_with_its_count():
    _, (lost,) = TARGETS["atif"][1]([run_of(every_event())], None)
    assert [(loss.kind, loss.place, loss.count) for loss in tuple(lost.values())] == [
        ("inferred", "times", 1),
        ("dropped", "rewards", 2),
        ("dropped", "metrics", 1),
        *(("dropped", place, 1) for place in ("over", "check")),
    ]
