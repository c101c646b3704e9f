"""The header of a table must be exactly the declared one; what differs is said column by column."""

from __future__ import annotations

from corpus.model.codebook import TableSpec
from corpus.model.finding import Finding
from corpus.model.limits import MAX_COLUMNS
from corpus.tables import table_rules as rules


def header_findings(found: list[str], spec: TableSpec, shown: str) -> list[Finding]:
    """Say which columns are missing, unknown, doubled or misplaced; nothing where the header is right."""
    declared = list(spec.header)
    if found == declared:
        return []
    if len(found) > MAX_COLUMNS:
        return [rules.TOO_MANY_COLUMNS.at(shown, 1, found=f"{len(found):,}", limit=f"{MAX_COLUMNS:,}")]
    import difflib  # only a wrong header needs it; start-up does not

    exact = ",".join(declared)
    findings = []
    for name in dict.fromkeys(found):
        if found.count(name) > 1:
            findings.append(rules.DOUBLED_COLUMN.at(shown, 1, name, name))
        if name not in declared:
            close = difflib.get_close_matches(name.strip().lower(), declared, 1)
            advice = f"did you mean {close[0]!r}?" if close else f"the header must be exactly: {exact}"
            findings.append(rules.UNKNOWN_COLUMN.at(shown, 1, name, name, advice=advice))
    for name in declared:
        if name not in found:
            findings.append(rules.MISSING_COLUMN.at(shown, 1, name, header=exact))
    if not findings:
        name = next(a for a, b in zip(found, declared, strict=True) if a != b)
        at, right = found.index(name) + 1, declared.index(name) + 1
        findings.append(rules.COLUMN_ORDER.at(shown, 1, name, name, found=at, expected=right, header=exact))
    return findings
