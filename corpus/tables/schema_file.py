"""A pandera schema in a file of YAML or JSON: written from the codebook, and read strictly."""

import json
from collections.abc import Iterator
from datetime import date
from os import PathLike, fspath

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
