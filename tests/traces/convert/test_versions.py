"""What the trace of a run must hold, for a made-up run of each recorder version."""

import json
import re
from dataclasses import asdict
from pathlib import Path

import pytest

from corpus.traces.checks.validate import check
from corpus.traces.lookup import value
from corpus.traces.model import TOKEN_KINDS
from corpus.traces.reading.reading import TraceText
from tests.support.recorded_samples import iso
from tests.support.recorded_traces import SECRET, into, kinds, only, write_rows
from tests.support.recorded_versions import (
    SAMPLES,
    claude_2_1,
    codex_0_150,
    codex_rows,
    codex_words,
)
from tests.support.sample import Expected

PAGE = Path(__file__).parents[3] / "docs" / "trace-formats.md"
ROWS = re.findall(
    r"^- \[.+?\]\(#.+?\): (.+): (.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
)
VERSIONS = {recorder: kinds for recorders, kinds in ROWS for recorder in recorders.split("; ")}
"""The versions on the page: recorder -> kinds of tokens."""


@pytest.mark.parametrize("name", SAMPLES)
def test_a_run_is_counted_as_a_reader_would_count_it(tmp_path, run, name):
    sample = SAMPLES[name]()
    (found,) = run(sample.write(tmp_path))
    assert counted(found) == sample.expected


@pytest.mark.parametrize("name", SAMPLES)
def test_a_trace_has_no_finding_and_no_content(tmp_path, run, name):
    (found,) = run(SAMPLES[name]().write(tmp_path))
    written = json.dumps(found.trace)
    assert SECRET not in written
    assert "4711" not in json.dumps(list(map(asdict, found.losses)))
    assert check(TraceText("t.json", 1, written.encode(), True)) == ([], 0)


def test_each_listed_version_has_a_run_and_each_run_is_listed():
    assert sorted(VERSIONS) == sorted(make().recorder for make in SAMPLES.values())


def counted(found):
    trace = found.trace
    events = trace["events"]
    return Expected(
        agents={event["agent"] for event in events} - {"user"},
        spawns=kinds(trace).count("spawn"),
        steps=trace["metrics"]["corpus.steps"],
        tokens=trace["costs"]["tokens"],
        kinds=tokens_by_kind(events),
    )


def tokens_by_kind(events):
    found = {}
    for kind in TOKEN_KINDS:
        stated = [event[f"x_tokens_{kind}"] for event in events if f"x_tokens_{kind}" in event]
        if stated:
            found[kind] = sum(stated)
    return found


@pytest.mark.parametrize("name", SAMPLES)
def test_only_listed_kinds_of_tokens_are_found(tmp_path, run, name):
    sample = SAMPLES[name]()
    kinds = VERSIONS[sample.recorder]
    (found,) = run(sample.write(tmp_path))
    kinds_found = set(tokens_by_kind(found.trace["events"]))
    assert kinds == "all" or kinds_found <= {kind.replace(" ", "_") for kind in kinds.split(", ")}


def test_an_interruption_follows_from_what_it_interrupts(tmp_path, run):
    (found,) = run(claude_2_1().write(tmp_path))
    causes = into(found.trace, only(found.trace, role="interrupt"))
    assert [event["type"] for event, _ in causes] == ["tool_result"]


def message_type_of(row):
    words = value(row, "payload.content.0.text") or ""
    return words.partition("\n")[0].removeprefix("Message Type: ")


def test_a_sub_agent_that_is_asked_again_returns_again(tmp_path, run):
    files = codex_0_150().files
    root, reader = (files[name] for name in sorted(files))
    again = [row for row in root if row["payload"].get("call_id") == "i1"]
    again += [row for row in root if row["payload"].get("kind") == "interacted"]
    for second, row in enumerate(again):
        root.remove(row)
        root.insert(len(root) - 3, {**row, "timestamp": iso(40 + second)})
    for second, row in enumerate(root[-3:]):
        row["timestamp"] = iso(58 + second / 2)
    done = {**reader[-1], "timestamp": iso(50)}
    answer = codex_words("/root/reader", "/root", "FINAL_ANSWER")
    (message,) = [row for row in reader if message_type_of(row) == "MESSAGE"]
    reader.remove(message)
    reader += [{**message, "timestamp": iso(45)}, done]
    root.insert(len(root) - 3, codex_rows(52, 1, [answer])[0])
    for name in files:
        write_rows(tmp_path / name, files[name])
    (found,) = run(tmp_path)
    assert kinds(found.trace, "Ada").count("return") == 2
    assert kinds(found.trace, "main").count("aggregate") == 2


def test_a_wait_without_a_message_of_the_answer_still_leads_to_the_aggregate(tmp_path, run):
    files = codex_0_150().files
    name = min(files)
    rows = [row for row in files[name] if row["payload"].get("type") != "agent_message"]
    files[name] = rows
    for name in files:
        write_rows(tmp_path / name, files[name])
    (found,) = run(tmp_path)
    aggregate = only(found.trace, type="aggregate")
    causes = [(event["type"], event["agent"]) for event, _ in into(found.trace, aggregate)]
    assert ("return", "Ada") in causes
    assert aggregate["x_inferred"]
