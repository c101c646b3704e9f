"""`corpus fmt`."""

from __future__ import annotations

import click

from corpus.cli.options import data_option, echo, format_option


@click.command()
@click.option("--check", is_flag=True, help="Change nothing; say what is not canonical and exit 1.")
@format_option("text", "json", "github")
@data_option
@click.pass_context
def fmt(ctx: click.Context, check: bool, format_: str, data: str | None) -> None:
    """Write every table in canonical form: sorted by key, UTF-8, LF, NFC, quoted only where needed.

    Byte order marks, other line ends, blank lines, a missing final newline and columns in the wrong order are mended;
    no cell is changed otherwise. Where something needs a person, all files stay as they are.
    """
    from corpus.model.finding import CorpusError
    from corpus.printing.findings import RENDERERS
    from corpus.tables.documents import read_codebook
    from corpus.tables.form import mend_files
    from corpus.tables.journal import replace_tables
    from corpus.tables.location import find_data, shown_path
    from corpus.tables.lock import locked

    folder = find_data(data)
    book = read_codebook(folder)
    if check:
        mended = mend_files(folder, book)
        findings = mended.broken + mended.wrong
        if findings or format_ == "json":
            echo(RENDERERS[format_](findings), format_)
        ctx.exit(1 if findings or mended.texts else 0)
    with locked(folder, book):
        mended = mend_files(folder, book)
        if mended.broken:
            raise CorpusError(mended.broken)
        replace_tables(folder, mended.texts)
    if format_ != "text":
        if mended.wrong or format_ == "json":
            echo(RENDERERS[format_](mended.wrong), format_)
        return
    for path in mended.texts:
        codes = sorted({finding.code for finding in mended.wrong if finding.file == shown_path(path)})
        click.echo(f"{shown_path(path)}: written in canonical form ({', '.join(codes)})", err=True)
