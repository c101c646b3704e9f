"""`corpus codebook`."""

from typing import Any

import click

from corpus.cli.change.asking import report, report_unwritten, report_written, show
from corpus.cli.options import Texts, echo_grids, flag, option, own_study_option, tell
from corpus.curation.edit.revision import preview, revise
from corpus.curation.edit.term_sheet import HEADER, CodebookChange, sheet_rows
from corpus.curation.importing.readers.reading import read_foreign
from corpus.model.finding import CorpusError, UsageProblem
from corpus.model.study import Study
from corpus.printing.escape import csv_cell
from corpus.printing.grid import Grid
from corpus.publishing.export.workbook import one_sheet
from corpus.tables.location import shown_path
from corpus.tables.writing.atomic import write_atomic
from corpus.tables.writing.writer import csv_text

_WIDTHS = (28, 28, 28, 28, 60, 8, 40)


@click.command()
@option("--export FILE", "Write the sheet: .csv, or a workbook.", "target", type=click.Path())
@option("--import FILE", "Show what a filled sheet changes.", "source", type=click.Path())
@option(
    "--change COLUMN:TERM=NEW",
    "Change one name as the sheet does; COLUMN=NEW is that of a column. Repeatable.",
    "changes",
    multiple=True,
)
@flag("--yes", "Write the changes.")
@own_study_option
def codebook(
    target: str | None, source: str | None, changes: Texts, yes: bool, study: Study
) -> None:
    """Edit terms, labels and definitions as a sheet.

    The sheet has a row for each column and term, with how many rows use it and two of them. A
    co-author fills in labels and definitions. In `new term`, a new name renames, a name that
    another term has or gets merges both, several with semicolons divide a term, and - drops a term
    or a column; in the row of a column a new name is that of the column. Tables, claims, all
    documents and the issue form follow; texts that print a number by its old name do not, and
    `corpus render --check` names them. Without an option the sheet is printed.

    --import and --change show what would change; --yes writes it. A divided term of a column with
    one term per row stays until its rows are decided: they are listed.
    """
    rows = sheet_rows(study)
    if target:
        _export(target, rows)
    elif source or changes:
        _change(study, source, changes, yes)
    else:
        echo_grids([Grid("", HEADER, tuple(rows))])


def _export(target: str, rows: Any) -> None:
    table = [HEADER, *rows]
    if target.endswith(".csv"):
        content = csv_text(map(csv_cell, row) for row in table).encode()
    else:
        content = one_sheet("codebook", _WIDTHS, table)
    write_atomic(target, content)
    tell(f"wrote {target}: {len(rows)} rows")


def _change(study: Study, source: str | None, changes: Texts, yes: bool) -> None:
    """Show what a sheet and single changes do, or write it."""
    wanted = CodebookChange(study)
    if source:
        findings = wanted.add_sheet(read_foreign(source, shown_path(source)))
        if findings:
            raise CorpusError(findings)
    for text in changes:
        place, sign, new = text.partition("=")
        column, _, term = place.partition(":")
        if not sign or not new:
            raise UsageProblem(f"--change takes COLUMN:TERM=NEW, not {text!r}")
        for _, problem in wanted.add({"column": column, "term": term, "new term": new}):
            raise UsageProblem(problem)
    for line in wanted.lines():
        show(line)
    for line in wanted.undecided:
        tell(f"  to decide: {line}")
    revision = (revise if yes else preview)(study.root, wanted.apply)
    # A column that is only renamed counts what it counted.
    report(revision._replace(before=wanted.with_columns(study)))
    if yes:
        report_written(revision)
        return
    report_unwritten(revision)
