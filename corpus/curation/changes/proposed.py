"""What a proposed change accepts itself: nobody else has agreed to it yet."""

from __future__ import annotations

from corpus.curation.changes.changes import Changes, compare
from corpus.curation.check import check_rules as rules
from corpus.curation.check.accepted import NewRows, new_acceptances
from corpus.curation.edit.renaming import renamed_acceptances
from corpus.model.finding import Finding
from corpus.model.study import Study


def proposed_acceptances(before: Study, after: Study, changes: Changes | None = None) -> NewRows:
    """Return the acceptances that the older state does not have, under the new keys of rows."""
    renamed = (changes or compare(before, after)).renamed
    tables = dict(before.tables)
    for name, rows in renamed_acceptances(before, renamed).items():
        tables[name] = tables[name].with_rows(rows)
    return new_acceptances(before.with_tables(tables), after)


def proposed_findings(study: Study, rows: NewRows) -> list[Finding]:
    """Return a finding for each acceptance of the newer state that is new in it."""
    found = []
    for name, line in sorted(rows):
        table = study.tables[name]
        row = table.rows[table.lines.index(line)]
        told = zip(table.spec.columns, row, strict=True)
        cells = [cell for column, cell in told if cell and column.role != "reason"]
        found.append(rules.PROPOSED_ACCEPTANCE.at(table.file, line, value=", ".join(cells)))
    return found
