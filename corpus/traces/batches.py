"""Apply one function to many documents, on several processors once that pays."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from multiprocessing import get_context
from typing import Any, TypeAlias, TypeVar

from corpus.model.finding import Finding
from corpus.traces.reading.reading import TraceText

#: A document, or the finding of the reader where it could not be read.
Item: TypeAlias = TraceText | Finding
Thing = TypeVar("Thing")
#: What a helper works on; None where the helpers have died.
_Pending: TypeAlias = Future[list[Any]] | None

#: Documents that this process handles alone; starting another costs as much as thousands.
ALONE = 10_000
BATCH_BYTES = 1 << 20
BATCH_ITEMS = 1_000
#: A larger document stays in this process, so that it is never copied to another one.
LARGE_BYTES = 8 << 20


def apply(items: list[Item], function: Callable[[Item], Any]) -> list[Any]:
    """Apply a function to some documents; this is what a helper process runs."""
    return list(map(function, items))


@dataclass
class Batches:
    """Applies a function to documents in their order, in memory that does not grow with them.

    Parameters
    ----------
    jobs : int
        Number of processes; with 1, everything happens in this one.
    function : callable
        What to apply: a function of a module, or a partial of one. May be replaced between
        documents.
    """

    jobs: int
    function: Callable[[Item], Any]

    def __call__(self, items: Iterator[Item]) -> Iterator[Any]:
        """Yield the result of each document."""
        alone = items if self.jobs < 2 else islice(items, ALONE)
        for item in alone:
            yield self.function(item)
        first = next(items, None)
        if first is not None:
            yield from self._with_helpers(chain([first], items))

    def _with_helpers(self, items: Iterable[Item]) -> Iterator[Any]:
        waiting: deque[tuple[_Pending, list[Item]]] = deque()
        with ProcessPoolExecutor(self.jobs, mp_context=get_context("spawn")) as pool:
            for batch in grouped(items, _size, BATCH_BYTES, BATCH_ITEMS):
                is_large = _size(batch[0]) > LARGE_BYTES
                # Results keep the order of the documents: a large one waits for all before it.
                while waiting and (is_large or len(waiting) > 2 * self.jobs):
                    yield from self._results(*waiting.popleft())
                if is_large:
                    yield from apply(batch, self.function)
                else:
                    future: _Pending = None
                    with suppress(BrokenProcessPool):
                        future = pool.submit(apply, batch, self.function)
                    waiting.append((future, batch))
            while waiting:
                yield from self._results(*waiting.popleft())

    def _results(self, future: _Pending, batch: list[Item]) -> list[Any]:
        """Return the results of a batch; where its helper died, compute them here."""
        with suppress(BrokenProcessPool):
            if future is not None:
                return future.result()
        return apply(batch, self.function)


def _size(item: Item) -> int:
    if isinstance(item, TraceText):
        return len(item.raw)
    return 0


def grouped(
    things: Iterable[Thing], size_of: Callable[[Thing], int], most_bytes: int, most: int
) -> Iterator[list[Thing]]:
    """Group things until a group has enough bytes or members; a large one is a group of its own."""
    group: list[Thing] = []
    weight = 0
    for thing in things:
        size = size_of(thing)
        if group and (weight + size > most_bytes or len(group) >= most):
            yield group
            group = []
            weight = 0
        group.append(thing)
        weight += size
    if group:
        yield group
