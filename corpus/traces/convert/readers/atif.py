"""Agent trajectories in ATIF, the interchange format of the Harbor evaluation harness.

They are put together from their files: continuations in a row, sub-agents by reference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any

from corpus.model.finding import CorpusError
from corpus.traces.convert.events import USER, QueuedEvent
from corpus.traces.convert.format import Conversions, Documents, RecordedFormat, Redaction
from corpus.traces.convert.people import program_behind
from corpus.traces.convert.recorder import Recorder
from corpus.traces.convert.usage import Usage, stated_usage
from corpus.traces.document import RecordedFile, read_document
from corpus.traces.lookup import (
    JsonObject,
    count,
    first_text,
    has_time,
    is_plain_name,
    items,
    record,
    records,
    stated_count,
    text,
    value,
)

_FINISH = ("finish", "submit", "mark_task_complete", "task_complete", "complete")
_ENVIRONMENT = "environment"
_REFERENCE = "subagent_trajectory_ref"
#: What our writer calls the step that refers to agents that nobody spawned.
_PEERS = "peers"
# Where Harbor keeps the kind and the id of a sub-agent of Claude Code.
_ROLE = "arguments.subagent_type"
_AGENT_ID = "extra.tool_result_metadata.tool_use_result.agentId"
DEPTH_LIMIT = 100
"""Sub-agents below sub-agents that are followed; the steps of deeper ones are a loss."""
TOKEN_FIELDS = ("prompt_token_ids", "completion_token_ids", "logprobs")
"""Fields of the metrics of a step that tell which tokens it had."""


@dataclass(eq=False, slots=True)
class Trajectory:
    """One trajectory file or embedded trajectory.

    Attributes
    ----------
    node : dict
        As it is in the file.
    place : str
        ``file:line``.
    file : str
        File name, by which others refer to it; empty when embedded.
    trial : dict
        The result of the trial of Harbor whose folder has the file; empty without one.
    later : Trajectory or None
        The trajectory that continues it.
    taken : bool
        Whether another trajectory continues or calls this one.
    walked : bool
        Whether its steps are in a trace; a trajectory is one run of a sub-agent.
    """

    node: JsonObject
    place: str
    file: str = ""
    trial: JsonObject = field(default_factory=dict)
    later: Trajectory | None = None
    taken: bool = False
    walked: bool = False

    @property
    def name(self) -> str:
        """Id of the trajectory, before 1.7 of the session."""
        return first_text(self.node, "trajectory_id", "session_id")

    @property
    def steps(self) -> list[JsonObject]:
        """The steps of this part."""
        return records(self.node, "steps")

    def parts(self) -> Iterator[Trajectory]:
        """Yield this trajectory and its continuations."""
        seen = set()
        here: Trajectory | None = self
        while here is not None and id(here) not in seen:
            seen.add(id(here))
            yield here
            here = here.later

    def all_steps(self) -> list[JsonObject]:
        """Return the steps of all parts."""
        return list(chain.from_iterable(part.steps for part in self.parts()))

    def usage_of(self, step: JsonObject) -> Usage:
        """Return the tokens of a step; those that were cached are part of the prompt here."""
        usage = stated_usage(
            value(step, "metrics"),
            text(step, "model_name") or text(self.node, "agent.model_name"),
            input="prompt_tokens",
            cached="cached_tokens",
            cache_write=_CACHE_WRITE,
            output="completion_tokens",
            reasoning=_REASONING,
        )
        # The format has no field for tokens of no kind; this is where our writer states them.
        if usage.input is None and usage.output is None:
            usage = replace(usage, unsorted=count(step, "metrics.extra.total_tokens"))
        return usage


# The format has no fields for these: its writers keep the names of the providers.
_CACHE_WRITE = (
    "extra.cache_write_tokens|extra.cache_write_input_tokens|extra.cache_creation_input_tokens"
)
_REASONING = "extra.reasoning_tokens|extra.reasoning_output_tokens|extra.thoughts_tokens"


def references_of(step: JsonObject) -> Iterator[object]:
    """Yield the references of a step to trajectories of sub-agents."""
    for result in items(step, "observation.results"):
        yield from items(result, _REFERENCE)


def _trial_of(path: Path) -> JsonObject:
    """Return the result of the trial whose folder has a file; empty where it is in none."""
    result = path.parent.parent / "result.json"
    # A file that is broken or no result tells nothing, and is reported where it is read as one.
    with suppress(CorpusError):
        if path.parent.name == "agent" and result.is_file():
            return record(read_document(result).rows[0].value)
    return {}


def trajectories_in(documents: Documents) -> list[Trajectory]:
    """Return all trajectories; those that no other one continues or calls are not taken."""
    found = []
    for document in documents:
        trial = _trial_of(document.path)
        for row in document.objects:
            place = document.place(row.line)
            embedded = [Trajectory(_with_side_chains(row.value), place, document.path.name, trial)]
            # The list grows while it is walked: those inside may hold others.
            for one in embedded:
                for inner in records(one.node, "subagent_trajectories"):
                    embedded.append(Trajectory(inner, place, taken=True))
            found += embedded
    names = set()
    paths = set()
    for one in found:
        continuations = _in_file(found, text(one.node, "continued_trajectory_ref"))
        other = next((other for other in continuations if other is not one), one)
        if other is not one and not other.taken:
            other.taken = True
            one.later = other
        for reference in chain.from_iterable(map(references_of, one.steps)):
            names |= {text(reference, "trajectory_id"), text(reference, "session_id")}
            paths.add(text(reference, "trajectory_path"))
    for path in paths:
        for one in _in_file(found, path):
            one.taken = True
    for one in found:
        one.taken |= one.name in names - {""}
    if all(one.taken for one in found):
        # Trajectories that all refer to each other: one of them has to be the beginning.
        for one in found[:1]:
            one.taken = False
    return found


def _with_side_chains(node: JsonObject) -> JsonObject:
    """Return a trajectory whose side chains are trajectories of sub-agents.

    Harbor puts the steps of a sub-agent of Claude Code between those of its caller, and marks them;
    the result of the call that started it has its id. A chain without one has no caller.
    """
    own: list[JsonObject] = []
    chains: dict[str, JsonObject] = {}
    started: dict[str, tuple[JsonObject, str]] = {}
    for step in records(node, "steps"):
        steps = own
        if value(step, "extra.is_sidechain") is True:
            name = text(step, "extra.agent_id")
            new = {"trajectory_id": f"{text(node, 'session_id')}.{name}", "steps": []}
            steps = chains.setdefault(name, new)["steps"]
        steps.append(step)
        roles = {text(one, "tool_call_id"): text(one, _ROLE) for one in records(step, "tool_calls")}
        for result in records(step, "observation.results"):
            role = roles.get(text(result, "source_call_id"), "")
            started.setdefault(text(result, _AGENT_ID), (result, role))
    if not chains:
        return node
    for name, inner in chains.items():
        if name and name in started:
            result, role = started[name]
            inner["agent"] = {**record(node, "agent"), "name": role}
            result[_REFERENCE] = [{"trajectory_id": inner["trajectory_id"]}]
    embedded = [*records(node, "subagent_trajectories"), *chains.values()]
    return {**node, "steps": own, "subagent_trajectories": embedded}


def _in_file(found: Sequence[Trajectory], path: str) -> list[Trajectory]:
    """Return the trajectories of the file that a reference names.

    Where no file has just that name: of those that have something before it, as files have that
    were copied together.
    """
    wanted = path.rpartition("/")[2]
    if not wanted:
        return []
    exact = [one for one in found if one.file == wanted]
    endings = (f".{wanted}", f"_{wanted}", f"-{wanted}")
    return exact or [one for one in found if one.file.endswith(endings)]


def companions(document: RecordedFile) -> Iterator[Path]:
    """Name the files that a trajectory refers to, as they would lie in its folder."""
    names = set()
    for row in document.rows:
        names.add(text(row.value, "continued_trajectory_ref"))
        for step in records(row.value, "steps"):
            for reference in references_of(step):
                names.add(text(reference, "trajectory_path"))
    for name in filter(is_plain_name, sorted(names)):
        yield document.path.parent / name


def convert(documents: Documents, redaction: Redaction) -> Conversions:
    """Yield one trace for each trajectory that no other one continues or calls."""
    found = trajectories_in(documents)
    # A session may have several runs: then the id of each trajectory tells them apart.
    sessions = Counter(text(one.node, "session_id") for one in found if not one.taken)
    runs: list[_TrajectoryRecorder] = []
    names = set()
    # Those at the top first; then what seemed to be called, though no step in a trace calls it.
    for one in sorted(found, key=attrgetter("taken")):
        if one.walked:
            continue
        if one.taken and one.name in names:
            # A sub-agent may be both inside its caller and in a file of its own.
            what = "a trajectory of the id of another, which no step refers to"
            runs[-1].dropped(what, one.place)
            continue
        name = text(one.node, "session_id")
        if one.taken or sessions[name] > 1:
            name = ""
        run = _TrajectoryRecorder(one, found, redaction, name)
        if one.taken:
            run.ambiguous(
                "a trajectory that no step in a trace refers to is a trace of its own", one.place
            )
        names |= run.walked - {""}
        runs.append(run)
    for run in runs:
        yield run.finish()


@dataclass(slots=True)
class _Step:
    """One step on its way into the trace.

    `message` is what the agent or whoever else wrote, `results` what tools and sub-agents answered,
    `finishing` has the ids of the calls that end the trajectory.
    """

    run: Trajectory
    node: JsonObject
    agent: str
    message: Any
    results: list[Any]
    finishing: set[str] = field(default_factory=set)


class _TrajectoryRecorder(Recorder):
    """One run: a trajectory, and inside its steps the trajectories of its sub-agents."""

    def __init__(
        self, root: Trajectory, others: list[Trajectory], redaction: Redaction, name: str
    ) -> None:
        has_clock = has_time(root.all_steps(), "timestamp")
        name = name or root.name
        super().__init__(name, "atif", redaction, root.place, has_clock=has_clock, unit="steps")
        self.others = others
        self.walked: set[str] = set()
        self.steps_taken = 0
        self.depth = 0
        self.backs: dict[str, QueuedEvent] = {}
        self.stop_reason = "truncated"
        self.run["version"] = redaction.token(text(root.node, "schema_version"))
        self.run["trial"] = redaction.token(text(root.trial, "trial_name"))
        self.task_id = text(root.trial, "task_name")
        self._trajectory(root, self.new_agent(text(root.node, "agent.name")), USER)
        # The final metrics of a continuation include what came before.
        totals = [record(part.node, "final_metrics") for part in root.parts()]
        sums = [
            count(one, "total_prompt_tokens") + count(one, "total_completion_tokens")
            for one in totals
        ]
        if (missing := max(sums) - self.tokens) > 0:
            self.missing("tokens of the final metrics that no step carries", root.place, missing)

    def _trajectory(self, run: Trajectory, agent: str, caller: str) -> None:
        for part in run.parts():
            part.walked = True
            self.walked.add(part.name)
        steps = run.all_steps()
        self.keep(agent, tool_definitions=value(run.node, "agent.tool_definitions"))
        # The step that ends the trajectory; none where it goes on in a file that is missing.
        last = -1
        for position, step in enumerate(steps):
            if text(step, "source") == "agent":
                last = position
            elif any(references_of(step)) and text(step, "extra.type") != _PEERS:
                last = -1
        for part in run.parts():
            if text(part.node, "continued_trajectory_ref") and part.later is None:
                self.missing("the continuation of a trajectory whose file is missing", run.place)
                last = -1
        for position, step in enumerate(steps):
            if value(step, "is_copied_context") is True:
                self.dropped("a step copied from the trajectory before", run.place)
                continue
            self.steps_taken += 1
            results = items(step, "observation.results")
            here = _Step(run, step, agent, value(step, "message"), results)
            self._at(here)
            source = text(step, "source")
            if source != "agent" and (calls := records(step, "tool_calls")):
                self.missing("a tool call in a step that no agent took", count=len(calls))
            if source == "agent":
                receiver = caller if position == last else ""
                if text(step, "extra.type") == "return":
                    # This is where our writer states who was answered.
                    receiver = receiver or self.agent(text(step, "extra.to") or caller)
                self._agent_step(here, receiver)
            # What a sub-agent is asked comes from its caller, and is part of the spawn.
            elif source == "user" and caller == USER:
                words = here.message if isinstance(here.message, str) else ""
                # Harbor converts the sessions of other programs, with all that these add.
                program = program_behind(words, text(run.node, "agent.name"))
                if program == "summary":
                    self.compact(agent, words)
                elif program:
                    self.keep(agent, user=words)
                    self.unknown("a user step written by the program:", program, role="tag")
                else:
                    self.prompt(agent, here.message)
            elif text(step, "extra.type") == _PEERS:
                self._peers(here)
            elif any(references_of(step)):
                # The framework, not a model, started them: no step, hence no tokens.
                self.close(agent)
                self.keep(agent, system=here.message)
                self.inferred("sub-agents of a step without an agent belong to the agent")
                self.add("orchestrator_decision", agent, ("agent",))
                self._results(here)
            elif source == "user":
                self.keep(agent, user=here.message)
            else:
                self.keep(agent, system=here.message)
                self.unknown("a step of the source", source, role="source")

    def _at(self, step: _Step) -> None:
        # Steps of sub-agents count: what follows them comes later, also without a clock.
        self.at(self.clock(value(step.node, "timestamp"), self.steps_taken), step.run.place)

    def _agent_step(self, step: _Step, receiver: str) -> None:
        """One model step; `receiver` is who gets the answer if this is the agent's last one."""
        agent = step.agent
        metrics = record(step.node, "metrics")
        usage = step.run.usage_of(step.node)
        model_calls = stated_count(step.node, "llm_call_count")
        if model_calls == 0 and not usage.total:
            # What the agent does without asking a model follows from all that it has seen.
            self.settle(agent)
            self.close(agent)
        else:
            self.next_step(agent, usage, 1 if model_calls is None else model_calls)
        self.keep(
            agent,
            assistant=step.message,
            reasoning=value(step.node, "reasoning_content"),
            tokens={key: metrics[key] for key in TOKEN_FIELDS if metrics.get(key)},
        )
        referring = [result for result in step.results if items(result, _REFERENCE)]
        if referring:
            self.settle(agent, ())
        # A result without an id tells of none of the calls that it was theirs.
        spawning = {text(result, "source_call_id") for result in referring} - {""}
        calls = items(step.node, "tool_calls")
        for call in calls:
            call_id, tool = text(call, "tool_call_id"), text(call, "function_name")
            # The call that ends a trajectory is its answer, not the use of a tool.
            if receiver and tool.lower() in _FINISH:
                step.finishing.add(call_id)
                self.keep(agent, tool_call=call)
                self.dropped("the call that ends a trajectory: its answer, and no use of a tool")
            elif call_id not in spawning:
                self.tool_call(agent, tool, call_id, value(call, "arguments"))
        self._results(step)
        told, to = record(step.node, "extra"), text(step.node, "extra.to")
        if text(told, "type") == "message" and to and not calls:
            # The format has no field for a receiver; this is where our writer states it.
            self.message(agent, self.agent(to), step.message, role=text(told, "role"))
        elif model_calls == 0 and not receiver and not calls and step.message:
            self.add("orchestrator_decision", agent, ("type",), content=step.message)
        if receiver and (step.finishing or not calls):
            self.backs[agent] = self.hand_back(agent, receiver, step.message)
            if receiver == USER:
                explicit = step.finishing or '"task_complete": true' in text(step.node, "message")
                self.stop_reason = "explicit" if explicit else "implicit"

    def _results(self, step: _Step) -> None:
        for result in step.results:
            call_id = text(result, "source_call_id")
            references = items(result, _REFERENCE)
            for reference in references:
                self._sub_agent(step, reference, result)
            if references:
                continue
            # The format has no field for a failure; this is where our writer states it.
            content = value(result, "content")
            failed = value(result, "extra.x_error") not in (None, False)
            is_call = bool(items(step.node, "tool_calls"))
            if call_id in step.finishing:
                # An inferred call for it would be the use of a tool that nobody used.
                self.keep(step.agent, tool=result)
            elif is_call and self.called(step.agent, call_id) is not None:
                self.result(step.agent, call_id, content, failed=failed)
            else:
                # The agent acts by what it writes, and the environment answers.
                self.inferred(
                    "an observation without a tool call answers an inferred one", step.agent
                )
                call = self.tool_call(step.agent, _ENVIRONMENT, "", step.message, ("event",))
                self.tool_result(call, content, failed=failed)

    def _peers(self, step: _Step) -> None:
        """Walk through the agents that nobody called, as our writer states them."""
        for result in step.results:
            for reference in items(result, _REFERENCE):
                wanted = text(reference, "trajectory_id")
                for other in self.others:
                    if other.name == wanted and not other.walked:
                        self._trajectory(other, self.new_agent(text(other.node, "agent.name")), "")

    def _sub_agent(self, step: _Step, reference: object, result: object) -> None:
        agent = step.agent
        wanted = {text(reference, "trajectory_id"), text(reference, "session_id")} - {""}
        in_file = _in_file(self.others, text(reference, "trajectory_path"))
        inner, name = None, "sub-agent"
        for other in self.others if self.depth < DEPTH_LIMIT else ():
            # Before 1.7 references give the session only, which several trajectories may have.
            if not other.walked and (other.name in wanted or other in in_file):
                inner, name = other, text(other.node, "agent.name")
                break
        child = self.new_agent(name)
        answers = text(result, "source_call_id")
        calls = {text(one, "tool_call_id"): one for one in records(step.node, "tool_calls")}
        call = calls.get(answers) if answers else None
        call_id = answers or self.new_call_id()
        asked, tool = value(call, "arguments"), text(call, "function_name")
        spawn = self.spawn(agent, child, call_id, asked, tool=tool)
        if inner is None:
            self.missing("the steps of a sub-agent whose trajectory is missing")
        else:
            self.depth += 1
            self._trajectory(inner, child, agent)
            self.depth -= 1
        back = self.backs.get(child)
        if back is None:
            self.inferred("a sub-agent without an answer of its own returns after its steps")
            back = self.at(None).return_of(spawn, None, ("event",))
        answered = self.redaction.content(value(result, "content"), "tool")
        if answered is not None:
            back.keys.setdefault("x_contents", {}).setdefault("tool", []).append(answered)
        self.replace(agent, spawn, back)
        self._at(step)


FORMAT = RecordedFormat("atif", convert, companions)
