"""Traces of MLflow, as `Trace.to_json()` or the download of a trace writes them."""

from collections.abc import Iterator
from typing import Any

from corpus.traces.convert.spans.attributes import enveloped, format_of_spans
from corpus.traces.convert.spans.tree import Span
from corpus.traces.lookup import listed, parsed, record, records, text


def _mlflow_spans(node: object) -> Iterator[Span]:
    for trace in listed(node, "traces"):
        for written in records(trace, "data.spans"):
            given = {}
            for name, stated in record(written, "attributes").items():
                found = unwrapped(stated)
                given[name] = found
                # The usage is one object, in which the conventions have an attribute for each kind.
                if name == "mlflow.chat.tokenUsage":
                    given.update({f"{name}.{kind}": one for kind, one in record(found).items()})
            code = text(written, "status.code") or text(written, "status_code")
            yield enveloped(written, "mlflow", given, failed=code.endswith("ERROR"))


def unwrapped(stated: object) -> Any:
    """Return an attribute of MLflow, which writes each as JSON inside a string, plain texts too.

    Examples
    --------
    >>> unwrapped('"LLM"'), unwrapped("LLM"), unwrapped('{"n": 1}')
    ('LLM', 'LLM', {'n': 1})
    """
    if isinstance(stated, str) and len(stated) > 1 and stated[0] == stated[-1] == '"':
        found = parsed(f"[{stated}]")
        return found[0] if isinstance(found, list) else stated
    return parsed(stated)


FORMAT = format_of_spans("mlflow", _mlflow_spans)
