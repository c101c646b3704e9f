"""The pandera schema that the codebook makes of a table; its failure cases are findings.

It also serves frames of anybody's own, in which an empty cell is missing. `isin`, `str_matches`
and `in_range` are pandera's checks; `plain_text`, `declared_terms` and `passes_tests` are
registered here.
"""

import json
from collections.abc import Iterable, Iterator
from datetime import date
from os import PathLike, fspath
from typing import Any
from unicodedata import is_normalized

import pandas as pd
import pandera.pandas as pandera
import pyarrow as pa
import pyarrow.compute as pc
import yaml
from pandera.config import ValidationDepth, config_context
from pandera.errors import SchemaDefinitionError, SchemaErrors
from pandera.extensions import register_check_method  # type: ignore[attr-defined]

from corpus.model.codebook import Codebook, Column, TableSpec
from corpus.model.finding import CorpusError, Finding, Rule, unknown
from corpus.tables.cells import SURROGATES, CellRule, lacked_by, rules_of
from corpus.tables.columns import cell_findings, key_findings
from corpus.tables.content import read_text
from corpus.tables.location import shown_path
from corpus.tables.sheet import ColumnarTable

NOT_A_SCHEMA = Rule(
    "C128",
    "{problem}",
    "write the schema again: `corpus export schema`",
    title="Not a pandera schema",
    reason="pandera leaves out a check that it does not know, and every value would pass.",
)


#: What pandera calls a duplicate key among its failure cases.
_DUPLICATE = "multiple_fields_uniqueness"
#: What pandera raises for a schema with values of a wrong type.
_WRONG = (TypeError, ValueError, AttributeError, KeyError)
#: A year later has five digits.
_LAST_DAY = date(9998, 12, 31)
#: Characters of a line; a pattern that is broken in two is hard to read.
_WIDTH = 1_000
_COLUMN_KEYS = (
    *("title", "description", "dtype", "nullable", "unique", "coerce", "required", "regex"),
    *("report_duplicates", "drop_invalid_rows", "default", "metadata", "checks"),
)
_SCHEMA_KEYS = (
    *("schema_type", "version", "api", "dataframe_library", "columns", "index", "multiindex"),
    *("dtype", "coerce", "strict", "name", "ordered", "unique", "report_duplicates", "checks"),
    *("unique_column_names", "add_missing_columns", "title", "description", "metadata"),
    "drop_invalid_rows",
)
#: With fewer cells, compiling a pattern for Arrow takes longer than a loop.
_FEW = 2_000


def table_schema(spec: TableSpec, book: Codebook, today: date) -> pandera.DataFrameSchema:
    """Return the schema of a table: its exact columns in order, its unique key, every cell's rules.

    Parameters
    ----------
    spec : TableSpec
        The declaration of the table.
    book : Codebook
        Declares the vocabularies.
    today : date
        What is later is in the future.
    """
    columns = {}
    for column in spec.columns:
        columns[column.name] = pandera.Column(
            str,
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
            and not lacked.search(cell)
            and (not is_written or is_normalized("NFC", cell))
            for cell in cells.tolist()
        ]
        return pd.Series(plain, index=cells.index)
    # Not `cells.str`, which gives a pattern with flags to Python, forty times as slow.
    pattern = "|".join((lacked.pattern.replace(SURROGATES, ""), "^$"))
    has_some = pc.match_substring_regex(pa.array(cells, pa.string()), pattern)
    wrong = pd.Series(has_some.to_numpy(zero_copy_only=False), index=cells.index)
    if is_written:
        foreign = _distinct(cells[~cells.str.isascii()])
        wrong |= cells.isin([cell for cell in foreign if not is_normalized("NFC", cell)])
    return ~wrong


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


def schema_text(spec: TableSpec, book: Codebook) -> str:
    """Return the schema of a table as YAML, which :func:`read_schema` and pandera read.

    A file is read on another day, so nothing in it is in the future.
    """
    written = json.loads(table_schema(spec, book, _LAST_DAY).to_json())
    for column in written["columns"].values():
        # pandera names the texts of this machine, such as string[pyarrow].
        column["dtype"] = "str"
    text: str = yaml.safe_dump(written, sort_keys=False, allow_unicode=True, width=_WIDTH)
    return text


def read_schema(path: str | PathLike[str]) -> pandera.DataFrameSchema:
    """Return the pandera schema in a YAML or JSON file; one with an unknown check is refused.

    `pandera.DataFrameSchema.from_yaml` leaves such checks out, and every value would pass.

    Raises
    ------
    CorpusError
        C128 for a key or a check that is not known, and for a file that is no schema.
    """
    shown = shown_path(fspath(path))
    text = read_text(fspath(path), shown)
    line = 0
    try:
        findings = list(_unknown_keys(yaml.compose(text, Loader=yaml.SafeLoader), shown))
        if findings:
            raise CorpusError(findings)
        return pandera.DataFrameSchema.from_yaml(text)
    except RecursionError:
        problem = "it is nested too deeply"
    except yaml.MarkedYAMLError as error:
        problem = str(error.problem)
        line = error.problem_mark.line + 1 if error.problem_mark else 0
    except (yaml.YAMLError, SchemaDefinitionError, *_WRONG) as error:
        problem = " ".join(str(error).split())[:200]
    raise NOT_A_SCHEMA.error(shown, line, problem=problem)


def _unknown_keys(root: yaml.Node | None, shown: str) -> Iterator[Finding]:
    """Yield each key of the schema, or of one of its columns, that is neither known nor a check."""
    if not isinstance(root, yaml.MappingNode):
        yield NOT_A_SCHEMA.at(shown, 1, problem="the file has no keys")
        return
    parts: list[tuple[str, tuple[str, ...], yaml.Node]] = [("", _SCHEMA_KEYS, root)]
    for name, _, columns in _entries(root):
        if name == "columns":
            parts += [(column, _COLUMN_KEYS, node) for column, _, node in _entries(columns)]
    for column, known, node in parts:
        entries = list(_entries(node))
        for name, _, checks in list(entries):
            if name == "checks":
                entries += _entries(checks)
        for name, line, _ in entries:
            if name not in known and name not in _known_checks():
                problem = unknown("key or check", name, (*known, *_known_checks()))
                yield NOT_A_SCHEMA.at(shown, line, column, name, problem=problem)


def _entries(node: yaml.Node) -> Iterator[tuple[str, int, yaml.Node]]:
    """Yield the keys of a mapping, each with its line and its value."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield str(key.value), key.start_mark.line + 1, value
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            for key, line, content in _entries(value):
                # Some releases of pandera write a list, with the name of a check in its options.
                names = {name: part for name, _, part in _entries(content)}
                if key == "options" and "check_name" in names:
                    yield str(names["check_name"].value), line, value


def _known_checks() -> tuple[str, ...]:
    return (*pandera.Check.CHECK_FUNCTION_REGISTRY, *pandera.Check.REGISTERED_CUSTOM_CHECKS)


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
    schema = table_schema(sheet.spec, book, today)
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
