"""Wrong usage is answered with the usage of the command that was called."""

import click
import pytest

from corpus.cli.main import main, trace

#: First words of help lines. Add a new one only if it is an imperative.
IMPERATIVES = {
    "Accept", "Add", "Change", "Check", "Compare", "Convert", "Count", "Decide", "Draw", "Find", "Label", "Let", "List", "Log", "Make",
    "Measure", "Merge", "Name", "Number", "Print", "Query", "Remove", "Rename", "Replay", "Run", "Search", "Show", "Start", "Validate", "Write",
}  # fmt: skip


@pytest.mark.parametrize(
    ("group", "name"),
    [*((main, name) for name in main.lazy), *((trace, name) for name in trace.lazy)],
)
def test_lists_of_commands_and_the_help_of_each_begin_with_the_same_imperative_line(group, name):
    command = group.get_command(click.Context(group), name)
    line = group.lazy[name][-1]
    assert " ".join(command.help.split("\n\n")[0].split()) == line
    assert line.split()[0].rstrip(",") in IMPERATIVES
    assert line.endswith(".")


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
