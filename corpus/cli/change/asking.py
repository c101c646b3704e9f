"""Ask for cells, one after the other, with the codebook's definitions; show lines and summaries.

Plain lines, no arrow keys.
"""

import textwrap
import unicodedata
from collections.abc import Sequence

import click

from corpus.cli.options import echo, flag, report_findings, tell
from corpus.curation.edit.revision import Make, Revision, preview, revise
from corpus.curation.importing.import_summary import ImportSummary
from corpus.curation.importing.readers.records import Records
from corpus.curation.lookup.services import by_hand, look_up
from corpus.curation.lookup.transport import Unreachable
from corpus.model.codebook import Codebook, Column
from corpus.model.work import Work
from corpus.printing.escape import terminal

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
    defined = dict.fromkeys(choices, "")
    if column.type == "term":
        defined = {term.id: term.definition for term in book.vocabulary_of(column).terms}
    numbers = list(map(str, range(1, len(defined) + 1)))
    wanted = f"give a number from 1 to {len(defined)} or a term as it is written above"
    if any(map(str.isdecimal, defined)):
        # A number would be that of another choice.
        numbers = [""] * len(defined)
        wanted = "give a term as it is written above"
    names = dict(zip((*numbers, *defined), (*defined, *defined), strict=True))
    longest = max(map(len, defined), default=0)
    for number, (choice, definition) in zip(numbers, defined.items(), strict=True):
        show(f"{number:>3}  {choice:<{longest}}  {definition}", indent=longest + 7)
    if column.type == "term" and column.separator:
        show(f"Several are separated by {column.separator.strip()!r}.")
    while True:
        answer = _prompt(proposed)
        parts = list(filter(None, column.values(answer)))
        if column.required and not parts:
            show("This cell must not be empty.")
        elif not defined:
            return answer
        elif names.keys() >= set(parts):
            return column.separator.join(map(names.__getitem__, parts))
        else:
            show(f"{answer!r} is not a choice; {wanted}.")


def _prompt(proposed: str) -> str:
    shown = " "
    if proposed:
        shown = f"  [{terminal(proposed)}]"
    answer = click.prompt(shown, default="", show_default=False, prompt_suffix=" > ", err=True)
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
    tell("\n".join(lines))


verbose_option = flag("--verbose", "List the identifiers of FILE that did not arrive.")


#: So many lines of a file that were not understood are printed.
_FEW = 20


def show_reading(records: Records, before: str = "") -> None:
    """Print what was guessed about a file, and the first lines that were not understood."""
    for remark in records.remarks:
        tell(f"{before}{remark}")
    report_findings(records.findings, _FEW)


def show_summary(summary: ImportSummary, verbose: bool, before: str = "") -> None:
    """Print the summary in one line; with `verbose` each unmatched identifier."""
    tell(f"{before}{summary.line()}")
    if verbose:
        for detail in summary.details():
            tell(f"  {detail}")


def fetched(reference: str) -> Work:
    """Ask the service that knows a reference.

    Without a connection, report it and take what the reference itself tells.
    """
    try:
        return look_up(reference)
    except Unreachable as error:
        show(f"{error.findings[0].message}; going on by hand")
        return by_hand(reference)


def change(folder: str, make: Make, dry_run: bool, gone: Sequence[str] = ()) -> Revision:
    """Write a change, or show the rows of a dry run; report what it moves.

    `gone` are keys that no entry has afterwards: lines that still have them are listed.
    """
    apply = preview if dry_run else revise
    revision = apply(folder, make)
    report(revision)
    for name in gone:
        if lines := revision.mentions(name):
            tell("\n  ".join([f"Still named {name}, read these lines:", *lines]))
    if dry_run:
        show_rows(revision)
    else:
        report_written(revision)
    return revision


def report(revision: Revision) -> None:
    """Report to stderr what a change moves, the most urgent first, and its new warnings."""
    lines = revision.consequences()
    tell("What changes:" if lines else "No count and no claim changes.")
    for line in lines:
        show(f"  {line}", indent=4)
    report_findings(revision.findings)


def report_written(revision: Revision) -> None:
    """Report to stderr which files were written."""
    tell(f"written: {', '.join(revision.files) or 'nothing'}")


def show_rows(revision: Revision) -> None:
    """Show the rows of a dry run, and the files; exit 1 where there are errors."""
    rows = revision.rows_csv()
    if rows:
        echo(rows, "csv")
    report_unwritten(revision)


def report_unwritten(revision: Revision) -> None:
    """Report which files would be written; exit 1 where there are errors."""
    tell(f"not written: {', '.join(revision.files) or 'nothing'}")
    if revision.errors:
        raise SystemExit(1)
