"""`corpus coverage`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import click

from corpus.cli.change.asking import show_account, verbose_option
from corpus.cli.options import (
    EXISTING_FILE,
    data_option,
    echo_report,
    flag,
    format_option,
    top_option,
)
from corpus.curation.coverage import report as printed
from corpus.curation.coverage.coverage import ROLE, coverage, with_unseen
from corpus.curation.coverage.listed import WorkList, read_list
from corpus.curation.edit.revision import revise
from corpus.curation.importing.readers.formats import FORMATS
from corpus.curation.importing.report import finding_lines
from corpus.curation.retrieval.candidates import listed_candidates
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.model.table import Row
from corpus.printing.escape import terminal
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.location import find_data, shown_path, writable_data


@click.command()
@click.option(
    "--against",
    "files",
    metavar="FILE",
    multiple=True,
    type=EXISTING_FILE,
    help="Compare with this list; repeatable.",
)
@click.argument("more", nargs=-1, metavar="[FILE]...", type=EXISTING_FILE)
@click.option(
    "--name",
    "names",
    metavar="NAME",
    multiple=True,
    help="Call the lists so, in their order; by default as their files.",
)
@click.option(
    "--version",
    "versions",
    metavar="TEXT",
    multiple=True,
    help="The version of each list, in their order: a commit, an edition, a date.",
)
@click.option(
    "--from",
    "from_",
    type=click.Choice(list(FORMATS)),
    help="Read the lists as this format; by default as they show.",
)
@flag(
    "--independent",
    help="State that the lists and the pool were compiled independently, and estimate how many "
    "works there are in all.",
)
@flag("--write", help="Add the unseen works to the table of coverage.")
@flag(
    "--candidates",
    "collect_",
    help="Add the works whose verdict is in scope to the table of candidates, and stop.",
)
@flag("--force", help="Go on where the account of a list does not close.")
@verbose_option
@top_option(20, "Print at most this many unseen works.")
@format_option("text", "markdown", "csv", "json")
@data_option
def coverage_command(
    files: tuple[str, ...],
    more: tuple[str, ...],
    names: tuple[str, ...],
    versions: tuple[str, ...],
    from_: str | None,
    independent: bool,
    write: bool,
    collect_: bool,
    force: bool,
    verbose: bool,
    top: int,
    format_: str,
    data: str | None,
) -> None:
    """Compare other people's lists with the corpus, to find what it has missed.

    Takes everything that `corpus init` reads. Works are recognised by identifier, title, or nearly
    the same title. With --write every unseen work becomes a row of the table of coverage, which
    waits for a verdict and its reason; a claim of the kind "covered" holds once none waits. Works
    whose verdict is in the group in_scope become candidates by --candidates.
    """
    # A shell expands a pattern after --against to one value and arguments.
    paths = (*files, *more)
    if collect_:
        if paths or write:
            raise UsageProblem("--candidates reads verdicts and no list; leave the rest out")
        _collect(writable_data(data))
        return
    if not files:
        raise UsageProblem("name a list with --against")
    folder = writable_data(data) if write else find_data(data)
    study = load_corpus(folder)
    if write:
        # Refuses a corpus without the table before a long comparison.
        study.table_of(ROLE)
    called = _names(paths, names)
    if versions and len(versions) != len(paths):
        raise UsageProblem(f"--version is there {len(versions)} times for {len(paths)} lists")
    lists = []
    for path, name in zip(paths, called, strict=True):
        lists.append(read_list(path, shown_path(path), name, from_, force))
    _show_findings(lists)
    report = coverage(study, lists, independent)
    echo_report(
        format_,
        lambda: printed.coverage_grids(report, top),
        printed.estimate_text(report.estimate),
        csv=lambda: printed.coverage_csv(report),
        json=lambda: printed.coverage_json(report, lists),
    )
    for listed in lists:
        if listed.account is not None:
            show_account(listed.account, verbose, listed.name)
    if write:
        today = date.today().isoformat()
        given = dict(zip(called, versions, strict=False))

        def make(now: Study) -> dict[str, list[Row]]:
            # Compared again: somebody may have added works since the corpus was read.
            return with_unseen(now, coverage(now, lists), given, today)

        revision = revise(folder, make)
        written = ", ".join(revision.files) or "nothing, no work is new"
        click.echo(f"written: {written}", err=True)


def _collect(folder: str) -> None:
    load_corpus(folder).table_of(ROLE)
    revision = revise(folder, listed_candidates)
    written = ", ".join(revision.files) or "nothing, no verdict in scope waits"
    click.echo(f"written: {written}", err=True)


def _names(paths: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return what the lists are called, each another name."""
    if names and len(names) != len(paths):
        raise UsageProblem(f"--name is there {len(names)} times for {len(paths)} lists")
    called = list(names)
    if not called:
        called = [Path(path).stem for path in paths]
    repeated = sorted({name for name in called if called.count(name) > 1})
    if repeated:
        raise UsageProblem(f"two lists are called {repeated[0]!r}; tell them apart with --name")
    return called


def _show_findings(lists: Sequence[WorkList]) -> None:
    for listed in lists:
        for remark in listed.remarks:
            click.echo(terminal(f"{listed.name}: {remark}"), err=True)
        for line in finding_lines(listed.findings):
            click.echo(terminal(line), err=True)
