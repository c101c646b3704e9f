"""What other people's lists have that the corpus has not, and its rows to be judged.

How many works there may be in all is estimated by capture and recapture, where its assumptions can
be met.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain, combinations
from math import exp, log, sqrt
from pathlib import Path
from typing import Any, NamedTuple

from corpus.analysis.bibliography.same_works import (
    PLACES,
    POOL,
    UNSEEN,
    SamePair,
    group_works,
    known_rows,
)
from corpus.curation.importing.column_plan import IDENTIFYING, column_roles, work_of
from corpus.curation.importing.import_summary import ImportSummary, list_summary
from corpus.curation.importing.names import key_name
from corpus.curation.importing.readers.reading import read_foreign
from corpus.curation.importing.readers.records import SKIPPED, Records
from corpus.model.study import Study
from corpus.model.work import Work
from corpus.printing.escape import csv_cell, quoted_formula
from corpus.printing.grid import Grid
from corpus.printing.json_document import as_plain, json_text
from corpus.tables.writing.writer import csv_text

ROLE = "coverage"
#: With fewer works in more than one list, the estimates are too biased to print
#: (Robson and Regier 1964, Transactions of the American Fisheries Society 93(3)).
LEAST_OVERLAP = 7
#: The quantile of the normal distribution for 95 %.
_Z = 1.959964


class WorkList(NamedTuple):
    """A list of somebody else, or the export of a database that a person searched.

    Attributes
    ----------
    name : str
        What it is called.
    works : tuple of Work
        Its records.
    records : Records
        How it was read, and what could not be.
    summary : ImportSummary
        What became of the file.
    digest : str
        The SHA-256 of the file.
    """

    name: str
    works: tuple[Work, ...]
    records: Records
    summary: ImportSummary
    digest: str


def read_list(
    path: str,
    shown: str,
    name: str,
    format_: str | None = None,
    force: bool = False,
    titled: bool = False,
) -> WorkList:
    """Read a list of works in any form that `corpus init` reads.

    Records with neither title nor identifier are left out and named (I106): nothing can recognise
    them.

    Parameters
    ----------
    path, shown : str
        The file, and its name in findings.
    name : str
        What the list is called.
    format_ : str, optional
        The format, where the file does not show it.
    force : bool
        Whether to go on where the summary of the file does not add up.
    titled : bool
        Whether to leave out all records without a title: nobody could screen them.

    Raises
    ------
    CorpusError
        Where the file has nothing to read, or its summary does not add up (I120).
    """
    records = read_foreign(path, shown, name=format_)
    roles = column_roles(records)
    works = []
    findings = []
    why, problem = "neither title nor identifier", "it has neither a title nor an identifier"
    if titled:
        why, problem = "without a title", "it has no title"
    for row in records.rows:
        work = work_of(row.cells, roles)._replace(place=row.place)
        if (titled and work.title) or (work.marks and not titled):
            works.append(work)
        else:
            findings.append(SKIPPED.at(shown, work.place, problem=problem))
    columns = list(records.columns)
    if not titled:
        columns = list(chain.from_iterable(roles[role] for role in ("title", *IDENTIFYING)))
    summary = list_summary(records, {work.place for work in works}, why, columns, force)
    digest = sha256(Path(path).read_bytes()).hexdigest()
    records.findings += findings
    return WorkList(name, tuple(works), records, summary, digest)


class CoveredWork(NamedTuple):
    """A record of a list, and where the corpus has its work.

    Attributes
    ----------
    record : Work
        The record.
    group : int
        The number of the work; equal for all records of it.
    place : str
        One of the places of :mod:`corpus.analysis.bibliography.same_works`.
    name : str
        Key of the entry, record or verdict; empty for an unseen work.
    """

    record: Work
    group: int
    place: str
    name: str


def estimated(lists: Sequence[tuple[str, Collection[int]]], reason: str = "") -> dict[str, Any]:
    """Estimate how many works there are from the works in two or more lists.

    With two lists by Chapman's estimator (1951, University of California Publications in
    Statistics 1), with more by Chao's for incidences, bias-corrected (Chao 1987, Biometrics 43(4)).
    The interval is that of Chao 1987, on the logarithm of the unseen works, so that it never starts
    below what was seen.

    Parameters
    ----------
    lists : sequence of (str, collection of int)
        Name and works of each list; they must have been compiled independently.
    reason : str
        Why they allow no estimate, if that is known already.

    Returns
    -------
    dict
        ``method`` (``Chapman`` for two lists; ``Chao`` for several, a lower bound where they
        overlap unevenly), ``lists``, ``seen`` (works in any of them), ``overlap`` (works in more
        than one), ``estimate``, and ``low`` and ``high``, the ends of the 95 % interval. Only
        ``lists`` and ``reason`` where they allow no estimate, or overlap in fewer than
        :data:`LEAST_OVERLAP` works.

    Examples
    --------
    >>> result = estimated([("a", range(20)), ("b", range(10, 30))])
    >>> result["method"], result["overlap"], round(result["estimate"], 1)
    ('Chapman', 10, 39.1)
    """
    names = [name for name, _ in lists]
    sizes = [float(len(set(works))) for _, works in lists]
    times = Counter(chain.from_iterable(set(works) for _, works in lists))
    number_in = Counter(times.values())
    seen, once, twice = len(times), number_in[1], number_in[2]
    overlap = seen - once
    few = f"only {overlap} works are in more than one list, and it takes {LEAST_OVERLAP}"
    if reason or overlap < LEAST_OVERLAP:
        return {"lists": names, "reason": reason or few}
    if len(lists) == 2:
        method = "Chapman"
        first, second = sizes
        # The ones keep the estimate finite without an overlap, and nearly unbiased with one.
        cross = (first + 1) * (second + 1)
        number = cross / (overlap + 1) - 1
        variance = cross * (first - overlap) * (second - overlap)
        variance /= (overlap + 1) ** 2 * (overlap + 2)
    else:
        method = "Chao"
        share = (len(lists) - 1) / len(lists)
        number = seen + share * once * (once - 1) / (2 * (twice + 1))
        variance = number - seen
        variance += share**2 * once * (2 * once - 1) ** 2 / (4 * (twice + 1) ** 2)
        variance += share**2 * once**2 * twice * (once - 1) ** 2 / (4 * (twice + 1) ** 4)
    unseen = number - seen
    low = high = float(seen)
    # Lists that are equal leave nothing to estimate from.
    if unseen > 0:
        factor = exp(_Z * sqrt(log(1 + variance / unseen**2)))
        low, high = low + unseen / factor, low + unseen * factor
    about = {"method": method, "lists": names, "seen": seen, "overlap": overlap}
    return {**about, "estimate": number, "low": low, "high": high}


@dataclass(frozen=True)
class CoverageReport:
    """Several lists compared with the corpus and with each other.

    Attributes
    ----------
    lists : mapping of str to list of CoveredWork
        Their records by the name of the list, in the order given.
    unseen : list of (str, Work)
        The unseen works of all lists, each once, with the list that has it first.
    estimate : dict
        How many works in scope there may be, or why that cannot be told; see :func:`estimated`.
    pairs : list of SamePair
        What each known or repeated record was taken for, and the pairs that a person has to decide.
    """

    lists: Mapping[str, list[CoveredWork]]
    unseen: list[tuple[str, Work]]
    estimate: dict[str, Any]
    pairs: Sequence[SamePair]

    def counts(self, *names: str) -> dict[str, int]:
        """Count the records of some lists, their works, and the works at each place."""
        records = list(chain.from_iterable(map(self.lists.__getitem__, names)))
        at = Counter({item.group: item.place for item in records}.values())
        places = {place: at[place] for place in PLACES}
        return {"records": len(records), "works": at.total(), **places}

    @property
    def overlaps(self) -> list[tuple[tuple[str, str], int]]:
        """The names of every two lists, and how many works they share."""
        works = {name: {item.group for item in items} for name, items in self.lists.items()}
        return [(pair, len(works[pair[0]] & works[pair[1]])) for pair in combinations(works, 2)]


def coverage(study: Study, lists: Sequence[WorkList], independent: bool = False) -> CoverageReport:
    """Compare lists with pool, exclusion log, candidates and earlier verdicts.

    :func:`corpus.analysis.bibliography.identity.compare` judges which are one work.

    Parameters
    ----------
    study : Study
        The corpus.
    lists : sequence of WorkList
        Other people's lists.
    independent : bool
        Whether the user states that lists and pool were compiled independently of each other,
        without which no estimate is made.
    """
    known = list(known_rows(study))
    works = chain.from_iterable(listed.works for listed in lists)
    # A work of the pool is told as such: its first row counts.
    grouping = group_works(known, works)
    first = grouping.first
    rows = zip(grouping.of_rows, known, strict=True)
    in_scope = {group for group, row in rows if row.in_scope}
    captures = [("pool", {group for group, row in first.items() if row.place == POOL})]
    groups = iter(grouping.of_records)
    found: dict[str, list[CoveredWork]] = {}
    unseen: dict[int, tuple[str, Work]] = {}
    for listed in lists:
        own = found[listed.name] = []
        # The groups are those of all lists: each list takes as many as it has works.
        for record, group in zip(listed.works, groups, strict=False):
            place, name = UNSEEN, ""
            if group in first:
                place, name = first[group].place, first[group].located.key
            else:
                unseen.setdefault(group, (listed.name, record))
            own.append(CoveredWork(record, group, place, name))
        captures.append((listed.name, in_scope.intersection(item.group for item in own)))
    reason = ""
    if not independent:
        reason = "it is not stated that lists and pool were compiled independently (--independent)"
    elif unseen:
        reason = f"{len(unseen)} works have no verdict, so how many of them fit is not known"
    pairs = [*grouping.same, *grouping.asked]
    return CoverageReport(found, list(unseen.values()), estimated(captures, reason), pairs)


def with_unseen(
    study: Study, report: CoverageReport, versions: Mapping[str, str], today: str
) -> Study:
    """Return the corpus with a new row of the table of coverage for each unseen work.

    A row's key is made of the list and a digest of the work, so that two branches that add the same
    list write the same rows. Rows that are there keep their verdict.

    Parameters
    ----------
    study : Study
        The corpus.
    report : CoverageReport
        What the lists have.
    versions : mapping of str to str
        List -> its version, such as a commit or an edition.
    today : str
        The date of the comparison, as YYYY-MM-DD.
    """
    table = study.table_of(ROLE)
    rows = []
    known = set(table.names())
    waiting = set[str]().union(*(Work.of_row(table, row).marks for row in table.rows))
    for listed, work in report.unseen:
        # Two of ten thousand works share eight digits of a digest in one list of a hundred.
        key = f"{key_name([listed])}-{work.digest[:8]}"
        # A work that waits for its verdict already, as another list has it, needs no second one.
        if key in known or work.marks & waiting:
            continue
        known.add(key)
        given = {
            "key": key,
            "list": listed,
            "version": versions.get(listed, ""),
            "date": today,
            "title": quoted_formula(work.title),
            "identifier": quoted_formula(work.identifier),
            "year": work.year,
        }
        rows.append(table.spec.row(given))
    return study.with_more(table.spec.name, *rows)


def coverage_grids(report: CoverageReport, most: int | None = None) -> list[Grid]:
    """Return the table of lists, of their overlap and of the unseen works (at most `most`)."""
    rows = [(name, *map(str, report.counts(name).values())) for name in report.lists]
    # Lists share works, so the last row is not the sum of those above it.
    if len(report.lists) > 1:
        rows.append(("all lists", *map(str, report.counts(*report.lists).values())))
    # The pool is the first of the places.
    header = ("list", "records", "works", "in the pool", *PLACES[1:])
    grids = [Grid("", header, tuple(rows), frozenset(range(1, len(header))))]
    if len(report.lists) > 1:
        shared = tuple((*names, str(works)) for names, works in report.overlaps)
        grids.append(Grid("Overlap", ("list", "and", "works in both"), shared, frozenset({2})))
    if report.unseen:
        grids.append(_unseen(report.unseen, most))
    return grids


def _unseen(unseen: list[tuple[str, Work]], most: int | None) -> Grid:
    rows = []
    for name, work in unseen[:most]:
        rows.append((name, str(work.place), work.year, work.identifier, work.title))
    header = ("list", "line", "year", "identifier", "title")
    more = len(unseen) - len(rows)
    note = f"{more} more; --format csv has all." if more else ""
    return Grid("Unseen", header, tuple(rows), frozenset({1}), note, frozenset({4}))


def estimate_text(estimate: Mapping[str, Any]) -> str:
    """Return the estimate as a sentence, or why there is none."""
    if "reason" in estimate:
        return f"No estimate of how many works there are in all: {estimate['reason']}."
    text = (
        "{method}: about {estimate:.0f} works in scope, 95 % interval {low:.0f} to {high:.0f}; "
        "{seen} are in {names}, {overlap} of them in more than one."
    ).format(**estimate, names=", ".join(estimate["lists"]))
    if estimate["method"] == "Chao":
        text += " Where lists favour the same works, this is a lower bound."
    return text


def coverage_csv(report: CoverageReport) -> str:
    """Write one row per record of each list: where it is, and what the corpus calls its work."""
    rows: list[tuple[str, ...]] = [
        ("list", "place", "work", "status", "name", "year", "identifier", "title")
    ]
    for name, items in report.lists.items():
        for record, group, place, known in items:
            about = map(csv_cell, (record.year, record.identifier, record.title))
            rows.append((csv_cell(name), str(record.place), str(group), place, known, *about))
    return csv_text(rows)


def coverage_json(report: CoverageReport, read: Sequence[WorkList] = ()) -> str:
    """Write counts, overlaps, the unseen works, the estimate and the summaries as JSON."""
    unseen = []
    for name, work in report.unseen:
        about = {key: getattr(work, key) for key in ("place", "title", "year", "identifier")}
        unseen.append({"list": name, **about})
    return json_text(
        {
            "lists": [{"name": name, **report.counts(name)} for name in report.lists],
            "summaries": {each.name: as_plain(vars(each.summary)) for each in read},
            "overlaps": [{"lists": names, "works": works} for names, works in report.overlaps],
            "unseen": unseen,
            "estimate": report.estimate,
        }
    )
