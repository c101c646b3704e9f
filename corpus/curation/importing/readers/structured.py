"""JSON, JSON Lines and YAML: a list of objects, or an object that holds one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from corpus.curation.importing.meaning import field_by_name
from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.readers.persons import whole_name
from corpus.curation.importing.readers.records import Cell, ImportedRecord, Records, gather
from corpus.model.finding import CorpusError, Finding

_VALUE = "value"
#: Lists and mappings inside each other; the time of PyYAML grows with the square of it.
MAX_DEPTH = 100


def read_json(text: str, shown: str) -> Records:
    """Read a JSON document; CorpusError (I104) with the line where it is none."""
    try:
        content = _loads(text)
        return gather("JSON", _objects(content, "JSON", shown))
    except json.JSONDecodeError as error:
        raise _bad(shown, "JSON", error.msg, error.lineno) from None
    except RecursionError:
        raise _bad(shown, "JSON", "it is nested too deeply") from None


def read_json_lines(text: str, shown: str) -> Records:
    """Read one JSON object a line; a line that cannot be read is skipped with a warning (I106)."""
    findings: list[Finding] = []
    records = []
    for line, part in enumerate(text.split("\n"), 1):
        if not part.strip():
            continue
        try:
            cells = _cells(_loads(part))
        except (json.JSONDecodeError, RecursionError) as error:
            findings.append(
                rules.SKIPPED.at(
                    shown, line, value=part[:80], problem=getattr(error, "msg", "too deep")
                )
            )
            continue
        records.append(ImportedRecord(line, cells))
    return gather("JSON Lines", records, findings)


def read_yaml(text: str, shown: str) -> Records:
    """Read a YAML document by the safe loader, scalars as text.

    Raises
    ------
    CorpusError
        I104 with the line where the text is no YAML.
    """
    import yaml

    try:
        # BaseLoader keeps every scalar a text: no date, no float, no Norway problem. Aliases could
        # multiply the document without limit, so a document that uses them is refused.
        depth = 0
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent):
                raise _bad(shown, "YAML list", "it uses aliases (*name)")
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(
                event, yaml.CollectionEndEvent
            )
            if depth > MAX_DEPTH:  # events come one by one, so what is beyond is never parsed
                line = 0
                if event.start_mark:
                    line = event.start_mark.line + 1
                raise _bad(shown, "YAML", "it is nested too deeply", line)
        content = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 — makes strings, lists and mappings only
        return gather("YAML", _objects(content, "YAML", shown))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise _bad(shown, "YAML", str(error.problem or error.context), line) from None
    except (yaml.YAMLError, RecursionError) as error:
        raise _bad(shown, "YAML", str(error)[:200] or "it is nested too deeply") from None


def _loads(text: str) -> Any:
    """Read JSON; keep whole numbers as written, since Python refuses one of 5,000 digits."""
    return json.loads(text, parse_int=str)


def _objects(content: Any, name: str, shown: str) -> Iterator[ImportedRecord]:
    """Yield the objects of a list, of an object's longest list, or of an object of objects."""
    if isinstance(content, dict):
        lists = [
            value
            for value in content.values()
            if isinstance(value, list) and _mostly_objects(value)
        ]
        if lists:
            content = max(lists, key=len)
        elif content and all(isinstance(value, dict) for value in content.values()):
            content = [{"key": key, **value} for key, value in content.items()]
        else:
            content = [content]
    if not isinstance(content, list):
        raise _bad(shown, name, "neither a list nor an object stands at the top")
    for number, item in enumerate(content, 1):
        yield ImportedRecord(number, _cells(item))


def _mostly_objects(values: list[Any]) -> bool:
    return 2 * sum(isinstance(value, dict) for value in values) > len(values)


def _cells(item: Any, depth: int = 0) -> dict[str, Cell]:
    """Return an object's fields: inner objects as ``outer.inner``, lists of texts as values."""
    if depth > MAX_DEPTH:
        raise RecursionError
    if not isinstance(item, dict):
        return {_VALUE: _scalar(item)}
    cells: dict[str, Cell] = {}
    for name, value in item.items():
        if isinstance(value, dict):
            cells.update(
                {f"{name}.{inner}": cell for inner, cell in _cells(value, depth + 1).items()}
            )
        elif isinstance(value, list):
            cells[str(name)] = tuple(
                _item(part, field_by_name(str(name)) == "authors") for part in value
            )
        else:
            cells[str(name)] = _scalar(value)
    return cells


def _item(value: Any, is_author: bool) -> str:
    """Return one value of a list; a person or link by its naming fields, another object as JSON."""
    if isinstance(value, Mapping):
        family = value.get("family", value.get("lastName"))
        given = value.get("given", value.get("firstName"))
        if isinstance(family, str) and family:
            if given:
                return f"{family}, {given}"
            return whole_name(family) if is_author else family
        if is_author and isinstance(value.get("literal"), str):
            return whole_name(value["literal"])
        for name in ("name", "literal", "title", "label", "value", "url", "tag"):
            if isinstance(value.get(name), str):
                return str(value[name])
    return _scalar(value)


def _scalar(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _bad(shown: str, name: str, problem: str, line: int = 0) -> CorpusError:
    return CorpusError([rules.NOT_THE_FORMAT.at(shown, line, format=name, problem=problem)])
