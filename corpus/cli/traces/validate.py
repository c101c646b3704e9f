"""`corpus trace validate`, and with `--profile` what traces can be reported or trained with."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import partial
from itertools import chain
from typing import Any, Final

import click

from corpus.cli.check.catalogue import explain as explained
from corpus.cli.options import echo, echo_grids, flag, format_option, names_in, option
from corpus.cli.traces.input import (
    SHOWN,
    FileResults,
    contents_of,
    files_argument,
    jobs_option,
    reading,
    report_broken,
    size_option,
    valid_runs,
)
from corpus.model.finding import Finding, UsageProblem
from corpus.printing.escape import json_without_commands
from corpus.printing.findings import ANNOTATIONS, findings_github, findings_text
from corpus.printing.grid import Grid, plural
from corpus.printing.json_document import json_list, json_text
from corpus.traces.batches import Batches
from corpus.traces.checks.validate import Policy, check
from corpus.traces.contents import HASH_DIGITS, Contents
from corpus.traces.measures.reporting import CHECKLIST, PROPERTIES, reported
from corpus.traces.reading.reading import TraceText
from corpus.traces.reading.structure import NOT_A_TRACE, shown
from corpus.traces.trace_rules import BY_CODE
from corpus.traces.training.fitness import PURPOSES, TraceFitness, fitness
from corpus.traces.training.tables import NEEDS

_REFERENCE: Final = re.compile(rb"sha256:[0-9a-f]{%d}" % HASH_DIGITS)


@click.command()
@files_argument
@flag("--strict", "Treat warnings as errors.")
@option("--ignore CODE[,CODE...]", "Leave these rules out; repeatable.", multiple=True)
@option("--explain CODE", "Explain a rule, and do nothing else.")
@option(
    "--most",
    "List at most this many warnings of one rule; the rest are counted.",
    type=click.IntRange(0),
    default=1000,
)
@option(
    "--profile",
    "List what a benchmark could report from the traces, or what can be trained with them, "
    "and what they lack for it.",
    type=click.Choice(["reporting", "training"]),
)
@option(
    "--for",
    "With --profile training: fail if a trace lacks what this kind of training needs.",
    "purpose",
    type=click.Choice(PURPOSES),
)
@option(
    "--train NAME",
    "With --profile training: agent, role or model that is trained; all without it.",
    multiple=True,
)
@option(
    "--contents FILE",
    "Check the texts of this file against their hashes, and that some event refers to each.",
    "contents_file",
)
@jobs_option
@format_option("text", "json", "github")
@size_option
def validate(
    files: tuple[str, ...],
    strict: bool,
    ignore: tuple[str, ...],
    explain: str | None,
    most: int,
    profile: str | None,
    purpose: str | None,
    train: tuple[str, ...],
    contents_file: str | None,
    jobs: int,
    format_: str,
    max_mb: int,
) -> None:
    """Validate traces against the schema and the rules of a plausible run.

    Exit code 1 when there is an error; warnings alone do not fail, unless --strict. With --profile
    reporting, valid traces are shown by what can be computed from them: task success, cost,
    latency, parallelism, collaboration, error propagation, safety, process. With --profile
    training they are shown by what their turns have for kinds of training; contents and tokens
    count where --contents gives them.
    """
    if explain:
        echo(explained(explain))
        return
    if profile != "training" and (purpose or train):
        raise UsageProblem("--for and --train go with --profile training")
    if profile is not None:
        if format_ == "github" or strict or ignore:
            raise UsageProblem("--profile goes with --format text or json alone")
        if profile == "training":
            broken = write_fitness(files, max_mb, contents_file or "", purpose, train, format_)
        elif contents_file:
            raise UsageProblem("--profile reporting goes without --contents")
        else:
            broken = write_reporting(files, max_mb, jobs, format_)
        if broken:
            raise SystemExit(1)
        return
    tally = Tally(_codes(ignore), strict, most, jobs)
    references: set[str] = set()
    with reading(files, max_mb) as documents:
        if contents_file is not None:
            documents = _noting(documents, references)
        found = tally.findings(documents)
        if contents_file is not None:
            found = chain(found, tally.of_contents(contents_file, references))
        if format_ == "github":
            _write_github(found)
        elif format_ == "json":
            _write_json(tally, found)
        else:
            for findings in found:
                echo(findings_text(findings))
    click.echo(tally.summary(), err=True)
    if tally.errors:
        raise SystemExit(1)


class Tally:
    """Counts what validation finds, as the findings stream by."""

    def __init__(self, ignored: frozenset[str], strict: bool, most: int, jobs: int) -> None:
        self.policy = Policy(strict, ignored)
        self.most = most
        self.jobs = jobs
        self._listed: Counter[str] = Counter()
        self._full: frozenset[str] = frozenset()
        self._strangers: set[str] = set()
        self.traces = 0
        self.bad = 0
        self.errors = 0
        self.warnings = 0
        self.unlisted = 0

    def findings(self, documents: Iterator[TraceText | Finding]) -> Iterator[list[Finding]]:
        """Yield the findings of each document that has any."""
        batches = Batches(self.jobs, partial(check, policy=self.policy))
        for _, findings, unlisted in batches(documents):
            self.traces += 1
            self.unlisted += unlisted
            if not findings:
                continue
            errors = self._count(findings)
            self.bad += errors > 0
            # Counted above, so that the exit code and the summary are those of all documents.
            if self._is_known_stranger(findings):
                self.unlisted += 1
                continue
            if errors < len(findings) and self._fills_a_rule(findings):
                # From here on the checks only count the warnings of this rule, which is faster.
                policy = self.policy._replace(counted=self._full)
                batches.function = partial(check, policy=policy)
            yield findings

    def of_contents(self, file: str, references: set[str]) -> Iterator[list[Finding]]:
        """Yield the findings of a file of contents, once all `references` to them are known."""
        with open(file, "rb") as stream:
            contents = Contents(stream)
            findings = contents.take(file)
            findings += contents.strays(file, references)
        findings = [one for one in findings if one.code not in self.policy.ignored]
        self._count(findings)
        yield findings

    def _count(self, findings: list[Finding]) -> int:
        """Count errors and warnings; return how many errors there are."""
        errors = sum(finding.is_error or self.policy.strict for finding in findings)
        self.errors += errors
        self.warnings += len(findings) - errors
        return errors

    def _is_known_stranger(self, findings: list[Finding]) -> bool:
        """Whether a document is not a trace, like an earlier one of its file.

        Each row of a session that was not converted yet is such a document, and the first of them
        tells what to do.
        """
        if len(findings) != 1 or findings[0].message != NOT_A_TRACE:
            return False
        file = findings[0].file
        if file in self._strangers:
            return True
        self._strangers.add(file)
        return False

    def _fills_a_rule(self, findings: list[Finding]) -> bool:
        """Count the warnings of each rule; return whether one more has now listed enough."""
        before = self._full
        self._listed.update(finding.code for finding in findings if not finding.is_error)
        full = (code for code, listed in self._listed.items() if listed >= self.most)
        self._full = frozenset(full)
        return self._full != before

    def summary(self) -> str:
        """Return in one line how many traces were read and what they have."""
        errors = plural(self.errors, "error")
        warnings = plural(self.warnings, "warning")
        text = f"{plural(self.traces, 'trace')}, {self.bad:,} with errors: {errors}, {warnings}"
        if self.unlisted:
            text += f"; {self.unlisted:,} more of the same are not listed"
        return text


def _noting(
    documents: Iterator[TraceText | Finding], references: set[str]
) -> Iterator[TraceText | Finding]:
    """Pass documents on, and add to `references` whatever in them looks like one."""
    for document in documents:
        if isinstance(document, TraceText):
            references.update(map(bytes.decode, _REFERENCE.findall(document.raw)))
        yield document


def _codes(ignore: tuple[str, ...]) -> frozenset[str]:
    """Return the rules that the option names, of which each must exist."""
    codes = {name.upper() for name in names_in(",".join(ignore)) if name}
    unknown = sorted(codes - BY_CODE.keys())
    if unknown:
        known = ", ".join(BY_CODE)
        raise UsageProblem(f"unknown rule {', '.join(unknown)}; the rules are {known}")
    return frozenset(codes)


def _write_json(tally: Tally, found: Iterator[list[Finding]]) -> None:
    """Write the members of one JSON document as they come: there may be millions."""
    echo('{\n  "findings": [\n', "json")
    members = (
        json_without_commands(json.dumps(finding.as_dict(), ensure_ascii=False))
        for finding in chain.from_iterable(found)
    )
    for piece in json_list(members, "    "):
        click.echo(piece, nl=False)
    # Only now are all of them counted.
    counts = {"errors": tally.errors, "warnings": tally.warnings, "traces": tally.traces}
    echo("  ],\n" + json_text(counts).removeprefix("{\n"), "json")


def _write_github(found: Iterator[list[Finding]]) -> None:
    """Write annotations for the first findings, errors first, since GitHub shows only a few."""
    kept: list[Finding] = []
    for findings in found:
        # Sorting is stable: of equal severity, the first found stay first.
        kept = sorted([*kept, *findings], key=lambda finding: not finding.is_error)
        del kept[ANNOTATIONS + 1 :]
    echo(findings_github(kept), "github")


def write_reporting(files: tuple[str, ...], max_mb: int, jobs: int, format_: str) -> int:
    """Print the properties of traces; return how many are broken.

    One trace is shown in full, several by how many of them are enough for a property; JSON has
    every trace.
    """
    traces = 0
    first: dict[str, Any] = {}
    computable: Counter[str] = Counter()
    lacking: dict[str, Counter[str]] = {name: Counter() for name in CHECKLIST | PROPERTIES}
    documents: list[dict[str, object]] = []
    findings: list[Finding] = []
    results = FileResults(files, max_mb, jobs, findings.extend)
    # Only JSON keeps every trace: there may be millions.
    for one in results(reported):
        traces += 1
        first = first or one
        for item in one["properties"]:
            computable[item["name"]] += bool(item["measures"])
            lacking[item["name"]].update(item["lacks"])
        if format_ == "json":
            documents.append(one)
    report_broken(findings, SHOWN)
    if format_ == "json":
        echo(json_text(documents), "json")
        return results.broken
    grids = []
    for title, heads, part in _PARTS:
        if traces == 1:
            grids.append(_one_trace(first, title, heads, part))
            continue
        rows = []
        for name in part:
            lacks = [f"{text} ({count:,})" for text, count in lacking[name].most_common(3)]
            rows.append((part[name]["label"], f"{computable[name]:,}", "; ".join(lacks)))
        title = f"{title}: {plural(traces, 'trace')}"
        header = (heads[0], "traces", "most often missing")
        grids.append(Grid(title, header, tuple(rows), frozenset({1}), wraps=frozenset({2})))
    echo_grids(grids, 100)
    return results.broken


#: Title of a table, its first heads, and what its rows are.
_PARTS = (
    ("Reporting checklist", ("item", "recorded"), CHECKLIST),
    ("Properties of a benchmark", ("property", "can be computed"), PROPERTIES),
)


def _one_trace(
    found: dict[str, Any], title: str, heads: tuple[str, str], part: Collection[str]
) -> Grid:
    """Return one table of what a trace has and lacks."""
    rows: list[tuple[str, ...]] = []
    for item in found["properties"]:
        if item["name"] in part:
            known = ", ".join(item["measures"]) or "nothing"
            rows.append((item["label"], known, "; ".join(item["lacks"])))
    title = f"{title}: {shown(found['trace'])}"
    return Grid(title, (*heads, "lacks"), tuple(rows), wraps=frozenset({1, 2}))


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
    report_broken(findings, SHOWN)
    if format_ != "json":
        echo_grids((_needs(results, purpose), _fit(results, purpose)), 100)
        return len(findings)
    documents: list[dict[str, object]] = []
    for one in results:
        document = {"trace": one.trace, "turns": one.turns, "found": one.found}
        documents.append({**document, "fit_for": one.fit_for(), "lacks": one.lacks(purpose)})
    echo(json_text(documents), "json")
    return len(findings)


def _needs(results: list[TraceFitness], purpose: str | None) -> Grid:
    turns = sum(one.turns for one in results)
    rows: list[tuple[str, ...]] = []
    for need, (purposes, fix) in NEEDS.items():
        if purpose is None or purpose in purposes:
            found = sum(one.found[need] for one in results)
            if found == turns:
                fix = ""
            rows.append((need, f"{found:,}", ", ".join(purposes), fix))
    header = ("need", "turns", "for", "what to do")
    title = f"Fit for training: {plural(turns, 'trained turn')}"
    return Grid(title, header, tuple(rows), frozenset({1}), wraps=frozenset({2, 3}))


def _fit(results: list[TraceFitness], purpose: str | None) -> Grid:
    rows: list[tuple[str, ...]] = []
    for one in results:
        fit = ", ".join(one.fit_for()) or "nothing"
        rows.append((one.trace, f"{one.turns:,}", fit, ", ".join(one.lacks(purpose))))
    header = ("trace", "turns", "fit for", "lacks")
    return Grid(
        plural(len(results), "trace"), header, tuple(rows), frozenset({1}), wraps=frozenset({2, 3})
    )
