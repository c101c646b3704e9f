"""Ask for cells, one after the other, with the codebook's definitions; show lines and accounts.

Plain lines, no arrow keys.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence

import click

from corpus.cli.options import flag
from corpus.curation.importing.account import Account
from corpus.model.codebook import Codebook, Column, Vocabulary
from corpus.printing.escape import terminal, terminal_lines

_WIDTH = 96


def ask_cell(column: Column, book: Codebook, proposed: str, choices: Sequence[str] = ()) -> str:
    """Ask for one cell; an empty answer takes what is proposed.

    Parameters
    ----------
    column : Column
        Its definition is shown; a term column shows its vocabulary, numbered.
    book : Codebook
        Where the vocabulary stands.
    proposed : str
        The cell so far.
    choices : sequence of str
        Allowed values of a column without vocabulary; any text where empty.
    """
    click.echo(err=True)
    show(f"{column.label} ({column.name}): {column.definition}")
    if column.type == "term":
        return _ask_terms(column, book.vocabulary_of(column), proposed)
    for number, choice in zip(_numbers(choices), choices, strict=True):
        show(f"{number:>3}  {choice}", indent=5)
    while True:
        answer = _prompt(proposed)
        # An empty answer is none of the choices, and all the same right where a cell may be empty.
        if choices and answer and answer not in choices:
            picked = _numbered(answer, choices)
            if picked is None:
                show(f"{answer!r} is not a choice; {_wanted(choices)}.")
                continue
            answer = picked
        if answer or not column.required:
            return answer
        show("This cell must not be empty.")


def _ask_terms(column: Column, vocabulary: Vocabulary, proposed: str) -> str:
    longest = max(map(len, vocabulary.ids))
    for number, term in zip(_numbers(vocabulary.ids), vocabulary.terms, strict=True):
        show(f"{number:>3}  {term.id:<{longest}}  {term.definition}", indent=longest + 7)
    if column.separator:
        show(f"Several are separated by {column.separator.strip()!r}.")
    while True:
        answer = _prompt(proposed)
        parts = column.values(answer)
        picked = [_numbered(part, vocabulary.ids) for part in parts]
        if None not in picked and (picked or not column.required):
            return column.separator.join(filter(None, picked))
        show(f"{_wanted(vocabulary.ids).capitalize()}.")


def _numbers(choices: Sequence[str]) -> list[str]:
    """Return the numbers by which choices are picked; empty ones where a choice is a number."""
    if any(choice.isdecimal() for choice in choices):
        return [""] * len(choices)
    return [str(number) for number in range(1, len(choices) + 1)]


def _wanted(choices: Sequence[str]) -> str:
    number = f"a number from 1 to {len(choices)} or " if all(_numbers(choices)) else ""
    return f"give {number}a term as it is written above"


def _numbered(answer: str, choices: Sequence[str]) -> str | None:
    """Return the choice that a number or the text itself names."""
    if answer in choices:
        return answer
    numbers = _numbers(choices)
    if answer and answer in numbers:
        return choices[numbers.index(answer)]
    return None


def _prompt(proposed: str) -> str:
    shown = f" [{terminal(proposed)}]" if proposed else ""
    answer: str = click.prompt(
        f" {shown}", default="", show_default=False, prompt_suffix=" > ", err=True
    )
    # A terminal may send bytes that are not UTF-8; they are dropped, and the reader sees it in the
    # row that is shown.
    text = answer.encode("utf-8", "ignore").decode()
    return unicodedata.normalize("NFC", text.strip()) or proposed


def confirm(question: str) -> bool:
    """Ask a question that is answered by yes or no; no is the default."""
    return click.confirm(question, default=False, err=True)


def show(text: str, indent: int = 0) -> None:
    """Write a line for the reader to stderr, wrapped, nothing in it interpreted by the terminal."""
    lines = textwrap.wrap(
        terminal(text), _WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False
    )
    click.echo(terminal_lines("\n".join(lines)), err=True)


verbose_option = flag("--verbose", "List what looks like a work in FILE and did not arrive.")


def show_account(account: Account, verbose: bool, name: str = "") -> None:
    """Print the account in one line; with `verbose` each place that it does not account for."""
    before = f"{name}: " if name else ""
    click.echo(terminal(f"{before}{account.line()}"), err=True)
    if verbose:
        for detail in account.details():
            click.echo(terminal(f"  {detail}"), err=True)
