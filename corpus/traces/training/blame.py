"""Which step of a failed run to blame, and how often that is the step and agent of a label.

The rules of blame were fixed before any label was read. They are the least that a method of failure
attribution has to surpass; still simpler ones are in the benchmarks.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from corpus.model.finding import Finding, Rule, printable
from corpus.traces.convert.format import Redaction
from corpus.traces.difference import compared_values
from corpus.traces.document import Row
from corpus.traces.lookup import JsonObject, items, record, stated_count, text
from corpus.traces.run import Run
from corpus.traces.training.groups import Rollout
from corpus.traces.training.rewards import read_rows
from corpus.traces.training.tables import BLAME

BAD_LABEL = Rule(
    "OT509",
    "{problem}",
    "give trace, agent and step (a whole number from 0), once for each trace and rule",
    title="Label or prediction not readable",
    reason="It would have to be guessed, so it is left out of the score.",
)
WRONG_LABEL = Rule(
    "OT510",
    "{problem}",
    "name a trace, an agent and a step as `corpus trace blame` writes them",
    title="Label of nothing in its trace",
    reason="It was probably made for another trace, or counts steps differently, so it "
    "is left out of the score.",
)


NO_SIBLING = "no other run of the task"


class BlamedRun:
    """What predictions need of a run, also once its events are dropped.

    Attributes
    ----------
    task : str
        Id of its task or hash of its first context; empty without both.
    prints : list of int
        What two runs are compared by, of each event in the order of a replay.
    """

    def __init__(self, of_run: Rollout) -> None:
        run = of_run.run
        self.task = of_run.group
        self._order = list(run.graph.order)
        self.prints = [hash(compared_values(run.events[place])) for place in self._order]
        # Without a clock, the times of a recording count its turns.
        turns = list(map(int, run.times))
        size = len(of_run.places) if run.has_clock else max(turns) + 1
        calls = run.pairs.calls
        self._acts = []
        for place, event in enumerate(run.events):
            # A result belongs to the call, even where it is recorded with the tool as its agent.
            owner = calls.get(place, place)
            number = of_run.of_event[owner] if run.has_clock else turns[place]
            self._acts.append((run.actors[owner], event.id, number))
        self._head = {
            "trace": run.id,
            "framework": run.trace.system or "unknown",
            "agents": list(dict.fromkeys((*run.agents, *run.actors))),
            "steps": size,
        }

    def row(self, rule: str, place: int | None, why: str = "") -> JsonObject:
        """Return the prediction of a rule, or why there is none."""
        row = {**self._head, "rule": rule, "agent": None, "step": None, "event": None, "why": ""}
        if place is None:
            return row | {"why": why or BLAME[rule][1]}
        row["agent"], row["event"], number = self._acts[place]
        if number >= 0:
            row["step"] = number
        return row

    def divergence(self, prints: list[int]) -> JsonObject:
        """Return the prediction from the events of another run of the task."""
        for number, (own, other) in enumerate(zip_longest(self.prints, prints)):
            # A run that is over before the other one has no event there.
            if own != other and own is not None:
                return self.row("divergence", self._order[number])
        return self.row("divergence", None)


def blamed_steps(
    runs: Iterable[Run], rules: Collection[str] = tuple(BLAME)
) -> Iterator[JsonObject]:
    """Yield the predictions of some rules for many runs.

    Each run is compared with the first one of its task, and this one with the second: it waits
    until there is one.

    Parameters
    ----------
    runs : iterable of Run
        One after the other; their events are not kept.
    rules : collection of str
        Names from :data:`BLAME`.
    """
    prints = {}
    waiting = {}
    for run in runs:
        of_run = Rollout(run)
        blamed = BlamedRun(of_run)
        places = _places(of_run)
        for rule in rules:
            if rule != "divergence":
                yield blamed.row(rule, places.get(rule))
        if "divergence" not in rules:
            continue
        task = blamed.task
        if not task:
            yield blamed.row("divergence", None, NO_SIBLING)
        elif task not in prints:
            prints[task] = blamed.prints
            waiting[task] = blamed
        else:
            yield blamed.divergence(prints[task])
            if task in waiting:
                yield waiting.pop(task).divergence(blamed.prints)
    for blamed in waiting.values():
        yield blamed.row("divergence", None, NO_SIBLING)


def _places(of_run: Rollout) -> dict[str, int | None]:
    """Return the event that each rule blames, if any; divergence needs another run."""
    run = of_run.run
    found = {"open-call": next(iter(run.pairs.open_calls), None)}
    # In a team in which nobody spawns, the first speaker is a member like the others.
    orchestrator = run.main if run.spawns else ""
    taken = Counter(agent for agent in of_run.agents if agent != orchestrator)
    if taken:
        # Of equals the first to act.
        ((most, _),) = taken.most_common(1)
        found["most-active"] = of_run.places[of_run.agents.index(most)]
    readers = set()
    for place in run.graph.order:
        event, actor = run.events[place], run.actors[place]
        if actor in readers and of_run.counted.weights[place]:
            found["untrusted"] = place
            break
        if event.trusted is False:
            readers.add(of_run.callers.get(place) or of_run.reader(event) or actor)
    return found


#: In place of a framework: the runs of all of them.
EVERY = "all"


class Label(NamedTuple):
    """The agent and the step that people found to be decisive for the failure of a run.

    Attributes
    ----------
    trace, agent : str
        As a trace names them, or as the recording does.
    step : int
        From 0, as `corpus trace blame` counts.
    file, line : str, int
        Where it is written.
    """

    trace: str
    agent: str
    step: int
    file: str
    line: int

    def problem(self, prediction: JsonObject) -> str:
        """Return why the label does not fit the trace of a prediction; empty where it does."""
        agents = items(prediction, "agents")
        size = stated_count(prediction, "steps")
        if (
            agents
            and self.agent not in agents
            and Redaction().name(self.agent, "agent") not in agents
        ):
            return f"trace {printable(self.trace)} has no agent {printable(self.agent)}"
        if size is not None and self.step >= size:
            return f"trace {printable(self.trace)} has {size:,} steps, and no step {self.step:,}"
        return ""


@dataclass
class Accuracy:
    """Labelled runs, those with a prediction, and predictions that are right.

    `near` counts steps that are right or not farther off than asked for.
    """

    runs: int = 0
    predicted: int = 0
    agent: int = 0
    step: int = 0
    near: int = 0

    def add(self, prediction: JsonObject, label: Label, within: int) -> None:
        """Count a prediction; one of no step is a miss."""
        agent = text(prediction, "agent")
        step = stated_count(prediction, "step")
        self.runs += 1
        self.predicted += agent != ""
        self.agent += agent in (label.agent, Redaction().name(label.agent, "agent")) and agent != ""
        if step is not None:
            self.step += step == label.step
            self.near += abs(step - label.step) <= within


def read_labels(path: Path, findings: list[Finding]) -> Iterator[Label]:
    """Yield the labels of a table or of logs of Who&When; `findings` gets what is none."""
    document = read_rows(path, BAD_LABEL)
    findings += document.findings
    for row in document.rows:
        logs = row.value if isinstance(row.value, list) else [row.value]
        for one in map(record, logs):
            of_trace, of_agent, of_step = "trace", "agent", "step"
            if "mistake_step" in one:
                of_trace, of_agent, of_step = "question_ID", "mistake_agent", "mistake_step"
            trace, agent, step = (
                text(one, of_trace),
                text(one, of_agent),
                stated_count(one, of_step),
            )
            if trace and agent and step is not None:
                yield Label(trace, agent, step, str(path), row.line)
                continue
            place = (str(path), row.line, "", str(one.get(of_step, "")))
            findings.append(BAD_LABEL.at(*place, problem="not a trace, an agent and a step"))


def scored(
    labels: Iterable[Label], file: str, rows: Iterable[Row], within: int, findings: list[Finding]
) -> tuple[dict[tuple[str, str], Accuracy], int]:
    """Compare predictions with labels.

    Parameters
    ----------
    labels : iterable of Label
        At most one for each trace counts.
    file, rows : str, iterable of Row
        The predictions.
    within : int
        How far off a step may be to count as near.
    findings : list of Finding
        Gets what is wrong with labels and predictions.

    Returns
    -------
    tallies : dict of (str, str) to Accuracy
        By framework and rule; with the framework :data:`EVERY`, of all.
    unlabelled : int
        Predictions for traces without a label.
    """
    by_name = {}
    wrong = set()
    for label in labels:
        # A converted trace has a hash where the id of its recording is not a plain name.
        for name in {label.trace, Redaction().token(label.trace)}:
            if name not in by_name:
                by_name[name] = label
            elif name == label.trace:
                # Which of two labels is right cannot be told.
                wrong.add(name)
                problem = f"another label of trace {printable(name)}"
                findings.append(BAD_LABEL.at(label.file, label.line, problem=problem))
    tallies: dict[tuple[str, str], Accuracy] = {}
    unlabelled = 0
    # Labels that no prediction is for, so far.
    unmet = dict.fromkeys(by_name.values())
    seen = set()
    for row in rows:
        one = record(row.value)
        name, rule = text(one, "trace"), text(one, "rule") or "prediction"
        problem = ""
        if not name:
            problem = "a prediction names its trace"
        elif (name, rule) in seen:
            problem = f"another prediction of {printable(rule)} for trace {printable(name)}"
        if problem:
            findings.append(BAD_LABEL.at(file, row.line, problem=problem))
            continue
        seen.add((name, rule))
        known = by_name.get(name)
        if known is None:
            unlabelled += 1
            continue
        unmet.pop(known, None)
        problem = known.problem(one)
        if problem and known.trace not in wrong:
            wrong.add(known.trace)
            findings.append(WRONG_LABEL.at(known.file, known.line, problem=problem))
        if known.trace not in wrong:
            for framework in (text(one, "framework") or "unknown", EVERY):
                tallies.setdefault((framework, rule), Accuracy()).add(one, known, within)
    for label in unmet:
        problem = f"no prediction is for trace {printable(label.trace)}"
        findings.append(WRONG_LABEL.at(label.file, label.line, problem=problem))
    return tallies, unlabelled
