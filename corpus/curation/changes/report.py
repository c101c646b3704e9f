"""The report of a change: what a maintainer wants to know first, as text, Markdown, JSON and annotations."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from typing import Any

from corpus.analysis.claims.claim_rules import CLAIM_FAILS
from corpus.curation.changes.changes import ADDED, CHANGED, REMOVED, RENAMED, CellChange, RowChange
from corpus.curation.changes.consequences import CLAIM_KINDS, ClaimChange, CountChange
from corpus.curation.changes.declared import ADDED as DECLARED_ANEW
from corpus.curation.changes.declared import REMOVED as NO_LONGER_DECLARED
from corpus.curation.changes.declared import DeclarationChange
from corpus.curation.changes.headline import (
    ChangeReport,
    counts_only,
    headline,
    moved_text,
    number_of,
    other_findings,
)
from corpus.model.finding import Finding
from corpus.printing.escape import github_message, github_property, markdown, terminal
from corpus.printing.findings import ANNOTATIONS, findings_github, findings_text
from corpus.printing.grid import Grid, cut, grid_markdown, grid_text

#: A comment or job summary is cut at so many bytes; GitHub refuses a comment above 65,536 characters.
COMMENT_BYTES = 60_000
#: Rows and findings beyond this are counted instead of listed.
LISTED = 200


def report_grids(report: ChangeReport, room: int) -> list[Grid]:
    """Return the tables of the report, the most urgent first; long cells are cut to `room` characters."""
    grids: list[Grid] = []
    moved = report.consequences
    if moved is not None and moved.claims:
        grids.append(_claims_grid(moved.claims, room))
    if report.under_older:
        grids.append(_findings_grid(report.under_older, room)._replace(title=f"Findings under {report.before} alone"))
    if report.changes.declarations:
        grids.append(_declarations_grid(report.changes.declarations, room))
    grids += _row_grids(report, room)
    if moved is not None:
        if moved.counts:
            grids.append(_counts_grid("Counts", moved.counts))
        if moved.cells:
            rows = tuple((c.table, c.row, c.column, str(c.before), str(c.after), c.turns) for c in moved.cells)
            header = ("table", "row", "column", "before", "after", "")
            grids.append(Grid("Cells", header, rows, frozenset({3, 4})))
        if moved.sparsity:
            grids.append(_counts_grid("Sparsity", moved.sparsity))
        if moved.numbers:
            shown = tuple((n.name, n.before or "new", n.after or "gone") for n in moved.numbers)
            grids.append(_listed(Grid("Numbers in print", ("name", "before", "after"), shown, frozenset({1, 2}))))
    if report.stale:
        files = tuple((file,) for file in report.stale)
        grids.append(Grid("Stale generated files", ("file",), files, note="`corpus build` renews them."))
    return grids


def _declarations_grid(changes: Sequence[DeclarationChange], room: int) -> Grid:
    rows = []
    for change in changes:
        before, after = shortened(CellChange(change.place, change.before, change.after), room)
        if change.kind == DECLARED_ANEW:
            before = "none"
        elif change.kind == NO_LONGER_DECLARED:
            after = "none"
        rows.append((change.document, cut(change.place, 2 * room), change.kind, before, after))
    header = ("in", "what", "", "before", "after")
    return _listed(Grid("Codebook and documents", header, tuple(rows)))


def _findings_grid(findings: Sequence[Finding], room: int) -> Grid:
    ordered = sorted(findings, key=lambda finding: (not finding.is_error, finding))
    rows = tuple(
        (f"{f.file}:{f.line}" if f.line else f.file, f.column, f.code, cut(f.message, room), cut(f.hint, room))
        for f in ordered[:LISTED]
    )
    note = f"{len(findings) - LISTED} more are not listed." if len(findings) > LISTED else ""
    return Grid("Findings", ("place", "column", "code", "what", "to mend it"), rows, note=note)


def _claims_grid(changes: Sequence[ClaimChange], room: int) -> Grid:
    rows = []
    urgent = sorted(changes, key=lambda change: (CLAIM_KINDS.index(change.kind), counts_only(change)))
    for change in urgent:
        kind = change.kind
        if kind == "breaks" and change.after is not None and change.after.acknowledged:
            kind = "breaks (acknowledged)"
        statement = cut(change.claim.statement, room)
        rows.append((change.claim.id, kind, cut(moved_text(change), 2 * room), _margins(change), statement))
    open_ = any(c.kind == "breaks" and not (c.after and c.after.acknowledged) for c in changes)
    note = (
        "A claim that breaks fails `corpus check` until it and the text that makes it are mended; "
        "`corpus claims --acknowledge REASON` writes down that this is known."
    )
    header = ("claim", "", "observed", "margin", "statement")
    return Grid("Claims", header, tuple(rows), note=note if open_ else "")


def _margins(change: ClaimChange) -> str:
    old, new = ("none" if edits is None else str(edits) for edits in change.margins)
    old, new = (old if change.before else "", new if change.after else "")
    return old if old == new else " -> ".join(part for part in (old, new) if part)


def _row_grids(report: ChangeReport, room: int) -> list[Grid]:
    """One table for entries added or removed, one for changed cells of all tables."""
    grids: list[Grid] = []
    for kind in (ADDED, REMOVED):
        rows = [row for row in report.changes.rows if row.kind == kind]
        if rows:
            shown = tuple((row.table, row.key, cut(row.title or _words(row), room), _tags(row, report)) for row in rows)
            grids.append(_listed(Grid(f"Rows {kind}", ("table", "key", "title or text", "tags"), shown)))
    changed: list[tuple[str, ...]] = []
    for row in report.changes.rows:
        if row.kind == RENAMED:
            changed.append((row.table, row.key, "key", row.old_key, row.key))
        if row.kind in (CHANGED, RENAMED):
            changed += [(row.table, row.key, cell.column, *shortened(cell, room)) for cell in row.cells]
    if changed:
        grids.append(_listed(Grid("Cells changed", ("table", "key", "column", "before", "after"), tuple(changed))))
    return grids


def _listed(grid: Grid) -> Grid:
    more = len(grid.rows) - LISTED
    return grid._replace(rows=grid.rows[:LISTED], note=f"{more} more are not listed.") if more > 0 else grid


def _words(row: RowChange) -> str:
    key = set(row.key.split("/"))
    cells = [(cell.after if row.kind == ADDED else cell.before) for cell in row.cells]
    return "; ".join(cell for cell in cells if cell and cell not in key)


def _tags(row: RowChange, report: ChangeReport) -> str:
    if row.table != report.pool:
        return ""
    cells = {cell.column: cell.after if row.kind == ADDED else cell.before for cell in row.cells}
    return ", ".join(cells[axis] for axis in report.axes if axis in cells)


def shortened(cell: CellChange, room: int) -> tuple[str, str]:
    """Return both values of a cell, long ones cut so that the first difference is seen.

    Examples
    --------
    >>> shortened(CellChange("text", "a" * 90 + "b", "a" * 90 + "c"), 20)
    ('…aaaaaaaab', '…aaaaaaaac')
    """
    old, new = cell.before, cell.after
    if max(len(old), len(new)) > room:
        same = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
        start = max(0, same - 8)
        if start:
            old, new = "…" + old[start:], "…" + new[start:]
    return cut(old, room) or "empty", cut(new, room) or "empty"


def _counts_grid(title: str, counts: Sequence[CountChange]) -> Grid:
    rows = tuple((c.of, c.name, str(c.before), str(c.after), f"{c.after - c.before:+d}") for c in counts)
    return Grid(title, ("of", "what", "before", "after", "change"), rows, frozenset({2, 3, 4}))


def changes_text(report: ChangeReport, columns: int | None = None) -> str:
    """Write the report for a terminal."""
    lead = "".join(_wrapped(line, columns or 100) for line in headline(report))
    found = findings_text(other_findings(report)[:LISTED])
    grids = [grid_text(grid, columns) for grid in report_grids(report, room=48)]
    return "\n".join(part for part in [lead, found, *grids] if part)


def _wrapped(line: str, columns: int) -> str:
    return "\n".join(textwrap.wrap(terminal(line), columns, subsequent_indent="  ", break_on_hyphens=False)) + "\n"


def changes_markdown(report: ChangeReport, limit: int = COMMENT_BYTES) -> str:
    """Write the report for a job summary or a comment: everything escaped, cut at `limit` bytes with a note."""
    lead = "".join(f"- {markdown(line)}\n" for line in headline(report))
    title = "## What this change does\n\n"
    found = other_findings(report)
    grids = ([_findings_grid(found, 160)] if found else []) + report_grids(report, room=160)
    text = title + lead + ("\n" + grid_markdown(grids, level=3) if grids else "")
    return cut_lines(text, limit)


def cut_lines(text: str, limit: int) -> str:
    """Cut a text at a line end so that it stays within `limit` bytes, a note about it included."""
    if len(text.encode("utf-8")) <= limit:
        return text
    note = f"\n*The report was cut at {limit // 1000} kB; `corpus diff` prints all of it.*\n"
    kept: list[str] = []
    room = limit - len(note.encode("utf-8"))
    for line in text.splitlines(keepends=True):
        room -= len(line.encode("utf-8"))
        if room < 0:
            break
        kept.append(line)
    return "".join(kept) + note


def changes_github(report: ChangeReport) -> str:
    """Write workflow commands, at most :data:`ANNOTATIONS`: findings, claims that break, then the changed lines."""
    lines = findings_github(other_findings(report)).splitlines()
    lines += _claim_annotations(report)
    lines += _declaration_annotations(report)
    rows = [row for row in report.changes.rows if row.line]
    room = max(0, ANNOTATIONS - len(lines))
    lines = lines[:ANNOTATIONS]
    for row in rows[:room]:
        columns = ", ".join(cell.column for cell in row.cells) if row.kind == CHANGED else row.title
        place = f"file={github_property(row.file)},line={row.line},title={github_property(f'{row.table}: {row.kind}')}"
        lines.append(f"::notice {place}::{github_message(f'{row.key}: {columns}'.removesuffix(': '))}")
    more = len(rows) - room
    if more > 0:
        lines.append(f"::notice title=+{more} more::+{more} more changed rows; the job summary lists them all")
    return "".join(line + "\n" for line in lines)


def _claim_annotations(report: ChangeReport) -> list[str]:
    """One annotation for each breaking claim that says more than a number, one for all stated numbers together."""
    moved = report.consequences
    open_ = [f for f in report.findings if f.code == CLAIM_FAILS.code and f not in other_findings(report)]
    numbers = {change.claim.id for change in moved.claims if counts_only(change)} if moved else set()
    lines = findings_github([finding for finding in open_ if finding.value not in numbers]).splitlines()
    stated = [finding for finding in open_ if finding.value in numbers]
    if stated:
        place = f"file={github_property(stated[0].file)},line={stated[0].line},title={CLAIM_FAILS.code}"
        said = number_of(len(stated), "stated number no longer holds", "stated numbers no longer hold")
        names = ", ".join(finding.value for finding in stated)
        message = f"{said}: {names} — mend them, or write down that it is known: corpus claims --acknowledge REASON"
        lines.append(f"::error {place}::{github_message(message)}")
    return lines


def _declaration_annotations(report: ChangeReport) -> list[str]:
    """One annotation for all that is declared otherwise; the job summary lists each."""
    changes = report.changes.declarations
    if not changes:
        return []
    number = number_of(
        len(changes), "entry of codebook and documents differs", "entries of codebook and documents differ"
    )
    places = "; ".join(f"{change.document}: {change.place} {change.kind}" for change in changes[:ANNOTATIONS])
    return [f"::warning title=Codebook and documents::{github_message(f'{number}: {places}')}"]


def changes_json(report: ChangeReport) -> str:
    """Write everything as one JSON document."""
    changes, moved = report.changes, report.consequences
    document: dict[str, Any] = {
        "before": report.before,
        "after": report.after,
        "summary": headline(report),
        "findings": [finding.as_dict() for finding in report.findings],
        "rows": [{**row._asdict(), "cells": [cell._asdict() for cell in row.cells]} for row in changes.rows],
        "moves": [move._asdict() for move in changes.moves],
        "duplicates": [item._asdict() for item in changes.duplicates],
        "codebook": [term._asdict() for term in changes.terms],
        "documents": list(changes.documents),
        "declarations": [change._asdict() for change in changes.declarations],
        "under_older": [finding.as_dict() for finding in report.under_older],
        "following": changes.follow,
        "stale": list(report.stale),
        "counts": None,
    }
    if moved is not None:
        document["counts"] = [count._asdict() for count in moved.counts]
        document["cells"] = [{**cell._asdict(), "turns": cell.turns} for cell in moved.cells]
        document["sparsity"] = [count._asdict() for count in moved.sparsity]
        document["claims"] = [_claim_dict(change) for change in moved.claims]
        document["numbers"] = [change._asdict() for change in moved.numbers]
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _claim_dict(change: ClaimChange) -> dict[str, Any]:
    return {
        "id": change.claim.id,
        "change": change.kind,
        "before": change.before.observed if change.before else None,
        "after": change.after.observed if change.after else None,
        "expected": change.after.expected if change.after else None,
        "acknowledged": change.after.acknowledged if change.after else False,
        "margin_before": change.margins[0],
        "margin_after": change.margins[1],
    }
