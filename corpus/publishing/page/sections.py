"""What the page shows without a script: tables, heatmaps, exclusions, corrections, protocol."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple
from urllib.parse import urlencode

from corpus.analysis.bibliography.works import CitedWork
from corpus.analysis.claims.claim import Claim
from corpus.analysis.claims.claim_report import ClaimReport, ReportedClaim
from corpus.analysis.claims.releases import Release, load_release, read_releases
from corpus.analysis.evidence.tables import in_words
from corpus.analysis.history.added import added_days
from corpus.analysis.sparsity.cells import SparseTable
from corpus.model.codebook import Codebook, Column, Crosstab, TableSpec, Term
from corpus.model.filters import OneOf
from corpus.model.identifiers import ADDRESS_JOINT, arxiv_month, find_arxiv
from corpus.model.study import Study
from corpus.model.table import LocatedRow, Row, Table
from corpus.printing.escape import terminal
from corpus.publishing.figures.figure_plan import NOT_GIVEN
from corpus.publishing.page.links import links
from corpus.publishing.page.settings import facet_id

#: What the head of an entry shows: roles, and types whose cells are links.
_HEAD = ("title", "authors", "first_author", "affiliation", "year", "venue", "summary")
_ADDRESSES = ("key", "arxiv", "doi", "url")

#: Tables with fewer claims share a group.
_GROUP = 3

#: In the address of the records without a stage.
_NO_STAGE = "not-given"


class ShownCell(NamedTuple):
    """One cell of a table: its text, the links to print instead, its column's label and type."""

    text: str
    links: Sequence[tuple[str, str]]
    label: str
    kind: str


def shown_cells(
    row: Row, spec: TableSpec, book: Codebook, left_out: Collection[str] = ()
) -> Iterator[ShownCell]:
    """Yield the cells of a row, without the columns of `left_out`."""
    for column, cell in zip(spec.columns, row, strict=True):
        if column.name not in left_out:
            yield shown_cell(cell, column, book)


def other_cells(entry: LocatedRow, book: Codebook) -> list[ShownCell]:
    """Return the cells of an entry that are neither in its head nor tags; no empty ones."""
    spec = entry.table.spec
    elsewhere = []
    for column in spec.columns:
        if column.axis or column.role in _HEAD or column.type in _ADDRESSES:
            elsewhere.append(column.name)
    return [shown for shown in shown_cells(entry.row, spec, book, elsewhere) if shown.text]


def work_links(work: CitedWork) -> dict[str, str]:
    """Return the addresses of a work, each with the name of the place: arXiv, DOI or its host."""
    found: dict[str, str] = {}
    cells = {"url": ADDRESS_JOINT.join(work.urls), "arxiv": work.arxiv, "doi": work.doi}
    for kind, cell in cells.items():
        for address, text in links(cell, kind):
            place = {"arx": "arXiv", "doi": "DOI"}.get(text[:3].lower(), text.split("/")[0])
            found.setdefault(address, place)
    return found


def shown_cell(cell: str, column: Column, book: Codebook) -> ShownCell:
    """Return one cell: terms by label, keys of entries as links to them, addresses as links."""
    shown, kind = links(cell, column.type), column.type
    if column.type == "term":
        cell = in_words(column, cell, book)
    elif column.type == "column":
        named = {other.name: other.label for other in book.tables[column.references].columns}
        cell = named.get(cell, cell)
    elif cell and column.type == "ref" and column.references == book.pool.name:
        shown, kind = [(entry_address(cell), cell)], "entry"
    return ShownCell(cell, shown, column.label, kind)


def entry_address(key: str) -> str:
    """Return the address of an entry inside the page; without a script, its row in the table.

    Examples
    --------
    >>> entry_address("c3"), entry_address('a"b')
    ('#entry?key=c3', '#entry?key=a%22b')
    """
    return "#entry?" + urlencode({"key": key})


def filter_address(terms: dict[str, str]) -> str:
    """Return the address of the entries that carry these terms (axis -> term)."""
    return "#entries?" + urlencode({facet_id(axis): term for axis, term in terms.items()})


def map_address(crosstab: Crosstab) -> str:
    """Return the address of a declared cross-tabulation."""
    axes = {"rows": facet_id(crosstab.rows), "columns": facet_id(crosstab.columns)}
    return "#map?" + urlencode(axes)


def claim_address(claim: Claim, book: Codebook) -> str:
    """Return the address of the entries that a claim selects by axes of the pool alone, or none."""
    if len(claim.selections) != 1:
        return ""
    selection = claim.selections[0]
    if selection.table != book.pool.name or selection.agrees or not selection.filters:
        return ""
    terms = []
    for filter_ in selection.filters:
        if not isinstance(filter_, OneOf) or filter_.negated or not filter_.column.axis:
            return ""
        terms += [(facet_id(filter_.column.name), term) for term in filter_.named]
    return "#entries?" + urlencode(terms)


def candidates(study: Study) -> list[dict[str, Any]]:
    """Return the works that nobody has decided about: title, authors, month, day of adding, links.

    The month is that of the arXiv number; empty without one.
    """
    found = []
    for table in study.by_role("candidates"):
        group = study.pool.spec.by_role("group")
        terms = [
            one for one in table.spec.term_columns if group and one.vocabulary == group.vocabulary
        ]
        for record in table.placed():
            cells = record.by_role
            arxiv = find_arxiv(cells.get("arxiv", ""))
            shown = []
            for kind in ("arxiv", "doi", "url"):
                shown += links(cells.get(kind, ""), kind)
            authors = cells.get("authors", "").split("; ")
            tagged = [
                in_words(column, record.cell(column.name), study.codebook) for column in terms
            ]
            item = {
                "title": terminal(cells.get("title", record.key)),
                "by": terminal(authors[0] + " et al." * (len(authors) > 1)),
                "month": arxiv_month(arxiv).isoformat()[:7] if arxiv else "",
                "added": cells.get("date", ""),
                "links": shown[:1],
                "terms": ", ".join(filter(None, tagged)),
            }
            found.append(item)
    return found


class SinceRelease(NamedTuple):
    """How the pool differs from a release: entries that joined or left.

    Those that joined are by the day of adding, the last one first.
    """

    release: Release
    joined: dict[str, list[str]]
    left: list[str]


def since_releases(study: Study, carried: Callable[[Study], Study]) -> list[SinceRelease]:
    """Compare the pool with that of each release under the names of today, the last one first."""
    found = []
    days = added_days(study)
    # A study that was made in memory has no releases.
    for release in reversed(read_releases(study.root) if study.sources else ()):
        pool = carried(load_release(release, study.root)).pool
        before, now = pool.by_key(), study.pool.by_key()
        joined: dict[str, list[str]] = {}
        new = {key[0]: days[key[0]] for key in now.keys() - before.keys()}
        for name, day in sorted(new.items(), key=itemgetter(1, 0), reverse=True):
            joined.setdefault(day, []).append(name)
        left = sorted(key[0] for key in before.keys() - now.keys())
        found.append(SinceRelease(release, joined, left))
    return found


def verdicts(study: Study) -> dict[str, list[tuple[str, int]]]:
    """Count the verdicts on works of other lists, by table."""
    counted = {}
    for table in study.by_role("coverage"):
        column = table.spec.by_role("verdict")
        if column is not None:
            terms = (in_words(column, cell, study.codebook) for cell in table.column(column.name))
            counted[table.spec.name] = Counter(terms).most_common()
    return counted


def claim_groups(report: ClaimReport, book: Codebook) -> list[tuple[str, list[ReportedClaim]]]:
    """Divide claims by the table that they are about; what growth moves by itself comes last."""
    tables = Counter(_about(found) for found in report.claims if not found.claim.tracked)
    groups: dict[str, list[ReportedClaim]] = {}
    for found in sorted(
        report.claims, key=lambda found: (found.claim.tracked, tables[_about(found)] < _GROUP)
    ):
        title = "Numbers of a release"
        if not found.claim.tracked:
            about = _about(found)
            title = book.tables[about].title if tables[about] >= _GROUP else "Other tables"
        groups.setdefault(title, []).append(found)
    return list(groups.items())


def _about(found: ReportedClaim) -> str:
    return found.claim.selections[0].table


def claim_words(claim: Claim, book: Codebook) -> str:
    """Return the labels of all terms that a claim is about, to search in."""
    words: dict[str, None] = {}
    for selection in claim.selections:
        for filter_ in selection.filters:
            words[filter_.column.label] = None
            if isinstance(filter_, OneOf) and filter_.column.type == "term":
                labels = book.vocabulary_of(filter_.column).labels
                for term in filter_.named:
                    words[labels.get(term, term)] = None
    return " ".join(words)


def with_status(table: SparseTable, column: str, status: str) -> list[str]:
    """Return the labels of the rows whose cell in a column has this status."""
    terms = table.margins[0].vocabulary.terms
    return [term.label for term in terms if table.cells[term.id, column].status == status]


def excluded_by_stage(table: Table, book: Codebook) -> list[tuple[Term, list[LocatedRow]]]:
    """Divide an exclusion log by stage, in the order of the vocabulary.

    It has one part where the log has no stages.
    """
    column = table.spec.by_role("stage")
    if column is None or column.type != "term":
        return [(Term("all", table.spec.title, "", ""), list(table.placed()))]
    by_stage: dict[str, list[LocatedRow]] = {}
    for record in table.placed():
        by_stage.setdefault(record.cell(column.name), []).append(record)
    stages = [(term, by_stage.pop(term.id, [])) for term in book.vocabulary_of(column).terms]
    # A record without a stage was excluded all the same.
    for records in by_stage.values():
        stages.append((Term(_NO_STAGE, NOT_GIVEN, "", ""), records))
    return stages


def notes_on(study: Study, target: Table) -> dict[str, list[tuple[str, list[ShownCell]]]]:
    """Return the rows of other tables about those of `target`, by the key of that row.

    Each is the title of its table, and its cells without the key. Where a record was read is left
    out.
    """
    found: dict[str, list[tuple[str, list[ShownCell]]]] = {}
    for table in study.tables.values():
        reference = table.spec.reference_to(target.spec)
        if reference is None or table.spec.role == "source_records":
            continue
        for key, row in zip(table.column(reference.name), table.rows, strict=True):
            cells = list(shown_cells(row, table.spec, study.codebook, (reference.name,)))
            found.setdefault(key, []).append((table.spec.title, cells))
    return found
