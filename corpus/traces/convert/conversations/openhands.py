"""Events of OpenHands: actions and observations of an agent and its delegates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from corpus.traces.convert.agent_names import USER, AgentNames
from corpus.traces.convert.conversations.talk import Talk
from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.format import AMBIGUOUS, Conversion, RecordedFormat, RecorderVersion
from corpus.traces.convert.lookup import (
    JsonObject,
    has_time,
    iso_time,
    items,
    record,
    stated_count,
    text,
    value,
)
from corpus.traces.convert.redaction import Redaction, unnamed
from corpus.traces.convert.usage import NO_USAGE, Usage, usage_with_cache_in_input

_SYSTEM = "openhands"
_MAIN = "main"
_SOURCES = frozenset({"agent", "user", "environment"})
# Actions that change the state of the program, or give the agent something to read.
_SILENT = frozenset(
    {
        *("system", "recall", "change_agent_state", "pause", "resume", "stop", "null", "start"),
        *("condensation", "condensation_request", "send_pr", "push", "loop_recovery"),
    }
)
_ENDS = frozenset({"finish", "reject"})


def recognise(document: RecordedFile) -> bool:
    """Look for actions and observations with one of the three sources."""
    found: list[Any] = []
    for row in document.rows[:50]:
        found += _events(row.value)[:50]
    # One such event may be a coincidence.
    return sum(_is_event(one) for one in found) > 1


def _is_event(node: object) -> bool:
    is_action = bool(text(node, "action")) and "args" in record(node)
    is_observation = bool(text(node, "observation")) and "extras" in record(node)
    return text(node, "source") in _SOURCES and (is_action or is_observation)


def _events(node: object) -> list[Any]:
    for name in ("history", "trajectory", "events"):
        if found := items(node, name):
            return found
    return items(node) or [node]


def convert(documents: Sequence[RecordedFile], redaction: Redaction) -> Iterator[Conversion]:
    """Yield one trace for each file."""
    for document in documents:
        events: list[JsonObject] = []
        for row in document.rows:
            events += [one for one in _events(row.value) if isinstance(one, dict)]
        walk = _EventTalk(events, document.path.name, redaction)
        yield walk.conversion()


class _EventTalk:
    """One run; the agent at work is the delegate that was started last."""

    def __init__(self, events: Sequence[JsonObject], place: str, redaction: Redaction) -> None:
        has_clock = has_time(events, "timestamp")
        name = unnamed("run", place)
        self.talk = Talk(name, _SYSTEM, redaction, place, has_clock=has_clock)
        self.names = AgentNames(redaction)
        self.stack = [(self.names.unique(_MAIN), -1)]
        self.position = 0
        self.responses: set[str] = set()
        self.owners: dict[str, str] = {}
        self.ended = False
        self.got_return = False
        for position, event in enumerate(events):
            self.position = position
            self._take(event)
        if not self.ended:
            self.talk.stop = "truncated"

    def conversion(self) -> Conversion:
        return self.talk.conversion("events")

    @property
    def agent(self) -> str:
        """Who is at work."""
        return self.stack[-1][0]

    def _time(self, event: JsonObject) -> float | None:
        if self.talk.draft.has_clock:
            return iso_time(value(event, "timestamp"))
        return float(self.position)

    def _take(self, event: JsonObject) -> None:
        action = text(event, "action")
        observation = text(event, "observation")
        if action:
            self._action(event, action)
        elif observation:
            self._observation(event, observation)
        else:
            self.talk.skip("none")

    def _action(self, event: JsonObject, action: str) -> None:
        source = text(event, "source")
        if action == "message" and source == "user":
            self.ended = False
            content = value(event, "args", "content")
            self.talk.actions.prompt(self.agent, self._time(event), content)
        elif action in _SILENT or source != "agent":
            self.talk.skip(f"action {action}")
        else:
            self._agent_action(event, action)

    def _agent_action(self, event: JsonObject, action: str) -> None:
        self._step(event)
        if action == "message":
            self._answer(event, value(event, "args", "content"))
            # The user may go on after it, which opens the run again.
            self.ended = self.ended or len(self.stack) == 1
        elif action in _ENDS:
            self._end(event)
        elif action == "delegate":
            self._delegate(event)
        else:
            name = self._call_id(event)
            self.owners[name] = self.agent
            asked = value(event, "args")
            self.talk.call(self.agent, self._time(event), action, name, asked)

    def _step(self, event: JsonObject) -> None:
        """Begin a model step, unless the action is of the answer of the one before."""
        response = record(event, "tool_call_metadata", "model_response")
        name = text(response, "id")
        # An answer of the model may hold several calls; each is an action with a copy of it.
        if name and name in self.responses:
            return
        self.responses.add(name)
        self.talk.step(self.agent, self._time(event), _usage(response))
        if self.got_return:
            self.got_return = False
            why = "the first step after a delegate has ended counts as an aggregate"
            self.talk.draft.settle(self.agent, ("type",), "aggregate", why)

    def _call_id(self, event: JsonObject) -> str:
        """Return the id of the model's call, else that of the event, which observations name."""
        found = text(event, "tool_call_metadata", "tool_call_id")
        return found or f"event-{value(event, 'id')}"

    def _answer(self, event: JsonObject, content: object) -> None:
        if len(self.stack) == 1:
            self.talk.answer(self.agent, self._time(event), content, USER)

    def _end(self, event: JsonObject) -> None:
        content = value(event, "args", "outputs") or value(event, "args", "final_thought")
        # The end of a delegate is the observation that its parent gets.
        if len(self.stack) == 1:
            self.talk.answer(self.agent, self._time(event), content, USER)
            self.talk.stop = "explicit"
            self.ended = True

    def _delegate(self, event: JsonObject) -> None:
        self.talk.draft.settle(self.agent, ())
        child = self.names.unique(text(event, "args", "agent"))
        spawn = self.talk.actions.spawn(
            self.agent,
            child,
            self._time(event),
            self._call_id(event),
            value(event, "args", "inputs"),
            text(event, "args", "agent"),
        )
        # Events do not name their agent: from here on, the delegate acts until it ends.
        self.stack.append((child, spawn))

    def _observation(self, event: JsonObject, observation: str) -> None:
        if observation == "delegate" and len(self.stack) > 1:
            self._delegate_ends(event)
            return
        name = text(event, "tool_call_metadata", "tool_call_id")
        name = name or f"event-{value(event, 'cause')}"
        if name not in self.owners:
            self.talk.skip(f"observation {observation}")
            return
        refused = observation == "user_rejected"
        failed = refused or observation == "error" or self._command_failed(event)
        # Whoever is at work now, the result belongs to the agent that called.
        owner = self.owners[name]
        content = value(event, "content")
        time = self._time(event)
        self.talk.result(owner, time, name, content, failed=failed, refused=refused)

    def _command_failed(self, event: JsonObject) -> bool:
        """Whether a command failed, as far as the observation tells."""
        code = _exit_code(event)
        if code is not None and code < 0:
            # Such as a server that is still running: OpenHands stops waiting after some seconds
            # without output, leaves the code at -1 (CmdOutputMetadata), and writes `success` as
            # false, since that is not 0 (event_to_dict).
            what = "a command whose exit code was not seen, which counts as not failed"
            self.talk.draft.lose(AMBIGUOUS, self.talk.place, what)
            return False
        if code is not None:
            return code > 0
        return value(event, "success") is False

    def _delegate_ends(self, event: JsonObject) -> None:
        child, spawn = self.stack.pop()
        back = self.talk.actions.hand_back(
            child,
            self.agent,
            self._time(event),
            value(event, "content"),
            x_call_id=self.talk.draft.entry(spawn).keys.get("x_call_id"),
        )
        self.talk.draft.replace(self.agent, spawn, back)
        self.got_return = True


def _exit_code(event: JsonObject) -> int | None:
    """Return the exit code of a command; older files have it beside the metadata."""
    extras = record(event, "extras")
    for code in (value(extras, "metadata", "exit_code"), value(extras, "exit_code")):
        if isinstance(code, int) and not isinstance(code, bool):
            return code
    return None


def _usage(response: JsonObject) -> Usage:
    usage = record(response, "usage")
    model = text(response, "model")
    if not usage:
        return NO_USAGE._replace(model=model)
    return usage_with_cache_in_input(
        stated_count(usage, "prompt_tokens"),
        stated_count(usage, "prompt_tokens_details", "cached_tokens"),
        stated_count(usage, "cache_creation_input_tokens"),
        stated_count(usage, "completion_tokens"),
        stated_count(usage, "completion_tokens_details", "reasoning_tokens"),
        model,
    )


FORMAT = RecordedFormat(
    name=_SYSTEM,
    title="Events of OpenHands (version 0): a trajectory, or the history of an evaluation",
    versions=(
        RecorderVersion("OpenHands 0.20 (without tool_call_metadata)", "openhands 0.20"),
        RecorderVersion("OpenHands 0.50", "openhands 0.50"),
    ),
    tokens=("input", "cached", "cache_write", "output", "reasoning"),
    maps=(
        ("orchestrator_decision", "the step that delegates"),
        ("spawn, return", "the action and the observation delegate, what is between is the child"),
        ("tool_call, tool_result", "other actions of the agent, and their observations by cause"),
        ("aggregate", "the first step after a delegate has ended; inferred"),
        ("return", "a message of the agent, and finish, of the agent at the top"),
        ("human_intervention", "messages of the source user"),
        ("safety_event", "the observation user_rejected"),
    ),
    loses=(
        "rewards and task success",
        "tokens, where tool_call_metadata has no answer of the model: each action is then a step",
        "tokens that the program spends on condensing the history",
        "the events of the software development kit (version 1): export those as ATIF",
    ),
    recognise=recognise,
    convert=convert,
)
