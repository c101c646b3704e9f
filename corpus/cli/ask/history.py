"""`corpus history`."""

from functools import partial

import click

from corpus.analysis.claims.evaluate import needed_tables
from corpus.analysis.history.timeline import (
    State,
    history_grid,
    history_json,
    history_summary,
    subject_of,
    timeline,
)
from corpus.cli.options import Texts, echo_report, format_option, judged_study_option
from corpus.curation.changes.delta import Delta
from corpus.model.codebook import Codebook
from corpus.model.study import Study
from corpus.tables.git.repository import GitRevision, Repository


@click.command()
@click.argument("subject", nargs=-1)
@format_option("text", "markdown", "json")
@judged_study_option
def history(subject: Texts, format_: str, study: Study) -> None:
    """Show how counts, cells and claims moved, and the change that moved each.

    SUBJECT is a claim, a column, or filters such as credit_granularity=message that an entry must
    pass all of. Without it, the rows of the pool and of the exclusion log are counted.

    Reads every commit that changed the data folder, and the working tree. A claim is evaluated as
    it is written today; entries and terms that were renamed have their names of today.
    """
    asked = subject_of(subject, study)
    # Asked of today's corpus first: a misspelt column or term is a mistake, not an empty history.
    asked.values(study)
    tables = set[str]().union(
        *(needed_tables(claim, study.codebook) for claim in asked.claims(study.codebook))
    )
    now = study.with_tables({name: study.tables[name] for name in tables})

    def needed(book: Codebook) -> list[str]:
        return [name for name in book.tables if name in tables]

    def read(commit: str) -> Study:
        return Delta.between(repository.study(commit, needed), now).carried

    repository = Repository(study.root)
    revisions = repository.revisions()
    states: list[State] = [(revision, partial(read, revision.commit)) for revision in revisions]
    states.append((GitRevision("", "working tree", "", ""), lambda: study))
    note = repository.shallow_advice().lstrip("; ")
    moved = repository.moved_from(revisions[0]) if revisions else ""
    if moved:
        note += f" The data were in {moved} before {revisions[0].label}; that is not read."
    points = timeline(asked, states)
    echo_report(
        format_,
        lambda: [history_grid(points)],
        history_summary(points, note),
        100,
        json=lambda: history_json(asked, points, note),
    )
