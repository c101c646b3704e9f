"""`corpus export`."""

import os
import sys

import click

from corpus.cli.options import (
    Texts,
    data_option,
    echo,
    echo_bytes,
    flag,
    option,
    output_option,
    tell,
    where_option,
)
from corpus.model.filters import parse_filters
from corpus.model.finding import UsageProblem, refuse_unknown
from corpus.printing.grid import plural
from corpus.publishing.export.folder import refuse_own_files, write_folder
from corpus.publishing.export.formats import (
    FOLDER,
    FORMATS,
    TABLE,
    export_all,
    export_bytes,
    export_files,
    names_of_kind,
)
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import find_data
from corpus.tables.writing.atomic import write_atomic

_HELP = f"""Write the corpus in the format of another tool.

Without --out the result goes to stdout; of a format that is a folder, its main file does
(datapackage.json, a dataset card). A folder is only ever written where an export made it.
FORMAT is one of: {", ".join(FORMATS)}.
"""


@click.command(help=_HELP)
@click.argument("format_", metavar="FORMAT", required=False)
@flag("--all", "Write every format into the folder given with --out.", "everything")
@output_option("--out PATH", "File, or folder for formats that need one.", "out")
@option("--table NAME", f"Table for {', '.join(names_of_kind(TABLE))}; default: the pool.")
@flag("--list", "List the formats and stop.", "list_")
@where_option
@data_option
def export(
    format_: str | None,
    everything: bool,
    out: str | None,
    table: str | None,
    list_: bool,
    where: Texts,
    data: str | None,
) -> None:
    """Write the corpus in the format of another tool."""
    if list_:
        for name, listed in FORMATS.items():
            echo(f"{name:13} {listed.kind:7} {listed.title}")
        return
    if format_ is not None:
        refuse_unknown("format", [format_], FORMATS)
    # Neither of the two, or both.
    if everything == bool(format_):
        raise UsageProblem(
            "name one format, or --all with --out DIR; `corpus export --list` shows them"
        )
    if everything and (out is None or table is not None):
        raise UsageProblem("--all needs --out DIR and takes no --table")
    whole = load_corpus(find_data(data))
    corpus = whole.where(parse_filters(where, whole.codebook.pool, whole.codebook))
    if out is None:
        content = export_bytes(str(format_), corpus, table)
        if FORMATS[str(format_)].binary and sys.stdout.isatty():
            raise UsageProblem(f"{format_} is not text; name a file with -o")
        echo_bytes(content)
        sys.stdout.flush()
        return
    # An export named like a table of the corpus would replace what it was made from.
    refuse_own_files(corpus, out)
    if format_ is None:
        files = export_all(corpus)
        write_folder(out, files)
    elif FORMATS[format_].kind == FOLDER:
        files = export_files(format_, corpus, table)
        write_folder(out, files)
    elif os.path.isdir(out):
        raise UsageProblem(f"{out} is a folder; {format_} is one file")
    else:
        files = {out: export_bytes(format_, corpus, table)}
        write_atomic(out, files[out])
    size = sum(map(len, files.values()))
    tell(f"wrote {out}: {plural(len(files), 'file')}, {size:,} bytes")
