"""What a cluster makes of the replies of workers; here they are this process, called when asked."""

from typing import Any, NamedTuple

import pytest
from distributed import KilledWorker

from corpus.traces.store.cluster import AHEAD, on_workers
from tests.support.imported import findings_of


class Pending(NamedTuple):
    """A result that is made when it is asked for."""

    function: Any
    arguments: tuple[Any, ...]

    def result(self):
        return self.function(*self.arguments)


class Here:
    """Takes the place of a client; notes what was submitted."""

    def __init__(self, threads=1):
        self.threads = threads
        self.submitted: list[Any] = []

    def nthreads(self):
        return {"here": self.threads}

    def submit(self, function, *arguments, pure):
        assert not pure
        self.submitted.append(arguments[-1])
        return Pending(function, arguments)


def over(client, function, items):
    return on_workers(client, function, items)


@pytest.mark.parametrize("threads", [0, 1, 2])
def test_results_come_in_order_and_only_some_are_waited_for(threads):
    client = Here(threads)
    results = over(client, lambda number: number * number, range(20))
    assert next(results) == 0
    assert client.submitted == list(range(AHEAD * max(1, threads)))
    assert list(results) == [number * number for number in range(1, 20)]


def test_a_task_that_kills_its_workers_is_refused_with_what_helps():
    def deadly(_):
        raise KilledWorker("task", None, 3)

    (finding,) = findings_of(list, over(Here(), deadly, [1]))
    assert (finding.code, "memory" in finding.hint) == ("OT303", True)
