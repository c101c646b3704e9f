"""From retrieved records to the table of candidates and a row of the log of searches."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial

import corpus
from corpus.analysis.bibliography.same_works import (
    CANDIDATE,
    JUDGED,
    SamePair,
    group_works,
    known_rows,
)
from corpus.curation.edit.revision import revise
from corpus.curation.importing.names import filled
from corpus.curation.retrieval.searches import CITATIONS
from corpus.curation.retrieval.sources import Retrieval
from corpus.model.codebook import TableSpec
from corpus.model.finding import UsageProblem
from corpus.model.identifiers import find_arxiv, find_doi
from corpus.model.study import Study
from corpus.model.table import Row
from corpus.model.work import Work
from corpus.printing.escape import quoted_formula
from corpus.tables.cells import broken

CANDIDATES, LOG = "candidates", "search_log"
_JOINT = "; "


def collect(
    study: Study,
    found: Retrieval,
    source: str,
    outcomes: Counter[str],
    pairs: list[SamePair] | None = None,
) -> Study:
    """Return the corpus with the candidates and the log of a run.

    A work that the corpus has already, or that a verdict put out of scope, is dropped. One that is
    a candidate already notes the search as another place where it was found; for citations, with
    the entries that led to it. A run that the log has
    changes nothing. Works of other lists with a verdict in scope become candidates first, so that
    no work counts as found by a list and as new in a search.

    Parameters
    ----------
    study : Study
        The corpus.
    found : Retrieval
        What was retrieved.
    source : str
        Who was asked.
    outcomes : Counter of str
        Takes the records by what became of them: ``new`` candidates, works that are ``known`` to
        pool, log or verdicts, candidates found ``again``, and works that are ``repeated`` in the
        run. Nothing is added where the log has the run.
    pairs : list of SamePair, optional
        Takes what every known or repeated record was taken for, and the pairs that a person has to
        decide; a record of such a pair is a new candidate.
    """
    now = listed_candidates(study)
    candidates, log = now.table_of(CANDIDATES), now.table_of(LOG)
    if found.run_id in log.names():
        return study
    grouping = group_works(list(known_rows(now)), found.records)
    if pairs is not None:
        pairs[:] = [*grouping.same, *grouping.asked]
    spec = candidates.spec
    rows = dict(candidates.named_rows())
    outcomes.update(new=0, known=0, again=0, repeated=0)
    search = found.search
    # The records of each work, in the order of the first ones.
    records: dict[int, list[Work]] = {}
    for record, group in zip(found.records, grouping.of_records, strict=True):
        records.setdefault(group, []).append(record)
    for group, alike in records.items():
        outcomes["repeated"] += len(alike) - 1
        known = grouping.first.get(group)
        seeds = []
        if search.source == CITATIONS:
            seeds = list(dict.fromkeys(record.source for record in alike))
        if known is None:
            outcomes["new"] += 1
            key = candidate_key(alike[0])
            places = _found_in("", search.id, seeds)
            rows[key] = _candidate_row(spec, alike[0], key, places, found.started)
        elif known.place == CANDIDATE:
            outcomes["again"] += 1
            row = rows[known.located.key]
            places = _found_in(spec.by_role_cells(row).get("found_in", ""), search.id, seeds)
            rows[known.located.key] = spec.row({"found_in": places}, row)
        else:
            outcomes["known"] += 1
    hits = ""
    if found.hits is not None:
        hits = str(found.hits)
    logged = log.spec.row(
        {
            "key": found.run_id,
            "search": search.id,
            "source": source,
            "query": search.query,
            "first": search.first,
            "last": search.last,
            "date": found.started,
            "hits": hits,
            "records": str(len(found.records)),
            "new": str(outcomes["new"]),
            "program": f"mas-rl-corpus {corpus.__version__}",
        }
    )
    now = now.with_rows({spec.name: list(rows.values())})
    return now.with_more(log.spec.name, logged)


def _found_in(before: str, search: str, seeds: Sequence[str]) -> str:
    """Return where a work was found, with a search and the entries whose citations led to it."""
    found: dict[str, dict[str, None]] = {}
    for place in [*filled(before.split(_JOINT.strip())), f"{search}: {', '.join(seeds)}"]:
        name, _, keys = place.partition(": ")
        found.setdefault(name, {}).update(dict.fromkeys(filled(keys.split(","))))
    places = [": ".join(filter(None, (name, ", ".join(keys)))) for name, keys in found.items()]
    return _JOINT.join(places)


def log_run(data: str, found: Retrieval, source: str) -> tuple[Counter[str], list[SamePair]]:
    """Write the candidates of a run and its row of the log into a data folder; see :func:`collect`.

    Returns what became of the records, and the pairs behind it.

    Raises
    ------
    RefusedChange
        Where a row would be an error; nothing is written then.
    """
    outcomes: Counter[str] = Counter()
    pairs: list[SamePair] = []
    revise(data, partial(collect, found=found, source=source, outcomes=outcomes, pairs=pairs))
    return outcomes, pairs


def candidate_key(record: Work) -> str:
    """Return the key of a candidate: the same for the same work, on every branch."""
    return f"c-{record._replace(links=()).digest[:10]}"


def listed_candidates(study: Study) -> Study:
    """Return the corpus in which works of other lists with a verdict in scope are candidates.

    A work that is in the pool, in the exclusion log or a candidate already is left as it is.
    """
    candidates = study.table_of(CANDIDATES)
    known, judged, works = [], [], []
    for row in known_rows(study):
        if row.place != JUDGED:
            known.append(row)
        elif row.in_scope:
            judged.append(row)
            works.append(row.work)
    grouping = group_works(known, works)
    seen = set(grouping.first)
    added = []
    for row, group in zip(judged, grouping.of_records, strict=True):
        if group in seen:
            continue
        seen.add(group)
        cells = row.located.by_role
        identifier = address = cells.get("identifier", "")
        if not identifier.startswith(("https://", "http://")):
            address = ""
        record = Work(
            title=cells.get("title") or identifier,
            year=cells.get("year", ""),
            arxiv=find_arxiv(identifier) or "",
            doi=find_doi(identifier) or "",
            url=address,
        )
        found = (candidate_key(record), cells.get("list", ""), cells.get("date", ""))
        added.append(_candidate_row(candidates.spec, record, *found))
    return study.with_more(candidates.spec.name, *added)


def candidate_added(study: Study, found: Work) -> Study:
    """Return the corpus with one more candidate.

    Raises
    ------
    UsageProblem
        Where it is a candidate already, or the corpus has no table of candidates.
    """
    table = study.table_of(CANDIDATES)
    key = candidate_key(found)
    if key in set(table.names()):
        raise UsageProblem(
            f"the work is a candidate already ({key}); name the cell that it changes"
        )
    row = _candidate_row(table.spec, found, key, found.source, date.today().isoformat())
    return study.with_more(table.spec.name, row)


def _candidate_row(spec: TableSpec, work: Work, key: str, found_in: str, day: str) -> Row:
    given: Mapping[str, str] = {**work.by_role(), "key": key, "found_in": found_in, "date": day}
    today = date.today()
    cells = []
    for column, given_cell in zip(spec.columns, spec.row(given), strict=True):
        cell = quoted_formula(given_cell)
        # A year or an address that no table may hold is left out, and the record stays.
        wrong = any(rule.is_error for rule, _ in broken(cell, column, today))
        cells.append("" if wrong else cell)
    return tuple(cells)
