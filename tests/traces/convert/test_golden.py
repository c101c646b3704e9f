"""The trace of every made-up recording, event by event, is the one in its golden file."""

import json
from dataclasses import asdict

import pytest

from tests.support.golden import golden
from tests.support.recorded_traces import sequential_helpers, write_rows
from tests.support.recorded_versions import SAMPLES
from tests.traces.convert.test_hostile import RUNS


def outline(found):
    """A trace as lines: what it states of the run, an event, an edge, a loss each."""
    trace = found.trace
    listed = ("events", "edges")
    lines = [{key: value for key, value in trace.items() if key not in listed}]
    lines += [*trace["events"], *trace["edges"]]
    lines += list(map(asdict, found.losses))
    return "".join(json.dumps(line) + "\n" for line in lines)


def check(name, conversions):
    written = "\n".join(outline(found) for found in conversions)
    golden(f"convert/{name.replace(' ', '-')}.jsonl", written)


@pytest.mark.parametrize("name", RUNS)
def test_a_run_of_each_format(tmp_path, run, name):
    check(name, run(write_rows(tmp_path / "r.jsonl", RUNS[name])))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_run_of_each_recorder_version(tmp_path, run, name):
    check(f"version {name}", run(SAMPLES[name]().write(tmp_path)))


def test_a_session_with_helpers_in_sequence(tmp_path, run):
    check("helpers in sequence", run(sequential_helpers().write(tmp_path / "s.jsonl")))
