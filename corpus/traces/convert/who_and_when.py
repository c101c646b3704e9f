"""Failure logs of the Who&When benchmark.

Conversations of Magentic-One or of generated teams, without a clock.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.draft import Draft
from corpus.traces.convert.format import AMBIGUOUS, DROPPED, INFERRED, Conversion, RecordedFormat
from corpus.traces.convert.lookup import (
    JsonObject,
    items,
    record,
    records,
    stated_count,
    text,
    value,
)
from corpus.traces.convert.redaction import Redaction

# A turn of the lead names its kind or its receiver: "Orchestrator (-> WebSurfer)".
_ROLE = re.compile(r"(?P<agent>[^()]{1,80}?) \((?P<note>[^()]{1,80})\)")
_TERMINAL = "Computer_terminal"
_LEAD = "Orchestrator"
_STOP_WORD = "TERMINATE"


def recognise(document: RecordedFile) -> bool:
    """Look for a history with the annotations of the benchmark."""
    for row in document.rows[:5]:
        for log in _logs(row.value):
            is_annotated = "mistake_agent" in log or "mistake_step" in log
            if is_annotated and items(log, "history"):
                return True
    return False


def convert(documents: Sequence[RecordedFile], redaction: Redaction) -> Iterator[Conversion]:
    """Yield one trace per log."""
    for document in documents:
        for row in document.rows:
            for position, log in enumerate(_logs(row.value)):
                # A file that is one list tells no lines of its logs: the position stands for it.
                line = row.line
                if len(document.rows) == 1:
                    line += position
                if records(log, "history"):
                    yield _LogWalk(log, document.place(line), redaction).conversion()


def _logs(node: object) -> list[JsonObject]:
    nodes = node if isinstance(node, list) else [node]
    return [one for one in nodes if isinstance(one, dict)]


class _LogWalk:
    """One log; turn n happens at t = n."""

    def __init__(self, log: JsonObject, place: str, redaction: Redaction) -> None:
        self.log = log
        self.place = place
        # A turn that cannot be read keeps its place: annotations name turns by position.
        self.turns = [record(turn) for turn in items(log, "history")]
        name = text(log, "question_ID") or "unnamed"
        self.draft = Draft(name, "who-and-when", redaction, order="temporal")
        self.draft.has_clock = False
        self.draft.task = text(log, "question")
        self.redaction = redaction
        self.spawned: set[str] = set()
        self.last: int | None = None
        self.returned = False
        self.calls: dict[int, int] = {}
        self.mistake = self._mistake_step()

    def conversion(self) -> Conversion:
        for position, turn in enumerate(self.turns):
            before = len(self.draft)
            self._turn(position, turn)
            if position == self.mistake:
                for handle in range(before, len(self.draft)):
                    self.draft.entry(handle).keys["x_mistake"] = True
        self._note_run()
        return self.draft.finish()

    def _mistake_step(self) -> int | None:
        """Return the turn that is annotated as the mistake, or ``None``."""
        if not text(self.log, "mistake_agent"):
            return None
        position = stated_count(self.log, "mistake_step")
        if position is None or position >= len(self.turns):
            what = "an annotated mistake whose step is not in the log"
            self.draft.lose(DROPPED, self.place, what)
            return None
        return position

    def _turn(self, position: int, turn: JsonObject) -> None:
        name, role = text(turn, "name"), text(turn, "role")
        words = text(turn, "content")
        if name:
            self._team_turn(position, name, words)
        elif role in ("human", "user"):
            role = "task" if self.last is None else "user"
            self._add("human_intervention", "user", position, words, role=role)
        elif role.startswith(_LEAD):
            self._lead_turn(position, role, words)
        elif role:
            self._worker_turn(position, role, words)
        else:
            self.draft.lose(DROPPED, self.place, "a turn without a speaker")

    def _add(
        self,
        kind: str,
        agent: str,
        position: int,
        words: str = "",
        marks: tuple[str, ...] = (),
        /,
        **keys: Any,
    ) -> int:
        """Add an event after the one before: a log without a clock tells nothing but the order."""
        # What a tool or a person wrote, or what is made up here, took no call of a model.
        if kind not in ("spawn", "tool_result", "human_intervention"):
            self.draft.step(agent, float(position))
        content_ref = self.redaction.content(words)
        handle = self.draft.add(
            kind, agent, float(position), marks, content_ref=content_ref, **keys
        )
        if self.last is not None:
            self.draft.link(self.last, handle)
        self.last = handle
        return handle

    def _lead_turn(self, position: int, role: str, words: str) -> None:
        match = _ROLE.fullmatch(role)
        note = match["note"] if match else ""
        if note.startswith("->"):
            named = note.removeprefix("->").strip()
            target = self.redaction.name(named, "agent")
            self._spawn(position, target)
            self._add("message", _LEAD, position, words, **{"from": _LEAD}, to=target)
        elif note != "termination condition":
            self._add("orchestrator_decision", _LEAD, position, words)
        # The last turn joins what the agents returned; without returns it is the answer itself.
        elif self.returned:
            self._add("aggregate", _LEAD, position, words)
        else:
            self._add("return", _LEAD, position, words, to="user")

    def _spawn(self, position: int, target: str) -> None:
        if target not in self.spawned:
            self.spawned.add(target)
            what = "an agent counts as spawned when it is first spoken to"
            self.draft.lose(INFERRED, target, what)
            self._add("spawn", _LEAD, position, "", ("event",), to=target)

    def _worker_turn(self, position: int, role: str, words: str) -> None:
        agent = self.redaction.name(role, "agent")
        self._spawn(position, agent)
        self._add("return", agent, position, words, **{"from": agent}, to=_LEAD)
        self.returned = True

    def _team_turn(self, position: int, name: str, words: str) -> None:
        """A team without a lead.

        Whoever writes code calls the terminal, whoever else speaks, speaks to the next.
        """
        agent = self.redaction.name(name, "agent")
        following = text(value(self.turns, position + 1), "name")
        if name == _TERMINAL:
            self._terminal_turn(position, words)
        elif words.strip() == _STOP_WORD:
            self._add("orchestrator_decision", agent, position, words, role="stop")
        elif following == _TERMINAL:
            call_id = f"call-{position}"
            self.calls[position] = self._add(
                "tool_call", agent, position, words, tool=_TERMINAL, x_call_id=call_id
            )
        elif following and following != name:
            target = self.redaction.name(following, "agent")
            what = "a turn counts as a message to the next speaker"
            self.draft.lose(INFERRED, agent, what)
            self._add("message", agent, position, words, ("to",), **{"from": agent}, to=target)
        else:
            self._add("message", agent, position, words, **{"from": agent})

    def _terminal_turn(self, position: int, words: str) -> None:
        agent, call_id = _TERMINAL, None
        if position - 1 in self.calls:
            call = self.draft.entry(self.calls[position - 1])
            agent, call_id = call.agent, call.keys["x_call_id"]
        failed = words.startswith("exitcode: ") and not words.startswith("exitcode: 0")
        keys = {"tool": _TERMINAL, "x_call_id": call_id, "x_error": failed or None}
        self._add("tool_result", agent, position, words, **keys)

    def _note_run(self) -> None:
        draft, log = self.draft, self.log
        if isinstance(value(log, "is_correct"), bool):
            draft.metrics["task_success"] = int(value(log, "is_correct"))
        if self.mistake is not None:
            draft.metrics["corpus.mistake_step"] = self.mistake
        if text(log, "mistake_reason"):
            draft.lose(DROPPED, self.place, "the reason given for the mistake")
        draft.lose(INFERRED, self.place, "there is no clock; t counts the turns")
        draft.lose(DROPPED, self.place, "usage is not recorded; tokens are 0 for unknown")
        draft.lose(AMBIGUOUS, self.place, "each turn counts as one model step")
        draft.stop_reason = self._stop_reason()

    def _stop_reason(self) -> str:
        for turn in self.turns[-3:]:
            words = text(turn, "content").strip()
            if words == _STOP_WORD or words.startswith("Request satisfied"):
                return "explicit"
        last_role = text(self.turns[-1], "role")
        return "external" if last_role.endswith("(termination condition)") else "truncated"


FORMAT = RecordedFormat(
    name="who-and-when",
    title="Who&When failure logs (Magentic-One and generated teams)",
    recognise=recognise,
    convert=convert,
)
