"""The report of a change as text, Markdown, JSON and annotations.

All formats write one :class:`~corpus.curation.changes.headline.ChangeReport`; text and Markdown
share its sentences and its tables.
"""

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from corpus.curation.changes.changes import RENAMED, RowChange
from corpus.curation.changes.consequences import ClaimChange, CountChange
from corpus.curation.changes.declared import ADDED, CHANGED, REMOVED, DeclarationChange
from corpus.curation.changes.headline import (
    ChangeReport,
    declaration_text,
    error_sentence,
    headline,
    sentences,
)
from corpus.curation.changes.sentence import Sentence, markdown_text, shortened
from corpus.model.finding import Finding
from corpus.printing.escape import github_message, github_property, html, terminal
from corpus.printing.findings import ANNOTATIONS, findings_github, findings_text
from corpus.printing.grid import Grid, cut, grid_text, plural
from corpus.printing.json_document import as_plain, json_text
from corpus.printing.sinks import grid_in

#: A comment or job summary is cut at so many bytes; GitHub refuses a comment above 65,536
#: characters.
COMMENT_BYTES = 60_000
#: Rows and findings beyond this are counted instead of listed.
LISTED = 200
#: What follows from a change: one row moves many numbers. `--all` lists all of them, Markdown so
#: many of each table.
_FOLLOWING = ("Claims", "Counts", "Cells", "Sparsity", "Numbers in print")
FOLDED = 12
_OPEN_CLAIMS = (
    "A claim that breaks fails `corpus check` until it and the text that makes it are fixed; "
    "`corpus claims --acknowledge REASON` writes down that this is known."
)

#: The cells of some rows.
_Cells = Iterable[tuple[str, ...]]


def report_grids(report: ChangeReport, length: int) -> list[Grid]:
    """Return the tables with rows, the most urgent first; cells are cut to `length` characters."""
    changes, moved = report.changes, report.moved
    older = f"Findings under {report.before} alone"
    declared = _declaration_rows(changes.declarations, length)
    weaker = []
    for item in report.weakened:
        state = "acknowledged" if item.acknowledged else "to acknowledge"
        weaker.append((item.file, cut(item.place, length), cut(item.words, length), state))
    changed = []
    note = ""
    for change in moved.claims:
        kind = change.kind
        if kind == "breaks" and change.acknowledged:
            kind = "breaks (acknowledged)"
        elif kind == "breaks":
            note = _OPEN_CLAIMS
        observed = cut(change.observed, 2 * length)
        changed.append((change.claim.id, kind, observed, cut(change.claim.statement, length)))
    claims = _grid("Claims", "claim||observed|statement", changed)._replace(note=note)
    cells = [(*map(str, move[:5]), move.turns) for move in moved.cells]
    numbers = [(name, was or "new", now or "gone") for name, was, now in moved.numbers]
    # fmt: off
    grids = [
        _grid("Weaker checks", "file|what|change|", weaker),
        claims,
        _findings_grid(older, report.under_older, length),
        _grid("Codebook and documents", "in|what||before|after", declared),
        _grid("Rows added", "table|key|title or text|tags", _whole_rows(report, ADDED, length)),
        _grid("Rows removed", "table|key|title or text|tags", _whole_rows(report, REMOVED, length)),
        _grid("Cells changed", "table|key|column|before|after", _cell_rows(changes.rows, length)),
        _grid("Counts", "of|what|before|after|change", _count_rows(moved.counts)),
        _grid("Cells", "table|row|column|before|after|", cells),
        _grid("Sparsity", "of|what|before|after|change", _count_rows(moved.sparsity)),
        _grid("Numbers in print", "name|before|after", numbers),
        _grid("Stale generated files", "file", zip(report.stale, strict=True)),
    ]
    # fmt: on
    return [grid for grid in grids if grid.rows]


def _grid(title: str, columns: str, cells: _Cells) -> Grid:
    """Return a table; behind so many rows, a note tells how many are left out."""
    header, rows = tuple(columns.split("|")), tuple(cells)
    if title not in _FOLLOWING:
        note = ""
        if len(rows) > LISTED:
            note = f"{len(rows) - LISTED} more are not listed."
        return Grid(title, header, rows[:LISTED], note=note)
    numeric = set()
    for position, name in enumerate(header):
        if name in ("before", "after", "change"):
            numeric.add(position)
    return Grid(title, header, rows, frozenset(numeric))


def _findings_grid(title: str, findings: Sequence[Finding], length: int) -> Grid:
    rows = []
    for finding in sorted(findings, key=lambda finding: (not finding.is_error, finding)):
        place = finding.file
        if finding.line:
            place += f":{finding.line}"
        message, hint = cut(finding.message, length), cut(finding.hint, length)
        rows.append((place, finding.column, finding.code, message, hint))
    return _grid(title, "place|column|code|what|how to fix it", rows)


def _declaration_rows(changes: Sequence[DeclarationChange], length: int) -> _Cells:
    for change in changes:
        before, after = shortened(change.before, change.after, length)
        if change.kind == ADDED:
            before = "none"
        elif change.kind == REMOVED:
            after = "none"
        yield change.document, cut(change.place, 2 * length), change.kind, before, after


def _whole_rows(report: ChangeReport, kind: str, length: int) -> _Cells:
    """Yield the rows that are in one of the states alone."""
    pool = report.codebook.pool
    for row in report.changes.rows:
        if row.kind == kind:
            cells = {cell.column: cell.after or cell.before for cell in row.cells}
            key = row.key.split("/")
            words = "; ".join(cell for cell in cells.values() if cell not in key)
            tags = []
            if row.table == pool.name:
                tags += [cells[name] for name in pool.axis_names if name in cells]
            yield row.table, row.key, cut(row.title or words, length), ", ".join(tags)


def _cell_rows(rows: Sequence[RowChange], length: int) -> _Cells:
    for row in rows:
        if row.kind == RENAMED:
            yield row.table, row.key, "key", row.old_key, row.key
        if row.kind in (CHANGED, RENAMED):
            for cell in row.cells:
                values = shortened(cell.before, cell.after, length)
                yield row.table, row.key, cell.column, *values


def _count_rows(counts: Sequence[CountChange]) -> _Cells:
    for of, name, before, after in counts:
        yield of, name, str(before), str(after), f"{after - before:+d}"


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
    return "\n".join(filter(None, [lead, found, *grids]))


def _detail_grids(report: ChangeReport, length: int) -> list[Grid]:
    grids = report_grids(report, length)
    older = f"Findings that {report.before} has already"
    for title, found in ((older, report.inherited), ("Findings", report.other_findings)):
        if found:
            grids.insert(0, _findings_grid(title, found, length))
    return grids


def _wrapped(line: str, columns: int) -> str:
    lines = textwrap.wrap(terminal(line), columns, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(lines) + "\n"


def changes_markdown(report: ChangeReport, limit: int = COMMENT_BYTES) -> str:
    """Write the report for a job summary or a comment: all escaped, cut at `limit` bytes.

    The tables are folded, each under its title.
    """
    text = _markdown_list(sentences(report))
    for grid in _detail_grids(report, length=160):
        summary = html(f"{grid.title} ({len(grid.rows)})")
        note = ""
        if grid.note:
            note = f"\n{grid.note}\n"
        if grid.title in _FOLLOWING and len(grid.rows) > FOLDED:
            more = len(grid.rows) - FOLDED
            note += f"\n{more} more are not listed; `corpus diff --all` prints them.\n"
            grid = grid._replace(rows=grid.rows[:FOLDED])
        # The heading would repeat the summary; the empty line makes the table Markdown again.
        table = grid_in("md", [grid._replace(title="", note="")]).strip("\n")
        text += f"\n<details><summary>{summary}</summary>\n\n{table}\n{note}\n</details>\n"
    return cut_lines(text, limit)


def unread_markdown(findings: Iterable[Finding]) -> str:
    """Write why two states cannot be compared, as the report of the change."""
    lead = "The states cannot be compared until this is fixed."
    return cut_lines(_markdown_list([(lead,), *map(error_sentence, findings)]), COMMENT_BYTES)


def _markdown_list(lines: Iterable[Sentence]) -> str:
    text = "## What this change does\n\n"
    for line in lines:
        text += f"- {markdown_text(line)}\n"
    return text


def cut_lines(text: str, limit: int) -> str:
    """Cut a text at a line end so that it stays within `limit` bytes, a note about it included."""
    if len(text.encode("utf-8")) <= limit:
        return text
    note = f"\n*The report was cut at {limit // 1000} kB; `corpus diff --all` prints all of it.*\n"
    kept = ""
    closing = "\n</details>\n"
    left = limit - len(note.encode("utf-8")) - len(closing)
    for line in text.splitlines(keepends=True):
        left -= len(line.encode("utf-8"))
        if left < 0:
            break
        kept += line
    # An open fold would swallow the note, and whatever comes after the report.
    if kept.rfind("<details>") > kept.rfind("</details>"):
        kept += closing
    return kept + note


def changes_github(report: ChangeReport) -> str:
    """Write workflow commands, at most :data:`ANNOTATIONS`, since GitHub shows no more.

    Findings come first, then declarations, then the changed lines.
    """
    # Guards that break are annotated; tracked numbers that move are not.
    own = [finding for finding in report.findings if finding not in report.inherited]
    lines = findings_github(own).splitlines()
    # Behind so many findings is a line that counts the others.
    lines, counted = lines[:ANNOTATIONS], lines[ANNOTATIONS:]
    declarations = report.changes.declarations
    if declarations:
        # One annotation for all of them; the job summary lists each.
        places = "; ".join(map(declaration_text, declarations[:ANNOTATIONS]))
        number = plural(len(declarations), "change")
        message = github_message(f"{number} in codebook and documents: {places}")
        lines.append(f"::warning title=Codebook and documents::{message}")
    rows = [row for row in report.changes.rows if row.line]
    places_left = max(0, ANNOTATIONS - len(lines))
    lines = [*lines[:ANNOTATIONS], *counted]
    for row in rows[:places_left]:
        what = row.title
        if row.kind == CHANGED:
            what = ", ".join(cell.column for cell in row.cells)
        title = github_property(f"{row.table}: {row.kind}")
        message = github_message(": ".join(filter(None, (row.key, what))))
        place = f"file={github_property(row.file)},line={row.line}"
        lines.append(f"::notice {place},title={title}::{message}")
    more = len(rows) - places_left
    if more > 0:
        message = f"+{more} more changed rows; the job summary lists them all"
        lines.append(f"::notice title=+{more} more::{message}")
    return "\n".join([*lines, ""])


def changes_json(report: ChangeReport) -> str:
    """Write everything as one JSON document."""
    changes, moved = report.changes, report.consequences
    document: dict[str, Any] = {
        "before": report.before,
        "after": report.after,
        "summary": headline(report),
        "checking": report.checking,
        "weakened": report.weakened,
        "findings": report.findings,
        "inherited": report.inherited,
        "rows": changes.rows,
        **changes.notices,
        "renamed_terms": report.terms,
        "documents": changes.documents,
        "declarations": list(map(DeclarationChange.as_dict, changes.declarations)),
        "under_older": report.under_older,
        "following": changes.follow,
        "unread": report.unread,
        "stale": report.stale,
        "counts": None,
    }
    if moved is not None:
        document |= moved._asdict()
        document["cells"] = [{**move._asdict(), "turns": move.turns} for move in moved.cells]
        document["claims"] = list(map(_claim_dict, moved.claims))
    return json_text(as_plain(document))


def _claim_dict(change: ClaimChange) -> dict[str, Any]:
    # A state may lack the claim.
    before, after = change.before, change.after
    return {
        "id": change.claim.id,
        "change": change.kind,
        "tracked": change.claim.tracked,
        "before": before and before.observed,
        "after": after and after.observed,
        "expected": after and after.expected,
        "acknowledged": change.acknowledged,
        "margin_before": change.margins[0],
        "margin_after": change.margins[1],
    }
