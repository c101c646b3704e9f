import json

import pytest
from collector import collected, tracer_provider
from graph_team import LINES, NAMES, run
from team import KINDS


@pytest.fixture
def model(play):
    return play(LINES, NAMES)


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
