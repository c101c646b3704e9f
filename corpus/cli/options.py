"""Options that several commands share, and how they write; progress on a terminal."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial, wraps
from typing import Any

import click

from corpus.cli.runner_log import may_be_logged, unguarded
from corpus.model.codebook import Texts as Texts
from corpus.model.finding import Finding, UsageProblem
from corpus.printing.escape import has_command, json_without_commands, terminal_lines
from corpus.printing.findings import findings_github, findings_json, findings_text
from corpus.printing.grid import Grid, grid_csv, grid_text
from corpus.printing.sinks import grid_in

Decorator = Callable[..., Any]
#: The type of an option or argument that names a file to read.
EXISTING_FILE = click.Path(exists=True, dir_okay=False)


def option(text: str, help: str, name: str = "", **settings: Any) -> Decorator:
    """Add an option, written as the help shows it: ``option("-o --output FILE", "Write here.")``.

    Parameters
    ----------
    text : str
        Its names, then the placeholder of its value.
    help : str
        What it does.
    name : str
        What the command calls it, if not by its first long name.
    **settings
        Those of :func:`click.option`; a default is shown unless `show_default` is False.
    """
    names = [word for word in text.split() if word.startswith("-")]
    settings.setdefault("show_default", settings.get("default") not in (None, ""))
    metavar = text.removeprefix(" ".join(names)).strip()
    return click.option(
        *names, *filter(None, [name]), metavar=metavar or None, help=help, **settings
    )


def flag(text: str, help: str, name: str = "") -> Decorator:
    """Add an option without a value; the command gets whether it was given."""
    return option(text, help, name, is_flag=True)


def completing(what: str) -> Decorator:
    """Return the completer of this kind; :mod:`corpus.cli.completion` is imported if a shell asks.

    Commands that run need nothing of it.
    """

    def completer(context: click.Context, _parameter: click.Parameter, incomplete: str) -> Any:
        from corpus.cli.completion import complete

        return complete(what, context, incomplete)

    return completer


#: The command gets the folder as given, or None.
data_option = option(
    "--data DIR", "Read the corpus in this folder, the one with codebook.toml.", type=click.Path()
)


def study_option(command: Any, own: bool = False, writable: bool = False) -> Any:
    """Add ``--data DIR``; the command gets the corpus that is there, as `study`.

    With `own` the dataset inside the package never takes the place of a corpus that is missing.
    """

    @wraps(command)
    def with_study(*args: Any, data: str | None, **given: Any) -> Any:
        # Commands about traces need none of it.
        from corpus.tables.corpus_reader import load_corpus
        from corpus.tables.location import find_data

        folder = find_data(data, own)
        if writable:
            from corpus.tables.writing.lock import writable_data

            folder = writable_data(data)
        return command(*args, study=load_corpus(folder), **given)

    return data_option(with_study)


#: The same for commands that judge a corpus, and for those that change it.
judged_study_option = partial(study_option, own=True)
own_study_option = partial(study_option, own=True, writable=True)

where_option = option(
    "--where FILTER",
    "Keep entries with COLUMN=VALUE[,VALUE...], COLUMN!=VALUE, COLUMN~TEXT (has the text) "
    "or, of years, dates and numbers, COLUMN>=VALUE; repeatable.",
    multiple=True,
    shell_complete=completing("filters"),
)


def axes_option(help: str) -> Decorator:
    """Add the repeatable ``--by ROWS COLUMNS``; the command gets a tuple of pairs of axes."""
    return option(
        "--by ROWS COLUMNS", help, nargs=2, multiple=True, shell_complete=completing("columns")
    )


def top_option(default: int, help: str) -> Decorator:
    """Add ``--top``: how many items of a list are shown at most."""
    return option("--top", help, type=click.IntRange(0), default=default)


def format_option(*formats: str) -> Decorator:
    """Add ``--format`` with these choices; the first is the default."""
    choice = click.Choice(formats)
    help = "Write the result in this format."
    return option("--format", help, "format_", type=choice, default=formats[0])


def output_option(
    text: str = "OUT", help: str = "Write here instead of to standard output.", name: str = ""
) -> Decorator:
    """Add ``-o``, ``--output`` and what `text` has; the command gets a path or None.

    None means stdout: without the option, and with ``-o -`` as well.
    """

    def path_or_none(_context: click.Context, _option: click.Parameter, value: str | None) -> Any:
        return None if value == "-" else value

    return option(f"-o --output {text}", help, name, type=click.Path(), callback=path_or_none)


# What the commands share that change a corpus.


def set_option(help: str, required: bool = False) -> Decorator:
    """Add the repeatable ``--set COLUMN=VALUE``; the command gets a tuple of texts."""
    return option(
        "--set COLUMN=VALUE",
        help,
        "assignments",
        multiple=True,
        required=required,
        shell_complete=completing("assignments"),
    )


no_input_option = flag("--no-input", "Ask nothing; report what is missing as a finding.")
cascade_option = flag("--cascade", "Remove rows of other tables that refer to the entry as well.")


def dry_run_option(help: str = "Write nothing; show the rows on stdout.") -> Decorator:
    """Add ``--dry-run``: nothing is written."""
    return flag("--dry-run", help)


def names_in(text: str) -> list[str]:
    """Return the names that an option lists with commas, without whitespace around them.

    Of several, one may be empty: whoever looks it up refuses it.
    """
    if not text:
        return []
    return list(map(str.strip, text.split(",")))


def terminal_columns() -> int | None:
    """Return the width of the terminal, or COLUMNS of the environment.

    None where output goes elsewhere and nobody named a width: lines are as long as they are then.
    """
    if not sys.stdout.isatty() and not os.environ.get("COLUMNS", "").isdecimal():
        return None
    # It imports the modules for archives, which a start should not pay for.
    import shutil

    return shutil.get_terminal_size().columns


def tell(text: str) -> None:
    """Write to stderr, as :func:`echo` does to stdout."""
    click.echo(terminal_lines(text), err=True, nl=not text.endswith("\n"))


def report_findings(findings: Sequence[Finding], most: int | None = None) -> bool:
    """Write findings to stderr, after `most` of them only their number; whether there are any."""
    click.echo(findings_text(findings[:most]), err=True, nl=False)
    if most is not None and len(findings) > most:
        tell(f"and {len(findings) - most:,} more findings")
    return bool(findings)


def echo_findings(format_: str, findings: Sequence[Finding], **more: Any) -> None:
    """Write findings to stdout; JSON has `more`, and is written where there are none as well."""
    if findings or format_ == "json":
        echo_report(
            format_,
            text=partial(findings_text, findings),
            json=partial(findings_json, findings, **more),
            github=partial(findings_github, findings),
        )


def _folded(text: str, columns: int | None) -> str:
    """Break long lines at spaces, which a terminal does not; an address stays whole."""
    if columns is None:
        return text
    import textwrap  # only a terminal needs it

    wrapper = textwrap.TextWrapper(columns, break_long_words=False, break_on_hyphens=False)
    lines = text.split("\n")
    for place, line in enumerate(lines):
        if len(line) > columns:
            wrapper.subsequent_indent = " " * (len(line) - len(line.lstrip()) + 2)
            lines[place] = wrapper.fill(line)
    return "\n".join(lines)


def echo_grids(grids: Sequence[Grid], width: int | None = None, below: str = "") -> None:
    """Write tables for people; `width` is for output that goes to no terminal."""
    columns = terminal_columns() or width
    echo("\n".join(map(partial(grid_text, columns=columns), grids)) + below)


def echo_report(
    format_: str,
    grids: Callable[[], Sequence[Grid]] = list,
    summary: str = "",
    width: int | None = None,
    **texts: Callable[[], str],
) -> None:
    """Write a report in the format that was asked for.

    `texts` has the formats that are not made of tables, such as ``json``; `summary` is printed
    below the tables.
    """
    if format_ in texts:
        echo(texts[format_](), format_)
        return
    below = f"\n{summary}\n" if summary else ""
    if format_ == "text":
        echo_grids(grids(), width, below)
        return
    if format_ == "csv":
        written = grid_csv(grids())
    else:
        written = grid_in({"markdown": "md", "latex": "tex"}[format_], grids())
    echo(written + below, format_)


def echo(text: str, format_: str = "text") -> None:
    """Write a result to stdout as UTF-8, whatever the locale is.

    It is written whole: click alone drops escape sequences.

    Parameters
    ----------
    text : str
        The result.
    format_ : str
        What it is. Text and Markdown are for people: a runner's commands in them are shown as
        escapes, and so is in text what a terminal would obey. In JSON they are escaped without a
        change of value. The annotations of "github" are commands and are written as they are. Any
        other format is data, which must not change: it is refused where it could end in the log of
        a runner.

    Raises
    ------
    UsageProblem
        Where data contain a runner's command and may reach its log.
    """
    stream: Any = sys.stdout
    encoding = (stream.encoding or "").lower()
    if encoding not in ("utf-8", "utf8") and hasattr(stream, "reconfigure"):
        stream.reconfigure(encoding="utf-8", errors="replace")
    newline = not text.endswith("\n")
    if format_ == "text":
        text = _folded(terminal_lines(text), terminal_columns())
    elif format_ == "json":
        text = json_without_commands(text)
    elif format_ not in ("markdown", "github"):
        refuse_commands(text)
    if format_ not in ("text", "markdown"):
        stream = unguarded(stream)
    click.echo(text, file=stream, nl=newline, color=True)


def echo_bytes(content: bytes) -> None:
    """Write a file to stdout as it is; see :func:`echo` for what is refused."""
    # Latin-1 reads any bytes, and the characters of a command are the same in it.
    refuse_commands(content.decode("latin-1"))
    sys.stdout.buffer.write(content)


def refuse_commands(text: str) -> None:
    """Raise UsageProblem where a text for programs has a runner's command and may reach its log."""
    if may_be_logged(unguarded(sys.stdout)) and has_command(text):
        raise UsageProblem(
            "the output has a command for the workflow runner whose log it may reach; write it "
            "to a file, with -o FILE or > FILE"
        )


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[..., None]]:
    """Show a progress bar on standard error.

    Yields a function that moves the bar on by a number, and may name what comes next; without a
    terminal it does nothing.
    """
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(
        console=console, transient=True, redirect_stdout=False, redirect_stderr=False
    ) as bar:
        task = bar.add_task(what, total=total)
        yield lambda count, now=what: bar.update(task, advance=count, description=escape(now))
