"""Recordings that came out wrong in the hands of trainers, each with what is right."""

import json
import zipfile
from pathlib import Path

import pytest

from tests.support.recorded_samples import otel_span, otlp
from tests.support.trace_commands import trace

CASES = Path(__file__).parent / "cases"


@pytest.fixture
def converted(tmp_path):
    """Convert a case; return its traces, and the paths of traces and texts."""

    def convert(name, *more):
        runs, texts = tmp_path / "runs.jsonl", tmp_path / "texts.jsonl"
        names = [str(CASES / one) for one in (name, *more)]
        result = trace("convert", *names, "-o", runs, "--contents", texts)
        assert result.exit_code == 0, result.output
        return [json.loads(line) for line in runs.read_text().splitlines()], runs, texts

    return convert


def written(runs, texts, target, *options):
    result = trace("convert", runs, "--contents", texts, "--to", target, *options)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def rows_of(folder, *rows, name="s.jsonl"):
    """The rows for TRL of a recording, by agent."""
    (folder / name).write_text("\n".join(map(json.dumps, rows)))
    runs, texts = folder / "runs.jsonl", folder / "texts.jsonl"
    trace("convert", folder / name, "-o", runs, "--contents", texts)
    return {row["agent"]: row for row in written(runs, texts, "trl")}


def tokens_in(texts):
    contents = map(json.loads, texts.read_text().splitlines())
    return [json.loads(one["text"]) for one in contents if one["role"] == "tokens"]


def test_a_tool_that_answers_nothing_leaves_no_run_unfit(converted):
    _, runs, texts = converted("empty_result.jsonl")
    (row,) = written(runs, texts, "trl")
    assert row["messages"][2] == {"role": "tool", "tool_call_id": "t1", "content": ""}


@pytest.mark.parametrize(
    ("name", "tasks"),
    [
        ("ids.jsonl", ["0", "1"]),
        ("two_turns.jsonl", ["5", "5"]),
        ("mask_version.jsonl", ["0", "0"]),
        ("inspect_nosystem.json", ["sums.a", "sums.a"]),
    ],
)
def test_runs_of_a_task_have_the_id_that_the_source_gives_it(converted, name, tasks):
    traces, _, _ = converted(name)
    assert [one["task_id"] for one in traces] == tasks


def test_without_ids_tasks_with_other_system_prompts_are_not_one_group(tmp_path):
    lines = (CASES / "ids.jsonl").read_text().replace('"_ng_task_index"', '"index"')
    (tmp_path / "ids.jsonl").write_text(lines)
    runs = tmp_path / "runs.jsonl"
    trace("convert", tmp_path / "ids.jsonl", "--from", "nemo-gym", "-o", runs)
    assert "2 groups" in trace("rows", runs, "--groups").stdout


def test_a_prompt_that_is_recorded_as_messages_is_one(converted):
    _, runs, texts = converted("inspect_nosystem.json")
    roles = [[one["role"] for one in row["messages"]] for row in written(runs, texts, "trl")]
    assert roles == [["user", "assistant"]] * 2


def test_how_an_answer_came_about_is_kept(converted):
    _, _, texts = converted("mask_version.jsonl")
    assert [one["policy_version"] for one in tokens_in(texts)] == [7, 8]
    traces, _, texts = converted("two_turns.jsonl")
    assert traces[0]["events"][0]["x_run"]["stop"] == "max_output_tokens"
    finished = [one.get("finish_reason") for one in tokens_in(texts)]
    assert finished.count("max_output_tokens") == 1


def test_scores_of_inspect_are_rewards_and_an_archive_gives_the_same(converted, tmp_path):
    traces, runs, _ = converted("inspect_nosystem.json")
    assert [one["rewards"] for one in traces] == [{"match": 1}, {"match": 0}]
    log = json.loads((CASES / "inspect_nosystem.json").read_text())
    bare = [one | {"rewards": {}} for one in traces]
    runs.write_text("".join(f"{json.dumps(one)}\n" for one in bare))
    archive = tmp_path / "log.eval"
    with zipfile.ZipFile(archive, "w") as file:
        samples = log.pop("samples")
        file.writestr("header.json", json.dumps(log))
        file.writestr("summaries.json", json.dumps([{"id": "a"}]))
        for number, sample in enumerate(samples):
            file.writestr(f"samples/{number}.json", json.dumps(sample))
    result = trace("reward", runs, "--from", archive)
    assert result.exit_code == 0, result.output
    assert [json.loads(line)["rewards"] for line in result.stdout.splitlines()] == [
        {"match": 1},
        {"match": 0},
    ]


def test_rewards_of_harbor_are_found_by_the_folder_of_the_trial(converted):
    folders = [f"harbor/add__AbC{number}" for number in (1, 2)]
    traces, runs, _ = converted(*(f"{one}/agent/trajectory.json" for one in folders))
    assert [one["task_id"] for one in traces] == ["add", "add"]
    results = [("--from", CASES / one / "result.json") for one in folders]
    graded = trace("reward", runs, *results[0], *results[1])
    rewards = [json.loads(line)["rewards"] for line in graded.stdout.splitlines()]
    assert rewards == [{"reward": 0.0}, {"reward": 1.0}]


def test_a_report_on_a_background_command_is_in_the_context_that_saw_it(tmp_path):
    lines = (CASES / "empty_result.jsonl").read_text().splitlines()
    notice = "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>"
    row = json.loads(lines[0]) | {"uuid": "n", "parentUuid": "u3"}
    row["timestamp"] = "2026-01-01T00:00:02.500Z"
    row["message"] = {"role": "user", "content": notice}
    last = json.loads(lines[3]) | {"parentUuid": "n"}
    lines[3:] = [json.dumps(row), json.dumps(last)]
    (found,) = rows_of(tmp_path, *map(json.loads, lines)).values()
    said = [(one["role"], one["content"]) for one in found["messages"]]
    assert said[3:] == [("user", notice), ("assistant", "Done.")]


def told(*messages):
    parts = [(role, [{"type": "text", "content": words}]) for role, words in messages]
    return json.dumps([{"role": role, "parts": content} for role, content in parts])


def chat_span(start, asked, answer, **keys):
    given = {"gen_ai.operation.name": "chat", "gen_ai.input.messages": told(*asked)}
    if asked and isinstance(asked[0], dict):
        given["gen_ai.input.messages"] = json.dumps(asked)
    output = answer if answer[0] == "[" else told(("assistant", answer))
    given |= {"gen_ai.output.messages": output, **keys}
    return otel_span(f"chat {start}", start, start + 1, "lead", **given)


LEAD = otel_span(
    "lead", 0, 20, **{"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "lead"}
)
SEARCH = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "find"}
SEARCH |= {"gen_ai.tool.call.arguments": '{"q": "tea"}', "gen_ai.tool.call.result": "two-leaves"}
ASKED, ANSWERED, MORE = ("user", "tea?"), ("assistant", "green"), ("user", "why?")


@pytest.fixture
def of_spans(tmp_path):
    """Convert spans of one agent; return the paths of traces and texts."""

    def convert(*spans):
        runs, texts = tmp_path / "runs.jsonl", tmp_path / "texts.jsonl"
        (tmp_path / "spans.json").write_text(json.dumps(otlp(LEAD, *spans)))
        trace("convert", tmp_path / "spans.json", "-o", runs, "--contents", texts)
        return runs, texts

    return convert


@pytest.mark.parametrize(
    ("spans", "seen"),
    [
        # Earlier turns of the conversation are in no span.
        ([chat_span(1, [("system", "hi"), ASKED, ANSWERED, MORE], "so")], "hi tea? green why? so"),
        # The program searches first, and the model sees what it makes of that.
        (
            [otel_span("find", 1, 2, "lead", **SEARCH), chat_span(3, [("user", "leaves")], "so")],
            "leaves so",
        ),
        # What a person asks next is in the messages alone.
        (
            [chat_span(1, [ASKED], "green"), chat_span(3, [ASKED, ANSWERED, MORE], "so")],
            "tea? green why? so",
        ),
        # Each request repeats the prompt without the history: the events tell the rest.
        (
            [
                chat_span(1, [ASKED], "green"),
                otel_span("find", 3, 4, "lead", **SEARCH),
                chat_span(5, [ASKED], "so"),
            ],
            "tea? green two-leaves so",
        ),
    ],
)
def test_a_row_shows_the_messages_that_were_recorded_for_the_model(of_spans, spans, seen):
    (row,) = written(*of_spans(*spans), "trl")
    assert words_in(row) == seen.split()


def test_what_others_answer_in_a_shared_context_is_no_answer_of_its_own(of_spans):
    others = [ASKED, ANSWERED, ("assistant", "black"), MORE]
    spans = [chat_span(1, [ASKED], "green"), chat_span(3, others, "so")]
    rows = written(*of_spans(*spans), "trl")
    assert [[one["content"] for one in row["completion"]] for row in rows] == [["green"], ["so"]]
    assert [one["content"] for one in rows[1]["prompt"]] == ["tea?", "green", "black", "why?"]


def test_results_of_calls_beside_each_other_stay_with_their_calls(of_spans):
    def call(name, start, end):
        keys = {**SEARCH, "gen_ai.tool.call.id": name, "gen_ai.tool.call.result": f"of {name}"}
        return otel_span(name, start, end, "lead", **keys)

    back = [{"type": "tool_call_response", "id": one, "response": f"of {one}"} for one in "ab"]
    asked = json.loads(told(ASKED, ("assistant", "both")))
    asked += [{"role": "tool", "parts": [one]} for one in back]
    last = chat_span(7, asked, "so")
    # The second call is over first.
    spans = [chat_span(1, [ASKED], "both"), call("a", 2, 6), call("b", 3, 4), last]
    (row,) = written(*of_spans(*spans), "trl")
    results = [one for one in row["messages"] if one["role"] == "tool"]
    assert {one["tool_call_id"]: one["content"] for one in results} == {"a": "of a", "b": "of b"}


def test_an_answer_of_which_nothing_is_recorded_is_not_trained_as_silence(of_spans):
    asked = [{"type": "tool_call", "id": "c", "name": "find", "arguments": {}}]
    answers = [json.dumps([{"role": "assistant", "parts": parts}]) for parts in (asked, [])]
    (row,) = written(*of_spans(chat_span(1, [ASKED], answers[0])), "trl")
    (call,) = row["messages"][-1]["tool_calls"]
    assert (call["id"], call["function"]["name"]) == ("c", "find")
    runs, texts = of_spans(chat_span(1, [ASKED], answers[1]))
    result = trace("convert", runs, "--contents", texts, "--to", "trl")
    assert (result.exit_code, "OT515" in result.stderr) == (1, True)


def words_in(row):
    return [one["content"] for one in row.get("messages") or row["prompt"] + row["completion"]]


def system(words):
    return {"gen_ai.system_instructions": json.dumps([{"type": "text", "content": words}])}


def tools(name):
    return {"gen_ai.tool.definitions": json.dumps([{"type": "function", "name": name}])}


@pytest.mark.parametrize(
    ("first", "second", "seen"),
    [
        (system("calm"), system("calm"), ["calm tea? green why? so"]),
        (system("calm"), system("rude"), ["calm tea? green", "rude tea? green why? so"]),
        (tools("find"), tools("find"), ["tea? green why? so"]),
        (tools("find"), tools("buy"), ["tea? green", "tea? green why? so"]),
    ],
)
def test_another_system_prompt_or_other_tools_begin_a_row(of_spans, first, second, seen):
    spans = [chat_span(1, [ASKED], "green", **first)]
    spans.append(chat_span(3, [ASKED, ANSWERED, MORE], "so", **second))
    rows = written(*of_spans(*spans), "trl")
    assert list(map(words_in, rows)) == list(map(str.split, seen))
    offered = [[one["function"]["name"] for one in row.get("tools", ())] for row in rows]
    assert all(len(names) <= 1 for names in offered)


@pytest.mark.parametrize("answer", ["[]", None])
def test_a_request_that_failed_is_no_answer(of_spans, answer):
    failed = chat_span(1, [ASKED], "[]") | {"status": {"code": 2}}
    if answer is None:
        failed["attributes"] = [
            one for one in failed["attributes"] if one["key"] != "gen_ai.output.messages"
        ]
    runs, texts = of_spans(failed, chat_span(3, [ASKED], "so"))
    (row,) = written(runs, texts, "trl")
    assert words_in(row) == ["tea?", "so"]


@pytest.mark.parametrize("asked", ["tea?", {"prompts": ["tea?"]}, {"input": "tea?"}])
def test_a_prompt_that_is_a_text_alone_is_the_users(tmp_path, asked):
    """As a model that completes texts is asked, or a chain that has one input."""
    times = {"start_time": "2026-01-01T00:00:00Z", "end_time": "2026-01-01T00:00:01Z"}
    said = {"generations": [[{"text": "so", "message": {"kwargs": {"content": "so"}}}]]}
    call = {"id": "l", "name": "llm", "run_type": "llm", "inputs": asked, "outputs": said, **times}
    top = {"id": "r", "name": "lead", "run_type": "chain", "inputs": {}, "outputs": {}, **times}
    (row,) = rows_of(tmp_path, top | {"child_runs": [call]}).values()
    assert [one["role"] for one in row["messages"]] == ["user", "assistant"]
    assert words_in(row) == ["tea?", "so"]


def test_how_spans_say_that_an_answer_was_sampled_is_in_the_row(of_spans):
    keys = {"gen_ai.response.finish_reasons": '["length"]', "gen_ai.request.temperature": 0.5}
    (row,) = written(*of_spans(chat_span(1, [ASKED], "gree", **keys)), "trl")
    assert (row["finish_reason"], row["sampling"]) == ("length", {"temperature": 0.5})


BLOB = {"type": "blob", "mime_type": "image/png", "modality": "image", "content": "iVBOR"}
WITH_BLOB = {"role": "user", "parts": [{"type": "text", "content": "what?"}, BLOB]}
SOURCE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBOR"}}


def of_claude(at, content):
    rows = list(map(json.loads, (CASES / "empty_result.jsonl").read_text().splitlines()))
    place = rows[0]["message"] if at == "prompt" else rows[2]["message"]["content"][0]
    place["content"] = content
    return rows


def of_codex():
    written = [
        ("session_meta", {"id": "c", "cli_version": "0.150.0"}),
        ("event_msg", {"type": "user_message", "message": "what?", "images": ["data:iVBOR"]}),
        ("response_item", {"type": "message", "role": "assistant", "content": [{"text": "so"}]}),
    ]
    keys = ("timestamp", "type", "payload")
    return [dict(zip(keys, ("2026-01-01T00:00:00Z", *one), strict=True)) for one in written]


def of_gemini(at):
    parts = [{"text": "what?"}, {"inlineData": {"mimeType": "image/png", "data": "iVBOR"}}]
    back = {"functionResponse": {"name": "see", "response": {"output": "what?"}}}
    call = {"id": "1", "name": "see", "args": {}, "status": "success", "result": [back, parts[1]]}
    said = [("user", parts if at == "prompt" else parts[:1], {}), ("gemini", "", {})]
    said[1][2]["toolCalls"] = [call]
    said.append(("gemini", "so", {}))
    messages = [{"type": one, "content": words, **more} for one, words, more in said]
    for number, one in enumerate(messages):
        one |= {"id": str(number), "timestamp": f"2026-01-01T00:00:0{number}Z"}
    return [{"sessionId": "g", "projectHash": "h", "messages": messages}]


def of_autogen():
    usage = {"prompt_tokens": 3, "completion_tokens": 2}
    asked = {"source": "user", "type": "MultiModalMessage", "models_usage": None}
    asked["content"] = ["what?", {"data": "iVBOR"}]
    said = {"source": "w", "type": "TextMessage", "models_usage": usage, "content": "so"}
    return [{"messages": [asked, said], "stop_reason": None}]


PICTURE = [{"type": "text", "text": "what?"}, SOURCE]


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("s.jsonl", of_claude("prompt", PICTURE)),
        ("s.jsonl", of_claude("result", PICTURE)),
        ("rollout-c.jsonl", of_codex()),
        ("session-g.json", of_gemini("prompt")),
        ("session-g.json", of_gemini("result")),
        ("team.json", of_autogen()),
        ("spans.json", [otlp(LEAD, chat_span(1, [WITH_BLOB], "so"))]),
    ],
)
def test_a_picture_is_no_text_and_the_row_says_that_it_is_missing(tmp_path, name, rows):
    (row,) = rows_of(tmp_path, *rows, name=name).values()
    assert "what?\n\ufffc" in words_in(row)
    assert "pictures, sounds or files" in row["missing"]
    assert "iVBOR" not in json.dumps(row)


@pytest.mark.parametrize("result", ["", [], [{"type": "text", "text": ""}]])
def test_an_empty_result_is_an_empty_text_however_it_is_written(tmp_path, result):
    (row,) = rows_of(tmp_path, *of_claude("result", result)).values()
    assert row["messages"][2]["content"] == ""


def test_a_model_of_inspect_that_failed_says_nothing_and_a_tool_says_why(tmp_path):
    log = json.loads((CASES / "inspect_nosystem.json").read_text())
    (sample, *_) = log["samples"] = log["samples"][:1]

    def event(kind, second, **keys):
        time = f"2026-01-01T00:00:0{second}+00:00"
        return {"event": kind, "timestamp": time, "span_id": "s", **keys}

    asked = [{"role": "user", "content": "tea?"}]
    call = {"id": "c", "function": "find", "arguments": {}}
    answers = [{"content": "", "tool_calls": [call]}, {"content": "so"}]
    outputs = [{"choices": [{"message": {"role": "assistant", **one}}]} for one in ({}, *answers)]
    failed, looks, ends = (
        event("model", second, model="m", input=asked, output=one)
        for second, one in zip((1, 2, 4), outputs, strict=True)
    )
    failed |= {"error": "429", "output": {"choices": []}}
    slow = event("tool", 3, **call, result="", error={"type": "timeout", "message": "too slow"})
    begun = event("span_begin", 0, id="s", type="agent", name="lead")
    sample["events"] = [begun, failed, looks, slow, ends]
    (row,) = rows_of(tmp_path, log, name="log.json").values()
    assert words_in(row) == ["tea?", "", "too slow", "so"]


def test_two_agents_of_one_name_are_two_conversations(tmp_path):
    def of_solver(number, answer):
        nodes = [{"parent": None, "message": {"role": "user", "content": "tea?"}}]
        said = {"role": "assistant", "content": answer}
        nodes.append({"parent": 0, "message": said, "sampled": True})
        rewards = {"r": {"score": float(number)}}
        agent = {"name": "solver", "config": {"model": "m"}}
        return {"id": str(number), "agent": agent, "nodes": nodes, "rewards": rewards}

    traces = [of_solver(1, "green"), of_solver(0, "black")]
    rows = rows_of(tmp_path, {"id": "e", "task": {"key": "t"}, "traces": traces})
    assert {name: (words_in(row), row["reward"]) for name, row in rows.items()} == {
        "solver": (["tea?", "green"], 1.0),
        "solver#2": (["tea?", "black"], 0.0),
    }


def test_a_sub_agent_is_asked_what_its_own_recording_says(tmp_path):
    """The call has arguments for the program; the prompt that it makes of them is recorded."""

    def steps(*written):
        return [{"step_id": number, **one} for number, one in enumerate(written, 1)]

    own = steps({"source": "user", "message": "find A"}, {"source": "agent", "message": "got A"})
    call = {"tool_call_id": "k", "function_name": "search", "arguments": {"q": "A"}}
    back = {"source_call_id": "k", "subagent_trajectory_ref": [{"trajectory_id": "x"}]}
    asking = {"tool_calls": [call], "observation": {"results": [back | {"content": "got A"}]}}
    lead = steps(
        {"source": "user", "message": "look"},
        {"source": "agent", "message": "", **asking},
        {"source": "agent", "message": "A"},
    )
    head = {"schema_version": "ATIF-v1.7", "session_id": "s"}
    helper = {"trajectory_id": "x", "agent": {"name": "finder", "version": "1"}, "steps": own}
    run = head | {"agent": {"name": "lead", "version": "1"}, "steps": lead}
    rows = rows_of(tmp_path, run | {"subagent_trajectories": [head | helper]}, name="s.json")
    assert words_in(rows["finder"]) == ["find A", "got A"]
    assert rows["lead"]["messages"][1]["tool_calls"][0]["function"]["name"] == "search"


def test_a_call_of_a_sub_agent_is_written_as_the_model_made_it(tmp_path):
    rows = of_claude("result", "got A")
    asked = {"description": "look", "prompt": "find A", "subagent_type": "finder"}
    rows[1]["message"]["content"][0] |= {"name": "Task", "input": asked}
    row = rows_of(tmp_path, *rows)["main"]
    function = row["messages"][1]["tool_calls"][0]["function"]
    assert function == {"name": "Task", "arguments": asked}


def test_calls_that_verifiers_writes_as_texts_are_calls_and_an_error_is_one(tmp_path):
    call = {"id": "c", "type": "function", "function": {"name": "find", "arguments": "{}"}}
    answers = [
        {"role": "assistant", "content": "", "tool_calls": [json.dumps(call)]},
        {"role": "tool", "tool_call_id": "c", "content": ""},
        {"role": "assistant", "content": "so"},
    ]
    row = {"example_id": 1, "prompt": [{"role": "user", "content": "tea?"}]}
    row |= {"completion": answers, "reward": 1.0, "stop_condition": "done", "error": "ToolError"}
    (found,) = rows_of(tmp_path, row).values()
    assert words_in(found) == ["tea?", "", "", "so"]
    assert found["messages"][1]["tool_calls"][0]["function"] == {"name": "find", "arguments": {}}
    assert found["stop"] == "error"
