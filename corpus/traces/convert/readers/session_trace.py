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
    sessions = [_Session(document) for document in documents]
    originals = Originals()
    for session in sorted(sessions, key=lambda one: (bool(one.parent), one.start)):
        said = [(text(row, "id"), record(row, "message") or row) for row in session.rows]
        copied = originals.copied(said, session)
        yield _SessionRecorder(session, redaction, copied).conversion_of_session()


class _Session:
    """The rows of one file."""

    def __init__(self, document: RecordedFile) -> None:
        self.place = document.path.name
        self.head: JsonObject = {}
        self.rows: list[JsonObject] = []
        for row in document.objects:
            if text(row.value, "type") == "session":
                self.head = self.head or row.value
            else:
                self.rows.append(row.value)
        self.name = text(self.head, "id") or unnamed("session", self.place)
        self.parent = text(self.head, "parentSession")
        self.start = text(self.head, "timestamp")

    @property
    def live(self) -> set[str]:
        """The ids of the rows on the way to the last one; empty where rows have none."""
        parents = {text(row, "id"): text(row, "parentId") for row in self.rows if text(row, "id")}
        before = dict(pairwise(reversed(parents)))
        here = next(reversed(parents), "")
        found = set()
        while here in parents and here not in found:
            found.add(here)
            above = parents[here]
            # Some programs name a call, or the session; what is above a call is the row before.
            is_row = above in parents or above in ("", self.name)
            here = above if is_row else before.get(here, "")
        return found


class _SessionRecorder(ChatRecorder):
    """One session."""

    def __init__(self, session: _Session, redaction: Redaction, copied: int) -> None:
        times = [row for row in session.rows if _time_of(row) is not None]
        super().__init__(session.name, _SYSTEM, redaction, session.place, has_clock=bool(times))
        self.session = session
        self.copied = copied
        self.live = session.live
        self.run["harness"] = redaction.name(text(session.head, "harness") or "pi", "harness")

    def conversion_of_session(self) -> Conversion:
        """Walk, and return the trace."""
        messages = []
        stop = ""
        for place, row in enumerate(self.session.rows):
            kind = text(row, "type")
            about = {"row": text(row, "id"), "timestamp": _time_of(row)}
            if place < self.copied:
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
