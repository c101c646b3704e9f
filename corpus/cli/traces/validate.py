"""`corpus trace validate`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import click

from corpus.cli.options import echo, format_option
from corpus.cli.traces.input import files_argument, jobs_option, reading, size_option
from corpus.printing.grid import plural

if TYPE_CHECKING:
    from corpus.model.finding import Finding
    from corpus.traces.reading.reading import TraceText


@click.command()
@files_argument
@click.option("--strict", is_flag=True, help="Treat warnings as errors.")
@click.option("--ignore", metavar="CODE[,CODE...]", multiple=True, help="Leave these rules out; repeatable.")
@click.option("--explain", metavar="CODE", help="Say what a rule is for, and do nothing else.")
@click.option(
    "--most",
    type=click.IntRange(0),
    default=1000,
    show_default=True,
    help="List at most so many warnings of one rule; the rest are counted.",
)
@jobs_option
@format_option("text", "json", "github")
@size_option
@click.pass_context
def validate(
    ctx: click.Context,
    files: tuple[str, ...],
    strict: bool,
    ignore: tuple[str, ...],
    explain: str | None,
    most: int,
    jobs: int,
    format_: str,
    max_mb: int,
) -> None:
    """Hold traces against the schema (OT001 to OT005) and against what a real run looks like (OT101 and up).

    Exit code 1 when there is an error; warnings alone do not fail, unless --strict.
    """
    if explain:
        from corpus.cli.check.catalogue import explain as explained

        echo(explained(explain))
        return
    tally = Tally(_codes(ignore), strict, most, jobs)
    with reading(files, max_mb) as documents:
        if format_ == "github":
            _write_github(tally, documents)
        else:
            _write(tally, documents, format_)
    click.echo(tally.summary(), err=True)
    ctx.exit(1 if tally.errors else 0)


class Tally:
    """Counts what validation finds while it streams by."""

    def __init__(self, ignored: frozenset[str], strict: bool, most: int, jobs: int) -> None:
        self.ignored, self.strict, self.most, self.jobs = ignored, strict, most, jobs
        self._listed: dict[str, int] = {}
        self._full: set[str] = set()
        self.traces = self.bad = self.errors = self.warnings = self.unlisted = 0

    def findings(self, documents: Iterator[TraceText | Finding]) -> Iterator[list[Finding]]:
        """Yield the findings of each document that has any."""
        from corpus.traces.batches import Batches
        from corpus.traces.checks.validate import Policy, check

        policy = Policy(self.strict, self.ignored)
        batches = Batches(self.jobs, partial(check, policy=policy))
        for findings, unlisted in batches(documents):
            self.traces += 1
            self.unlisted += unlisted
            if not findings:
                continue
            errors = sum(finding.is_error for finding in findings)
            self.errors += errors
            self.warnings += len(findings) - errors
            self.bad += bool(errors)
            if errors < len(findings) and self._note(findings):
                batches.work = partial(check, policy=policy._replace(counted=frozenset(self._full)))
            yield findings

    def _note(self, findings: list[Finding]) -> bool:
        """Remember the rules of which enough warnings have been listed; say whether one is new among them."""
        before = len(self._full)
        for finding in findings:
            listed = self._listed[finding.code] = self._listed.get(finding.code, 0) + 1
            if listed >= self.most and not finding.is_error:
                self._full.add(finding.code)
        return len(self._full) > before

    def summary(self) -> str:
        """Say in one line how many traces were read and what they have."""
        counts = [plural(number, word) for number, word in ((self.errors, "error"), (self.warnings, "warning"))]
        more = f"; {self.unlisted:,} more of the same are not listed" if self.unlisted else ""
        return f"{plural(self.traces, 'trace')}, {self.bad:,} with errors: {', '.join(counts)}{more}"


def _codes(ignore: tuple[str, ...]) -> frozenset[str]:
    from corpus.model.finding import UsageProblem
    from corpus.traces.trace_rules import BY_CODE

    codes = frozenset(code.strip().upper() for part in ignore for code in part.split(",") if code.strip())
    if unknown := sorted(codes - BY_CODE.keys()):
        raise UsageProblem(f"there is no rule {', '.join(unknown)}; rules are {', '.join(BY_CODE)}")
    return codes


def _write(tally: Tally, documents: Iterator[TraceText | Finding], format_: str) -> None:
    """Write findings as they come, as text or as the members of one JSON document."""
    from corpus.printing.escape import json_without_commands
    from corpus.printing.findings import findings_text

    if format_ == "text":
        for findings in tally.findings(documents):
            echo(findings_text(findings))
        return
    echo('{\n  "findings": [\n', "json")
    after = ""
    for findings in tally.findings(documents):
        for finding in findings:
            member = json_without_commands(json.dumps(finding.as_dict(), ensure_ascii=False))
            click.echo(f"{after}    {member}", nl=False)
            after = ",\n"
    click.echo("\n" if after else "", nl=False)
    counts = f'"errors": {tally.errors},\n  "warnings": {tally.warnings},\n  "traces": {tally.traces}'
    echo(f"  ],\n  {counts}\n}}\n", "json")


def _write_github(tally: Tally, documents: Iterator[TraceText | Finding]) -> None:
    """Write annotations for the first findings, errors before warnings, as GitHub shows only a few."""
    from corpus.printing.findings import ANNOTATIONS, findings_github

    kept: list[Finding] = []
    for findings in tally.findings(documents):
        kept = sorted([*kept, *findings], key=lambda finding: not finding.is_error)[: ANNOTATIONS + 1]
    echo(findings_github(kept), "github")
