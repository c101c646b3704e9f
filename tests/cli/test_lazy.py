"""Wrong usage is answered with the usage of the command that was called."""

import re
import shlex

import click
import pytest

from corpus.cli.ask.audit import audit
from corpus.cli.main import dev, main, trace

#: First words of help lines. Add a new one only if it is an imperative.
IMPERATIVES = {
    "Accept", "Add", "Answer", "Bound", "Change", "Check", "Compare", "Convert", "Count", "Decide", "Draw", "Edit", "Find", "Label", "Let", "List", "Log", "Make",
    "Maintain", "Measure", "Merge", "Name", "Number", "Print", "Remove", "Rename", "Replay", "Run", "Show", "Start", "Validate", "Write",
}  # fmt: skip


ALL = [(group, name) for group in (main, dev, audit, trace) for name in group.lazy]


@pytest.mark.parametrize(("group", "name"), ALL)
def test_lists_of_commands_and_the_help_of_each_begin_with_the_same_imperative_line(group, name):
    command = group.get_command(click.Context(group), name)
    line = group.lazy[name][1]
    assert " ".join(command.help.split("\n\n")[0].split()) == line
    assert line.split()[0].rstrip(",") in IMPERATIVES
    assert line.endswith(".")


@pytest.mark.parametrize(("group", "name"), ALL)
def test_examples_of_a_command_call_it_with_options_that_it_has(group, name):
    shown = group.lazy[name][2:]
    assert shown
    for example in shown:
        program, *arguments = shlex.split(example)
        context, command = click.Context(main, info_name=program), main
        while isinstance(command, click.Group) and arguments:
            found, command, arguments = command.resolve_command(context, arguments)
            context = click.Context(command, parent=context, info_name=found)
        meant = group.get_command(click.Context(group), name)
        assert meant in [one.command for one in parents(context)]
        if "--help" not in arguments and not isinstance(command, click.Group):
            context.resilient_parsing = True
            command.parse_args(context, list(arguments))
            assert not [
                one for one in arguments if one.startswith("--") and not known(command, one)
            ]


def parents(context):
    while context.parent is not None:
        yield context
        context = context.parent


def known(command, option):
    return any(option.split("=")[0] in (*one.opts, *one.secondary_opts) for one in command.params)


@pytest.mark.parametrize("name", dev.lazy)
def test_maintenance_keeps_its_old_name_which_git_and_workflows_call(run, name):
    assert run(name, "--help").exit_code == run("dev", name, "--help").exit_code == 0
    assert name not in re.findall(r"(?m)^  ([a-z-]+) ", run("--help").stdout)


def test_a_misspelt_command_is_wrong_usage_with_the_nearest_one(run):
    done = run("stat")
    assert done.exit_code == 2
    assert "did you mean 'stats'" in done.stderr


@pytest.mark.parametrize(
    "call",
    [
        ("edit", "nobody", "--set", "probe=optical"),
        ("list", "--where", "prob=optical"),
        ("claims", "nothing"),
    ],
)
def test_wrong_usage_names_the_command_to_ask_for_help(run, minimal, call):
    done = run(*call, cwd=minimal.parent)
    assert done.exit_code == 2
    # click 8.3 names the short form first, later ones the long
    assert f"{call[0]} --help'" in done.stderr or f"{call[0]} -h'" in done.stderr
