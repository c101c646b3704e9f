"""JSON and JSON Lines: a list of objects, or an object that holds one.

Works of OpenAlex have some fifty fields, many of them nested; those that describe them are read.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from corpus.curation.importing.names import field_by_name, listed
from corpus.curation.importing.readers.records import (
    NOT_THE_FORMAT,
    SKIPPED,
    Cells,
    LeftOut,
    Records,
    add_cell,
    filled_cells,
)
from corpus.curation.lookup.answers import (
    csl_date,
    csl_family,
    items_at,
    text_at,
    value_at,
    whole_name,
)
from corpus.model.identifiers import find_arxiv

#: The column of records that are a single value.
_VALUE = "value"
#: What names an object in a list.
_NAMING = listed("name, display_name, literal, title, label, value, url, tag, text, given, first")
_FAMILY = listed("lastName, last, last_name, familyName, family_name, surname")
_GIVEN = listed("given, firstName, first, first_name, givenName, given_name, forename")
#: The pool in what `corpus export json` writes; its other lists may be longer.
_OWN_POOL = "tables.pool"
#: Objects around the list of records.
_MAX_WRAPPING = 4
#: Objects inside each other.
MAX_DEPTH = 100
_TOO_DEEP = "it is nested too deeply"
_OPENALEX = (
    "of OpenAlex's fields these are read: identifiers, title, authors, year, date, venue, type, "
    "language, keywords, topic, abstract, citations and address"
)
#: Words of an abstract; an index with a position beyond this is not one.
_MAX_WORDS = 20_000
#: Columns of a work of OpenAlex, and where it has what is in them.
_OPENALEX_FIELDS = {
    "openalex": "id",
    "title": "title",
    "year": "publication_year",
    "date": "publication_date",
    "venue": "primary_location.source.display_name",
    "host venue display name": "host_venue.display_name",
    "doi": "doi",
    "url": "primary_location.landing_page_url",
    "type": "type",
    "language": "language",
    "topic": "primary_topic.display_name",
    "cited by": "cited_by_count",
}
_OPENALEX_READ = frozenset(listed("id, doi, title, display_name, authorships, locations"))


def read_json_lines(text: str, shown: str) -> Records:
    """Read one JSON object per line; a line that cannot be read is skipped and named (I106)."""
    records = Records("JSON Lines", shown, ranked=True)
    for line, part in enumerate(text.split("\n"), 1):
        if not part.strip():
            continue
        try:
            records.add(line, record_cells(_json_value(part)))
        except (json.JSONDecodeError, RecursionError) as error:
            records.warn(SKIPPED, line, part[:80], getattr(error, "msg", _TOO_DEEP))
    return records


def read_json(text: str, shown: str) -> Records:
    """Read a JSON document.

    Raises
    ------
    CorpusError
        I104, with the line where it is known, where the text is not JSON.
    """
    line = 0
    try:
        return _records(_json_value(text), shown)
    except json.JSONDecodeError as error:
        line, problem = error.lineno, error.msg
    except RecursionError:
        problem = _TOO_DEEP
    raise NOT_THE_FORMAT.error(shown, line, format="JSON", problem=problem)


def _json_value(text: str) -> Any:
    """Read JSON; keep numbers as written, and every value of a name that is given twice.

    Python refuses a whole number of 5,000 digits, and 2101.01230 is an identifier of arXiv. pandas
    writes NaN where nothing is known.
    """
    return json.loads(
        text,
        parse_int=str,
        parse_float=str,
        parse_constant={"NaN": None}.get,
        object_pairs_hook=_object,
    )


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; a name that is given several times has the list of its values."""
    values: dict[str, list[Any]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return {name: given if len(given) > 1 else given[0] for name, given in values.items()}


def _records(content: Any, shown: str) -> Records:
    """Return the objects of a list, of the longest list inside an object, or of an object."""
    records = Records("JSON", shown, ranked=True)
    items = content
    if isinstance(content, dict):
        items = _items(content, records)
    elif not isinstance(content, list):
        problem = "neither a list nor an object is at the top"
        raise NOT_THE_FORMAT.error(shown, format="JSON", problem=problem)
    unread = []
    for number, item in enumerate(items, 1):
        records.add(number, record_cells(item))
        if _is_openalex(item):
            unread += [value for name, value in item.items() if name not in _OPENALEX_READ]
    if unread:
        records.remarks.append(_OPENALEX)
    records.left_out.append(LeftOut("fields that are not read", text=json.dumps(unread)))
    return records


def _items(content: dict[str, Any], records: Records) -> list[Any]:
    """Return the records of an object; its lists that are not read are left out, with a remark."""
    if _has_title(content):
        return [content]
    lists = dict(_lists(content, ""))
    if lists:
        name = max(lists, key=lambda name: len(lists[name]))
        if _OWN_POOL in lists:
            name = _OWN_POOL
        items = lists.pop(name)
        if lists:
            named = ", ".join(f"{other} ({len(part)})" for other, part in lists.items())
            records.remarks.append(f"read the list {name}; other lists are not read: {named}")
        number = sum(map(len, lists.values()))
        records.left_out.append(LeftOut("other lists", number=number, text=json.dumps(lists)))
        return items
    if content and all(isinstance(value, dict) for value in content.values()):
        return [{"key": key, **value} for key, value in content.items()]
    return [content]


def _has_title(item: Mapping[str, Any]) -> bool:
    return "title" in map(field_by_name, map(str, item))


def _lists(content: Mapping[str, Any], above: str) -> Iterator[tuple[str, list[Any]]]:
    """Yield the lists of objects in an object and in the objects inside it, with their names."""
    for key, value in content.items():
        name = f"{above}{key}"
        if isinstance(value, dict) and name.count(".") < _MAX_WRAPPING:
            yield from _lists(value, f"{name}.")
        elif isinstance(value, list):
            if 2 * sum(isinstance(item, dict) for item in value) > len(value):
                yield name, value


def record_cells(item: Any) -> Cells:
    """Return the fields of one record.

    The object around it, as DBLP has it ("info") and GraphQL ("node"), is left out; the fields
    beside it are kept where they have other names.
    """
    if _is_openalex(item):
        return _openalex_cells(item)
    if isinstance(item, dict) and not _has_title(item):
        for name, value in item.items():
            if isinstance(value, dict) and _has_title(value):
                beside = {key: other for key, other in item.items() if key != name}
                item = {**beside, **value}
                if name == "info" and isinstance(item.get("title"), str):
                    item["title"] = item["title"].removesuffix(".")  # DBLP ends each with one
                break
    return _object_cells(item)


def _object_cells(item: Any, depth: int = 0) -> Cells:
    """Return an object's fields: inner objects as ``outer.inner``, lists of texts as values."""
    if depth > MAX_DEPTH:
        raise RecursionError
    if not isinstance(item, dict):
        return {_VALUE: _scalar(item)}
    cells: Cells = {}
    for key, value in item.items():
        name = str(key)
        if name == "issued" and isinstance(value, list) and value:
            value = value[0]  # as Pandoc writes it
        if isinstance(value, list):
            is_author = field_by_name(name) == "authors"
            cells[name] = ()
            for part in value:
                # Zotero has editors and translators among the creators.
                role = text_at(part, "creatorType") if is_author else ""
                own = name if role in ("", "author") else role
                add_cell(cells, own, (item_text(part, is_author),))
        elif not isinstance(value, dict):
            cells[name] = _scalar(value)
        elif _text_of_object(value):
            cells[name] = _text_of_object(value)
        else:
            for inner, cell in _object_cells(value, depth + 1).items():
                cells[f"{name}.{inner}"] = cell
    return cells


def _text_of_object(value: Mapping[str, Any]) -> str:
    """Return the text of an object that is one value, or an empty string.

    These are dates of CSL (``{"date-parts": [[2020, 5]]}``) and the people of DBLP
    (``{"@pid": "1", "text": "Ann Ward"}``).
    """
    written = ""
    if {*value} <= {"@pid", "text"}:
        written = text_at(value, "text")
    if {*value} <= {"raw", "literal", "circa", "season"}:  # "2024 Feb 21", "in press"
        written = text_at(value, "raw") or text_at(value, "literal")
    return csl_date(value) or written


def item_text(value: Any, is_author: bool) -> str:
    """Return one value of a list; a person or link by its naming fields, another object as JSON."""
    if not isinstance(value, Mapping):
        return _scalar(value)
    texts = {name: text for name, text in value.items() if isinstance(text, str) and text}
    family = csl_family(value) or _first(texts, _FAMILY)
    if family:
        given = _first(texts, _GIVEN)
        if given:
            return f"{family}, {given}"
        # Without a given name it is an organisation, or somebody with one name.
        texts["literal"] = family
    if is_author and "literal" in texts:
        return whole_name(texts["literal"], is_organisation=True)
    for name in _NAMING:
        if name in texts:
            return texts[name]
    return _scalar(value)


def _first(texts: Mapping[str, str], names: Iterable[str]) -> str:
    return next((texts[name] for name in names if name in texts), "")


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return {None: "", True: "yes", False: "no"}[value]
    return json.dumps(value, ensure_ascii=False)


def _is_openalex(item: Any) -> bool:
    """Whether an object of a JSON file is a work of OpenAlex."""
    return isinstance(item, Mapping) and "authorships" in item and "publication_year" in item


def _openalex_cells(work: Mapping[str, Any]) -> Cells:
    """Return the fields of a work that describe it."""
    cells: Cells = {"title": text_at(work, "display_name")}
    for name, path in _OPENALEX_FIELDS.items():
        value = value_at(work, path)
        if type(value) in (str, int):
            cells[name] = str(value)
    names = []
    for item in items_at(work, "authorships"):
        # Somebody whom OpenAlex has not recognised has the name as it is printed.
        names.append(text_at(item, "author.display_name") or text_at(item, "raw_author_name"))
    cells["authors"] = tuple(names)
    # Where else a work can be read: its preprint, a repository.
    addresses = []
    for item in items_at(work, "locations"):
        addresses += [text_at(item, "landing_page_url"), text_at(item, "pdf_url")]
    cells["places"] = tuple(dict.fromkeys(addresses))
    cells["arxiv"] = next(filter(None, map(find_arxiv, addresses)), "")
    cells["keywords"] = tuple(text_at(item, "display_name") for item in items_at(work, "keywords"))
    cells["abstract"] = _abstract(work.get("abstract_inverted_index"))
    return filled_cells(cells)


def _abstract(index: Any) -> str:
    """Return the abstract whose words OpenAlex gives with their positions."""
    words = {}
    if not isinstance(index, dict):
        return ""
    for word, positions in index.items():
        for position in items_at({"positions": positions}, "positions"):
            if re.fullmatch(r"[0-9]{1,5}", str(position)) and int(position) < _MAX_WORDS:
                words[int(position)] = str(word)
    return " ".join(map(words.__getitem__, sorted(words)))
