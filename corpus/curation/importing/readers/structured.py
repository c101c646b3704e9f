"""JSON, JSON Lines and YAML: a list of objects, or an object that holds one; XML of EndNote.

In XML, entities and external parts of a document are refused.
Works of OpenAlex have some fifty fields, many of them nested; those that describe them are read.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any
from xml.etree.ElementTree import ParseError

import yaml
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from corpus.curation.importing.names import field_by_name, listed, mapped
from corpus.curation.importing.readers.records import (
    NOT_SUPPORTED,
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
#: What converters call the text of an XML element.
_ELEMENT_TEXTS = ("text", "#text", "$")
#: What names an object in a list.
_NAMING = listed("name, display_name, literal, title, label, value, url, tag, text, given, first")
_FAMILY = listed("lastName, last, last_name, familyName, family_name, surname")
_GIVEN = listed("given, firstName, first, first_name, givenName, given_name, forename")
_YAML_NULL = "tag:yaml.org,2002:null"
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
#: Fields that nothing but CSL calls so.
_CSL = frozenset(("container-title", "issued", "DOI"))
#: A consortium among the authors; it has no given name.
_GROUP = re.compile(r"\b(?:group|team|consortium)\b", re.IGNORECASE)


def read_json_lines(text: str, shown: str) -> Records:
    """Read one JSON object per line; a line that cannot be read is skipped and named (I106)."""
    records = Records("JSON Lines", shown)
    for line, part in enumerate(text.split("\n"), 1):
        if not part.strip():
            continue
        try:
            records.add(line, record_cells(_json_value(part)))
        except (json.JSONDecodeError, RecursionError) as error:
            records.warn(SKIPPED, line, part[:80], getattr(error, "msg", _TOO_DEEP))
    return records


def _read_document(name: str, parse: Callable[[str], Any], text: str, shown: str) -> Records:
    """Read a whole document.

    Raises
    ------
    CorpusError
        I104, with the line where it is known, where the text is not of the format.
    """
    line = 0
    try:
        return _records(parse(text), name, shown)
    except json.JSONDecodeError as error:
        line, problem = error.lineno, error.msg
    except yaml.YAMLError as error:
        problem = str(getattr(error, "problem", None) or error)[:200]
        mark = getattr(error, "problem_mark", None)
        if mark:
            line = mark.line + 1
    except RecursionError:
        problem = _TOO_DEEP
    raise NOT_THE_FORMAT.error(shown, line, format=name, problem=problem)


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


def _yaml_value(text: str) -> Any:
    """Read YAML, scalars as text.

    A tree of nodes keeps every scalar a text: no date, no float, no Norway problem; and no tag
    makes an object.
    """
    return _content(yaml.compose(text, Loader=yaml.SafeLoader), set())


def _content(node: Any, seen: set[int]) -> Any:
    """Return the texts, lists and mappings of a YAML node."""
    if node is None or node.tag == _YAML_NULL:  # `~`, `null` or nothing, without quotation marks
        return ""
    if isinstance(node.value, str):
        return node.value
    if id(node) in seen:
        # Aliases could multiply the document without limit.
        raise yaml.MarkedYAMLError(problem="it uses aliases (*name)", problem_mark=node.start_mark)
    seen.add(id(node))
    if node.id == "sequence":
        return [_content(item, seen) for item in node.value]
    pairs = []
    for key, value in node.value:
        if not isinstance(key.value, str):
            raise yaml.MarkedYAMLError(problem="a field has no name", problem_mark=key.start_mark)
        pairs.append((key.value, _content(value, seen)))
    return _object(pairs)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; a name that is given several times has the list of its values."""
    values: dict[str, list[Any]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return {name: given if len(given) > 1 else given[0] for name, given in values.items()}


read_json = partial(_read_document, "JSON", _json_value)
read_yaml = partial(_read_document, "YAML", _yaml_value)


def _records(content: Any, name: str, shown: str) -> Records:
    """Return the objects of a list, of the longest list inside an object, or of an object."""
    records = Records(name, shown)
    items = content
    if isinstance(content, dict):
        items = _items(content, records)
    elif not isinstance(content, list):
        problem = "neither a list nor an object is at the top"
        raise NOT_THE_FORMAT.error(shown, format=name, problem=problem)
    unread = []
    records.ranked = any(map(_is_of_program, items))
    for number, item in enumerate(items, 1):
        records.add(number, record_cells(item))
        if is_openalex(item):
            unread += [value for name, value in item.items() if name not in _OPENALEX_READ]
    if unread:
        records.remarks.append(_OPENALEX)
    records.left_out.append(LeftOut("fields that are not read", text=json.dumps(unread)))
    return records


def _items(content: dict[str, Any], records: Records) -> list[Any]:
    """Return the records of an object; its lists that are not read are left out, with a remark."""
    pool = _exported_pool(content)
    if not pool and _has_title(content):
        return [content]
    lists = dict(_lists(content, ""))
    if lists:
        name = pool or max(lists, key=lambda name: len(lists[name]))
        items = lists.pop(name, [])
        if lists and not pool:
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


def _exported_pool(content: Mapping[str, Any]) -> str:
    """Return the path of the pool in what `corpus export json` writes; others may be longer."""
    tables = value_at(content, "codebook.tables")
    for name in tables if isinstance(tables, dict) else ():
        if text_at(tables, f"{name}.role") == "pool":
            return f"tables.{name}"
    return ""


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
    if is_openalex(item):
        return openalex_cells(item)
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

    These are dates of CSL (``{"date-parts": [[2020, 5]]}``) and what was an element of XML before
    (``{"@pid": "1", "text": "Ann Ward"}``).
    """
    day = csl_date(value)
    if day:
        return day
    # What no date is made of: "2024 Feb 21", "in press".
    for name in ("raw", "literal"):
        if {*value} <= {"raw", "literal", "circa", "season"} and text_at(value, name):
            return text_at(value, name)
    others = [str(name) for name in value if name not in _ELEMENT_TEXTS]
    if all(name.startswith("@") for name in others):
        for name in _ELEMENT_TEXTS:
            if isinstance(value.get(name), str):
                return str(value[name])
    return ""


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
    for known, text in ((None, ""), (True, "yes"), (False, "no")):
        if value is known:
            return text
    return json.dumps(value, ensure_ascii=False)


def _is_of_program(item: Any) -> bool:
    """Whether the fields of an object have the names of CSL or OpenAlex."""
    return is_openalex(item) or (isinstance(item, Mapping) and not _CSL.isdisjoint(item))


def is_openalex(item: Any) -> bool:
    """Whether an object of a JSON file is a work of OpenAlex."""
    return isinstance(item, Mapping) and "authorships" in item and "publication_year" in item


def openalex_cells(work: Mapping[str, Any]) -> Cells:
    """Return the fields of a work that describe it."""
    cells: Cells = {"title": text_at(work, "display_name")}
    for name, path in _OPENALEX_FIELDS.items():
        value = value_at(work, path)
        if type(value) in (str, int):
            cells[name] = str(value)
    names = []
    for item in items_at(work, "authorships"):
        # Somebody whom OpenAlex has not recognised has the name as it is printed.
        name = text_at(item, "author.display_name") or text_at(item, "raw_author_name")
        names.append(whole_name(name, is_organisation=True) if _GROUP.search(name) else name)
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


#: Fields of EndNote -> the name of their column; the others keep their name.
_ENDNOTE_NAMES = mapped(
    """
    electronic-resource-num = doi
    full-title = journal
    pub-dates = date
    secondary-title = secondary title
    """
)
#: Elements of EndNote that are read one by one; its own numbers and how it sets the text.
_ENDNOTE_PARTS = listed(
    "contributors, titles, periodical, keywords, dates, urls, "
    "database, source-app, rec-number, foreign-keys, key, ref-type, modified-date"
)


def read_xml(text: str, shown: str) -> Records:
    """Read an EndNote library as XML.

    Raises
    ------
    CorpusError
        I104 where it is not XML or declares entities; I109 where it is XML of something else.
    """
    # The text is decoded already; a declared encoding would contradict it.
    text = re.sub(r"\A\s*<\?xml[^>]*\?>", "", text)
    line = 0
    try:
        return _xml_records(fromstring(text), shown)
    except DefusedXmlException:
        problem = "it declares entities, which may grow without limit"
    except ParseError as error:
        line, problem = error.position[0], str(error)
    raise NOT_THE_FORMAT.error(shown, line, format="XML", problem=problem)


def _xml_records(root: Any, shown: str) -> Records:
    if root.find(".//ref-type") is None and root.find("./records/record") is None:
        how = "export RIS, BibTeX or CSV, on dblp.org, too"
        raise NOT_SUPPORTED.error(shown, what="XML of another program than EndNote", how=how)
    records = map(_endnote_cells, root.iter("record"))
    return Records("EndNote XML", shown, enumerate(records, 1), ranked=True)


def _element_text(node: Any) -> str:
    """Return the words of an element and of the styles inside it."""
    return " ".join("".join(node.itertext()).split())


def _endnote_cells(record: Any) -> Cells:
    cells: Cells = {}
    for kind in record.iterfind("ref-type"):
        cells["type"] = str(kind.get("name") or "")
    for path in listed("contributors/*, titles/*, periodical/*, dates/*"):
        for node in record.iterfind(path):
            people = tuple(map(_element_text, node.iterfind("author")))
            cells.setdefault(_column(node), people or _element_text(node))
    cells["keywords"] = tuple(map(_element_text, record.iterfind("keywords/keyword")))
    # Addresses of files are those of the computer that wrote them.
    links = [*record.iterfind("urls/related-urls/url"), *record.iterfind("urls/web-urls/url")]
    cells["urls"] = tuple(map(_element_text, links or record.iterfind("urls//url")))
    for node in record:
        if node.tag not in _ENDNOTE_PARTS:
            add_cell(cells, _column(node), _element_text(node))
    # EndNote repeats the journal as secondary title; one of them is enough.
    if cells.get("journal") and cells.get("journal") == cells.get("secondary title"):
        del cells["journal"]
    return cells


def _column(node: Any) -> str:
    return _ENDNOTE_NAMES.get(node.tag, str(node.tag).replace("-", " "))
