"""How often predictions of the decisive error name the agent and the step of a label."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from corpus.model.finding import Finding, printable
from corpus.traces.convert.format import Redaction
from corpus.traces.document import Row
from corpus.traces.lookup import JsonObject, items, record, stated_count, text
from corpus.traces.training.rewards import read_rows
from corpus.traces.training.training_rules import BAD_LABEL, WRONG_LABEL

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
        if agents and self.agent not in agents and _as_converted(self.agent) not in agents:
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
        self.agent += agent in (label.agent, _as_converted(label.agent)) and agent != ""
        if step is not None:
            self.step += step == label.step
            self.near += abs(step - label.step) <= within


def _as_converted(agent: str) -> str:
    return Redaction().name(agent, "agent")


def read_labels(path: Path, findings: list[Finding]) -> Iterator[Label]:
    """Yield the labels of a table or of logs of Who&When; `findings` gets what is none."""
    document = read_rows(path, BAD_LABEL)
    findings += document.findings
    for row in document.rows:
        logs = row.value if isinstance(row.value, list) else [row.value]
        for one in map(record, logs):
            names = ("trace", "agent", "step")
            if "mistake_step" in one:
                names = ("question_ID", "mistake_agent", "mistake_step")
            trace, agent = text(one, names[0]), text(one, names[1])
            step = stated_count(one, names[2])
            if trace and agent and step is not None:
                yield Label(trace, agent, step, str(path), row.line)
                continue
            place = (str(path), row.line, "", str(one.get(names[2], "")))
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
    by_name: dict[str, Label] = {}
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
    met = set()
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
        if name not in by_name:
            unlabelled += 1
            continue
        label = by_name[name]
        met.add(label)
        misfit = label.problem(one)
        if misfit and label.trace not in wrong:
            wrong.add(label.trace)
            findings.append(WRONG_LABEL.at(label.file, label.line, problem=misfit))
        if label.trace in wrong:
            continue
        for framework in (text(one, "framework") or "unknown", EVERY):
            tallies.setdefault((framework, rule), Accuracy()).add(one, label, within)
    for label in dict.fromkeys(by_name.values()):
        if label not in met:
            problem = f"no prediction is for trace {printable(label.trace)}"
            findings.append(WRONG_LABEL.at(label.file, label.line, problem=problem))
    return tallies, unlabelled
