"""A tracer that sends its spans to the model's collector, and the file that a collector of OpenTelemetry writes."""

import base64
import gzip
import json

from google.protobuf.json_format import MessageToDict
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.trace import set_tracer_provider
from team import mappings

#: A process has one provider; its spans go to the model of the test that runs.
PROVIDER, SENDER = TracerProvider(), SimpleSpanProcessor(OTLPSpanExporter())
PROVIDER.add_span_processor(SENDER)
set_tracer_provider(PROVIDER)


def tracer_provider(model):
    """Return the provider of tracers, whose spans are sent to a model as they end."""
    SENDER.span_exporter = OTLPSpanExporter(endpoint=f"{model.url}/v1/traces")
    return PROVIDER


def collected(model, file):
    """Write what was sent, a request on each line; identifiers are hexadecimal there, not base64."""
    lines = []
    for _, path, headers, body in model.collected:
        if not path.endswith("/v1/traces"):
            continue
        packed = headers.get("Content-Encoding") == "gzip"
        request = ExportTraceServiceRequest.FromString(gzip.decompress(body) if packed else body)
        sent = MessageToDict(request, use_integers_for_enums=True)
        for item in mappings(sent):
            for key in {"traceId", "spanId", "parentSpanId"} & item.keys():
                item[key] = base64.b64decode(item[key]).hex()
        lines.append(json.dumps(sent) + "\n")
    file.write_text("".join(lines))
    return file
