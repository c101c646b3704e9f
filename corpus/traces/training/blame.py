"""Which step of a failed run to blame, and how often that is the step and agent of a label.

The rule of blame was fixed before any label was read. It is the least that a method of failure
attribution has to surpass; other rules without a model are in the benchmarks.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from corpus.model.finding import Finding, Rule, printable
from corpus.traces.convert.format import Redaction
from corpus.traces.document import Row
from corpus.traces.lookup import JsonObject, items, record, stated_count, text
from corpus.traces.run import Run
from corpus.traces.training.groups import Rollout
from corpus.traces.training.rewards import read_rows

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


#: The first step of the agent with the most steps, the orchestrator left out.
RULE = "most-active"


def blamed(run: Run) -> JsonObject:
    """Return what :data:`RULE` predicts; agent and step are None where nobody else took a step."""
    of_run = Rollout(run)
    # In a team in which nobody spawns, the first speaker is a member like the others.
    orchestrator = run.main if run.spawns else ""
    taken = Counter(agent for agent in of_run.agents if agent != orchestrator)
    if not taken:
        return prediction(of_run, RULE, None)
    # Of equals the first to act.
    ((most, _),) = taken.most_common(1)
    return prediction(of_run, RULE, of_run.places[of_run.agents.index(most)])


def prediction(of_run: Rollout, rule: str, place: int | None) -> JsonObject:
    """Return the event that a rule blames, if any, as a prediction that can be scored."""
    run = of_run.run
    row: JsonObject = {
        "trace": run.id,
        "framework": run.trace.system or "unknown",
        "agents": list(dict.fromkeys((*run.agents, *run.actors))),
        # Without a clock, the times of a recording count its turns.
        "steps": len(of_run.places) if run.has_clock else int(max(run.times)) + 1,
        **dict.fromkeys(("rule", "agent", "step", "event")),
    }
    row["rule"] = rule
    if place is not None:
        # A result belongs to the call, even where it is recorded with the tool as its agent.
        owner = run.pairs.calls.get(place, place)
        number = of_run.of_event[owner] if run.has_clock else int(run.times[place])
        row |= {"agent": run.actors[owner], "event": run.events[place].id}
        row["step"] = number if number >= 0 else None
    return row


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

    @property
    def agents(self) -> set[str]:
        """Names that the agent has: a converted trace has a hash in the place of some."""
        return {self.agent, Redaction().name(self.agent, "agent")}

    def problem(self, predicted: JsonObject) -> str:
        """Return why the label does not fit the trace of a prediction; empty where it does."""
        agents, size = items(predicted, "agents"), stated_count(predicted, "steps")
        if agents and self.agents.isdisjoint(agents):
            return f"trace {printable(self.trace)} has no agent {printable(self.agent)}"
        if size is not None and self.step >= size:
            return f"trace {printable(self.trace)} has {size:,} steps, and no step {self.step:,}"
        return ""


def read_labels(path: Path, findings: list[Finding]) -> Iterator[Label]:
    """Yield the labels of a table or of logs of Who&When; `findings` gets what is none."""
    document = read_rows(path, BAD_LABEL)
    findings += document.findings
    for row in document.rows:
        logs = row.value if isinstance(row.value, list) else [row.value]
        for one in map(record, logs):
            keys = ("trace", "agent", "step")
            if "mistake_step" in one:
                keys = ("question_ID", "mistake_agent", "mistake_step")
            trace, agent = (text(one, key) for key in keys[:2])
            step = stated_count(one, keys[2])
            if trace and agent and step is not None:
                yield Label(trace, agent, step, str(path), row.line)
                continue
            place = (str(path), row.line, "", str(one.get(keys[2], "")))
            findings.append(BAD_LABEL.at(*place, problem="not a trace, an agent and a step"))


def scored(
    labels: Iterable[Label], file: str, rows: Iterable[Row], within: int, findings: list[Finding]
) -> tuple[dict[tuple[str, str], Counter[str]], int]:
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
    tallies : dict of (str, str) to Counter
        By framework and rule the labelled runs, those with a prediction, and predictions that are
        right: of agent, step, and step or near it; with the framework :data:`EVERY`, of all.
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
    tallies: dict[tuple[str, str], Counter[str]] = {}
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
        if known.trace in wrong:
            continue
        agent, step = text(one, "agent"), stated_count(one, "step")
        right = {"runs": 1, "predicted": agent != "", "agent": agent in known.agents}
        if step is not None:
            off = abs(step - known.step)
            right |= {"step": off == 0, "near": off <= within}
        for framework in (text(one, "framework") or "unknown", EVERY):
            tallies.setdefault((framework, rule), Counter()).update(right)
    for label in unmet:
        problem = f"no prediction is for trace {printable(label.trace)}"
        findings.append(WRONG_LABEL.at(label.file, label.line, problem=problem))
    return tallies, unlabelled
