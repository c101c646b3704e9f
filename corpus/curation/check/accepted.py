"""Warnings that a corpus accepts, each with its reason, in a table of its own.

Whoever proposes a change may not accept what it breaks: against an older state, rows that are new
since then count as not accepted.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

import pyarrow.compute as pc

from corpus.curation.check import check_rules as rules
from corpus.model.finding import Finding, UsageProblem, unknown
from corpus.model.study import Study
from corpus.tables.sheet import ColumnarTable, string

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
        located = tables[name].located_rows()
        kept = [row for row, line in located if (name, line) not in rows]
        tables[name] = tables[name].with_rows(kept)
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
    findings: list[Finding], sheets: Mapping[str, ColumnarTable], new: NewRows = frozenset()
) -> list[Finding]:
    """Drop the warnings that an `accepted` table lists, and report its unused rows (C501).

    A row accepts a warning of its code in its file, row (by key) and column, while the cell keeps
    the accepted value. Errors cannot be accepted. A row that is among the `new` ones accepts
    nothing yet, and is unused as any other.
    """
    kept = list(findings)
    by_file = _by_file(sheets)
    for table in sheets.values():
        if table.spec.role != "accepted":
            continue
        for position, row in enumerate(table.rows(*table.spec.columns)):
            # A table may lack a column: then it accepts nothing, or warnings about whole rows.
            cells = defaultdict(str, table.spec.by_role_cells(row))
            # `corpus diff` alone knows what a change takes away.
            if cells["code"] == rules.WEAKENED.code:
                continue
            accepted = set(_accepted_places(cells, by_file.get(cells["file"])))
            left = []
            for finding in kept:
                told = (finding.code, finding.file, finding.line, finding.column, finding.value)
                if finding.is_error or told not in accepted:
                    left.append(finding)
            if len(left) == len(kept):
                place = (table.file, table.line(position), "", f"{cells['file']}, {cells['key']}")
                left.append(rules.UNUSED_ACCEPTANCE.at(*place, code=cells["code"]))
            elif (table.spec.name, table.line(position)) in new:
                continue
            kept = left
    return kept


def _by_file(sheets: Mapping[str, ColumnarTable]) -> dict[str, ColumnarTable]:
    """Return the tables by their files below the data folder, wherever that is shown to be.

    A table that is kept as Parquet can be named as the codebook does, or as findings do.
    """
    found = {}
    for sheet in sheets.values():
        declared = PurePosixPath(sheet.spec.file)
        found[str(declared)] = sheet
        found[str(declared.with_name(PurePosixPath(sheet.file).name))] = sheet
    return found


def _accepted_places(
    cells: Mapping[str, str], sheet: ColumnarTable | None
) -> Iterator[tuple[str, str, int, str, str]]:
    """Yield code, file, line, column and value of what a row accepts, for each row of its key."""
    # Some releases of Arrow crash on the mask of a table without rows.
    if sheet is None or not len(sheet):
        return
    columns = [sheet.columns[name] for name in sheet.spec.key]
    keys = pc.binary_join_element_wise(*columns, string(", "))
    for position in sheet.where(pc.equal(keys, string(cells["key"]))):
        line = sheet.line(position)
        yield cells["code"], sheet.file, line, cells["column"], cells["value"]


def row_names(findings: Iterable[Finding], study: Study) -> dict[Finding, str]:
    """Return the key of the row that each finding is about, several cells joined by ", ".

    A finding about a whole file, or about a file without rows, has none.
    """
    lines: dict[tuple[str, int], str] = {}
    for table in study.tables.values():
        for row, line in table.located_rows():
            lines[table.file, line] = ", ".join(table.key_of(row))
    named = {}
    for finding in findings:
        name = lines.get((finding.file, finding.line))
        if name:
            named[finding] = name
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
    names = row_names(findings, study)
    of_row = [finding for finding, name in names.items() if name == key]
    chosen = [one for one in of_row if one.code == code and column in ("", one.column)]
    if not chosen:
        there = sorted({f"{one.code} [{one.column}]" for one in of_row})
        wanted = f"{code} [{column}]" if column else code
        raise UsageProblem(unknown(f"warning about {key}", wanted, there))
    if any(finding.is_error for finding in chosen):
        raise UsageProblem(f"{code} is an error; only warnings can be accepted")
    files = {known.file: known.spec.file for known in study.tables.values()}
    rows = []
    for finding in chosen:
        cells = {"code": code, "file": files[finding.file], "key": key, "column": finding.column}
        rows.append(table.spec.row({**cells, "value": finding.value, "reason": reason}))
    return study.with_more(table.spec.name, *rows)
