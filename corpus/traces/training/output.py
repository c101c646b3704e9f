"""Training rows of many traces as one table, with the advantages that need all of them.

The rows wait on disk until all traces were read: only then are the channels, the groups and so the
advantages known. In memory is what credit needs of each run.
"""

import tempfile
from collections.abc import Collection, Iterator
from itertools import chain
from typing import IO, Any, Final

import msgspec
import pyarrow as pa
from pyarrow import ipc

from corpus.model.finding import Finding, UsageProblem
from corpus.traces.measures.output import parquet_bytes
from corpus.traces.reading.decoding import OfRun
from corpus.traces.reading.runs import of_run
from corpus.traces.store.stats import PartQuestion
from corpus.traces.store.store import Store, stored
from corpus.traces.training.credit import Advantages, CreditVariant, credit
from corpus.traces.training.groups import Rollout, channel_of
from corpus.traces.training.rows import STEP, Cells, TraceRows, rows
from corpus.traces.training.tables import COLUMNS

#: Rows that are Python values at once.
PACK: Final = 10_000
_RUN: Final = "_run"


def part_rows(question: PartQuestion, unit: str, train: Collection[str]) -> list[OfRun[TraceRows]]:
    """Return the rows of one part of a store; what a worker of a cluster runs."""
    found = []
    for document in stored(Store(question.root), question.part):
        found.append(of_run(document, lambda text, run: rows(text, run, unit, train)))
    return found


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
        self._types: dict[str, str] = {name: kind for name, (kind, _) in COLUMNS.items()}
        self._types |= {STEP: "int64", _RUN: "int64"}
        self._waiting: Cells = {_RUN: []}
        self._file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 # gone with the table

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
        self._reduce(found.rollout)
        self.rollouts.append(found.rollout)
        self.count += size
        if known + size >= PACK:
            self._pack()

    def _reduce(self, one: Rollout) -> None:
        """Leave out what the scheme does not read; there may be a hundred thousand runs."""
        if self.chosen is None:
            one.agents, one.turns, one.branches = [], [], []
            one.of_steps = {name: {} for name in one.of_steps}
        if self.chosen is None or self.chosen.scheme != "gigpo":
            one.contexts, one.observations = [], []

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
        given: Advantages | None = None
        if self.chosen is not None:
            self.chosen = self.chosen._replace(channel=self.channel())
            given = credit(self.rollouts, self.chosen)
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
            if given is not None:
                advantages = pa.array(self._advantages(table, given), pa.float64())
                whole = whole.append_column("advantage", advantages)
                names = pa.array([str(self.chosen)] * len(table))
                whole = whole.append_column("credit", names)
            yield whole

    def _advantages(self, table: pa.Table, given: Advantages) -> Iterator[float | None]:
        """Yield the advantage of each row; of an agent or run only where all steps have one."""
        places = (table[name].to_pylist() for name in (_RUN, STEP, "agent"))
        for run, step, agent in zip(*places, strict=True):
            if self.unit in ("decision", "step"):
                yield given[run][step] if step >= 0 else None
                continue
            agents = self.rollouts[run].agents
            own = {
                advantage
                for advantage, name in zip(given[run], agents, strict=True)
                if self.unit == "run" or name == agent
            }
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
            row: dict[str, Any]
            for row in table.to_pylist():
                yield f"{msgspec.json.encode(row).decode()}\n"
