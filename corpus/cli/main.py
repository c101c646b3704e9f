"""The `corpus` command and its groups; no subcommand is imported before it is run."""

import os
import re

import click

import corpus
from corpus.cli.commands import COMMANDS, MAINTENANCE, TRACE_COMMANDS
from corpus.cli.lazy import LazyGroup
from corpus.model.finding import UsageProblem

#: Beginnings of the names of variables by which libraries change what they do. With an unknown
#: value some fail while they are imported: PANDERA_VALIDATION_DEPTH, RAPIDFUZZ_IMPLEMENTATION.
SWITCHES = ("PANDERA_", "PANDAS_", "RAPIDFUZZ_")


EXIT_CODES = (
    "Exit codes: 0 fine, 1 findings, or a file that cannot be read or written, 2 wrong usage, "
    "130 interrupted, 141 the reader of the output ended first, 255 the program failed; "
    "CORPUS_DEBUG=1 in the environment shows the traceback."
)


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    hidden=MAINTENANCE,
    closing=EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(corpus.__version__, prog_name="corpus")
def main() -> None:
    """Curate a body of papers and publish numbers about it.

    Every command works on the corpus found above the working directory (data/codebook.toml), on
    the one named with --data DIR, or else on the dataset that ships with the package.
    """
    settle_environment()


def settle_environment() -> None:
    """Refuse or correct variables of the environment that would make a library fail or differ.

    ``SOURCE_DATE_EPOCH`` must be a number of seconds that a date can hold, and ``MPLBACKEND`` is
    for windows, which no command opens. Variables that begin as in :data:`SWITCHES` are removed
    before a command runs, since libraries read them when they are imported.

    Raises
    ------
    UsageProblem
        Where ``SOURCE_DATE_EPOCH`` is anything else.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is not None and not re.fullmatch(r"[0-9]{1,11}", epoch):
        raise UsageProblem(
            "SOURCE_DATE_EPOCH in the environment must be whole seconds since 1970, or unset"
        )
    if "MPLBACKEND" in os.environ:
        os.environ["MPLBACKEND"] = "agg"
    for name in list(os.environ):
        if name.startswith(SWITCHES):
            del os.environ[name]


@click.group(cls=LazyGroup, table=TRACE_COMMANDS)
def trace() -> None:
    """Validate, measure, label, draw and convert orchestration traces.

    Traces are read from JSON and JSONL files, also compressed, from folders of them, and
    from standard input where a file is named "-".
    """


@click.group(cls=LazyGroup, table=MAINTENANCE)
def dev() -> None:
    """Maintain a corpus: format, number, accept, merge drivers, forms, audits."""
