import json

import pytest
from collector import collected, tracer_provider
from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolRuntime
from langgraph.types import Command
from team import KINDS, TEAM

NAMES = {"ask": "ask_{}", "pass": "transfer_to_{}"}


@tool
def lookup(key: str) -> str:
    """Look up."""
    return f"what {key} is"


def run(model, callbacks=()):
    """Let the team work on two prompts in one thread."""
    gpt = ChatOpenAI(model="gpt", base_url=model.url, api_key="none")

    def agent(name, *tools):
        return create_agent(gpt, [lookup, *tools], system_prompt=f"You are {name}.", name=name)

    scout = agent("scout")

    @tool
    def ask_scout(task: str) -> str:
        """Ask the scout."""
        return scout.invoke({"messages": [("user", task)]})["messages"][-1].content

    @tool
    def transfer_to_closer(reason: str, runtime: ToolRuntime) -> Command:
        """Hand over to the closer."""
        answer = {"role": "tool", "content": "handed over", "tool_call_id": runtime.tool_call_id}
        update = {"messages": [runtime.state["messages"][-1], answer]}
        return Command(goto="closer", graph=Command.PARENT, update=update)

    graph = StateGraph(MessagesState)
    graph.add_node("lead", agent("lead", ask_scout, transfer_to_closer))
    graph.add_node("closer", agent("closer"))
    graph.add_edge(START, "lead")
    team = graph.compile(checkpointer=InMemorySaver(), name="team")
    config = {"configurable": {"thread_id": "1"}, "callbacks": list(callbacks)}
    for prompt in ("Find two facts.", "And a third one."):
        team.invoke({"messages": [("user", prompt)]}, config)


@pytest.fixture
def model(play):
    return play([*TEAM, "lead lookup", "lead"], NAMES)


def test_openinference(model, compare, tmp_path):
    from openinference.instrumentation.langchain import LangChainInstrumentor

    instrumentor = LangChainInstrumentor()
    instrumentor.instrument(tracer_provider=tracer_provider(model))
    run(model)
    instrumentor.uninstrument()
    compare(
        "openinference-instrumentation-langchain", model, collected(model, tmp_path / "otlp.jsonl")
    )


def test_langfuse(model, compare, tmp_path):
    from langfuse import Langfuse
    from langfuse.langchain import CallbackHandler

    client = Langfuse(public_key="none", secret_key="none", base_url=model.url)
    run(model, [CallbackHandler(public_key="none")])
    client.flush()
    compare("langfuse", model, collected(model, tmp_path / "otlp.jsonl"))


def test_langsmith(model, compare, tmp_path):
    from langchain_core.tracers import LangChainTracer
    from langsmith import Client

    client = Client(api_url=model.url, api_key="none", auto_batch_tracing=False)
    run(model, [LangChainTracer(client=client)])
    runs = {}
    for _, path, _, body in model.collected:
        if "/runs" in path:
            sent = json.loads(body)
            known = runs.setdefault(sent.get("id", path.split("/")[-1]), {})
            known.update({key: value for key, value in sent.items() if value is not None})
    recording = tmp_path / "runs.jsonl"
    recording.write_text("".join(json.dumps(one) + "\n" for one in runs.values()))
    compare("langsmith", model, recording)


def test_mlflow(model, compare, tmp_path, monkeypatch):
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    import mlflow

    mlflow.set_tracking_uri(tmp_path.as_uri())
    mlflow.set_experiment("team")
    mlflow.langchain.autolog()
    run(model)
    mlflow.flush_trace_async_logging()
    traces = mlflow.search_traces(return_type="list", order_by=["timestamp_ms"])
    recording = tmp_path / "mlflow.jsonl"
    recording.write_text("".join(trace.to_json() + "\n" for trace in traces))
    compare("mlflow-skinny", model, recording, kinds=KINDS[:3])
