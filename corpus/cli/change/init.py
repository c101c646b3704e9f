"""`corpus init`."""

import os
from pathlib import Path
from typing import Any

import click

import corpus.curation.importing
from corpus.cli.change.asking import show_reading, show_summary, verbose_option
from corpus.cli.options import Texts, echo_grids, flag, option, tell
from corpus.curation.importing.column_plan import parse_map, parse_splits
from corpus.curation.importing.decisions import likely_wish, parse_excluded, parse_excluded_from
from corpus.curation.importing.foreign_file import ForeignFile, best_sheet, sheet_looks
from corpus.curation.importing.names import key_name
from corpus.curation.importing.new_corpus import (
    PAIRS_FILE,
    Start,
    is_requirement,
    living_files,
    new_corpus_files,
    toolkit_requirement,
    with_figures,
    workflow_files,
)
from corpus.curation.importing.readers.reading import FORMATS, read_foreign
from corpus.model.finding import Rule, UsageProblem
from corpus.printing.grid import Grid
from corpus.tables.documents import read_codebook
from corpus.tables.location import CODEBOOK_FILE, shown_path
from corpus.tables.writing.atomic import is_filled, write_all_atomic, write_new_folder
from corpus.tables.writing.lock import locked, writable_data

DECISIONS = Rule(
    "I110",
    "the column {column!r} excludes {excluded} of {records} records, which would be in the pool",
    "put them into the exclusion log with --excluded-where {wish}{reason}, "
    "or into the pool with --keep-excluded",
    title="Excluded records are in the file",
    reason="A screening tool exports what it excluded as well.",
)


_EXAMPLE = "example.csv"
#: Two rows are too few to tell these from free text.
_EXAMPLE_KINDS = ("topic=topic:term", "methods=methods:tags")


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path())
@option(
    "--from FILE",
    "Start from the records of this file, not from two made-up rows.",
    "source",
    type=click.Path(),
)
@option(
    "--map SOURCE=COLUMN[:KIND]",
    "Name the column that a source column becomes (title, authors, year, venue, doi, url, ... "
    "or a new name), and its kind: term, tags, text, year, integer, number, date, url. Repeatable.",
    "maps",
    multiple=True,
)
@option(
    "--split COLUMN=SEP",
    "Divide the cells of this source column into tags at SEP. Repeatable.",
    "splits",
    multiple=True,
)
@option("--drop SOURCE", "Leave a source column out. Repeatable.", multiple=True)
@option(
    "--excluded-where COLUMN=VALUE[,VALUE]",
    "Put these records into the exclusion log; * is any value. Repeatable.",
    multiple=True,
)
@option(
    "--excluded-from SHEET[:COLUMN=VALUE]",
    "Put rows of this other sheet (with the value) into the exclusion log, joined with the pool by "
    "identifier or title. Repeatable.",
    multiple=True,
)
@option("--reason SOURCE", "Column with the reason of an exclusion.")
@option("--stage SOURCE", "Column with the screening stage of an exclusion.")
@flag("--keep-excluded", "Put records that the file excludes into the pool.")
@flag("--plan", "Show sheets, and what each column would become; write nothing.", "only_plan")
@flag("--force", "Import also where the summary does not add up, or titles are missing.")
@verbose_option
@option("--title TEXT", "Title of the new corpus.")
@flag("--living", "Add tables for searching, screening and coverage, also to a corpus that exists.")
@option(
    "--toolkit REQUIREMENT",
    "Let workflows, also of a corpus that exists, install this (name==version, name @ address); "
    "else what is installed.",
)
@option(
    "--format FORMAT",
    "Format of FILE where its name does not tell.",
    "format_",
    type=click.Choice(list(FORMATS)),
)
@option("--encoding NAME", "Encoding of FILE where it is not recognised.")
@option("--sheet NAME", "Sheet of a workbook that has the pool.")
def init(
    folder: str,
    source: str | None,
    only_plan: bool,
    force: bool,
    verbose: bool,
    title: str | None,
    living: bool,
    toolkit: str | None,
    **options: Any,
) -> None:
    """Start a new corpus, from a template or from what you have.

    DIR gets a complete repository: tables, guides, license, issue form, and the workflows that
    check and comment on pull requests, make figures and reports, and publish the page. FILE may
    be CSV, TSV, Excel, JSON, JSON Lines, BibTeX, RIS, Web of Science, PubMed, EndNote XML or
    Markdown (an awesome list), also as Zotero, Scopus, OpenAlex, Covidence and Rayyan export them.
    Columns are recognised and shown; import-report.md lists what became of everything.
    DIR must be empty or not exist.

    With --living the corpus can run searches (`corpus retrieve`), screen what they find (`corpus
    screen`) and keep verdicts on other lists (`corpus coverage`). Where DIR is a corpus already,
    it gets what it lacks of this and nothing else changes.
    """
    if source is None and any((only_plan, force, *options.values())):
        raise UsageProblem("options about a file go with --from FILE")
    if toolkit is not None and not is_requirement(toolkit):
        raise UsageProblem(
            f"--toolkit takes a name, name==version or 'name @ address', not {toolkit!r}"
        )
    codebooks = (Path(folder, CODEBOOK_FILE), Path(folder, "data", CODEBOOK_FILE))
    if (living or toolkit) and source is None and any(map(Path.is_file, codebooks)):
        if toolkit:
            _add_workflows(folder, with_figures(toolkit))
        if living:
            _add_living(folder)
        return
    is_taken = os.path.lexists(folder) and not os.path.isdir(folder)
    if not only_plan and (is_taken or is_filled(folder)):
        raise UsageProblem(f"{folder} is not an empty folder; name a new one")
    file = _read_source(source, **options)
    records = None
    if source is not None:
        records = file.records
        grids = []
        if only_plan and records.sheets:
            grids.append(Grid("", ("sheet", "rows", "looks like"), tuple(sheet_looks(records))))
        rows = []
        for plan in file.plans:
            rows.append((plan.source, plan.name or "(left out)", plan.kind.name, plan.why))
        header = ("in the source", "in the pool", "kind", "why")
        echo_grids([*grids, Grid("", header, tuple(rows))], 100)
        show_reading(records)
        excluded = len(file.excluded) + sum(len(sheet.log) for sheet in file.screened)
        if excluded:
            tell(f"{len(file.kept)} records stay, {excluded} go to the exclusion log")
    if only_plan:
        return
    name = os.path.basename(os.path.abspath(folder))
    words = name.replace("-", " ").replace("_", " ").strip().capitalize()
    start = Start(
        id=key_name([name]),
        title=title or words or "New corpus",
        description="TODO: what this corpus is about, and which question it answers.",
        source=os.path.basename(source or "the template"),
        toolkit=with_figures(toolkit or toolkit_requirement()),
    )
    if not start.toolkit:
        tell(
            "no workflows: only this machine has the toolkit. Name what pip can install elsewhere: "
            f"corpus init {folder} --toolkit 'mas-rl-corpus @ ADDRESS' adds them"
        )
    imported = file.tables(start.source)
    summaries = file.summaries(imported, force)
    files = new_corpus_files(start, imported, records, summaries)
    if living:
        for path, text in living_files(files[f"data/{CODEBOOK_FILE}"]).items():
            files[f"data/{path}"] = text
    write_new_folder(folder, files)
    entries = f"{len(imported.rows)} entries"
    if imported.log:
        entries += f", {len(imported.log)} excluded"
    tell(f"wrote {folder}: {entries}, {len(files)} files. Next: corpus check --data {folder}")
    if source is not None:
        number = len(imported.unplaced) + len(file.records.findings)
        if number:
            report = os.path.join(folder, "import-report.md")
            tell(f"places that need a look: {number}, in {report}")
        if PAIRS_FILE in files:
            tell(f"rows that are one work, or may be: {os.path.join(folder, PAIRS_FILE)}")
        for summary in summaries:
            show_summary(summary, verbose)


def _read_source(
    source: str | None,
    *,
    maps: Texts,
    splits: Texts,
    drop: Texts,
    excluded_where: Texts,
    excluded_from: Texts,
    reason: str | None,
    stage: str | None,
    keep_excluded: bool,
    format_: str | None,
    encoding: str | None,
    sheet: str | None,
) -> ForeignFile:
    """Read the file, or the example, and decide what becomes of its records and columns.

    Raises
    ------
    CorpusError
        I110 where it excludes records, and nobody has told where they belong.
    """
    if source is None:
        path = os.path.join(os.path.dirname(corpus.curation.importing.__file__), "files", _EXAMPLE)
        records = read_foreign(path, _EXAMPLE, name="csv")
        return ForeignFile(records, maps=parse_map(_EXAMPLE_KINDS))
    shown = shown_path(source)
    records = read_foreign(source, shown, name=format_, encoding=encoding, sheet=sheet)
    if records.sheets and not sheet and best_sheet(records) != records.sheet:
        records = records.of_sheet(best_sheet(records)).with_remarks()
    where = (reason or "", stage or "")
    sheets = parse_excluded_from(excluded_from, *where)
    wish = parse_excluded(excluded_where, *where)
    if not wish.values and not keep_excluded:
        likely = likely_wish(records)
        if likely:
            raise DECISIONS.error(
                shown,
                column=next(iter(likely.values)),
                excluded=f"{likely.number:,}",
                records=f"{len(records.rows):,}",
                wish=repr(likely.options[0]),
                reason="" if reason else " (and --reason COLUMN)",
            )
    return ForeignFile(records, wish, parse_map(maps), drop, parse_splits(splits), sheets)


def _add_workflows(folder: str, toolkit: str) -> None:
    """Give a corpus that exists the workflows, which install this toolkit."""
    files = {}
    for name, text in workflow_files(toolkit).items():
        files[str(Path(folder, name))] = text
    write_all_atomic(files)
    tell(f"wrote {', '.join(map(shown_path, files))}")


def _add_living(folder: str) -> None:
    """Give a corpus that exists what a living survey needs besides."""
    data = writable_data(folder)
    with locked(data, read_codebook(data)):
        codebook = Path(data, CODEBOOK_FILE).read_text("utf-8")
        files = living_files(codebook, os.listdir(data))
        if not files:
            tell("nothing to add: the codebook declares all tables and documents")
            return
        # The codebook comes last: nothing that it declares is missing at any time.
        write_all_atomic({str(Path(data, name)): text for name, text in files.items()})
    tell(f"added to {folder}: {', '.join(files)}")
    tell("Next: write searches.toml and protocol.toml; corpus retrieve --check")
