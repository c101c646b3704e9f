"""The books of a conversion close, and open where a converter loses something in silence."""

import copy
import json
import random

import pytest

from corpus.model.finding import CorpusError
from corpus.traces.books import COUNTS, balances
from corpus.traces.convert import FORMATS
from corpus.traces.convert.format import Redaction
from corpus.traces.convert.intake import convert_all, read_inputs
from corpus.traces.convert.spans import span_walk
from tests.support.recorded_rollouts import nemo_gym_rollout, rllm_episode, verifiers_rollout
from tests.support.recorded_samples import otel_span, otlp
from tests.support.recorded_versions import SAMPLES

#: Samples of the formats that are counted a second time.
COUNTED = [
    *("genai 1.26", "genai 1.36", "genai 2026", "otlp with genai", "otlp of two instrumentations"),
    *("openllmetry 0.40", "crewai by openllmetry", "crewai by openinference", "vercel 4"),
    *("vercel 6", "langfuse sdk 3", "tempo 1", "tempo 2", "jaeger", "langfuse 2", "langfuse 3"),
    *("langsmith tree", "langsmith graph", "agents sdk", "inspect 0.3.80", "inspect 0.3.180"),
    *("phoenix rest", "phoenix client"),
]
#: Of these, the rows of a session tell less: calls, and of some the tokens.
SESSIONS = [
    *("claude 1.0", "claude 2.1", "claude 2.1 without files", "claude stream 1.0"),
    *("claude stream 2.1", "codex 2025", "codex 0.150", "codex 0.155", "atif 1.7"),
    *("gemini cli 0.16", "gemini cli 0.40", "autogen 0.4", "autogen 0.7", "magentic one"),
    *("nemo gym", "verifiers", "rllm"),
]
MUTATIONS = 12

CHAT = {"gen_ai__operation__name": "chat", "gen_ai__usage__input_tokens": 3}


def books(path):
    documents, _ = read_inputs([path], "auto")
    return balances(documents, convert_all(documents, Redaction()))


def open_ones(path):
    return [str(one) for one in books(path) if one.difference]


@pytest.mark.parametrize("name", COUNTED)
def test_the_books_of_every_sample_close(tmp_path, name):
    found = books(SAMPLES[name]().write(tmp_path))
    assert {"model calls", "tool calls", "tokens", "seconds"} <= {one.what for one in found}
    assert [str(one) for one in found if one.difference] == []


@pytest.mark.parametrize("name", SESSIONS)
def test_the_books_of_every_session_close(tmp_path, name):
    found = books(SAMPLES[name]().write(tmp_path))
    assert {"model calls", "tool calls"} <= {one.what for one in found}
    assert ("output tokens" in {one.what for one in found}) is (name != "magentic one")
    assert [str(one) for one in found if one.difference] == []


def test_every_format_is_counted_a_second_time():
    assert {one.name for one in FORMATS} == COUNTS.keys()


def lists_of_objects(node):
    if isinstance(node, list) and node and isinstance(node[0], dict):
        yield node
    for inner in node.values() if isinstance(node, dict) else node:
        if isinstance(inner, dict | list):
            yield from lists_of_objects(inner)


def drop(chance, rows):
    del rows[chance.randrange(len(rows))]


def repeat(chance, rows):
    rows.append(copy.deepcopy(chance.choice(rows)))


def shuffle(chance, rows):
    chance.shuffle(rows)


def without_a_key(chance, rows):
    row = chance.choice(rows)
    # Without the id of its trace, a span is a run of its own.
    row.pop(chance.choice(sorted(row.keys() - {"traceId", "traceID", "trace_id"})), None)


@pytest.mark.parametrize("change", [drop, repeat, shuffle, without_a_key])
@pytest.mark.parametrize("name", COUNTED)
def test_the_books_of_changed_samples_close(tmp_path, name, change):
    """Model calls in the source = steps + merged + reported, and so on, whatever is missing."""
    ((file, rows),) = SAMPLES[name]().files.items()
    if change is shuffle and "inspect" in name:
        pytest.skip("the order of the events tells which step they are in")
    for seed in range(MUTATIONS):
        chance = random.Random(f"{name} {seed}")
        changed = copy.deepcopy(rows)
        change(chance, chance.choice(list(lists_of_objects(changed))))
        path = tmp_path / file
        lines = [json.dumps(row) for row in changed]
        path.write_text("\n".join(lines), encoding="utf-8")
        try:
            assert open_ones(path) == [], f"{seed}: {change.__name__}"
        except CorpusError as error:
            assert {finding.code for finding in error.findings} <= {
                "OT202",
                "OT203",
                "OT204",
                "OT206",
            }


def test_what_a_converter_loses_in_silence_opens_the_books(tmp_path, monkeypatch):
    spans = [otel_span("a", 0, 9, gen_ai__operation__name="invoke_agent")]
    spans += [otel_span(f"c{n}", n, n + 1, "a", **CHAT) for n in (1, 3, 5)]
    path = tmp_path / "run.json"
    path.write_text(json.dumps(otlp(*spans)), encoding="utf-8")
    assert open_ones(path) == []
    walked = span_walk.SpanRecorder.conversion

    def forgetful(self, spans, *rest, **more):
        return walked(self, list(spans)[:-1], *rest, **more)

    monkeypatch.setattr(span_walk.SpanRecorder, "conversion", forgetful)
    found = {one.what: one.difference for one in books(path)}
    assert (found["model calls"], found["tokens"], found["seconds of calls"]) == (1, 3, 1)


def test_a_copy_of_a_conversation_without_the_session_is_reported(tmp_path):
    sample = SAMPLES["claude 2.1"]().write(tmp_path)
    (copy_of_it,) = sample.rglob("agent-acompact-*.jsonl")
    found = {one.what: one for one in books(copy_of_it)}
    assert [one.difference for one in found.values() if one.difference] == []
    assert found["model calls"].reported == 3


def in_file(path, *rows):
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def steps_and_calls(path):
    found = {one.what: one for one in books(path)}
    assert [one.difference for one in found.values() if one.difference] == []
    return found["model calls"].kept, found["tool calls"].kept


def test_thoughts_words_and_calls_of_one_answer_are_one_step(tmp_path):
    rollout = nemo_gym_rollout()
    thought, call, result, message = rollout["response"]["output"]
    again = {**call, "call_id": "c2"}
    rollout["response"]["output"] = [thought, message, call, again, result, thought, message]
    assert steps_and_calls(in_file(tmp_path / "r.jsonl", rollout)) == (2, 2)


def test_answers_in_the_prompt_of_a_rollout_are_no_steps(tmp_path):
    rollout = nemo_gym_rollout()
    answer = {"role": "assistant", "content": "before"}
    asked = rollout["responses_create_params"]["input"]
    rollout["responses_create_params"]["input"] = [*asked, answer, asked[-1]]
    assert steps_and_calls(in_file(tmp_path / "r.jsonl", rollout)) == (2, 1)


def test_a_step_that_shortens_what_was_told_is_one_step(tmp_path):
    episode = rllm_episode()
    first, second = episode["trajectories"][0]["steps"]
    shorter = {"role": "assistant", "content": "short"}
    second["chat_completions"][2] = shorter
    assert steps_and_calls(in_file(tmp_path / "r.jsonl", episode)) == (3, 0)
    del first["chat_completions"][2]
    (calls,) = [one for one in books(tmp_path / "r.jsonl") if one.what == "model calls"]
    assert (calls.source, calls.difference) == (3, 0)


def test_a_text_alone_is_an_answer(tmp_path):
    path = in_file(tmp_path / "r.jsonl", {**verifiers_rollout(), "completion": "tea"})
    assert steps_and_calls(path) == (1, 0)
