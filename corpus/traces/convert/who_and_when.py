"""Failure logs of the Who&When benchmark: conversations of Magentic-One or of generated teams, without a clock."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.draft import Draft
from corpus.traces.convert.format import AMBIGUOUS, DROPPED, INFERRED, Conversion, RecordedFormat
from corpus.traces.convert.lookup import count, items, text, value
from corpus.traces.convert.redaction import Redaction

_ROLE = re.compile(r"(?P<agent>[^()]{1,80}?) \((?P<note>[^()]{1,80})\)")
_TERMINAL = "Computer_terminal"
_LEAD = "Orchestrator"


def recognise(document: RecordedFile) -> bool:
    """Look for a history with the annotations of the benchmark."""
    return any(
        items(one, "history") and ("mistake_agent" in one or "mistake_step" in one)
        for row in document.rows[:5]
        for one in _records(row.value)
    )


def convert(documents: Sequence[RecordedFile], redaction: Redaction) -> Iterator[Conversion]:
    """Yield one trace a log."""
    for document in documents:
        for row in document.rows:
            for number, one in enumerate(_records(row.value)):
                if any(isinstance(turn, dict) for turn in items(one, "history")):
                    place = document.place(row.line + number if len(document.rows) == 1 else row.line)
                    yield _Log(one, place, redaction).conversion()


def _records(node: object) -> list[dict[str, Any]]:
    return [one for one in (node if isinstance(node, list) else [node]) if isinstance(one, dict)]


class _Log:
    """One log; turn n happens at t = n."""

    def __init__(self, log: dict[str, Any], place: str, redaction: Redaction) -> None:
        self.log = log
        self.place = place
        self.turns = [turn for turn in items(log, "history") if isinstance(turn, dict)]
        self.draft = Draft(text(log, "question_ID") or "unnamed", "who-and-when", redaction, order="temporal")
        self.draft.has_clock = False
        self.draft.task = text(log, "question")
        self.known: dict[str, int] = {}
        self.last: int | None = None
        self.returned = False
        self.calls: dict[str, int] = {}

    def conversion(self) -> Conversion:
        for place, turn in enumerate(self.turns):
            before = len(self.draft)
            self._turn(place, turn)
            if place == count(self.log, "mistake_step") and text(self.log, "mistake_agent"):
                for handle in range(before, len(self.draft)):
                    self.draft.entry(handle).keys["x_mistake"] = True
        self._notes()
        return self.draft.finish()

    def _turn(self, place: int, turn: dict[str, Any]) -> None:
        name, role = text(turn, "name"), text(turn, "role")
        said = text(turn, "content")
        if name:
            self._team_turn(place, name, said)
        elif role == "human" or role == "user":
            self._human(place, said)
        elif role.startswith(_LEAD):
            self._lead(place, role, said)
        elif role:
            self._worker(place, role, said)

    def _add(
        self, kind: str, agent: str, place: int, said: str = "", marks: tuple[str, ...] = (), /, **keys: Any
    ) -> int:
        """Add an event after the one before: a log without a clock tells nothing but the order."""
        if kind not in ("spawn", "tool_result", "human_intervention"):
            self.draft.step(agent, float(place))
        content = self.draft.redaction.content(said)
        handle = self.draft.add(kind, agent, float(place), marks, content_ref=content, **keys)
        if self.last is not None:
            self.draft.link(self.last, handle)
        self.last = handle
        return handle

    def _human(self, place: int, said: str) -> None:
        role = "task" if self.last is None else "user"
        self._add("human_intervention", "user", place, said, role=role)

    def _lead(self, place: int, role: str, said: str) -> None:
        note = _ROLE.fullmatch(role)
        what = note["note"] if note else ""
        if what.startswith("->"):
            target = self.draft.redaction.name(what.removeprefix("->").strip(), "agent")
            self._spawn(place, target)
            self._add("message", _LEAD, place, said, **{"from": _LEAD}, to=target)
        elif what == "termination condition":
            kind = "aggregate" if self.returned else "return"
            self._add(kind, _LEAD, place, said, to=None if self.returned else "user")
        else:
            self._add("orchestrator_decision", _LEAD, place, said)

    def _spawn(self, place: int, target: str) -> None:
        if target not in self.known:
            self.draft.lose(INFERRED, target, "an agent counts as spawned when it is first spoken to")
            self.known[target] = self._add("spawn", _LEAD, place, "", ("event",), to=target)

    def _worker(self, place: int, role: str, said: str) -> None:
        agent = self.draft.redaction.name(role, "agent")
        self._spawn(place, agent)
        self._add("return", agent, place, said, **{"from": agent}, to=_LEAD)
        self.returned = True

    def _team_turn(self, place: int, name: str, said: str) -> None:
        """A team without a lead: whoever writes code calls the terminal, whoever else speaks, speaks to the next."""
        agent = self.draft.redaction.name(name, "agent")
        following = text(value(self.turns, place + 1), "name")
        if name == _TERMINAL:
            self._terminal(place, said)
        elif said.strip() == "TERMINATE":
            self._add("orchestrator_decision", agent, place, said, role="stop")
        elif following == _TERMINAL:
            call = f"call-{place}"
            self.calls[call] = self._add("tool_call", agent, place, said, tool=_TERMINAL, x_call_id=call)
        else:
            target = self.draft.redaction.name(following, "agent") if following and following != name else None
            marks = ("to",) if target else ()
            if target:
                self.draft.lose(INFERRED, agent, "a turn counts as a message to the next speaker")
            self._add("message", agent, place, said, marks, **{"from": agent}, to=target)

    def _terminal(self, place: int, said: str) -> None:
        call = f"call-{place - 1}"
        agent = self.draft.entry(self.calls[call]).agent if call in self.calls else _TERMINAL
        failed = True if said.startswith("exitcode: ") and not said.startswith("exitcode: 0") else None
        keys = {"tool": _TERMINAL, "x_call_id": call if call in self.calls else None, "x_error": failed}
        self._add("tool_result", agent, place, said, **keys)

    def _notes(self) -> None:
        draft, log = self.draft, self.log
        if isinstance(value(log, "is_correct"), bool):
            draft.metrics["task_success"] = int(value(log, "is_correct"))
        if text(log, "mistake_agent"):
            draft.metrics["corpus.mistake_step"] = count(log, "mistake_step")
            draft.lose(DROPPED, self.place, "the reason given for the mistake")
        draft.lose(INFERRED, self.place, "there is no clock; t counts the turns")
        draft.lose(DROPPED, self.place, "usage is not recorded; tokens are 0 for unknown")
        draft.lose(AMBIGUOUS, self.place, "each turn counts as one model step")
        draft.stop_reason = self._stop_reason()

    def _stop_reason(self) -> str:
        said = [text(turn, "content").strip() for turn in self.turns[-3:]]
        if any(one == "TERMINATE" or one.startswith("Request satisfied") for one in said):
            return "explicit"
        return "external" if text(self.turns[-1], "role").endswith("(termination condition)") else "truncated"


FORMAT = RecordedFormat(
    name="who-and-when",
    title="Who&When failure logs (Magentic-One and generated teams)",
    maps=(
        ("orchestrator_decision", "turns of the Orchestrator (thought); TERMINATE in teams without a lead"),
        ("spawn", "the first mention of an agent; inferred"),
        ("message", "Orchestrator (-> agent); in teams without a lead, a turn to the next speaker"),
        ("return", "a turn of an agent of a led team"),
        ("tool_call, tool_result", "a turn with code for the terminal, and what the terminal said"),
        ("aggregate", "the final turn of the Orchestrator"),
        ("human_intervention", "turns of the role human"),
    ),
    loses=(
        "every time: t counts the turns, and wall_clock_s is 0 for unknown",
        "every token: the cost is 0 for unknown",
        "what ran in parallel: the log is one sequence",
        "spawns: an agent counts as spawned when it is first spoken to",
        "receivers in teams without a lead",
        "tool calls inside a turn, except code for the terminal",
        "rewards; the annotated mistake is kept as x_mistake and corpus.mistake_step",
    ),
    recognise=recognise,
    convert=convert,
)
