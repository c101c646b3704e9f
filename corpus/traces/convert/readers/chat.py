"""Chat messages: a row with messages for each run, or a file of messages."""

from corpus.traces.convert.conversation import ChatRecorder, name_of_row
from corpus.traces.convert.format import (
    Conversion,
    Conversions,
    Documents,
    RecordedFormat,
    Redaction,
)
from corpus.traces.convert.messages import chat_messages
from corpus.traces.document import RecordedFile, Row
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
        rows = document.objects
        if _is_chat(document):
            messages = [row.value for row in rows]
            rows = [Row(1, {"messages": messages, "id": document.path.stem})]
        for position, row in enumerate(rows, start=1):
            name, place = name_of_row(document, position, row), document.place(row.line)
            yield _chat(row.value, ChatRecorder(name, "chat", redaction, place))


FORMAT = RecordedFormat("chat", convert, looks_like=_is_chat)
