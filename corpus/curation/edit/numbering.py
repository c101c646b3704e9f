"""Running numbers of excluded records: given on the default branch, never twice.

Two branches would take the same next number. So a record of a branch is named by its work, and the
default branch numbers it after the merge. Where both sides of a merge have the same number all the
same, the records of the later side get the next free ones.
"""

from corpus.curation.changes.changes import with_renamed_keys
from corpus.curation.check.check_rules import UNNUMBERED
from corpus.curation.edit.rows import next_record, under_new_keys
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.model.work import Work
from corpus.tables.git.repository import Repository

#: Table -> old name of a record -> its number.
Numbers = dict[str, dict[str, str]]


def numbers(study: Study) -> Numbers:
    """Return the numbers that records without one get, in the order in which they were screened."""
    found: Numbers = {}
    for log in study.by_role("exclusions"):
        new: dict[str, str] = {}
        for _, name in sorted(zip(log.role_column("date"), log.names(), strict=True)):
            if name.startswith(UNNUMBERED):
                new[name] = next_record([*log.names(), *new.values()])
        found[log.spec.name] = new
    return found


def numbered(study: Study) -> Study:
    """Return the corpus in which every excluded record has a number, and what names it follows."""
    return under_new_keys(study, study, numbers(study))


def with_free_numbers(data: str, ours: Table, theirs: Table) -> tuple[Table, Table]:
    """Return the sides of a table that git merges, the later one with free numbers.

    It gets new ones for the records whose numbers the earlier side has given to other works.

    Parameters
    ----------
    data : str
        The data folder, in a repository in which git is merging.
    ours, theirs : Table
        The table of each side.
    """
    repository = Repository(data)
    sides = repository.merging()
    if sides is None:
        return ours, theirs
    states = []
    for commit in (sides.base, sides.earlier, sides.later):
        states.append(repository.snapshot(commit, commit, may_lack=True).corpus)
    base, earlier, later = states
    found: Numbers = {}
    for log in later.by_role("exclusions"):
        found[log.spec.name] = _collisions(log, earlier, base)
    for table in with_renamed_keys(later, found).changed_tables(later):
        name = table.spec.name
        # git asks no driver about a file that one side alone has changed, or both alike.
        if _rows_of(earlier, name) in (_rows_of(base, name), later.tables[name].rows):
            return ours, theirs
    side = ours if sides.is_ours_later else theirs
    only = later.with_tables({side.spec.name: side})
    numbered_side = with_renamed_keys(only, found).tables[side.spec.name]
    if sides.is_ours_later:
        return numbered_side, theirs
    return ours, numbered_side


def _collisions(log: Table, earlier: Study, base: Study) -> dict[str, str]:
    """Return new numbers for added records whose names the earlier side gave to other works."""
    name = log.spec.name
    if name not in earlier.tables or name not in base.tables:
        return {}
    taken = {}
    for key, row in earlier.tables[name].named_rows():
        taken[key] = Work.of_row(earlier.tables[name], row).marks
    known = set(base.tables[name].names())
    new: dict[str, str] = {}
    for key, row in log.named_rows():
        is_same = not taken.get(key, set()).isdisjoint(Work.of_row(log, row).marks)
        if key in taken and key not in known and not is_same:
            new[key] = next_record([*taken, *log.names(), *new.values()])
    return new


def _rows_of(study: Study, name: str) -> list[tuple[str, ...]]:
    if name not in study.tables:
        return []
    return study.tables[name].rows
