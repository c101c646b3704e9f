"""Made-up runs as spans: one for each dialect of attributes, and one for each envelope."""

import base64
import json

from tests.support.recorded_samples import iso, otel_span, otlp
from tests.support.recorded_traces import SECRET
from tests.support.sample import Expected, Sample

_OPERATION = "gen_ai.operation.name"


def _agent(name, **more):
    return {_OPERATION: "invoke_agent", "gen_ai.agent.name": name, **more}


def _tool(name, call, **more):
    tool = {"gen_ai.tool.name": name, "gen_ai.tool.call.id": call}
    return {_OPERATION: "execute_tool", **tool, **more}


def _chat(tokens_in, tokens_out, **more):
    usage = {"gen_ai.usage.input_tokens": tokens_in, "gen_ai.usage.output_tokens": tokens_out}
    return {_OPERATION: "chat", "gen_ai.request.model": "maker/model-1", **usage, **more}


def genai_1_26():
    """Before operations and agents: the model that is asked for makes a model call."""
    usage = {"gen_ai.usage.prompt_tokens": 30, "gen_ai.usage.completion_tokens": 5}
    call = {"gen_ai.system": "openai", "gen_ai.request.model": "model-1", **usage}
    spans = [
        otel_span("job", 0, 9),
        otel_span("c1", 1, 2, "job", **call, **{"gen_ai.prompt": SECRET}),
        otel_span("GET", 3, 4, "job", **{"http.method": "GET"}),
        otel_span("c2", 5, 6, "job", **call),
    ]
    return Sample(
        "GenAI conventions 1.26",
        {"spans.json": [otlp(*spans)]},
        Expected({"job"}, 0, 2, 70, {"input": 60, "output": 10}),
    )


def genai_1_36():
    """Agents of one name that their ids tell apart, each called as a tool."""
    first = {"gen_ai.agent.id": "asst_1", "gen_ai.system": "openai"}
    second = {"gen_ai.agent.id": "asst_2", "gen_ai.system": "openai"}
    spans = [
        otel_span("create", 0, 0.5, **{_OPERATION: "create_agent"}),
        otel_span("lead", 0, 20, **_agent("lead")),
        otel_span("c1", 1, 2, "lead", **_chat(40, 4, **{"gen_ai.system": "openai"})),
        otel_span("ask1", 3, 6, "lead", **_tool("ask", "call_1")),
        otel_span("w1", 3.1, 5.9, "ask1", **_agent("worker", **first)),
        otel_span("c2", 4, 5, "w1", **_chat(10, 1)),
        otel_span("ask2", 7, 10, "lead", **_tool("ask", "call_2")),
        otel_span("w2", 7.1, 9.9, "ask2", **_agent("worker", **second)),
        otel_span("c3", 8, 9, "w2", **_chat(10, 1)),
        otel_span("c4", 11, 12, "lead", **_chat(50, 6)),
    ]
    return Sample(
        "GenAI conventions 1.36",
        {"spans.json": [otlp(*spans)]},
        Expected(
            {"lead", "worker", "worker#2"}, 2, 4, 44 + 11 + 11 + 56, {"input": 110, "output": 12}
        ),
    )


def genai_2026():
    """Workflow, transfer of control, retrieval, memory, and tokens by kind."""
    talk = {"gen_ai.conversation.id": "conv_1", "gen_ai.provider.name": "openai"}
    kinds = {
        "gen_ai.usage.cache_read.input_tokens": 60,
        "gen_ai.usage.cache_creation.input_tokens": 10,
        "gen_ai.usage.reasoning.output_tokens": 7,
    }
    transfer = {"gen_ai.transfer.mode": "pass_control", "gen_ai.transfer.target.name": "billing"}
    spans = [
        otel_span("flow", 0, 30, **{_OPERATION: "invoke_workflow", **talk}),
        otel_span("triage", 1, 10, "flow", **_agent("triage", **talk)),
        otel_span("c1", 2, 3, "triage", **_chat(100, 9, **kinds, **talk)),
        otel_span("look up", 4, 5, "triage", **{_OPERATION: "retrieval"}),
        otel_span("memory", 5, 6, "triage", **{_OPERATION: "search_memory"}),
        otel_span("c2", 6, 7, "triage", **_chat(20, 2, **talk)),
        otel_span("hand over", 8, 9, "triage", **_tool("transfer", "call_1", **transfer)),
        otel_span("billing", 11, 20, "flow", **_agent("billing", **talk)),
        otel_span("c3", 12, 13, "billing", **_chat(30, 3, **talk)),
        otel_span("odd", 14, 15, "billing", **{_OPERATION: "dream", "acme.mood": "calm"}),
    ]
    return Sample(
        "GenAI conventions 2026",
        {"spans.json": [otlp(*spans)]},
        Expected(
            {"triage", "billing"},
            0,
            3,
            109 + 22 + 33,
            {"input": 80, "cached": 60, "cache_write": 10, "output": 14, "reasoning": 7},
        ),
    )


def openllmetry():
    """Decorated functions: an agent inside a workflow, another one inside a tool."""
    kind = "traceloop.span.kind"
    name = "traceloop.entity.name"
    usage = {"gen_ai.usage.prompt_tokens": 20, "gen_ai.usage.completion_tokens": 4}
    chat = {"llm.request.type": "chat", "gen_ai.system": "OpenAI", **usage}
    model = {"gen_ai.request.model": "model-1", "gen_ai.response.model": "model-1-0613"}
    embedding = {"llm.request.type": "embedding", "gen_ai.request.model": "vectors-1"}
    asked = {"traceloop.entity.input": json.dumps({"args": [SECRET]})}
    spans = [
        otel_span("joke.workflow", 0, 20, **{kind: "workflow", name: "joke", **asked}),
        otel_span("plan.agent", 1, 19, "joke.workflow", **{kind: "agent", name: "plan", **asked}),
        otel_span("chat", 2, 3, "plan.agent", **chat, **model),
        otel_span("embed", 3, 4, "plan.agent", **embedding),
        otel_span("find.tool", 5, 11, "plan.agent", **{kind: "tool", name: "find", **asked}),
        otel_span("read.agent", 6, 10, "find.tool", **{kind: "agent", name: "read"}),
        otel_span("step.task", 7, 9, "read.agent", **{kind: "task", name: "step"}),
        otel_span("chat 2", 7, 8, "step.task", **chat, **model),
        otel_span("chat 3", 12, 13, "plan.agent", **chat, **model),
    ]
    return Sample(
        "OpenLLMetry 0.40",
        {"spans.json": [otlp(*spans)]},
        Expected({"plan", "read"}, 1, 3, 72, {"input": 60, "output": 12}),
    )


def crewai_by_openllmetry():
    """A crew of two: the role names the agent; only the crew has usage, which is no step's."""
    usage = "total_tokens=120 prompt_tokens=100 cached_prompt_tokens=40 completion_tokens=20"
    kind = "traceloop.span.kind"
    model = {"gen_ai.request.model": "gpt-4o"}
    role = "crewai.agent.role"
    spans = [
        otel_span(
            "crewai.workflow",
            0,
            30,
            **{"gen_ai.system": "crewai", "crewai.crew.token_usage": usage},
        ),
        otel_span("t1", 1, 10, "crewai.workflow", **{kind: "task", "crewai.task.agent": "Reader"}),
        otel_span("Reader.agent", 2, 9, "t1", **{kind: "agent", role: "Reader", **model}),
        otel_span("1.llm", 3, 4, "Reader.agent", **model),
        otel_span("2.llm", 5, 6, "Reader.agent", **model),
        otel_span("t2", 11, 20, "crewai.workflow", **{kind: "task", "crewai.task.agent": "Writer"}),
        otel_span("Writer.agent", 12, 19, "t2", **{kind: "agent", role: "Writer", **model}),
        otel_span("3.llm", 13, 14, "Writer.agent", **model),
    ]
    return Sample(
        "OpenLLMetry 0.40 for CrewAI",
        {"spans.json": [otlp(*spans)]},
        Expected({"Reader", "Writer"}, 0, 3, 0, {}),
    )


def crewai_by_openinference():
    """The same crew; each agent names the one before it as its parent node."""
    kind = "openinference.span.kind"
    usage = {"llm.token_count.prompt": 15, "llm.token_count.completion": 5}
    cached = {"llm.token_count.prompt_details.cache_read": 10}
    node, above = "graph.node.id", "graph.node.parent_id"
    spans = [
        otel_span("Crew.kickoff", 0, 30, **{kind: "CHAIN", "input.value": SECRET}),
        otel_span("Reader", 1, 10, "Crew.kickoff", **{kind: "AGENT", node: "Reader"}),
        otel_span("llm", 2, 3, "Reader", **{kind: "LLM", **usage, **cached}),
        otel_span("search", 4, 5, "Reader", **{kind: "TOOL", "tool.name": "search"}),
        otel_span("llm 2", 6, 7, "Reader", **{kind: "LLM", **usage}),
        otel_span(
            "Writer", 11, 20, "Crew.kickoff", **{kind: "AGENT", node: "Writer", above: "Reader"}
        ),
        otel_span("llm 3", 12, 13, "Writer", **{kind: "LLM", **usage}),
    ]
    return Sample(
        "OpenInference 0.1 for CrewAI",
        {"spans.json": [otlp(*spans)]},
        Expected({"Reader", "Writer"}, 0, 3, 60, {"input": 35, "cached": 10, "output": 15}),
    )


def _vercel(operation, function="", **more):
    named = {"ai.telemetry.functionId": function} if function else {}
    title = f"{operation} {function}".strip()
    return {"ai.operationId": operation, "operation.name": title, **named, **more}


def vercel_4():
    """A call of the SDK inside a tool of another one; Anthropic's input leaves out the cache."""
    usage = {"ai.usage.promptTokens": 20, "ai.usage.completionTokens": 3}
    model = {"ai.model.id": "model-1", "ai.model.provider": "anthropic.messages"}
    genai = {"gen_ai.system": "anthropic.messages", "gen_ai.request.model": "model-1"}
    cached = {"ai.usage.cachedInputTokens": 50}
    call = {"ai.toolCall.name": "ask", "ai.toolCall.id": "t1", "ai.toolCall.args": SECRET}
    spans = [
        otel_span("top", 0, 20, **_vercel("ai.generateText", "plan", **{"ai.prompt": SECRET})),
        otel_span(
            "m1",
            1,
            2,
            "top",
            **_vercel("ai.generateText.doGenerate", "plan", **usage, **model),
            **genai,
        ),
        otel_span("t1", 3, 10, "top", **_vercel("ai.toolCall", **call)),
        otel_span("inner", 4, 9, "t1", **_vercel("ai.streamText", "read")),
        otel_span(
            "m2",
            5,
            6,
            "inner",
            **_vercel("ai.streamText.doStream", "read", **usage, **model, **cached),
        ),
        otel_span("m3", 11, 12, "top", **_vercel("ai.generateText.doGenerate", **usage, **model)),
    ]
    return Sample(
        "Vercel AI SDK 4",
        {"spans.json": [otlp(*spans)]},
        Expected({"plan", "read"}, 1, 3, 3 * 23 + 50, {"input": 60, "cached": 50, "output": 9}),
    )


def vercel_6():
    """Usage with details, also on the span of the whole call; an embedding is no model call."""
    usage = {
        "ai.usage.inputTokens": 100,
        "ai.usage.inputTokenDetails.cacheReadTokens": 60,
        "ai.usage.inputTokenDetails.cacheWriteTokens": 5,
        "ai.usage.cachedInputTokens": 60,
        "ai.usage.outputTokens": 20,
        "ai.usage.outputTokenDetails.reasoningTokens": 8,
        "ai.usage.reasoningTokens": 8,
        "ai.usage.totalTokens": 120,
    }
    model = {"ai.model.id": "model-1", "ai.model.provider": "anthropic.messages"}
    spans = [
        otel_span("ai.streamText", 0, 9, **_vercel("ai.streamText", **usage, **model)),
        otel_span("embed", 1, 2, "ai.streamText", **_vercel("ai.embed", **{"ai.usage.tokens": 7})),
        otel_span(
            "m1", 3, 4, "ai.streamText", **_vercel("ai.streamText.doStream", **usage, **model)
        ),
    ]
    return Sample(
        "Vercel AI SDK 6",
        {"spans.json": [otlp(*spans)]},
        Expected(
            {"ai.streamText"},
            0,
            1,
            120,
            {"input": 35, "cached": 60, "cache_write": 5, "output": 20, "reasoning": 8},
        ),
    )


_LANGFUSE_USAGE = {
    "input": 20,
    "input_cached_tokens": 80,
    "output": 5,
    "output_reasoning_tokens": 15,
    "total": 120,
}


def langfuse_sdk_3():
    """Observations as attributes; a guardrail fires."""
    kind = "langfuse.observation.type"
    usage = {"langfuse.observation.usage_details": json.dumps(_LANGFUSE_USAGE)}
    model = {"langfuse.observation.model.name": "model-1"}
    error = {"langfuse.observation.level": "ERROR"}
    session = {"session.id": "talk-1"}
    spans = [
        otel_span(
            "planner", 0, 9, **{kind: "agent", "langfuse.observation.input": SECRET, **session}
        ),
        otel_span("answer", 1, 2, "planner", **{kind: "generation", **usage, **model}),
        otel_span("search", 3, 4, "planner", **{kind: "tool", **error}),
        otel_span("log", 4, 4, "planner", **{kind: "event"}),
        otel_span("policy", 5, 6, "planner", **{kind: "guardrail", **error}),
    ]
    return Sample(
        "Langfuse SDK 3",
        {"spans.json": [otlp(*spans)]},
        Expected(
            {"planner"}, 0, 1, 120, {"input": 20, "cached": 80, "output": 20, "reasoning": 15}
        ),
    )


def team_spans():
    """A lead that calls a helper as a tool, for the envelopes."""
    return [
        otel_span("lead", 0, 20, **_agent("lead")),
        otel_span("chat 1", 1, 2, "lead", **_chat(40, 10)),
        otel_span("ask", 3, 12, "lead", **_tool("ask", "call_1", **{"input.value": SECRET})),
        otel_span("helper", 4, 11, "ask", **_agent("helper")),
        otel_span("chat 2", 5, 6, "helper", **_chat(20, 5)),
        otel_span("chat 3", 13, 15, "lead", **_chat(40, 10)),
    ]


def _team(recorder, files, **losses):
    expected = Expected({"lead", "helper"}, 1, 3, 125, {"input": 100, "output": 25})
    return Sample(recorder, files, expected)


def tempo_1():
    """Batches, with ids in base64."""
    spans = team_spans()
    for span in spans:
        for name in ("traceId", "spanId", "parentSpanId"):
            span[name] = base64.b64encode(bytes.fromhex(span[name])).decode()
    batch = {"resource": {"attributes": []}, "instrumentationLibrarySpans": [{"spans": spans}]}
    return _team("Tempo 1 (batches)", {"trace.json": [{"batches": [batch]}]})


def tempo_2():
    """The envelope of the second version of the interface."""
    found = {"trace": otlp(*team_spans()), "metrics": {"inspectedBytes": "9"}}
    return _team("Tempo 2 (trace)", {"trace.json": [found]})


def _plain(span):
    given = {}
    for pair in span["attributes"]:
        (value,) = pair["value"].values()
        given[pair["key"]] = int(value) if "intValue" in pair["value"] else value
    return given


def _observation(name, kind, start, end, parent=None, **more):
    return {
        "id": name,
        "traceId": "trace-1",
        "type": kind,
        "name": name,
        "startTime": iso(start),
        "endTime": iso(end),
        "parentObservationId": parent,
        "level": "DEFAULT",
        **more,
    }


def langfuse_2():
    """The answer of the interface: no types for agents and tools, usage of three numbers."""
    usage = {"usage": {"input": 30, "output": 5, "total": 35, "unit": "TOKENS"}}
    flat = {"promptTokens": 10, "completionTokens": 2, "totalTokens": 12}
    observations = [
        _observation("crew", "SPAN", 0, 9),
        _observation("call", "GENERATION", 1, 2, "crew", model="model-1", input=SECRET, **usage),
        _observation("again", "GENERATION", 3, 4, "crew", model="model-1", **flat),
        _observation("note", "EVENT", 5, 5, "crew"),
    ]
    trace = {"id": "trace-1", "name": "crew", "input": SECRET, "observations": observations}
    return Sample(
        "Langfuse 2",
        {"trace.json": [trace]},
        Expected({"crew"}, 0, 2, 47, {"input": 40, "output": 7}),
    )


def langfuse_export():
    """The download of a trace: an agent that calls another one as a tool."""
    usage = {"usageDetails": _LANGFUSE_USAGE, "model": "model-1"}
    observations = [
        _observation("planner", "AGENT", 0, 20, input={"task": SECRET}),
        _observation("think", "GENERATION", 1, 2, "planner", input=SECRET, **usage),
        _observation("ask", "TOOL", 3, 10, "planner", input=SECRET),
        _observation("reader", "AGENT", 4, 9, "ask"),
        _observation("read", "GENERATION", 5, 6, "reader", **usage),
        _observation("fetch", "TOOL", 7, 8, "reader", level="ERROR"),
        _observation("sum up", "GENERATION", 11, 12, "planner", **usage),
        _observation("odd", "DREAM", 13, 14, "planner"),
    ]
    trace = {"id": "trace-1", "name": "run", "input": SECRET, "timestamp": iso(0)}
    return {"trace": trace, "observations": observations, "scores": []}


def langfuse_3():
    return Sample(
        "Langfuse 3",
        {"trace.json": [langfuse_export()]},
        Expected(
            {"planner", "reader"},
            1,
            3,
            360,
            {"input": 60, "cached": 240, "output": 60, "reasoning": 45},
        ),
    )


def phoenix_spans():
    """A lead that calls a helper as a tool, as the REST interface returns it."""

    def span(name, kind, start, end, above="", **more):
        context = {"trace_id": "a" * 32, "span_id": f"{name}-1"}
        times = {"start_time": iso(start), "end_time": iso(end)}
        head = {"name": name, "span_kind": kind, "context": context, "status_code": "OK"}
        return {**head, **times, "parent_id": above and f"{above}-1", "attributes": more}

    def usage(tokens_in, tokens_out):
        counts = {"llm.token_count.prompt": tokens_in, "llm.token_count.completion": tokens_out}
        return {**counts, "input.value": SECRET}

    lead, helper = {"agent.name": "lead"}, {"agent.name": "helper"}
    tool = {"tool.name": "ask", "input.value": SECRET}
    spans = [
        span("lead", "AGENT", 0, 20, **lead),
        span("chat 1", "LLM", 1, 2, "lead", **usage(40, 10)),
        span("ask", "TOOL", 3, 12, "lead", **tool),
        span("helper", "AGENT", 4, 11, "ask", **helper),
        span("chat 2", "LLM", 5, 6, "helper", **usage(20, 5)),
        span("chat 3", "LLM", 13, 15, "lead", **usage(40, 10)),
    ]
    return {"data": spans, "next_cursor": None}


def phoenix_rest():
    return _team("Phoenix 12 (REST)", {"spans.json": [phoenix_spans()]})


def phoenix_client():
    return _team("Phoenix client 1 (get_spans)", {"spans.json": [phoenix_spans()["data"]]})


def mlflow_trace(version=3):
    """A lead that calls a helper as a tool, as ``Trace.to_json()`` writes it."""

    def span(name, kind, start, end, above="", **more):
        stated = {"mlflow.spanType": kind, **more}
        given = {key.replace("__", "."): json.dumps(one) for key, one in stated.items()}
        begun, ended = (int(1e9 * (1767225600 + time)) for time in (start, end))
        if version == 2:
            context = {"trace_id": "0x" + "a" * 32, "span_id": f"{name}-1"}
            times = {"start_time": begun, "end_time": ended, "parent_id": above and f"{above}-1"}
            return {
                "name": name,
                "context": context,
                **times,
                "status_code": "OK",
                "attributes": given,
            }
        head = {
            "name": name,
            "trace_id": "a" * 32,
            "span_id": f"{name}-1",
            "status": {"code": "STATUS_CODE_OK"},
        }
        times = {"start_time_unix_nano": begun, "end_time_unix_nano": ended}
        return {**head, **times, "parent_span_id": above and f"{above}-1", "attributes": given}

    def usage(tokens_in, tokens_out):
        counts = {"input_tokens": tokens_in, "output_tokens": tokens_out}
        total = {"total_tokens": tokens_in + tokens_out}
        return {"mlflow.chat.tokenUsage": {**counts, **total}, "mlflow.spanInputs": SECRET}

    spans = [
        span("lead", "AGENT", 0, 20),
        span("chat 1", "CHAT_MODEL", 1, 2, "lead", **usage(40, 10)),
        span("ask", "TOOL", 3, 12, "lead", mlflow__spanInputs={"q": SECRET}),
        span("helper", "AGENT", 4, 11, "ask"),
        span("chat 2", "LLM", 5, 6, "helper", **usage(20, 5)),
        span("chat 3", "CHAT_MODEL", 13, 15, "lead", **usage(40, 10)),
    ]
    return {"info": {"state": "OK"}, "data": {"spans": spans}}


def mlflow_2():
    return _team("MLflow 2", {"trace.json": [mlflow_trace(2)]})


def mlflow_3():
    return _team("MLflow 3", {"trace.json": [mlflow_trace()]})


SPAN_SAMPLES = {
    "genai 1.26": genai_1_26,
    "genai 1.36": genai_1_36,
    "genai 2026": genai_2026,
    "openllmetry 0.40": openllmetry,
    "crewai by openllmetry": crewai_by_openllmetry,
    "crewai by openinference": crewai_by_openinference,
    "vercel 4": vercel_4,
    "vercel 6": vercel_6,
    "langfuse sdk 3": langfuse_sdk_3,
    "tempo 1": tempo_1,
    "tempo 2": tempo_2,
    "phoenix rest": phoenix_rest,
    "phoenix client": phoenix_client,
    "mlflow 2": mlflow_2,
    "mlflow 3": mlflow_3,
    "langfuse 2": langfuse_2,
    "langfuse 3": langfuse_3,
}
