"""From retrieved records to the table of candidates and a row of the log of searches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from hashlib import sha256
from typing import NamedTuple

import corpus
from corpus.analysis.bibliography.known_works import CANDIDATE, JUDGED, known_rows
from corpus.analysis.bibliography.same_works import work
from corpus.analysis.bibliography.work_groups import WorkGroups
from corpus.curation.check.cells import cell_trouble
from corpus.curation.edit.proposal import new_row
from corpus.curation.lookup.work import Work
from corpus.model.codebook import TableSpec
from corpus.model.finding import UsageProblem
from corpus.model.identifiers import NormalTitle, find_arxiv, find_doi, identities
from corpus.model.study import Study
from corpus.model.table import Row, Table
from corpus.printing.escape import quoted_formula

CANDIDATES, LOG = "candidates", "search_log"
_JOINT = "; "


class RunFacts(NamedTuple):
    """What the log tells of a run, by the fields of PRISMA-S.

    Attributes
    ----------
    run, search, source, query, first, last, date : str
        Name of the run, what was asked where and when; `first` and `last` bound the dates asked
        for.
    hits : int or None
        Records that match, where the source tells.
    records : int
        Records that were retrieved.
    """

    run: str
    search: str
    source: str
    query: str
    first: str
    last: str
    date: str
    hits: int | None
    records: int


class Collected(NamedTuple):
    """The new rows, and what became of the records.

    Attributes
    ----------
    rows : dict of str to list of Row
        Table -> all its rows.
    new : int
        Works that became candidates.
    known : int
        Works that pool, log or earlier verdicts have.
    again : int
        Works that were candidates already.
    repeated : int
        Records of a work that the run has earlier.
    """

    rows: dict[str, list[Row]]
    new: int
    known: int
    again: int
    repeated: int


def table_of_role(study: Study, role: str) -> Table:
    """Return the table with a role.

    Raises
    ------
    UsageProblem
        Where the codebook declares none.
    """
    for table in study.by_role(role):
        return table
    raise UsageProblem(
        f"the codebook declares no table with the role {role!r}; `corpus init --living .` in the "
        "folder of the corpus adds it"
    )


def collect(study: Study, records: Sequence[Work], facts: RunFacts) -> Collected:
    """Return the tables of candidates and searches after a run.

    A work that the corpus has already, or that a verdict put out of scope, is dropped. One that is
    a candidate already notes the search as another place where it was found. A run that the log has
    changes nothing. Works of other lists with a verdict in scope become candidates first, so that
    no work counts as found by a list and as new in a search.

    Parameters
    ----------
    study : Study
        The corpus.
    records : sequence of Work
        What was retrieved.
    facts : RunFacts
        What the log tells.
    """
    tables = dict(study.tables)
    for name, listed in listed_candidates(study).items():
        tables[name] = tables[name].with_rows(listed)
    study = study.with_tables(tables)
    candidates = table_of_role(study, CANDIDATES)
    log = table_of_role(study, LOG)
    if facts.run in log.spec.names_of(log.rows):
        return Collected({}, 0, 0, 0, 0)
    groups = WorkGroups()
    places: list[tuple[int, str, str]] = []
    for known, table, row in known_rows(study):
        if known.place == JUDGED and known.in_scope:
            continue
        view = work(table, row)
        number = groups.add(view.identities, NormalTitle(view.title))
        places.append((number, known.place, known.name))
    numbers = []
    for record in records:
        numbers.append(groups.add(record.identities, record.normal))
    groups.join_near_titles(known=len(places))

    # Of several places of a work the first counts: the pool, the exclusion log, the candidates.
    by_group: dict[int, tuple[str, str]] = {}
    for number, place, name in places:
        by_group.setdefault(groups.group_of(number), (place, name))
    rows = dict(zip(_names(candidates), candidates.rows, strict=True))
    new = known_count = again = repeated = 0
    seen: set[int] = set()
    for record, number in zip(records, numbers, strict=True):
        group = groups.group_of(number)
        if group in seen:
            repeated += 1
            continue
        seen.add(group)
        place, name = by_group.get(group, ("", ""))
        if not place:
            key = candidate_key(record)
            found = {"key": key, "found_in": facts.search, "date": facts.date}
            rows[key] = _candidate_row(candidates.spec, {**record.by_role(), **found})
            new += 1
        elif place == CANDIDATE:
            rows[name] = _found_again(candidates.spec, rows[name], facts.search)
            again += 1
        else:
            known_count += 1
    logged = [*log.rows, _log_row(log.spec, facts, new)]
    return Collected(
        {candidates.spec.name: list(rows.values()), log.spec.name: logged},
        new,
        known_count,
        again,
        repeated,
    )


def _names(table: Table) -> Iterable[str]:
    return table.spec.names_of(table.rows)


def candidate_key(record: Work) -> str:
    """Return the key of a candidate: the same for the same work, on every branch."""
    own = identities(record.arxiv, record.doi, record.url)
    identity = min(own, default=record.normal)
    return f"c-{sha256(identity.encode()).hexdigest()[:10]}"


def listed_candidates(study: Study) -> dict[str, list[Row]]:
    """Return the table of candidates with the works of other lists whose verdict is in scope.

    A work that is in the pool, in the exclusion log or a candidate already is left as it is;
    nothing is returned where no work is left.
    """
    candidates = table_of_role(study, CANDIDATES)
    groups = WorkGroups()
    known_count = 0
    judged: list[tuple[int, Mapping[str, str]]] = []
    for known, table, row in known_rows(study):
        view = work(table, row)
        number = groups.add(view.identities, NormalTitle(view.title))
        if known.place == JUDGED:
            if known.in_scope:
                judged.append((number, _by_role(table.spec, row)))
        else:
            known_count += 1
    # The rows come in the order of the places, so the first ones are those known otherwise.
    groups.join_near_titles(known=known_count)
    seen = {groups.group_of(number) for number in range(known_count)}
    added: list[Row] = []
    for number, cells in judged:
        group = groups.group_of(number)
        if group in seen:
            continue
        seen.add(group)
        identifier = cells.get("identifier", "")
        address = ""
        if identifier.startswith(("https://", "http://")):
            address = identifier
        record = Work(
            title=cells.get("title") or identifier,
            year=cells.get("year", ""),
            arxiv=find_arxiv(identifier) or "",
            doi=find_doi(identifier) or "",
            url=address,
        )
        found = {
            "key": candidate_key(record),
            "found_in": cells.get("list", ""),
            "date": cells.get("date", ""),
        }
        added.append(_candidate_row(candidates.spec, {**record.by_role(), **found}))
    if not added:
        return {}
    return {candidates.spec.name: [*candidates.rows, *added]}


def candidate_added(study: Study, found: Work) -> tuple[str, dict[str, list[Row]]]:
    """Return the key of a work as a candidate, and the table of candidates with it.

    Raises
    ------
    UsageProblem
        Where it is a candidate already, or the corpus has no table of candidates.
    """
    table = table_of_role(study, CANDIDATES)
    key = candidate_key(found)
    if key in set(table.names()):
        raise UsageProblem(
            f"the work is a candidate already ({key}); name the cell that it changes"
        )
    today = date.today().isoformat()
    cells = {**found.by_role(), "key": key, "found_in": found.source, "date": today}
    return key, {table.spec.name: [*table.rows, _candidate_row(table.spec, cells)]}


def _by_role(spec: TableSpec, row: Row) -> dict[str, str]:
    cells = zip(spec.columns, row, strict=True)
    return {column.role: cell for column, cell in cells if column.role}


def _candidate_row(spec: TableSpec, given: Mapping[str, str]) -> Row:
    today = date.today()
    cells: dict[str, str] = {}
    for column in spec.columns:
        cell = quoted_formula(given.get(column.role, ""))
        # A year or an address that no table may hold is left out, and the record stays.
        wrong = any(rule.is_error for rule, _ in cell_trouble(cell, column, today))
        cells[column.name] = "" if wrong else cell
    return new_row(spec, cells)


def _found_again(spec: TableSpec, row: Row, search: str) -> Row:
    column = spec.by_role("found_in")
    if column is None:
        return row
    cells = list(row)
    position = spec.position(column.name)
    named = [place.strip() for place in cells[position].split(_JOINT.strip())]
    places = [place for place in named if place]
    if search not in places:
        cells[position] = _JOINT.join([*places, search])
    return tuple(cells)


def _log_row(spec: TableSpec, facts: RunFacts, new: int) -> Row:
    hits = ""
    if facts.hits is not None:
        hits = str(facts.hits)
    given = {
        "key": facts.run,
        "search": facts.search,
        "source": facts.source,
        "query": facts.query,
        "first": facts.first,
        "last": facts.last,
        "date": facts.date,
        "hits": hits,
        "records": str(facts.records),
        "new": str(new),
        "program": f"mas-rl-corpus {corpus.__version__}",
    }
    cells = {column.name: given.get(column.role, "") for column in spec.columns}
    return new_row(spec, cells)
