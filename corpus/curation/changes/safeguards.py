"""What a change cannot decide about itself: acceptances, releases, rules, files that check it.

Nobody else has agreed yet to what a change accepts. What a release is can be told from the older
state alone: whoever changes a copy can change its digest in the same commit. A change that weakens
a rule hides the data that the rule is about, so the newer rows are checked once more as the older
codebook declares them. And whoever changes a workflow can turn a check off.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from corpus.analysis.claims.releases import Release, copied_files, opened_release, opened_releases
from corpus.curation.changes.changes import Changes, compare
from corpus.curation.changes.sentence import common_start
from corpus.curation.changes.weakened import Weakening
from corpus.curation.check import check_rules as rules
from corpus.curation.check.accepted import NewRows, new_acceptances
from corpus.curation.check.check import check_corpus
from corpus.curation.edit.renaming import renamed_acceptances
from corpus.model.finding import CorpusError, Finding, UsageProblem, new_findings
from corpus.model.study import Study
from corpus.model.table import Table
from corpus.tables.git.repository import Repository
from corpus.tables.git.snapshot import Snapshot
from corpus.tables.location import RELEASES_FILE, RELEASES_FOLDER

#: Workflows, how git merges and reads files, what is installed, and the toolkit itself.
_CHECKING = re.compile(
    r"\.github/.*|\.ci/.*|corpus/.*|(?:.*/)?\.gitattributes|\.gitmodules|constraints[^/]*\.txt"
    r"|pyproject\.toml|setup\.(?:py|cfg)|Makefile|conftest\.py",
    re.DOTALL,
)


def releases_of(state: Snapshot) -> tuple[Release, ...]:
    """Return the releases of a state, the oldest first; none where the list cannot be read."""
    try:
        return opened_releases(state.opener, state.corpus.root)
    except CorpusError:  # of the newer state, `corpus check` reports it
        return ()


def released_keys(before: Snapshot) -> frozenset[str]:
    """Return the keys of the entries of the latest release, as the older state has it."""
    for release in releases_of(before)[-1:]:
        try:
            released = opened_release(release, before.opener, before.corpus.root)
            return frozenset(released.pool.names())
        except CorpusError:
            break
    return frozenset()


def broken_seals(before: Snapshot, after: Snapshot) -> Iterator[Weakening]:
    """Yield each entry and each file of an existing release that is removed or changed."""
    now = {release.id: release for release in releases_of(after)}
    for release in releases_of(before):
        place = f"release {release.id}"
        if release.id not in now:
            yield Weakening(RELEASES_FILE, place, "is removed")
        else:
            yield from _changed_entry(place, release, now[release.id])
        for file, content in copied_files(release, before.opener).items():
            path = f"{RELEASES_FOLDER}/{release.id}/{file}"
            newer = after.opener(path)
            if newer is None:
                yield Weakening(path, f"{place}, {file}", "is removed")
            elif newer != content:
                line = common_start(content.split(b"\n"), newer.split(b"\n")) + 1
                yield Weakening(path, f"{place}, {file}", f"changes from line {line} on", line=line)


def _changed_entry(place: str, old: Release, new: Release) -> Iterator[Weakening]:
    for name, value in old._asdict().items():
        now = getattr(new, name)
        # A release that was made before there were digests may get one.
        if now != value and (name != "digest" or value):
            yield Weakening(RELEASES_FILE, f"{place}, {name}", f"changes from {value} to {now}")


def checking_files(data: str, before: Snapshot, after: Snapshot) -> tuple[str, ...]:
    """Return the files that decide what is checked and that differ between two states.

    None where the older state is not a commit of the repository.
    """
    if not before.commit:
        return ()
    try:
        changed = Repository(data).changed_files(before.commit, after.commit)
    except UsageProblem:  # a folder that is in no repository
        return ()
    return tuple(filter(_CHECKING.fullmatch, changed))


def proposed_acceptances(before: Study, after: Study, changes: Changes | None = None) -> NewRows:
    """Return the acceptances that the older state does not have, under the new keys of rows."""
    renamed = (changes or compare(before, after)).renamed
    return new_acceptances(before.with_rows(renamed_acceptances(before, renamed)), after)


def proposed_findings(study: Study, rows: NewRows) -> list[Finding]:
    """Return a finding for each acceptance of the newer state that is new in it."""
    found = []
    for name, line in sorted(rows):
        table = study.tables[name]
        row = table.rows[table.lines.index(line)]
        told = zip(table.spec.columns, row, strict=True)
        cells = [cell for column, cell in told if cell and column.role != "reason"]
        found.append(rules.PROPOSED_ACCEPTANCE.at(table.file, line, value=", ".join(cells)))
    return found


def findings_under(older: Snapshot, newer: Study, known: Iterable[Finding]) -> list[Finding]:
    """Check the rows of `newer` under what `older` declares.

    Parameters
    ----------
    older : Snapshot
        With the codebook and the documents to check under; its rows are not used.
    newer : Study
        With every table that its codebook declares.
    known : iterable of Finding
        What is found in `newer` anyway.

    Returns
    -------
    list of Finding
        Those that are not `known`; files and lines are those of `newer`. Tables and columns that
        `newer` no longer has are left out, since the rows then have nothing to fail with. Empty
        where both declare the same.
    """
    declared = older.corpus
    then, now = dict(declared.documents), dict(newer.documents)
    for documents in (then, now):
        documents.pop("claims", None)  # they have a report of their own
    if declared.codebook == newer.codebook and then == now:
        return []
    tables = {}
    for name, spec in declared.codebook.tables.items():
        if name in newer.tables:
            table = newer.tables[name]
            rows = []
            for record in table.records():
                rows.append(tuple(record.get(column, "") for column in spec.header))
            tables[name] = Table(spec, table.file, rows, table.lines)
    headers = {table.file: newer.tables[name].spec.header for name, table in tables.items()}
    state = replace(declared, tables=tables, root=newer.root)
    found = []
    for finding in check_corpus(replace(older, corpus=state, findings=()), schemas=False):
        # Findings about the codebook and documents are those of the older state.
        if finding.file in headers and finding.column in ("", *headers[finding.file]):
            found.append(finding)
    return new_findings(found, known)
