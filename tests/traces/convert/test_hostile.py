"""Whatever stands in a field of whatever format: a trace that is well formed, or a finding; never a traceback."""

import copy
import io
import json
import random
import re
from dataclasses import asdict
from typing import Any

import pytest

from corpus.model.finding import CorpusError
from corpus.traces.contents import Contents
from corpus.traces.convert.format import Conversion, Redaction
from corpus.traces.convert.intake import convert_all, read_inputs
from tests.support.daily import EVERY, part
from tests.support.recorded_evaluations import inspect_log, inspect_sample
from tests.support.recorded_langsmith import langsmith_runs
from tests.support.recorded_rollouts import nemo_gym_rollout, rllm_episode, verifiers_rollout
from tests.support.recorded_rows import (
    TALK,
    chat_row,
    lightning_events,
    lightning_spans,
    pi_session,
    verifiers_episode,
)
from tests.support.recorded_samples import (
    atif_run,
    codex_kid,
    codex_root,
    genai_run,
    led_log,
    sdk_rows,
    team_log,
)
from tests.support.recorded_spans import langfuse_export, mlflow_trace, phoenix_spans
from tests.support.recorded_talks import autogen_result, gemini_session
from tests.support.recorded_traces import SECRET, Recorder, use, write_rows
from tests.traces.convert.test_redaction import SECRETS

NASTY: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        -1,
        10**30,
        1e308,
        -0.5,
        "",
        "\x00\x1b[31m",
        "\ud800",
        "a" * 2000,
        "NaN",
        "2026-13-45T99:99:99Z",
    ),
    *(
        [],
        {},
        [[[]]],
        {"a": {"a": 1}},
        [None, 3, "x", {}],
        {"type": []},
        "main",
        "u1",
        "root",
        "../../../etc/passwd",
    ),
]


def claude():
    log = Recorder()
    log.ask("main", SECRET)
    log.step("main", "m1", use("t1", "Task", prompt="p", subagent_type="x"), input_tokens=3)
    log.ask("kid", "p")
    log.step("kid", "k1", use("c", "Bash", command=SECRET), output_tokens=3)
    log.result("kid", "c", SECRET, error=True)
    log.result("main", "t1", SECRET, agentId="q", totalTokens=4)
    return log.rows


RUNS: dict[str, list[dict[str, Any]]] = {
    "claude-code": claude(),
    "codex": codex_root() + codex_kid()[1:],
    "otlp": [genai_run()],
    "phoenix": [phoenix_spans()],
    "mlflow": [mlflow_trace()],
    "langfuse": [langfuse_export()],
    "inspect": [inspect_log(inspect_sample())],
    "langsmith": langsmith_runs(),
    "openai-agents": sdk_rows(),
    "who-and-when": [led_log(), team_log()],
    "atif": [atif_run()],
    "gemini-cli": [gemini_session()],
    "autogen": [autogen_result()],
    "nemo-gym": [nemo_gym_rollout()],
    "verifiers": [verifiers_rollout(), verifiers_episode()],
    "rllm": [rllm_episode()],
    "agent-lightning": [*lightning_spans(), *lightning_events()],
    "session-trace": pi_session(*TALK),
    "chat": [chat_row()],
}


@pytest.mark.parametrize("name", RUNS)
def test_every_format_is_recognised_by_itself_alone(tmp_path, run, name):
    path = write_rows(tmp_path / "r.jsonl", RUNS[name])
    assert {one.trace["system"] for one in run(path)} == {name}


@pytest.mark.parametrize("name", RUNS)
def test_nothing_leaks_unless_asked_for(tmp_path, run, name):
    path = write_rows(tmp_path / "r.jsonl", RUNS[name])
    written = json.dumps([one.trace for one in run(path)])
    assert "4711" not in written
    assert not re.search(r"\bada\b", written)
    contents = Contents(io.BytesIO())
    documents, _ = read_inputs([path], "auto")
    kept = list(convert_all(documents, Redaction(contents=contents)))
    assert "4711" in b"".join(contents.lines()).decode()
    assert json.dumps([one.trace for one in kept]) == written


@pytest.mark.parametrize("name", RUNS)
def test_no_secret_in_any_field_or_key_leaves_the_recording(tmp_path, run, name):
    """Neither in the trace nor in its losses, whatever field a recorder has written it into."""
    chance = random.Random(name)
    rows = copy.deepcopy(RUNS[name])
    texts = [path for path in _places(rows) if isinstance(_at(rows, path), str)]
    keys = [path for path in _places(rows) if isinstance(path[-1], str)]
    for number in range(60 if EVERY else 20):
        secret, written = list(SECRETS.items())[number % len(SECRETS)]
        if number % 3:
            path = chance.choice(texts)
            kept = _put(rows, path, written)
            leaves = _written(run, write_rows(tmp_path / "r.jsonl", rows), name)
            _put(rows, path, kept)
        else:
            *above, key = chance.choice(keys)
            parent = _at(rows, above)
            before = dict(parent)
            parent[written] = parent.pop(key)
            leaves = _written(run, write_rows(tmp_path / "r.jsonl", rows), name)
            parent.clear()
            parent.update(before)
        assert secret not in leaves
    assert rows == RUNS[name]


def _written(run, path, name):
    try:
        return json.dumps(
            [[one.trace, list(map(asdict, one.losses))] for one in run(path, name=name)]
        )
    except CorpusError:
        return ""


def _at(node, path):
    for key in path:
        node = node[key]
    return node


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_any_value_in_any_field(tmp_path, run, name):
    rows = copy.deepcopy(RUNS[name])
    known = set()
    for number, path in part(list(enumerate(_places(rows))), 3):
        # Where the same field was tried in another element of a list, one more value is enough.
        field = tuple(key for key in path if isinstance(key, str))
        times = 2 - (field in known)
        known.add(field)
        for nasty in random.Random(number).sample(NASTY, times):
            # Each value is put back: copying all rows each time takes longer than converting them.
            kept = _put(rows, path, nasty)
            _survives(run, write_rows(tmp_path / "r.jsonl", rows), name)
            _put(rows, path, kept)
    assert rows == RUNS[name]


@pytest.mark.parametrize("name", RUNS)
def test_rows_shuffled_repeated_and_missing(tmp_path, run, name):
    for seed in part(range(20), 5):
        luck = random.Random(seed)
        rows = luck.choices(RUNS[name], k=2 * len(RUNS[name]))
        _survives(run, write_rows(tmp_path / "r.jsonl", rows), name)


@pytest.mark.parametrize("name", RUNS)
def test_whatever_is_marked_as_inferred_is_among_the_losses(tmp_path, run, name):
    for seed in range(8):
        luck = random.Random(seed)
        rows = (
            RUNS[name] if not seed else luck.sample(RUNS[name], max(1, len(RUNS[name]) - seed % 3))
        )
        try:
            found = run(write_rows(tmp_path / "r.jsonl", rows), name=name)
        except CorpusError:
            continue
        for one in found:
            marks = [{"event"} if mark is True else {*mark} for mark in _marks(one)]
            beyond_times = [
                mark for mark in marks if any(what != "t" and ":" not in what for what in mark)
            ]
            noted = sum(loss.count for loss in one.losses if loss.kind == "inferred")
            assert noted >= max(len(beyond_times), bool(marks))


def _marks(one):
    return [event["x_inferred"] for event in one.trace["events"] if "x_inferred" in event]


@pytest.mark.parametrize("name", RUNS)
def test_another_format_named_by_hand_is_a_finding(tmp_path, run, name):
    for other in RUNS:
        if other != name:
            _survives(run, write_rows(tmp_path / "r.jsonl", RUNS[other]), name)


def _survives(run, path, name):
    codes: set[str] = set()
    found: list[Conversion] = []
    try:
        found = run(path, name=name)
    except CorpusError as refused:
        codes = {finding.code for finding in refused.findings}
    assert codes <= {"OT202", "OT203", "OT204", "OT206"}
    assert all(one.trace["events"] for one in found)
    assert found or codes


def _places(node, path=()):
    for key in (
        node if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    ):
        yield (*path, key)
        yield from _places(node[key], (*path, key))  # type: ignore[index]


def _put(node, path, value):
    """Put a value at a path; return what was there."""
    for key in path[:-1]:
        node = node[key]
    kept, node[path[-1]] = node[path[-1]], value
    return kept
