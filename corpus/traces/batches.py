"""Do one thing to many documents, on several processors once there are enough of them to pay for it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context
from typing import Final, Generic, TypeAlias, TypeVar

from corpus.model.finding import Finding
from corpus.traces.reading.reading import TraceText

Item: TypeAlias = TraceText | Finding
"""A document, or in its place what the reader had to say."""
Result = TypeVar("Result")

ALONE: Final = 10_000
"""Documents that are worked on here before others help: starting a helper costs as much as some thousands of them."""
BATCH_BYTES: Final = 1 << 20
LARGE_BYTES: Final = 8 << 20
"""A larger document is worked on here, so that it is never copied to another process."""


def work_on(items: list[Item], work: Callable[[Item], Result]) -> list[Result]:
    """Work on some documents; what a helper process does."""
    return [work(item) for item in items]


class Batches(Generic[Result]):
    """Works on documents in the order in which they come, in memory that does not grow with their number.

    Parameters
    ----------
    jobs : int
        Processes that work; with 1, all is done here.
    work : callable
        What to do with each; a function of a module, or a partial of one. May be replaced between documents.
    """

    def __init__(self, jobs: int, work: Callable[[Item], Result]) -> None:
        self.jobs = jobs
        self.work = work

    def __call__(self, items: Iterator[Item]) -> Iterator[Result]:
        """Yield what comes out of each document."""
        for item in items if self.jobs < 2 else islice(items, ALONE):
            yield self.work(item)
        first = next(items, None)
        if first is not None:
            yield from self._together(first, items)

    def _together(self, first: Item, items: Iterator[Item]) -> Iterator[Result]:
        with ProcessPoolExecutor(self.jobs, mp_context=get_context("spawn")) as pool:
            waiting: deque[tuple[Future[list[Result]] | None, list[Item]]] = deque()
            for batch in _batches(first, items):
                while waiting and (len(waiting) > 2 * self.jobs or _size(batch[0]) > LARGE_BYTES):
                    yield from self._result(*waiting.popleft())
                if _size(batch[0]) > LARGE_BYTES:
                    yield from work_on(batch, self.work)
                else:
                    waiting.append((self._submitted(pool, batch), batch))
            while waiting:
                yield from self._result(*waiting.popleft())

    def _submitted(self, pool: ProcessPoolExecutor, batch: list[Item]) -> Future[list[Result]] | None:
        """Hand a batch to the helpers; None where they are gone."""
        try:
            return pool.submit(work_on, batch, self.work)
        except BrokenProcessPool:
            return None

    def _result(self, future: Future[list[Result]] | None, batch: list[Item]) -> list[Result]:
        """Return what a helper made of a batch; where it could not start or was killed, work here."""
        try:
            if future is not None:
                return future.result()
        except BrokenProcessPool:
            pass
        return work_on(batch, self.work)


def _size(item: Item) -> int:
    return len(item.raw) if isinstance(item, TraceText) else 0


def _batches(first: Item, rest: Iterable[Item]) -> Iterator[list[Item]]:
    """Put documents together until they weigh enough; a large one stands alone."""
    batch, weight = [first], _size(first)
    for item in rest:
        size = _size(item)
        if batch and (weight + size > BATCH_BYTES or len(batch) >= 1000):
            yield batch
            batch, weight = [], 0
        batch.append(item)
        weight += size
    yield batch
