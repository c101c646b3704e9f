"""`corpus trace validate`, and with `--profile` what traces can be reported or trained with."""

import re
from collections import Counter
from collections.abc import Iterator

import click

from corpus.cli.options import (
    Texts,
    echo,
    echo_grids,
    flag,
    format_option,
    option,
    report_findings,
    tell,
)
from corpus.cli.traces.input import SHOWN, Traces, contents_of, traces_argument
from corpus.model.finding import Finding, UsageProblem
from corpus.printing.findings import findings_text
from corpus.printing.grid import Grid, plural
from corpus.printing.json_document import json_text
from corpus.traces.checks.validate import check
from corpus.traces.contents import HASH_DIGITS, Contents
from corpus.traces.measures.reporting import reported
from corpus.traces.reading.reading import TraceText
from corpus.traces.reading.structure import NOT_A_TRACE, shown
from corpus.traces.training.fitness import PURPOSES, fitness
from corpus.traces.training.groups import Rollout
from corpus.traces.training.tables import NEEDS

_REFERENCE = re.compile(rb"sha256:[0-9a-f]{%d}" % HASH_DIGITS)


@click.command()
@flag("--strict", "Treat warnings as errors.")
@option(
    "--profile",
    "List what a report on the traces could state, or a trainer learn, and what they lack.",
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
@format_option("text", "json")
@traces_argument
def validate(
    strict: bool,
    profile: str | None,
    purpose: str | None,
    train: Texts,
    contents_file: str | None,
    format_: str,
    traces: Traces,
) -> None:
    """Validate traces against the schema and the rules of a plausible run.

    Exit code 1 when there is an error; warnings alone do not fail, unless --strict. `corpus check
    --explain CODE` explains a rule. With --profile reporting, valid traces are shown by what of the
    survey's reporting checklist they record. With --profile training they are shown by what their
    turns have for kinds of training; contents and tokens count where --contents gives them.
    """
    if profile != "training" and (purpose or train):
        raise UsageProblem("--for and --train go with --profile training")
    if profile is not None and strict:
        raise UsageProblem("--profile goes without --strict")
    if profile == "reporting" and contents_file:
        raise UsageProblem("--profile reporting goes without --contents")
    if profile == "training":
        _write_fitness(traces, contents_of(contents_file or ""), purpose, train, format_)
        return
    if profile is not None:
        _write_reporting(traces, format_)
        return
    counts: Counter[str] = Counter()
    listed = []
    for findings in _findings(traces.documents(), strict, contents_file, counts):
        if format_ == "json":
            listed += findings
        elif findings:
            echo(findings_text(findings))
    if format_ == "json":
        members = [finding._asdict() for finding in listed]
        numbers = {name: counts[name] for name in ("errors", "warnings", "traces")}
        echo(json_text({"findings": members, **numbers}), format_)
    errors, warnings = plural(counts["errors"], "error"), plural(counts["warnings"], "warning")
    bad = f"{plural(counts['traces'], 'trace')}, {counts['bad']:,} with errors"
    unlisted = f"; {counts['unlisted']:,} more of the same are not listed"
    tell(f"{bad}: {errors}, {warnings}{unlisted if counts['unlisted'] else ''}")
    if counts["errors"]:
        raise SystemExit(1)


def _findings(
    documents: Iterator[TraceText | Finding],
    strict: bool,
    contents_file: str | None,
    counts: Counter[str],
) -> Iterator[list[Finding]]:
    """Yield the findings of each document, then those of the contents; count all."""

    def counted(findings: list[Finding]) -> int:
        errors = sum(finding.is_error or strict for finding in findings)
        counts["errors"] += errors
        counts["warnings"] += len(findings) - errors
        return errors

    references: set[str] = set()
    strangers = set()
    for document in documents:
        if contents_file and isinstance(document, TraceText):
            references.update(map(bytes.decode, _REFERENCE.findall(document.raw)))
        findings, unlisted = check(document, strict)
        counts["traces"] += 1
        counts["unlisted"] += unlisted
        counts["bad"] += counted(findings) > 0
        # Each row of a session that was not converted yet is such a document; the first of a file
        # tells what to do.
        is_strange = bool(findings) and findings[0].message == NOT_A_TRACE
        if is_strange and findings[0].file in strangers:
            counts["unlisted"] += 1
            continue
        if is_strange:
            strangers.add(findings[0].file)
        yield findings
    if contents_file is not None:
        with open(contents_file, "rb") as stream:
            contents = Contents(stream)
            findings = contents.take(contents_file)
            findings += contents.strays(contents_file, references)
        counted(findings)
        yield findings


def _write_reporting(traces: Traces, format_: str) -> None:
    """Print what of the checklist each trace records; exit 1 where some are broken."""
    found = [reported(run) for _, run in traces.runs()]
    if format_ == "json":
        echo(json_text(found), "json")
    else:
        grids = []
        for one in found:
            rows = []
            for item in one["items"]:
                known = ", ".join(item["measures"]) or "nothing"
                rows.append((item["label"], known, "; ".join(item["lacks"])))
            title = f"Reporting checklist: {shown(one['trace'])}"
            grids.append(Grid(title, ("item", "recorded", "lacks"), tuple(rows)))
        echo_grids(grids, 100)
    traces.end(SHOWN)


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
    documents = []
    for one in results:
        lacks = one.lacks(purpose)
        if purpose != "sft":
            findings += one.findings
        # A run that broke off before a turn teaches nothing and harms nothing, beside others.
        if purpose is not None and (one.turns or not turns):
            findings += [one.misfit(need, purpose) for need in lacks]
        document = {"trace": one.trace, "turns": one.turns, "found": one.found}
        documents.append({**document, "fit_for": one.fit_for(), "lacks": lacks})
    report_findings(findings, SHOWN)
    if format_ == "json":
        echo(json_text(documents), "json")
    else:
        needs = []
        for need, (purposes, fix) in NEEDS.items():
            if purpose is None or purpose in purposes:
                found = sum(one.found[need] for one in results)
                advice = fix if found < turns else ""
                needs.append((need, f"{found:,}", ", ".join(purposes), advice))
        fit = []
        for one in results:
            fitting = ", ".join(one.fit_for()) or "nothing"
            fit.append((one.trace, f"{one.turns:,}", fitting, ", ".join(one.lacks(purpose))))
        title = f"Fit for training: {plural(turns, 'trained turn')}"
        header = ("need", "turns", "for", "what to do")
        grids = [Grid(title, header, tuple(needs), frozenset({1}))]
        header = ("trace", "turns", "fit for", "lacks")
        grids.append(Grid(plural(len(fit), "trace"), header, tuple(fit), frozenset({1})))
        echo_grids(grids, 100)
    if findings:
        raise SystemExit(1)
