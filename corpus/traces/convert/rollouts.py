"""Rollouts, a row each: what their readers share."""

from collections.abc import Callable

from corpus.traces.convert.conversation import ChatRecorder
from corpus.traces.convert.format import (
    Conversion,
    Conversions,
    Documents,
    RecordedFormat,
    Redaction,
)
from corpus.traces.lookup import JsonObject, first_text, value


def text_of(row: JsonObject, name: str) -> str:
    """Return a name or a number as a text; empty where there is none."""
    found = value(row, name)
    return "" if found is None else str(found)


def rollout_id(row: JsonObject, line: int) -> str:
    """Return the id of a rollout; where there is none, that of its task and its line."""
    parts = [value(row, "_ng_task_index"), value(row, "_ng_rollout_index")]
    if None in parts:
        parts = [value(row, "example_id"), line]
    stated = first_text(row, "id", "trace_id", "instance_id", "task_id")
    return stated or "-".join(str(part) for part in parts if part is not None)


def format_of_rows(
    name: str, read: Callable[[JsonObject, ChatRecorder], Conversion]
) -> RecordedFormat:
    """Return a format whose files have a rollout in each row; `read` converts one."""

    def convert(documents: Documents, redaction: Redaction) -> Conversions:
        for document in documents:
            for row in document.objects:
                place = document.place(row.line)
                identity = rollout_id(row.value, row.line)
                yield read(row.value, ChatRecorder(identity, name, redaction, place))

    return RecordedFormat(name, convert)
