"""`corpus export`."""

import os
import sys

import click

from corpus.cli.options import (
    Texts,
    echo_bytes,
    flag,
    option,
    output_option,
    study_option,
    tell,
    where_option,
)
from corpus.model.filters import parse_filters
from corpus.model.finding import UsageProblem, refuse_unknown
from corpus.model.study import Study
from corpus.printing.grid import plural
from corpus.publishing.export.folder import refuse_own_files, write_folder
from corpus.publishing.export.formats import (
    FOLDER,
    FORMATS,
    OF_TABLES,
    export_all,
    export_bytes,
    export_files,
)
from corpus.tables.writing.atomic import write_atomic

_HELP = """Write the corpus in the format of another tool.

Without --out the result goes to stdout; of a format that is a folder, its main file does
(datapackage.json). A folder is written where there is none, or an empty one.

\b
"""
_HELP += "\n".join(f"{name:13} {format_.title}" for name, format_ in FORMATS.items())


@click.command(help=_HELP)
@click.argument("format_", metavar="FORMAT", required=False)
@flag("--all", "Write every format into the folder given with --out.", "everything")
@output_option("--out PATH", "File, or folder for formats that need one.", "out")
@option("--table NAME", f"Table for {', '.join(OF_TABLES)}; default: the pool.")
@where_option
@study_option
def export(
    format_: str | None,
    everything: bool,
    out: str | None,
    table: str | None,
    where: Texts,
    study: Study,
) -> None:
    """Write the corpus in the format of another tool."""
    if format_ is not None:
        refuse_unknown("format", [format_], FORMATS)
    # Neither of the two, or both.
    if everything == bool(format_):
        raise UsageProblem("name one format, or --all with --out DIR")
    if everything and (out is None or table is not None):
        raise UsageProblem("--all needs --out DIR and takes no --table")
    corpus = study.where(parse_filters(where, study.codebook.pool, study.codebook))
    if out is None:
        content = export_bytes(str(format_), corpus, table)
        if b"\0" in content and sys.stdout.isatty():
            raise UsageProblem(f"{format_} is not text; name a file with -o")
        echo_bytes(content)
        sys.stdout.flush()
        return
    # An export named like a table of the corpus would replace what it was made from.
    refuse_own_files(corpus, out)
    if format_ is not None and FORMATS[format_].kind != FOLDER:
        if os.path.isdir(out):
            raise UsageProblem(f"{out} is a folder; {format_} is one file")
        files = {out: export_bytes(format_, corpus, table)}
        write_atomic(out, files[out])
    else:
        files = export_files(format_, corpus, table) if format_ else export_all(corpus)
        write_folder(out, files)
    size = sum(map(len, files.values()))
    tell(f"wrote {out}: {plural(len(files), 'file')}, {size:,} bytes")
