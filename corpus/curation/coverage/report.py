"""Coverage in print, as text, Markdown, CSV and JSON."""

from collections.abc import Sequence

from corpus.analysis.bibliography.same_works import PLACES
from corpus.curation.coverage.coverage import (
    CoverageReport,
    EstimateRefused,
    PopulationEstimate,
    WorkList,
)
from corpus.model.work import Work
from corpus.printing.escape import csv_cell
from corpus.printing.grid import Grid
from corpus.printing.json_document import as_plain, json_text
from corpus.tables.writing.writer import csv_text


def coverage_grids(report: CoverageReport, most: int | None = None) -> list[Grid]:
    """Return the table of lists, of their overlap and of the unseen works (at most `most`)."""
    rows = []
    for name in report.lists:
        rows.append((name, *map(str, report.counts(name).values())))
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
    note = ""
    if len(rows) < len(unseen):
        note = f"{len(unseen) - len(rows)} more; --format csv has all."
    return Grid("Unseen", header, tuple(rows), frozenset({1}), note, frozenset({4}))


def estimate_text(estimate: PopulationEstimate | EstimateRefused) -> str:
    """Return the estimate as a sentence, or why there is none."""
    if isinstance(estimate, EstimateRefused):
        return f"No estimate of how many works there are in all: {estimate.reason}."
    text = (
        f"{estimate.method}: about {estimate.estimate:.0f} works in scope, "
        f"95 % interval {estimate.low:.0f} to {estimate.high:.0f}; {estimate.seen} are in "
        f"{', '.join(estimate.lists)}, {estimate.overlap} of them in more than one."
    )
    if estimate.method == "Chao":
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
    """Write counts, overlaps, the unseen works, the estimate and the accounts as JSON."""
    lists = [{"name": name, **report.counts(name)} for name in report.lists]
    overlaps = [{"lists": names, "works": works} for names, works in report.overlaps]
    unseen = []
    for name, work in report.unseen:
        about = {"list": name, "place": work.place, "title": work.title, "year": work.year}
        unseen.append({**about, "identifier": work.identifier})
    accounts = {each.name: as_plain(each.account) for each in read}
    return json_text(
        {
            "lists": lists,
            "accounts": accounts,
            "overlaps": overlaps,
            "unseen": unseen,
            "estimate": report.estimate._asdict(),
        }
    )
