"""XML exports of EndNote and DBLP; entities and external parts of a document are refused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.readers.records import Cell, ImportedRecord, Records, gather
from corpus.model.finding import CorpusError

#: Publications in files of DBLP; an answer of its search has the same fields inside ``info``.
_DBLP_KINDS = frozenset(
    (
        *("article", "inproceedings", "proceedings", "book", "incollection"),
        *("phdthesis", "mastersthesis", "www", "data"),
    )
)
#: Fields of EndNote -> the name of their column; the others keep their name.
_ENDNOTE_NAMES = {
    "electronic-resource-num": "doi",
    "full-title": "journal",
    "pub-dates": "date",
    "related-urls": "urls",
    "secondary-title": "secondary title",
}
#: What EndNote needs and no reader: its own numbers and how it sets the text.
_ENDNOTE_TECHNICAL = frozenset(
    ("database", "source-app", "rec-number", "foreign-keys", "key", "ref-type", "modified-date")
)
#: Elements of EndNote that hold others, which are read one by one.
_ENDNOTE_GROUPS = frozenset(("contributors", "titles", "periodical", "keywords", "dates", "urls"))


def read_xml(text: str, shown: str) -> Records:
    """Read an EndNote library or publications of DBLP as XML.

    Raises
    ------
    CorpusError
        I104 where it is not XML or declares entities; I109 where it is XML of something else.
    """
    root = _root(text, shown)
    if root.find(".//ref-type") is not None or root.find("./records/record") is not None:
        return gather("EndNote XML", _numbered(map(_endnote_cells, root.iter("record"))))
    works = [node for node in root.iter() if node.tag in _DBLP_KINDS or node.tag == "info"]
    if any(node.find("title") is not None for node in works):
        return gather("DBLP XML", _numbered(map(_dblp_cells, works)))
    what, how = "XML that is neither of EndNote nor of DBLP", "export RIS, BibTeX or CSV there"
    raise CorpusError([rules.NOT_SUPPORTED.at(shown, what=what, how=how)])


def _numbered(records: Iterable[dict[str, Cell]]) -> Iterator[ImportedRecord]:
    for number, cells in enumerate(records, 1):
        yield ImportedRecord(number, cells)


def _root(text: str, shown: str) -> Any:
    # Only this format needs them.
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    # The text is decoded already; a declared encoding would contradict it.
    text = re.sub(r"\A\s*<\?xml[^>]*\?>", "", text)
    try:
        return fromstring(text)
    except DefusedXmlException:
        problem, line = "it declares entities, which may grow without limit", 0
    except ParseError as error:
        problem, line = str(error), error.position[0]
    raise CorpusError([rules.NOT_THE_FORMAT.at(shown, line, format="XML", problem=problem)])


def _text(node: Any) -> str:
    """Return the words of an element and of the styles inside it."""
    return " ".join("".join(node.itertext()).split())


def _texts(node: Any, path: str) -> tuple[str, ...]:
    return tuple(filter(None, map(_text, node.iterfind(path))))


def _column(tag: str) -> str:
    """Return the column of an element of EndNote."""
    return _ENDNOTE_NAMES.get(tag, tag.replace("-", " "))


def _endnote_cells(record: Any) -> dict[str, Cell]:
    cells: dict[str, Cell] = {}
    kind = record.find("ref-type")
    if kind is not None:
        cells["type"] = str(kind.get("name") or "")
    for group in record.iterfind("./contributors/*"):
        cells[_column(group.tag)] = _texts(group, "./author")
    for path in ("./titles/*", "./periodical/*"):
        for node in record.iterfind(path):
            cells.setdefault(_column(node.tag), _text(node))
    cells["keywords"] = _texts(record, "./keywords/keyword")
    for node in record.iterfind("./dates/*"):
        cells[_column(node.tag)] = _text(node)
    # Addresses of files are those of the computer that wrote them.
    addresses = (*_texts(record, "./urls/related-urls/url"), *_texts(record, "./urls/web-urls/url"))
    cells["urls"] = addresses or _texts(record, "./urls//url")
    for tag in dict.fromkeys(node.tag for node in record):
        if tag not in _ENDNOTE_GROUPS and tag not in _ENDNOTE_TECHNICAL:
            cells.setdefault(_column(tag), _one_or_several(_texts(record, f"./{tag}")))
    # EndNote repeats the journal as secondary title; one of them is enough.
    if cells.get("journal") and cells.get("journal") == cells.get("secondary title"):
        del cells["journal"]
    return cells


def _one_or_several(texts: tuple[str, ...]) -> Cell:
    if len(texts) == 1:
        return texts[0]
    return texts


def _dblp_cells(work: Any) -> dict[str, Cell]:
    cells: dict[str, Cell] = {}
    if work.tag != "info":
        cells["type"] = str(work.tag)
        cells["key"] = str(work.get("key") or "")
    several: dict[str, list[str]] = {}
    for node in _leaves(work):
        several.setdefault(node.tag, []).append(_text(node))
    for name, texts in several.items():
        if name in ("author", "editor"):
            cells[f"{name}s"] = tuple(texts)
        elif name == "title":
            cells[name] = texts[0].removesuffix(".")  # DBLP ends each with one
        else:
            cells[name] = _one_or_several(tuple(texts))
    return cells


def _leaves(work: Any) -> Iterator[Any]:
    """Yield the fields of a publication; a search answer has its authors one level deeper."""
    for node in work:
        if node.tag == "authors":
            yield from node
        else:
            yield node
