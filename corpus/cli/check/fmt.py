"""`corpus fmt`."""

import click

from corpus.cli.options import data_option, echo_findings, flag, format_option, tell
from corpus.model.finding import CorpusError
from corpus.tables.documents import read_codebook
from corpus.tables.location import find_data, shown_path
from corpus.tables.writing.journal import replace_tables
from corpus.tables.writing.lock import locked, writable_data
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
    folder = find_data(data, own=True) if check else writable_data(data)
    book = read_codebook(folder)
    if check:
        texts, wrong, broken = fix_files(folder, book)
        findings = broken + wrong
        echo_findings(format_, findings)
        if findings or texts:
            raise SystemExit(1)
        return
    with locked(folder, book):
        texts, wrong, broken = fix_files(folder, book)
        if broken:
            raise CorpusError(broken)
        replace_tables(folder, texts)
    if format_ != "text":
        echo_findings(format_, wrong)
        return
    for path in texts:
        shown = shown_path(path)
        codes = {finding.code for finding in wrong if finding.file == shown}
        reasons = ", ".join(sorted(codes))
        tell(f"{shown}: written in canonical form ({reasons})")
