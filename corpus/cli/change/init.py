"""`corpus init`."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click

import corpus.curation.importing
from corpus.cli.change.asking import show_account, verbose_option
from corpus.cli.options import echo_grids, flag, option
from corpus.curation.importing.account import Account, import_account
from corpus.curation.importing.decisions import (
    ExclusionWish,
    decision_columns,
    excluded_rows,
    parse_excluded,
    settled_columns,
    split_excluded,
)
from corpus.curation.importing.names import key_name
from corpus.curation.importing.new_corpus import (
    Start,
    is_requirement,
    living_files,
    new_corpus_files,
    toolkit_requirement,
)
from corpus.curation.importing.plan import ColumnPlan, parse_map, plan_columns
from corpus.curation.importing.pool.pool import Imported, make_pool
from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.readers.formats import FORMATS
from corpus.curation.importing.readers.reading import read_foreign
from corpus.curation.importing.readers.records import ImportedRecord, Records
from corpus.curation.importing.report import finding_lines
from corpus.model.finding import CorpusError
from corpus.model.suggestions import unknown
from corpus.model.table import MAX_COLUMNS
from corpus.printing.escape import terminal
from corpus.printing.grid import Grid
from corpus.tables.documents import read_codebook
from corpus.tables.location import CODEBOOK_FILE, shown_path, writable_data
from corpus.tables.writing.atomic import is_filled, write_all_atomic, write_new_folder
from corpus.tables.writing.lock import locked

_EXAMPLE = "example.csv"
#: Two rows are too few to tell these from free text.
_EXAMPLE_KINDS = ("topic=topic:term", "methods=methods:tags")


class _FileOptions(NamedTuple):
    """What the command line tells about a file to start from; nothing where there is none."""

    source: str | None
    maps: tuple[str, ...]
    drop: tuple[str, ...]
    excluded_where: tuple[str, ...]
    reason: str | None
    stage: str | None
    keep_excluded: bool
    only_plan: bool
    force: bool
    format_: str | None
    encoding: str | None
    sheet: str | None

    @property
    def place(self) -> str:
        """The file as findings show it."""
        return shown_path(self.source or _EXAMPLE)


class _Planned(NamedTuple):
    """The records of a file, those that stay and those excluded, and what each column becomes."""

    records: Records
    kept: Records
    excluded: list[ImportedRecord]
    wish: ExclusionWish
    plans: list[ColumnPlan]


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path())
@option("--from FILE", "Start from the records of this file.", "source", type=click.Path())
@option(
    "--map SOURCE=COLUMN[:KIND]",
    "Name the column that a source column becomes (title, authors, year, venue, doi, url, ... "
    "or a new name), and its kind: term, tags, text, year, integer, number, date, url. Repeatable.",
    "maps",
    multiple=True,
)
@option("--drop SOURCE", "Leave a source column out. Repeatable.", multiple=True)
@option(
    "--excluded-where COLUMN=VALUE[,VALUE]",
    "Put these records into the exclusion log; * is any value. Repeatable.",
    multiple=True,
)
@option("--reason SOURCE", "Column with the reason of an exclusion.")
@option("--stage SOURCE", "Column with the screening stage of an exclusion.")
@flag("--keep-excluded", "Put records that the file excludes into the pool.")
@flag("--plan", "Show what each column would become and write nothing.", "only_plan")
@flag(
    "--force",
    "Import also where the account of the source does not close, or titles repeat or lack.",
)
@verbose_option
@flag("--template", "Start from two made-up rows; the default without --from.")
@option("--title TEXT", "Title of the new corpus.")
@flag(
    "--living",
    "Add the tables for searching, screening and coverage; also to a corpus that exists.",
)
@option(
    "--toolkit REQUIREMENT",
    "What the workflows install this toolkit from, as pip takes it (name==version, "
    "name @ address); else the release of this version.",
)
@option("--format FORMAT", "Format of FILE where its name does not tell.", "format_")
@option("--encoding NAME", "Encoding of FILE where it is not recognised.")
@option("--sheet NAME", "Sheet of a workbook.")
def init(
    folder: str,
    template: bool,
    title: str | None,
    living: bool,
    toolkit: str | None,
    verbose: bool,
    **options: Any,
) -> None:
    """Start a new corpus, from a template or from what you have.

    DIR gets a complete repository: tables, guides, license, issue form, and the workflows that
    check and comment on pull requests, make figures and reports, and publish the page. FILE may
    be CSV, TSV, Excel, JSON, JSON Lines, YAML, BibTeX, RIS, Web of Science, PubMed, EndNote, Ovid,
    DBLP or Markdown (an awesome list), also as Zotero, Scopus, OpenAlex, Covidence and Rayyan
    export them. Columns are recognised and shown; import-report.md lists what became of everything.
    DIR must be empty or not exist.

    With --living the corpus can run searches (`corpus retrieve`), screen what they find (`corpus
    screen`) and keep verdicts on other lists (`corpus coverage`). Where DIR is a corpus already,
    it gets what it lacks of this and nothing else changes.
    """
    file = _FileOptions(**options)
    if file.source is None and any(file):
        raise click.UsageError("options about a file go with --from FILE")
    if file.source is not None and template:
        raise click.UsageError("start from a FILE or from the template, not from both")
    if toolkit is not None and not is_requirement(toolkit):
        raise click.UsageError(
            f"--toolkit takes a name, name==version or 'name @ address', not {toolkit!r}"
        )
    if living and file.source is None and _is_corpus(folder):
        _add_living(folder)
        return
    if file.only_plan:
        _show(_planned(file))
        return
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise click.UsageError(f"{folder} is a file")
    if is_filled(folder):
        raise click.UsageError(f"{folder} is not empty; name a new folder")
    planned = _planned(file)
    if file.source is not None:
        _show(planned)
    imported, account = _imported(planned, file)
    start = _start(folder, title, file.source, toolkit or toolkit_requirement())
    files = new_corpus_files(start, imported, planned.kept if file.source else None, account)
    if living:
        codebook = f"data/{CODEBOOK_FILE}"
        extended, added = living_files(files[codebook])
        files = {**files, codebook: extended}
        files |= {f"data/{name}": text for name, text in added.items()}
    write_new_folder(folder, files)
    _report(folder, files, planned.kept, imported, file.source)
    if file.source is not None:
        show_account(account, verbose)


def _planned(file: _FileOptions) -> _Planned:
    """Read the file, or the example, and decide what becomes of its records and columns."""
    records = _records(file)
    wish = parse_excluded(file.excluded_where, file.reason or "", file.stage or "")
    if not wish.values and file.source is not None and not file.keep_excluded:
        wish = _confirmed_wish(records, file.place, wish)
    kept, excluded, decided = records, list[ImportedRecord](), list[str]()
    if wish.values:
        kept, excluded = split_excluded(records, wish)
    if excluded:
        decided = settled_columns(kept, wish)
    maps = _EXAMPLE_KINDS if file.source is None else file.maps
    rows = [record.cells for record in kept.rows]
    plans = plan_columns(kept.columns, rows, parse_map(maps), file.drop, decided)
    return _Planned(records, kept, excluded, wish, plans)


def _records(file: _FileOptions) -> Records:
    if file.source is None:
        package = os.path.dirname(corpus.curation.importing.__file__)
        return read_foreign(os.path.join(package, "files", _EXAMPLE), _EXAMPLE, name="csv")
    if file.format_ is not None and file.format_ not in FORMATS:
        raise click.UsageError(unknown("format", file.format_, FORMATS))
    return read_foreign(
        file.source, file.place, name=file.format_, encoding=file.encoding, sheet=file.sheet
    )


def _confirmed_wish(records: Records, place: str, wish: ExclusionWish) -> ExclusionWish:
    """Ask whether the records that a file excludes go to the log.

    Raises
    ------
    CorpusError
        I110 where nobody can be asked.
    """
    columns = decision_columns(records)
    if not columns:
        return wish
    column = columns[0]
    excluded = sum(column.excluded.values())
    if sys.stdin.isatty() and sys.stderr.isatty():
        question = (
            f"{terminal(column.name)} excludes {excluded} of {len(records.rows)} records. "
            "Put them into the exclusion log?"
        )
        if click.confirm(question, default=True, err=True):
            return column.wish(wish.reason, wish.stage)
        return wish
    finding = rules.DECISIONS.at(
        place,
        column=column.name,
        excluded=f"{excluded:,}",
        records=f"{len(records.rows):,}",
        wish=repr(column.option),
        reason="" if wish.reason else " (and --reason COLUMN)",
    )
    raise CorpusError([finding])


def _show(planned: _Planned) -> None:
    """Show what becomes of each column, how the source was read, and what was skipped."""
    rows = []
    for plan in planned.plans:
        rows.append((plan.source, plan.name or "(left out)", plan.kind.name, plan.kind.reason))
    header = ("in the source", "in the pool", "kind", "why")
    echo_grids([Grid("", header, tuple(rows))], 100)
    for line in (*planned.records.remarks, *finding_lines(planned.records.findings)):
        click.echo(terminal(line), err=True)


def _imported(planned: _Planned, file: _FileOptions) -> tuple[Imported, Account]:
    """Return the tables of the new corpus and the account of the file.

    Raises
    ------
    CorpusError
        Where there are too many columns; where the account does not close or titles repeat, unless
        --force is given.
    """
    imported = make_pool(planned.kept, planned.plans)
    if len(imported.columns) > MAX_COLUMNS:
        # A few columns more than the source has: the key, and bibliographic ones that every pool
        # gets.
        columns, limit = f"{len(imported.columns):,}", f"{MAX_COLUMNS:,}"
        raise CorpusError([rules.TOO_WIDE.at(file.place, found=columns, limit=limit)])
    if planned.excluded:
        shown = os.path.basename(file.source or "")
        found = excluded_rows(planned.excluded, planned.plans, planned.wish, shown)
        imported = imported._replace(excluded=found)
    kept = planned.kept.rows
    account = import_account(planned.records, kept, imported, file.place, file.force)
    return imported, account


def _start(folder: str, title: str | None, source: str | None, toolkit: str) -> Start:
    name = os.path.basename(os.path.abspath(folder))
    words = name.replace("-", " ").replace("_", " ").strip().capitalize()
    origin = os.path.basename(source) if source else "the template"
    return Start(
        id=key_name([name]),
        title=title or words or "New corpus",
        description="TODO: what this corpus is about, and which question it answers.",
        source=origin,
        toolkit=toolkit,
    )


def _is_corpus(folder: str) -> bool:
    return any(Path(folder, name).is_file() for name in (CODEBOOK_FILE, f"data/{CODEBOOK_FILE}"))


def _add_living(folder: str) -> None:
    """Give a corpus that exists what a living survey needs besides."""
    data = writable_data(folder)
    with locked(data, read_codebook(data)):
        codebook = Path(data, CODEBOOK_FILE)
        existing = {path.name for path in Path(data).iterdir()}
        extended, files = living_files(codebook.read_text("utf-8"), existing)
        if not files:
            click.echo("nothing to add: the codebook declares all tables and documents", err=True)
            return
        # The codebook comes last: nothing that it declares is missing at any time.
        contents = {str(Path(data, name)): text for name, text in files.items()}
        write_all_atomic({**contents, str(codebook): extended})
    click.echo(f"added to {folder}: {', '.join(files)}", err=True)
    click.echo("Next: write searches.toml and protocol.toml; corpus retrieve --check", err=True)


def _report(
    folder: str, files: Mapping[str, str], records: Records, imported: Imported, source: str | None
) -> None:
    """Tell what was written and where to look next."""
    entries = f"{len(imported.rows)} entries"
    if imported.excluded is not None:
        entries += f", {len(imported.excluded.rows)} excluded"
    click.echo(
        f"wrote {folder}: {entries}, {len(files)} files. Next: corpus check --data {folder}",
        err=True,
    )
    if source and (imported.unplaced or records.findings):
        number = len(imported.unplaced) + len(records.findings)
        report = os.path.join(folder, "import-report.md")
        click.echo(f"places that need a look: {number}, in {report}", err=True)
