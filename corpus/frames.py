"""Reports as pandas frames, for the Python API; the numbers are those of the command line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from corpus.model.codebook import Codebook, Column
from corpus.model.dates import parse_date
from corpus.model.filters import ORDERED_TYPES
from corpus.model.finding import CorpusError, Finding
from corpus.model.table import Table
from corpus.tables.cells import forms_of

# A frame of a table needs none of the modules that make reports.
if TYPE_CHECKING:
    import pandas as pd

    from corpus.analysis.claims.claim_report import ClaimReport
    from corpus.analysis.sparsity.sparsity_report import SparsityReport

#: The nullable dtype of a column by the type that is written behind its name.
_DTYPES = {"": "string", "int": "Int64", "float": "Float64", "bool": "boolean"}


def typed_frame(table: Table, book: Codebook) -> pd.DataFrame:
    """Return a table as a frame with the dtypes that :class:`corpus.CorpusFrames` documents.

    Raises
    ------
    CorpusError
        Where a number or date cannot be read (C208 to C210 of `corpus check` name the cell).
    """
    import pandas as pd

    findings = sorted(_unreadable(table))
    if findings:
        raise CorpusError(findings)
    data: dict[str, Any] = {}
    for position, column in enumerate(table.spec.columns):
        cells = [row[position] or None for row in table.rows]
        if column.type == "date":
            known = [cell and parse_date(cell) for cell in cells]
            days = pd.Series([date_ and date_.start for date_ in known], dtype="object")
            data[column.name] = pd.to_datetime(days)
            precisions = [date_ and date_.precision for date_ in known]
            data[f"{column.name}_precision"] = pd.Series(precisions, dtype="string")
        else:
            data[column.name] = _series(column, cells, book)
    frame = pd.DataFrame(data)
    if len(table.spec.key) == 1:
        return frame.set_index(list(table.spec.key))
    return frame


def _unreadable(table: Table) -> Iterator[Finding]:
    """Yield each cell that is not a number or date of its column.

    int() and float() read more than `corpus check` accepts, such as ' 2021', '20_21' and digits of
    other scripts; a frame has no other numbers than a valid corpus. A number out of range and a day
    in the future can be read: the check reports them.
    """
    for position, column in enumerate(table.spec.columns):
        if column.type not in ORDERED_TYPES:
            continue
        form = forms_of(column.type)[0]
        for row, line in table.located_rows():
            cell = row[position]
            if cell and not form.passes(cell, date.max):
                advice = form.advice(cell, date.max) if form.advice else ""
                place = (table.file, line, column.name, cell)
                yield form.rule.at(*place, advice=advice, kind=column.type)


def gaps_frame(report: SparsityReport) -> pd.DataFrame:
    """Return ranked gaps as a frame; :meth:`corpus.CorpusFrames.gaps` documents the columns."""
    rows = []
    for rank, gap in enumerate(report.gaps, 1):
        names = map(" / ".join, (gap.axes, gap.terms))
        nearest = " ".join(near.key for near in gap.nearest)
        rows.append((rank, gap.kind, *names, gap.expected, nearest))
    columns = "rank:int kind axes terms expected:float nearest"
    return frame_of(rows, columns).set_index("rank")


def claims_frame(report: ClaimReport) -> pd.DataFrame:
    """Return claims as a frame; :meth:`corpus.CorpusFrames.claims` documents the columns."""
    rows = []
    for found in report.claims:
        claim, outcome = found.claim, found.outcome
        stated = (claim.id, claim.statement, outcome.verdict, claim.tracked)
        seen = (outcome.expected, outcome.observed, outcome.difference_text or None)
        rows.append((*stated, *seen, found.margin, claim.boundary or None))
    columns = "claim statement result tracked:bool expected observed difference margin:int boundary"
    return frame_of(rows, columns).set_index("claim")


def findings_frame(findings: Sequence[Finding]) -> pd.DataFrame:
    """Return findings as a frame; :meth:`corpus.CorpusFrames.check` documents the columns."""
    columns = "file line:int char:int column code severity value message hint"
    return frame_of(findings, columns).drop(columns="char")


def frame_of(rows: Sequence[Sequence[Any]], columns: str) -> pd.DataFrame:
    """Return rows as a frame with nullable dtypes; `columns` are ``name`` or ``name:type``."""
    import pandas as pd

    dtypes: dict[str, str] = {}
    for column in columns.split():
        name, _, type_ = column.partition(":")
        dtypes[name] = _DTYPES[type_]
    return pd.DataFrame(list(map(tuple, rows)), columns=list(dtypes)).astype(dtypes)


def _series(column: Column, cells: list[str | None], book: Codebook) -> pd.Series[Any]:
    import pandas as pd

    if column.type == "term" and not column.separator:
        terms = book.terms_of(column)
        return pd.Series(pd.Categorical(cells, categories=list(terms), ordered=True))
    if column.type in ("year", "integer"):
        return pd.Series([cell and int(cell) for cell in cells], dtype="Int64")
    if column.type == "number":
        return pd.Series([cell and float(cell) for cell in cells], dtype="Float64")
    return pd.Series(cells, dtype="string")
