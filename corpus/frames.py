"""Reports as pandas frames, for the Python API; the numbers are those of the command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import TYPE_CHECKING, Any

from corpus.model.codebook import Codebook, Column
from corpus.model.dates import parse_date
from corpus.model.finding import CorpusError, Finding, Rule
from corpus.model.table import Table
from corpus.tables.cells import YEAR_RANGE, broken_form

# A frame of a table needs none of the modules that make reports.
if TYPE_CHECKING:
    import pandas as pd

    from corpus.analysis.agreement.agreement import AgreementReport
    from corpus.analysis.claims.claim_report import ClaimReport
    from corpus.analysis.counting.search import Hit
    from corpus.analysis.sparsity.sparsity_report import SparsityReport
    from corpus.curation.changes.delta import Delta

#: The nullable dtype of a column by the type that is written behind its name.
_DTYPES = {"": "string", "int": "Int64", "float": "Float64", "bool": "boolean"}


class _Frames:
    """Several frames, shown by their sizes."""

    def __repr__(self) -> str:
        """Return the sizes of the frames."""
        sizes = ", ".join(f"{name}={len(frame)}" for name, frame in vars(self).items())
        return f"{type(self).__name__}({sizes})"


@dataclass(frozen=True, repr=False)
class SparsityFrames(_Frames):
    """What is empty and thin, as frames; made by :meth:`corpus.CorpusFrames.sparsity`.

    Attributes
    ----------
    cells : DataFrame
        One row per term and per pair of terms: ``row_axis``, ``row``, ``column_axis``, ``column``
        (missing where one axis is counted alone), ``entries`` (count), ``status`` (``filled``,
        ``thin``, ``empty``, ``impossible``, ``apart``: not applicable), ``expected`` (entries if
        the axes were independent; missing for the last two).
    gaps : DataFrame
        Index: rank, from 1. Columns: ``kind`` (``anchor``, ``term``, ``pair``), ``axes``,
        ``terms``, ``expected`` (entries) and ``nearest`` (keys, separated by spaces).
    strictness : DataFrame
        One row per judged term: ``axis``, ``term`` and the number of entries under each reading:
        ``broad`` is all of them, and the sum of ``strict``, ``near``, ``weaker``, ``unjudged``.
    anchors : DataFrame
        One row per anchor: ``table``, ``row``, ``grade``, ``key``, ``evidence``, ``boundary``.
    """

    cells: pd.DataFrame
    gaps: pd.DataFrame
    strictness: pd.DataFrame
    anchors: pd.DataFrame


@dataclass(frozen=True, repr=False)
class ChangeFrames(_Frames):
    """What differs between two states, as frames; made by :meth:`corpus.CorpusFrames.diff`.

    Attributes
    ----------
    rows : DataFrame
        One row per changed cell: ``table``, ``kind`` (``added``, ``removed``, ``changed``,
        ``renamed``), ``key``, ``old_key``, ``column``, ``before``, ``after``.
    counts : DataFrame
        Counts that differ: ``of`` (``rows`` or an axis), ``name``, ``before``, ``after`` (entries).
    cells : DataFrame
        Cells of the declared cross-tabulations that differ: ``table``, ``row``, ``column``,
        ``before``, ``after`` (entries).
    claims : DataFrame
        Index: claim. Columns: ``kind`` (``breaks``, ``fails``, ``gone``, ``narrows``, ``moves``,
        ``reworded``, ``recovers``, ``widens``, ``new``), ``tracked``, ``before``, ``after`` (what
        is observed).
    terms : DataFrame
        Terms under another name, which rows and cells follow: ``vocabulary``, ``old``, ``new``,
        ``merged`` (whether the new one was there before).
    """

    rows: pd.DataFrame
    counts: pd.DataFrame
    cells: pd.DataFrame
    claims: pd.DataFrame
    terms: pd.DataFrame


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
    other scripts; a frame has no other numbers than a valid corpus.
    """
    for position, column in enumerate(table.spec.columns):
        kind = column.type
        if kind not in ("year", "integer", "number", "date"):
            continue
        faults: dict[str, tuple[Rule, str]] = {}
        for cell in {row[position] for row in table.rows} - {""}:
            # A number out of range and a day in the future can be read: the check reports them.
            for rule, advice in broken_form(cell, kind, date.max):
                if rule is not YEAR_RANGE.rule:
                    faults[cell] = rule, advice
        for row, line in table.located_rows():
            if row[position] in faults:
                rule, advice = faults[row[position]]
                yield rule.at(
                    table.file, line, column.name, row[position], advice=advice, kind=kind
                )


def sparsity_frames(report: SparsityReport) -> SparsityFrames:
    """Return a report of sparsity as frames."""
    cells = []
    for table in (*report.axes, *report.pairs):
        axes = (*table.axes, None)[:2]
        for cell in table.cells.values():
            row, column = (*cell.terms, None)[:2]
            # Where no entry can be, none is expected.
            expected = cell.expected or None
            cells.append((axes[0], row, axes[1], column, cell.entries, cell.status, expected))
    gaps = []
    for rank, gap in enumerate(report.gaps, 1):
        names = map(" / ".join, (gap.axes, gap.terms))
        nearest = " ".join(near.key for near in gap.nearest)
        gaps.append((rank, gap.kind, *names, gap.expected, nearest))
    strictness = []
    for judged in report.strictness:
        for unit in judged.units:
            strictness.append((judged.axis, unit.term, *map(len, unit[1:])))
    anchors = []
    for anchored in report.anchors:
        for anchor in chain.from_iterable(anchored.cells.values()):
            place = (anchored.title, anchor.row, anchor.grade)
            anchors.append((*place, anchor.key, anchor.evidence, anchor.boundary))
    return SparsityFrames(
        frame_of(cells, "row_axis row column_axis column entries:int status expected:float"),
        frame_of(gaps, "rank:int kind axes terms expected:float nearest").set_index("rank"),
        frame_of(strictness, "axis term broad:int strict:int near:int weaker:int unjudged:int"),
        frame_of(anchors, "table row grade key evidence boundary"),
    )


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


def agreement_frame(reports: Sequence[AgreementReport]) -> pd.DataFrame:
    """Return agreement as a frame; :meth:`corpus.CorpusFrames.agreement` has the columns."""
    rows = []
    for report in reports:
        for field in report.fields:
            cells: list[Any] = [report.table, field.field, field.units, field.agreed]
            for coefficient in (field.raw, field.ac1, field.alpha):
                cells += [coefficient.value, coefficient.low, coefficient.high]
            kappas = [pair.kappa.value for pair in field.pairs]
            # With more than two readers there is one kappa for each pair of them.
            cells.append(kappas[0] if len(kappas) == 1 else None)
            rows.append(tuple(cells))
    columns = "table field units:int agreed:int"
    for name in ("raw", "ac1", "alpha"):
        columns += f" {name}:float {name}_low:float {name}_high:float"
    return frame_of(rows, f"{columns} kappa:float")


def change_frames(delta: Delta) -> ChangeFrames:
    """Return what differs between two states as frames."""
    from corpus.curation.changes.effects import claims, counts
    from corpus.curation.changes.render import tables_of

    rows = []
    for change in delta.rows.rows:
        for cell in change.cells:
            place = (change.table, change.kind, change.key, change.old_key)
            rows.append((*place, cell.column, cell.before or None, cell.after or None))
    moved = tables_of([*claims.claims(delta), *counts.counts(delta)])
    observed = [(row["id"], row["kind"], *map(row.get, ("tracked", "before", "after")))
        for row in moved["claims"]]  # fmt: skip
    return ChangeFrames(
        frame_of(rows, "table kind key old_key column before after"),
        records_frame(moved["counts"], "of name before:int after:int"),
        records_frame(moved["cells"], "table row column before:int after:int"),
        frame_of(observed, "claim kind tracked:bool before after").set_index("claim"),
        frame_of(delta.terms, "vocabulary old new merged:bool"),
    )


def records_frame(records: Sequence[Mapping[str, Any]], columns: str) -> pd.DataFrame:
    """Return the fields that `columns` names of each record; see :func:`frame_of`."""
    names = [column.partition(":")[0] for column in columns.split()]
    return frame_of([[record[name] for name in names] for record in records], columns)


def hits_frame(hits: Sequence[Hit]) -> pd.DataFrame:
    """Return what a search found; :meth:`corpus.CorpusFrames.search` documents the columns."""
    rows = []
    for hit in hits:
        taken = ", ".join(f"{word} ≈ {found}" for word, found in hit.taken_for)
        rows.append((hit.kind, hit.table, hit.key, hit.text, ", ".join(hit.columns), taken or None))
    return frame_of(rows, "kind table key text found_in approximate")


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
