"""agent-lightning's store and its tree of the same spans: the tokens that it would train are those of our rows."""

import asyncio
import json
import subprocess
import sys

from agentlightning.adapter.triplet import TracerTraceToTriplet
from agentlightning.store.memory import InMemoryLightningStore
from agentlightning.types import Span

#: Name, parent, and attributes of each span; a lead asks a searcher between its two calls.
SPANS = [
    ("session", None, {"agentops.span.kind": "session"}),
    ("lead", "session", {"agentops.span.kind": "agent", "agent.name": "lead"}),
    ("first", "lead", {"prompt_token_ids": [1, 2, 3], "response_token_ids": [10, 11]}),
    ("searcher", "lead", {"agentops.span.kind": "agent", "agent.name": "searcher"}),
    ("found", "searcher", {"prompt_token_ids": [5, 6], "response_token_ids": [20]}),
    ("last", "lead", {"prompt_token_ids": [1, 2, 3, 10, 11, 7], "response_token_ids": [12]}),
]


def spans_of(rollout, attempt):
    found = []
    for number, (name, parent, attributes) in enumerate(SPANS):
        title = (
            f"{name}.agent" if name in ("session", "lead", "searcher") else "openai.chat.completion"
        )
        if title.startswith("openai"):
            attributes = attributes | {
                "gen_ai.operation.name": "chat",
                "gen_ai.request.model": "m",
                "gen_ai.response.id": name,
                "gen_ai.prompt.0.role": "user",
                "gen_ai.prompt.0.content": f"what {name}?",
                "gen_ai.completion.0.role": "assistant",
                "gen_ai.completion.0.content": name,
            }
        trace = {"trace_id": "a" * 32, "is_remote": False, "trace_state": {}}
        ids = {one: f"{place + 1:016x}" for place, (one, *_) in enumerate(SPANS)}
        context = trace | {"span_id": ids[name]}
        above = trace | {"span_id": ids[parent]} if parent else None
        end = 100.0 - number if number < 2 else number + 0.5
        found.append(
            Span.model_validate(
                {
                    "rollout_id": rollout,
                    "attempt_id": attempt,
                    "sequence_id": number,
                    "trace_id": trace["trace_id"],
                    "span_id": ids[name],
                    "parent_id": ids.get(parent),
                    "name": title,
                    "status": {"status_code": "OK", "description": None},
                    "attributes": attributes,
                    "events": [],
                    "links": [],
                    "start_time": float(number),
                    "end_time": 3.9 + 0.8 if name == "searcher" else end,
                    "context": context,
                    "parent": above,
                    "resource": {"attributes": {}, "schema_url": ""},
                }
            )
        )
    return found


async def stored():
    """The spans of a rollout as the store gives them back."""
    store = InMemoryLightningStore()
    started = await store.start_rollout(input={"question": "when?"})
    for span in spans_of(started.rollout_id, started.attempt.attempt_id):
        await store.add_span(span)
    return list(await store.query_spans(started.rollout_id))


def corpus(*arguments):
    command = [sys.executable, "-m", "corpus", "trace", *map(str, arguments)]
    subprocess.run(command, check=True, capture_output=True, text=True)


def test_the_tokens_that_it_trains_are_those_of_our_rows(tmp_path):
    spans = asyncio.run(stored())
    runs, texts, rows = (tmp_path / name for name in ("runs.jsonl", "texts.jsonl", "rows.jsonl"))
    (tmp_path / "spans.jsonl").write_text("".join(f"{span.model_dump_json()}\n" for span in spans))
    corpus("convert", tmp_path / "spans.jsonl", "-o", runs, "--contents", texts)
    (run,) = map(json.loads, runs.read_text().splitlines())
    run["rewards"] = {"reward@lead": 1.0, "reward@searcher": 0.5}
    runs.write_text(json.dumps(run))
    corpus("convert", runs, "--contents", texts, "--to", "rllm", "-o", rows)
    (episode,) = map(json.loads, rows.read_text().splitlines())
    ours = []
    for trajectory in episode["trajectories"]:
        for step in trajectory["steps"]:
            output = step["model_output"]
            ours.append((trajectory["name"], output["prompt_ids"], output["completion_ids"]))
    theirs = []
    for triplet in TracerTraceToTriplet().adapt(spans):
        name = triplet.metadata["agent_name"]
        theirs.append((name, triplet.prompt["token_ids"], triplet.response["token_ids"]))
    assert len(theirs) == 3
    assert sorted(ours) == sorted(theirs)
