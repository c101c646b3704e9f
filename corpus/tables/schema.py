"""The pandera schema that the codebook makes of a table; its failure cases are findings.

It also serves frames of anybody's own, in which an empty cell is missing. `isin`, `str_matches`
and `in_range` are pandera's checks; `plain_text`, `declared_terms` and `passes_tests` are
registered here.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any
from unicodedata import is_normalized

import numpy as np
import pandas as pd
import pandera.pandas as pandera
import pyarrow as pa
import pyarrow.compute as pc
from pandera.config import ValidationDepth, config_context
from pandera.errors import SchemaErrors
from pandera.extensions import register_check_method  # type: ignore[attr-defined]

from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.finding import Finding
from corpus.tables.cells import SURROGATES, CellRule, lacked_by, rules_of
from corpus.tables.columns import cell_findings, key_findings
from corpus.tables.sheet import ColumnarTable

#: What pandera calls a duplicate key among its failure cases.
_DUPLICATE = "multiple_fields_uniqueness"
#: With fewer cells, compiling a pattern for Arrow takes longer than a loop.
_FEW = 2_000


def table_schema(
    spec: TableSpec, book: Codebook, today: date, dtype: type | None = str
) -> pandera.DataFrameSchema:
    """Return the schema of a table: its exact columns in order, its unique key, every cell's rules.

    Parameters
    ----------
    spec : TableSpec
        The declaration of the table.
    book : Codebook
        Declares the vocabularies.
    today : date
        What is later is in the future.
    dtype : type, optional
        That of every column. To ask for it takes 3 ms a column, so None is for a frame of texts.
    """
    columns = {}
    for column in spec.columns:
        columns[column.name] = pandera.Column(
            dtype,
            list(_checks(column, book, today)),
            nullable=not column.required,
            title=column.label,
            description=column.definition,
        )
    return pandera.DataFrameSchema(
        columns,
        strict=True,
        ordered=True,
        unique=list(spec.key),
        report_duplicates="exclude_first",
        name=spec.name,
        title=spec.title,
        description=spec.definition,
    )


def _checks(column: Column, book: Codebook, today: date) -> Iterator[pandera.Check]:
    """Yield the checks of a column; the error of each has the codes of its rules."""
    if column.type == "term":
        terms = list(book.vocabulary_of(column).ids)
        if column.separator:
            yield pandera.Check.declared_terms(
                terms=terms, separator=column.separator, error="C202, C219"
            )
        else:
            yield pandera.Check.isin(terms, error="C202")
        return
    rules = rules_of(column.type)
    forms = [one for one in rules if one.is_form]
    plain = [one for one in rules if one.lacks or not one.is_form]
    yield pandera.Check.plain_text(kind=column.type, today=today.isoformat(), error=_codes(plain))
    for one in forms:
        if one.form:
            yield pandera.Check.str_matches(f"(?:{one.form})$", error=_codes([one]))
        if one.between:
            yield pandera.Check.in_range(*one.between(today), error=_codes([one]))
    tested = [one for one in forms if one.test]
    if tested:
        yield pandera.Check.passes_tests(kind=column.type, error=_codes(tested))


def _codes(rules: Iterable[CellRule]) -> str:
    return ", ".join(dict.fromkeys(one.rule.code for one in rules))


def plain_text(cells: Any, *, kind: str, today: str) -> Any:
    """Texts in composed form that have nothing of what texts of a type lack."""
    lacked = lacked_by(kind, date.fromisoformat(today))
    is_written = kind != "verbatim"
    if len(cells) < _FEW:
        plain = [
            cell != ""
            and not re.search(lacked, cell)
            and (not is_written or is_normalized("NFC", cell))
            for cell in cells.tolist()
        ]
        return pd.Series(plain, index=cells.index)
    # Not `cells.str`, which gives a pattern with flags to Python, forty times as slow.
    # In one piece, since Arrow compiles the pattern anew for each.
    texts = pa.array(cells, pa.string())
    if isinstance(texts, pa.ChunkedArray):
        texts = texts.combine_chunks()
    # Of names, venues or years, each is looked at once.
    if len(texts[:_FEW].unique()) * 2 < _FEW:
        coded = texts.dictionary_encode()
        distinct = pd.Series(coded.dictionary.to_pylist(), dtype=object)
        passes = plain_text(distinct, kind=kind, today=today).to_numpy()
        return pd.Series(passes[coded.indices.to_numpy()], index=cells.index)
    pattern = "|".join((lacked.replace(SURROGATES, ""), "^$"))
    wrong = pc.match_substring_regex(texts, pattern)
    # Arrow's own search for texts of ASCII takes a third of what the pattern takes.
    content = texts.buffers()[2]
    if is_written and content and np.frombuffer(content, np.uint8).max(initial=0) > 127:
        foreign = texts.filter(pc.invert(pc.string_is_ascii(texts))).unique().to_pylist()
        separate = [cell for cell in foreign if not is_normalized("NFC", cell)]
        if separate:
            wrong = pc.or_(wrong, pc.is_in(texts, pa.array(separate, pa.string())))
    return pd.Series(pc.invert(wrong).to_numpy(zero_copy_only=False), index=cells.index)


def declared_terms(cells: Any, *, terms: list[str], separator: str) -> Any:
    """Cells with declared terms only, none of them twice."""
    right = []
    for cell in _distinct(cells):
        values = cell.split(separator)
        if len(set(values)) == len(values) and set(terms).issuperset(values):
            right.append(cell)
    return cells.isin(right)


def passes_tests(cells: Any, *, kind: str) -> Any:
    """Cells that pass what no pattern tells about their type, such as days that exist."""
    tests = [one.test for one in rules_of(kind) if one.is_form and one.test]
    wrong = [cell for cell in _distinct(cells) if not all(test(cell) for test in tests)]
    return ~cells.isin(wrong)


def _distinct(cells: Any) -> list[str]:
    distinct: list[str] = cells.drop_duplicates().tolist()
    return distinct


for _check, _statistics in (
    (plain_text, ["kind", "today"]),
    (declared_terms, ["terms", "separator"]),
    (passes_tests, ["kind"]),
):
    register_check_method(_check, statistics=_statistics, check_type="vectorized")


def text_frame(columns: pa.Table) -> pd.DataFrame:
    """Return the columns of a table as a frame of texts, in which an empty cell is missing."""
    for position, name in enumerate(columns.column_names):
        cells = columns.column(position)
        if pc.any(pc.equal(cells, "")).as_py():
            columns = columns.set_column(
                position, name, pa.chunked_array(map(_missing, cells.chunks))
            )
    as_arrow = {pa.string(): pd.StringDtype("pyarrow")}
    frame: pd.DataFrame = columns.to_pandas(types_mapper=as_arrow.get)
    return frame


def _missing(cells: pa.StringArray) -> pa.StringArray:
    """Return texts, the empty ones missing; the texts themselves are not copied."""
    _, *content = pa.concat_arrays([cells]).buffers()
    return pa.StringArray.from_buffers(len(cells), *content, pc.not_equal(cells, "").buffers()[1])


def schema_findings(sheet: ColumnarTable, book: Codebook, today: date) -> list[Finding]:
    """Return what the schema of a table finds: cells, empty cells, duplicate keys.

    The environment variables that switch pandera's validation off (PANDERA_VALIDATION_ENABLED,
    PANDERA_VALIDATION_DEPTH) have no effect.
    """
    schema = table_schema(sheet.spec, book, today, dtype=None)
    try:
        with config_context(
            validation_enabled=True, validation_depth=ValidationDepth.SCHEMA_AND_DATA
        ):
            schema.validate(text_frame(sheet.columns), lazy=True, inplace=True)
    except SchemaErrors as errors:
        return list(_findings(errors.failure_cases, sheet, book, today))
    return []


def _findings(
    cases: pd.DataFrame, sheet: ColumnarTable, book: Codebook, today: date
) -> Iterator[Finding]:
    """Turn failure cases into findings: each cell with all that it fails, worded by its rules."""
    if cases["index"].isna().any():
        # A check that raised, or a frame of another shape: our mistake, never the data's.
        raise AssertionError(f"pandera failed without a place: {cases.to_dict('records')[:3]}")
    if (cases["check"] == _DUPLICATE).any():
        yield from key_findings(sheet)
    cells = cases.loc[cases["check"] != _DUPLICATE, ["index", "column"]].drop_duplicates()
    for position, name in cells.itertuples(index=False):
        yield from cell_findings(sheet, sheet.spec.column(name), int(position), book, today)
