"""What the trace commands share: which files are read, which trace is meant, what is refused."""

import json

import pytest

from corpus.cli.traces.input import Traces, one_run
from corpus.model.finding import CorpusError, Finding, UsageProblem
from corpus.traces.reading.decoding import EACH
from tests.support.made_traces import pair


def write(path, *traces):
    """Write traces, or broken lines as they are, one on each line."""
    lines = [trace if isinstance(trace, str) else json.dumps(trace) for trace in traces]
    path.write_text("".join(f"{line}\n" for line in lines))
    return str(path)


def called(name):
    return {**pair(), "trace_id": name}


@pytest.fixture
def two(tmp_path):
    return write(tmp_path / "two.jsonl", called("a"), called("b"))


def test_the_only_trace_of_a_file_needs_no_name(tmp_path):
    file = write(tmp_path / "one.jsonl", called("a"))
    assert one_run(file, 1).trace.trace_id == "a"
    assert one_run(file, 1, name="a").trace.trace_id == "a"


def test_of_several_traces_one_is_chosen_by_a_name_that_only_it_has(tmp_path, two):
    assert one_run(two, 1, name="b").trace.trace_id == "b"
    twice = write(tmp_path / "a.jsonl", called("a"), called("b"), called("a"))
    for file, name in ((two, None), (two, "c"), (twice, "a")):
        with pytest.raises(UsageProblem):
            one_run(file, 1, name)


def test_a_broken_trace_hides_the_one_that_may_be_meant(tmp_path):
    file = write(tmp_path / "a.jsonl", called("a"), "{")
    # The broken one may be another trace of this file, but not another one of this name.
    assert one_run(file, 1, name="a").trace.trace_id == "a"
    for name in (None, "b"):
        with pytest.raises(CorpusError) as caught:
            one_run(file, 1, name)
        assert [finding.line for finding in caught.value.findings] == [2]


def test_valid_traces_are_yielded_and_findings_of_others_kept_up_to_a_few(tmp_path):
    wrong = {**pair(), "events": [{"id": ""}] * (EACH + 5)}
    file = write(tmp_path / "a.jsonl", called("a"), wrong, "{", called("b"))
    traces = Traces((file,), 1)
    found = [(document.line, run.trace.trace_id) for document, run in traces.runs()]
    assert found == [(1, "a"), (4, "b")]
    assert [finding.line for finding in traces.broken] == [2] * EACH + [3]


@pytest.mark.parametrize("files", [(), ("empty",)])
def test_without_a_file_of_traces_there_is_nothing_to_read(tmp_path, monkeypatch, files):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageProblem):
        Traces(files, 1).documents()


def test_a_trace_beyond_the_limit_is_a_finding(tmp_path):
    large = called("large")
    large["events"][0]["note"] = "x" * (1 << 20)
    file = write(tmp_path / "a.jsonl", large, called("small"))
    (first,) = Traces((file,), 1).documents()
    assert isinstance(first, Finding)
    assert (first.code, first.line) == ("OT005", 1)
