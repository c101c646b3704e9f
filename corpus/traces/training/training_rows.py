"""Training rows of runs, one for each decision or step, and all of them as one table.

The rows wait on disk until all traces were read: only then are the channels, the groups and so the
advantages known. In memory is what credit needs of each run.
"""

import tempfile
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import accumulate, chain, islice
from typing import NamedTuple, TypeAlias

import msgspec
import pyarrow as pa
from pyarrow import parquet

from corpus.model.finding import UsageProblem
from corpus.traces.lookup import JsonObject
from corpus.traces.measures.decisions import DECISIONS, labels
from corpus.traces.measures.steps import critical_path
from corpus.traces.reading.reading import TraceText
from corpus.traces.run import OUTSIDE, Run
from corpus.traces.training.credit import CreditVariant, credit
from corpus.traces.training.groups import Rollout, channel_of
from corpus.traces.training.tables import COLUMNS

UNITS = ("decision", "step")
#: Where a row finds its advantage: the number of its step, -1 without one. No column of the output.
STEP = "_step"

#: What a row is of: an event, the step that it belongs to, the columns of a decision.
_Unit: TypeAlias = tuple[int, int, JsonObject]


class TraceRows(NamedTuple):
    """The rows of one trace as lines of JSON, and what credit needs of it."""

    lines: list[bytes]
    rollout: Rollout


def rows(document: TraceText, run: Run, unit: str, train: Collection[str] = ()) -> TraceRows:
    """Return the rows of a run.

    Parameters
    ----------
    document, run
        The trace.
    unit
        One of :data:`UNITS`.
    train
        Agents, roles or models that are trained.
    """
    found = Rollout(run, document.place)
    units: Iterable[_Unit] = ((place, step, {}) for step, place in enumerate(found.places))
    if unit == "decision":
        units = _decisions(found)
    lines = list(map(msgspec.json.Encoder().encode, _rows(found, list(units), train)))
    found.drop_events()
    return TraceRows(lines, found)


def _decisions(found: Rollout) -> Iterator[_Unit]:
    """Yield the decisions of a run in its order, with the agents that each is about.

    A decision event and what it leads to are one decision, and so is all of one kind in a step. An
    end from outside or at a limit is a decision of nobody.
    """
    run, rank = found.run, found.run.graph.rank
    given = [one for one in labels(run) if one.stop not in ("external", "truncated")]
    causes = {(one.event, one.decision) for one in given if one.rule == "causes"}
    owner = {}
    for source, target in run.graph.edges() if causes else ():
        for decision in DECISIONS:
            if (source, decision) in causes:
                owner[target, decision] = source
    taken = defaultdict(list)
    for one in given:
        place = owner.get((one.event, one.decision), one.event)
        step = found.of_event[place]
        # Without a step it is one by itself.
        taken[found.places[step] if step >= 0 else place, step, one.decision].append(one)
    for place, step, decision in sorted(taken, key=lambda unit: (rank[unit[0]], unit[2])):
        made = taken[place, step, decision]
        about = [run.events[one.event].to for one in made if one.rule != "causes"]
        choice = ",".join(dict.fromkeys(one for one in about if isinstance(one, str)))
        yield place, step, {"decision": decision, "rule": made[0].rule, "choice": choice or None}


def _states(run: Run, weights: list[float]) -> Iterator[tuple[int, float, float]]:
    """Yield the active agents, tokens and steps before each event in the order of a run, and after.

    An agent is active once it was spawned or has acted, until it returns or is ended.
    """
    live: set[str] = set()
    tokens = steps = 0.0
    for place in run.graph.order:
        yield len(live), tokens, steps
        event = run.events[place]
        # Members of the team have a depth.
        if event.agent in run.depths and event.type not in OUTSIDE:
            live.add(event.agent)
        if event.type == "spawn" and event.to:
            live.add(event.to)
        elif event.type in ("return", "despawn"):
            live.discard(run.ended(event))
        tokens += event.x_tokens or 0.0
        steps += weights[place]
    yield len(live), tokens, steps


def _rows(found: Rollout, units: list[_Unit], train: Collection[str]) -> Iterator[JsonObject]:
    """Yield the columns of :data:`COLUMNS`, :data:`STEP`, and two for each channel of rewards.

    The reward to go is the sum of all rewards of steps and calls from the event on, of agents whose
    last event is not before it, and of the run.
    """
    run, rank = found.run, found.run.graph.rank
    states = list(_states(run, found.counted.weights))
    *_, (_, all_tokens, all_steps) = states
    critical = set(critical_path(run, found.counted))
    # Of each channel when its rewards are given, and what is to come from each of them on.
    dates = {}
    for channel in found.channels():
        of_agents = found.of_agents.get(channel, {})
        dated = [(rank[run.last[one]], of_agents[one]) for one in of_agents if one in run.last]
        for place, event in enumerate(run.events):
            given = event.x_rewards or {}
            if channel in given:
                dated.append((rank[place], given[channel]))
        dated.sort()
        rewards = (reward for _, reward in reversed(dated))
        after = [*accumulate(rewards, initial=found.rewards.get(channel, 0.0))]
        dates[channel] = ([date for date, _ in dated], after[::-1])
    for place, step, decision in units:
        event, agent = run.events[place], run.actors[place]
        # What is not known is left out until the row is written: there may be a million of them.
        live, tokens, before = states[rank[place]]
        row: JsonObject = {
            **decision,
            STEP: step,
            "event": event.id,
            "agent": agent,
            "role": run.roles.get(agent),
            "model": event.x_model or None,
            "depth": run.depths.get(agent),
            "live_agents": live,
            "steps": before,
            "steps_to_go": all_steps - before,
            "outcome": ("wasted", "useful")[run.useful[place]],
            "critical": place in critical,
        }
        if step >= 0:
            row["turn"] = found.turns[step]
        if run.states_tokens:
            row["tokens"], row["tokens_to_go"] = tokens, all_tokens - tokens
        if run.has_clock:
            row["seconds"], row["seconds_to_go"] = event.t - run.begin, run.finish - event.t
        if train:
            row["trained"] = not {agent, row["role"], row["model"]}.isdisjoint(train)
        for channel, (ranks, to_go) in dates.items():
            row[f"reward_{channel}"] = found.of_steps.get(channel, {}).get(step)
            row[f"to_go_{channel}"] = to_go[bisect_left(ranks, rank[place])]
        yield row


#: Rows that are Python values at once.
PACK = 5_000


class RowTable:
    """The rows of many traces.

    Parameters
    ----------
    chosen : CreditVariant, optional
        How credit is given; with an empty channel, the only one that there is.

    Attributes
    ----------
    rollouts : list of Rollout
        What credit needs of each run; without steps where no credit is given.
    """

    def __init__(self, chosen: CreditVariant | None = None) -> None:
        self.chosen = chosen
        self.rollouts: list[Rollout] = []
        #: How many rows there are of each run.
        self.counts: list[int] = []
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 # gone with the table

    def close(self) -> None:
        """Drop the rows."""
        self._file.close()

    def add(self, found: TraceRows) -> None:
        """Add the rows of a trace."""
        self._file.writelines(line + b"\n" for line in found.lines)
        self.counts.append(len(found.lines))
        # On disk now: the command may hold the rest of it until the next trace.
        found.lines.clear()
        one = found.rollout
        # What the scheme does not read is left out: there may be a hundred thousand runs.
        if self.chosen is None:
            one.agents, one.turns, one.advantages = [], [], []
            one.of_steps = {name: {} for name in one.of_steps}
        self.rollouts.append(one)

    def channel(self) -> str:
        """Return the channel that credit reads: the named one, or the only one."""
        return channel_of(self.rollouts, self.chosen.channel if self.chosen else "")

    def schema(self) -> dict[str, str]:
        """Return the columns, with their types in Arrow."""
        types = {name: kind for name, (kind, _) in COLUMNS.items()}
        for channel in chain.from_iterable(map(Rollout.channels, self.rollouts)):
            types |= {f"reward_{channel}": "double", f"to_go_{channel}": "double"}
        return types | ({"advantage": "double", "credit": "string"} if self.chosen else {})

    def rows(self) -> Iterator[JsonObject]:
        """Yield the rows with their advantages, but for what is unknown; each time from the first.

        Raises
        ------
        UsageProblem
            As :func:`channel_of` and :func:`credit` do.
        """
        if self.chosen is not None:
            self.chosen = self.chosen._replace(channel=self.channel())
            credit(self.rollouts, self.chosen)
        self._file.seek(0)
        decode = msgspec.json.Decoder().decode
        for run, count in zip(self.rollouts, self.counts, strict=True):
            for row in map(decode, islice(self._file, count)):
                step = row.pop(STEP)
                if self.chosen is not None:
                    row["advantage"] = run.advantages[step] if step >= 0 else None
                    row["credit"] = str(self.chosen)
                row["trace"], row["group"] = run.trace, run.group
                yield row

    def parquet(self) -> Iterator[bytes]:
        """Yield the rows as a Parquet file, in pieces."""
        if not any(self.counts):
            raise UsageProblem("no rows: nothing of this unit is in the traces")
        schema = pa.schema(self.schema())
        rows = self.rows()
        with tempfile.TemporaryFile() as file:
            with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
                while pack := list(islice(rows, PACK)):
                    writer.write_table(pa.Table.from_pylist(pack, schema))
            file.seek(0)
            while piece := file.read(1 << 20):
                yield piece

    def lines(self) -> Iterator[str]:
        """Yield the rows as JSON, one per line; unknown values are null."""
        unknown = dict.fromkeys(self.schema())
        for row in self.rows():
            yield f"{msgspec.json.encode(unknown | row).decode()}\n"
