"""What the trace commands share: arguments and reading."""

import sys
from collections.abc import Iterable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import click

from corpus.cli.options import Texts, echo, option, report_findings
from corpus.model.finding import CorpusError, Finding, UsageProblem
from corpus.tables.writing.atomic import write_atomic
from corpus.traces.contents import Contents
from corpus.traces.reading.decoding import valid_runs
from corpus.traces.reading.reading import TraceText, documents, is_store, trace_files
from corpus.traces.run import Run

DEFAULT_MB = 512
#: Findings of a command that reports them last; the rest are counted.
SHOWN = 10

#: A file or folder that exists, or ``-`` for standard input.
READABLE = click.Path(exists=True, allow_dash=True)
trace_option = option("--trace ID", "Choose this trace where the file has several.", "name")
size_option = option(
    "--max-mb", "Largest trace to read, expanded.", type=click.IntRange(1), default=DEFAULT_MB
)


def traces_argument(command: Any) -> Any:
    """Add ``FILES...`` and ``--max-mb``; the command gets :class:`Traces`, and none is its output.

    It is the last of the decorators, and ``--max-mb`` the last option in the help.
    """

    @wraps(command)
    def with_traces(*args: Any, files: Texts, max_mb: int, **given: Any) -> Any:
        refuse_inputs(files, given.get("output"))
        return command(*args, traces=Traces(files, max_mb), **given)

    files = click.argument("files", metavar="FILES...", nargs=-1, type=READABLE)
    return files(size_option(with_traces))


def refuse_inputs(inputs: Iterable[str], *outputs: str | None) -> None:
    """Refuse to overwrite a file that is read: a recorded run may be the only copy."""
    # By the file itself: a link, or another way to write its name, is the same recording.
    read = list(filter(Path.exists, map(Path, inputs)))
    for output in filter(None, outputs):
        if Path(output).exists() and any(path.samefile(output) for path in read):
            raise UsageProblem(f"{output} is an input; write to another file")


class Traces:
    """The traces of some files, or of one store, that a command is about.

    Parameters
    ----------
    files : tuple of str
        Files and folders, or one store alone: beside files it would be summed up with them.
    max_mb : int
        The largest trace that is read, in megabytes, expanded.

    Attributes
    ----------
    store : str or None
        The store, if it is one.
    broken : list of Finding
        What is wrong with traces that :meth:`runs` left out.
    """

    def __init__(self, files: Texts, max_mb: int) -> None:
        self.files = files
        self.max_mb = max_mb
        self.store = files[0] if len(files) == 1 and is_store(files[0]) else None
        self.broken: list[Finding] = []

    def documents(self) -> Iterator[TraceText | Finding]:
        """Read the documents."""
        if not self.files:
            raise UsageProblem("name at least one file or folder, or - for standard input")
        for name in filter(is_store, self.files):
            raise UsageProblem(
                f"{name} is a store, which corpus trace stats and SQL read; name the files it was "
                "made of"
            )
        found = list(trace_files(self.files))
        if not found:
            raise UsageProblem(f"no .json, .jsonl or .ndjson file under {', '.join(self.files)}")
        return documents(found, self.max_mb << 20, sys.stdin.buffer)

    def runs(self) -> Iterator[tuple[TraceText, Run]]:
        """Yield each trace without errors; the findings of the others are added to `broken`."""
        yield from valid_runs(self.documents(), self.broken)

    def end(self, most: int | None = None) -> None:
        """Write to stderr what is broken, after `most` findings their number; exit 1 if any is."""
        if report_findings(self.broken, most):
            raise SystemExit(1)


def contents_of(file: str = "") -> Contents:
    """Open a file of contents, or a temporary one, until the command ends.

    Raises
    ------
    CorpusError
        With a finding for each line that does not fit its hash.
    """
    contents = Contents(open(file, "rb") if file else None)  # noqa: SIM115 # the context closes it
    click.get_current_context().call_on_close(contents.close)
    findings = contents.take(file)
    if findings:
        raise CorpusError(findings)
    return contents


def deliver(pieces: Iterable[Any], output: str | None, format_: str = "json") -> None:
    """Write to a file, whole or not at all, or texts to standard output as the pieces come."""
    if output is not None:
        # A file is whole or not there: half a table looks like a small one.
        write_atomic(output, pieces)
        return
    for piece in pieces:
        echo(piece, format_)


def one_run(file: str, max_mb: int, name: str | None = None) -> Run:
    """Read one trace of a file: the one called `name`, or the only one.

    Raises
    ------
    UsageProblem
        Where several traces fit, or none does.
    CorpusError
        Where a trace has errors, so that the one that is meant may be hidden by them.
    """
    traces = Traces((file,), max_mb)
    found = []
    for _, run in traces.runs():
        if name in (None, run.id):
            found.append(run)
        # A second one tells that the choice is open.
        if len(found) == 2:
            break
    which = f" {name!r}" if name else ""
    if len(found) == 2:
        raise UsageProblem(f"{file} has several traces{which or '; choose one by --trace ID'}")
    # A name that was found is not hidden by broken traces; everything else may be.
    if traces.broken and not (found and name):
        raise CorpusError(traces.broken)
    if not found:
        raise UsageProblem(f"{file} has no trace{which}")
    return found[0]
