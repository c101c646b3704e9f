import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from collector import PROVIDER, SENDER
from graph_team import LINES, NAMES, run
from openinference.instrumentation.langchain import LangChainInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from phoenix.client import Client


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The address of a server of Phoenix, which has a folder of its own."""
    ports = []
    for _ in range(2):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            ports.append(free.getsockname()[1])
    settings = {
        "PHOENIX_HOST": "127.0.0.1",
        "PHOENIX_PORT": str(ports[0]),
        "PHOENIX_GRPC_PORT": str(ports[1]),
        "PHOENIX_WORKING_DIR": str(tmp_path_factory.mktemp("phoenix")),
        "PHOENIX_TELEMETRY_ENABLED": "false",
    }
    command = [str(Path(sys.executable).with_name("phoenix")), "serve"]
    url = f"http://127.0.0.1:{ports[0]}"
    with subprocess.Popen(command, env={**os.environ, **settings}) as running:
        try:
            for _ in range(300):
                try:
                    httpx.get(f"{url}/healthz").raise_for_status()
                    break
                except httpx.HTTPError:
                    time.sleep(1)
            yield url
        finally:
            running.terminate()


def test_phoenix(play, compare, tmp_path, server):
    model = play(LINES, NAMES)
    SENDER.span_exporter = OTLPSpanExporter(endpoint=f"{server}/v1/traces")
    LangChainInstrumentor().instrument(tracer_provider=PROVIDER)
    run(model)
    client = Client(base_url=server)
    spans = []
    # The server stores what it was sent a moment later.
    for _ in range(60):
        before, spans = spans, client.spans.get_spans(project_identifier="default", limit=1000)
        if spans and len(spans) == len(before):
            break
        time.sleep(1)
    rest = httpx.get(f"{server}/v1/projects/default/spans", params={"limit": 1000}).json()
    for name, written in (("get_spans", spans), ("REST", rest)):
        recording = tmp_path / f"{name}.json"
        recording.write_text(json.dumps(written, default=str))
        compare(f"arize-phoenix ({name})", model, recording)
