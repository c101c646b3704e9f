"""Runs as ATIF 1.7 trajectories: one for each agent, those of sub-agents inside their parent's."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from msgspec import UNSET

from corpus.traces.convert.format import LossList
from corpus.traces.convert.lookup import JsonObject
from corpus.traces.emit.target import (
    DAY,
    Emitted,
    Target,
    call_id,
    completion_tokens,
    is_model_step,
    note_clock,
    note_metrics,
    prompt_tokens,
    spawn_of,
    stated,
    unsorted_tokens,
)
from corpus.traces.measures.timing import is_time_inferred
from corpus.traces.model import Event
from corpus.traces.run import Run

VERSION: Final = "ATIF-v1.7"
SPAWN_TOOL: Final = "spawn_agent"
_UNKNOWN_VERSION: Final = "unknown"
_AGENT_KINDS: Final = frozenset(("orchestrator_decision", "message", "return", "aggregate"))
_SYSTEM_KINDS: Final = frozenset(("safety_event", "despawn"))


def write(runs: Sequence[Run]) -> list[Emitted]:
    """Return one trajectory document for each run."""
    return [_RunWriter(run).emitted() for run in runs]


class _RunWriter:
    """One run as a trajectory."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.losses = LossList()
        self.has_clock = note_clock(run, self.losses)
        self.spawn_of = spawn_of(run)
        self.child_of = {place: name for name, place in self.spawn_of.items()}
        self.ids = {name: f"agent-{number}" for number, name in enumerate(run.agents, 1)}
        self.call_ids = _call_ids(run)
        self.call_of = {result: call for call, result in run.pairs.answers.items()}
        self.of_agent = self._events_of_agents()
        self.children: dict[str, list[str]] = {}
        for name in run.agents:
            if name in self.spawn_of:
                parent = run.parents[name]
                self.children.setdefault(parent, []).append(name)

    def emitted(self) -> Emitted:
        run = self.run
        note_metrics(run, self.losses)
        # From the leaves up, since nesting may be deeper than Python can recurse.
        done: dict[str, JsonObject] = {}
        for name in reversed(run.agents):
            done[name] = self._trajectory(name, done)
        root = done[run.main]
        for name in run.agents:
            if name != run.main and name not in self.spawn_of:
                self._join(root, name, done[name])
        root["session_id"] = run.trace.trace_id
        root["extra"] = {"task_id": run.trace.task_id}
        if run.trace.system is not UNSET:
            root["extra"]["system"] = run.trace.system
        losses = (run.trace.trace_id, self.losses.all())
        return Emitted(root, [losses])

    def _events_of_agents(self) -> dict[str, list[int]]:
        """Return the events of each agent; a result and a prompt belong to who gets them."""
        run = self.run
        found: dict[str, list[int]] = {name: [] for name in run.agents}
        for place in run.graph.order:
            event = run.events[place]
            owner = run.actors[place]
            if place in self.call_of:
                owner = run.actors[self.call_of[place]]
            elif owner not in found:
                owner = run.main
                if isinstance(event.to, str) and event.to in found:
                    owner = event.to
            found[owner].append(place)
        return found

    def _trajectory(self, name: str, done: dict[str, JsonObject]) -> JsonObject:
        steps = _Steps(self, name)
        for place in self.of_agent[name]:
            steps.add(place)
        # The format has one model for an agent, and others on its steps.
        models = {step["model_name"] for step in steps.steps if "model_name" in step}
        agent: JsonObject = {"name": name, "version": self._version()}
        if len(models) == 1:
            agent["model_name"] = models.pop()
        found: JsonObject = {
            "schema_version": VERSION,
            "trajectory_id": self.ids[name],
            "agent": agent,
            "steps": steps.steps,
        }
        if not steps.steps:
            # A trajectory has at least one step: a spawned agent of which nothing is recorded.
            steps.system({"note": "no event of this agent is recorded"})
        inner = [done[child] for child in self.children.get(name, ())]
        if inner:
            found["subagent_trajectories"] = inner
        return found

    def _version(self) -> str:
        recorded = self.run.events[0].x_run
        if not isinstance(recorded, dict):
            return _UNKNOWN_VERSION
        version = recorded.get("version")
        if not isinstance(version, str):
            return _UNKNOWN_VERSION
        return version or _UNKNOWN_VERSION

    def _join(self, root: JsonObject, name: str, inner: JsonObject) -> None:
        """Refer from the top to an agent that nobody spawned."""
        what = "an agent that nobody spawned is written as one that the top agent called"
        self.losses.add("inferred", name, what)
        reference = {"trajectory_id": self.ids[name]}
        root["steps"].append(
            {
                "step_id": len(root["steps"]) + 1,
                "source": "system",
                "message": "",
                "observation": {"results": [{"subagent_trajectory_ref": [reference]}]},
            }
        )
        root.setdefault("subagent_trajectories", []).append(inner)

    def timestamp(self, event: Event) -> str | None:
        """Return the time of an event; None where the trace does not state it."""
        if not self.has_clock or is_time_inferred(event):
            return None
        try:
            moment = datetime.fromtimestamp(DAY + event.t, UTC)
        except (OverflowError, ValueError, OSError):
            self.losses.add("dropped", event.id, "a time after the year 9999")
            return None
        return moment.isoformat().replace("+00:00", "Z")


class _Steps:
    """The steps of one agent."""

    def __init__(self, writer: _RunWriter, name: str) -> None:
        self.writer = writer
        self.run = writer.run
        self.name = name
        self.steps: list[JsonObject] = []
        #: The step that holds each call.
        self.step_of: dict[int, JsonObject] = {}
        self.open: JsonObject | None = None

    def add(self, place: int) -> None:
        """Add an event, in the order of the run."""
        event = self.run.events[place]
        kind = event.type
        if kind == "human_intervention":
            self._step(event, "user")
            self.open = None
        elif kind == "tool_result":
            self._result(place, event)
        elif kind in ("tool_call", "spawn"):
            self._call(place, event)
        elif kind in _AGENT_KINDS:
            step = self._step(event, "agent")
            # What ends an agent holds no calls, or it would not be its answer.
            self.open = None if kind == "return" else step
            if kind == "message":
                what = "a message between agents is a step without a receiver"
                self.writer.losses.add("dropped", event.id, what)
        elif kind in _SYSTEM_KINDS:
            self._step(event, "system")
            what = f"a {kind} is a step of the source system"
            self.writer.losses.add("dropped", event.id, what)

    def system(self, extra: JsonObject) -> None:
        """Add a step of the program around the agents."""
        step = {"step_id": len(self.steps) + 1, "source": "system", "message": "", "extra": extra}
        self.steps.append(step)

    def _step(self, event: Event, source: str) -> JsonObject:
        step: JsonObject = {"step_id": len(self.steps) + 1}
        timestamp = self.writer.timestamp(event)
        if timestamp is not None:
            step["timestamp"] = timestamp
        step["source"] = source
        step["message"] = ""
        if source == "agent":
            self._model(step, event)
        elif is_model_step(event):
            what = "model steps and tokens of an event that is not a step of an agent"
            self.writer.losses.add("dropped", event.id, what)
        step["extra"] = _extra(event)
        self.steps.append(step)
        return step

    def _model(self, step: JsonObject, event: Event) -> None:
        if event.x_model is not UNSET:
            step["model_name"] = event.x_model
        metrics = _metrics(event)
        if metrics:
            step["metrics"] = metrics
        if event.x_steps is not UNSET and float(event.x_steps).is_integer():
            step["llm_call_count"] = int(event.x_steps)

    def _call(self, place: int, event: Event) -> None:
        child = self.writer.child_of.get(place)
        if event.type == "spawn" and child is None:
            what = "a spawn of an agent that is there already, or of nobody"
            self.writer.losses.add("dropped", event.id, what)
        # Calls of one model step follow it; what a model was called for begins a step.
        if self.open is None or is_model_step(event):
            self.open = self._step(event, "agent")
        name = self.writer.call_ids[place]
        call: JsonObject = {"tool_call_id": name, "arguments": {}}
        # The format requires a name.
        call["function_name"] = stated(event.tool, "unknown")
        call["extra"] = _extra(event)
        self.step_of[place] = self.open
        if event.type == "spawn":
            if child is None:
                return
            call["function_name"] = SPAWN_TOOL
            call["arguments"] = {"agent": child}
            if isinstance(event.role, str):
                call["arguments"]["role"] = event.role
            reference = {"trajectory_id": self.writer.ids[child]}
            result = {"source_call_id": name, "subagent_trajectory_ref": [reference]}
            _results(self.open).append(result)
        self.open.setdefault("tool_calls", []).append(call)

    def _result(self, place: int, event: Event) -> None:
        call = self.writer.call_of.get(place)
        step = None if call is None else self.step_of.get(call)
        if call is None or step is None:
            self.writer.losses.add("dropped", event.id, "a result without a call")
            return
        result = {"source_call_id": self.writer.call_ids[call], "extra": _extra(event)}
        _results(step).append(result)
        # The next step of the agent follows from what came back.
        self.open = None


def _results(step: JsonObject) -> list[JsonObject]:
    observation = step.setdefault("observation", {"results": []})
    found: list[JsonObject] = observation["results"]
    return found


def _metrics(event: Event) -> JsonObject:
    extra = {
        "cache_write_tokens": event.x_tokens_cache_write,
        "reasoning_tokens": event.x_tokens_reasoning,
    }
    total = unsorted_tokens(event)
    if total is not None:
        extra["total_tokens"] = total
    metrics: JsonObject = {
        "prompt_tokens": prompt_tokens(event),
        "completion_tokens": completion_tokens(event),
    }
    if event.x_tokens_cached is not UNSET:
        metrics["cached_tokens"] = round(event.x_tokens_cached)
    metrics = {key: number for key, number in metrics.items() if number is not None}
    known = {key: round(number) for key, number in extra.items() if number is not UNSET}
    if known:
        metrics["extra"] = known
    return metrics


#: Keys of an event that have no field in the format.
_EXTRA_KEYS: Final = ("role", "to", "content_ref", "trusted", "x_end", "x_stop_reason", "x_error")


def _extra(event: Event) -> JsonObject:
    """Return what only this project's traces state of an event."""
    extra: JsonObject = {"event": event.id, "type": event.type}
    for key in _EXTRA_KEYS:
        value = getattr(event, key)
        if value is not UNSET:
            extra[key] = value
    return extra


def _call_ids(run: Run) -> dict[int, str]:
    """Return a call id for each call and spawn, unique in the run."""
    found: dict[int, str] = {}
    taken: set[str] = set()
    for place, event in enumerate(run.events):
        if event.type not in ("tool_call", "spawn"):
            continue
        name = call_id(event)
        # An id may be unique for one agent only.
        if name in taken:
            name = f"{event.id}.{place}"
        taken.add(name)
        found[place] = name
    return found


TARGET = Target(
    name="atif", title="ATIF 1.7 trajectories, for Harbor and what trains on them", write=write
)
