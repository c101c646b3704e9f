"""Runs as OpenTelemetry spans in OTLP JSON, with GenAI attributes."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET

from corpus.traces.contents import Contents
from corpus.traces.emit.target import (
    DAY,
    SPAWN_OF_NOBODY,
    SPAWN_TOOL,
    RunWriter,
    Written,
    call_id,
    is_model_step,
    stated,
    usage,
)
from corpus.traces.lookup import JsonObject
from corpus.traces.model import Event
from corpus.traces.run import Life, Run

Attributes = Mapping[str, Any]

_INTERNAL = 1
_CLIENT = 3
_ERROR = 2
_LONGEST = 2**63 - 1


class _Spans(RunWriter):
    """The spans of one run.

    Parameters
    ----------
    run : Run
        What to write.
    """

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        digest = hashlib.sha256(run.id.encode()).hexdigest()
        self.trace = digest[:32]
        # Half of each span id is of the trace: spans of several are in one file.
        self.salt = digest[32:40]
        self.spans: list[JsonObject] = []
        self.agent_span: dict[str, JsonObject] = {}
        #: When each agent took part, long enough for its calls and its sub-agents.
        self.lives = lives = dict(run.lives)

        def stretch(name: str, end: float) -> None:
            if name in lives and lives[name].end < end:
                lives[name] = lives[name]._replace(end=end)

        for call, result in run.pairs.answers.items():
            stretch(run.actors[call], run.until(result))
        if run.has_spans:
            lives[run.main] = Life(run.begin, run.finish)
        # Children come after their parents, so that backwards every child is final.
        for name in reversed(run.agents):
            if name in self.returns:
                stretch(name, run.until(self.returns[name]))
            stretch(run.parents.get(name, name), lives[name].end)

    def build(self) -> list[JsonObject]:
        """Return the spans, parents before children, else in the order of the run."""
        run = self.run
        for name in run.agents:
            if name not in self.spawn_of:
                self._agent(name)
        # Agents that spawned each other in a circle have no root: each begins with its first event.
        for place in run.graph.order:
            event = run.events[place]
            owner = run.actors[place]
            if owner not in self.agent_span and owner in self.spawn_of:
                self._agent(owner)
            if place not in self.call_of:
                self._event(place, event, owner)
        return self.spans

    def _event(self, place: int, event: Event, owner: str) -> None:
        above = self.agent_span.get(owner, self.agent_span[self.run.main])
        end = self.run.until(place)
        if event.type in ("human_intervention", "safety_event", "despawn"):
            # These become span events: the conventions have no span for them.
            if event.type == "human_intervention" and isinstance(event.to, str):
                above = self.agent_span.get(event.to, above)
            self.drop(event, f"a {event.type} is an event of a span")
            self._note(event, above)
        elif event.type == "tool_result":
            self.drop(event, "a result without a call")
        elif is_model_step(event):
            self._model(event, above, end)
        elif event.type in ("orchestrator_decision", "aggregate"):
            given = {"gen_ai.operation.name": "plan", **_own(event)}
            self._span("plan", above, event.t, end, given)
        if event.type == "tool_call":
            end, failed = event.t, event.failed
            result = self.run.pairs.answers.get(place)
            if result is None:
                what = "a call without a result ends where it begins"
                self.losses.add("inferred", event.id, what)
            else:
                end = self.run.until(result)
                # What the result states counts more than what the call does.
                if self.run.events[result].x_error is not UNSET:
                    failed = self.run.events[result].failed
            span = self._tool(event, above, end, {})
            if failed:
                span["status"] = {"code": _ERROR}
        elif event.type == "spawn":
            child = self.child_of.get(place)
            if child is None or child in self.agent_span:
                self.drop(event, SPAWN_OF_NOBODY)
                return
            extra = {"gen_ai.transfer.mode": "return_to_caller"}
            extra["gen_ai.transfer.target.name"] = child
            self._agent(child, self._tool(event, above, self.lives[child].end, extra))
        elif event.type == "message" and event.role == "handoff" and event.to:
            given = {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": f"transfer_to_{event.to}",
                "gen_ai.tool.call.id": call_id(event),
                "gen_ai.transfer.mode": "pass_control",
                "gen_ai.transfer.target.name": event.to,
                **_own(event),
            }
            self._span(f"handoff {event.to}", above, event.t, end, given)
        elif event.type == "message":
            self.drop(event, "a message between agents, but for handoffs, is a span event")
            self._note(event, above)

    def _span(
        self,
        name: str,
        above: JsonObject | None,
        start: float,
        end: float,
        attributes: Attributes,
        kind: int = _INTERNAL,
    ) -> JsonObject:
        span: JsonObject = {
            "traceId": self.trace,
            # Ids in the order of the run: readers sort spans of one moment by them.
            "spanId": f"{self.salt}{len(self.spans) + 1:08x}",
        }
        if above:
            span["parentSpanId"] = above["spanId"]
        span["name"] = name
        span["kind"] = kind
        span["startTimeUnixNano"] = _nanoseconds(start)
        span["endTimeUnixNano"] = _nanoseconds(max(start, end))
        span["attributes"] = _pairs(attributes)
        self.spans.append(span)
        return span

    def _agent(self, name: str, above: JsonObject | None = None) -> None:
        life = self.lives[name]
        given = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": name,
            "gen_ai.conversation.id": self.run.id,
        }
        self.agent_span[name] = self._span(
            f"invoke_agent {name}", above, life.start, life.end, given
        )

    def _model(self, event: Event, above: JsonObject, end: float) -> None:
        """Write the model call behind an event, with its tokens."""
        if event.x_steps and event.x_steps > 1:
            lost = int(event.x_steps) - 1
            self.drop(event, "several model steps of one event are one span", lost)
        start = event.t
        if event.x_step_t is not UNSET and event.x_step_end is not UNSET:
            start, end = event.x_step_t, event.x_step_end
        elif event.type == "tool_call":
            end = start
        given: JsonObject = {"gen_ai.operation.name": "chat"}
        if event.x_model is not UNSET:
            given["gen_ai.response.model"] = event.x_model
        for kind, number in usage(event).items():
            given[f"gen_ai.usage.{_USAGE[kind]}"] = number
        given |= _own(event)
        name = f"chat {stated(event.x_model)}".strip()
        self._span(name, above, start, end, given, _CLIENT)

    def _tool(self, event: Event, above: JsonObject, end: float, extra: Attributes) -> JsonObject:
        tool = stated(event.tool)
        if event.type == "spawn":
            tool = SPAWN_TOOL
        given = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.id": call_id(event)}
        if tool:
            given["gen_ai.tool.name"] = tool
        given |= {**extra, **_own(event)}
        return self._span(f"execute_tool {tool}".strip(), above, event.t, end, given)

    def _note(self, event: Event, above: JsonObject) -> None:
        noted = {"timeUnixNano": _nanoseconds(event.t), "name": event.type}
        above.setdefault("events", []).append({**noted, "attributes": _pairs(_own(event))})


#: What the conventions call each kind; tokens of no kind have a name that is widely written.
_USAGE = {
    "prompt": "input_tokens",
    "completion": "output_tokens",
    "cached": "cache_read.input_tokens",
    "cache_write": "cache_creation.input_tokens",
    "reasoning": "reasoning.output_tokens",
    "total": "total_tokens",
}


_OWN_KEYS = ("role", "from_", "to", "content_ref", "trusted", "x_stop_reason")


def _own(event: Event) -> JsonObject:
    """Return what only this project's traces state of an event."""
    given = {"orchestration.event.id": event.id, "orchestration.event.type": event.type}
    for key, value in event.stated(*_OWN_KEYS).items():
        given[f"orchestration.event.{key.strip('_').removeprefix('x_')}"] = value
    return given


def _nanoseconds(seconds: float) -> str:
    """Return a time as OTLP JSON writes 64-bit numbers: as text."""
    # A trace may hold any double; nanoseconds in 64 bits end in the year 2262.
    moment = DAY + min(seconds, 1e12)
    return str(min(round(moment * 1e9), _LONGEST))


def _pairs(attributes: Attributes) -> list[JsonObject]:
    """Return attributes by the JSON mapping of the protocol."""
    return [{"key": key, "value": _typed_value(value)} for key, value in attributes.items()]


def _typed_value(value: Any) -> JsonObject:
    # A bool is an int in Python.
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    return {"stringValue": str(value)}


def write(runs: Sequence[Run], _: Contents | None = None) -> Written:
    """Return one document with the spans of all runs."""
    resources = []
    losses = []
    for run in runs:
        spans = _Spans(run)
        service = stated(run.trace.system, "orchestration trace")
        resource = {"service.name": service, "orchestration.trace.id": run.id}
        scope = {"scope": {"name": "mas-rl-corpus"}, "spans": spans.build()}
        attributes = {"attributes": _pairs(resource)}
        resources.append({"resource": attributes, "scopeSpans": [scope]})
        losses.append(spans.losses)
    return [{"resourceSpans": resources}], losses
