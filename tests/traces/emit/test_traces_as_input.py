"""A trace is told from a recorded run by its keys, and goes through as it is."""

from pathlib import Path

import pytest

from corpus.traces.convert.format import Redaction
from corpus.traces.document import RecordedFile, Row
from corpus.traces.emit import INPUTS, traces_in

TRACE = {"trace_id": "t", "task_id": "x", "events": [], "edges": []}


def recorded(*values):
    return RecordedFile(
        Path("a.jsonl"), tuple(Row(line, value) for line, value in enumerate(values, 1))
    )


@pytest.mark.parametrize("missing", TRACE)
def test_every_key_is_needed(missing):
    assert INPUTS[0].recognise(recorded(TRACE))
    assert INPUTS[0].recognise(recorded({}, {}, {}, {}, TRACE))
    assert not INPUTS[0].recognise(
        recorded({key: value for key, value in TRACE.items() if key != missing})
    )


def test_a_trace_is_kept_whatever_is_in_it():
    odd = {**TRACE, "more": {"a": 1}}
    found = [
        conversion.trace for conversion in traces_in([recorded(odd, {"events": 3})], Redaction())
    ]
    assert found[0] == odd
    assert found[1]["events"] == 3
    assert found[1]["trace_id"]
