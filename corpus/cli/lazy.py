"""A click group that imports a command only when it is run, and turns findings into exit codes."""

import contextlib
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Any

import click

from corpus.cli import CLOSED_PIPE, FINDINGS, INTERRUPTED, INTERRUPTION
from corpus.cli.commands import Entry
from corpus.cli.options import report_findings, tell
from corpus.cli.runner_log import guarded
from corpus.model.finding import CorpusError, RefusedChange, UsageProblem, unknown

#: Heading of the help -> name -> command.
Table = Mapping[str, Mapping[str, Entry]]


class LazyGroup(click.Group):
    """A group whose commands are declared in :mod:`corpus.cli.commands`.

    Parameters
    ----------
    table : mapping of str to mapping
        Heading of the help -> its commands.
    hidden : mapping, optional
        The same of commands that can be called and are not listed.
    closing : str
        What the help ends with.

    Attributes
    ----------
    lazy : dict of str to Entry
        The commands that are listed.

    Notes
    -----
    A :class:`CorpusError` prints its findings to stderr and exits 1, a :class:`UsageProblem` exits
    2, a system error (no space, no permission) is one line and exits 1. An interrupt exits 130, a
    reader of the output that ended first (`corpus list | head`) 141. No traceback reaches a user
    for bad input.
    """

    def __init__(
        self,
        *args: Any,
        table: Table,
        hidden: Table = MappingProxyType({}),
        closing: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.table = table
        self.closing = closing
        self.lazy: dict[str, Entry] = {}
        for of_heading in table.values():
            self.lazy.update(of_heading)
        self.callable = dict(self.lazy)
        for of_heading in hidden.values():
            self.callable.update(of_heading)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands in the order in which they are declared."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and return it, its examples below its help."""
        entry = self.callable.get(cmd_name)
        if entry is None:
            return None
        place, _, *examples = entry
        module, attribute = place.split(":")
        command: click.Command = getattr(import_module(f"corpus.cli.{module}"), attribute)
        command.epilog = "\n".join(["\b", "Examples:", *map("  {}".format, examples)])
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Suggest the nearest command where the given one does not exist."""
        name = "".join(args[:1])
        if name and name not in self.callable and not name.startswith("-"):
            raise click.UsageError(unknown("command", name, self.callable), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the declared one-line helps."""
        for heading, commands in self.table.items():
            with formatter.section(heading):
                formatter.write_dl([(name, entry[1]) for name, entry in commands.items()])
        if self.closing:
            formatter.write_paragraph()
            formatter.write_text(self.closing)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """Complete command names without importing any command."""
        from click.shell_completion import CompletionItem

        found = []
        for name, entry in self.lazy.items():
            if name.startswith(incomplete):
                found.append(CompletionItem(name, help=entry[1]))
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
        with guarded():
            return super().main(args, prog_name, complete_var, *more, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; see the class for what becomes of errors."""
        try:
            return super().invoke(ctx)
        except CorpusError as error:
            report_findings(error.findings)
            if isinstance(error, RefusedChange):
                tell("Nothing was written: the new rows would bring these findings.")
            tell("`corpus check --explain CODE` explains a code.")
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
