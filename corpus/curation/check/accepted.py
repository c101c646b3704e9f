"""Warnings that a corpus accepts, each with its reason, in a table of its own.

Whoever proposes a change may not accept what it breaks: against an older state, rows that are new
since then count as not accepted.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator

from corpus.model.finding import WARNING, Finding, Rule, UsageProblem, unknown
from corpus.model.study import Study
from corpus.model.table import Row
from corpus.tables.sheet import ColumnarTable, Sheets, sheet_of

UNUSED_ACCEPTANCE = Rule(
    "C501",
    "{code} no longer occurs for {value}",
    "remove the row",
    WARNING,
    title="Unused accepted warning",
    reason="A longer list than needed hides the next real warning.",
)
WEAKER_CHECK = Rule(
    "C431",
    "{value} {advice}",
    "undo it, or let a maintainer accept it: code C431, file {other}, row {value}, and the reason",
    title="Weaker check",
    reason="`corpus diff` reports it. Data that passes because a rule was removed "
    "looks like data that was always right.",
)


#: Roles of the tables of acceptances -> the roles of the columns that tell what is accepted.
_ACCEPTED = {
    "accepted": ("code", "file", "key", "column", "value"),
    "accepted_claims": ("claim", "sign", "key"),
}

#: Rows of tables of acceptances: name of the table, and line.
NewRows = frozenset[tuple[str, int]]


def new_acceptances(before: Study, after: Study) -> NewRows:
    """Return the rows that accept something which the older state does not accept."""
    known = {accepted for accepted, _ in _acceptances(before)}
    return frozenset(place for accepted, place in _acceptances(after) if accepted not in known)


def without_rows(study: Study, rows: NewRows) -> Study:
    """Return a study without some rows of its tables."""
    tables = dict(study.tables)
    for name in {name for name, _ in rows} & tables.keys():
        tables[name] = tables[name].kept([(name, line) not in rows for line in tables[name].lines])
    return study.with_tables(tables)


def _acceptances(study: Study) -> Iterator[tuple[tuple[str, ...], tuple[str, int]]]:
    """Yield what each row accepts, without the reason, and its place."""
    for role, names in _ACCEPTED.items():
        for table in study.by_role(role):
            for placed in table.placed():
                cells = placed.by_role
                accepted = (role, *(cells.get(name, "") for name in names))
                yield accepted, (table.spec.name, placed.line)


def without_accepted(
    findings: list[Finding], sheets: Sheets, new: NewRows = frozenset()
) -> list[Finding]:
    """Drop the warnings that an `accepted` table lists, and report its unused rows (C501).

    A row accepts a warning of its code in its file, row (by key) and column, while the cell keeps
    the accepted value. Errors cannot be accepted. A row that is among the `new` ones accepts
    nothing yet, and is unused as any other.
    """
    files = {sheet.spec.file: sheet.file for sheet in sheets.values()}
    rows = []
    for table in sheets.values():
        if table.spec.role == "accepted":
            for position, row in enumerate(table.rows(*table.spec.columns)):
                # A table may lack a column: then it accepts nothing, or warnings about whole rows.
                cells = defaultdict(str, table.spec.by_role_cells(row))
                # `corpus diff` alone knows what a change takes away.
                if cells["code"] != WEAKER_CHECK.code:
                    rows.append((cells, table, table.line(position)))
    if not rows:
        return findings
    # Few codes are ever accepted, and a large table may have many warnings.
    codes = {cells["code"] for cells, *_ in rows}
    acceptable = [one for one in findings if one.code in codes and not one.is_error]
    covered = defaultdict(list)
    for finding, key in row_names(acceptable, sheets.values()).items():
        covered[finding.code, finding.file, key, finding.column, finding.value].append(finding)
    kept = dict.fromkeys(findings)
    unused = []
    for cells, table, line in rows:
        code, file, key = cells["code"], cells["file"], cells["key"]
        place = (code, files.get(file, ""), key, cells["column"], cells["value"])
        if place not in covered:
            at = (table.file, line, "", f"{file}, {key}")
            unused.append(UNUSED_ACCEPTANCE.at(*at, code=code))
        elif (table.spec.name, line) not in new:
            for finding in covered.pop(place):
                del kept[finding]
    return [*kept, *unused]


def row_names(findings: Iterable[Finding], sheets: Iterable[ColumnarTable]) -> dict[Finding, str]:
    """Return the key of the row that each finding is about, several cells joined by ", ".

    A finding about a whole file, or about a file without rows, has none.
    """
    by_file = {sheet.file: sheet for sheet in sheets}
    named = {}
    for finding in findings:
        sheet = by_file.get(finding.file)
        if sheet is not None and finding.line:
            position = bisect_left(range(len(sheet)), finding.line, key=sheet.line)
            if position < len(sheet) and sheet.line(position) == finding.line:
                key = sheet.key(position)
                if key:
                    named[finding] = key
    return named


def with_accepted(
    study: Study, findings: Iterable[Finding], code: str, key: str, column: str, reason: str
) -> Study:
    """Return the corpus in which the warnings of a code in a row are accepted.

    Parameters
    ----------
    study : Study
        The corpus.
    findings : iterable of Finding
        What `corpus check` finds in it.
    code, key, column : str
        Which warnings: their code, the key of their row, and their column, or "" for any.
    reason : str
        Why they are accepted.

    Raises
    ------
    UsageProblem
        Where the corpus has no table of accepted warnings, no such warning, or it is an error.
    """
    table = study.table_of("accepted")
    names = row_names(findings, map(sheet_of, study.tables.values()))
    of_row = [finding for finding, name in names.items() if name == key]
    chosen = [one for one in of_row if one.code == code and column in ("", one.column)]
    if not chosen:
        there = sorted({f"{one.code} [{one.column}]" for one in of_row})
        raise UsageProblem(unknown(f"warning about {key}", code, there))
    if any(finding.is_error for finding in chosen):
        raise UsageProblem(f"{code} is an error; only warnings can be accepted")
    files = {known.file: known.spec.file for known in study.tables.values()}
    # Two warnings about one cell, such as two titles that are near, are accepted by one row.
    rows: dict[Row, None] = {}
    for finding in chosen:
        cells = {"code": code, "file": files[finding.file], "key": key, "column": finding.column}
        rows[table.spec.row({**cells, "value": finding.value, "reason": reason})] = None
    return study.with_more(table.spec.name, *rows)
