"""What happens to entries and other rows, and what nobody may have meant."""

from collections.abc import Iterator

from corpus.analysis.audit.audit import ROLE as EVIDENCE_AUDIT
from corpus.analysis.audit.audit import row_digest
from corpus.analysis.bibliography.same_works import WorkIndex
from corpus.curation.changes.delta import Delta
from corpus.curation.changes.effects.checks import finding_note
from corpus.curation.changes.note import Note
from corpus.curation.changes.row_changes import ADDED, CHANGED, REMOVED, RENAMED, RowChange
from corpus.curation.changes.sentence import arrow, shown
from corpus.curation.edit.proposal import PROMOTIONS
from corpus.model.finding import WARNING, Rule
from corpus.model.work import Work

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


def rows(delta: Delta) -> Iterator[Note]:
    """Yield every row that differs, the entries first."""
    pool = delta.new.codebook.pool.name
    for row in sorted(delta.rows.rows, key=lambda row: row.table != pool):
        text = f"{row.table}: {row.key} {row.kind}"
        if row.kind == RENAMED:
            text += f" from {row.old_key}"
        if row.title:
            text += f", “{shown(row.title)}”"
        cells = []
        for cell in row.cells:
            if row.kind == ADDED and cell.after not in (row.title, *row.key.split("/")):
                cells.append(f"{cell.column} {shown(cell.after)}")
            elif row.kind in (CHANGED, RENAMED):
                cells.append(f"{cell.column} {arrow(cell.before, cell.after)}")
        text += f": {'; '.join(cells)}" if cells else ""
        if row.kind == REMOVED and row.table == pool:
            text += _logged(delta, row)
        if row.kind == ADDED and row.table == pool:
            for spec in delta.new.codebook.by_role(PROMOTIONS):
                if row.key not in [other.key for other in delta.rows.of(ADDED, spec.name)]:
                    text += f"; no row of {spec.file} names the cell that it changes"
        yield Note("changed" if row.kind == RENAMED else row.kind, text, row, row.table)


def _logged(delta: Delta, row: RowChange) -> str:
    """Return which record of an exclusion log is the work of an entry that is removed."""
    works: dict[str, Work] = {}
    for spec in delta.new.codebook.by_role("exclusions"):
        if spec.name not in delta.new.tables:  # in a log that cannot be read, it may be
            return ""
        log = delta.new.tables[spec.name]
        works |= {f"{spec.name} {name}": Work.of_row(log, one) for name, one in log.named_rows()}
    table = delta.old.tables[row.table]
    found = WorkIndex(works).find(Work.of_row(table, dict(table.named_rows())[row.key]))
    return f", now {found}" if found else ", without a trace in an exclusion log"


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
