"""Made-up rollouts of reinforcement learning environments."""

import json

from tests.support.recorded_traces import SECRET
from tests.support.sample import Expected, Sample

PROMPT = [{"role": "system", "content": SECRET}, {"role": "user", "content": SECRET}]


def nemo_gym_rollout():
    """Two model calls around a tool, with the ids of their tokens."""
    ids = {"prompt_token_ids": [1, 2], "generation_token_ids": [3], "generation_log_probs": [-0.5]}
    call = {"type": "function_call", "call_id": "c1", "name": "shop", "arguments": SECRET}
    text = {"type": "output_text", "text": SECRET}
    output = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": SECRET}]},
        {**call, **ids},
        {"type": "function_call_output", "call_id": "c1", "output": SECRET},
        {"type": "message", "role": "assistant", "content": [text], **ids},
    ]
    usage = {"input_tokens": 50, "output_tokens": 6}
    response = {"id": "resp_1", "model": "m-1", "output": output, "usage": usage}
    place = {"_ng_task_index": 0, "_ng_rollout_index": 1, "agent_ref": {"name": "simple"}}
    asked = {"input": PROMPT, "tools": [{"name": "shop", "description": SECRET}]}
    return {"responses_create_params": asked, "response": response, "reward": 1.0, **place}


def verifiers_rollout():
    """A tool, an answer that the environment replies to, and the end by a limit."""
    call = {"id": "c1", "function": {"name": "shop", "arguments": json.dumps({"q": SECRET})}}
    completion = [
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": SECRET},
        {"role": "assistant", "content": SECRET, "reasoning_content": SECRET},
        {"role": "user", "content": SECRET},
        {"role": "assistant", "content": SECRET},
    ]
    ids = {"prompt_ids": [1], "completion_ids": [2], "completion_mask": [1]}
    tokens = [{"tokens": {**ids, "completion_logprobs": [-0.25]}} for _ in range(3)]
    rollout = {"example_id": 7, "prompt": PROMPT, "completion": completion, "reward": 0.5}
    usage = {"input_tokens": 30.0, "output_tokens": 9.0}
    end = {"metrics": {"exact": 1.0}, "stop_condition": "max_turns_reached", "token_usage": usage}
    return {**rollout, **end, "trajectory": tokens}


def rllm_episode():
    """A solver of two steps, which repeat what was told, and a judge of one."""

    def step(chat):
        ids = {"prompt_ids": [1], "response_ids": [2], "logprobs": [-0.75]}
        return {"chat_completions": chat, **ids, "reward": 0.0}

    answer = {"role": "assistant", "content": SECRET, "reasoning": SECRET}
    first = [*PROMPT, answer]
    solver = [step(first), step([*first, {"role": "user", "content": SECRET}, answer])]
    trajectories = [
        {"name": "solver", "steps": solver, "reward": 1.0},
        {"name": "judge", "steps": [step([PROMPT[1], answer])], "reward": None},
    ]
    end = {"termination_reason": "env_done", "is_correct": True, "metrics": {}}
    return {"id": "task-1:0", "task": {"q": SECRET}, **end, "trajectories": trajectories}


def nemo_gym():
    expected = Expected({"simple"}, 0, 2, 56, {"input": 50, "output": 6})
    return Sample("NeMo Gym 0.2", {"rollouts.jsonl": [nemo_gym_rollout()]}, expected)


def verifiers():
    expected = Expected({"agent"}, 0, 3, 39, {"input": 30, "output": 9})
    return Sample("verifiers 0.1", {"results.jsonl": [verifiers_rollout()]}, expected)


def rllm():
    expected = Expected({"solver", "judge"}, 0, 3, 0, {})
    return Sample("rLLM 0.2", {"episodes.jsonl": [rllm_episode()]}, expected)


ROLLOUT_SAMPLES = {"nemo gym": nemo_gym, "verifiers": verifiers, "rllm": rllm}
