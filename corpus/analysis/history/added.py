"""When each entry was added, by releases and by git."""

from datetime import date

from corpus.analysis.claims.releases import load_release, read_releases
from corpus.model.finding import CorpusError, UsageProblem
from corpus.model.study import Study
from corpus.tables.git.repository import Repository


def added_days(study: Study) -> dict[str, str]:
    """Return the day on which each entry was added, as YYYY-MM-DD; empty where nothing tells it.

    An entry of a release has the day of the first one that has it. What no release has yet was
    added by the first commit that has it, or today where none does.
    """
    waiting = set(study.entries)
    days: dict[str, str] = dict.fromkeys(waiting, "")
    if not study.sources:  # it was made in memory
        return days
    for release in read_releases(study.root):
        here = waiting & set(load_release(release, study.root).pool.names())
        days |= dict.fromkeys(here, release.date)
        waiting -= here
    try:
        repository = Repository(study.root)
        revisions = repository.revisions() if waiting else []
    except UsageProblem:
        return days
    later = date.today().isoformat()
    for revision in reversed(revisions):
        try:
            known = repository.study(revision.commit, lambda book: [book.pool.name])
        except (CorpusError, UsageProblem):
            # What was there cannot be read: the state after it is taken for the first one.
            continue
        missing = waiting - set(known.pool.names())
        days |= dict.fromkeys(missing, later)
        waiting -= missing
        later = revision.date
        if not waiting:
            break
    if revisions:
        days |= dict.fromkeys(waiting, later)
    return days
