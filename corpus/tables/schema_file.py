"""A pandera schema in a file of YAML or JSON: written from the codebook, and read strictly."""

import json
from collections.abc import Iterator, Mapping
from datetime import date
from os import PathLike, fspath
from typing import Any

import pandera.pandas as pandera
import yaml
from pandera.errors import SchemaDefinitionError

from corpus.model.codebook import Codebook, TableSpec
from corpus.model.finding import CorpusError, Finding, Rule, unknown
from corpus.tables.content import read_text
from corpus.tables.location import shown_path
from corpus.tables.schema import table_schema

NOT_A_SCHEMA = Rule(
    "C128",
    "{problem}",
    "write the schema again: `corpus export schema`",
    title="Not a pandera schema",
    reason="pandera leaves out a check that it does not know, and every value would pass.",
)


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
    try:
        findings = list(_unknown_keys(yaml.safe_load(text), shown))
        if findings:
            raise CorpusError(findings)
        return pandera.DataFrameSchema.from_yaml(text)
    except RecursionError:
        problem = "it is nested too deeply"
    except (yaml.YAMLError, SchemaDefinitionError, *_WRONG) as error:
        problem = " ".join(str(error).split())[:200]
    raise NOT_A_SCHEMA.error(shown, problem=problem)


def _unknown_keys(written: Any, shown: str) -> Iterator[Finding]:
    """Yield each key of the schema, or of one of its columns, that is neither known nor a check."""
    if not isinstance(written, Mapping):
        yield NOT_A_SCHEMA.at(shown, 1, problem="the file has no keys")
        return
    checks = (*pandera.Check.CHECK_FUNCTION_REGISTRY, *pandera.Check.REGISTERED_CUSTOM_CHECKS)
    parts: list[tuple[str, tuple[str, ...], Any]] = [("", _SCHEMA_KEYS, written)]
    for column, part in dict(written.get("columns") or {}).items():
        parts.append((str(column), _COLUMN_KEYS, part))
    for column, keys, part in parts:
        names = [*part]
        # Some releases of pandera write a list, with the name of a check in its options.
        for check in part.get("checks") or ():
            names.append(check if isinstance(check, str) else check["options"]["check_name"])
        for name in map(str, names):
            if name not in keys and name not in checks:
                problem = unknown("key or check", name, (*keys, *checks))
                yield NOT_A_SCHEMA.at(shown, 0, column, name, problem=problem)
