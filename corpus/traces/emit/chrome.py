"""Runs as trace events of Chrome, which Perfetto opens: a track per agent, arrows for edges."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from corpus.traces.contents import Contents
from corpus.traces.convert.format import LossList
from corpus.traces.draw.lanes import shown_agents
from corpus.traces.emit.target import RunTexts
from corpus.traces.lookup import JsonObject
from corpus.traces.run import Run

_SHORTEST = 1
"""Microseconds of an event without a duration: an arrow needs a slice to begin at."""


#: Start and end of a stretch of a track, in microseconds, and its event; -1 for a whole life.
Slice: TypeAlias = tuple[int, int, int]


def write(
    runs: Sequence[Run], _: Contents | None = None
) -> tuple[list[JsonObject], list[LossList]]:
    """Return one document with a process for each run, and what is lost of each."""
    writers = []
    flows = 0
    for process, run in enumerate(runs, 1):
        writers.append(_Process(run, process, flows))
        flows += len(run.trace.edges)
    events = _Streamed(writers)
    return [{"displayTimeUnit": "ms", "traceEvents": events}], [one.losses for one in writers]


class _Streamed(list[JsonObject]):
    """Entries that are made while they are written, since all of them need a lot of memory."""

    def __init__(self, writers: Sequence["_Process"]) -> None:
        self.writers = writers

    def __len__(self) -> int:
        # Each process has a name.
        return max(1, len(self.writers))

    def __iter__(self) -> Iterator[JsonObject]:
        for writer in self.writers:
            yield from writer.entries()


class _Process(RunTexts):
    """One run as one process; its agents are threads."""

    def __init__(self, run: Run, process: int, flows: int) -> None:
        super().__init__(run, None)
        self.drop_tables()
        self.process = process
        #: Ids of arrows are unique in the document.
        self.flows = flows
        self.threads = 0
        self.track_of: dict[int, int] = {}
        self.starts = list(map(_microseconds, run.times))
        for source, target in zip(*run.ends, strict=True):
            if self.starts[target] < self.starts[source]:
                self.drop(run.events[target], "an edge against the order of time has no arrow")

    def entries(self) -> Iterator[JsonObject]:
        """Yield the entries of the run."""
        run, starts, self.threads = self.run, self.starts, 0
        title = run.id
        if run.trace.system:
            title = f"{title}: {run.trace.system}"
        yield self._metadata("process_name", 0, {"name": title})
        names, owners = shown_agents(run)
        # Viewers show tracks in the order of their numbers, which is that of the agents here.
        of_agent = defaultdict(list)
        for event, owner in enumerate(owners):
            of_agent[owner].append(event)
        for name in names:
            yield from self._agent(name, of_agent[name])
        edges = zip(run.trace.edges, *run.ends, strict=True)
        for number, (edge, source, target) in enumerate(edges, self.flows + 1):
            if starts[target] < starts[source]:
                continue
            for phase, event in (("s", source), ("f", target)):
                arrow = {"ph": phase, "id": number, "name": edge.type, "cat": "edge"}
                arrow |= {"pid": self.process, "tid": self.track_of[event], "ts": starts[event]}
                if phase == "f":
                    # Binds to the slice around this moment, not to the next one.
                    arrow["bp"] = "e"
                yield arrow

    def _agent(self, name: str, events: list[int]) -> Iterator[JsonObject]:
        """Yield the tracks of an agent: a further one for each that runs beside another."""
        slices: list[Slice] = []
        for place in events:
            # A call lasts until its result.
            result = self.run.pairs.answers.get(place, place)
            end = _microseconds(max(self.run.until(place), self.run.until(result)))
            start = self.starts[place]
            slices.append((start, max(end, start + _SHORTEST), place))
        if name in self.run.lives:
            # Around all its events, or they would be beside it on a further track.
            first, last = map(_microseconds, self.run.lives[name])
            begun, over, _ = zip(*slices, (first, last, -1), strict=True)
            slices.append((min(begun), max(over), -1))
        for number, track in enumerate(tracks(slices), 1):
            self.threads += 1
            title = name
            if number > 1:
                title += f" ({number})"
            yield self._metadata("thread_name", self.threads, {"name": title})
            yield self._metadata("thread_sort_index", self.threads, {"sort_index": self.threads})
            for start, end, place in track:
                written = {"ph": "X", "pid": self.process, "tid": self.threads}
                written |= {"ts": start, "dur": end - start}
                written |= {"name": name, "cat": "agent", "args": {}}
                if place >= 0:
                    event = self.run.events[place]
                    self.track_of[place] = self.threads
                    written |= {"name": event.tool or event.type, "cat": event.type}
                    # Every key that it has, but for those that the slice shows.
                    given = {}
                    for key, stated_value in event.stated(*event.__struct_fields__).items():
                        if isinstance(stated_value, float) and stated_value.is_integer():
                            stated_value = int(stated_value)
                        if key not in ("t", "agent", "x_end"):
                            given[key.removesuffix("_")] = stated_value
                    written["args"] = given
                yield written

    def _metadata(self, name: str, thread: int, given: JsonObject) -> JsonObject:
        return {"ph": "M", "pid": self.process, "tid": thread, "name": name, "args": given}


def tracks(slices: list[Slice]) -> list[list[Slice]]:
    """Spread slices over tracks, so that those of one track follow or contain each other.

    Parameters
    ----------
    slices
        In any order.

    Returns
    -------
    list of list of Slice
        By start, the longer one first; the first track has the first slice.
    """
    found: list[list[Slice]] = []
    #: The ends of the slices of each track that have not ended, the innermost last.
    around: list[list[int]] = []
    # Of slices that begin together, the longest is around the others.
    for one in sorted(slices, key=lambda one: (one[0], -one[1], one[2])):
        start, end, _ = one
        for track, ends in zip(found, around, strict=True):
            while ends and ends[-1] <= start:
                ends.pop()
            if not ends or end <= ends[-1]:
                ends.append(end)
                track.append(one)
                break
        else:
            around.append([end])
            found.append([one])
    return found


def _microseconds(seconds: float) -> int:
    # Readers of JSON keep whole numbers up to 2**53.
    return min(round(min(seconds, 1e12) * 1e6), 2**53)
