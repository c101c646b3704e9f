"""verifiers and what prime-rl asks of its episodes; and our reader of what verifiers writes."""

import json

from tiny import corpus, expected_mask, ids
from verifiers.v1.episode import WireEpisode


def episodes_of(written):
    return [WireEpisode.model_validate(row) for row in written]


def trainable(episode):
    """The rule of `iter_trainable_traces` (prime-rl at 559b447, orchestrator/algo/base.py)."""
    for trace in episode.traces:
        if (
            not trace.has_error
            and trace.agent.trainable
            and any(any(node.mask) for node in trace.nodes)
        ):
            yield trace


def test_every_trace_is_trained_and_its_tokens_are_those_of_the_template(rows, tokenizer):
    written, _ = rows("--to", "verifiers", "--credit", "grpo:std=none")
    conversations, _ = rows("--to", "trl")
    for episode, row, advantage in zip(
        episodes_of(written), conversations, (0.5, -0.5), strict=True
    ):
        assert (episode.ok, episode.group.id, episode.env.name) == (True, "3", "nemo-gym")
        (trace,) = trainable(episode)
        assert trace.stop_condition == "agent_completed"
        (branch,) = trace.branches
        # The template ends an answer with a line that no model has sampled.
        assert branch.token_ids == ids(tokenizer, row["messages"], row["tools"])[:-1]
        mask = expected_mask(tokenizer, row["messages"], row["tools"])[:-1]
        assert branch.sampled_mask == [bool(one) for one in mask]
        assert branch.logprobs == [-0.25 * one for one in mask]
        assert branch.advantages == [advantage * one for one in mask]
        assert trace.reward == row["reward"]
        assert [(call.model, call.sampling.temperature) for call in trace.calls] == [("m", 0.7)] * 2
        assert [node.message.role for node in branch.nodes] == [
            one["role"] for one in row["messages"]
        ]


def test_a_run_that_failed_is_not_trained(rows, tmp_path):
    rows("--to", "verifiers")
    traces = [json.loads(line) for line in (tmp_path / "runs.jsonl").read_text().splitlines()]
    traces[0]["events"][-1]["x_error"] = "out of memory"
    (tmp_path / "runs.jsonl").write_text("\n".join(map(json.dumps, traces)))
    episodes = episodes_of(rows("--to", "verifiers")[0])
    assert [len(list(trainable(episode))) for episode in episodes] == [0, 1]


def test_what_verifiers_writes_of_them_is_read_as_the_same_runs(rows, tmp_path):
    written, _ = rows("--to", "verifiers")
    path = tmp_path / "traces.jsonl"
    path.write_text("".join(f"{json.dumps(one.to_record())}\n" for one in episodes_of(written)))
    again, texts = tmp_path / "again.jsonl", tmp_path / "again_texts.jsonl"
    corpus("convert", path, "-o", again, "--contents", texts)
    before = [json.loads(line) for line in (tmp_path / "runs.jsonl").read_text().splitlines()]
    after = [json.loads(line) for line in again.read_text().splitlines()]
    for one, other in zip(before, after, strict=True):
        assert [
            sum(event.get("x_steps", 0) for event in run["events"]) for run in (one, other)
        ] == [2, 2]
        assert sorted(one["rewards"].values()) == sorted(other["rewards"].values())
        assert one["task_id"] == other["task_id"]
    out = tmp_path / "again_rows.jsonl"
    corpus("convert", again, "--contents", texts, "--to", "trl", "-o", out)
    conversations, _ = rows("--to", "trl")
    for one, other in zip(
        conversations, map(json.loads, out.read_text().splitlines()), strict=True
    ):
        assert [(message["role"], message["content"]) for message in one["messages"]] == [
            (message["role"], message["content"]) for message in other["messages"]
        ]
