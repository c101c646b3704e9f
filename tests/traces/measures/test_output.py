"""Measures as text, JSON and CSV: the values, their order, piece by piece."""

import csv
import io
import json

import pytest

from corpus.traces.measures import output
from corpus.traces.measures.catalogue import NAMES
from corpus.traces.measures.summary import ROW, measured
from tests.support.made_traces import act, document, event, pair, run_of


def trace(**keys):
    """The measures of the pair with other keys at its root."""
    return measured_of({**pair(), **keys})


def measured_of(trace, **options):
    return measured(document(trace), run_of(trace), **options)


def text_of(pieces):
    return "".join(pieces)


def lines_of(text):
    """The cells of a printed table: columns are two spaces or more apart."""
    return [[cell for cell in line.split("  ") if cell] for line in text.splitlines()]


def stripped(text):
    return [[cell.strip() for cell in line] for line in lines_of(text)]


def test_json_has_each_trace_on_its_line_and_then_the_summary():
    other = {"costs": {"tokens": 2400, "wall_clock_s": 6}}
    traces = [trace(), trace(trace_id='b"', topology="debate", **other)]
    text = text_of(output.json_pieces(iter(traces)))
    lines = text.splitlines()
    assert (lines[0], lines[1], lines[4]) == ("{", '  "traces": [', "  ],")
    assert json.loads(lines[2].removesuffix(","))["trace_id"] == "pair"
    found = json.loads(text)
    first, second = found["traces"]
    assert list(first)[: len(ROW)] == list(ROW)
    assert first["events_by_type"]["return"] == 2
    agents = {name: (one["events"], one["busy_s"]) for name, one in first["agents"].items()}
    assert agents == {"lead": (4, 1), "ann": (3, 4), "bob": (1, 2)}
    assert second["topology"] == "debate"
    assert "unpriced" not in first
    summary = found["summary"]
    assert (summary["traces"], summary["stops"]) == (2, {"implicit": 2})
    assert summary["topologies"] == {"centralized": 1, "debate": 1}
    spread = ("number", "total", "mean", "least", "median", "ninth", "most")
    assert summary["measures"]["tokens"] == dict(
        zip(spread, (2, 3000, 1500, 600, 600, 2400, 2400), strict=True)
    )


def test_prices_are_in_the_json_and_in_the_tables():
    changed = pair()
    event(changed, "ask").update(x_tokens=600, x_tokens_input=500, x_model="m")
    priced = measured_of(changed, prices={("m", "input"): 3.0})
    (found,) = json.loads(text_of(output.json_pieces(iter([priced]))))["traces"]
    assert found["models"]["m"]["price"] == pytest.approx(0.0015)
    assert found["unpriced"] == [{"model": "m", "kind": "(kind not stated)", "tokens": 100}]
    rows = stripped(text_of(output.text_pieces(iter([priced]))))
    assert ["m", "600", "500", "-", "-", "-", "-", "0.0015"] in rows
    assert ["unpriced_tokens", "100", "tokens"] in rows


def test_one_trace_is_printed_in_full():
    changed = pair()
    event(changed, "ask").update(x_tokens=600, x_tokens_input=500)
    rows = stripped(text_of(output.text_pieces(iter([measured_of(changed)]))))
    assert rows[0] == ["pair (a.json; topology centralized; stop implicit)"]
    assert rows[1] == ["measure", "value", "unit"]
    assert [row[0] for row in rows[3 : 3 + len(NAMES)]] == list(NAMES)
    assert ["parallelism", "1.333", "ratio"] in rows
    assert ["untrusted_events", "-", "events"] in rows
    # Counts are listed from the largest; events of one number stay in the order of the run.
    heads = [row[0] for row in rows if row]
    kinds = heads[heads.index("event type") :]
    assert kinds[2:5] == ["spawn", "return", "orchestrator_decision"]
    assert ["ann", "3", "4", "600", "500", "-", "-", "-", "-"] in rows
    assert ["bob", "1", "2", "-", "-", "-", "-", "-", "-"] in rows
    assert ["(not stated)", "600", "500", "-", "-", "-", "-"] in rows


def test_several_traces_are_printed_as_a_summary():
    other = pair()
    other["events"].append(act("hi", 2, "message", "ann", to="bob"))
    del other["topology"]
    traces = [trace(), trace(), measured_of(other)]
    rows = stripped(text_of(output.text_pieces(iter(traces))))
    assert rows[0] == ["3 traces"]
    assert ["message_events", "3", "0.3333", "0", "0", "1", "1", "1"] in rows
    assert rows[-1] == ["stop implicit 3; topology centralized 2, (none) 1"]


def test_long_lists_of_counts_are_cut_and_the_rest_is_counted():
    changed = pair()
    for place in range(output.MOST_KEYS):
        sender = act(f"m{place}", 6, "message", f"agent-{place}")
        changed["events"].append(sender)
    text = text_of(output.text_pieces(iter([measured_of(changed)])))
    assert "and 3 more" in text
    assert f"agent-{output.MOST_KEYS - 4}" in text
    assert f"agent-{output.MOST_KEYS - 3}" not in text


def test_csv_has_one_header_and_a_row_for_each_trace():
    traces = [trace(trace_id='=1+1, "b"\nc'), trace(trace_id="-1", rewards={"team": -0.5})]
    text = text_of(output.csv_pieces(iter(traces)))
    header, first, second = csv.reader(io.StringIO(text))
    assert header == list(ROW)
    cells = dict(zip(header, first, strict=True))
    assert cells["trace_id"] == '\'=1+1, "b"\nc'
    assert (cells["file"], cells["line"], cells["parallelism"]) == ("a.json", "1", repr(8 / 6))
    assert (cells["untrusted_events"], cells["wasted_events"]) == ("", "0")
    assert second[:3] == ["a.json", "1", "'-1"]
    assert text_of(output.csv_pieces(iter(()))) == ""


@pytest.mark.parametrize("pieces", [output.csv_pieces, output.json_pieces])
def test_lines_are_written_as_they_come(pieces):
    one = trace()
    read = []

    def traces():
        for place in range(10 * output.AT_ONCE):
            read.append(place)
            yield one

    written = pieces(traces())
    next(written)
    assert len(read) <= output.AT_ONCE + 1
