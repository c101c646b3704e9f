"""Failure logs of the Who&When benchmark.

Conversations of Magentic-One or of generated teams, without a clock.
"""

import re
from typing import Any

from corpus.traces.convert.format import Conversions, Documents, RecordedFormat, Redaction
from corpus.traces.convert.recorder import Recorder
from corpus.traces.lookup import (
    JsonObject,
    first_text,
    items,
    parsed,
    record,
    records,
    stated_count,
    text,
    value,
)

_SYSTEM = "who-and-when"
_TERMINAL = "Computer_terminal"
_LEAD = "Orchestrator"
_STOP_WORD = "TERMINATE"
_NEXT = re.compile(r"\s*Next speaker:?\s+(\w+)", re.IGNORECASE)


def convert(documents: Documents, redaction: Redaction) -> Conversions:
    """Yield one trace per log."""
    for document in documents:
        for position, row in enumerate(document.objects):
            # A file that is one list has no lines for its logs: their position is used instead.
            line = row.line + position * (len(document.rows) == 1)
            if records(row.value, "history"):
                yield _LogRecorder(row.value, document.place(line), redaction).finish()


class _LogRecorder(Recorder):
    """One log; turn n happens at t = n."""

    def __init__(self, log: JsonObject, place: str, redaction: Redaction) -> None:
        super().__init__(text(log, "question_ID"), _SYSTEM, redaction, place, has_clock=False)
        # A turn that cannot be read keeps its place: annotations name turns by position.
        self.turns = list(map(record, items(log, "history")))
        self.task = text(log, "question")
        speakers = {first_text(turn, "name", "role").partition(" (")[0] for turn in self.turns}
        for name, prompt in record(log, "system_prompt").items():
            if name in speakers - {_TERMINAL}:
                self.keep(self.agent(name), system=prompt)
            else:
                self.dropped("the system prompt of an agent that takes no turn")
        if text(log, "system_prompt"):
            self.dropped("a system prompt that is not of one agent")
        self.spawned: set[str] = set()
        self.returned = False
        self.position = 0
        # The turn that is annotated as the mistake.
        mistake, named = stated_count(log, "mistake_step"), text(log, "mistake_agent")
        if not named or mistake is None or mistake >= len(self.turns):
            mistake = None
            if named:
                self.dropped("an annotated mistake whose step is not in the log")
        for position, turn in enumerate(self.turns):
            self.position = position
            self.at(float(position))
            before = len(self)
            name, role, words = text(turn, "name"), text(turn, "role"), text(turn, "content")
            if name:
                self._team_turn(name, words)
            elif role in ("human", "user"):
                self._add("human_intervention", "user", words, role="user" if before else "task")
            elif role.startswith(_LEAD):
                self._lead_turn(role, words)
            elif role:
                agent = self.agent(role)
                self._spawn(agent)
                self._add("return", agent, words, **{"from": agent}, to=_LEAD)
                self.returned = True
            else:
                self.dropped("a turn without a speaker")
            # Of the turn that is annotated; a spawn that is inferred from it comes before its own
            # event. The two labels are given apart: in a few logs the agent is not who speaks.
            for event in self.events[before:][-1:] if position == mistake else ():
                event.keys |= {"x_mistake": True, "x_mistake_agent": self.agent(named)}
                if event.agent != self.agent(named):
                    self.ambiguous("an annotated mistake in a turn of another agent than it names")
        if isinstance(value(log, "is_correct"), bool):
            self.metrics["task_success"] = int(value(log, "is_correct"))
        if mistake is not None:
            self.metrics["corpus.mistake_step"] = mistake
        if text(log, "mistake_reason"):
            self.dropped("the reason given for the mistake")
        self.dropped("usage is not recorded; tokens are 0 for unknown")
        self.ambiguous("each turn counts as one model step")
        self.stop_reason = "truncated"
        if text(self.turns[-1], "role").endswith("(termination condition)"):
            self.stop_reason = "external"
        for turn in self.turns[-3:]:
            words = text(turn, "content").strip()
            if words == _STOP_WORD or words.startswith("Request satisfied"):
                self.stop_reason = "explicit"

    def _add(
        self, kind: str, agent: str, words: str = "", marks: tuple[str, ...] = (), /, **keys: Any
    ) -> None:
        """Add an event after the one before: a log without a clock tells nothing but the order."""
        # What a tool or a person wrote, or what is made up here, took no call of a model.
        if kind not in ("spawn", "tool_result", "human_intervention"):
            self.step(agent)
        before = self.events[-1:]
        event = self.add(kind, agent, marks, content=words, **keys)
        for one in before:
            self.link(one, event)

    def _lead_turn(self, role: str, words: str) -> None:
        # A turn of the lead names its kind or its receiver: "Orchestrator (-> WebSurfer)".
        _, _, note = role.removesuffix(")").partition(" (")
        if note.startswith("->"):
            target = self.agent(note.removeprefix("->").strip())
            self._spawn(target)
            self._add("message", _LEAD, words, **{"from": _LEAD}, to=target)
        elif note != "termination condition":
            chosen = _chosen(words)
            self._add("orchestrator_decision", _LEAD, words, to=chosen and self.agent(chosen))
        # The last turn joins what the agents returned; without returns it is the answer itself.
        elif self.returned:
            self._add("aggregate", _LEAD, words)
        else:
            self._add("return", _LEAD, words, to="user")

    def _spawn(self, target: str) -> None:
        if target not in self.spawned:
            self.spawned.add(target)
            self.inferred("an agent counts as spawned when it is first spoken to", target)
            self._add("spawn", _LEAD, "", ("event",), to=target)

    def _team_turn(self, name: str, words: str) -> None:
        """A team without a lead.

        Whoever writes code calls the terminal, whoever else speaks, speaks to the next.
        """
        agent = self.agent(name)
        following = text(value(self.turns, self.position + 1), "name")
        if name == _TERMINAL:
            agent, call_id = _TERMINAL, None
            for call in self.events[-1:]:
                if call.kind == "tool_call":
                    agent, call_id = call.agent, call.keys["x_call_id"]
            failed = words.startswith("exitcode: ") and not words.startswith("exitcode: 0")
            keys = {"tool": _TERMINAL, "x_call_id": call_id, "x_error": failed or None}
            self._add("tool_result", agent, words, **keys)
        elif words.strip() == _STOP_WORD:
            self._add("orchestrator_decision", agent, words, role="stop")
        elif following == _TERMINAL:
            call_id = f"call-{self.position}"
            self._add("tool_call", agent, words, tool=_TERMINAL, x_call_id=call_id)
        elif following and following != name:
            self.inferred("a turn counts as a message to the next speaker", agent)
            keys = {"from": agent, "to": self.agent(following)}
            self._add("message", agent, words, ("to",), **keys)
        else:
            self._add("message", agent, words, **{"from": agent})


def _chosen(words: str) -> str:
    """Return whom the lead chooses, in words or in its ledger; nobody where it is satisfied."""
    ledger = parsed(words[max(0, words.find("{")) :])
    if isinstance(ledger, dict):
        is_satisfied = value(ledger, "is_request_satisfied.answer") is True
        return "" if is_satisfied else text(ledger, "next_speaker.answer")
    chosen = _NEXT.match(words)
    return chosen[1] if chosen else ""


FORMAT = RecordedFormat(_SYSTEM, convert)
