"""Rollouts, a row each: what their readers share."""

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
