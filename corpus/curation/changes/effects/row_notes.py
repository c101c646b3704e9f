"""What happens to entries and other rows, and what nobody may have meant."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from corpus.analysis.audit.audit import ROLE as EVIDENCE_AUDIT
from corpus.analysis.audit.audit import row_digest
from corpus.analysis.bibliography.same_works import WorkIndex
from corpus.curation.changes.delta import Delta
from corpus.curation.changes.effects.checks import finding_note
from corpus.curation.changes.effects.releases import corrections
from corpus.curation.changes.note import Note
from corpus.curation.changes.row_changes import ADDED, CHANGED, REMOVED, RENAMED, RowChange
from corpus.curation.changes.sentence import LENGTH, Marked, Part, Sentence, code, listed, values
from corpus.curation.edit.proposal import FORMER, PROMOTIONS
from corpus.model.finding import WARNING, Rule
from corpus.model.identifiers import arxiv_page, doi_page, find_arxiv, find_doi, split_addresses
from corpus.model.study import Study
from corpus.model.table import LocatedRow, Table
from corpus.model.work import Work
from corpus.printing.escape import web_address
from corpus.printing.grid import cut

#: So many authors are named before the others are counted.
_NAMED = 3
#: Roles of the columns that describe a work and not what it was tagged with.
_BIBLIOGRAPHIC = frozenset(
    {"title", "first_author", "affiliation", "authors", "year", "arxiv", "doi", "venue", "url"}
)
OUTDATED_VERDICT = Rule(
    "C446",
    "{other} {value} changes, so the verdict {advice!r} of its audit no longer counts",
    "have the row read again at its source",
    WARNING,
    title="Row that changed after its audit",
    reason="`corpus diff` reports it. Whoever checked the row saw other words.",
)

LESS_EXACT = Rule(
    "C449",
    "{column} of {other} is {value}, and was {advice}",
    "restore the exact date, or correct it where it is wrong",
    WARNING,
    title="Date that became less exact",
    reason="`corpus diff` reports it. A day that somebody has found out is not forgotten.",
)


#: A pool row of one state that is in an exclusion log of the other: key, record, and whether the
#: record stays in both states.
Move = Mapping[str, Any]


def rows(delta: Delta) -> Iterator[Note]:
    """Yield every row that differs, the entries first; those that left without a trace by name."""
    old, new = delta.old, delta.new
    pool = new.codebook.pool.name
    moves: dict[str, Move] = {}
    left: list[RowChange] = []
    if pool in new.tables and pool in old.tables:
        moves = _moves(delta.rows.of(ADDED, pool), new, old)
        moves |= _moves(delta.rows.of(REMOVED, pool), old, new)
        # In a log that could not be read, any of them may be. A pool of another name is another.
        logs = {spec.name for spec in new.codebook.by_role("exclusions")}
        if pool == old.codebook.pool.name and logs <= new.tables.keys():
            left = [row for row in delta.rows.of(REMOVED, pool) if row.key not in moves]
    yield from _departures(delta, left)
    for row in sorted(delta.rows.rows, key=lambda row: row.table != pool):
        text: Sentence = ()
        move = moves.get(row.key) if row.table == pool else None
        if row.table == pool and row not in left:
            text = _entry_text(delta, row, move)
        elif row.kind == RENAMED:
            text = (f"{row.table}: renames ", code(row.old_key), " to ", code(row.key), ".")
        elif row.kind == CHANGED:
            text = (f"{row.table}: changes ", code(row.key), ": ", *_cell_parts(delta, row), ".")
        subject, table = "changed", tuple(_cell_records(delta, row))
        if row.kind in (ADDED, REMOVED):
            subject, table = row.kind, ({**_row_record(delta, row), "moved": move},)
        yield Note(subject, text, table, row.table)


def _departures(delta: Delta, left: list[RowChange]) -> Iterator[Note]:
    """Yield the entries that left the pool and are in no exclusion log."""
    works = _works(delta.old.pool) if left else {}
    entries = WorkIndex(_works(delta.new.pool) if left else {})
    for row in left:
        other = entries.find(works[row.key])
        end: Sentence = (" leaves the pool without a trace in the exclusion log.",)
        if other:
            end = (" leaves the pool; it looks like the same work as ", code(other), ".")
        record = {"key": row.key, "title": row.title, "other": other}
        yield Note("departures", (*_named(delta, row), *end), (record,))


def _moves(rows: list[RowChange], here: Study, there: Study) -> dict[str, Move]:
    """Return the pool rows of one state that are in an exclusion log of the other, by key."""
    works = _works(here.pool) if rows else {}
    moves: dict[str, Move] = {}
    for log in there.by_role("exclusions") if rows else ():
        index = WorkIndex(_works(log))
        stays = here.tables[log.spec.name].names() if log.spec.name in here.tables else ()
        known = set(stays)
        for row in rows:
            found = index.find(works[row.key])
            if found:
                move = {"key": row.key, "record": found, "stays": found in known}
                moves.setdefault(row.key, move)
    return moves


def _works(table: Table) -> dict[str, Work]:
    return {name: Work.of_row(table, row) for name, row in table.named_rows()}


def _row_record(delta: Delta, row: RowChange) -> dict[str, Any]:
    pool = delta.new.codebook.pool
    cells = {cell.column: cell.after or cell.before for cell in row.cells}
    key = row.key.split("/")
    words = "; ".join(cell for cell in cells.values() if cell not in key)
    axes = pool.axis_names if row.table == pool.name else ()
    tags = ", ".join(cells[name] for name in axes if name in cells)
    place = {"table": row.table, "key": row.key, "shown": row.title or words, "tags": tags}
    return {**place, "cells": cells, "file": row.file, "line": row.line}


def _cell_records(delta: Delta, row: RowChange) -> Iterator[dict[str, Any]]:
    place = {"table": row.table, "key": row.key, "kind": row.kind, "line": row.line}
    if row.kind == RENAMED:
        yield {**place, "column": "key", "before": row.old_key, "after": row.key}
    for cell in row.cells:
        yield {**place, **cell._asdict(), "separator": _separator(delta, row.table, cell.column)}


def _separator(delta: Delta, table: str, column: str) -> str:
    """Return what is between the items of a column; empty where its cells are no lists."""
    spec = delta.new.codebook.tables.get(table)
    return spec.column(column).separator.strip() if spec and column in spec.header else ""


def _cell_parts(delta: Delta, row: RowChange) -> Iterator[Part]:
    """Yield the first cells that differ, with both values."""
    cells = []
    for cell in row.cells:
        both = (cell.before, cell.after, _separator(delta, row.table, cell.column))
        cells.append((code(cell.column), *values(*both)))
    return listed(cells)


def _entry_text(delta: Delta, row: RowChange, move: Move | None) -> Sentence:
    named = tuple(_named(delta, row))
    if row.kind == ADDED:
        source = ""
        if move:
            rest = ", where it still is as well" * move["stays"]
            source = f" (moved from the exclusion log: {move['record']}{rest})"
        entry = delta.new.entries[row.key]
        cells = [(name, entry.cell(name)) for name in entry.table.spec.axis_names]
        tags = [(code(f"{name} = {cell}"),) for name, cell in cells if cell]
        told = (": ", *listed(tags, len(tags))) if tags else ()
        return "Adds ", *named, source, *told, ".", *_promotion_parts(delta, row.key)
    if row.kind == REMOVED:
        log = f" (the exclusion log has it as {move['record']})" if move else ""
        return "Takes ", *named, f" out of the pool{log}."
    if row.kind == CHANGED:
        return "Changes ", *named, ": ", *_cell_parts(delta, row), "."
    changes = (". It changes ", *_cell_parts(delta, row)) if row.cells else ()
    return *named, " is ", code(row.old_key), " under a new key", *changes, "."


def _promotion_parts(delta: Delta, key: str) -> Iterator[str]:
    """Yield which cell a new entry was promoted for, where the corpus keeps that."""
    for spec in delta.new.codebook.by_role(PROMOTIONS):
        row = next((r for r in delta.rows.rows if (r.table, r.key) == (spec.name, key)), None)
        if row is None:
            yield f" No row of {spec.file} names the cell that it changes."
            continue
        cells = {cell.column: cut(cell.after, LENGTH) for cell in row.cells}
        former = [cells.pop(c.name, "") for c in spec.columns if c.role == FORMER]
        cells.pop(spec.key[0], None)
        was = "".join(former) or "neither logged nor a candidate"
        yield f" It was {was} before, and changes {': '.join(filter(None, cells.values()))}."


def _named(delta: Delta, row: RowChange) -> Iterator[Part]:
    """Yield the key of an entry with what a maintainer needs to recognise the paper."""
    yield code(row.key)
    title, about = row.title, []
    for study in (delta.new, delta.old):
        if study.codebook.pool.name in study.tables and row.key in study.entries:
            work = _described(study, study.entries[row.key])
            authors = "; ".join(work.authors)
            if len(work.authors) > _NAMED:
                authors = f"{work.authors[0]} and {len(work.authors) - 1} others"
            title = work.title
            about = [(part,) for part in (authors, work.year, _link(work)) if part]
            break
    if title:
        yield f", “{cut(title, LENGTH)}”"
    if about:
        yield from (" (", *listed(about), ")")


def _described(study: Study, entry: LocatedRow) -> Work:
    cells = entry.by_role
    # A bibliography has the authors and the DOI where the pool has not.
    for table in study.by_role("bibliography"):
        record = table.by_key().get((entry.key,))
        if record is not None:
            described = table.spec.by_role_cells(record)
            for role in ("authors", "doi"):
                cells[role] = cells.get(role) or described.get(role, "")
    return Work.of(cells)


def _link(work: Work) -> Marked | None:
    """Return the surest link; its text tells where it leads, not what a cell claims."""
    arxiv, doi = find_arxiv(work.arxiv), find_doi(work.doi)
    if arxiv:
        text, address = f"arXiv:{arxiv}", arxiv_page(arxiv)
    elif doi:
        text, address = f"DOI {doi}", doi_page(doi)
    else:
        address = split_addresses(work.url)[0]
        try:
            text = urlsplit(address).netloc.removeprefix("www.")
        except ValueError:
            return None
    safe = web_address(address)
    return Marked(text, safe) if safe else None


def less_exact(delta: Delta) -> Iterator[Note]:
    """Yield the dates that lose their day or month."""
    for row in delta.rows.altered():
        columns = {column.name: column for column in delta.new.tables[row.table].spec.columns}
        for cell in row.cells:
            is_date = cell.column in columns and columns[cell.column].type == "date"
            if is_date and cell.after and cell.before.startswith(f"{cell.after}-"):
                place = (row.file, row.line, cell.column, cell.after)
                found = LESS_EXACT.at(*place, other=row.key, advice=cell.before)
                yield finding_note("findings", found)


def outdated(delta: Delta) -> Iterator[Note]:
    """Yield the rows that an audit judged as the older state has them, and that differ now."""
    changes = {(row.table, row.old_key): row for row in delta.rows.altered()}
    for audit in delta.new.by_role(EVIDENCE_AUDIT):
        for judged in audit.by_role_cells():
            change = changes.get((judged.get("table", ""), judged.get("row", "")))
            if change is None or not judged.get("verdict"):
                continue
            table = delta.old.tables[change.table]
            [was] = [row for row in table.rows if "/".join(table.key_of(row)) == change.old_key]
            if row_digest(was) == judged.get("digest"):
                place = (change.file, change.line, "", change.key)
                verdict = judged["verdict"]
                found = OUTDATED_VERDICT.at(*place, other=change.table, advice=verdict)
                yield finding_note("findings", found)


def uncorrected(delta: Delta) -> Iterator[Note]:
    """Yield bibliographic cells that changed while no row of the corrections has the new value."""
    for log in delta.new.by_role("corrections"):
        known = corrections(log)
        # A correction that is taken back leaves the cell as it was published: no row is needed.
        published: Mapping[tuple[str, str], str] = {}
        if log.spec.name in delta.old.tables:
            published = corrections(delta.old.tables[log.spec.name], "before")
        corrected = {column.references for column in log.spec.columns if column.type == "column"}
        for row in delta.rows.altered(*corrected):
            spec = delta.new.tables[row.table].spec
            described = {column.name for column in spec.columns if column.role in _BIBLIOGRAPHIC}
            for cell in row.cells:
                is_back = published.get((row.old_key, cell.column)) == cell.after
                is_known = known.get((row.key, cell.column)) == cell.after
                if cell.column not in described or is_known or is_back:
                    continue
                rest = f" changes, but {log.spec.name} has no row with the new value."
                text = (code(cell.column), " of ", code(row.key), rest)
                record = {"key": row.key, "column": cell.column}
                yield Note("uncorrected", text, (record,))
