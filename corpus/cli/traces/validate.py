"""`corpus trace validate`, and with `--profile` what traces can be reported or trained with."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain

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
from corpus.printing.json_document import json_list, json_text
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
    if profile == "training":
        _write_fitness(traces, contents_of(contents_file or ""), purpose, train, format_)
        return
    if profile == "reporting":
        if contents_file:
            raise UsageProblem("--profile reporting goes without --contents")
        _write_reporting(traces, format_)
        return
    counts: Counter[str] = Counter()
    with traces.documents() as documents:
        found = _findings(documents, strict, contents_file, counts)
        if format_ == "json":
            # The members of one document, as they come: there may be millions.
            echo('{\n  "findings": [\n', "json")
            each = chain.from_iterable(found)
            members = (json.dumps(one._asdict(), ensure_ascii=False) for one in each)
            for line in json_list(members, "    "):
                echo(line, "json")
            # Only now are all of them counted.
            numbers = {name: counts[name] for name in ("errors", "warnings", "traces")}
            echo("  ],\n" + json_text(numbers).removeprefix("{\n"), "json")
        else:
            for findings in found:
                echo(findings_text(findings))
    errors, warnings = plural(counts["errors"], "error"), plural(counts["warnings"], "warning")
    bad = f"{plural(counts['traces'], 'trace')}, {counts['bad']:,} with errors"
    unlisted = ""
    if counts["unlisted"]:
        unlisted = f"; {counts['unlisted']:,} more of the same are not listed"
    tell(f"{bad}: {errors}, {warnings}{unlisted}")
    if counts["errors"]:
        raise SystemExit(1)


def _findings(
    documents: Iterator[TraceText | Finding],
    strict: bool,
    contents_file: str | None,
    counts: Counter[str],
) -> Iterator[list[Finding]]:
    """Yield the findings of each document that has any, then those of the contents; count all."""
    references: set[str] = set()
    strangers = set()
    for document in documents:
        if contents_file and isinstance(document, TraceText):
            references.update(map(bytes.decode, _REFERENCE.findall(document.raw)))
        findings, unlisted = check(document, strict)
        counts["traces"] += 1
        counts["unlisted"] += unlisted
        counts["bad"] += _counted(findings, strict, counts) > 0
        if findings and findings[0].message == NOT_A_TRACE:
            # Each row of a session that was not converted yet is such a document; the first of a
            # file tells what to do.
            if findings[0].file in strangers:
                counts["unlisted"] += 1
                continue
            strangers.add(findings[0].file)
        if findings:
            yield findings
    if contents_file is not None:
        with open(contents_file, "rb") as stream:
            contents = Contents(stream)
            findings = contents.take(contents_file)
            findings += contents.strays(contents_file, references)
        _counted(findings, strict, counts)
        yield findings


def _counted(findings: list[Finding], strict: bool, counts: Counter[str]) -> int:
    """Count errors and warnings; return how many errors there are."""
    errors = sum(finding.is_error or strict for finding in findings)
    counts["errors"] += errors
    counts["warnings"] += len(findings) - errors
    return errors


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
