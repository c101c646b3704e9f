"""What happens to entries and other rows, and what nobody may have meant."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from corpus.analysis.audit.audit import ROLE as EVIDENCE_AUDIT
from corpus.analysis.audit.audit import row_digest
from corpus.analysis.bibliography.same_works import WorkIndex
from corpus.curation.changes.delta import Delta
from corpus.curation.changes.effects.checks import finding_note
from corpus.curation.changes.effects.releases import corrections
from corpus.curation.changes.note import Note
from corpus.curation.changes.rows import (
    ADDED,
    CHANGED,
    REMOVED,
    RENAMED,
    RowChange,
    renamed_references,
)
from corpus.curation.changes.sentence import LENGTH, Marked, Part, Sentence, code, listed, values
from corpus.curation.edit.proposal import FORMER, PROMOTIONS
from corpus.model.finding import WARNING, Finding, Rule
from corpus.model.identifiers import arxiv_page, doi_page, find_arxiv, find_doi, split_addresses
from corpus.model.study import Study
from corpus.model.table import LocatedRow, Table
from corpus.model.work import Work
from corpus.printing.escape import web_address
from corpus.printing.grid import cut, plural

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


class Move(NamedTuple):
    """A pool row of one state that is in an exclusion log of the other.

    `stays` where the record is in both states.
    """

    key: str
    record: str
    stays: bool


def departures(delta: Delta) -> Iterator[Note]:
    """Yield the entries that left the pool and are in no exclusion log."""
    for row, other in _untraced(delta):
        named = _named(delta, row)
        if other:
            same = " leaves the pool; it looks like the same work as "
            text = (*named, same, code(other), ".")
        else:
            text = (*named, " leaves the pool without a trace in the exclusion log.")
        record = {"key": row.key, "title": row.title, "other": other}
        yield Note("departures", text, (record,))


def _untraced(delta: Delta) -> Iterator[tuple[RowChange, str]]:
    """Yield each entry that left without a trace, and an entry that looks like it."""
    before, after = delta.old, delta.new
    pool = after.codebook.pool.name
    declared = {spec.name for spec in after.codebook.by_role("exclusions")}
    # In a log that could not be read, any of them may be. A pool of another name is another one.
    if pool != before.codebook.pool.name or not {pool, *declared} <= after.tables.keys():
        return
    removed = delta.rows.of(REMOVED, pool)
    traced = {move.key for move in _moves(removed, before, after)}
    left = [row for row in removed if row.key not in traced]
    if left:
        works = _works(before.pool)
        entries = WorkIndex(_works(after.pool), len(left))
        for row in left:
            other, _ = entries.find(works[row.key]) or ("", "")
            yield row, other


def _moves(rows: list[RowChange], here: Study, there: Study) -> Iterator[Move]:
    """Yield the pool rows of one state that are in an exclusion log of the other."""
    works = _works(here.pool) if rows else {}
    for log in there.by_role("exclusions") if rows else ():
        index = WorkIndex(_works(log), len(rows))
        known = here.tables[log.spec.name].names() if log.spec.name in here.tables else ()
        stays = set(known)
        for row in rows:
            found = index.find(works[row.key])
            if found is not None:
                yield Move(row.key, found[0], found[0] in stays)


def _works(table: Table) -> dict[str, Work]:
    return {name: Work.of_row(table, row) for name, row in table.named_rows()}


def rows(delta: Delta) -> Iterator[Note]:
    """Yield every row that differs, the entries first."""
    old, new = delta.old, delta.new
    pool = new.codebook.pool
    gone = {row.key for row, _ in _untraced(delta)}
    moves: dict[str, Move] = {}
    if pool.name in new.tables and pool.name in old.tables:
        for move in (*_moves(delta.rows.of(ADDED, pool.name), new, old),
                     *_moves(delta.rows.of(REMOVED, pool.name), old, new)):  # fmt: skip
            moves.setdefault(move.key, move)
    for row in sorted(delta.rows.rows, key=lambda row: row.table != pool.name):
        text: Sentence = ()
        if row.table == pool.name and row.key not in gone:
            text = _entry_text(delta, row, moves.get(row.key))
        elif row.kind == RENAMED:
            text = (f"{row.table}: renames ", code(row.old_key), " to ", code(row.key), ".")
        elif row.kind == CHANGED:
            text = (f"{row.table}: changes ", code(row.key), ": ", *_cell_parts(delta, row), ".")
        subject, table = "changed", tuple(_cell_records(delta, row))
        if row.kind in (ADDED, REMOVED):
            moved = moves.get(row.key) if row.table == pool.name else None
            subject, table = row.kind, ({**_row_record(delta, row), "moved": moved},)
        notice = None
        if row.line:
            what = row.title
            if row.kind == CHANGED:
                what = ", ".join(cell.column for cell in row.cells)
            message = ": ".join(filter(None, (row.key, what)))
            title = f"{row.table}: {row.kind}"
            notice = Finding(row.file, row.line, 0, "", title, "notice", row.key, message, "")
        yield Note(subject, text, table, row.table, notice)


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
        separator = _separator(delta, row.table, cell.column)
        yield {**place, **cell._asdict(), "separator": separator}


def _separator(delta: Delta, table: str, column: str) -> str:
    """Return what is between the items of a column; empty where its cells are no lists."""
    for study in (delta.new, delta.old):
        spec = study.codebook.tables.get(table)
        if spec and column in spec.header:
            return spec.column(column).separator.strip()
    return ""


def _cell_parts(delta: Delta, row: RowChange) -> Iterator[Part]:
    """Yield the first cells that differ, with both values."""
    cells = []
    for cell in row.cells:
        separator = _separator(delta, row.table, cell.column)
        cells.append((code(cell.column), *values(cell.before, cell.after, separator)))
    return listed(cells)


def _entry_text(delta: Delta, row: RowChange, move: Move | None) -> Sentence:
    named = tuple(_named(delta, row))
    if row.kind == ADDED:
        source = ""
        if move:
            rest = ", where it still is as well" * move.stays
            source = f" (moved from the exclusion log: {move.record}{rest})"
        entry = delta.new.entries[row.key]
        cells = [(name, entry.cell(name)) for name in entry.table.spec.axis_names]
        tags = [(code(f"{name} = {cell}"),) for name, cell in cells if cell]
        told = (": ", *listed(tags, len(tags))) if tags else ()
        return "Adds ", *named, source, *told, ".", *_promotion_parts(delta, row.key)
    if row.kind == REMOVED:
        log = f" (the exclusion log has it as {move.record})" if move else ""
        return "Takes ", *named, f" out of the pool{log}."
    if row.kind == CHANGED:
        return "Changes ", *named, ": ", *_cell_parts(delta, row), "."
    parts: list[Part] = [" is ", code(row.old_key), " under a new key"]
    follow = delta.rows.followed
    # The number is that of all renamed rows: of several, the last sentence of a report has it.
    if follow and sum(one.kind == RENAMED for one in delta.rows.rows) == 1:
        verb = "follows" if follow == 1 else "follow"
        parts.append(f"; {plural(follow, 'reference')} {verb}")
    if row.cells:
        parts += [". It changes ", *_cell_parts(delta, row)]
    return *named, *parts, "."


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


def doubts(delta: Delta) -> Iterator[Note]:
    """Yield what nobody may have meant: duplicates, old keys, changes without a correction."""
    for key, other, shared in _duplicates(delta):
        both = (code(key), " may be the same work as ", code(other))
        shared = "nearly the same title" if shared == "title" else shared
        yield _doubt(key, "duplicate", other, (*both, f": both have {shared}."))
    for (old, new), tables in _left_behind(delta).items():
        number = plural(len(tables), "row")
        verb = "has" if len(tables) == 1 else "have"
        where = ", ".join(dict.fromkeys(tables))
        text = (f"{number} ({where}) still {verb} ", code(old), ", not ", code(new), ".")
        yield _doubt(old, "left behind", new, text)
    for key, column, log in _uncorrected(delta):
        rest = f" changes, but {log} has no row with the new value."
        yield _doubt(key, "uncorrected", column, (code(column), " of ", code(key), rest))


def _left_behind(delta: Delta) -> dict[tuple[str, str], list[str]]:
    """Return the tables of rows that still have a renamed key, one for each row, by both keys."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, table in delta.new.tables.items():
        for position, new_keys in renamed_references(table, delta.rows.renamed).items():
            for row in table.rows:
                if row[position] in new_keys:
                    both = (row[position], new_keys[row[position]])
                    found.setdefault(both, []).append(name)
    return found


def less_exact(delta: Delta) -> Iterator[Note]:
    """Yield the dates that lose their day or month."""
    for row in delta.rows.rows:
        if row.kind not in (CHANGED, RENAMED):
            continue
        spec = delta.new.tables[row.table].spec
        dates = {column.name for column in spec.columns if column.type == "date"}
        for cell in row.cells:
            if cell.column in dates and cell.after and cell.before.startswith(f"{cell.after}-"):
                place = (row.file, row.line, cell.column, cell.after)
                found = LESS_EXACT.at(*place, other=row.key, advice=cell.before)
                yield finding_note("findings", found)


def outdated(delta: Delta) -> Iterator[Note]:
    """Yield the rows that an audit judged as the older state has them, and that differ now."""
    if not delta.old.codebook.by_role(EVIDENCE_AUDIT):
        return
    changes = {}
    for row in delta.rows.rows:
        if row.kind in (CHANGED, RENAMED):
            changes[row.table, row.old_key] = row
    for audit in delta.new.by_role(EVIDENCE_AUDIT):
        for judged in audit.by_role_cells():
            change = changes.get((judged.get("table", ""), judged.get("row", "")))
            if change is None or not judged.get("verdict"):
                continue
            table = delta.old.tables[change.table]
            keys = map("/".join, table.keys())
            rows_by_key = dict(zip(keys, table.rows, strict=True))
            if row_digest(rows_by_key[change.old_key]) == judged.get("digest"):
                place = (change.file, change.line, "", change.key)
                verdict = judged["verdict"]
                found = OUTDATED_VERDICT.at(*place, other=change.table, advice=verdict)
                yield finding_note("findings", found)


def _doubt(key: str, doubt: str, other: str, text: Sentence) -> Note:
    return Note("doubts", text, ({"key": key, "doubt": doubt, "other": other},))


def _duplicates(delta: Delta) -> Iterator[tuple[str, str, str]]:
    """Yield the added entries that look like an earlier one or like another added one."""
    pool = delta.new.codebook.pool.name
    added = {row.key for row in delta.rows.of(ADDED, pool)}
    works = _works(delta.new.pool) if added else {}
    index = WorkIndex({key: work for key, work in works.items() if key not in added}, len(added))
    for key in sorted(added):
        found = index.find(works[key])
        if found is not None:
            yield key, *found
        index.add(key, works[key])


def _uncorrected(delta: Delta) -> Iterator[tuple[str, str, str]]:
    """Yield bibliographic cells that changed while no row of the corrections has the new value."""
    for log in delta.new.by_role("corrections"):
        known = corrections(log)
        # A correction that is taken back leaves the cell as it was published: no row is needed.
        published: Mapping[tuple[str, str], str] = {}
        if log.spec.name in delta.old.tables:
            published = corrections(delta.old.tables[log.spec.name], "before")
        corrected = {column.references for column in log.spec.columns if column.type == "column"}
        for row in delta.rows.rows:
            if row.table not in corrected or row.kind not in (CHANGED, RENAMED):
                continue
            roles = {
                column.name: column.role for column in delta.new.tables[row.table].spec.columns
            }
            for cell in row.cells:
                is_back = published.get((row.old_key, cell.column)) == cell.after
                is_known = known.get((row.key, cell.column)) == cell.after
                if roles.get(cell.column) in _BIBLIOGRAPHIC and not is_known and not is_back:
                    yield row.key, cell.column, log.spec.name
