"""Agent trajectories in ATIF, the interchange format of the Harbor evaluation harness."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from corpus.traces.convert.atif.files import Trajectory, references_of, top_trajectories
from corpus.traces.convert.document import RecordedFile, marked
from corpus.traces.convert.format import TOOL_CALLS, Conversion, RecordedFormat
from corpus.traces.convert.lookup import JsonObject, has_time, items, records, text, value
from corpus.traces.convert.names import USER
from corpus.traces.convert.recorder import Recorder
from corpus.traces.convert.redaction import Redaction

recognise = marked("schema_version=ATIF*", "steps.0.source agent.name=?*")

_FINISH = frozenset({"finish", "submit", "mark_task_complete", "task_complete", "complete"})
_ENVIRONMENT = "environment"
DEPTH_LIMIT = 100
"""Sub-agents below sub-agents that are followed; the steps of deeper ones are a loss."""


def companions(document: RecordedFile) -> Iterator[Path]:
    """Name the files that a trajectory refers to, as they would lie in its folder."""
    names: set[str] = set()
    for row in document.rows:
        names.add(text(row.value, "continued_trajectory_ref"))
        for step in records(row.value, "steps"):
            names.update(text(one, "trajectory_path") for one in references_of(step))
    for name in sorted(names - {"", ".", ".."}):
        # Only plain file names: a reference must not lead out of the folder.
        if name == Path(name).name:
            yield document.path.parent / name


def convert(documents: Sequence[RecordedFile], redaction: Redaction) -> Iterator[Conversion]:
    """Yield one trace for each trajectory that no other one continues or calls."""
    tops = top_trajectories(documents)
    # A session may have several runs: then the id of each trajectory tells them apart.
    sessions = Counter(text(root.node, "session_id") for root in tops)
    runs: list[_TrajectoryRecorder] = []
    for root in tops:
        session = text(root.node, "session_id")
        name = session if sessions[session] == 1 else ""
        runs.append(_TrajectoryRecorder(root, redaction, name))
    # Then those that seemed to be called, though no step in a trace has called them.
    names: set[str] = set()
    for run in runs:
        names |= run.walked
    for other in tops[0].others if tops else ():
        if other.walked:
            continue
        if other.name and other.name in names:
            # A sub-agent may be both inside its caller and in a file of its own.
            what = "a trajectory of the id of another, which no step refers to"
            runs[len(tops) - 1].leave_out(other, what)
            continue
        run = _TrajectoryRecorder(other, redaction)
        what = "a trajectory that no step in a trace refers to is a trace of its own"
        run.ambiguous(other.place, what)
        names |= run.walked
        runs.append(run)
    for run in runs:
        if len(run):
            yield run.finish()


class _TrajectoryRecorder(Recorder):
    """One run: a trajectory, and inside its steps the trajectories of its sub-agents."""

    def __init__(self, root: Trajectory, redaction: Redaction, name: str = "") -> None:
        has_clock = has_time(root.all_steps(), "timestamp")
        name = name or root.name
        super().__init__(name, "atif", redaction, root.place, has_clock=has_clock, unit="steps")
        self.walked: set[str] = set()
        self.steps_taken = 0
        self.depth = 0
        self.stop_reason = "truncated"
        self.merged[TOOL_CALLS] = 0
        self.run["version"] = redaction.token(root.version)
        self._trajectory(root, self.new_agent(root.agent), USER)
        missing = root.declared_tokens() - self.tokens
        if missing > 0:
            what = "tokens of the final metrics that no step carries"
            self.dropped(root.place, what, missing)

    def leave_out(self, other: Trajectory, what: str) -> None:
        """Note a trajectory that repeats another one, with its calls and tokens."""
        self.dropped(other.place, what)
        for step in other.steps:
            if text(step, "source") == "agent" and value(step, "is_copied_context") is not True:
                self.report(other.usage_of(step), steps=1)
                self.reported[TOOL_CALLS] += len(items(step, "tool_calls"))

    def _trajectory(self, run: Trajectory, agent: str, caller: str) -> None:
        for part in run.parts():
            part.walked = True
            self.walked.add(part.name)
        steps = list(run.all_steps())
        self.keep(agent, tool_definitions=value(run.node, "agent", "tool_definitions"))
        last = self._last_step(run, steps)
        for position, step in enumerate(steps):
            if value(step, "is_copied_context") is True:
                self.dropped(run.place, "a step copied from the trajectory before")
                continue
            self.steps_taken += 1
            source = text(step, "source")
            if source == "agent":
                receiver = caller if position == last else ""
                self._agent_step(run, step, agent, receiver)
            # What a sub-agent is asked comes from its caller, and is part of the spawn.
            elif source == "user" and caller == USER:
                asked = value(step, "message")
                self.prompt(agent, self._time(step), asked)
            elif any(references_of(step)):
                self._step_without_agent(run, step, agent)
            elif source == "user":
                self.keep(agent, user=value(step, "message"))
            else:
                self.keep(agent, system=value(step, "message"))
                self.unknown(run.place, "a step of the source", source, role="source")

    def _last_step(self, run: Trajectory, steps: Sequence[JsonObject]) -> int:
        """Return the position of the step that ends the trajectory.

        -1 where it goes on in a file that is missing.
        """
        for part in run.parts():
            if text(part.node, "continued_trajectory_ref") and part.later is None:
                self.dropped(run.place, "the continuation of a trajectory whose file is missing")
                return -1
        for position in range(len(steps) - 1, -1, -1):
            if text(steps[position], "source") == "agent":
                return position
            if any(references_of(steps[position])):
                return -1
        return -1

    def _time(self, step: JsonObject) -> float | None:
        return self.clock(value(step, "timestamp"), self.steps_taken)

    def _step_without_agent(self, run: Trajectory, step: JsonObject, agent: str) -> None:
        # The framework, not a model, started them: no step, hence no tokens.
        self.close(agent)
        self.keep(agent, system=value(step, "message"))
        self.inferred(run.place, "sub-agents of a step without an agent belong to the agent")
        self.add("orchestrator_decision", agent, self._time(step), ("agent",))
        self._results(run, step, agent, {}, ())

    def _agent_step(self, run: Trajectory, step: JsonObject, agent: str, receiver: str) -> None:
        """One model step; `receiver` is who gets the answer if this is the agent's last one."""
        self.next_step(agent, self._time(step), run.usage_of(step))
        self.keep(
            agent,
            assistant=value(step, "message"),
            reasoning=value(step, "reasoning_content"),
            tokens=run.tokens_of(step),
        )
        if any(references_of(step)):
            self.settle(agent, ())
        spawning = _spawning_calls(step)
        made: dict[str, deque[int]] = {}
        finishing: set[str] = set()
        finished = False
        for call in items(step, "tool_calls"):
            call_id, tool = text(call, "tool_call_id"), text(call, "function_name")
            # The call that ends a trajectory is its answer, not the use of a tool.
            if receiver and tool.lower() in _FINISH:
                finished = True
                finishing.add(call_id)
                self.merged[TOOL_CALLS] += 1
                self.keep(agent, tool_call=call)
            elif call_id in spawning:
                self.merged[TOOL_CALLS] += 1
            else:
                asked = value(call, "arguments")
                time = self._time(step)
                handle = self.tool_call(agent, time, tool, call_id, asked)
                made.setdefault(call_id, deque()).append(handle)
        self._results(run, step, agent, made, finishing)
        acted = bool(items(step, "tool_calls"))
        if receiver and (finished or not acted):
            self._end(step, agent, receiver, finished=finished)

    def _results(
        self,
        run: Trajectory,
        step: JsonObject,
        agent: str,
        made: dict[str, deque[int]],
        finishing: Collection[str],
    ) -> None:
        """Add the results of a step.

        `made` holds its calls that wait for one, by id; `finishing` the ids of those that end the
        trajectory.
        """
        for result in items(step, "observation", "results"):
            call_id = text(result, "source_call_id")
            references = items(result, "subagent_trajectory_ref")
            for reference in references:
                self._sub_agent(run, step, agent, reference, result)
            if references:
                continue
            waiting = made.get(call_id)
            if waiting:
                if len(waiting) > 1:
                    self.ambiguous(run.place, "results of calls with one id answer them in order")
                call = waiting.popleft()
            elif call_id in finishing:
                # An inferred call for it would be the use of a tool that nobody used.
                self.keep(agent, tool=result)
                self.dropped(run.place, "the result of the call that ends a trajectory")
                continue
            elif call_id and call_id in made:
                self.dropped(run.place, "a second result of one tool call")
                continue
            else:
                call = self._unwritten_call(step, agent)
            content = value(result, "content")
            # The format has no field for a failure; this is where our writer states it.
            failed = value(result, "extra", "x_error") not in (None, False)
            self.tool_result(call, self._time(step), content, failed=failed)

    def _unwritten_call(self, step: JsonObject, agent: str) -> int:
        """An observation without a call.

        The agent acts by what it writes, and the environment answers.
        """
        self.inferred(agent, "an observation without a tool call answers an inferred one")
        self.reported[TOOL_CALLS] -= 1
        asked = value(step, "message")
        time = self._time(step)
        return self.tool_call(agent, time, _ENVIRONMENT, "", asked, ("event",))

    def _sub_agent(
        self, run: Trajectory, step: JsonObject, agent: str, reference: object, result: object
    ) -> None:
        inner = None
        name = "sub-agent"
        if self.depth < DEPTH_LIMIT:
            inner = run.sub_agent(reference)
        if inner is not None:
            name = inner.agent
        child = self.new_agent(name)
        answers = text(result, "source_call_id")
        call: JsonObject = {}
        for one in records(step, "tool_calls"):
            if answers and text(one, "tool_call_id") == answers:
                call = one
        asked = value(call, "arguments")
        call_id = answers or self.new_call_id()
        spawn = self.spawn(agent, child, self._time(step), call_id, asked)
        if tool := text(call, "function_name"):
            self.entry(spawn).keys["tool"] = self.redaction.name(tool, "tool")
        first = len(self)
        if inner is None:
            self.dropped(run.place, "the steps of a sub-agent whose trajectory is missing")
        else:
            self.depth += 1
            self._trajectory(inner, child, agent)
            self.depth -= 1
        back = self._last_return(child, first)
        if back is None:
            what = "a sub-agent without an answer of its own returns after its steps"
            self.inferred(run.place, what)
            back = self.return_of(spawn, None, None, ("event",))
        answered = self.redaction.content(value(result, "content"), "tool")
        if answered is not None:
            kept = self.entry(back).keys.setdefault("x_contents", {})
            kept.setdefault("tool", []).append(answered)
        self.replace(agent, spawn, back)

    def _last_return(self, agent: str, first: int) -> int | None:
        """Return the last return of `agent` since the event `first`, or ``None``."""
        for handle in range(len(self) - 1, first - 1, -1):
            entry = self.entry(handle)
            # Its own sub-agents may have returned after its last step.
            if entry.kind == "return" and entry.agent == agent:
                return handle
        return None

    def _end(self, step: JsonObject, agent: str, receiver: str, *, finished: bool) -> None:
        content = value(step, "message")
        self.hand_back(agent, receiver, self._time(step), content)
        if receiver == USER:
            explicit = finished or '"task_complete": true' in text(step, "message")
            self.stop_reason = "explicit" if explicit else "implicit"


def _spawning_calls(step: JsonObject) -> set[str]:
    """Return the ids of the calls that sub-agents answered.

    A result without an id tells of none of the calls that it was theirs.
    """
    calls = set()
    for result in records(step, "observation", "results"):
        if items(result, "subagent_trajectory_ref"):
            calls.add(text(result, "source_call_id"))
    return calls - {""}


FORMAT = RecordedFormat(
    "atif",
    "ATIF trajectories (Harbor), with continuations and sub-agent trajectories",
    recognise,
    convert,
    companions,
)
