"""Recorders whose files are known by their marks and are not read: what to use instead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.lookup import items, value

_LOOKED_AT = 50
"""Objects of a document in which marks are looked for."""
_ATIF = "convert the run to ATIF, which Harbor does, and give the trajectory"
_OTLP = "export the spans as OTLP JSON, for example with the file exporter of the collector"
_ROLLOUT = "give the rollout file of the session (below ~/.codex/sessions), which has times, too"


class OtherRecorder(NamedTuple):
    """A recorder that is recognised only in order to name the way that exists."""

    title: str
    way: str


OTHERS = {
    "codex-exec": OtherRecorder("codex exec --json", _ROLLOUT),
    "swe-agent": OtherRecorder("SWE-agent", _ATIF),
    "openhands": OtherRecorder("OpenHands before 1.0", _ATIF),
    "otel-console": OtherRecorder("the console exporter of OpenTelemetry", _OTLP),
    "openai-chat": OtherRecorder("a program that keeps chat messages of OpenAI", _ATIF),
}
"""By the name that ``--from`` had for it, or might have."""
_MARKS = (
    ("codex-exec", "type=thread.started|turn.started|item.started|item.completed"),
    ("swe-agent", "trajectory info environment"),
    ("swe-agent", "trajectory.0.action trajectory.0.observation"),
    ("openhands", "source=agent|user|environment action args"),
    ("openhands", "source=agent|user|environment observation extras"),
    ("openhands", "history.0.source history.0.args"),
    ("otel-console", "context.trace_id context.span_id attributes"),
    ("openai-chat", "messages.0.role"),
    ("openai-chat", "role=system|user|assistant|tool|developer content"),
)
"""What an object of the file has, all of it: paths of keys, some with the values they may have."""


def recorder_of(document: RecordedFile) -> OtherRecorder | None:
    """Return the recorder whose marks a document has, or None."""
    objects = list(_objects(document))
    for name, marks in _MARKS:
        if any(_has_all(one, marks) for one in objects):
            return OTHERS[name]
    return None


def _objects(document: RecordedFile) -> Iterator[Any]:
    for row in document.rows[:_LOOKED_AT]:
        yield row.value
        yield from items(row.value)[:_LOOKED_AT]


def _has_all(node: object, marks: str) -> bool:
    for mark in marks.split():
        path, _, wanted = mark.partition("=")
        steps = [int(step) if step.isdigit() else step for step in path.split(".")]
        found = value(node, *steps)
        if found is None or (wanted and found not in wanted.split("|")):
            return False
    return True
