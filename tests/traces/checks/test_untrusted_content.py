"""Untrusted content that reaches a trusted event or an aggregate without a check."""

from corpus.traces.checks.validate import unchecked_flow
from tests.support.made_traces import event, pair, run_of


def found(trace):
    return [(one.path, one.value, one.words) for one in unchecked_flow(run_of(trace))]


def with_untrusted_answer():
    """The shop's answer is not trusted, what ann makes of it is."""
    trace = pair()
    event(trace, "told")["trusted"] = False
    event(trace, "ann-done")["trusted"] = True
    return trace


def test_each_trusted_event_and_aggregate_is_named_with_where_the_content_is_from():
    assert found(with_untrusted_answer()) == [
        ("/events/5", "ann-done", {"source": "told", "kind": "return"}),
        ("/events/7", "tea", {"source": "told", "kind": "aggregate"}),
    ]


def test_a_check_by_a_guard_or_a_person_stops_untrusted_flow():
    for kind in ("safety_event", "human_intervention"):
        trace = with_untrusted_answer()
        event(trace, "ann-done").update(type=kind, agent="guard", **{"from": "guard"})
        assert found(trace) == []
