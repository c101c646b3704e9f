"""`corpus history`."""

from __future__ import annotations

import click

from corpus.analysis.history.timeline import (
    History,
    git_states,
    history_csv,
    history_grids,
    history_json,
    history_summary,
    release_states,
    subject_of,
    timeline,
)
from corpus.cli.options import data_option, echo_report, flag, format_option, option, top_option
from corpus.model.finding import UsageProblem
from corpus.tables.corpus_reader import load_corpus
from corpus.tables.git.repository import GitRevision, Repository
from corpus.tables.location import find_data

_WITHOUT_GIT = "--releases reads the states that the corpus keeps itself"


@click.command()
@click.argument("subject", nargs=-1)
@flag("--tags", "Read the tagged commits only.")
@flag("--releases", "Read the releases of the corpus; needs no git.")
@option("--since REVISION", "Start at this revision.")
@top_option(20, "List at most this many changes, the latest.")
@format_option("text", "markdown", "csv", "json")
@data_option
def history(
    subject: tuple[str, ...],
    tags: bool,
    releases: bool,
    since: str | None,
    top: int,
    format_: str,
    data: str | None,
) -> None:
    """Show how counts, cells and claims moved, and the change that moved each.

    SUBJECT is a claim, a column, or filters such as credit_granularity=message that an entry must
    pass all of. Without it, the rows of the pool and of the exclusion log are counted.

    Reads every commit that changed the data folder, and the working tree. A claim is evaluated as
    it is written today.
    """
    if tags and releases:
        raise UsageProblem("--tags and --releases exclude each other")
    if since is not None and (tags or releases):
        raise UsageProblem("--since is for commits, not for --tags or --releases")
    found = _timeline(subject, tags, releases, since, data)
    echo_report(
        format_,
        lambda: history_grids(found, top),
        history_summary(found),
        100,
        csv=lambda: history_csv(found),
        json=lambda: history_json(found),
    )


def _timeline(
    words: tuple[str, ...], tags: bool, releases: bool, since: str | None, data: str | None
) -> History:
    folder = find_data(data)
    today = load_corpus(folder)
    subject = subject_of(words, today)
    # Asked of today's corpus first: a misspelt column or term is a mistake, not an empty history.
    subject.values(today)
    newest = (GitRevision("", "working tree", "", ""), lambda: today)
    if releases:
        return timeline(subject, [*release_states(folder), newest])
    repository = Repository(folder, advice=_WITHOUT_GIT)
    revisions = repository.tagged_revisions() if tags else repository.revisions(since)
    note = ""
    if repository.is_shallow:
        note = (
            "This clone is shallow, so earlier commits are missing: run `git fetch --unshallow` "
            "(in a GitHub workflow: `fetch-depth: 0` for actions/checkout)."
        )
    return timeline(subject, [*git_states(repository, revisions, subject), newest], note)
