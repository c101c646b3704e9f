"""`corpus trace convert` and `corpus trace formats`."""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import click
import msgspec

from corpus.cli.options import (
    Texts,
    echo,
    echo_grids,
    flag,
    option,
    output_option,
    report_findings,
    tell,
)
from corpus.cli.traces.input import contents_of, refuse_inputs
from corpus.model.finding import CorpusError, Finding, UsageProblem
from corpus.printing.grid import Grid, plural
from corpus.tables.writing.atomic import Content, write_all_atomic
from corpus.traces.convert import FORMATS
from corpus.traces.convert.format import (
    DROPPED,
    MISSING,
    OTHERS,
    TRACES,
    Conversion,
    Loss,
    LossList,
    Redaction,
)
from corpus.traces.convert.intake import AUTO, convert_all, read_inputs
from corpus.traces.emit import INPUTS, TARGETS
from corpus.traces.lookup import JsonObject
from corpus.traces.reading.decoding import valid_runs
from corpus.traces.reading.reading import LINES, TraceText
from corpus.traces.training.credit import variant
from corpus.traces.training.trainers import TRAINERS, teach

SHOWN = 20
"""Warnings that are written out; the rest are counted."""
_TITLES = {name: title for name, (title, _) in (TARGETS | TRAINERS).items()}
"""What is written: formats that hold runs, and rows for trainers."""


def _known_format(_ctx: click.Context, _option: click.Parameter, name: str) -> str:
    """Refuse an unknown format; of one that is gone, name the way that remains."""
    known = (AUTO, *(one.name for one in FORMATS), TRACES)
    if name in OTHERS:
        raise click.BadParameter(f"{name} is not read; {OTHERS[name]['way']}")
    if name not in known:
        raise click.BadParameter(f"{name!r} is not one of {', '.join(known)}")
    return name


@click.command()
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@option("--from", "Format of the inputs.", "name", default="auto", callback=_known_format)
@option(
    "--to",
    "Write this format instead; INPUT may be traces, too.",
    "target_name",
    type=click.Choice(tuple(_TITLES)),
)
@output_option()
@option("--loss FILE", "Write what was inferred, dropped or ambiguous, as JSON.")
@option(
    "--contents FILE",
    "Write (read, where INPUT is traces) the texts, as JSON lines by the hashes in the traces.",
    "contents_file",
)
@option(
    "--for",
    "With --to trl: conversations (without it), or pairs of them.",
    "purpose",
    type=click.Choice(["sft", "preference"]),
)
@option(
    "--credit SCHEME",
    "With --to verifiers or rllm: add advantages, as in corpus trace rows.",
    "scheme",
)
@option("--channel NAME", "Reward channel for trainers.", default="")
@option("--train NAME", "Agent, role or model that is trained.", multiple=True)
@flag("--skip-unfit", "Leave out runs that lack what the trainer needs.")
@flag("--force", "End with 0 also where some of the input is in no count.")
def convert(
    inputs: Texts,
    name: str,
    target_name: str | None,
    output: str | None,
    loss: str | None,
    contents_file: str | None,
    purpose: str | None,
    scheme: str | None,
    channel: str,
    train: Texts,
    skip_unfit: bool,
    force: bool,
) -> None:
    """Convert recorded runs of other programs into traces, and traces into theirs.

    INPUT is a file, a folder or - for standard input. One trace is written as JSON; several are
    JSON lines, and so is one where OUT ends with .jsonl. The files of one run (a session and its
    sub-agents) may be named together or left for the command to find beside it. With --to, what
    the other format has no place for is in the losses as well. No text leaves the recording but
    into the file that --contents names, and to the trainers of --to, which need that file.
    """
    outputs = list(filter(None, (output, loss, contents_file)))
    if len(set(outputs)) < len(outputs):
        raise UsageProblem("-o, --loss and --contents name the same file; choose another for one")
    refuse_inputs(inputs, *outputs)
    if name == TRACES and target_name is None:
        raise UsageProblem("traces are converted into another format only; name it by --to")
    is_taught = target_name in TRAINERS
    if (purpose and target_name != "trl") or (scheme and target_name not in ("verifiers", "rllm")):
        raise UsageProblem("--for goes with --to trl, --credit with --to verifiers or rllm")
    if (train or skip_unfit) and not is_taught:
        raise UsageProblem(f"--train and --skip-unfit go with --to {', '.join(TRAINERS)}")
    if is_taught and contents_file is None:
        raise UsageProblem(f"--to {target_name} needs the texts: name their file by --contents")
    formats = FORMATS if target_name is None else INPUTS
    documents, warnings = read_inputs(list(map(Path, inputs)), name, sys.stdin.buffer, formats)
    contents = None
    if contents_file is not None:
        is_read = documents.keys() == {TRACES}
        if TRACES in documents and not is_read:
            raise UsageProblem("--contents is read for traces and written for recordings: not both")
        contents = contents_of(contents_file if is_read else "")
    ending = Path(output or "-").suffix.lower()
    conversions = list(convert_all(documents, Redaction(contents=contents), formats))
    # One document for Chrome holds several.
    if len(conversions) > 1 and ending == ".json" and target_name != "chrome":
        raise UsageProblem(
            "several traces are written one per line: end the name of OUT with .jsonl"
        )
    sources = set(documents)
    # What was read is not needed any more, and may be large.
    documents.clear()
    # A trace in which `corpus trace validate` would find an error is refused.
    errors: list[Finding] = []
    runs = [run for _, run in valid_runs(_texts(conversions, target_name is None), errors)]
    if errors:
        raise CorpusError(errors)
    values = [conversion.trace for conversion in conversions]
    # Nothing more is lost of what is written as traces.
    lost = [LossList()] * len(runs)
    if is_taught and contents is not None:
        chosen = variant(scheme, channel) if scheme else None
        kind = purpose or ("sft" if target_name == "trl" else "offline")
        taught = (str(target_name), kind, chosen, channel, train, skip_unfit)
        values, lost = teach(runs, contents, *taught)
    elif target_name is not None:
        values, lost = TARGETS[target_name][1](runs, contents)
    is_indented = len(values) == 1 and not (ending in LINES or is_taught)
    report: list[dict[str, object]] = []
    kinds: Counter[str] = Counter()
    for conversion, of_run in zip(conversions, lost, strict=True):
        losses = [*conversion.losses, *of_run.values()]
        for one in losses:
            kinds[one.kind] += one.count
        name = str(conversion.trace["trace_id"])
        report.append({"trace_id": name, "losses": list(map(asdict, losses))})
    skipped = []
    for warning in warnings:
        place = ":".join(map(str, filter(None, (warning.file, warning.line))))
        skipped.append(asdict(Loss(DROPPED, place, warning.message)))
    # What belongs to no trace: what was skipped, and what formats do not record at all.
    missing = {one.name: one.row["not_recorded"] for one in FORMATS if one.name in sources}
    if skipped or missing:
        report.append({"trace_id": None, "losses": skipped, "not_recorded": missing})
    # The name of a file may have bytes that are not UTF-8, which only an escape can hold.
    losses_text = json.dumps(report, indent=2) + "\n"
    files: dict[str, Content] = {}
    if output is not None:
        files[output] = _lines(values, is_indented)
    if loss:
        files[loss] = losses_text
    if contents is not None and contents_file and TRACES not in sources:
        files[contents_file] = contents.lines()
    write_all_atomic(files)
    if output is None:
        echo("".join(_lines(values, is_indented)), "json")
    report_findings(warnings, SHOWN)
    lost_of_all = ", ".join(f"{number} {kind}" for kind, number in kinds.items())
    events = plural(sum(len(run.events) for run in runs), "event")
    told = lost_of_all or "nothing inferred, dropped or ambiguous"
    tell(f"{plural(len(runs), 'trace')}, {events}; {told}")
    if (kinds[MISSING] or warnings) and not force:
        for conversion in conversions:
            for one in conversion.losses:
                if one.kind == MISSING:
                    tell(f"{one.place}: in no count: {one.what} ({one.count})")
        tell("some of the input is in no count; --force accepts that and ends with 0")
        raise SystemExit(1)


def _texts(conversions: list[Conversion], is_kept: bool) -> Iterator[TraceText]:
    """Yield the traces as they would be written; of those that are not, only the id is kept."""
    for conversion in conversions:
        # A trace without an id has the name of its place; the lines of the bytes are in no file.
        name = str(conversion.trace["trace_id"])
        raw = json.dumps(conversion.trace).encode()
        if not is_kept:
            conversion.trace = {"trace_id": name}
        yield TraceText(name, 0, raw, False)


def _lines(values: Sequence[JsonObject], is_indented: bool) -> Iterator[str]:
    """Yield documents as text, each with a line end.

    ASCII, so that half a surrogate pair in a recorded name stays what it is.
    """
    for value in values:
        # The indented form of the standard library takes a third of the time of a conversion.
        text = json.dumps(value, allow_nan=False)
        if is_indented:
            text = msgspec.json.format(text, indent=2)
        yield f"{text}\n"


@click.command()
def formats() -> None:
    """List the formats that `corpus trace convert` reads and writes."""
    rows = [(one.name, one.row["title"]) for one in FORMATS]
    rows += [(f"--to {name}", title) for name, title in _TITLES.items()]
    note = "What is found where in each, and what is lost, is in `corpus docs trace-formats`."
    header = ("format", "what writes or reads it")
    echo_grids([Grid("", header, tuple(rows), note=note)], 80)
