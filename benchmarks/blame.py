"""What simple rules reach on labelled failures: ``python -m benchmarks blame DIR``.

DIR has logs in the form of Who&When, one per file; each folder in it is a framework. Predictions of
any program are counted beside the rules: ``--predictions FILE``, JSON lines with `trace` (the log's
path in DIR), `agent`, `step` from 0, and optionally `rule`. Nothing is written.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from corpus.analysis.agreement.coefficients import raw_agreement
from corpus.model.finding import CorpusError, Finding
from corpus.printing.findings import findings_text
from corpus.printing.grid import Grid, grid_text
from corpus.traces.convert.format import Redaction
from corpus.traces.convert.intake import convert_all, read_inputs
from corpus.traces.lookup import JsonObject, stated_count, text
from corpus.traces.reading.decoding import valid_runs
from corpus.traces.reading.reading import TraceText
from corpus.traces.run import Run
from corpus.traces.training.groups import Rollout

#: In place of a framework: the runs of all of them.
EVERY = "all"


def main(arguments: list[str]) -> None:
    """Print the accuracy of each rule by folder."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks blame", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--within", type=int, default=5, help="also count steps this far off")
    parser.add_argument("--predictions", type=Path, help="JSON lines of any program")
    chosen = parser.parse_args(arguments)
    others: list[JsonObject] = []
    if chosen.predictions:
        others = list(map(json.loads, chosen.predictions.read_text("utf-8").splitlines()))
    try:
        sys.stdout.write(blame(chosen.folder, chosen.within, others))
    except CorpusError as error:
        sys.stderr.write(findings_text(error.findings))
        sys.exit(1)


def blame(folder: Path, within: int, others: list[JsonObject]) -> str:
    """Return the table; each log is a trace named after its file: questions are asked twice."""
    tallies: dict[tuple[str, str], Counter[str]] = {}
    unread = 0
    for path in sorted(folder.rglob("*.json")):
        log = json.loads(path.read_text("utf-8"))
        agent, step = text(log, "mistake_agent"), stated_count(log, "mistake_step")
        run = run_of_log(path)
        names = {agent, Redaction().name(agent, "agent")}
        if step is None or names.isdisjoint((*run.agents, *run.actors)):
            unread += 1
            continue
        name = str(path.relative_to(folder))
        for one in (*rules(run, name), *(one for one in others if one.get("trace") == name)):
            found = stated_count(one, "step")
            right = {"runs": 1, "predicted": bool(one["agent"]), "agent": one["agent"] in names}
            if found is not None:
                right |= {"step": found == step, "near": abs(found - step) <= within}
            for framework in (path.parent.name, EVERY):
                key = framework, one.get("rule", "prediction")
                tallies.setdefault(key, Counter()).update(right)
    lines = []
    for name, rule in sorted(tallies, key=lambda of: (of[0] == EVERY, of[0])):
        tally = tallies[name, rule]
        found = (raw_agreement(tally[key], tally["runs"]) for key in ("agent", "step", "near"))
        shares = [f"{one.value:.1%} [{one.low:.1%}, {one.high:.1%}]" for one in found]
        lines.append((name, rule, f"{tally['runs']:,}", f"{tally['predicted']:,}", *shares))
    header = ("framework", "rule", "runs", "predicted", "agent", "step", f"within {within}")
    note = "Percentages of the labelled runs that are right, with 95 % intervals of Wilson."
    note += f" Left out: {unread} logs whose label names no agent of the log, or no step."
    return grid_text(Grid("Blame", header, tuple(lines), frozenset(range(2, 7)), note), 200)


def run_of_log(path: Path) -> Run:
    """Return the run of one log."""
    documents, _ = read_inputs([path], "who-and-when")
    findings: list[Finding] = []
    for conversion in convert_all(documents, Redaction()):
        document = TraceText(str(path), 1, json.dumps(conversion.trace).encode(), True)
        for _, run in valid_runs([document], findings):
            return run
    raise CorpusError(findings)


def rules(run: Run, seed: str) -> Iterator[JsonObject]:
    """Yield the prediction of each rule; of no agent where it has none."""
    of_run = Rollout(run)
    places: list[int | None] = [*of_run.places] or [None]
    # By a hash: the same step in any order of the runs.
    drawn = int(sha256(f"0 {seed}".encode()).hexdigest(), 16) % len(places)
    found = {"first": places[0], "last": places[-1], "random": places[drawn]}
    found["most-active"] = None
    # In a team in which nobody spawns, the first speaker is a member like the others.
    orchestrator = run.main if run.spawns else ""
    taken = Counter(agent for agent in of_run.agents if agent != orchestrator)
    if taken:
        # Of equals the first to act.
        ((most, _),) = taken.most_common(1)
        found["most-active"] = of_run.places[of_run.agents.index(most)]
    for rule, place in found.items():
        row: JsonObject = {"rule": rule, "agent": None, "step": None}
        if place is not None:
            # A result belongs to the call, even where it is recorded with the tool as its agent.
            row["agent"] = run.actors[run.pairs.calls.get(place, place)]
            # Without a clock, the times of a recording count its turns.
            row["step"] = int(run.times[place])
        yield row
