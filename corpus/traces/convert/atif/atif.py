"""Agent trajectories in ATIF, the interchange format of the Harbor evaluation harness."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from corpus.traces.convert.atif.files import Trajectory, trajectories
from corpus.traces.convert.clock import iso_time
from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.draft import Draft
from corpus.traces.convert.format import DROPPED, INFERRED, Conversion, RecordedFormat
from corpus.traces.convert.lookup import count, items, record, text, value
from corpus.traces.convert.redaction import Redaction

_FINISH = frozenset({"finish", "submit", "mark_task_complete", "task_complete", "complete"})
_ENVIRONMENT = "environment"
_DEPTH = 100


def recognise(document: RecordedFile) -> bool:
    """Look for the version string of ATIF, or for steps of an agent."""
    return any(
        text(row.value, "schema_version").startswith("ATIF")
        or (
            items(row.value, "steps") and text(row.value, "agent", "name") and "source" in record(row.value, "steps", 0)
        )
        for row in document.rows[:5]
    )


def companions(document: RecordedFile) -> Iterator[Path]:
    """Name the files that a trajectory refers to, as they would lie in its folder."""
    folder = document.path.parent
    for row in document.rows:
        for name in sorted(set(_references(row.value))):
            if name == Path(name).name and name not in ("", ".", ".."):
                yield folder / name


def _references(node: object) -> Iterator[str]:
    yield text(node, "continued_trajectory_ref")
    for step in items(node, "steps"):
        for result in items(step, "observation", "results"):
            yield from (text(one, "trajectory_path") for one in items(result, "subagent_trajectory_ref"))


def convert(documents: Sequence[RecordedFile], redaction: Redaction) -> Iterator[Conversion]:
    """Yield one trace for each trajectory that no other one continues or calls."""
    for root in trajectories(documents):
        walk = _TrajectoryWalk(root, redaction)
        if len(walk.draft):
            yield walk.conversion()


class _TrajectoryWalk:
    """One run: the parts of a trajectory in their order, and the trajectories of its sub-agents inside."""

    def __init__(self, root: Trajectory, redaction: Redaction) -> None:
        self.draft = Draft(root.name or "unnamed", "atif", redaction)
        self.redaction = redaction
        self.names: dict[str, int] = {}
        self.turn = 0
        self.depth = 0
        self.stop = "truncated"
        self.draft.has_clock = any(iso_time(value(step, "timestamp")) is not None for step in root.all_steps())
        if not self.draft.has_clock:
            self.draft.lose(INFERRED, root.place, "there is no clock; t counts the steps")
            self.draft.order = "temporal"
        self.draft.run["version"] = redaction.token(root.version)
        self.root = root
        self._trajectory(root, self._name(root.agent), "user")

    def conversion(self) -> Conversion:
        self.draft.stop_reason = self.stop
        declared = self.root.declared_tokens()
        if declared > self.draft.tokens:
            missing = declared - self.draft.tokens
            self.draft.lose(DROPPED, self.root.place, "tokens of the final metrics that no step carries", missing)
        return self.draft.finish()

    def _name(self, wanted: str) -> str:
        base = self.redaction.name(wanted, "agent")
        self.names[base] = self.names.get(base, 0) + 1
        return base if self.names[base] == 1 else f"{base}#{self.names[base]}"

    def _trajectory(self, run: Trajectory, agent: str, above: str) -> None:
        steps = [step for part in run.parts() for step in part.steps]
        last = self._last_step(run, steps)
        for place, step in enumerate(steps):
            if value(step, "is_copied_context") is True:
                self.draft.lose(DROPPED, run.place, "a step copied from the trajectory before")
                continue
            self.turn += 1
            source = text(step, "source")
            if source == "agent":
                self._agent_step(run, step, agent, above if place == last else "")
            elif source == "user" and above == "user":
                self._human(step, agent)
            elif self._references(step):
                self.draft.close(agent)
                self.draft.lose(INFERRED, run.place, "sub-agents of a step without an agent belong to the agent")
                self.draft.add("orchestrator_decision", agent, self._time(step), ("agent",))
                self._results(run, step, agent, {})
            else:
                self.draft.lose(DROPPED, run.place, f"a step of the source {self.redaction.name(source, 'source')}")

    def _last_step(self, run: Trajectory, steps: list[dict[str, Any]]) -> int:
        """Return the place of the step that ends the trajectory, -1 where it goes on in a file that is missing."""
        if any(text(part.node, "continued_trajectory_ref") and part.later is None for part in run.parts()):
            self.draft.lose(DROPPED, run.place, "the continuation of a trajectory whose file is missing")
            return -1
        agents = [place for place, step in enumerate(steps) if text(step, "source") == "agent"]
        return -1 if not agents or any(self._references(step) for step in steps[agents[-1] + 1 :]) else agents[-1]

    def _time(self, step: dict[str, Any]) -> float | None:
        return iso_time(value(step, "timestamp")) if self.draft.has_clock else float(self.turn)

    def _human(self, step: dict[str, Any], agent: str) -> None:
        said = value(step, "message")
        role = "user" if self.draft.task else "task"
        self.draft.task = self.draft.task or (said if isinstance(said, str) else repr(said)) or "empty"
        keys = {"role": role, "to": agent, "content_ref": self.redaction.content(said)}
        self.draft.seed(agent, self.draft.add("human_intervention", "user", self._time(step), **keys))

    def _agent_step(self, run: Trajectory, step: dict[str, Any], agent: str, above: str) -> None:
        """One model step; `above` is who gets the answer if this is the agent's last one."""
        self.draft.settle(agent)
        metrics = record(step, "metrics")
        tokens = count(metrics, "prompt_tokens") + count(metrics, "completion_tokens")
        self.draft.step(agent, self._time(step), tokens)
        referring = {text(one, "source_call_id") for one in self._references(step)}
        calls = items(step, "tool_calls")
        if referring:
            self.draft.settle(agent, ())
        made: dict[str, int] = {}
        final = False
        for call in calls:
            name, tool = text(call, "tool_call_id"), text(call, "function_name")
            final = final or (bool(above) and tool.lower() in _FINISH)
            if name not in referring and not (above and tool.lower() in _FINISH):
                made[name] = self._call(step, agent, tool, name, value(call, "arguments"))
        self._results(run, step, agent, made)
        if above:
            self._end(step, agent, above, final, bool(calls))

    def _call(self, step: dict[str, Any], agent: str, tool: str, name: str, asked: object) -> int:
        keys: dict[str, Any] = {"tool": self.redaction.name(tool, "tool"), "x_call_id": self.redaction.token(name)}
        return self.draft.add("tool_call", agent, self._time(step), content_ref=self.redaction.content(asked), **keys)

    def _references(self, step: dict[str, Any]) -> list[dict[str, Any]]:
        return [one for one in items(step, "observation", "results") if items(one, "subagent_trajectory_ref")]

    def _results(self, run: Trajectory, step: dict[str, Any], agent: str, made: dict[str, int]) -> None:
        for result in items(step, "observation", "results"):
            call, refs = text(result, "source_call_id"), items(result, "subagent_trajectory_ref")
            for ref in refs:
                self._sub_agent(run, step, agent, ref, call)
            if refs:
                continue
            if call not in made:
                made[call] = self._unwritten_call(step, agent)
            keys = {"content_ref": self.redaction.content(value(result, "content"))}
            entry = self.draft.entry(made[call])
            keys |= {"tool": entry.keys["tool"], "x_call_id": entry.keys.get("x_call_id")}
            self.draft.answer(made[call], "tool_result", agent, self._time(step), **keys)

    def _unwritten_call(self, step: dict[str, Any], agent: str) -> int:
        """An observation without a call: the agent acts by what it writes, and the environment answers."""
        self.draft.lose(INFERRED, agent, "an observation without a tool call answers an inferred one")
        keys = {"tool": _ENVIRONMENT, "x_call_id": f"call-{len(self.draft) + 1}"}
        content = self.redaction.content(value(step, "message"))
        return self.draft.add("tool_call", agent, self._time(step), ("event",), content_ref=content, **keys)

    def _sub_agent(self, run: Trajectory, step: dict[str, Any], agent: str, ref: object, call: str) -> None:
        inner = run.sub_agent(ref) if self.depth < _DEPTH else None
        child = self._name(inner.agent if inner is not None else "sub-agent")
        link = {"x_call_id": self.redaction.token(call) if call else f"{child}-{len(self.draft) + 1}"}
        spawn = self.draft.add("spawn", agent, self._time(step), to=child, **link)
        self.draft.seed(child, spawn)
        before = len(self.draft)
        if inner is None:
            self.draft.lose(DROPPED, run.place, "the steps of a sub-agent whose trajectory is missing")
        else:
            self.depth += 1
            self._trajectory(inner, child, agent)
            self.depth -= 1
        if not any(self.draft.entry(one).kind == "return" for one in range(before, len(self.draft))):
            self.draft.close(child)
            self.draft.lose(INFERRED, run.place, "a sub-agent without an answer of its own returns after its steps")
            self.draft.add("return", child, None, ("event",), **{"from": child}, to=agent, **link)
        back = max(one for one in range(before, len(self.draft)) if self.draft.entry(one).kind == "return")
        self.draft.replace(agent, spawn, back)

    def _end(self, step: dict[str, Any], agent: str, above: str, final: bool, acted: bool) -> None:
        said = text(step, "message")
        explicit = final or '"task_complete": true' in said
        if acted and not final:
            return
        self.draft.close(agent)
        keys = {"from": agent, "to": above, "content_ref": self.redaction.content(said)}
        self.draft.add("return", agent, self._time(step), **keys)
        if above == "user":
            self.stop = "explicit" if explicit else "implicit"


_LOSSES = (
    "rewards and task success",
    "when a tool answered: a step has one time, or none",
    "messages between agents and handovers",
    "the steps of sub-agents whose trajectories are not in the input",
    "calls of agents that act by what they write",
)

FORMAT = RecordedFormat(
    name="atif",
    title="ATIF trajectories (Harbor), with continuations and sub-agent trajectories",
    maps=(
        ("orchestrator_decision", "a step whose results refer to trajectories of sub-agents"),
        ("spawn, return", "subagent_trajectory_ref, with the steps of that trajectory between"),
        (
            "tool_call, tool_result",
            "tool_calls and observation.results by id; a result without a call answers an inferred one",
        ),
        ("human_intervention", "steps of the source user"),
    ),
    loses=_LOSSES,
    recognise=recognise,
    convert=convert,
    companions=companions,
)
