"""The report of a change as text, Markdown, JSON and annotations.

All formats write one :class:`~corpus.curation.changes.headline.ChangeReport`; text and Markdown
share its sentences and its tables.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from corpus.analysis.claims.claim_rules import CLAIM_FAILS
from corpus.curation.changes.changes import ADDED, CHANGED, REMOVED, RENAMED, RowChange
from corpus.curation.changes.consequences import CLAIM_KINDS, ClaimChange, CountChange
from corpus.curation.changes.declared import ADDED as DECLARED_ANEW
from corpus.curation.changes.declared import REMOVED as NO_LONGER_DECLARED
from corpus.curation.changes.declared import DeclarationChange
from corpus.curation.changes.headline import (
    ChangeReport,
    error_sentence,
    headline,
    is_acknowledged,
    observed_text,
    sentences,
)
from corpus.curation.changes.sentence import code, markdown_text, plain_text, sentence, shortened
from corpus.model.finding import Finding
from corpus.printing.escape import github_message, github_property, html, markdown, terminal
from corpus.printing.findings import ANNOTATIONS, findings_github, findings_text
from corpus.printing.grid import Grid, cut, grid_markdown, grid_text, plural
from corpus.printing.json_document import json_text

#: A comment or job summary is cut at so many bytes; GitHub refuses a comment above 65,536
#: characters.
COMMENT_BYTES = 60_000
#: Rows and findings beyond this are counted instead of listed.
LISTED = 200
#: The same, in Markdown, for the tables of what follows from a change: one row moves many numbers.
FOLDED = 12
_FOLLOWING = ("Claims", "Counts", "Cells", "Sparsity", "Numbers in print")

_OPEN_CLAIMS = sentence(
    "A claim that breaks fails ",
    code("corpus check"),
    " until it and the text that makes it are fixed; ",
    code("corpus claims --acknowledge REASON"),
    " writes down that this is known.",
)


def report_grids(report: ChangeReport, length: int) -> Iterator[Grid]:
    """Yield the tables, the most urgent first; cells are cut to `length` characters."""
    moved = report.consequences
    if report.weakened:
        rows = []
        for item in report.weakened:
            state = "acknowledged" if item.acknowledged else "to acknowledge"
            rows.append((item.file, cut(item.place, length), cut(item.words, length), state))
        yield _listed("Weaker checks", ("file", "what", "change", ""), rows)
    if report.claims:
        yield _claims_grid(report.claims, length)
    if report.under_older:
        title = f"Findings under {report.before} alone"
        yield _findings_grid(title, report.under_older, length)
    if report.changes.declarations:
        yield _declarations_grid(report.changes.declarations, length)
    yield from _row_grids(report, length)
    if moved is not None:
        if moved.counts:
            yield _counts_grid("Counts", moved.counts)
        if moved.cells:
            cells = []
            for cell in moved.cells:
                numbers = (str(cell.before), str(cell.after))
                cells.append((cell.table, cell.row, cell.column, *numbers, cell.turns))
            header = ("table", "row", "column", "before", "after", "")
            yield Grid("Cells", header, tuple(cells), frozenset({3, 4}))
        if moved.sparsity:
            yield _counts_grid("Sparsity", moved.sparsity)
        if moved.numbers:
            texts = [(n.name, n.before or "new", n.after or "gone") for n in moved.numbers]
            columns = ("name", "before", "after")
            yield _listed("Numbers in print", columns, texts, frozenset({1, 2}))
    if report.stale:
        files = tuple((file,) for file in report.stale)
        yield _listed("Stale generated files", ("file",), files)


def _listed(
    title: str,
    header: tuple[str, ...],
    rows: Sequence[tuple[str, ...]],
    numeric: frozenset[int] = frozenset(),
) -> Grid:
    """Return a table with the first rows, and a note on how many are left out."""
    more = len(rows) - LISTED
    note = ""
    if more > 0:
        note = f"{more} more are not listed."
    return Grid(title, header, tuple(rows[:LISTED]), numeric, note)


def _claims_grid(changes: Sequence[ClaimChange], length: int) -> Grid:
    def urgency(change: ClaimChange) -> tuple[int, bool]:
        return CLAIM_KINDS.index(change.kind), change.claim.tracked

    rows = []
    is_open = False
    for change in sorted(changes, key=urgency):
        kind = change.kind
        if kind == "breaks":
            if is_acknowledged(change):
                kind = "breaks (acknowledged)"
            else:
                is_open = True
        observed = cut(observed_text(change), 2 * length)
        statement = cut(change.claim.statement, length)
        rows.append((change.claim.id, kind, observed, statement))
    note = ""
    if is_open:
        note = plain_text(_OPEN_CLAIMS)
    return Grid("Claims", ("claim", "", "observed", "statement"), tuple(rows), note=note)


def _findings_grid(title: str, findings: Sequence[Finding], length: int) -> Grid:
    rows = []
    for finding in sorted(findings, key=lambda finding: (not finding.is_error, finding)):
        place = finding.file
        if finding.line:
            place += f":{finding.line}"
        message, hint = cut(finding.message, length), cut(finding.hint, length)
        rows.append((place, finding.column, finding.code, message, hint))
    return _listed(title, ("place", "column", "code", "what", "how to fix it"), rows)


def _declarations_grid(changes: Sequence[DeclarationChange], length: int) -> Grid:
    rows = []
    for change in changes:
        before, after = shortened(change.before, change.after, length)
        if change.kind == DECLARED_ANEW:
            before = "none"
        elif change.kind == NO_LONGER_DECLARED:
            after = "none"
        rows.append((change.document, cut(change.place, 2 * length), change.kind, before, after))
    return _listed("Codebook and documents", ("in", "what", "", "before", "after"), rows)


def _row_grids(report: ChangeReport, length: int) -> Iterator[Grid]:
    """Yield one table for added and one for removed rows, and one for changed cells."""
    pool = report.codebook.pool
    for kind in (ADDED, REMOVED):
        rows = []
        for row in report.changes.rows:
            if row.kind == kind:
                # The cells of a row that is in one of the states alone.
                only = {cell.column: cell.after or cell.before for cell in row.cells}
                key = set(row.key.split("/"))
                words = "; ".join(cell for cell in only.values() if cell not in key)
                tags: list[str] = []
                if row.table == pool.name:
                    tags += [only[name] for name in pool.axis_names if name in only]
                title = cut(row.title or words, length)
                rows.append((row.table, row.key, title, ", ".join(tags)))
        if rows:
            yield _listed(f"Rows {kind}", ("table", "key", "title or text", "tags"), rows)
    cells: list[tuple[str, ...]] = []
    for row in report.changes.rows:
        if row.kind == RENAMED:
            cells.append((row.table, row.key, "key", row.old_key, row.key))
        if row.kind in (CHANGED, RENAMED):
            for cell in row.cells:
                values = shortened(cell.before, cell.after, length)
                cells.append((row.table, row.key, cell.column, *values))
    if cells:
        yield _listed("Cells changed", ("table", "key", "column", "before", "after"), cells)


def _counts_grid(title: str, counts: Sequence[CountChange]) -> Grid:
    rows = []
    for count in counts:
        difference = f"{count.after - count.before:+d}"
        rows.append((count.of, count.name, str(count.before), str(count.after), difference))
    header = ("of", "what", "before", "after", "change")
    return Grid(title, header, tuple(rows), frozenset({2, 3, 4}))


def changes_text(report: ChangeReport, columns: int | None = None, all_: bool = False) -> str:
    """Write the report for a terminal: the sentences, and with `all_` every table as well."""
    # The widest line that a person reads with ease; a terminal may be wider, a log has no width.
    lead = "".join(_wrapped(line, columns or 100) for line in headline(report))
    if not all_:
        titles = [f"{grid.title} ({len(grid.rows)})" for grid in _detail_grids(report, length=48)]
        if titles:
            lead += _wrapped(f"Details with `corpus diff --all`: {', '.join(titles)}.", 100)
        return lead
    found = findings_text(report.other_findings[:LISTED])
    grids = [grid_text(grid, columns) for grid in report_grids(report, length=48)]
    return "\n".join(part for part in [lead, found, *grids] if part)


def _detail_grids(report: ChangeReport, length: int) -> list[Grid]:
    grids = list(report_grids(report, length))
    if report.inherited:
        title = f"Findings that {report.before} has already"
        grids.insert(0, _findings_grid(title, report.inherited, length))
    found = report.other_findings
    if found:
        grids.insert(0, _findings_grid("Findings", found, length))
    return grids


def _wrapped(line: str, columns: int) -> str:
    lines = textwrap.wrap(terminal(line), columns, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(lines) + "\n"


def changes_markdown(report: ChangeReport, limit: int = COMMENT_BYTES) -> str:
    """Write the report for a job summary or a comment: all escaped, cut at `limit` bytes.

    The tables are folded, each under its title.
    """
    text = "## What this change does\n\n"
    for line in sentences(report):
        text += f"- {markdown_text(line)}\n"
    for grid in _detail_grids(report, length=160):
        summary = f"{grid.title} ({len(grid.rows)})"
        note = _markdown_note(grid.note)
        if grid.title in _FOLLOWING and len(grid.rows) > FOLDED:
            more = len(grid.rows) - FOLDED
            note += f"\n{more} more are not listed; `corpus diff --all` prints them.\n"
            grid = grid._replace(rows=grid.rows[:FOLDED])
        # The heading would repeat the summary; the empty line makes the table Markdown again.
        table = grid_markdown([grid._replace(title="", note="")]).strip("\n")
        text += f"\n<details><summary>{html(summary)}</summary>\n\n{table}\n{note}\n</details>\n"
    return cut_lines(text, limit)


def unread_markdown(findings: Iterable[Finding]) -> str:
    """Write why two states cannot be compared, as the report of the change."""
    text = "## What this change does\n\n- The states cannot be compared until this is fixed.\n"
    for finding in findings:
        text += f"- {markdown_text(error_sentence(finding))}\n"
    return cut_lines(text, COMMENT_BYTES)


def _markdown_note(note: str) -> str:
    if not note:
        return ""
    if note == plain_text(_OPEN_CLAIMS):
        return f"\n{markdown_text(_OPEN_CLAIMS)}\n"
    return f"\n{markdown(note)}\n"


def cut_lines(text: str, limit: int) -> str:
    """Cut a text at a line end so that it stays within `limit` bytes, a note about it included."""
    if len(text.encode("utf-8")) <= limit:
        return text
    note = f"\n*The report was cut at {limit // 1000} kB; `corpus diff --all` prints all of it.*\n"
    kept: list[str] = []
    closing = "\n</details>\n"
    left = limit - len(note.encode("utf-8")) - len(closing)
    is_open = False
    for line in text.splitlines(keepends=True):
        left -= len(line.encode("utf-8"))
        if left < 0:
            break
        if line.startswith("<details>"):
            is_open = True
        elif line.startswith("</details>"):
            is_open = False
        kept.append(line)
    # An open fold would swallow the note, and whatever comes after the report.
    if is_open:
        kept.append(closing)
    return "".join(kept) + note


def changes_github(report: ChangeReport) -> str:
    """Write workflow commands, at most :data:`ANNOTATIONS`, since GitHub shows no more.

    Findings come first, then claims that break, then declarations, then the changed lines.
    """
    lines = findings_github(report.other_findings).splitlines()
    # Behind so many findings is a line that counts the others.
    lines, counted = lines[:ANNOTATIONS], lines[ANNOTATIONS:]
    # Guards that break are annotated; tracked numbers that move are not.
    others = [*report.other_findings, *report.inherited]
    broken = [one for one in report.findings if one.code == CLAIM_FAILS.code and one not in others]
    lines += findings_github(broken).splitlines()
    lines += _declaration_annotations(report.changes.declarations)
    rows = [row for row in report.changes.rows if row.line]
    places_left = max(0, ANNOTATIONS - len(lines))
    lines = lines[:ANNOTATIONS] + counted
    lines += [_row_annotation(row) for row in rows[:places_left]]
    more = len(rows) - places_left
    if more > 0:
        message = f"+{more} more changed rows; the job summary lists them all"
        lines.append(f"::notice title=+{more} more::{message}")
    return "".join(line + "\n" for line in lines)


def _row_annotation(row: RowChange) -> str:
    what = row.title
    if row.kind == CHANGED:
        what = ", ".join(cell.column for cell in row.cells)
    title = github_property(f"{row.table}: {row.kind}")
    message = row.key
    if what:
        message = f"{row.key}: {what}"
    place = f"file={github_property(row.file)},line={row.line}"
    return f"::notice {place},title={title}::{github_message(message)}"


def _declaration_annotations(changes: Sequence[DeclarationChange]) -> list[str]:
    """Return one annotation for all declarations that differ; the job summary lists each."""
    if not changes:
        return []
    places = []
    for change in changes[:ANNOTATIONS]:
        places.append(f"{change.document}: {change.place} {change.kind}")
    number = plural(len(changes), "change")
    message = github_message(f"{number} in codebook and documents: {'; '.join(places)}")
    return [f"::warning title=Codebook and documents::{message}"]


def changes_json(report: ChangeReport) -> str:
    """Write everything as one JSON document."""
    changes, moved = report.changes, report.consequences
    document: dict[str, Any] = {
        "before": report.before,
        "after": report.after,
        "summary": headline(report),
        "checking": list(report.checking),
        "weakened": _dicts(report.weakened),
        "findings": _dicts(report.findings),
        "inherited": _dicts(report.inherited),
        "rows": [{**row._asdict(), "cells": _dicts(row.cells)} for row in changes.rows],
        "moves": changes.told("moves"),
        "duplicates": changes.told("duplicates"),
        "codebook": changes.told("codebook"),
        "renamed_terms": _dicts(report.terms),
        "documents": list(changes.documents),
        "declarations": [change.as_dict() for change in changes.declarations],
        "under_older": _dicts(report.under_older),
        "following": changes.follow,
        "departures": changes.told("departures"),
        "left_behind": changes.told("left_behind"),
        "uncorrected": changes.told("uncorrected"),
        "unread": list(report.unread),
        "stale": list(report.stale),
        "counts": None,
    }
    if moved is not None:
        document["counts"] = _dicts(moved.counts)
        document["cells"] = [{**cell._asdict(), "turns": cell.turns} for cell in moved.cells]
        document["sparsity"] = _dicts(moved.sparsity)
        document["claims"] = [_claim_dict(change) for change in moved.claims]
        document["numbers"] = _dicts(moved.numbers)
    return json_text(document)


def _dicts(records: Iterable[Any]) -> list[Mapping[str, Any]]:
    return [record._asdict() for record in records]


def _claim_dict(change: ClaimChange) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": change.claim.id,
        "change": change.kind,
        "tracked": change.claim.tracked,
        # A state may lack the claim.
        "before": None,
        "after": None,
        "expected": None,
        "acknowledged": False,
        "margin_before": change.margins[0],
        "margin_after": change.margins[1],
    }
    if change.before is not None:
        found["before"] = change.before.observed
    if change.after is not None:
        found["after"] = change.after.observed
        found["expected"] = change.after.expected
        found["acknowledged"] = change.after.acknowledged
    return found
