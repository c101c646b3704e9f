"""`corpus trace convert` and `corpus trace formats`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import click

from corpus.cli.options import echo, output_option
from corpus.cli.traces.input import refuse_inputs
from corpus.model.finding import CorpusError, Finding, UsageProblem
from corpus.printing.findings import findings_text
from corpus.printing.grid import plural
from corpus.tables.atomic import write_all_atomic
from corpus.traces.convert.format import DROPPED, Conversion, Loss
from corpus.traces.convert.intake import convert_all, format_names, read_inputs
from corpus.traces.convert.listing import formats_markdown, formats_text
from corpus.traces.convert.redaction import Redaction
from corpus.traces.reading.reading import LINES, TraceText
from corpus.traces.reading.runs import valid_run

SHOWN = 20
"""Warnings that are written out; the rest are counted."""


def _known_format(_ctx: click.Context, _param: click.Parameter, name: str) -> str:
    known = format_names()
    if name not in known:
        raise click.BadParameter(f"{name!r} is not one of {', '.join(known)}")
    return name


@click.command()
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@click.option(
    "--from",
    "name",
    default="auto",
    show_default=True,
    callback=_known_format,
    help="Format of the inputs.",
)
@output_option(metavar="OUT", help="Write here instead of to standard output.")
@click.option(
    "--loss", metavar="FILE", help="Write what was inferred, dropped or ambiguous, as JSON."
)
@click.option(
    "--redact/--no-redact",
    default=True,
    show_default=True,
    help="Keep hashes of prompts, arguments and results only.",
)
def convert(
    inputs: tuple[str, ...], name: str, output: str | None, loss: str | None, redact: bool
) -> None:
    """Convert recorded runs of other programs into orchestration traces.

    INPUT is a file, a folder or - for standard input. One trace is written as JSON; several are
    JSON lines, and so is one where OUT ends with .jsonl. The files of one run (a session and its
    sub-agents) may be named together or left for the command to find beside it.
    """
    stdin = sys.stdin.buffer if "-" in inputs else None
    if loss is not None and loss == output:
        raise UsageProblem("--loss and -o name the same file; choose another for the losses")
    refuse_inputs(inputs, output, loss)
    documents, warnings = read_inputs([Path(path) for path in inputs], name, stdin)
    ending = Path(output or "-").suffix
    conversions: list[Conversion] = []
    for conversion in convert_all(documents, Redaction(redact)):
        # The second run tells enough: the others need not be converted for nothing.
        if conversions and ending == ".json":
            raise UsageProblem(
                "several traces are written one per line: end the name of OUT with .jsonl"
            )
        conversions.append(conversion)
    _refuse_invalid(conversions)
    files: dict[str, str] = {}
    text = _traces_text(conversions, ending in LINES)
    losses = _loss_text(conversions, warnings)
    if output is not None:
        files[output] = text
    if loss and loss != "-":
        files[loss] = losses
    write_all_atomic(files)
    if output is None:
        echo(text, "json")
    if loss == "-":
        echo(losses)
    _report(conversions, warnings)


@click.command()
@click.option("--markdown", is_flag=True, help="Write the page docs/trace-formats.md.")
def formats(markdown: bool) -> None:
    """List the formats that `corpus trace convert` reads, with what each loses."""
    echo(formats_markdown() if markdown else formats_text())


def _refuse_invalid(conversions: list[Conversion]) -> None:
    """Refuse to write a trace in which `corpus trace validate` would find an error."""
    errors: list[Finding] = []
    for conversion in conversions:
        name = str(conversion.trace["trace_id"])
        raw = json.dumps(conversion.trace).encode()
        run, findings = valid_run(TraceText(name, 1, raw, True))
        if run is None:
            errors += findings
    if errors:
        raise CorpusError(errors)


def _traces_text(conversions: list[Conversion], lines: bool) -> str:
    if len(conversions) == 1 and not lines:
        trace = conversions[0].trace
        return json.dumps(trace, indent=2, ensure_ascii=True, allow_nan=False) + "\n"
    texts = []
    for conversion in conversions:
        texts.append(json.dumps(conversion.trace, ensure_ascii=True, allow_nan=False) + "\n")
    return "".join(texts)


def _loss_text(conversions: list[Conversion], warnings: list[Finding]) -> str:
    """Write the losses of each trace, then, without a trace, the skipped lines and files."""
    report: list[dict[str, object]] = []
    for conversion in conversions:
        losses = [loss.as_dict() for loss in conversion.losses]
        report.append({"trace_id": conversion.trace["trace_id"], "losses": losses})
    skipped = []
    for warning in warnings:
        place = f"{warning.file}:{warning.line}" if warning.line else warning.file
        skipped.append(Loss(DROPPED, place, warning.message).as_dict())
    if skipped:
        report.append({"trace_id": None, "losses": skipped})
    return json.dumps(report, indent=2, ensure_ascii=True) + "\n"


def _report(conversions: list[Conversion], warnings: list[Finding]) -> None:
    """Report on stderr what was converted and lost; stdout holds the traces alone."""
    if warnings:
        click.echo(findings_text(warnings[:SHOWN]), err=True, nl=False)
        if len(warnings) > SHOWN:
            click.echo(f"and {len(warnings) - SHOWN} more warnings", err=True)
    losses: Counter[str] = Counter()
    events = 0
    for conversion in conversions:
        events += len(conversion.trace["events"])
        for loss in conversion.losses:
            losses[loss.kind] += loss.count
    lost = ", ".join(f"{number} {kind}" for kind, number in losses.items())
    if not lost:
        lost = "nothing inferred, dropped or ambiguous"
    counts = f"{plural(len(conversions), 'trace')}, {plural(events, 'event')}"
    click.echo(f"{counts}; {lost}", err=True)
