"""JSON, JSON Lines and YAML: a list of objects, or an object that holds one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from corpus.curation.importing.meaning import field_by_name
from corpus.curation.importing.persons import whole_name
from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.readers.openalex import REMARK as OPENALEX_REMARK
from corpus.curation.importing.readers.openalex import is_openalex, openalex_cells
from corpus.curation.importing.readers.records import Cell, ImportedRecord, Records, gather
from corpus.model.finding import CorpusError, Finding

_VALUE = "value"
#: What names an object in a list.
_NAMING = ("name", "display_name", "literal", "title", "label", "value", "url", "tag", "text")
#: Objects around the list of records.
_MAX_WRAPPING = 4
#: Lists and mappings inside each other; the time of PyYAML grows with the square of it.
MAX_DEPTH = 100


def read_json(text: str, shown: str) -> Records:
    """Read a JSON document; CorpusError (I104) with the line where it is none."""
    try:
        content = _loads(text)
        return _records(content, "JSON", shown)
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
            cells = _record(_loads(part))
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
        I104 with the line where the text is not YAML.
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
        return _records(content, "YAML", shown)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise _bad(shown, "YAML", str(error.problem or error.context), line) from None
    except (yaml.YAMLError, RecursionError) as error:
        raise _bad(shown, "YAML", str(error)[:200] or "it is nested too deeply") from None


def _loads(text: str) -> Any:
    """Read JSON; keep whole numbers as written, since Python refuses one of 5,000 digits."""
    return json.loads(text, parse_int=str)


def _records(content: Any, name: str, shown: str) -> Records:
    """Return the objects of a list, of the longest list inside an object, or of an object."""
    items = _items(content)
    if items is None:
        raise _bad(shown, name, "neither a list nor an object is at the top")
    remarks = [OPENALEX_REMARK] if any(map(is_openalex, items)) else []
    rows = [ImportedRecord(number, _record(item)) for number, item in enumerate(items, 1)]
    return gather(name, rows, remarks=remarks)


def _items(content: Any) -> list[Any] | None:
    """Return the records of a document; None where it has neither a list nor an object."""
    if isinstance(content, list):
        return content
    if not isinstance(content, dict):
        return None
    if any(field_by_name(str(name)) == "title" for name in content):
        return [content]
    found = _exported_pool(content) or _longest_list(content, 0)
    if found:
        return found
    if content and all(isinstance(value, dict) for value in content.values()):
        return [{"key": key, **value} for key, value in content.items()]
    return [content]


def _exported_pool(content: Mapping[str, Any]) -> list[Any]:
    """Return the pool of what `corpus export json` writes; other tables may be longer."""
    tables, codebook = content.get("tables"), content.get("codebook")
    if not isinstance(tables, dict) or not isinstance(codebook, dict):
        return []
    declared = codebook.get("tables")
    for name, table in declared.items() if isinstance(declared, dict) else ():
        rows = tables.get(name)
        if isinstance(table, dict) and table.get("role") == "pool" and isinstance(rows, list):
            return rows
    return []


def _longest_list(content: Mapping[str, Any], depth: int) -> list[Any]:
    """Return the longest list of objects in an object or in the objects inside it."""
    best: list[Any] = []
    for value in content.values():
        found: list[Any] = []
        if isinstance(value, list) and _mostly_objects(value):
            found = value
        elif isinstance(value, dict) and depth < _MAX_WRAPPING:
            found = _longest_list(value, depth + 1)
        if len(found) > len(best):
            best = found
    return best


def _mostly_objects(values: list[Any]) -> bool:
    return 2 * sum(isinstance(value, dict) for value in values) > len(values)


def _record(item: Any) -> dict[str, Cell]:
    """Return the fields of one record."""
    if is_openalex(item):
        return openalex_cells(item)
    return _cells(_unwrapped(item))


def _unwrapped(item: Any) -> Any:
    """Return a record without the object around it, as DBLP has it ("info") and GraphQL ("node").

    The fields beside it are kept where they have other names.
    """
    if not isinstance(item, dict) or any(field_by_name(str(name)) == "title" for name in item):
        return item
    for name, value in item.items():
        if isinstance(value, dict) and any(field_by_name(str(key)) == "title" for key in value):
            beside = {key: other for key, other in item.items() if key != name}
            found = {**beside, **value}
            if name == "info" and isinstance(found.get("title"), str):
                found["title"] = found["title"].removesuffix(".")  # DBLP ends each with one
            return found
    return item


def _cells(item: Any, depth: int = 0) -> dict[str, Cell]:
    """Return an object's fields: inner objects as ``outer.inner``, lists of texts as values."""
    if depth > MAX_DEPTH:
        raise RecursionError
    if not isinstance(item, dict):
        return {_VALUE: _scalar(item)}
    cells: dict[str, Cell] = {}
    for name, value in item.items():
        if isinstance(value, dict) and _attributed_text(value) is None:
            for inner, cell in _cells(value, depth + 1).items():
                cells[f"{name}.{inner}"] = cell
        elif isinstance(value, dict):
            cells[str(name)] = _attributed_text(value) or ""
        elif isinstance(value, list):
            is_author = field_by_name(str(name)) == "authors"
            cells[str(name)] = tuple(_item(part, is_author) for part in value)
        else:
            cells[str(name)] = _scalar(value)
    return _with_csl_date(cells, item)


def _with_csl_date(cells: dict[str, Cell], item: Mapping[str, Any]) -> dict[str, Cell]:
    """Replace the parts of a date of CSL (``{"date-parts": [[2020, 5]]}``) by the date."""
    for name, value in item.items():
        if not isinstance(value, dict) or not isinstance(value.get("date-parts"), list):
            continue
        parts = value["date-parts"][0] if value["date-parts"] else []
        if isinstance(parts, list) and parts and all(str(part).isdecimal() for part in parts):
            cells.pop(f"{name}.date-parts", None)
            cells[str(name)] = "-".join(str(part).zfill(2) for part in parts[:3])
    return cells


def _attributed_text(value: Mapping[str, Any]) -> str | None:
    """Return the text of an element that was XML before: ``{"@pid": "1", "text": "Ann Ward"}``."""
    others = [str(name) for name in value if name not in ("text", "#text", "$")]
    if len(others) == len(value) or not all(name.startswith("@") for name in others):
        return None
    for name in ("text", "#text", "$"):
        if isinstance(value.get(name), str):
            return str(value[name])
    return None


def _item(value: Any, is_author: bool) -> str:
    """Return one value of a list; a person or link by its naming fields, another object as JSON."""
    if isinstance(value, Mapping):
        family = value.get("family", value.get("lastName"))
        given = value.get("given", value.get("firstName"))
        if isinstance(family, str) and family:
            particle = value.get("non-dropping-particle", value.get("dropping-particle"))
            if isinstance(particle, str) and particle:
                family = f"{particle} {family}"
            if given:
                return f"{family}, {given}"
            return whole_name(family) if is_author else family
        if is_author and isinstance(value.get("literal"), str):
            return whole_name(value["literal"])
        for name in _NAMING:
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
