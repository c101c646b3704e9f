"""What other people's lists have that the corpus has not, and its rows to be judged."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from corpus.analysis.bibliography.same_works import (
    PLACES,
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
from corpus.printing.escape import quoted_formula
from corpus.printing.grid import Grid
from corpus.printing.json_document import as_plain, json_text

ROLE = "coverage"


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
    why = "it has no title" if titled else "it has neither a title nor an identifier"
    for row in records.rows:
        work = work_of(row.cells, roles)._replace(place=row.place)
        if work.title if titled else work.marks:
            works.append(work)
        else:
            findings.append(SKIPPED.at(shown, work.place, problem=why))
    columns = list(records.columns)
    if not titled:
        columns = [*roles["title"], *chain.from_iterable(map(roles.__getitem__, IDENTIFYING))]
    summary = list_summary(records, {work.place for work in works}, why, columns, force)
    digest = sha256(Path(path).read_bytes()).hexdigest()
    records.findings += findings
    return WorkList(name, tuple(works), records, summary, digest)


@dataclass(frozen=True)
class CoverageReport:
    """Several lists compared with the corpus and with each other.

    Attributes
    ----------
    lists : mapping of str to list of (int, str)
        By the name of the list, in the order given: of each record the number of its work, equal
        for all records of it, and where the corpus has it, one of
        :data:`~corpus.analysis.bibliography.same_works.PLACES`.
    unseen : list of (str, Work)
        The unseen works of all lists, each once, with the list that has it first.
    pairs : list of SamePair
        What each known or repeated record was taken for, and the pairs that a person has to decide.
    """

    lists: Mapping[str, list[tuple[int, str]]]
    unseen: list[tuple[str, Work]]
    pairs: Sequence[SamePair]

    def counts(self, *names: str) -> dict[str, int]:
        """Count the records of some lists, their works, and the works at each place."""
        records = list(chain.from_iterable(map(self.lists.__getitem__, names)))
        at = Counter(dict(records).values())
        places = {place: at[place] for place in PLACES}
        return {"records": len(records), "works": at.total(), **places}


def coverage(study: Study, lists: Sequence[WorkList]) -> CoverageReport:
    """Compare lists with pool, exclusion log, candidates and earlier verdicts.

    :func:`corpus.analysis.bibliography.identity.compare` judges which are one work.

    Parameters
    ----------
    study : Study
        The corpus.
    lists : sequence of WorkList
        Other people's lists.
    """
    known = list(known_rows(study))
    works = chain.from_iterable(listed.works for listed in lists)
    # A work of the pool is told as such: its first row counts.
    grouping = group_works(known, works)
    groups = iter(grouping.of_records)
    found: dict[str, list[tuple[int, str]]] = {}
    unseen: dict[int, tuple[str, Work]] = {}
    for listed in lists:
        found[listed.name] = []
        # The groups are those of all lists: each list takes as many as it has works.
        for record, group in zip(listed.works, groups, strict=False):
            place = UNSEEN
            if group in grouping.first:
                place = grouping.first[group].place
            else:
                unseen.setdefault(group, (listed.name, record))
            found[listed.name].append((group, place))
    return CoverageReport(found, list(unseen.values()), [*grouping.same, *grouping.asked])


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
    """Return the table of lists and that of the unseen works (at most `most`)."""
    rows = [(name, *map(str, report.counts(name).values())) for name in report.lists]
    # Lists share works, so the last row is not the sum of those above it.
    if len(report.lists) > 1:
        rows.append(("all lists", *map(str, report.counts(*report.lists).values())))
    # The pool is the first of the places.
    counts = ("list", "records", "works", "in the pool", *PLACES[1:])
    grids = [Grid("", counts, tuple(rows), frozenset(range(1, len(counts))))]
    if report.unseen:
        unseen = []
        for name, work in report.unseen[:most]:
            unseen.append((name, str(work.place), work.year, work.identifier, work.title))
        more = len(report.unseen) - len(unseen)
        note = f"{more} more; --format json has all." if more else ""
        header = ("list", "line", "year", "identifier", "title")
        grids.append(Grid("Unseen", header, tuple(unseen), frozenset({1}), note, frozenset({4})))
    return grids


def coverage_json(report: CoverageReport, read: Sequence[WorkList] = ()) -> str:
    """Write counts, the unseen works and the summaries as JSON."""
    unseen = []
    for name, work in report.unseen:
        about = {key: getattr(work, key) for key in ("place", "title", "year", "identifier")}
        unseen.append({"list": name, **about})
    return json_text(
        {
            "lists": [{"name": name, **report.counts(name)} for name in report.lists],
            "summaries": {each.name: as_plain(vars(each.summary)) for each in read},
            "unseen": unseen,
        }
    )
