"""A click group that imports a command only when it is run, and turns findings into exit codes."""

import contextlib
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import groupby
from typing import Any

import click

from corpus.cli import CLOSED_PIPE, FINDINGS, INTERRUPTED, INTERRUPTION
from corpus.cli.options import report_findings, tell
from corpus.cli.runner_log import guarded
from corpus.model.finding import CorpusError, RefusedChange, UsageProblem, unknown

#: The variable by which a shell asks for completions.
COMPLETION = "_CORPUS_COMPLETE"


class LazyGroup(click.Group):
    """A group whose commands are named as ``"module:attribute"`` beside their one-line help.

    Parameters
    ----------
    table : str
        The headings of the help, below each its commands with their places in `corpus.cli`, each
        with the line of its help below it.

    Attributes
    ----------
    lazy : dict of str to (str, str, str)
        Command -> heading, place, one-line help.

    Notes
    -----
    A :class:`CorpusError` prints its findings to stderr and exits 1, a :class:`UsageProblem` exits
    2, a system error (no space, no permission) is one line and exits 1. An interrupt exits 130, a
    reader of the output that ended first (`corpus list | head`) 141. No traceback reaches a user
    for bad input.

    Examples
    --------
    >>> LazyGroup(table="Ask\\n  list = ask.entries:list_entries\\n    List entries.").lazy
    {'list': ('Ask', 'ask.entries:list_entries', 'List entries.')}
    """

    def __init__(self, *args: Any, table: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lazy: dict[str, tuple[str, str, str]] = {}
        heading = ""
        lines = map(str.strip, table.strip().split("\n"))
        for line in lines:
            name, is_command, target = line.partition(" = ")
            if is_command:
                self.lazy[name] = (heading, target, next(lines))
            else:
                heading = name

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands in the order in which they are declared."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and return it."""
        if cmd_name not in self.lazy:
            return None
        _, target, _ = self.lazy[cmd_name]
        module, attribute = target.split(":")
        command: click.Command = getattr(import_module(f"corpus.cli.{module}"), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Suggest the nearest command where the given one does not exist."""
        name = "".join(args[:1])
        if name and name not in self.lazy and not name.startswith("-"):
            raise click.UsageError(unknown("command", name, self.lazy), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the declared one-line helps."""
        for heading, commands in groupby(self.lazy.items(), lambda command: command[1][0]):
            with formatter.section(heading):
                formatter.write_dl([(name, line) for name, (_, _, line) in commands])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Complete command names without importing any command."""
        from click.shell_completion import CompletionItem

        found = []
        for name, (_, _, line) in self.lazy.items():
            if name.startswith(incomplete):
                found.append(CompletionItem(name, help=line))
        return found

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        *more: Any,
        **extra: Any,
    ) -> Any:
        """Run with both output streams guarded; complete only where there is no command to run.

        No text that leaves through a guarded stream is a command for a workflow runner.

        The variable by which a shell asks for completions makes click answer, and exit 0, whatever
        the arguments are: set in the environment of a workflow, it would let every check pass.
        Shells ask without arguments.
        """
        given = sys.argv[1:] if args is None else args
        if given:
            complete_var = ""  # the name of no variable
        elif COMPLETION in os.environ:
            from corpus.cli.completion import register

            register()
        with guarded():
            return super().main(args, prog_name, complete_var, *more, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; see the class for what becomes of errors."""
        try:
            return super().invoke(ctx)
        except CorpusError as error:
            report_findings(error.findings)
            tell(_closing(error))
            ctx.exit(FINDINGS)
        except UsageProblem as problem:
            # The usage of the command that was run is printed above it.
            name = ctx.invoked_subcommand
            command = self.get_command(ctx, name or "")
            if command is not None:
                ctx = click.Context(command, parent=ctx, info_name=name)
            raise click.UsageError(str(problem), ctx) from None
        except BrokenPipeError:
            # The reader of our output ended first, as in `corpus list | head`. Nothing is printed,
            # but a gate whose findings nobody could read has not passed.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(CLOSED_PIPE)
        except KeyboardInterrupt:
            tell(INTERRUPTION)
            ctx.exit(INTERRUPTED)
        except OSError as error:
            # stderr itself may be what cannot be written.
            with contextlib.suppress(OSError):
                tell(f"Error: {_file_of(error)}{error.strerror or error}")
            ctx.exit(FINDINGS)


def _file_of(error: OSError) -> str:
    """Return the file that an error is about, a temporary one by the name of its target."""
    if not isinstance(error.filename, str):
        return ""
    from corpus.tables.writing.atomic import TEMPORARY

    folder, name = os.path.split(error.filename)
    if temporary := TEMPORARY.fullmatch(name):
        name = temporary["target"]
    return f"{os.path.join(folder, name)}: "


def _closing(error: CorpusError) -> str:
    """Return the line after the findings that stopped a command: what to run next."""
    if isinstance(error, RefusedChange):
        return (
            "Nothing was written: the new rows would bring these findings; "
            "`corpus check --explain CODE` explains them."
        )
    for finding in error.findings:
        # C7 is about sources in the network, other letters about traces and outputs.
        if finding.code.startswith("C") and not finding.code.startswith("C7"):
            return (
                "`corpus check` lists everything that is wrong, "
                "`corpus check --explain CODE` explains it."
            )
    return "`corpus check --explain CODE` explains a code."
