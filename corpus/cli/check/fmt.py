"""`corpus fmt`."""

import click

from corpus.cli.options import data_option, echo_findings, flag, format_option, tell
from corpus.model.finding import CorpusError
from corpus.tables.documents import read_codebook
from corpus.tables.location import find_data, shown_path
from corpus.tables.writing.journal import replace_tables
from corpus.tables.writing.lock import locked
from corpus.tables.writing.writer import fix_files


@click.command()
@flag("--check", "Change nothing; report what is not canonical and exit 1.")
@format_option("text", "json", "github")
@data_option
def fmt(check: bool, format_: str, data: str | None) -> None:
    """Write every table in canonical form.

    The canonical form is sorted by key, UTF-8, LF, NFC, quoted only where needed.

    Byte order marks, other line ends, blank lines, a missing final newline and columns in the wrong
    order are fixed; no cell is changed otherwise. Where something needs a person, all files stay
    as they are.
    """
    folder = find_data(data)
    book = read_codebook(folder)
    if check:
        fixed = fix_files(folder, book)
        findings = fixed.broken + fixed.wrong
        echo_findings(format_, findings)
        if findings or fixed.texts:
            raise SystemExit(1)
        return
    with locked(folder, book):
        fixed = fix_files(folder, book)
        if fixed.broken:
            raise CorpusError(fixed.broken)
        replace_tables(folder, fixed.texts)
    if format_ != "text":
        echo_findings(format_, fixed.wrong)
        return
    for path in fixed.texts:
        shown = shown_path(path)
        codes = {finding.code for finding in fixed.wrong if finding.file == shown}
        reasons = ", ".join(sorted(codes))
        tell(f"{shown}: written in canonical form ({reasons})")
