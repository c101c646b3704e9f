"""`corpus diff`."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from corpus.cli.options import (
    Texts,
    data_option,
    echo,
    echo_report,
    flag,
    format_option,
    option,
    terminal_columns,
)
from corpus.curation.changes import report as rendering
from corpus.curation.changes.changes import compare
from corpus.curation.changes.consequences import follow_terms
from corpus.curation.changes.headline import ChangeReport
from corpus.curation.changes.sentence import citations
from corpus.curation.changes.weakened import (
    broken_seals,
    checking_files,
    findings_under,
    proposed_acceptances,
    proposed_findings,
    released_keys,
    releases_of,
    unlogged_findings,
    weakening_findings,
    weakenings,
)
from corpus.curation.check.accepted import without_rows
from corpus.curation.check.check import check_corpus
from corpus.model.finding import CorpusError, new_findings
from corpus.model.study import Study
from corpus.printing.findings import counts
from corpus.publishing.outputs.build import MANIFEST, root_of, stale_findings
from corpus.publishing.outputs.catalogue import outputs_of
from corpus.tables.git.repository import Repository, folder_snapshot, named_snapshot
from corpus.tables.location import find_data


@click.command()
@click.argument("base", required=False)
@click.argument("head", required=False)
@option(
    "--under DIR",
    "Check the newer data under the codebook and protocol of this folder, too, "
    "instead of those of BASE.",
    type=click.Path(exists=True, file_okay=False),
)
@flag("--all", "Print every table of the report, not only the sentences at its top.", "all_")
@format_option("text", "markdown", "json", "github")
@data_option
def diff(
    base: str | None,
    head: str | None,
    under: str | None,
    all_: bool,
    format_: str,
    data: str | None,
) -> None:
    """Show what a change does to rows, counts, cells, gaps and claims.

    BASE and HEAD are git revisions, folders with a corpus, or files in the form of the pool.
    Without HEAD the working tree is compared; without BASE, with the commit at which the current
    branch left the default branch.

    Where codebook or protocol differ, every entry that does is listed, and what the newer data
    would fail under the older ones: those of BASE, or with --under those of another folder.

    Exit code 1 where the newer state has errors, which are then listed first.
    """
    try:
        report = _change_report(base, head, under, data)
    except CorpusError as error:  # a codebook that cannot be read
        if format_ != "markdown":
            raise
        echo(rendering.unread_markdown(error.findings), format_)
        raise SystemExit(1) from None
    echo_report(
        format_,
        text=partial(rendering.changes_text, report, terminal_columns(), all_),
        json=partial(rendering.changes_json, report),
        markdown=partial(rendering.changes_markdown, report),
        github=partial(rendering.changes_github, report),
    )
    if counts(report.findings)["errors"]:
        raise SystemExit(1)


def _change_report(
    base: str | None, head: str | None, under: str | None, data: str | None
) -> ChangeReport:
    folder = find_data(data, own=True)
    # Where a branch left its base: what was merged there since is not this change.
    if base is None:
        repository = Repository(folder)
        commit, name = repository.merge_base()
        before = repository.snapshot(commit, name, may_lack=True)
    else:
        before = named_snapshot(base, folder, may_lack=True)
    after = folder_snapshot(folder) if head is None else named_snapshot(head, folder)
    # Rows can be compared wherever they can be read; counts need valid tags on both sides.
    note = ""
    if not before.countable:
        note = f"{before.label} has errors itself, so what the change moves is not worked out."
    elif not after.countable:
        note = "What the change moves is worked out once the errors are fixed."
    # A file that one of the states could not read tells nothing about the rows of the other.
    unread = before.unread | after.unread
    base_state = before
    followed = follow_terms(before.corpus, after.corpus)
    before = replace(before, corpus=followed.study)
    old, new = before.corpus.without_files(unread), after.corpus.without_files(unread)
    changes = compare(old, new)
    unaccepted = proposed_acceptances(old, new, changes)
    proposed = proposed_findings(new, unaccepted)
    judged = without_rows(new, unaccepted)
    checked = partial(check_corpus, schemas=False, complete=True)
    findings = checked(after.folder or after, unaccepted=unaccepted)
    inherited = []
    # Only where something is wrong is the older state checked as well.
    if findings:
        known = []
        roots = (before.corpus.root, after.corpus.root)
        for finding in checked(before.folder or base_state):
            known.append(finding._replace(file=finding.file.replace(*roots)))
        own = new_findings(findings, known)
        inherited = [finding for finding in findings if finding not in own]
    releases = releases_of(after)
    days = [release.date for release in releases if release not in releases_of(before)]
    weakened = weakenings(old, new, changes, broken_seals(before, after), judged, days)
    traceless = list(weakening_findings(weakened, after.corpus.root))
    if after.countable:
        traceless += unlogged_findings(before.corpus, after.corpus, changes, released_keys(before))
    moved = None
    if before.countable and after.countable:
        moved = followed.moved(base_state.corpus, after.corpus, changes.renamed, judged)
    # A table that cannot be read is an error already, and its rows cannot be checked again.
    under_older = []
    if set(after.corpus.tables) == set(after.corpus.codebook.tables):
        older = before
        if under is not None:
            older = folder_snapshot(find_data(under), under, may_lack=True)
        under_older = findings_under(older, after.corpus, findings)
    # Generated files exist on disk only, so a revision has none to compare.
    stale: Texts = ()
    generated = 0
    if head is None and after.countable:
        try:
            stale, generated = _stale(folder, after.corpus)
        except CorpusError as error:
            note = f"Generated files are not compared: {error.findings[0].message}"
    return ChangeReport(
        before=before.label,
        after=after.label,
        codebook=after.corpus.codebook,
        changes=changes,
        consequences=moved,
        findings=sorted([*findings, *traceless, *proposed]),
        stale=stale,
        note=note,
        under_older=under_older,
        citations=citations(changes, old, new),
        unread=sorted(unread),
        generated=generated,
        release=releases[-1].id if releases else "",
        weakened=weakened,
        checking=checking_files(folder, before, after),
        inherited=inherited,
        terms=followed.terms,
    )


def _stale(folder: str, study: Study) -> tuple[tuple[str, ...], int]:
    """Return the files that `corpus build --check` names, and how many there are in all.

    None are stale where nothing was ever built.
    """
    root = root_of(folder)
    if not (Path(root) / MANIFEST).exists():
        return (), 0
    files = dict.fromkeys(finding.file for finding in stale_findings(study, root))
    expected = {output.path for output in outputs_of(study) if not output.local}
    return tuple(files), len({MANIFEST, *expected})
