"""A real Dask scheduler with real workers, each a process of its own, one of which is killed half way."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import corpus
from corpus.model.finding import UsageProblem
from corpus.traces.store import cluster as store_cluster
from corpus.traces.store import ingest as store_ingest
from corpus.traces.store.cluster import connected
from corpus.traces.store.ingest import ingest, input_files, plan, work
from corpus.traces.store.stats import summary
from corpus.traces.store.store import Store
from tests.support.imported import refused
from tests.support.stores import bring, write_lines

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]


class Machines:
    """A scheduler and workers as subprocesses on the loopback."""

    def __init__(self, folder):
        self.file = folder / "scheduler.json"
        self.folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        options = f"--host 127.0.0.1 --port 0 --no-dashboard --scheduler-file {self.file}"
        self.scheduler = self._start("scheduler", *options.split())
        while not (address := self._address()):
            assert self.scheduler.poll() is None, (self.folder / "scheduler.log").read_text()
            time.sleep(0.1)
        self.address = address

    def _address(self):
        """Where the scheduler listens; an empty text as long as its file is not there or not whole."""
        try:
            return str(json.loads(self.file.read_text())["address"])
        except (FileNotFoundError, json.JSONDecodeError):
            return ""

    def work(self, number):
        """Have so many workers, without a nanny that would start a killed one again."""
        options = f"--no-nanny --nthreads 1 --no-dashboard --local-directory {self.folder}"
        while sum(worker.poll() is None for worker in self.workers) < number:
            self.workers.append(self._start("worker", self.address, *options.split()))

    def _start(self, what, *options):
        log = (self.folder / f"{what}.log").open("ab")
        command = [sys.executable, "-m", "dask", what, *options]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        with log:
            return subprocess.Popen(
                command, cwd=self.folder, env=environment, stdout=log, stderr=log
            )

    def stop(self):
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    """One scheduler for all tests: to start one takes seconds. The tests come in their order."""
    started = Machines(tmp_path_factory.mktemp("machines"))
    try:
        yield started
    finally:
        started.stop()


@pytest.fixture
def machines(scheduler, monkeypatch):
    monkeypatch.setattr(store_cluster, "PATIENCE", 600)  # a slow machine is no failure
    monkeypatch.setattr(store_cluster, "FIRST_WORKER", 600)
    return scheduler


def content(root):
    """Every file of a store but its lock."""
    files = (path for path in sorted(root.rglob("*")) if path.is_file() and path.name != ".lock")
    return {str(path.relative_to(root)): path.read_bytes() for path in files}


def test_a_scheduler_without_workers_is_wrong_usage(machines, monkeypatch):
    monkeypatch.setattr(store_cluster, "FIRST_WORKER", 0.1)
    with pytest.raises(UsageProblem, match="no worker"), connected(machines.address):
        pass


def test_the_same_bytes_and_digits_although_a_worker_is_killed(tmp_path, machines, monkeypatch):
    monkeypatch.setattr(store_ingest, "TASK_BYTES", 1)
    for number in range(8):
        write_lines(tmp_path / f"in-{number:02}.jsonl", range(number * 15, number * 15 + 20))
    inputs = sorted(tmp_path.glob("in-*.jsonl"))
    here = bring(tmp_path / "here", *inputs)
    machines.work(2)
    store = Store.make(tmp_path / "there")
    with connected(machines.address) as cluster:
        cluster.args[0].wait_for_workers(2)

        def dying(function, items):
            """Results of the cluster; one worker is killed, with what it holds, after the first."""
            for count, found in enumerate(cluster(function, items)):
                if count == 0:
                    machines.workers[0].send_signal(signal.SIGKILL)
                yield found

        files = input_files(map(str, inputs), store.root)
        there = ingest(store, files, 1 << 20, print, mapped=dying)
        store.sweep()
        assert len(cluster.args[0].nthreads()) == 1
    assert there == here
    assert content(tmp_path / "there") == content(tmp_path / "here")


def test_the_commands_take_a_scheduler(tmp_path, machines, run):
    write_lines(tmp_path / "a.jsonl", range(9))
    with (tmp_path / "a.jsonl").open("a") as file:
        file.write("{}\n")
    machines.work(1)
    asked = ("-o", "there", "--scheduler", machines.address)
    there = run("trace", "ingest", "a.jsonl", *asked, cwd=tmp_path)
    here = run("trace", "ingest", "a.jsonl", "-o", "here", cwd=tmp_path)
    assert (there.exit_code, there.stderr.replace("there", "here")) == (1, here.stderr)
    assert content(tmp_path / "there") == content(tmp_path / "here")


def test_a_failure_of_a_worker_is_reported(tmp_path, machines, monkeypatch):
    machines.work(1)
    store = Store.make(tmp_path / "st")
    files = [write_lines(tmp_path / "a.jsonl", range(2))]
    tasks = list(plan(store, files, 1 << 20, Counter()))
    with connected(machines.address) as cluster:
        (store.root / "store.json").unlink()
        assert refused(list, cluster(work, tasks)) == ["OT302"]
        monkeypatch.setattr(corpus, "__version__", "0.0.1")
        assert refused(list, cluster(work, tasks)) == ["OT303"]


ADDRESSES = [
    "",
    "127.0.0.1",
    "tcp://127.0.0.1:9",
    "tls://127.0.0.1:1",
    "ftp://x",
    "/etc/passwd",
    "\x1b[1m",
]
ASK = """
import os, sys
from corpus.model.finding import UsageProblem
from corpus.traces.store import cluster as store_cluster
store_cluster.PATIENCE = 1
for address in sys.argv[1:]:
    # In a process of its own: a client that never connected may block the next one, or its end.
    if child := os.fork():
        os.waitpid(child, 0)
        continue
    try:
        with store_cluster.connected(address):
            print("connected")
    except UsageProblem as problem:
        print(ascii(str(problem)) if not str(problem).isprintable() else problem)
    sys.stdout.flush()
    os._exit(0)
"""


def test_an_address_that_leads_to_no_scheduler_is_wrong_usage():
    asked = subprocess.run(
        [sys.executable, "-c", ASK, *ADDRESSES], capture_output=True, text=True, timeout=300
    )
    found = [line.startswith("no Dask scheduler answers at") for line in asked.stdout.splitlines()]
    assert found == [True] * len(ADDRESSES), asked


def test_a_cluster_of_this_machine(tmp_path, run):
    write_lines(tmp_path / "a.jsonl", range(9))
    there = run("trace", "ingest", "a.jsonl", "-o", "there", "--local-cluster", "1", cwd=tmp_path)
    assert there.exit_code == 0
    bring(tmp_path / "here", tmp_path / "a.jsonl")
    assert summary(Store(tmp_path / "there")) == summary(Store(tmp_path / "here"))
