"""Apply one function to many documents, on several processors once that pays."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import chain, islice
from multiprocessing import get_context
from typing import Any, TypeAlias, TypeVar

from corpus.model.finding import Finding
from corpus.traces.reading.reading import TraceText

#: A document, or the finding of the reader where it could not be read.
Item: TypeAlias = TraceText | Finding
#: A function of a module, or a partial of one, so that a helper process can be given it.
Function: TypeAlias = Callable[[Item], Any]
Thing = TypeVar("Thing")
#: What a helper works on; None where the helpers have died.
_Pending: TypeAlias = Future[list[Any]] | None

#: Documents that this process handles alone; starting another costs as much as thousands.
ALONE = 10_000
BATCH_BYTES = 1 << 20
BATCH_ITEMS = 1_000
#: A larger document stays in this process, so that it is never copied to another one.
LARGE_BYTES = 8 << 20


def apply(items: list[Item], function: Function) -> list[Any]:
    """Apply a function to some documents; this is what a helper process runs."""
    return list(map(function, items))


def applied(items: Iterator[Item], function: Function, jobs: int) -> Iterator[Any]:
    """Yield the result of a function for each document, in order, in so many processes.

    The memory does not grow with the documents; with one job, everything happens in this process.
    """
    yield from map(function, items if jobs < 2 else islice(items, ALONE))
    first = next(items, None)
    if first is None:
        return
    waiting: deque[tuple[_Pending, list[Item]]] = deque()

    def results() -> list[Any]:
        """Return those of the batch that waits longest; where its helper died, compute them."""
        future, batch = waiting.popleft()
        with suppress(BrokenProcessPool):
            if future is not None:
                return future.result()
        return apply(batch, function)

    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for batch in grouped(chain([first], items), _size, BATCH_BYTES, BATCH_ITEMS):
            is_large = _size(batch[0]) > LARGE_BYTES
            # Results keep the order of the documents: a large one waits for all before it.
            while waiting and (is_large or len(waiting) > 2 * jobs):
                yield from results()
            if is_large:
                yield from apply(batch, function)
            else:
                future: _Pending = None
                with suppress(BrokenProcessPool):
                    future = pool.submit(apply, batch, function)
                waiting.append((future, batch))
        while waiting:
            yield from results()


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
