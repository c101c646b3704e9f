"""Every command that a message, a help text or a docstring names exists, with its options."""

import re
from pathlib import Path

import click

import corpus
from corpus.cli.main import main

ROOT = Path(corpus.__file__).parent
NAMED = re.compile(r"`corpus ([a-z][^`]*)`|: corpus ([a-z][a-z-]*(?: (?:--)?[A-Za-z][A-Za-z=-]*)*)")


def commands_named():
    for path in sorted(ROOT.rglob("*.py")):
        # A string that goes on in the next line is one string.
        text = re.sub(r'"\s*\n\s*f?"', "", path.read_text("utf-8"))
        for match in NAMED.finditer(re.sub(r"\n\s*(?:#: ?)?", " ", text)):
            yield path.relative_to(ROOT).as_posix(), match[1] or match[2]


def problem(words):
    """Return what is wrong with the words behind `corpus`, or an empty string."""
    command, context = main, click.Context(main)
    rest = words.split()
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        name = rest.pop(0).rstrip(".,;:)")
        command = command.get_command(context, name)
        if command is None:
            return f"no command {name}"
    options = {"--help", "--version"}
    for parameter in command.params:
        options.update(parameter.opts, parameter.secondary_opts)
    unknown = [word for word in rest if word.startswith("--") and word.split("=")[0] not in options]
    return f"no option {unknown}" if unknown else ""


def test_each_exists():
    found = list(commands_named())
    assert len(found) > 50
    wrong = {(file, words, problem(words)) for file, words in found if problem(words)}
    assert wrong == set()


def test_what_does_not_exist_is_noticed():
    assert problem("edit KEY --rename NEW")
    assert problem("mend")
    assert not problem("edit KEY --set key=NEW")
