"""`corpus history`."""

from collections.abc import Callable
from functools import partial
from itertools import chain

import click

from corpus.analysis.history.timeline import (
    git_states,
    history_csv,
    history_grids,
    history_json,
    history_summary,
    release_states,
    subject_of,
    timeline,
)
from corpus.cli.options import (
    Texts,
    echo_report,
    flag,
    format_option,
    judged_study_option,
    option,
    top_option,
)
from corpus.curation.changes.delta import Delta
from corpus.model.finding import UsageProblem
from corpus.model.study import Study
from corpus.tables.git.repository import GitRevision, Repository

_WITHOUT_GIT = "--releases reads the states that the corpus keeps itself"


@click.command()
@click.argument("subject", nargs=-1)
@flag("--tags", "Read the tagged commits only.")
@flag("--releases", "Read the releases of the corpus; needs no git.")
@option("--since REVISION", "Start at this revision.")
@top_option(20, "List at most this many changes, the latest.")
@format_option("text", "markdown", "csv", "json")
@judged_study_option
def history(
    subject: Texts,
    tags: bool,
    releases: bool,
    since: str | None,
    top: int,
    format_: str,
    study: Study,
) -> None:
    """Show how counts, cells and claims moved, and the change that moved each.

    SUBJECT is a claim, a column, or filters such as credit_granularity=message that an entry must
    pass all of. Without it, the rows of the pool and of the exclusion log are counted.

    Reads every commit that changed the data folder, and the working tree. A claim is evaluated as
    it is written today; entries, terms and columns that were renamed have their names of today.
    """
    if [tags, releases, since is not None].count(True) > 1:
        raise UsageProblem("--tags, --releases and --since exclude each other")
    asked = subject_of(subject, study)
    # Asked of today's corpus first: a misspelt column or term is a mistake, not an empty history.
    asked.values(study)
    needed = asked.tables(study.codebook)
    now = study.with_tables({name: study.tables[name] for name in needed})

    def under_names_of_today(read: Callable[[], Study]) -> Study:
        return Delta.between(read(), now).carried

    note = ""
    if releases:
        states = release_states(study.root)
    else:
        repository = Repository(study.root, advice=_WITHOUT_GIT)
        revisions = repository.tagged_revisions() if tags else repository.revisions(since)
        states = git_states(repository, revisions, needed)
        if repository.shallow_advice():
            note = (
                "This clone is shallow, so earlier commits are missing: run `git fetch "
                "--unshallow` (in a GitHub workflow: `fetch-depth: 0` for actions/checkout)."
            )
        moved = repository.moved_from(revisions[0]) if revisions else ""
        if moved:
            note += f"The data were in {moved} before {revisions[0].label}; that is not read."
    today = (GitRevision("", "working tree", "", ""), lambda: study)
    carried = ((revision, partial(under_names_of_today, read)) for revision, read in states)
    found = timeline(asked, chain(carried, [today]), note)
    echo_report(
        format_,
        lambda: history_grids(found, top),
        history_summary(found),
        100,
        csv=lambda: history_csv(found),
        json=lambda: history_json(found),
    )
