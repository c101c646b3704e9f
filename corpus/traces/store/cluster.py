"""Apply the functions of a store on a Dask cluster: one that runs already, or one of some processes here."""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final, NamedTuple

import pyarrow as pa
from distributed import Client, KilledWorker, LocalCluster

from corpus.model.finding import CorpusError, Finding, UsageProblem
from corpus.traces.store.stats import Item, Result
from corpus.traces.store.store_rules import WORKERS

PATIENCE: Final = 30
"""Seconds to wait for the scheduler."""
FIRST_WORKER: Final = 30
"""Seconds to wait for the first worker."""
AHEAD: Final = 4
"""Items that are on their way for each thread of the cluster, so that none waits and results do not pile up."""


class WorkerReply(NamedTuple):
    """What a worker sends back: what it runs, and the result or what forbids one."""

    versions: tuple[str, str]
    result: Any
    findings: list[Finding]


def versions() -> tuple[str, str]:
    """Return the versions that a result may depend on: of this program, and of Arrow."""
    program = import_module(__name__.partition(".")[0])  # by name, as the wing does not use what lies above it
    return program.__version__, pa.__version__


def asked(function: Callable[[Item], Result], item: Item) -> WorkerReply:
    """Apply a function on a worker."""
    try:
        return WorkerReply(versions(), function(item), [])
    except CorpusError as error:
        return WorkerReply(versions(), None, error.findings)


class Cluster:
    """Maps functions over items on the workers of a cluster; a worker that dies only costs time.

    Parameters
    ----------
    client : distributed.Client
        The connection to the scheduler.
    """

    def __init__(self, client: Client) -> None:
        self.client = client

    def __call__(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield the results in the order of the items.

        Raises
        ------
        CorpusError
            What the function raised; OT303 where workers run another version or die of one item again and again.
        """
        waiting: deque[Any] = deque()
        for item in items:
            waiting.append(self.client.submit(asked, function, item, pure=False))
            if len(waiting) >= AHEAD * max(1, sum(self.client.nthreads().values())):
                yield self._answer(waiting.popleft())
        while waiting:
            yield self._answer(waiting.popleft())

    def _answer(self, future: Any) -> Any:
        try:
            answer: WorkerReply = future.result()
        except KilledWorker:
            problem = "several workers died of one piece of work"
            remedy = "give the workers more memory, or split the largest input file"
            raise CorpusError([WORKERS.at("scheduler", problem=problem, remedy=remedy)]) from None
        if answer.versions != versions():
            problem = f"a worker runs versions {answer.versions}, here are {versions()} (corpus, pyarrow)"
            raise CorpusError([WORKERS.at("scheduler", problem=problem, remedy="install the same on all machines")])
        if answer.findings:
            raise CorpusError(answer.findings)
        return answer.result


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """Connect to a scheduler that runs.

    Raises
    ------
    UsageProblem
        Where no scheduler answers, or it has no worker.
    """
    try:
        if not address:
            raise ValueError("the address is empty")
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError, AssertionError) as error:  # Dask asserts where a host has no address
        problem = str(error) or "the host cannot be found"
        raise UsageProblem(f"no Dask scheduler answers at {address!r}: {problem!a:.200}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=FIRST_WORKER)
        except TimeoutError:
            raise UsageProblem(f"the scheduler at {address} has no worker; start one: dask worker {address}") from None
        yield Cluster(client)


@contextmanager
def local(workers: int) -> Iterator[Cluster]:
    """Start a scheduler and workers in processes of this machine, and end them again."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a busy port of the dashboard that nobody opens
        cluster = LocalCluster(
            n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=50
        )
    with cluster, Client(cluster, set_as_default=False) as client:
        yield Cluster(client)
