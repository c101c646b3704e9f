"""`corpus trace validate --profile`: what can be reported from traces, or trained with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

import click

from corpus.cli.options import echo, echo_plain, terminal_columns
from corpus.cli.traces.input import FileResults, contents_of, report_broken, valid_runs
from corpus.model.finding import Finding, UsageProblem
from corpus.printing.grid import Grid, grid_text, plural
from corpus.printing.json_document import json_text
from corpus.traces.measures.reporting import CHECKLIST, PROPERTIES, TraceReporting, reported
from corpus.traces.reading.structure import shown
from corpus.traces.training.fitness import NEEDS, TraceFitness, fitness


def write_reporting(files: tuple[str, ...], max_mb: int, jobs: int, format_: str) -> int:
    """Print the properties of traces; return how many are broken.

    One trace is shown in full, several by how many of them are enough for a property; JSON has
    every trace.
    """
    tally = _Tally()
    findings: list[Finding] = []
    results = FileResults(files, max_mb, jobs, findings.extend)
    for one in results(reported):
        tally.add(one, keep=format_ == "json")
    _report(findings)
    if format_ == "json":
        echo(json_text(tally.documents), "json")
    else:
        columns = terminal_columns() or 100
        echo_plain("\n".join(grid_text(_part(tally, *part), columns) for part in _PARTS))
    return results.broken


def write_fitness(
    files: tuple[str, ...],
    max_mb: int,
    contents_file: str,
    purpose: str | None,
    train: tuple[str, ...],
    format_: str,
) -> int:
    """Print what traces have and lack for training; return how many findings there are."""
    findings: list[Finding] = []
    results = fitness(valid_runs(files, max_mb, findings), contents_of(contents_file), train)
    if train and not any(one.turns for one in results):
        raise UsageProblem(f"no turn of an agent, role or model {' or '.join(train)}")
    for one in results:
        if purpose != "sft":
            findings += one.findings
        if purpose is not None:
            findings += one.unfit(purpose)
    _report(findings)
    if format_ == "json":
        documents: list[dict[str, object]] = []
        for one in results:
            documents.append(
                {
                    "trace": one.trace,
                    "turns": one.turns,
                    "found": one.found,
                    "fit_for": one.fit_for(),
                    "lacks": one.lacks(purpose),
                }
            )
        echo(json_text(documents), "json")
    else:
        columns = terminal_columns() or 100
        grids = (_needs(results, purpose), _fit(results, purpose))
        echo_plain("\n".join(grid_text(grid, columns) for grid in grids))
    return len(findings)


def _needs(results: list[TraceFitness], purpose: str | None) -> Grid:
    turns = sum(one.turns for one in results)
    rows: list[tuple[str, ...]] = []
    for need, (_, purposes, fix) in NEEDS.items():
        if purpose is None or purpose in purposes:
            found = sum(one.found[need] for one in results)
            rows.append((need, f"{found:,}", ", ".join(purposes), fix if found < turns else ""))
    header = ("need", "turns", "for", "what to do")
    title = f"Fit for training: {plural(turns, 'trained turn')}"
    return Grid(title, header, tuple(rows), frozenset({1}), wraps=frozenset({2, 3}))


def _fit(results: list[TraceFitness], purpose: str | None) -> Grid:
    rows: list[tuple[str, ...]] = []
    for one in results:
        fit = ", ".join(one.fit_for()) or "nothing"
        rows.append((one.trace, f"{one.turns:,}", fit, ", ".join(one.lacks(purpose))))
    header = ("trace", "turns", "fit for", "lacks")
    title = plural(len(results), "trace")
    return Grid(title, header, tuple(rows), frozenset({1}), wraps=frozenset({2, 3}))


def _report(findings: list[Finding]) -> None:
    report_broken(findings[:_SHOWN])
    if len(findings) > _SHOWN:
        click.echo(f"and {len(findings) - _SHOWN:,} more findings", err=True)


#: Findings that are written out; the rest are counted.
_SHOWN = 10


class _Tally:
    """Counts the properties of traces as they come; there may be millions."""

    def __init__(self) -> None:
        self.traces = 0
        self.first: TraceReporting | None = None
        self.computable: Counter[str] = Counter()
        self.lacking: dict[str, Counter[str]] = {name: Counter() for name in CHECKLIST | PROPERTIES}
        self.documents: list[dict[str, object]] = []

    def add(self, result: TraceReporting, keep: bool) -> None:
        """Count one trace; `keep` its properties for JSON."""
        self.traces += 1
        if self.first is None:
            self.first = result
        for item in result.properties:
            self.computable[item.name] += item.computable
            self.lacking[item.name].update(item.lacks)
        if keep:
            properties = [item._asdict() for item in result.properties]
            self.documents.append({"trace": result.trace, "properties": properties})


#: Title of a table, its first heads, and what its rows are.
_PARTS = (
    ("Reporting checklist", ("item", "recorded"), CHECKLIST),
    ("Properties of a benchmark", ("property", "can be computed"), PROPERTIES),
)


def _part(tally: _Tally, title: str, heads: tuple[str, str], part: Collection[str]) -> Grid:
    """Return one table: of one trace what it has and lacks, of several how many have it."""
    rows: list[tuple[str, ...]] = []
    if tally.traces == 1 and tally.first is not None:
        for item in tally.first.properties:
            if item.name in part:
                known = ", ".join(item.measures) or "nothing"
                rows.append((item.label, known, "; ".join(item.lacks)))
        title = f"{title}: {shown(tally.first.trace)}"
        return Grid(title, (*heads, "lacks"), tuple(rows), wraps=frozenset({1, 2}))
    for name in part:
        lacks: list[str] = []
        for text, number in tally.lacking[name].most_common(3):
            lacks.append(f"{text} ({number:,})")
        label = (CHECKLIST | PROPERTIES)[name][0]
        rows.append((label, f"{tally.computable[name]:,}", "; ".join(lacks)))
    title = f"{title}: {plural(tally.traces, 'trace')}"
    header = (heads[0], "traces", "most often missing")
    return Grid(title, header, tuple(rows), frozenset({1}), wraps=frozenset({2}))
