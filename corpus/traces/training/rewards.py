"""Rewards from files beside the traces: each row names what it rewards, and nothing is guessed."""

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from corpus.model.finding import WARNING, CorpusError, Finding, Rule, printable
from corpus.traces.convert.format import Redaction
from corpus.traces.convert.readers.inspect import sample_id, scores_of
from corpus.traces.convert.readers.nemo_gym import FORMAT as NEMO_GYM
from corpus.traces.convert.readers.rllm import FORMAT as RLLM
from corpus.traces.convert.readers.verifiers import FORMAT as VERIFIERS
from corpus.traces.convert.rollouts import rollout_id
from corpus.traces.document import RecordedFile, Row, has_marks, read_document
from corpus.traces.lookup import JsonObject, number, record, records, text, value
from corpus.traces.measures.steps import steps
from corpus.traces.run import Run

BAD_REWARD = Rule(
    "OT501",
    "{problem}",
    "give a finite number for a named run; `corpus trace reward --help` lists the kinds of files",
    title="Reward not readable",
    reason="NaN and infinity would spread over every mean of the group.",
)
TWO_REWARDS = Rule(
    "OT502",
    "{what} has the reward {known} on channel {channel} already",
    "keep one of the two, or give them channels of their own",
    title="Two rewards for one thing",
    reason="Which of two graders is right cannot be told from their numbers, and "
    "nobody gave their mean.",
)
SAME_REWARD = Rule(
    "OT503",
    "{what} has this reward on channel {channel} already",
    "remove one of the rows",
    WARNING,
    title="Reward given twice",
    reason="The reward counts once.",
)
UNMATCHED_REWARD = Rule(
    "OT504",
    "none of the traces is {what}",
    "name the trace by its id (`trace_id`), or choose it with --trace",
    WARNING,
    title="Reward of no trace",
    reason="The reward is left out. A converted trace has the id of its session, or a "
    "hash of it where the id is not a plain name.",
)
NO_SUCH_UNIT = Rule(
    "OT505",
    "trace {trace}: {problem}",
    "name an agent, an x_call_id or an event id of this trace",
    title="Reward of nothing in its trace",
    reason="A reward at another step than its own teaches the opposite, so none is "
    "moved to a neighbour.",
)


#: Names that a table of rewards may have in its header, or as keys of its lines.
COLUMNS = ("trace", "session", "task", "channel", "agent", "call", "step", "value")
_SAMPLES = "samples/"
#: The channel of a reward whose source names none.
CHANNEL = "reward"


class RewardRow(NamedTuple):
    """One reward, as a file states it.

    Attributes
    ----------
    trace, task : str
        Id of the trace; without one, id of the task, which must have a single trace.
    channel : str
        What was graded, or who did.
    value : object
        The reward; a finite number in a good file.
    agent, call, step : str
        What of the run it is of: a step (id of its event, or its number from 1 among those of
        `agent`), else a call (its ``x_call_id``), else an agent, else the whole run.
    steps : int
        How many steps the file has of the agent, where it lists them all; else 0.
    file, line, column : str, int, str
        Where it is written.
    """

    trace: str
    task: str
    channel: str
    value: Any
    agent: str = ""
    call: str = ""
    step: str = ""
    steps: int = 0
    file: str = ""
    line: int = 0
    column: str = "value"

    @property
    def place(self) -> tuple[str, int, str, str]:
        """Where it is written: file, line, column and value."""
        return self.file, self.line, self.column, str(self.value)

    @property
    def what(self) -> str:
        """What the reward is of, in words."""
        whose = f"trace {printable(self.trace)}"
        if not self.trace:
            whose = f"task {printable(self.task)}"
        for name, part in (("agent", self.agent), ("call", self.call), ("step", self.step)):
            if part:
                whose += f", {name} {printable(part)}"
        return whose


def _reward_of_row(row: Row) -> Iterator[RewardRow]:
    named = (str(row.value.get(name) or "") for name in COLUMNS[:-1])
    trace, session, task, channel, agent, call, step = named
    given = row.value.get("value")
    yield RewardRow(trace or session, task, channel or CHANNEL, given, agent, call, step)


def _harbor(row: Row) -> Iterator[RewardRow]:
    trial, task = text(row.value, "trial_name"), text(row.value, "task_name")
    for channel, given in record(row.value, "verifier_result.rewards").items():
        yield RewardRow(trial, task, channel, given, column=f"verifier_result.rewards.{channel}")


def _inspect(row: Row) -> Iterator[RewardRow]:
    task = text(row.value, "eval.task")
    for sample in records(row.value, "samples") or [row.value]:
        trace = sample_id(sample, task, "")
        for scorer, given in scores_of(sample).items():
            yield RewardRow(trace, "", scorer, given, column=f"scores.{scorer}")


def _rollout(row: Row) -> Iterator[RewardRow]:
    rewards = {CHANNEL: value(row.value, "reward")}
    if "example_id" in row.value:
        rewards |= record(row.value, "metrics")
    for channel, given in rewards.items():
        yield RewardRow(rollout_id(row.value, row.line), "", channel, given, column=channel)


def _rllm(row: Row) -> Iterator[RewardRow]:
    trace = rollout_id(row.value, row.line)
    for index, trajectory in enumerate(records(row.value, "trajectories")):
        agent = Redaction().name(text(trajectory, "name"), "agent")
        column = f"trajectories[{index}]"
        whole = RewardRow(trace, "", CHANNEL, trajectory.get("reward"), agent, column=column)
        yield whole
        taken = records(trajectory, "steps")
        for place, step in enumerate(taken):
            yield whole._replace(
                step=str(place + 1),
                steps=len(taken),
                value=step.get("reward"),
                column=f"{column}.steps[{place}]",
            )


def _tau2(row: Row) -> Iterator[RewardRow]:
    found = {}
    for index, one in enumerate(records(row.value, "simulations")):
        found[f"simulations[{index}].reward_info"] = one
    # tau2 may also write each simulation into a file of its own.
    for column, one in (found or {"reward_info": row.value}).items():
        graded, task = record(one, "reward_info"), str(one.get("task_id", ""))
        given = {CHANNEL: graded.get("reward"), **record(graded, "reward_breakdown")}
        for channel, reward in given.items():
            yield RewardRow(text(one, "id"), task, channel, reward, column=column)


# What a row of each kind has, and how it is read; the first that fits counts.
# fmt: off
_READERS = (
    ("trial_name verifier_result",       _harbor),
    ("simulations.0.reward_info",        _tau2),
    ("reward_info",                      _tau2),
    ("samples.0.scores samples.0.epoch", _inspect),
    ("scores epoch",                     _inspect),
    (NEMO_GYM.row["marks"][0],           _rollout),
    (VERIFIERS.row["marks"][0],          _rollout),
    (RLLM.row["marks"][0],               _rllm),
    ("value",                            _reward_of_row),
)
# fmt: on


def read_rewards(path: Path, trace: str = "") -> list[RewardRow]:
    """Read the rewards of a file, as programs write them, or of a table in JSON lines or CSV.

    Parameters
    ----------
    path
        The file.
    trace
        The trace that all of them are of, whatever the file names.

    Raises
    ------
    CorpusError
        With an OT501 for each row that cannot be read.
    """
    name = str(path)
    document = read_rows(path, BAD_REWARD)
    findings = document.findings
    found = []
    if _is_csv(path) and document.rows:
        header = document.rows[0].value
        others = ", ".join(header.keys() - COLUMNS)
        if others or "value" not in header:
            problem = f"the columns are not of {', '.join(COLUMNS)}"
            raise BAD_REWARD.error(name, 1, value=others, problem=problem)
    # The header of an archive of Inspect names the task of all its samples.
    evaluations = [one for row in document.rows if (one := record(row.value, "eval"))]
    for row in document.rows:
        if row.member and evaluations and isinstance(row.value, dict):
            row.value.setdefault("eval", evaluations[0])
        if row.member and not row.member.startswith(_SAMPLES):
            # An archive of Inspect has summaries and a header beside its samples.
            continue
        if _is_csv(path):
            # Other values are reported below, with their column.
            with suppress(TypeError, ValueError):
                row.value["value"] = float(row.value["value"])
        fitting = (reader for marks, reader in _READERS if has_marks(row.value, marks))
        read = next(fitting, None)
        if read is None:
            findings.append(BAD_REWARD.at(name, row.line, problem="no known kind of rewards"))
            continue
        for reward in read(row):
            placed = reward._replace(file=name, line=row.line, trace=trace or reward.trace)
            if read is not _reward_of_row and reward.value is None:
                # Environments write a null where they gave no reward.
                continue
            problem = ""
            unknown = [key for key in row.value if key not in COLUMNS]
            if number(reward.value) is None:
                problem = "the reward is not a finite number"
            elif not placed.trace and not placed.task:
                problem = "the row names neither trace nor task"
            elif read is _reward_of_row and unknown:
                problem = f"unknown column {printable(str(unknown[0]))}"
            if problem:
                findings.append(BAD_REWARD.at(*placed.place, problem=problem))
            found.append(placed)
    if findings:
        raise CorpusError(findings)
    return found


def _is_csv(path: Path) -> bool:
    return path.suffix.lower() == ".csv"


def read_rows(path: Path, rule: Rule) -> RecordedFile:
    """Read the rows of JSON, or of a CSV table as texts; `rule` is for what is neither."""
    if not _is_csv(path):
        found = read_document(path)
        found.findings = [
            rule.at(str(path), one.line, problem=one.message) for one in found.findings
        ]
        return found
    found = RecordedFile(path)
    problem = ""
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, restkey="more cells than columns")
        try:
            found.rows = [Row(reader.line_num, cells) for cells in reader]
            if not reader.fieldnames:
                problem = "the table has no header"
        except (UnicodeDecodeError, csv.Error) as error:
            problem = f"not a CSV table in UTF-8: {error}"
    if problem:
        found.findings.append(rule.at(str(path), 1, problem=problem))
    return found


class Rewards:
    """Rewards by the traces that they are of.

    Parameters
    ----------
    rows : sequence of RewardRow
        What files state.
    """

    def __init__(self, rows: Sequence[RewardRow]) -> None:
        self._left = dict.fromkeys(rows)
        self._of_trace = defaultdict(list)
        self._of_task = defaultdict(list)
        self._first_of_task: dict[str, str] = {}
        for row in rows:
            if not row.trace:
                self._of_task[row.task].append(row)
                continue
            # A converted trace has a hash where the id of its recording is not a plain name.
            for name in {row.trace, Redaction().token(row.trace)}:
                self._of_trace[name].append(row)

    def attach(self, trace: JsonObject, run: Run) -> list[Finding]:
        """Write the rewards of a run into its document, and return what is wrong with them."""
        findings = []
        task, name = run.trace.task_id, run.id
        of_task = self._of_task[task]
        first = self._first_of_task.setdefault(task, name) if of_task else name
        if first != name:
            problem = f"the task has another trace, {printable(first)}, too: name one of them"
            place = (of_task[0].file, of_task[0].line, "task", task)
            findings.append(NO_SUCH_UNIT.at(*place, trace=printable(name), problem=problem))
            of_task = []
        # A folder of Harbor has the name of the trial, which its recordings do not have.
        names = dict.fromkeys((name, text(run.events[0].x_run, "trial")))
        of_trace = chain.from_iterable(map(self._of_trace.__getitem__, names))
        for row in (*of_trace, *of_task):
            self._left.pop(row, None)
            try:
                table, key = _target(row, trace, run)
            except LookupError as error:
                problem = str(error)
                findings.append(NO_SUCH_UNIT.at(*row.place, trace=printable(name), problem=problem))
                continue
            if key not in table:
                table[key] = row.value
                continue
            known = table[key]
            rule = SAME_REWARD if known == row.value else TWO_REWARDS
            findings.append(rule.at(*row.place, what=row.what, channel=row.channel, known=known))
        return findings

    def unmatched(self) -> Iterator[Finding]:
        """Yield a warning for each reward that no trace has taken."""
        for row in self._left:
            yield UNMATCHED_REWARD.at(*row.place, what=row.what)


def _target(row: RewardRow, trace: JsonObject, run: Run) -> tuple[JsonObject, str]:
    """Return the table and the key that a reward is written to.

    Raises
    ------
    LookupError
        Where the trace has no such agent, call or step.
    """
    if row.agent and row.agent not in run.agents:
        raise LookupError(f"no agent {printable(row.agent)}")
    if not row.call and not row.step:
        key = row.channel
        if row.agent:
            key += f"@{row.agent}"
        return trace["rewards"], key
    found: Iterable[int] = ()
    what = f"call {printable(row.call)}"
    if row.step:
        what = f"step {printable(row.step)}"
    if row.step in run.index:
        found = [run.index[row.step]]
    elif row.step and row.agent:
        weights = steps(run).weights
        taken = [one for one in run.graph.order if run.actors[one] == row.agent and weights[one]]
        agent, count = printable(row.agent), len(taken)
        if row.steps and row.steps != count:
            raise LookupError(f"{row.steps} steps of {agent} here, {count} in the trace")
        if not row.step.isdecimal() or not 0 < int(row.step) <= count:
            raise LookupError(f"{agent} has {count} steps, and no {printable(row.step)}")
        found = [taken[int(row.step) - 1]]
    elif row.call:
        calls = run.by_kind["tool_call"]
        found = [place for place in calls if run.events[place].x_call_id == row.call]
    own = [place for place in found if not row.agent or run.actors[place] == row.agent]
    if len(own) != 1:
        raise LookupError(f"{what} is not one event, but {len(own)}")
    event = trace["events"][own[0]]
    # A value of another type is a warning of the trace, and is ignored there.
    if not isinstance(event.get("x_rewards"), dict):
        event["x_rewards"] = {}
    return event["x_rewards"], row.channel
