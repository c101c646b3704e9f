"""Made-up runs of LangSmith."""

from tests.support.recorded_samples import iso
from tests.support.recorded_traces import SECRET
from tests.support.sample import Expected, Sample


def _run(name, kind, start, end, **more):
    return {
        "id": f"run-{name}",
        "name": name,
        "run_type": kind,
        "start_time": iso(start),
        "end_time": iso(end),
        "inputs": {"input": SECRET},
        "outputs": {},
        "extra": {},
        "error": None,
        **more,
    }


def _answer(tokens_in, tokens_out, **details):
    usage = {
        "input_tokens": tokens_in,
        "output_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
        "input_token_details": details,
        "output_token_details": {"reasoning": 1},
    }
    message = {"lc": 1, "type": "constructor", "kwargs": {"usage_metadata": usage}}
    return {"generations": [[{"text": SECRET, "message": message}]]}


def langsmith_tree():
    """An executor with a tool that starts a chain of its own; one tree, as a tracer holds it."""
    inner = _run("reader", "chain", 4, 8)
    inner["child_runs"] = [
        _run("prompt", "prompt", 4, 4.5),
        _run("llm2", "llm", 5, 6, outputs=_answer(20, 4, cache_read=8)),
        _run("parser", "parser", 6, 6.5),
    ]
    ask = _run("ask", "tool", 3, 9, extra={"tool_call_id": "call_1"}, child_runs=[inner])
    model = {"metadata": {"ls_model_name": "model-1"}}
    top = _run("executor", "chain", 0, 12)
    top["child_runs"] = [
        _run("llm1", "llm", 1, 2, outputs=_answer(10, 2, cache_creation=5), extra=model),
        ask,
        _run("llm3", "llm", 10, 11, outputs=_answer(30, 6)),
        _run("odd", "dream", 11, 11.5),
    ]
    top["child_runs"][-1]["parent_run_id"] = "run-executor"
    return Sample(
        "LangSmith SDK 0.1 (child_runs)",
        {"run.json": [top]},
        Expected(
            {"executor", "reader"},
            1,
            3,
            12 + 24 + 36,
            {"input": 5 + 12 + 30, "cached": 8, "cache_write": 5, "output": 12, "reasoning": 3},
        ),
    )


def langsmith_runs():
    """A graph of two nodes, of which the first hands over; totals are repeated at the top."""

    def node(name, step):
        space = f"{name}:7f"
        metadata = {"langgraph_node": name, "langgraph_step": step, "checkpoint_ns": space}
        return {"metadata": {**metadata, "ls_model_name": "model-1"}}

    rows = [
        ("graph", "chain", 0, 20, "", {}),
        ("planner", "chain", 1, 8, "graph", node("planner", 1)),
        ("think", "llm", 2, 3, "planner", node("planner", 1)),
        ("look_up", "tool", 4, 5, "planner", node("planner", 1)),
        ("transfer_to_writer", "tool", 6, 7, "planner", node("planner", 1)),
        ("writer", "chain", 9, 18, "graph", node("writer", 2)),
        ("writer-graph", "chain", 9.5, 17, "writer", node("writer", 2)),
        ("agent", "chain", 10, 12, "writer-graph", node("agent", 1)),
        ("write", "llm", 10.5, 11, "agent", node("agent", 1)),
    ]
    orders: dict[str, str] = {"": ""}
    found = []
    for name, kind, start, end, above, extra in rows:
        stamp = f"20260101T0000{int(start):02d}000000Zrun-{name}"
        orders[name] = f"{orders[above]}.{stamp}".strip(".")
        run = _run(name, kind, start, end, extra=extra)
        # The parent is told by the order alone, as exports for bulk processing leave it.
        found.append({**run, "trace_id": "run-graph", "dotted_order": orders[name]})
    usage = {"prompt_tokens": 40, "completion_tokens": 5, "total_tokens": 45}
    for run in found:
        if run["run_type"] == "llm":
            run.update(usage)
    found[0].update(prompt_tokens=80, completion_tokens=10, total_tokens=90)
    return found


def langsmith_graph():
    return Sample(
        "LangSmith SDK 0.4 with LangGraph 1",
        {"runs.jsonl": langsmith_runs()},
        Expected({"planner", "writer"}, 0, 2, 90, {"input": 80, "output": 10}),
    )


LANGSMITH_SAMPLES = {"langsmith tree": langsmith_tree, "langsmith graph": langsmith_graph}
