"""Training rows of runs, one for each decision, step, agent or run, and all of them as one table.

The rows wait on disk until all traces were read: only then are the channels, the groups and so the
advantages known. In memory is what credit needs of each run.
"""

import tempfile
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import msgspec
import pyarrow as pa
from msgspec import UNSET
from pyarrow import ipc

from corpus.model.finding import WARNING, Finding, Rule, UsageProblem
from corpus.traces.lookup import JsonObject
from corpus.traces.measures.decisions import DECISIONS, DecisionLabel, labels
from corpus.traces.measures.output import parquet_bytes
from corpus.traces.reading.decoding import OfRun, of_run
from corpus.traces.reading.reading import TraceText
from corpus.traces.replay import Replay
from corpus.traces.run import Run
from corpus.traces.store.stats import PartQuestion
from corpus.traces.store.store import Store, stored
from corpus.traces.training.credit import CreditVariant, credit
from corpus.traces.training.groups import Rollout, channel_of
from corpus.traces.training.tables import COLUMNS

NO_STEPS = Rule(
    "OT508",
    "agent {value} of trace {trace} has taken no step",
    "leave it, if the agent was never at work; else record its steps",
    WARNING,
    title="Agent without steps",
    reason="There is nothing that such an agent could learn from, so it and its reward "
    "are in no row.",
)


Cells: TypeAlias = dict[str, list[Any]]

UNITS = ("decision", "step", "agent", "run")
#: Where a row finds its advantage: the number of its step, -1 without one. No column of the output.
STEP = "_step"


class TraceRows(NamedTuple):
    """The rows of one trace as columns, what credit needs of it, and what was left out."""

    cells: Cells
    rollout: Rollout
    findings: list[Finding]


class _Unit(NamedTuple):
    """What a row is of: an event, the step that it belongs to, and the columns of a decision."""

    place: int
    step: int
    agent: str
    decision: JsonObject


def rows(
    document: TraceText,
    run: Run,
    unit: str,
    train: Collection[str] = (),
    with_negatives: bool = False,
) -> TraceRows:
    """Return the rows of a run.

    Parameters
    ----------
    document, run
        The trace.
    unit
        One of :data:`UNITS`.
    train
        Agents, roles or models that are trained.
    with_negatives
        Whether decisions come with the steps in which an agent could have taken them and did not.
    """
    found = Rollout(run, document.place)
    findings = []
    if unit == "run":
        units = [_Unit(run.graph.order[0], -1, run.main, {})]
    elif unit == "agent":
        units = []
        first = {agent: step for step, agent in reversed([*enumerate(found.agents)])}
        for agent in run.agents:
            if agent in first:
                units.append(_Unit(run.first[agent], first[agent], agent, {}))
            else:
                place = (*document.place, "/events", agent)
                findings.append(NO_STEPS.at(*place, trace=run.id))
    elif unit == "step":
        own = enumerate(found.places)
        units = [_Unit(place, step, run.actors[place], {}) for step, place in own]
    else:
        units = [one for one in _decisions(found) if with_negatives or one.decision["chosen"]]
    cells = _cells(found, units, unit, train)
    found.drop_events()
    return TraceRows(cells, found, findings)


def _decisions(found: Rollout) -> Iterator[_Unit]:
    """Yield the decisions that each step takes, and those that its agent takes at other times.

    A decision event and what it leads to are one decision. An end from outside or at a limit is a
    decision of nobody.
    """
    run = found.run
    given = [one for one in labels(run) if one.stop not in ("external", "truncated")]
    causes = {(one.event, one.decision) for one in given if one.rule == "causes"}
    owner = {}
    if causes:
        for source, target in run.graph.edges():
            for decision in DECISIONS:
                if (source, decision) in causes:
                    owner[target, decision] = source
    taken = defaultdict(list)
    alone = []
    takers = set()
    for one in given:
        place = owner.get((one.event, one.decision), one.event)
        step = found.of_event[place]
        takers.add((run.actors[place], one.decision))
        if step < 0:
            alone.append(_taken(run, place, -1, [one]))
        else:
            taken[step, one.decision].append(one)
    # Whether the agent of a step has got anything to aggregate since it last did.
    is_fed = [False] * len(found.places)
    fed = set()
    for place in run.graph.order:
        event = run.events[place]
        step = found.of_event[place]
        if step >= 0 and found.places[step] == place:
            is_fed[step] = event.agent in fed
        if event.type in ("return", "message"):
            fed.add(found.reader(event))
        elif event.type == "aggregate":
            fed.discard(event.agent)
    for step, place in enumerate(found.places):
        agent = run.actors[place]
        for decision in DECISIONS:
            made = taken.get((step, decision))
            if made:
                yield _taken(run, place, step, made)
            elif (agent, decision) in takers and (decision != "O4" or is_fed[step]):
                yield _Unit(place, step, agent, {"decision": decision, "chosen": False})
    yield from alone


def _taken(run: Run, place: int, step: int, made: list[DecisionLabel]) -> _Unit:
    """Return the row of a decision that was taken, with the agents that it is about."""
    names: dict[str, None] = {}
    for one in made:
        target = run.events[one.event].to
        if one.rule != "causes" and isinstance(target, str):
            names[target] = None
    row = {"decision": made[0].decision, "chosen": True, "rule": made[0].rule}
    return _Unit(place, step, run.actors[place], row | {"choice": ",".join(names) or None})


def _cells(found: Rollout, units: list[_Unit], unit: str, train: Collection[str]) -> Cells:
    """Return the columns of :data:`COLUMNS`, :data:`STEP`, and two for each channel of rewards.

    The reward to go is the sum of all rewards of steps and calls from the event on, of agents whose
    last event is not before it, and of the run.
    """
    run, rank = found.run, found.run.graph.rank
    places = {one.place for one in units}
    # Live agents, open calls, tokens and steps before each of these events, and at the end.
    states = {}
    state = (0, 0, 0.0, 0.0)
    replay = Replay(run)
    for place in replay.play():
        if place in places:
            states[place] = state
        state = (len(replay.live), len(replay.open_calls), replay.tokens, replay.steps)
    *_, all_tokens, all_steps = state
    critical = set(found.critical)
    useful_agents = {run.actors[place] for place, useful in enumerate(run.useful) if useful}
    critical_agents = {found.agents[step] for step in found.critical}
    cells: Cells = {name: [] for name in (*COLUMNS, STEP)}
    for one in units:
        event = run.events[one.place]
        row: JsonObject = dict.fromkeys(cells) | one.decision
        row |= {"trace": found.trace, "group": found.group, "event": event.id, "agent": one.agent}
        row |= {"depth": run.depths.get(one.agent), "role": run.roles.get(one.agent)}
        row["live_agents"], row["open_calls"], tokens, row["steps"] = states[one.place]
        row["steps_to_go"] = all_steps - row["steps"]
        if event.x_model is not UNSET:
            row["model"] = event.x_model
        row[STEP] = one.step
        if one.step >= 0:
            row["turn"] = found.turns[one.step]
            row["context"] = found.contexts[one.step] or None
        if run.states_tokens:
            row["tokens"], row["tokens_to_go"] = tokens, all_tokens - tokens
        if run.has_clock:
            row["seconds"], row["seconds_to_go"] = event.t - run.begin, run.finish - event.t
        if unit != "run":
            useful, row["critical"] = run.useful[one.place], one.step in critical
            if unit == "agent":
                useful, row["critical"] = one.agent in useful_agents, one.agent in critical_agents
            row["outcome"] = ("wasted", "useful")[useful]
        if train:
            row["trained"] = not {one.agent, row["role"], row["model"]}.isdisjoint(train)
        for name, column in cells.items():
            column.append(row[name])
    for channel in found.channels():
        of_agents = found.of_agents.get(channel, {})
        of_steps = found.of_steps.get(channel, {})
        dated = []
        for agent in of_agents.keys() & run.last.keys():
            dated.append((rank[run.last[agent]], of_agents[agent]))
        for place, event in enumerate(run.events):
            given = event.x_rewards or {}
            if channel in given:
                dated.append((rank[place], given[channel]))
        dated.sort()
        after = [found.rewards.get(channel, 0.0)]
        for _, reward in reversed(dated):
            after.append(after[-1] + reward)
        after.reverse()
        own = cells[f"reward_{channel}"] = []
        to_go = cells[f"to_go_{channel}"] = []
        for one in units:
            reward_of = {"run": found.rewards.get(channel), "agent": of_agents.get(one.agent)}
            own.append(reward_of.get(unit, of_steps.get(one.step)))
            to_go.append(after[bisect_left(dated, (rank[one.place],))])
    return cells


#: Rows that are Python values at once.
PACK = 10_000
_RUN = "_run"


def part_rows(
    question: PartQuestion, find_rows: Callable[[TraceText, Run], TraceRows]
) -> list[OfRun[TraceRows]]:
    """Return the rows of one part of a store; what a worker of a cluster runs."""
    find = partial(of_run, function=find_rows)
    return list(map(find, stored(Store(question.root), question.part)))


class RowTable:
    """The rows of many traces.

    Parameters
    ----------
    unit : str
        What the rows are of.
    chosen : CreditVariant, optional
        How credit is given; with an empty channel, the only one that there is.

    Attributes
    ----------
    rollouts : list of Rollout
        What credit needs of each run; without steps where no credit is given.
    findings : list of Finding
        What was left out.
    count : int
        Number of rows.
    """

    def __init__(self, unit: str, chosen: CreditVariant | None = None) -> None:
        self.unit = unit
        self.chosen = chosen
        self.rollouts: list[Rollout] = []
        self.findings: list[Finding] = []
        self.count = 0
        self._types = {name: kind for name, (kind, _) in COLUMNS.items()}
        self._types |= {STEP: "int64", _RUN: "int64"}
        self._waiting: Cells = {_RUN: []}
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 # gone with the table

    def close(self) -> None:
        """Drop the rows."""
        self._file.close()

    def add(self, found: TraceRows) -> None:
        """Add the rows of a trace."""
        size = len(found.cells[STEP])
        waiting = self._waiting
        for name in found.cells:
            self._types.setdefault(name, "double")
        known = len(waiting[_RUN])
        for name in self._types:
            column = waiting.setdefault(name, [None] * known)
            column += found.cells.get(name, [None] * size)
        waiting[_RUN][known:] = [len(self.rollouts)] * size
        self.findings += found.findings
        one = found.rollout
        # What the scheme does not read is left out: there may be a hundred thousand runs.
        if self.chosen is None:
            one.agents, one.turns, one.advantages = [], [], []
            one.of_steps = {name: {} for name in one.of_steps}
        if self.chosen is None or self.chosen.scheme != "gigpo":
            one.contexts, one.observations = [], []
        self.rollouts.append(one)
        self.count += size
        if known + size >= PACK:
            self._pack()

    def _pack(self) -> None:
        table = pa.table(self._waiting, schema=pa.schema(self._types))
        with ipc.new_stream(self._file, table.schema) as stream:
            stream.write_table(table)
        self._waiting = {_RUN: []}

    def channel(self) -> str:
        """Return the channel that credit reads: the named one, or the only one."""
        return channel_of(self.rollouts, self.chosen.channel if self.chosen else "")

    def tables(self) -> Iterator[pa.Table]:
        """Yield the rows with their advantages, some at a time; each time from the first.

        Raises
        ------
        UsageProblem
            As :func:`channel_of` and :func:`credit` do.
        """
        if self.chosen is not None:
            self.chosen = self.chosen._replace(channel=self.channel())
            credit(self.rollouts, self.chosen)
        if self._waiting[_RUN]:
            self._pack()
        self._file.seek(0)
        schema = pa.schema([(name, kind) for name, kind in self._types.items() if name[0] != "_"])
        left = self.count
        while left:
            with ipc.open_stream(self._file) as stream:
                table = stream.read_all()
            left -= len(table)
            # The first has all columns; of those that the second lacks, its rows have nulls.
            both = [schema.empty_table(), table]
            whole = pa.concat_tables(both, promote_options="default").select(schema.names)
            if self.chosen is not None:
                given = pa.array(self._advantages(table), pa.float64())
                whole = whole.append_column("advantage", given)
                whole = whole.append_column("credit", pa.array([str(self.chosen)] * len(table)))
            yield whole

    def _advantages(self, table: pa.Table) -> Iterator[float | None]:
        """Yield the advantage of each row; of an agent or run only where all steps have one."""
        places = (table[name].to_pylist() for name in (_RUN, STEP, "agent"))
        for place, step, agent in zip(*places, strict=True):
            run = self.rollouts[place]
            own = set(run.advantages[step : step + 1])
            if self.unit in ("agent", "run"):
                taken = zip(run.advantages, run.agents, strict=True)
                own = {one for one, name in taken if self.unit == "run" or name == agent}
            yield own.pop() if len(own) == 1 else None

    def parquet(self) -> Iterator[bytes]:
        """Yield the rows as a Parquet file, in pieces."""
        tables = self.tables()
        first = next(tables, None)
        if first is None:
            raise UsageProblem("no rows: nothing of this unit is in the traces")
        yield from parquet_bytes(first.schema, chain([first], tables))

    def lines(self) -> Iterator[str]:
        """Yield the rows as JSON, one per line; unknown values are null."""
        for table in self.tables():
            for row in table.to_pylist():
                yield f"{msgspec.json.encode(row).decode()}\n"
