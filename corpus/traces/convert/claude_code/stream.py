"""The output of ``claude -p --output-format stream-json``: a session while it runs.

Its rows are those of a session file under other names, so they are rewritten and read as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from corpus.traces.convert.claude_code.files import Session, joined
from corpus.traces.convert.claude_code.rows import Turn
from corpus.traces.convert.claude_code.session import SessionRecorder
from corpus.traces.convert.format import (
    DROPPED,
    INFERRED,
    Conversion,
    Conversions,
    Documents,
    Loss,
    RecordedFormat,
    Redaction,
)
from corpus.traces.convert.redaction import unnamed
from corpus.traces.document import RecordedFile, Row
from corpus.traces.lookup import JsonObject, count, has_time, record, records, text, value

_SYSTEM = "claude-stream"
_TOKEN_NAMES = ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")
_USAGE_NAMES = (
    "input_tokens",
    "output_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
)


def convert(documents: Documents, redaction: Redaction) -> Conversions:
    """Yield one trace for each session of each stream; one without its call is one of its own."""
    for document in documents:
        streams: dict[str, list[Row]] = {}
        name = ""
        for row in document.objects:
            name = text(row.value, "session_id") or name
            streams.setdefault(name, []).append(row)
        for name, rows in streams.items():
            yield from _conversions(document, name, rows, redaction)


def _conversions(
    document: RecordedFile, name: str, rows: Sequence[Row], redaction: Redaction
) -> list[Conversion]:
    result = _result(rows)
    stop = ""
    if not result:
        # The program ends each turn with a result: without one, the output was cut off.
        stop = "truncated"
    elif value(result, "is_error") is True or text(result, "subtype") != "success":
        stop = "external"
    has_clock = has_time([row.value for row in rows], "timestamp")
    session = Session(name or unnamed("session", document.path.name), "stream", [])
    notes = _read(session, document, rows, has_clock=has_clock)
    found: list[Conversion] = []
    for part in joined(session, notes):
        if not has_clock:
            place = document.place(rows[0].line)
            part.losses.append(Loss(INFERRED, place, "there is no clock; t counts the rows"))
        recorder = SessionRecorder(part, redaction, _SYSTEM, stop)
        recorder.has_clock = has_clock
        conversion = recorder.conversion()
        if conversion.trace["events"]:
            found.append(conversion)
    # Rows begin before all tokens are counted. The one with the main agent comes last, and the
    # result is about all of them.
    missing = _tokens(result) - sum(one.trace["costs"]["tokens"] for one in found)
    if found and missing > 0:
        what = "tokens of the result that no row of a model carries"
        loss = Loss(DROPPED, document.path.name, what, missing)
        found[-1] = replace(found[-1], losses=(*found[-1].losses, loss))
    return found


def _result(rows: Sequence[Row]) -> JsonObject:
    """Return the last row of the type result, where the main agent did not go on after it."""
    for row in reversed(rows):
        kind = text(row.value, "type")
        if kind == "result":
            return record(row.value)
        if kind == "assistant" and not text(row.value, "parent_tool_use_id"):
            break
    return {}


def _tokens(result: JsonObject) -> int:
    """Return the tokens of a result: by model those of all agents, else of the main one alone."""
    models = record(result, "modelUsage")
    if not models:
        return sum(count(result, f"usage.{name}") for name in _USAGE_NAMES)
    tokens = 0
    for usage in models.values():
        tokens += sum(count(usage, name) for name in _TOKEN_NAMES)
    return tokens


def _read(
    session: Session, document: RecordedFile, rows: Sequence[Row], *, has_clock: bool
) -> dict[str, JsonObject]:
    """Add the rows to a session as a file of it has them.

    Return notes that join its sub-agents to their calls, by names that are made up for them.
    """
    threads: dict[str, str] = {}
    notes: dict[str, JsonObject] = {}
    version = ""
    in_background: set[str] = set()
    for row in rows:
        if text(row.value, "subtype") == "init":
            version = version or text(row.value, "claude_code_version")
        # The calls whose sub-agents went on after their result.
        if text(row.value, "tool_use_result.status") == "async_launched":
            for block in records(row.value, "message.content"):
                in_background.add(text(block, "tool_use_id"))
    for position, row in enumerate(rows):
        written = {**row.value, "version": version}
        thread = ""
        if call := text(written, "parent_tool_use_id"):
            thread = threads.setdefault(call, f"s{len(threads) + 1}")
            written["agentId"] = thread
            note = notes.setdefault(thread, {"toolUseId": call})
            note["agentType"] = text(note, "agentType") or text(written, "subagent_type")
        if "tool_use_result" in written:
            written["toolUseResult"] = written["tool_use_result"]
        if value(written, "isSynthetic") is True:
            written["isMeta"] = True
        # Rows without a time are put in order by their number, one second each.
        if not has_clock:
            written["timestamp"] = datetime.fromtimestamp(position, UTC).isoformat()
        if text(written, "type") == "system":
            subtype = text(written, "subtype")
            written["type"] = f"system {subtype}".strip()
            if subtype == "task_notification" and text(written, "tool_use_id") in in_background:
                written["type"] = "user"
                written["message"] = {"role": "user", "content": _notice(written)}
        session.turns.append(Turn(written, document.place(row.line), thread))
    return notes


def _notice(row: JsonObject) -> str:
    """Write the report that a background task has ended as session files hold it."""
    tokens = count(row, "usage.total_tokens")
    return (
        f"<task-notification>\n<task-id>{text(row, 'task_id')}</task-id>\n"
        f"<tool-use-id>{text(row, 'tool_use_id')}</tool-use-id>\n"
        f"<status>{text(row, 'status')}</status>\n<summary>{text(row, 'summary')}</summary>\n"
        f"<usage><total_tokens>{tokens}</total_tokens></usage>\n</task-notification>"
    )


FORMAT = RecordedFormat(_SYSTEM, convert)
