"""The rows of a study after an entry is added, edited or excluded, or a record is numbered.

Tables and columns are found by roles and references, never by name.

Excluded records get running numbers, given on the default branch and never twice. Two branches
would take the same next number. So a record of a branch is named by its work, and the default
branch numbers it after the merge.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain

from corpus.analysis.claims.edits import changed_row
from corpus.curation.changes.row_changes import Renamed, with_renamed_keys
from corpus.curation.check.references import UNNUMBERED
from corpus.curation.edit.proposal import (
    FORMER,
    PROMOTIONS,
    Cells,
    entry_column,
    entry_tables,
    new_row,
    new_tables,
)
from corpus.curation.edit.renaming import (
    changed_acceptances,
    renamed_acceptances,
    renamed_documents,
    renamed_rows,
    renamed_terms,
    with_texts,
)
from corpus.curation.importing.names import key_name, untaken
from corpus.model.codebook import Codebook, TableSpec
from corpus.model.finding import UsageProblem
from corpus.model.identifiers import identities, split_addresses
from corpus.model.study import Study
from corpus.model.table import LocatedRow, Row, Table
from corpus.model.work import Work
from corpus.tables.git.repository import Repository

#: How identities are written in an exclusion log.
_PREFIXES = (("arxiv", "arXiv"), ("openreview", "OpenReview"), ("acl", "ACL"), ("doi", "DOI"))


def added(study: Study, cells: Cells, promoted: Collection[str] = ()) -> Study:
    """Return the corpus with a new entry.

    A further table with one row per entry gets one where `cells` has something for it. Records in
    `promoted` leave the exclusion log, and the rows that refer to them their tables.
    """
    book = study.codebook
    pool = cells[book.pool.name]
    rows = {}
    for spec in entry_tables(book):
        given = cells.get(spec.name, {})
        if spec.role in ("pool", "bibliography") or any(given.values()):
            rows[spec.name] = _row_about(spec, given, pool, book)
    after = study
    if promoted:
        after = after.without_rows(exclusion_log(book), promoted)
    former = [*promoted]
    marks: set[str] = set()
    for spec in new_tables(book):
        marks |= Work.of_row(study.tables[spec.name], rows[spec.name]).marks
    # The work is decided, so it is a candidate no longer.
    for table in study.by_role("candidates"):
        kept = []
        for name, row in table.named_rows():
            if marks.isdisjoint(Work.of_row(table, row).marks):
                kept.append(row)
            else:
                former.append(name)
        after = after.with_rows({table.spec.name: kept})
    for spec in book.by_role(PROMOTIONS):
        if spec.name in rows:
            rows[spec.name] = spec.row({FORMER: "; ".join(former)}, rows[spec.name])
    for name, row in rows.items():
        after = after.with_more(name, row)
    return after


def _row_about(
    spec: TableSpec, given: Mapping[str, str], pool: Mapping[str, str], book: Codebook
) -> Row:
    """Return a row about an entry, with its key and what it repeats of the pool."""
    complete = {entry_column(spec, book): pool.get(book.pool.key[0], "")}
    for column in spec.columns:
        if column.mirrors:
            complete[column.name] = pool.get(column.mirrors, "")
    return new_row(spec, {**complete, **given})


def excluded(
    study: Study,
    cells: Mapping[str, str],
    gone: Collection[str] = (),
    reason: Mapping[str, str] | None = None,
) -> Study:
    """Return the corpus with a new exclusion.

    Parameters
    ----------
    study : Study
        As it is.
    cells : mapping of str to str
        The cells of the new row in the exclusion log.
    gone : collection of str
        Entries that leave the pool, and the rows that refer to them their tables.
    reason : mapping of str to str
        The cells of its row in the table of coded reasons, where the corpus has one; the record
        itself is filled in.
    """
    log = exclusion_log(study.codebook)
    after = study.with_more(log.name, new_row(log, cells))
    coded = coded_reasons(study.codebook)
    if coded is not None and reason:
        link = coded.reference_to(log)
        assert link is not None, "coded reasons refer to the log"
        row = new_row(coded, {**reason, link.name: cells[log.key[0]]})
        after = after.with_more(coded.name, row)
    return after.without_entries(gone)


def refuse_references(study: Study, key: str) -> None:
    """Raise UsageProblem where tables besides bibliography and corrections refer to an entry."""
    places = []
    for table, _, line in study.references(study.codebook.pool, key):
        if table.spec.role not in ("bibliography", "corrections"):
            places.append(f"{table.file}:{line}")
    if places:
        files = ", ".join(places)
        raise UsageProblem(f"{files} refer to {key}; add --cascade to remove those rows too")


def from_entry(study: Study, key: str) -> Work:
    """Return an entry of the pool as a candidate, for the log of exclusions."""
    work = Work.of(study.entry(key).by_role)
    # Of several addresses, the first is the one to read.
    url = split_addresses(work.url)[0]
    source = ""
    if work.arxiv:
        source = "arXiv"
    return work._replace(source=source, url=url)


def edited(
    study: Study, key: str, changes: Mapping[str, Mapping[str, str]], evidence: str = ""
) -> Study:
    """Return the corpus with changed cells of one entry.

    Parameters
    ----------
    study : Study
        As it is.
    key : str
        The entry's key.
    changes : mapping of str to mapping of str to str
        Table -> column -> new cell; a table without a row of the entry gets one. A new key is
        carried into everything that names the entry.
    evidence : str
        What shows that the new cells of the pool are right; they are then logged as corrections.

    Raises
    ------
    UsageProblem
        Where the pool has no such entry, or corrections are to be logged and the corpus has no log
        for them.
    """
    pool = study.codebook.pool
    entry = study.entry(key)
    after = study
    for name, cells in changes.items():
        table = study.tables[name]
        position = table.spec.position(entry_column(table.spec, study.codebook))
        rows = []
        is_new = True
        for row in table.rows:
            if row[position] == key:
                row = changed_row(table, row, cells)
                is_new = False
            rows.append(row)
        if is_new:
            rows.append(_row_about(table.spec, cells, entry.cells, study.codebook))
        after = after.with_rows({name: rows})
    of_pool = changes.get(pool.name, {})
    if evidence:
        after = _corrected(after, entry, of_pool, evidence)
    new_key = of_pool.get(pool.key[0], key)
    if new_key != key:
        after = under_new_keys(study, after, {pool.name: {key: new_key}})
    return after


def under_new_keys(study: Study, changed: Study, renamed: Renamed) -> Study:
    """Return a changed study in which rows have new keys, as has all that names them.

    `changed` is the study with other changes of its rows; `renamed` is table -> old -> new key.

    Raises
    ------
    UsageProblem
        As for :func:`corpus.curation.edit.renaming.renamed_documents`.
    """
    after = with_renamed_keys(changed, renamed)
    after = after.with_rows(renamed_acceptances(study, renamed_rows(study, after)))
    texts: dict[str, str] = {}
    for table, new_keys in renamed.items():
        for old, new in new_keys.items():
            texts |= renamed_documents(with_texts(study, texts), old, new, table)
    return with_texts(after, texts)


def exclusion_log(book: Codebook) -> TableSpec:
    """Return the exclusion log; UsageProblem where the corpus keeps none."""
    logs = book.by_role("exclusions")
    if not logs:
        raise UsageProblem(
            "this corpus keeps no exclusion log (no table with the role 'exclusions')"
        )
    return logs[0]


def coded_reasons(book: Codebook) -> TableSpec | None:
    """Return the table that codes why records are excluded, or None without one."""
    for spec in book.by_role("reasons"):
        if spec.reference_to(exclusion_log(book)) is not None:
            return spec
    return None


def next_record(names: Iterable[str]) -> str:
    """Return the next running number of a log: E033 after E032; the width is kept."""
    numbers = []
    for key in names:
        match = re.fullmatch(r"(\D*)([0-9]+)", key)
        if match:
            numbers.append((int(match[2]), match[1], len(match[2])))
    number, prefix, width = max(numbers, default=(0, "E", 3))
    return f"{prefix}{number + 1:0{width}d}"


def new_record(log: Table, cells: Mapping[str, str], numbered: bool) -> str:
    """Return the name of a new record of a log with these cells.

    It is the next number, or without numbers one that tells which work it is: another branch gives
    the same name to the same work only.
    """
    names = list(log.names())
    if numbered:
        return next_record(names)
    known = log.spec.by_role_cells(new_row(log.spec, cells))
    told = known.get("identifier") or known.get("url") or known.get("title", "")
    return untaken(UNNUMBERED + key_name([told or "record"]), names, "-")


def numbers_records(data: str) -> bool:
    """Whether records of a data folder get numbers at once: not on a branch of a repository."""
    try:
        return not Repository(data).is_on_branch()
    except UsageProblem:  # no repository, or no git
        return True


def exclusion_cells(candidate: Work, study: Study, today: str) -> dict[str, str]:
    """Return the known cells of a new exclusion but its name: title, identifier, address, day."""
    log = exclusion_log(study.codebook)
    known = {
        "title": candidate.title,
        "identifier": identifier(candidate),
        "url": candidate.url,
        "date": today,
        "source": candidate.source,
    }
    return {column.name: known[column.role] for column in log.columns if known.get(column.role)}


def identifier(candidate: Work) -> str:
    """Return the strongest identifier as an exclusion log writes it, else the address."""
    kinds: dict[str, str] = {}
    for identity in sorted(identities(candidate.arxiv, candidate.url, candidate.doi)):
        kind, _, name = identity.partition(":")
        kinds.setdefault(kind, name)
    for kind, prefix in _PREFIXES:
        if kind in kinds:
            return f"{prefix}:{kinds[kind]}"
    return candidate.url


def _corrected(study: Study, entry: LocatedRow, changes: Mapping[str, str], evidence: str) -> Study:
    """Return the corpus with changed cells in the log of corrections.

    A cell that was corrected before keeps what was published as its old value; one that is back at
    it leaves the log.
    """
    logs = study.codebook.by_role("corrections")
    if not logs:
        raise UsageProblem(
            "this corpus keeps no log of corrections (no table with the role 'corrections')"
        )
    spec = logs[0]
    for role in ("key", "column", "before", "after"):
        if spec.by_role(role) is None:
            raise UsageProblem(f"{spec.file} can log no correction: no column has the role {role}")
    kept = list(study.tables[spec.name].rows)
    for changed, cell in changes.items():
        published = entry.cell(changed)
        for row in list(kept):
            logged = spec.by_role_cells(row)
            if (logged["key"], logged["column"]) == (entry.key, changed):
                published = logged["before"]
                kept.remove(row)
        if published != cell:
            new = {"key": entry.key, "column": changed, "before": published, "after": cell}
            kept.append(spec.row({**new, "evidence": evidence}))
    return study.with_rows({spec.name: kept})


def with_terms(study: Study, vocabulary: str, names: Mapping[str, Sequence[str]]) -> Study:
    """Return the corpus in which other terms take the place of some; equal rows become one.

    Every column that takes terms of the vocabulary is followed, and so are accepted warnings about
    its cells, codebook and documents.

    Parameters
    ----------
    study : Study
        As it is.
    vocabulary : str
        The vocabulary.
    names : mapping of str to sequence of str
        Term -> its new name, or that of another term; several names divide it, none drops it.

    Raises
    ------
    UsageProblem
        As for :func:`corpus.curation.edit.renaming.renamed_terms`.
    """
    merged = {}
    columns = set()
    for table in study.tables.values():
        changed = list(table.rows)
        for position, column, own in study.codebook.term_columns(table.spec):
            if own.id != vocabulary:
                continue
            columns.add(column.name)
            for number, row in enumerate(changed):
                values = column.values(row[position])
                if not names.keys().isdisjoint(values):
                    renamed = chain.from_iterable(names.get(value, [value]) for value in values)
                    cell = column.separator.join(dict.fromkeys(renamed))
                    changed[number] = changed_row(table, row, {column.name: cell})
        merged[table.spec.name] = changed

    def new_value(cells: Mapping[str, str]) -> dict[str, str]:
        new = names.get(cells.get("value", ""), ())
        is_meant = cells.get("column") in columns and len(new) == 1
        return {"value": new[0]} if is_meant else {}

    merged |= changed_acceptances(study, new_value)
    for name, changed in merged.items():
        if changed != study.tables[name].rows:
            merged[name] = list(dict.fromkeys(changed))
    return with_texts(study.with_rows(merged), renamed_terms(study, vocabulary, names))


def numbers(study: Study) -> Renamed:
    """Return the numbers that records without one get, in the order in which they were screened."""
    found = {}
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
