"""Sessions in the session trace format of the Hugging Face Hub, and of pi, whose rows it follows.

A session of pi is a tree: a person may go back to an earlier row and on from there, and what is on
no way to the last row is taken back. A fork begins with rows of the session that it names.
"""

from itertools import pairwise

from corpus.traces.convert.conversation import ChatRecorder
from corpus.traces.convert.copies import Originals
from corpus.traces.convert.format import (
    Conversion,
    Conversions,
    Documents,
    RecordedFormat,
    Redaction,
    unnamed,
)
from corpus.traces.convert.messages import chat_messages
from corpus.traces.document import RecordedFile
from corpus.traces.lookup import JsonObject, record, text, value

_SYSTEM = "session-trace"
# Rows that tell of the program or of its settings, not of the conversation.
_SILENT = ("model_change", "thinking_level_change", "label", "session_info", "custom")


def convert(documents: Documents, redaction: Redaction) -> Conversions:
    """Yield one trace for each session."""
    originals = Originals()
    sessions = [_SessionRecorder(document, redaction) for document in documents]
    for session in sorted(sessions, key=lambda one: one.age):
        said = [(text(row, "id"), record(row, "message") or row) for row in session.rows]
        yield session.conversion_without(originals.copied(said, session))


class _SessionRecorder(ChatRecorder):
    """One session: the rows of one file."""

    def __init__(self, document: RecordedFile, redaction: Redaction) -> None:
        head: JsonObject = {}
        self.rows: list[JsonObject] = []
        for row in document.objects:
            if text(row.value, "type") == "session":
                head = head or row.value
            else:
                self.rows.append(row.value)
        place = document.path.name
        name = text(head, "id") or unnamed("session", place)
        has_clock = any(_time_of(row) is not None for row in self.rows)
        super().__init__(name, _SYSTEM, redaction, place, has_clock=has_clock)
        self.run["harness"] = redaction.name(text(head, "harness") or "pi", "harness")
        # A fork comes after all that are none.
        self.age = bool(text(head, "parentSession")), text(head, "timestamp")
        # The ids of the rows on the way to the last one; empty where rows have none.
        self.live: set[str] = set()
        parents = {text(row, "id"): text(row, "parentId") for row in self.rows if text(row, "id")}
        before = dict(pairwise(reversed(parents)))
        here = next(reversed(parents), "")
        while here in parents and here not in self.live:
            self.live.add(here)
            above = parents[here]
            # Some programs name a call, or the session; what is above a call is the row before.
            is_row = above in parents or above in ("", name)
            here = above if is_row else before.get(here, "")

    def conversion_without(self, copied: int) -> Conversion:
        """Walk through all rows but the first ones, and return the trace."""
        messages = []
        stop = ""
        for place, row in enumerate(self.rows):
            kind = text(row, "type")
            about = {"row": text(row, "id"), "timestamp": _time_of(row)}
            if place < copied:
                self.dropped("rows of another session that a fork begins with", self.place)
            elif kind == "message":
                for one in chat_messages([record(row, "message")]):
                    messages.append({**one, **about})
                stop = text(row, "message.stopReason")
            elif kind in ("compaction", "branch_summary"):
                messages.append({"role": kind, "summary": text(row, "summary"), **about})
            elif kind not in _SILENT:
                self.unknown("rows of type", kind or "none", "rows")
        self.talk(self.new_agent("main"), messages)
        return self.conversion({}, stop)

    def ends_turn(self, message: JsonObject, following: JsonObject) -> bool:
        """Whether what follows is said by a person, or on another branch."""
        sides = {text(one, "row") in self.live for one in (message, following)}
        return super().ends_turn(message, following) or len(sides) == 2

    def before(self, agent: str, message: JsonObject) -> None:
        """Note that a message was taken back later."""
        if self.live and text(message, "row"):
            self.undo(agent, text(message, "row") not in self.live)


def _time_of(row: JsonObject) -> object:
    return value(row, "timestamp") or value(row, "message.timestamp")


FORMAT = RecordedFormat(_SYSTEM, convert)
