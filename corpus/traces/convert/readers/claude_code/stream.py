"""Output of ``claude -p --output-format stream-json``, and of the Claude Agent SDK.

It is a session while it runs: its rows are those of a session file under other names, so they are
rewritten and read as one.
"""

from collections.abc import Sequence

from corpus.traces.convert.format import (
    INFERRED,
    MISSING,
    Conversion,
    Conversions,
    Documents,
    Loss,
    RecordedFormat,
    Redaction,
    unnamed,
)
from corpus.traces.convert.readers.claude_code.files import Session, Turn, joined
from corpus.traces.convert.readers.claude_code.session import SessionRecorder
from corpus.traces.document import RecordedFile, Row
from corpus.traces.lookup import JsonObject, count, has_time, iso_time, record, records, text, value

_STREAM = "claude-stream"


# Those of a model, and those of the main agent.
_TOKEN_NAMES = (
    *("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens"),
    *("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"),
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
    # The last row of the type result, where the main agent did not go on after it.
    result: JsonObject = {}
    for row in reversed(rows):
        kind = text(row.value, "type")
        if kind == "result":
            result = row.value
        if kind == "result" or (kind == "assistant" and not text(row.value, "parent_tool_use_id")):
            break
    # The program ends each turn with a result: without one, the output was cut off.
    stop, subtype = "", text(result, "subtype")
    if not result or subtype.startswith("error_max_"):
        stop = "truncated"
    elif value(result, "is_error") is True or subtype != "success":
        stop = "external"
    has_clock = has_time([row.value for row in rows], "timestamp")
    session = Session(name or unnamed("session", document.path.name), [])
    _read(session, document, rows, has_clock)
    found = []
    missing = 0
    for part in joined(session):
        if not has_clock:
            place = document.place(rows[0].line)
            part.losses.add(INFERRED, place, "there is no clock; t counts the rows")
        recorder = SessionRecorder(part, redaction, _STREAM, stop)
        recorder.has_clock = has_clock
        conversion = recorder.conversion()
        if conversion.trace["events"]:
            found.append(conversion)
            missing -= conversion.trace["costs"]["tokens"]
    # Rows begin before all tokens are counted. The one with the main agent comes last, and the
    # result is about all of them: by model, else it is about the main agent alone.
    for usage in record(result, "modelUsage").values() or [record(result, "usage")]:
        missing += sum(count(usage, name) for name in _TOKEN_NAMES)
    if found and missing > 0:
        what = "tokens of the result that no row of a model carries"
        found[-1].losses += (Loss(MISSING, document.path.name, what, missing),)
    return found


def _read(session: Session, document: RecordedFile, rows: Sequence[Row], has_clock: bool) -> None:
    """Add the rows to a session as a file of it has them.

    Notes join its sub-agents to their calls, by names that are made up for them.
    """
    threads: dict[str, str] = {}
    version = ""
    in_background = set()
    for position, row in enumerate(rows):
        if text(row.value, "subtype") == "init":
            version = version or text(row.value, "claude_code_version")
        # The calls whose sub-agents go on after their result.
        if text(row.value, "tool_use_result.status") == "async_launched":
            for block in records(row.value, "message.content"):
                in_background.add(text(block, "tool_use_id"))
        written = {**row.value, "version": version}
        thread = ""
        if call := text(written, "parent_tool_use_id"):
            thread = threads.setdefault(call, f"s{len(threads) + 1}")
            written["agentId"] = thread
            note = session.notes.setdefault(thread, {"toolUseId": call})
            note["agentType"] = text(note, "agentType") or text(written, "subagent_type")
        written["toolUseResult"] = value(written, "tool_use_result")
        written["isMeta"] = value(written, "isSynthetic")
        if text(written, "type") == "system":
            subtype = text(written, "subtype")
            written["type"] = f"system {subtype}".strip()
            if subtype == "task_notification" and text(written, "tool_use_id") in in_background:
                written["type"] = "user"
                written["message"] = {"role": "user", "content": _notice(written)}
        # Rows without a time are put in order by their number, one second each.
        time = iso_time(value(written, "timestamp")) if has_clock else float(position)
        session.turns.append(Turn(written, document.place(row.line), thread, time))


def _notice(row: JsonObject) -> str:
    """Write the report that a background task has ended as session files hold it."""
    tokens = count(row, "usage.total_tokens")
    return (
        f"<task-notification>\n<task-id>{text(row, 'task_id')}</task-id>\n"
        f"<tool-use-id>{text(row, 'tool_use_id')}</tool-use-id>\n"
        f"<status>{text(row, 'status')}</status>\n<summary>{text(row, 'summary')}</summary>\n"
        f"<usage><total_tokens>{tokens}</total_tokens></usage>\n</task-notification>"
    )


FORMAT = RecordedFormat(_STREAM, convert)
