"""What simple rules reach on labelled failures: ``python -m benchmarks blame DIR``.

DIR has logs in the form of Who&When, one per file; each folder in it is a framework. Nothing is
written.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from corpus.cli.traces.blame import score_grid
from corpus.model.finding import CorpusError, Finding
from corpus.printing.findings import findings_text
from corpus.printing.grid import grid_text
from corpus.traces.convert.format import Redaction
from corpus.traces.convert.intake import convert_all, read_inputs
from corpus.traces.document import Row
from corpus.traces.lookup import JsonObject
from corpus.traces.reading.decoding import valid_runs
from corpus.traces.reading.reading import TraceText
from corpus.traces.run import Run
from corpus.traces.training.blame import Label, blamed, prediction, read_labels, scored
from corpus.traces.training.groups import Rollout


def main(arguments: list[str]) -> None:
    """Print the accuracy of each rule by folder."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks blame", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--within", type=int, default=5, help="also count steps this far off")
    chosen = parser.parse_args(arguments)
    findings: list[Finding] = []
    try:
        sys.stdout.write(blame(chosen.folder, chosen.within, findings))
    except CorpusError as error:
        findings += error.findings
    if findings:
        sys.stderr.write(findings_text(findings))
        sys.exit(1)


def baselines(runs: list[Run]) -> Iterator[JsonObject]:
    """Yield the predictions of the rule of the package, and of others, for each run."""
    for run in runs:
        of_run = Rollout(run)
        places: list[int | None] = [*of_run.places] or [None]
        # By a hash: the same step in any order of the runs.
        drawn = int(sha256(f"0 {run.id}".encode()).hexdigest(), 16) % len(places)
        for rule, step in (("first", 0), ("last", -1), ("random", drawn)):
            yield prediction(of_run, rule, places[step])
        yield blamed(run)
        yield prediction(of_run, "open-call", next(iter(run.pairs.open_calls), None))
        yield prediction(of_run, "untrusted", untrusted(of_run))


def untrusted(of_run: Rollout) -> int | None:
    """Return the first step of an agent that has read untrusted content, if there is one."""
    run = of_run.run
    readers = set()
    for place in run.graph.order:
        event, actor = run.events[place], run.actors[place]
        if actor in readers and of_run.counted.weights[place]:
            return place
        if event.trusted is False:
            readers.add(of_run.callers.get(place) or of_run.reader(event) or actor)
    return None


def blame(folder: Path, within: int, findings: list[Finding]) -> str:
    """Return the table; each log is a trace named after its file: questions are asked twice."""
    labels: list[Label] = []
    runs: list[Run] = []
    for path in sorted(folder.rglob("*.json")):
        name = str(path.relative_to(folder))
        documents, _ = read_inputs([path], "who-and-when")
        labels += [one._replace(trace=name) for one in read_labels(path, findings)]
        for conversion in convert_all(documents, Redaction()):
            trace = {**conversion.trace, "trace_id": name, "system": path.parent.name}
            document = TraceText(str(path), 1, json.dumps(trace).encode(), True)
            runs += [run for _, run in valid_runs([document], findings)]
    rows = [Row(number, row) for number, row in enumerate(baselines(runs), 1)]
    tallies, unlabelled = scored(labels, str(folder), rows, within, findings)
    return grid_text(score_grid(tallies, unlabelled, within), 200)
