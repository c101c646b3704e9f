"""`corpus init`."""

from __future__ import annotations

import os

import click

from corpus.cli.options import echo
from corpus.curation.importing.names import key_name
from corpus.curation.importing.new_corpus import Start, new_corpus_files
from corpus.curation.importing.plan import ColumnPlan, Wishes, parse_map, plan_columns
from corpus.curation.importing.readers.formats import FORMATS
from corpus.curation.importing.readers.pool import make_pool
from corpus.curation.importing.readers.reading import read_foreign
from corpus.curation.importing.readers.records import Records
from corpus.model.suggestions import unknown
from corpus.printing.escape import terminal
from corpus.printing.findings import findings_text
from corpus.printing.grid import Grid, grid_text
from corpus.tables.atomic import is_filled, write_new_folder
from corpus.tables.location import shown_path

_EXAMPLE = "example.csv"
#: Two rows are too few to tell these from free text.
_EXAMPLE_KINDS = ("topic=topic:term", "methods=methods:tags")


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path())
@click.option(
    "--from",
    "source",
    metavar="FILE",
    type=click.Path(),
    help="Start from the records of this file.",
)
@click.option(
    "--map",
    "maps",
    metavar="SOURCE=COLUMN[:KIND]",
    multiple=True,
    help="Name the column that a source column becomes (title, authors, year, venue, doi, url, ... "
    "or a new name), and its kind: term, tags, text, year, integer, number, date, url. Repeatable.",
)
@click.option("--merge", is_flag=True, help="Make one term of spellings that are nearly alike.")
@click.option(
    "--plan",
    "only_plan",
    is_flag=True,
    help="Show what each column would become and write nothing.",
)
@click.option("--title", metavar="TEXT", help="Title of the new corpus.")
@click.option(
    "--format", "format_", metavar="FORMAT", help="Format of FILE where its name does not tell."
)
@click.option("--encoding", metavar="NAME", help="Encoding of FILE where it is not recognised.")
@click.option("--sheet", metavar="NAME", help="Sheet of a workbook.")
def init(
    folder: str,
    source: str | None,
    maps: tuple[str, ...],
    merge: bool,
    only_plan: bool,
    title: str | None,
    **reading: str | None,
) -> None:
    """Start a new corpus, from a template or from what you have.

    Without --from, DIR gets a template to fill. FILE may be CSV, TSV, Excel, JSON, JSON Lines,
    YAML, BibTeX, RIS or Markdown (an awesome list), also as Zotero, Covidence and Rayyan export
    them. Columns are recognised and shown; import-report.md says what became of everything. DIR
    must be empty or not exist.
    """
    if source is None and (maps or merge or only_plan or any(reading.values())):
        raise click.UsageError(
            "--map, --merge, --plan, --format, --encoding and --sheet go with --from FILE"
        )
    if not only_plan:
        _refuse_filled(folder)
    records = _records(source, reading)
    asked = parse_map(maps if source is not None else _EXAMPLE_KINDS)
    plans = plan_columns(
        records.columns, [record.cells for record in records.rows], Wishes(asked, merge_all=merge)
    )
    if source is not None:
        _show(plans, records)
    if not only_plan:
        _write(folder, title, source, records, plans)


def _refuse_filled(folder: str) -> None:
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise click.UsageError(f"{folder} is a file")
    if is_filled(folder):
        raise click.UsageError(f"{folder} is not empty; name a new folder")


def _records(source: str | None, reading: dict[str, str | None]) -> Records:
    if source is None:
        import corpus.curation.importing

        example = os.path.join(
            os.path.dirname(corpus.curation.importing.__file__), "files", _EXAMPLE
        )
        return read_foreign(example, _EXAMPLE, name="csv")
    name = reading["format_"]
    if name is not None and name not in FORMATS:
        raise click.UsageError(unknown("format", name, FORMATS))
    return read_foreign(
        source, shown_path(source), name=name, encoding=reading["encoding"], sheet=reading["sheet"]
    )


def _show(plans: list[ColumnPlan], records: Records) -> None:
    """Show what becomes of each column, how the source was read, and what was skipped."""
    rows = tuple(
        (plan.source, plan.name or "(left out)", plan.kind.name, plan.reason) for plan in plans
    )
    echo(grid_text(Grid("", ("in the source", "in the pool", "kind", "why"), rows), 100))
    for plan in plans:
        for merge in plan.merges:
            pair = f"{merge.rarer} and {merge.commoner}"
            echo(f"{plan.name}: {pair} may be one term ({merge.reason}); see --merge\n")
    for remark in records.remarks:
        click.echo(terminal(remark), err=True)
    if records.findings:
        click.echo(findings_text(records.findings), err=True, nl=False)


def _write(
    folder: str, title: str | None, source: str | None, records: Records, plans: list[ColumnPlan]
) -> None:
    name = os.path.basename(os.path.abspath(folder))
    shown = os.path.basename(source) if source else "the template"
    start = Start(
        id=key_name([name]),
        title=title
        or name.replace("-", " ").replace("_", " ").strip().capitalize()
        or "New corpus",
        description="TODO: what this corpus is about, and which question it answers.",
        source=shown,
    )
    imported = make_pool(records, plans)
    files = new_corpus_files(start, imported, records if source else None)
    write_new_folder(folder, files)
    entries = len(imported.rows)
    click.echo(
        f"wrote {folder}: {entries} entries, {len(files)} files. "
        f"Next: corpus check --data {folder}",
        err=True,
    )
    if source and (imported.unplaced or records.findings):
        number = len(imported.unplaced) + len(records.findings)
        click.echo(
            f"places that need a look: {number}, in {os.path.join(folder, 'import-report.md')}",
            err=True,
        )
