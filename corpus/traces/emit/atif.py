"""Runs as ATIF 1.8 trajectories: one for each agent, those of sub-agents inside their parent's."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import UNSET

from corpus.traces.contents import Contents
from corpus.traces.convert.format import LossList
from corpus.traces.convert.messages import OBJECT
from corpus.traces.emit.target import DAY, SPAWN_TOOL, RunTexts, is_model_step, plain, usage
from corpus.traces.lookup import JsonObject, parsed, record, text
from corpus.traces.model import Event
from corpus.traces.run import Run

VERSION = "ATIF-v1.8"


def write(
    runs: Sequence[Run], contents: Contents | None = None
) -> tuple[list[JsonObject], list[LossList]]:
    """Return a document for each run, and what is lost of it.

    Without contents all messages are empty.
    """
    documents = []
    losses = []
    for run in runs:
        writer = _Trajectories(run, contents)
        documents.append(writer.document())
        losses.append(writer.losses)
    return documents, losses


class _Trajectories(RunTexts):
    """One run as a trajectory."""

    def __init__(self, run: Run, contents: Contents | None) -> None:
        super().__init__(run, contents)
        #: The agent that each spawn is the first one of.
        self.child_of = {place: name for name, place in self.spawn_of.items()}
        #: The last event by which each agent returned.
        self.returns = {run.actors[place]: place for place in run.by_kind["return"]}
        what = "the trace has no clock; turns are written as seconds"
        if run.has_clock:
            what = "a trace has no date; the run begins on 2 January 1970"
        self.losses.add("inferred", "times", what)
        self.drop_tables()
        self.ids = {name: f"agent-{number}" for number, name in enumerate(run.agents, 1)}
        # The events of each agent; a result and a prompt belong to who gets them.
        self.of_agent = defaultdict(list)
        for place in run.graph.order:
            to = run.events[place].to
            owner = run.actors[self.call_of.get(place, place)]
            if place not in self.call_of and owner not in self.ids:
                owner = run.main
                if isinstance(to, str) and to in self.ids:
                    owner = to
            self.of_agent[owner].append(place)

    def document(self) -> JsonObject:
        run = self.run
        # Losses are told from the leaves up.
        done = {name: self._trajectory(name) for name in reversed(run.agents)}
        root = done[run.main]
        for name in filter(self.spawn_of.__contains__, run.agents):
            above = done[run.parents[name]]
            above.setdefault("subagent_trajectories", []).append(done[name])
        for name in run.agents:
            if name == run.main or name in self.spawn_of:
                continue
            what = "an agent that nobody spawned is written below the top agent"
            self.losses.add("inferred", name, what)
            step = {**_told("system", ""), "step_id": len(root["steps"]) + 1}
            step["extra"] = {"type": "peers"}
            _results(step).append({"subagent_trajectory_ref": [{"trajectory_id": self.ids[name]}]})
            root["steps"].append(step)
            root.setdefault("subagent_trajectories", []).append(done[name])
        root["session_id"] = run.id
        root["extra"] = {"task_id": run.trace.task_id}
        if run.trace.system is not UNSET:
            root["extra"]["system"] = run.trace.system
        return root

    def _trajectory(self, name: str) -> JsonObject:
        steps = _Steps(self)
        for place in self.of_agent[name]:
            steps.add(place)
        if not steps.steps:
            # A trajectory has at least one step: a spawned agent of which nothing is recorded.
            note = {"note": "no event of this agent is recorded"}
            steps.steps = [{**_told("system", ""), "extra": note}]
        for number, step in enumerate(steps.steps, 1):
            step["step_id"] = number
        version = text(self.run.events[0].x_run, "version") or "unknown"
        agent: JsonObject = {"name": name, "version": version}
        if steps.tools:
            agent["tool_definitions"] = steps.tools
        # The format has one model for an agent, and others on its steps.
        if len(steps.models) == 1:
            (agent["model_name"],) = steps.models
        return {
            "schema_version": VERSION,
            "trajectory_id": self.ids[name],
            "agent": agent,
            "steps": steps.steps,
        }

    def timestamp(self, event: Event) -> str | None:
        """Return the time of an event; None where the trace does not state it."""
        if event.infers("t"):
            return None
        try:
            moment = datetime.fromtimestamp(DAY + event.t, UTC)
        except (OverflowError, ValueError, OSError):
            self.drop(event, "a time after the year 9999")
            return None
        return moment.isoformat().replace("+00:00", "Z")


class _Steps:
    """The steps of one agent."""

    def __init__(self, writer: _Trajectories) -> None:
        self.writer = writer
        self.run = writer.run
        self.steps: list[JsonObject] = []
        #: The step that holds each call.
        self.step_of: dict[int, JsonObject] = {}
        self.open: JsonObject | None = None
        self.tools: list[JsonObject] = []
        self.models: set[str] = set()
        #: How many steps there were when it acted last.
        self.acted = 0
        #: Whether the trace tells which events are calls of a model.
        self.states_steps = any(event.x_steps is not UNSET for event in self.run.events)

    def add(self, place: int) -> None:
        """Add an event, in the order of the run."""
        event = self.run.events[place]
        kind = event.type
        if kind == "human_intervention":
            self._step(event, "user")
            self.open = None
        elif kind == "tool_result":
            call = self.writer.call_of.get(place, -1)
            step = self.step_of.get(call)
            if step is None:
                self.writer.drop(event, "a result without a call")
                return
            result: JsonObject = {}
            if self.writer.is_call(self.run.events[call]):
                result["source_call_id"] = self.writer.call_ids[call]
            result["extra"] = _extra(event)
            content = self.writer.written(event.content_ref)
            if content is not None:
                result["content"] = plain(content)
            _results(step).append(result)
            # The next step of the agent follows from what came back.
            self.open = None
        elif kind in ("tool_call", "spawn"):
            self._call(place, event)
        elif kind in ("orchestrator_decision", "message", "return", "aggregate"):
            step = self._step(event, "agent")
            # What ends an agent holds no calls, or it would not be its answer.
            self.open = None if kind == "return" else step
            if kind == "message":
                self.writer.drop(event, "a message between agents is a step without a receiver")
        else:
            self._step(event, "system")
            self.writer.drop(event, f"a {kind} is a step of the source system")

    def _step(self, event: Event, source: str) -> JsonObject:
        writer = self.writer
        words = [writer.written(event.content_ref)]
        if source == "agent":
            writer.give(event, self.steps, self.acted, _told)
            for one in writer.listed(event, "tool_definitions"):
                if one not in self.tools:
                    self.tools.append(one)
            words = writer.said(event)
        step: JsonObject = {"step_id": 0}
        timestamp = writer.timestamp(event)
        if timestamp is not None:
            step["timestamp"] = timestamp
        step["source"] = source
        step["message"] = "\n".join(plain(one) for one in words if one is not None)
        if OBJECT in step["message"]:
            writer.drop(event, "a picture, sound or file")
        if source == "agent":
            self._model(step, event)
            self.acted = len(self.steps) + 1
        elif is_model_step(event):
            what = "model steps and tokens of an event that is not a step of an agent"
            writer.drop(event, what)
        step["extra"] = _extra(event)
        self.steps.append(step)
        return step

    def _model(self, step: JsonObject, event: Event) -> None:
        metrics: JsonObject = {}
        for kind, number in usage(event).items():
            into = metrics
            if kind not in ("prompt", "completion", "cached"):
                into = metrics.setdefault("extra", {})
            into[f"{kind}_tokens"] = number
        self.writer.add_thoughts(event, step, metrics)
        if event.x_model is not UNSET:
            step["model_name"] = event.x_model
            self.models.add(event.x_model)
        if metrics:
            step["metrics"] = metrics
        if event.x_steps is not UNSET and float(event.x_steps).is_integer():
            step["llm_call_count"] = int(event.x_steps)
        elif event.x_steps is UNSET and self.states_steps:
            step["llm_call_count"] = 0
        # A trace has no event for the call that ends a trajectory, nor for its result.
        for call in self.writer.beside(event, "tool_call"):
            step.setdefault("tool_calls", []).append(call)
        for result in self.writer.beside(event, "tool"):
            if "source_call_id" in record(result):
                _results(step).append(result)

    def _call(self, place: int, event: Event) -> None:
        writer = self.writer
        child = writer.child_of.get(place)
        # Calls of one model step follow it; what a model was called for begins a step.
        if self.open is None or is_model_step(event):
            self.open = self._step(event, "agent")
        if event.type == "spawn" and child is None:
            writer.drop(event, "a spawn of an agent that is there already, or of nobody")
            return
        step = self.step_of[place] = self.open
        name = writer.call_ids[place]
        # The format requires a name of the function.
        tool = event.tool or ("unknown" if child is None else SPAWN_TOOL)
        arguments = writer.arguments(event)
        if child is not None:
            if not record(parsed(writer.written(event.content_ref))):
                arguments = {"agent": child, **arguments, **event.stated("role")}
            reference = {"trajectory_id": writer.ids[child]}
            result: JsonObject = {"source_call_id": name, "subagent_trajectory_ref": [reference]}
            if child in writer.returns:
                back = self.run.events[writer.returns[child]]
                for answer in (writer.written(back.content_ref), *writer.beside(back, "tool")):
                    if answer is not None and not record(answer).get("source_call_id"):
                        result["content"] = plain(answer)
            _results(step).append(result)
        if writer.is_call(event):
            call = {"tool_call_id": name, "arguments": arguments, "function_name": tool}
            step.setdefault("tool_calls", []).append({**call, "extra": _extra(event)})


def _told(role: str, words: object) -> JsonObject:
    """Return a step in which an agent is told something, until steps are numbered."""
    return {"step_id": 0, "source": role, "message": plain(words)}


def _results(step: JsonObject) -> Any:
    return step.setdefault("observation", {"results": []})["results"]


#: Keys of an event that have no field in the format.
_EXTRA_KEYS = ("role", "to", "content_ref", "trusted", "x_end", "x_stop_reason", "x_error")


def _extra(event: Event) -> JsonObject:
    """Return what only this project's traces state of an event."""
    return {"event": event.id, "type": event.type, **event.stated(*_EXTRA_KEYS)}
