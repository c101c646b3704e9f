"""Commands that change a corpus as a user types them, and what is in its files afterwards."""

import re

from click.testing import CliRunner

from corpus.cli.main import main
from corpus.tables.corpus_reader import load_corpus


def run(*arguments, answers=None):
    """Run a command; `answers` are typed one after the other."""
    typed = None if answers is None else "".join(f"{answer}\n" for answer in answers)
    words = [str(word) for word in arguments]
    return CliRunner().invoke(main, words, input=typed, catch_exceptions=False)


def given(**cells):
    """Return the options that give cells."""
    return [part for name, cell in cells.items() for part in ("--set", f"{name}={cell}")]


def contents(folder):
    """Return the content of every file of a corpus."""
    return {path: path.read_bytes() for path in folder.rglob("*.[ct]*")}


def row(folder, *key, table=""):
    """Return the cells of a row of a table, of the pool unless told otherwise."""
    corpus = load_corpus(str(folder))
    found = corpus.tables[table] if table else corpus.pool
    return dict(zip(found.spec.header, found.by_key()[key], strict=True))


def rewrite(path, old, new):
    """Replace a text in a file, which has it."""
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def codes(result):
    """Return the codes of the findings that a command reports."""
    return re.findall(r"(?<!\S)C[0-9]+(?!\S)", result.stderr)
