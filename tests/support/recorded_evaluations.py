"""Made-up logs of evaluations."""

import io
import json
import zipfile
from typing import Any

from tests.support.recorded_samples import iso
from tests.support.recorded_traces import SECRET
from tests.support.sample import Expected, Sample


def _at(kind, start, span="", **more):
    return {
        "event": kind,
        "timestamp": iso(start),
        "working_start": start,
        "span_id": span or None,
        **more,
    }


def _begin(name, start, above, kind, title):
    more = {"id": name, "parent_id": above or None, "type": kind, "name": title}
    return _at("span_begin", start, name, **more)


def _end(name, start):
    return _at("span_end", start, name, id=name)


def _model(start, span, **usage):
    message = {"role": "assistant", "content": SECRET}
    output = {"model": "model-1", "choices": [{"message": message}], "usage": usage}
    more = {"model": "maker/model-1", "input": [], "output": output}
    return _at("model", start, span, completed=iso(start + 0.5), **more)


def _tool(start, end, span, call, name, **more):
    ran = {"id": call, "function": name, "arguments": {"q": SECRET}, "result": SECRET}
    return _at("tool", start, span, completed=iso(end), **ran, **more)


def inspect_sample():
    """A sample in which an agent asks another one as a tool, and hands over to a third."""
    exclusive = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 95}
    cached = {"input_tokens_cache_read": 60, "input_tokens_cache_write": 20, "reasoning_tokens": 2}
    inclusive = {"input_tokens": 50, "output_tokens": 5, "total_tokens": 55}
    approval = {"call": {"id": "c2", "function": "bash"}, "approver": "human", "message": SECRET}
    events = [
        _begin("init", 0, "", "init", "init"),
        _at("sample_init", 0, "init"),
        _end("init", 0.5),
        _begin("solvers", 1, "", "solvers", "solvers"),
        _begin("lead", 1.1, "solvers", "agent", "react"),
        _model(2, "lead", **exclusive, **cached),
        _begin("t1", 3, "lead", "tool", "ask"),
        _tool(3, 9, "lead", "c1", "ask", agent_span_id="sub"),
        _begin("sub", 3.1, "t1", "agent", "searcher"),
        _model(4, "sub", **inclusive, input_tokens_cache_read=40),
        _at("approval", 5, "sub", decision="reject", **approval),
        _begin("t3", 5.1, "sub", "tool", "bash"),
        _tool(5.1, 5.2, "sub", "c2", "bash", error={"type": "approval", "message": SECRET}),
        _end("t3", 5.2),
        _model(6, "sub", **inclusive),
        _end("sub", 8.9),
        _end("t1", 9),
        _at("input", 10, "lead", input=SECRET),
        _model(11, "lead", **inclusive),
        _begin("h2", 12, "lead", "handoff", "writer"),
        _begin("t2", 12, "h2", "tool", "transfer_to_writer"),
        _tool(12, 15, "lead", "c3", "transfer_to_writer", agent="writer"),
        _begin("w", 12.1, "t2", "agent", "writer"),
        _model(13, "w", **inclusive),
        _end("w", 14.9),
        _end("t2", 15),
        _end("h2", 15),
        _at("new_thing", 15.5, "lead"),
        _model(16, "lead", **inclusive),
        _end("lead", 17),
        _end("solvers", 17.1),
        _begin("scorers", 18, "", "scorers", "scorers"),
        _begin("s1", 18, "scorers", "scorer", "grader"),
        _model(18.5, "s1", **inclusive),
        _end("s1", 19),
        _end("scorers", 19),
    ]
    return {
        "id": 1,
        "epoch": 1,
        "uuid": "sample-1",
        "input": "attachment://a1",
        "messages": [],
        "scores": {"grader": {"value": "C"}},
        "events": events,
        "attachments": {"a1": SECRET},
    }


def inspect_log(sample):
    spec = {"task": "puzzle", "model": "maker/model-1", "eval_id": "e1"}
    return {"version": 2, "status": "success", "eval": spec, "plan": {}, "samples": [sample]}


def _expected():
    return Expected(
        {"react", "searcher", "writer"},
        1,
        6,
        95 + 5 * 55,
        {"input": 10 + 10 + 4 * 50, "cached": 100, "cache_write": 20, "output": 30, "reasoning": 2},
    )


def inspect_0_3_180():
    files: dict[str, Any] = {"log.json": [inspect_log(inspect_sample())]}
    return Sample("Inspect 0.3.180 (spans)", files, _expected())


def archive(members):
    """The bytes of an archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return packed.getvalue()


def inspect_eval():
    """The same run as an archive: each sample is a file in it."""
    log = inspect_log(inspect_sample())
    (sample,) = log.pop("samples")
    members = {
        "_journal/start.json": json.dumps({"version": 2, "eval": log["eval"], "plan": {}}),
        "samples/1_epoch_1.json": json.dumps(sample),
        "summaries.json": "[]",
        "header.json": json.dumps(log),
    }
    return Sample("Inspect 0.3.180 (.eval)", {"log.eval": archive(members)}, _expected())


EVALUATION_SAMPLES = {"inspect 0.3.180": inspect_0_3_180, "inspect eval": inspect_eval}
