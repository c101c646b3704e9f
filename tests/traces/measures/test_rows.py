"""Rows of measures, and their summary over traces."""

from corpus.traces.measures.metrics import measure
from corpus.traces.measures.rows import Summary, columns, row
from tests.support.made_traces import pair, run_of


def test_rows_and_their_summary():
    summary = Summary()
    run = run_of(pair())
    other = pair()
    other["events"].append({"id": "hi", "t": 2, "type": "message", "agent": "ann", "to": "bob"})
    for each in (run, run_of(other)):
        cells = row(("a.json", 1), each, measure(each))
        assert tuple(cells) == columns()
        summary.add(cells)
    spread = summary.spreads()["message_events"]
    assert (spread.number, spread.total, spread.mean, spread.least, spread.most) == (
        2,
        1,
        0.5,
        0,
        1,
    )
    assert summary.topologies == {"centralized": 2}
    assert "duplicate_share" not in summary.spreads()
