"""`corpus trace validate`, and with `--profile` what traces can be reported or trained with."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any

import click

from corpus.cli.check.catalogue import catalogue
from corpus.cli.check.catalogue import explain as explained
from corpus.cli.options import (
    Texts,
    echo,
    echo_grids,
    flag,
    format_option,
    names_in,
    option,
    report_findings,
    tell,
)
from corpus.cli.traces.input import SHOWN, Traces, contents_of, jobs_option, traces_argument
from corpus.model.finding import Finding, UsageProblem
from corpus.printing.findings import findings_github, findings_text
from corpus.printing.grid import Grid, plural
from corpus.printing.json_document import json_list, json_text
from corpus.traces.batches import applied
from corpus.traces.checks.validate import check
from corpus.traces.contents import HASH_DIGITS, Contents
from corpus.traces.measures.reporting import CHECKLIST, PROPERTIES, reported
from corpus.traces.reading.reading import TraceText
from corpus.traces.reading.structure import NOT_A_TRACE, shown
from corpus.traces.training.fitness import PURPOSES, fitness
from corpus.traces.training.groups import Rollout
from corpus.traces.training.tables import NEEDS

_REFERENCE = re.compile(rb"sha256:[0-9a-f]{%d}" % HASH_DIGITS)


@click.command()
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
    "List what a benchmark could report from the traces, or a trainer learn, and what they lack.",
    type=click.Choice(["reporting", "training"]),
)
@option(
    "--for",
    "With --profile training: fail if a trace lacks what this needs.",
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
    "Check these texts against their hashes, and that an event has each.",
    "contents_file",
)
@jobs_option
@format_option("text", "json", "github")
@traces_argument
def validate(
    strict: bool,
    ignore: Texts,
    explain: str | None,
    most: int,
    profile: str | None,
    purpose: str | None,
    train: Texts,
    contents_file: str | None,
    jobs: int,
    format_: str,
    traces: Traces,
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
            _write_fitness(traces, contents_of(contents_file or ""), purpose, train, format_)
        elif contents_file:
            raise UsageProblem("--profile reporting goes without --contents")
        else:
            _write_reporting(traces, jobs, format_)
        return
    codes = frozenset(filter(None, names_in(",".join(ignore).upper())))
    # Only where one is named: all modules with rules about traces are read and imported.
    known = [code for code in catalogue('"OT') if code < "OT2"] if codes else []
    unknown = sorted(codes.difference(known))
    if unknown:
        raise UsageProblem(f"unknown rule {', '.join(unknown)}; the rules are {', '.join(known)}")
    tally = Tally(strict, codes, most, contents_file)
    with traces.documents() as documents:
        found = tally.findings(documents, jobs)
        if format_ == "github":
            echo(findings_github(chain.from_iterable(found)), "github")
        elif format_ == "json":
            # The members of one document, as they come: there may be millions.
            echo('{\n  "findings": [\n', "json")
            each = chain.from_iterable(found)
            members = (json.dumps(one._asdict(), ensure_ascii=False) for one in each)
            for line in json_list(members, "    "):
                echo(line, "json")
            # Only now are all of them counted.
            counts = {"errors": tally.errors, "warnings": tally.warnings, "traces": tally.traces}
            echo("  ],\n" + json_text(counts).removeprefix("{\n"), "json")
        else:
            for findings in found:
                echo(findings_text(findings))
    tell(tally.summary())
    if tally.errors:
        raise SystemExit(1)


@dataclass
class Tally:
    """Counts what validation finds, as the findings stream by.

    Parameters
    ----------
    strict : bool
        Whether warnings are errors.
    ignored : frozenset of str
        Codes of rules to leave out.
    most : int
        So many warnings of a rule are listed; further ones are counted.
    contents_file : str or None
        A file of contents, which is checked once all references to them are known.
    """

    strict: bool
    ignored: frozenset[str]
    most: int
    contents_file: str | None
    traces: int = 0
    bad: int = 0
    errors: int = 0
    warnings: int = 0
    unlisted: int = 0
    references: set[str] = field(default_factory=set)

    def findings(
        self, documents: Iterator[TraceText | Finding], jobs: int
    ) -> Iterator[list[Finding]]:
        """Yield the findings of each document that has any."""
        listed: Counter[str] = Counter()
        strangers = set()
        checked = partial(check, strict=self.strict, ignored=self.ignored)
        for findings, unlisted in applied(self._noted(documents), checked, jobs):
            self.traces += 1
            self.unlisted += unlisted
            kept = []
            for finding in findings:
                listed[finding.code] += not finding.is_error
                if listed[finding.code] <= self.most:
                    kept.append(finding)
            self.unlisted += len(findings) - len(kept)
            # Before any is left out: exit code and summary are those of all documents.
            self.bad += self._count(kept) > 0
            if kept and kept[0].message == NOT_A_TRACE:
                # Each row of a session that was not converted yet is such a document; the first
                # of a file tells what to do.
                if kept[0].file in strangers:
                    self.unlisted += 1
                    continue
                strangers.add(kept[0].file)
            if kept:
                yield kept

        if self.contents_file is not None:
            with open(self.contents_file, "rb") as stream:
                contents = Contents(stream)
                findings = contents.take(self.contents_file)
                findings += contents.strays(self.contents_file, self.references)
            findings = [one for one in findings if one.code not in self.ignored]
            self._count(findings)
            yield findings

    def _noted(self, documents: Iterator[TraceText | Finding]) -> Iterator[TraceText | Finding]:
        """Pass on documents, and note what they refer to."""
        for document in documents:
            if self.contents_file and isinstance(document, TraceText):
                self.references.update(map(bytes.decode, _REFERENCE.findall(document.raw)))
            yield document

    def _count(self, findings: list[Finding]) -> int:
        """Count errors and warnings; return how many errors there are."""
        errors = sum(finding.is_error or self.strict for finding in findings)
        self.errors += errors
        self.warnings += len(findings) - errors
        return errors

    def summary(self) -> str:
        """Return in one line how many traces were read and what they have."""
        errors = plural(self.errors, "error")
        warnings = plural(self.warnings, "warning")
        text = f"{plural(self.traces, 'trace')}, {self.bad:,} with errors: {errors}, {warnings}"
        if self.unlisted:
            text += f"; {self.unlisted:,} more of the same are not listed"
        return text


def _write_reporting(traces: Traces, jobs: int, format_: str) -> None:
    """Print the properties of traces; exit 1 where some are broken.

    One trace is shown in full, several by how many of them are enough for a property; JSON has
    every trace.
    """
    count = 0
    kept: list[dict[str, Any]] = []
    computable: Counter[str] = Counter()
    lacking: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in traces.results(reported, jobs):
        count += 1
        # Only JSON keeps every trace: there may be millions.
        if not kept or format_ == "json":
            kept.append(one)
        for item in one["properties"]:
            computable[item["name"]] += bool(item["measures"])
            lacking[item["name"]].update(item["lacks"])
    grids = []
    for title, heads, part in _PARTS:
        rows = []
        if count == 1:
            for item in kept[0]["properties"]:
                if item["name"] in part:
                    known = ", ".join(item["measures"]) or "nothing"
                    rows.append((item["label"], known, "; ".join(item["lacks"])))
            title += f": {shown(kept[0]['trace'])}"
            grids.append(Grid(title, (*heads, "lacks"), tuple(rows)))
            continue
        for name, item in part.items():
            lacks = [f"{text} ({number:,})" for text, number in lacking[name].most_common(3)]
            rows.append((item["label"], f"{computable[name]:,}", "; ".join(lacks)))
        header = (heads[0], "traces", "most often missing")
        title += f": {plural(count, 'trace')}"
        grids.append(Grid(title, header, tuple(rows), frozenset({1})))
    if format_ == "json":
        echo(json_text(kept), "json")
    else:
        echo_grids(grids, 100)
    traces.end(SHOWN)


#: Title of a table, its first heads, and what its rows are.
_PARTS = (
    ("Reporting checklist", ("item", "recorded"), CHECKLIST),
    ("Properties of a benchmark", ("property", "can be computed"), PROPERTIES),
)


def _write_fitness(
    traces: Traces, contents: Contents, purpose: str | None, train: Texts, format_: str
) -> None:
    """Print what traces have and lack for training; exit 1 where there is a finding."""
    rollouts = (Rollout(run, document.place) for document, run in traces.runs())
    results = fitness(rollouts, contents, train)
    turns = sum(one.turns for one in results)
    if train and not turns:
        raise UsageProblem(f"no turn of an agent, role or model {' or '.join(train)}")
    findings = traces.broken
    for one in results:
        if purpose != "sft":
            findings += one.findings
        # A run that broke off before a turn teaches nothing and harms nothing, beside others.
        if purpose is not None and (one.turns or not turns):
            findings += [one.misfit(need, purpose) for need in one.lacks(purpose)]
    report_findings(findings, SHOWN)
    documents = []
    fit = []
    for one in results:
        fit_for, lacks = one.fit_for(), one.lacks(purpose)
        document = {"trace": one.trace, "turns": one.turns, "found": one.found}
        documents.append({**document, "fit_for": fit_for, "lacks": lacks})
        fitting = ", ".join(fit_for) or "nothing"
        fit.append((one.trace, f"{one.turns:,}", fitting, ", ".join(lacks)))
    if format_ == "json":
        echo(json_text(documents), "json")
    else:
        needs = []
        for need, (purposes, fix) in NEEDS.items():
            if purpose is None or purpose in purposes:
                found = sum(one.found[need] for one in results)
                advice = fix if found < turns else ""
                needs.append((need, f"{found:,}", ", ".join(purposes), advice))
        title = f"Fit for training: {plural(turns, 'trained turn')}"
        header = ("need", "turns", "for", "what to do")
        right = frozenset({1})
        grids = [Grid(title, header, tuple(needs), right)]
        header = ("trace", "turns", "fit for", "lacks")
        grids.append(Grid(plural(len(fit), "trace"), header, tuple(fit), right))
        echo_grids(grids, 100)
    if findings:
        raise SystemExit(1)
