"""What a cluster makes of the replies of workers; here they are this process, called when asked."""

from typing import Any, NamedTuple

import pytest
from distributed import KilledWorker

from corpus.model.finding import CorpusError
from corpus.traces.store import cluster
from corpus.traces.store.cluster import AHEAD, Cluster, run_on_worker, versions
from corpus.traces.trace_rules import DAMAGED_STORE


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
    return Cluster(client)(function, items)  # type: ignore[arg-type]


def refused(function):
    with pytest.raises(CorpusError) as raised:
        list(over(Here(), function, [1]))
    (finding,) = raised.value.findings
    return finding.code, finding.message, finding.hint


@pytest.mark.parametrize("threads", [0, 1, 2])
def test_results_come_in_order_and_only_some_are_waited_for(threads):
    client = Here(threads)
    results = over(client, lambda number: number * number, range(20))
    assert next(results) == 0
    assert client.submitted == list(range(AHEAD * max(1, threads)))
    assert list(results) == [number * number for number in range(1, 20)]


def test_findings_of_a_worker_are_raised_here():
    def damaged(_):
        raise CorpusError([DAMAGED_STORE.at("a.parquet", problem="cut short")])

    code, message, _ = refused(damaged)
    assert code == "OT301"
    assert "cut short" in message


def test_a_worker_of_another_version_is_refused(monkeypatch):
    mine = versions()
    other = ("0.0.1", mine[1])
    real = run_on_worker

    def elsewhere(function, item):
        return real(function, item)._replace(versions=other)

    monkeypatch.setattr(cluster, "run_on_worker", elsewhere)
    code, message, hint = refused(lambda number: number)
    assert code == "OT303"
    assert str(other) in message
    assert str(mine) in message
    assert str(mine) not in hint


def test_a_task_that_kills_its_workers_is_refused_with_what_helps():
    def deadly(_):
        raise KilledWorker("task", None, 3)

    code, message, hint = refused(deadly)
    assert code == "OT303"
    assert "died" in message
    assert "memory" in hint
