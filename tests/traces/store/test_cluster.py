"""A real Dask scheduler with real workers, each a process of its own, one of which is killed half way."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import corpus
from corpus.model.finding import CorpusError, UsageProblem
from corpus.traces.store import cluster as store_cluster
from corpus.traces.store import ingest as store_ingest
from corpus.traces.store.cluster import connected
from corpus.traces.store.ingest import gather, input_files, plan, work
from corpus.traces.store.stats import summary
from corpus.traces.store.store import Store
from tests.support.stores import bring, write_lines

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]


class Machines:
    """A scheduler and workers as subprocesses on the loopback."""

    def __init__(self, folder):
        self.file = folder / "scheduler.json"
        self.folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        options = [
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--scheduler-file",
            str(self.file),
        ]
        self.scheduler = self._start("scheduler", *options)
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
        """Start workers, without a nanny that would start a killed one again."""
        for _ in range(number):
            options = [
                "--no-nanny",
                "--nthreads",
                "1",
                "--no-dashboard",
                "--local-directory",
                str(self.folder),
            ]
            self.workers.append(self._start("worker", self.address, *options))

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


@pytest.fixture
def machines(tmp_path, monkeypatch):
    monkeypatch.setattr(store_cluster, "PATIENCE", 600)  # a slow machine is no failure
    monkeypatch.setattr(store_cluster, "FIRST_WORKER", 600)
    (tmp_path / "machines").mkdir()
    started = Machines(tmp_path / "machines")
    try:
        yield started
    finally:
        started.stop()


def content(root):
    """Every file of a store but its lock."""
    files = (path for path in sorted(root.rglob("*")) if path.is_file() and path.name != ".lock")
    return {str(path.relative_to(root)): path.read_bytes() for path in files}


def test_the_same_bytes_and_digits_although_a_worker_is_killed(tmp_path, machines, monkeypatch):
    monkeypatch.setattr(store_ingest, "TASK_BYTES", 1)
    for number in range(12):
        write_lines(tmp_path / f"in-{number:02}.jsonl", range(number * 35, number * 35 + 40))
    inputs = sorted(tmp_path.glob("in-*.jsonl"))
    here = bring(tmp_path / "here", *inputs)
    machines.work(2)
    store = Store.make(tmp_path / "there")
    tasks = list(plan(store, input_files(map(str, inputs), store.root)))
    assert len(tasks) == 12
    with connected(machines.address) as cluster:
        cluster.client.wait_for_workers(2)

        def pieces():
            """The pieces of all tasks; one worker is killed, with what it holds, after the first task."""
            for count, found in enumerate(cluster(work, tasks)):
                if count == 0:
                    machines.workers[0].send_signal(signal.SIGKILL)
                yield from found

        there = gather(store, pieces(), print)
        store.sweep()
        assert len(cluster.client.nthreads()) == 1
        assert there == here
        assert content(tmp_path / "there") == content(tmp_path / "here")

        machines.work(1)
        cluster.client.wait_for_workers(2)

        def mapped(function, items):
            for count, found in enumerate(cluster(function, items)):
                if count == 0 and machines.workers[1].poll() is None:
                    machines.workers[1].send_signal(signal.SIGKILL)
                yield found

        far, near = summary(store, mapped, verify=True), summary(Store(tmp_path / "here"))
    assert far.spreads() == near.spreads()
    assert (far.traces, far.events, far.edges, far.tokens) == (
        near.traces,
        near.events,
        near.edges,
        near.tokens,
    )


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
    far = run(
        "trace", "stats", "there", "--format", "json", "--scheduler", machines.address, cwd=tmp_path
    )
    near = run("trace", "stats", "here", "--format", "json", cwd=tmp_path)
    assert (far.exit_code, far.stdout) == (0, near.stdout)


def test_a_failure_of_a_worker_is_reported(tmp_path, machines, monkeypatch):
    monkeypatch.setattr(store_cluster, "FIRST_WORKER", 1)
    with pytest.raises(UsageProblem, match="no worker"), connected(machines.address):
        pass
    monkeypatch.setattr(store_cluster, "PATIENCE", 600)
    monkeypatch.setattr(store_cluster, "FIRST_WORKER", 600)
    machines.work(1)
    store = Store.make(tmp_path / "st")
    tasks = list(plan(store, [write_lines(tmp_path / "a.jsonl", range(2))]))
    with connected(machines.address) as cluster:
        (store.root / "store.json").unlink()
        with pytest.raises(CorpusError) as raised:
            list(cluster(work, tasks))
        assert [f.code for f in raised.value.findings] == ["OT302"]
        monkeypatch.setattr(corpus, "__version__", "0.0.1")
        with pytest.raises(CorpusError) as raised:
            list(cluster(work, tasks))
        assert [f.code for f in raised.value.findings] == ["OT303"]


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
try:
    with store_cluster.connected(sys.argv[1]):
        print("connected")
except UsageProblem as problem:
    print(ascii(str(problem)) if not str(problem).isprintable() else problem)
sys.stdout.flush()
os._exit(0)
"""


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_that_leads_to_no_scheduler_is_wrong_usage(address):
    # In a process of its own: a client that never connected may block the next one, or the end of its process.
    asked = subprocess.run(
        [sys.executable, "-c", ASK, address], capture_output=True, text=True, timeout=300
    )
    assert asked.stdout.startswith("no Dask scheduler answers at"), asked


def test_a_cluster_of_this_machine(tmp_path, run):
    write_lines(tmp_path / "a.jsonl", range(9))
    there = run("trace", "ingest", "a.jsonl", "-o", "there", "--local-cluster", "1", cwd=tmp_path)
    assert there.exit_code == 0
    bring(tmp_path / "here", tmp_path / "a.jsonl")
    assert (
        summary(Store(tmp_path / "there")).spreads() == summary(Store(tmp_path / "here")).spreads()
    )
