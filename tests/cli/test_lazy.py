"""Wrong usage is answered with the usage of the command that was called."""

import click
import pytest

from corpus.cli.main import COMMANDS, SECTIONS, main


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_and_the_help_of_each_begin_with_the_same_line(name):
    command = main.get_command(click.Context(main), name)
    assert command.help.split("\n\n")[0].strip() == COMMANDS[name][1]


def test_every_command_is_in_one_section_of_the_help():
    listed = [name for names in SECTIONS.values() for name in names]
    assert sorted(listed) == sorted(COMMANDS)


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
def test_wrong_usage_names_the_command_to_ask_for_help(run, soil, call):
    done = run(*call, cwd=soil.parent)
    assert done.exit_code == 2
    # click 8.3 names the short form first, later ones the long
    assert f"{call[0]} --help'" in done.stderr or f"{call[0]} -h'" in done.stderr
