"""From a document to a run: ids that are unique, edges that have both of their events."""

from corpus.traces.reading.runs import EACH, MOST, valid_run
from tests.support.made_traces import document, edge, pair


def findings(trace):
    run, found = valid_run(document(trace))
    assert (run is None) == any(one.is_error for one in found)
    return [(one.code, one.column, one.value) for one in found]


def test_every_further_event_of_one_id_is_named():
    trace = pair()
    for place in (2, 5):
        trace["events"][place]["id"] = "plan"
    trace["edges"] = []
    assert findings(trace) == [("OT002", "/events/2/id", "plan"), ("OT002", "/events/5/id", "plan")]
    _, found = valid_run(document(trace))
    assert all("/events/0" in one.message for one in found)


def test_each_end_of_an_edge_that_names_no_event_is_named():
    trace = pair()
    trace["edges"] = [edge("nobody", "plan"), edge("plan", "nowhere"), edge("x", "y")]
    assert findings(trace) == [
        ("OT003", "/edges/0/src", "nobody"),
        ("OT003", "/edges/1/dst", "nowhere"),
        ("OT003", "/edges/2/src", "x"),
        ("OT003", "/edges/2/dst", "y"),
    ]


def test_an_edge_that_names_an_agent_gets_a_hint():
    trace = pair()
    trace["edges"] = [edge("gone", "lead")]
    _, found = valid_run(document(trace))
    plain = "add the event or remove the edge"
    assert [one.hint for one in found] == [plain, f"{plain}; 'lead' is an agent"]


def test_findings_of_one_trace_are_bounded():
    trace = pair()
    trace["edges"] = [edge("no", "no")] * MOST
    assert len(findings(trace)) == MOST
    assert EACH < MOST
