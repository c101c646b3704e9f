"""Trajectories of SWE-agent (.traj): the turns of one agent on a command line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from corpus.traces.convert.conversations.talk import Talk, plain_text
from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.format import (
    AMBIGUOUS,
    DROPPED,
    Conversion,
    RecordedFormat,
    RecorderVersion,
)
from corpus.traces.convert.lookup import (
    JsonObject,
    count,
    items,
    record,
    records,
    stated_count,
    text,
    value,
)
from corpus.traces.convert.redaction import Redaction, unnamed
from corpus.traces.convert.usage import Usage

_SYSTEM = "swe-agent"
_MAIN = "main"
# What the program notes in place of an action when an error or a limit ends the run: nothing from
# version 1 on (handle_error_with_autosubmission), before that one of these
# (handle_special_actions). It then submits what there is. To give up (exit_forfeit) is an action of
# the model.
_PROGRAM_ACTIONS = frozenset(
    {"", "exit_context", "exit_cost", "exit_error", "exit_format", "exit_api"}
)


def recognise(document: RecordedFile) -> bool:
    """Look for turns of an action and an observation, with a history or a summary beside them."""
    first = document.rows[0].value if document.rows else None
    turn = record(first, "trajectory", 0)
    is_turn = "action" in turn and "observation" in turn
    return is_turn and ("history" in record(first) or "info" in record(first))


def convert(documents: Sequence[RecordedFile], redaction: Redaction) -> Iterator[Conversion]:
    """Yield one trace for each trajectory."""
    for document in documents:
        for row in document.objects:
            if records(row.value, "trajectory"):
                place = document.place(row.line)
                name = document.path.name.removesuffix(".gz").removesuffix(".traj")
                yield _Trajectory(row.value, name, place, redaction).conversion()


class _Trajectory:
    def __init__(self, node: JsonObject, name: str, place: str, redaction: Redaction) -> None:
        self.node = node
        self.turns = records(node, "trajectory")
        trace_id = unnamed("trajectory", name)
        self.talk = Talk(trace_id, _SYSTEM, redaction, place, has_clock=False)
        self.agent = self.talk.agent(self._name())
        self.model_turns = 0
        self._prompt()
        for position, turn in enumerate(self.turns, start=1):
            is_last = position == len(self.turns)
            self._turn(turn, float(position), is_last=is_last)
        self._note_run()

    def conversion(self) -> Conversion:
        return self.talk.conversion("turns")

    def _name(self) -> str:
        for item in records(self.node, "history"):
            if name := text(item, "agent"):
                return name
        return _MAIN

    def _prompt(self) -> None:
        """Add the task: the first words to the agent, demonstrations left out."""
        for item in records(self.node, "history"):
            is_demo = value(item, "is_demo") is True or "demo" in items(item, "tags")
            if text(item, "role") == "user" and not is_demo:
                words = plain_text(value(item, "content"))
                self.talk.actions.prompt(self.agent, 0.0, words)
                return

    def _turn(self, turn: JsonObject, time: float, *, is_last: bool) -> None:
        action = text(turn, "action").strip()
        if is_last and self._is_of_program(action):
            if self._status().startswith("submitted"):
                self.talk.answer(self.agent, time, self._submission())
            return
        self.model_turns += 1
        self.talk.step(self.agent, time)
        if is_last and self._submits(action):
            self.talk.answer(self.agent, time, self._submission() or action)
        elif action:
            self._command(turn, action, time)
        else:
            self.talk.draft.settle(self.agent)

    def _is_of_program(self, action: str) -> bool:
        """Whether the program wrote a last turn, since it ended the run."""
        return action in _PROGRAM_ACTIONS and "exit_" in self._status()

    def _submits(self, action: str) -> bool:
        """Whether the last action submits: by its name, or as part of a longer command."""
        return action.startswith("submit") or self._status() == "submitted"

    def _command(self, turn: JsonObject, action: str, time: float) -> None:
        name = text(value(turn, "tool_calls"), 0, "id")
        tool = action.split(maxsplit=1)[0]
        self.talk.call(self.agent, time, tool, name, text(turn, "action"))
        self.talk.result(self.agent, time, name, value(turn, "observation"))

    def _submission(self) -> Any:
        return value(self.node, "info", "submission")

    def _status(self) -> str:
        return text(self.node, "info", "exit_status")

    def _note_run(self) -> None:
        status = self._status()
        if status == "submitted":
            self.talk.stop = "explicit"
        elif status:
            # Such as exit_cost: what was done by then is submitted by the program.
            self.talk.stop = "external"
        else:
            self.talk.stop = "truncated"
        draft = self.talk.draft
        place = self.talk.place
        draft.run["exit_status"] = self.talk.redaction.token(status)
        stats = record(self.node, "info", "model_stats")
        usage = Usage(
            input=stated_count(stats, "tokens_sent"), output=stated_count(stats, "tokens_received")
        )
        if usage.total and draft.spend(self.agent, usage):
            what = "the tokens of the whole run are on its last step"
            draft.lose(AMBIGUOUS, place, what, usage.total)
        further_calls = count(stats, "api_calls") - self.model_turns
        if further_calls > 0:
            what = "model calls that are not turns, such as repeated ones"
            draft.lose(DROPPED, place, what, further_calls)
        further_attempts = len(items(self.node, "attempts")) - 1
        if further_attempts > 0:
            what = "attempts beside the one that was chosen"
            draft.lose(DROPPED, place, what, further_attempts)


FORMAT = RecordedFormat(
    name=_SYSTEM,
    title="SWE-agent trajectories (.traj)",
    versions=(
        RecorderVersion("SWE-agent 0.7", "swe-agent 0.7"),
        RecorderVersion("SWE-agent 1.1", "swe-agent 1.1"),
    ),
    tokens=("input", "output"),
    maps=(
        ("tool_call, tool_result", "the action of a turn, named by its first word; observation"),
        (
            "return",
            "a last turn that submits, or in which the program does after an error or limit",
        ),
        ("human_intervention", "the first prompt that is not a demonstration"),
        ("orchestrator_decision", "a turn without an action; inferred"),
    ),
    loses=(
        "every time: t counts the turns, and wall_clock_s is 0 for unknown",
        "the tokens of a turn: those of the whole run are on its last step",
        "whether a command failed",
        "rewards and task success",
        "other attempts of a run with several",
    ),
    recognise=recognise,
    convert=convert,
)
