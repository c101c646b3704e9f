"""Chat messages: a row with messages for each run, or a file of messages."""

from corpus.traces.convert.conversation import ChatRecorder
from corpus.traces.convert.format import (
    Conversion,
    Conversions,
    Documents,
    RecordedFormat,
    Redaction,
)
from corpus.traces.convert.messages import chat_messages
from corpus.traces.document import RecordedFile
from corpus.traces.lookup import JsonObject, first_text, items, record, text, value

_ROLES_OF_CHAT = frozenset({"system", "user", "assistant", "tool", "developer"})


def _chat(row: JsonObject, recorder: ChatRecorder) -> Conversion:
    agent = recorder.new_agent(first_text(row, "agent", "agent_name"))
    recorder.keep(agent, tool_definitions=value(row, "tools"))
    recorder.talk(agent, chat_messages(items(row, "messages")))
    recorder.spend_at_end(agent, value(row, "usage"), text(row, "model"))
    rewards = {"reward": value(row, "reward"), **record(row, "rewards")}
    recorder.task_id = first_text(row, "task_id", "instance_id")
    return recorder.conversion(rewards, first_text(row, "finish_reason", "stop_reason"))


def _is_chat(document: RecordedFile) -> bool:
    """Whether a file holds messages alone, one in each row."""
    rows = document.objects
    return bool(rows) and all(text(row.value, "role") in _ROLES_OF_CHAT for row in rows)


def convert(documents: Documents, redaction: Redaction) -> Conversions:
    """Yield one trace for each row with messages, or for a file of messages."""
    for document in documents:
        rows = [(row.value, row.line) for row in document.objects]
        if _is_chat(document):
            rows = [({"messages": [row for row, _ in rows], "id": document.path.stem}, 1)]
        for row, line in rows:
            place = document.place(line)
            # Rows of one task need ids of their own.
            name = first_text(row, "id", "trace_id") or f"{document.path.stem}-{line}"
            yield _chat(row, ChatRecorder(name, "chat", redaction, place))


FORMAT = RecordedFormat("chat", convert, looks_like=_is_chat)
