"""Apply the functions of a store on a Dask cluster: a running one, or processes of this machine."""

import logging
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any, TypeAlias

import pyarrow as pa
from distributed import Client, KilledWorker, LocalCluster

from corpus.model.finding import CorpusError, Finding, Rule, UsageProblem

WORKERS = Rule(
    "OT303",
    "{problem}",
    "{remedy}",
    title="Workers do not fit or fail",
    reason="Results are the same on any number of machines only if all run the same "
    "program and see the same files.",
)


#: Seconds to wait for the scheduler.
PATIENCE = 30
#: Seconds to wait for the first worker.
FIRST_WORKER = 30
#: Items submitted ahead for each thread, so that none waits and results do not pile up.
AHEAD = 4


def versions() -> tuple[str, str]:
    """Return the versions that a result may depend on: of this program, and of Arrow."""
    # By name, since this package must not import the top of the program.
    return import_module(__name__.partition(".")[0]).__version__, pa.__version__


def run_on_worker(
    function: Callable[[Any], Any], item: Any
) -> tuple[tuple[str, str], Any, list[Finding]]:
    """Apply a function on a worker: return its versions, the result, the findings without one."""
    try:
        return versions(), function(item), []
    except CorpusError as error:
        return versions(), None, error.findings


def on_workers(
    client: Client, function: Callable[[Any], Any], items: Iterable[Any]
) -> Iterator[Any]:
    """Yield the results of a function in the order of the items; a dead worker only costs time.

    Parameters
    ----------
    client
        The connection to the scheduler.
    function, items
        What is applied to what.

    Raises
    ------
    CorpusError
        What the function raised; OT303 where workers run another version or die of one item again
        and again.
    """
    waiting: deque[Any] = deque()
    for item in items:
        # Not pure: a store may have changed since the same question was last asked.
        waiting.append(client.submit(run_on_worker, function, item, pure=False))
        if len(waiting) >= AHEAD * max(1, sum(client.nthreads().values())):
            yield _result(waiting.popleft())
    while waiting:
        yield _result(waiting.popleft())


def _result(future: Any) -> Any:
    try:
        theirs, result, findings = future.result()
    except KilledWorker:
        raise WORKERS.error(
            "scheduler",
            problem="several workers died of one task",
            remedy="give the workers more memory, or split the largest input file",
        ) from None
    if theirs != versions():
        problem = f"a worker runs versions {theirs}, this process {versions()} (corpus, pyarrow)"
        remedy = "install the same versions on all machines"
        raise WORKERS.error("scheduler", problem=problem, remedy=remedy)
    if findings:
        raise CorpusError(findings)
    return result


#: :func:`on_workers` of one client.
Cluster: TypeAlias = partial[Iterator[Any]]


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """Connect to a running scheduler.

    Raises
    ------
    UsageProblem
        Where no scheduler answers, or it has no worker.
    """
    try:
        if not address:
            raise ValueError("the address is empty")
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    # Dask has an assertion fail where a host has no address.
    except (OSError, ValueError, TypeError, AssertionError) as error:
        problem = str(error) or "the host cannot be found"
        raise UsageProblem(f"no Dask scheduler answers at {address!r}: {problem!a:.200}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=FIRST_WORKER)
        except TimeoutError:
            raise UsageProblem(
                f"the scheduler at {address} has no worker; start one: dask worker {address}"
            ) from None
        yield partial(on_workers, client)


@contextmanager
def local(workers: int) -> Iterator[Cluster]:
    """Start a scheduler and workers in processes of this machine, and stop them at the end."""
    with warnings.catch_warnings():
        # Dask warns of a busy port for its dashboard, which nobody opens here.
        warnings.simplefilter("ignore")
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        )
    with cluster, Client(cluster, set_as_default=False) as client:
        yield partial(on_workers, client)
