"""`corpus trace convert` and `corpus trace formats`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from corpus.cli.options import echo, output_option
from corpus.cli.traces.input import refuse_inputs
from corpus.printing.grid import plural

if TYPE_CHECKING:
    from corpus.model.finding import Finding
    from corpus.traces.convert.format import Conversion

SHOWN = 20
"""Warnings that are written out; the rest is counted."""


def _known_formats(_ctx: click.Context, _param: click.Parameter, name: str) -> str:
    from corpus.traces.convert.intake import format_names

    if name not in format_names():
        raise click.BadParameter(f"{name!r} is not one of {', '.join(format_names())}")
    return name


@click.command()
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@click.option(
    "--from", "name", default="auto", show_default=True, callback=_known_formats, help="Format of the inputs."
)
@output_option(metavar="OUT", help="Write here instead of to standard output.")
@click.option("--loss", metavar="FILE", help="Write what was inferred, dropped or ambiguous, as JSON.")
@click.option(
    "--redact/--no-redact", default=True, show_default=True, help="Keep hashes of prompts, arguments and results only."
)
def convert(inputs: tuple[str, ...], name: str, output: str | None, loss: str | None, redact: bool) -> None:
    """Turn recorded runs of other programs into orchestration traces.

    INPUT is a file, a folder or - for standard input. One trace is written as JSON; several are JSON lines, and so is
    one where OUT ends with .jsonl. The files of one run (a session and its sub-agents) may be named together or left
    for the command to find beside it.
    """
    from pathlib import Path

    from corpus.model.finding import UsageProblem
    from corpus.traces.convert.intake import convert_all, read_inputs
    from corpus.traces.convert.redaction import Redaction
    from corpus.traces.reading.reading import LINES

    stdin = sys.stdin.buffer if "-" in inputs else None
    if loss is not None and loss == output:
        raise UsageProblem("the losses need a file of their own")
    refuse_inputs(inputs, output, loss)
    documents, warnings = read_inputs([Path(one) for one in inputs], name, stdin)
    conversions = list(convert_all(documents, Redaction(redact)))
    _hold_to_rules(conversions)
    ending = Path(output or "-").suffix
    if ending == ".json" and len(conversions) > 1:
        raise UsageProblem(f"{len(conversions)} traces are written one a line: end the name of OUT with .jsonl")
    _write(
        [(output, _traces_text(conversions, ending in LINES))]
        + ([(loss, _loss_text(conversions, warnings))] if loss else [])
    )
    _summary(conversions, warnings)


@click.command()
@click.option("--markdown", is_flag=True, help="As the page docs/trace-formats.md.")
def formats(markdown: bool) -> None:
    """List the formats that `corpus trace convert` reads, with what each cannot tell."""
    from corpus.traces.convert.listing import formats_markdown, formats_text

    echo(formats_markdown() if markdown else formats_text())


def _hold_to_rules(conversions: list[Conversion]) -> None:
    """Refuse to write a trace that `corpus trace validate` would call wrong."""
    import json

    from corpus.model.finding import CorpusError
    from corpus.traces.checks.validate import sound_run
    from corpus.traces.reading.reading import TraceText

    errors: list[Finding] = []
    for one in conversions:
        name = str(one.trace["trace_id"])
        run, findings = sound_run(TraceText(name, 1, json.dumps(one.trace).encode(), True))
        errors += findings if run is None else []
    if errors:
        raise CorpusError(errors)


def _traces_text(conversions: list[Conversion], lines: bool) -> str:
    import json

    if len(conversions) == 1 and not lines:
        return json.dumps(conversions[0].trace, indent=2, ensure_ascii=True, allow_nan=False) + "\n"
    texts = (json.dumps(one.trace, ensure_ascii=True, allow_nan=False) for one in conversions)
    return "".join(text + "\n" for text in texts)


def _loss_text(conversions: list[Conversion], warnings: list[Finding]) -> str:
    """Write the losses of each trace, then, of none in particular, the lines and files that were passed over."""
    import json

    from corpus.traces.convert.format import DROPPED, Loss

    report: list[dict[str, object]] = [
        {"trace_id": one.trace["trace_id"], "losses": [loss.as_dict() for loss in one.losses]} for one in conversions
    ]
    passed = [Loss(DROPPED, f"{one.file}:{one.line}" if one.line else one.file, one.message) for one in warnings]
    if passed:
        report.append({"trace_id": None, "losses": [loss.as_dict() for loss in passed]})
    return json.dumps(report, indent=2, ensure_ascii=True) + "\n"


def _write(results: list[tuple[str | None, str]]) -> None:
    """Write all files or none, then what goes to standard output."""
    from corpus.tables.atomic import write_all_atomic

    write_all_atomic({target: text for target, text in results if target not in (None, "-")})
    for target, text in results:
        if target in (None, "-"):
            echo(text, "json")


def _summary(conversions: list[Conversion], warnings: list[Finding]) -> None:
    """Say on stderr what became of the input; stdout holds the traces alone."""
    from collections import Counter

    if warnings:
        from corpus.printing.findings import findings_text

        click.echo(findings_text(warnings[:SHOWN]), err=True, nl=False)
        if len(warnings) > SHOWN:
            click.echo(f"and {len(warnings) - SHOWN} more warnings", err=True)
    kinds = Counter[str]()
    for one in conversions:
        for loss in one.losses:
            kinds[loss.kind] += loss.count
    events = sum(len(one.trace["events"]) for one in conversions)
    lost = ", ".join(f"{number} {kind}" for kind, number in kinds.items()) or "nothing inferred, dropped or ambiguous"
    click.echo(f"{plural(len(conversions), 'trace')}, {plural(events, 'event')}; {lost}", err=True)
