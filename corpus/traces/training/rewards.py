"""Rewards from files beside the traces: each row names what it rewards, and nothing is guessed."""

import csv
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from corpus.model.finding import WARNING, CorpusError, Finding, Rule, printable
from corpus.traces.convert.format import Redaction
from corpus.traces.convert.readers.inspect import sample_id, scores_of
from corpus.traces.document import Row, has_marks, read_document
from corpus.traces.lookup import JsonObject, number, record, records, text
from corpus.traces.run import Run

BAD_REWARD = Rule(
    "OT501",
    "{problem}",
    "give a finite number for a named run (`corpus trace reward --help`)",
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
COLUMNS = ("trace", "session", "channel", "agent", "call", "step", "value")
#: The channel of a reward whose source names none.
CHANNEL = "reward"


@dataclass(frozen=True)
class RewardRow:
    """One reward, as a file states it.

    Attributes
    ----------
    trace : str
        Id of the trace.
    channel : str
        What was graded, or who did.
    value : object
        The reward; a finite number in a good file.
    agent, call, step : str
        What of the run it is of: a step (id of its event), else a call (its ``x_call_id``), else an
        agent, else the whole run.
    file, line, column : str, int, str
        Where it is written.
    """

    trace: str
    channel: str
    value: Any
    agent: str = ""
    call: str = ""
    step: str = ""
    column: str = "value"
    file: str = ""
    line: int = 0

    @property
    def place(self) -> tuple[str, int, str, str]:
        """Where it is written: file, line, column and value."""
        return self.file, self.line, self.column, str(self.value)

    @property
    def what(self) -> str:
        """What the reward is of, in words."""
        names = ("trace", "agent", "call", "step")
        stated = ((name, getattr(self, name)) for name in names)
        return ", ".join(f"{name} {printable(value)}" for name, value in stated if value)


def _table(row: JsonObject) -> Iterator[RewardRow]:
    named = (str(row.get(name) or "") for name in COLUMNS[:-1])
    trace, session, channel, agent, call, step = named
    yield RewardRow(trace or session, channel or CHANNEL, row.get("value"), agent, call, step)


def _harbor(row: JsonObject) -> Iterator[RewardRow]:
    for channel, given in record(row, "verifier_result.rewards").items():
        column = f"verifier_result.rewards.{channel}"
        yield RewardRow(text(row, "trial_name"), channel, given, column=column)


def _inspect(row: JsonObject) -> Iterator[RewardRow]:
    for sample in records(row, "samples") or [row]:
        trace = sample_id(sample, text(row, "eval.task"), "")
        for scorer, given in scores_of(sample).items():
            yield RewardRow(trace, scorer, given, column=f"scores.{scorer}")


# What a row of each kind has, and how it is read; the first that fits counts.
_READERS = (
    ("trial_name verifier_result", _harbor),
    ("samples.0.scores samples.0.epoch", _inspect),
    ("scores epoch", _inspect),
    ("value", _table),
)


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
    findings = []
    found = []
    if path.suffix.lower() == ".csv":
        rows = _csv_rows(path)
    else:
        document = read_document(path)
        findings = [BAD_REWARD.at(name, one.line, problem=one.message) for one in document.findings]
        rows = document.rows
    # The header of an archive of Inspect names the task of all its samples.
    evaluations = [one for row in rows if (one := record(row.value, "eval"))]
    for row in rows:
        if row.member and evaluations and isinstance(row.value, dict):
            row.value.setdefault("eval", evaluations[0])
        if row.member and not row.member.startswith("samples/"):
            # An archive of Inspect has summaries and a header beside its samples.
            continue
        fitting = (reader for marks, reader in _READERS if has_marks(row.value, marks))
        read = next(fitting, None)
        if read is None:
            problem = "no known kind of rewards; converted rollouts have theirs in the traces"
            findings.append(BAD_REWARD.at(name, row.line, problem=problem))
            continue
        for reward in read(row.value):
            placed = replace(reward, file=name, line=row.line, trace=trace or reward.trace)
            if read is not _table and reward.value is None:
                # Environments write a null where they gave no reward.
                continue
            problem = ""
            unknown = [key for key in row.value if key not in COLUMNS]
            if number(reward.value) is None:
                problem = "the reward is not a finite number"
            elif not placed.trace:
                problem = "the row names no trace"
            elif read is _table and unknown:
                problem = f"unknown column {printable(str(unknown[0]))}"
            if problem:
                findings.append(BAD_REWARD.at(*placed.place, problem=problem))
            found.append(placed)
    if findings:
        raise CorpusError(findings)
    return found


def _csv_rows(path: Path) -> list[Row]:
    """Read a table; values that are no numbers stay texts."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, restkey="more cells than columns")
        try:
            header = reader.fieldnames or ()
            rows = [Row(reader.line_num, cells) for cells in reader]
        except (UnicodeDecodeError, csv.Error) as error:
            problem = f"not a CSV table in UTF-8: {error}"
            raise BAD_REWARD.error(str(path), 1, problem=problem) from None
    others = ", ".join(name for name in header if name not in COLUMNS)
    if others or "value" not in header:
        problem = f"the columns are not of {', '.join(COLUMNS)}"
        raise BAD_REWARD.error(str(path), 1, value=others, problem=problem)
    for row in rows:
        with suppress(TypeError, ValueError):
            row.value["value"] = float(row.value["value"])
    return rows


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
        for row in rows:
            # A converted trace has a hash where the id of its recording is not a plain name.
            for name in {row.trace, Redaction().token(row.trace)}:
                self._of_trace[name].append(row)

    def attach(self, trace: JsonObject, run: Run) -> list[Finding]:
        """Write the rewards of a run into its document, and return what is wrong with them."""
        findings = []
        # A folder of Harbor has the name of the trial, which its recordings do not have.
        names = dict.fromkeys((run.id, text(run.events[0].x_run, "trial")))
        for row in chain.from_iterable(map(self._of_trace.__getitem__, names)):
            self._left.pop(row, None)
            try:
                table, key = _target(row, trace, run)
            except LookupError as error:
                name, problem = printable(run.id), str(error)
                findings.append(NO_SUCH_UNIT.at(*row.place, trace=name, problem=problem))
                continue
            known = table.setdefault(key, row.value)
            if known != row.value:
                more = {"what": row.what, "channel": row.channel, "known": known}
                findings.append(TWO_REWARDS.at(*row.place, **more))
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
        return trace["rewards"], f"{row.channel}@{row.agent}" if row.agent else row.channel
    found = []
    for place, event in enumerate(run.events):
        is_call = event.type == "tool_call" and event.x_call_id == row.call
        is_meant = event.id == row.step if row.step else is_call
        if is_meant and row.agent in ("", event.agent):
            found.append(trace["events"][place])
    if len(found) != 1:
        raise LookupError(f"{len(found)} events are {row.what}")
    # A value of another type is a warning of the trace, and is ignored there.
    if not isinstance(found[0].get("x_rewards"), dict):
        found[0]["x_rewards"] = {}
    return found[0]["x_rewards"], row.channel
