"""XML exports of EndNote and DBLP; entities and external parts of a document are refused."""

import re
from collections.abc import Iterable
from typing import Any
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from corpus.curation.importing.names import listed
from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.readers.records import Cells, Records, add_cell

#: Publications in files of DBLP; an answer of its search has the same fields inside ``info``.
_DBLP_KINDS = listed(
    "article, inproceedings, proceedings, book, incollection, phdthesis, mastersthesis, www, data, "
    "info"
)
#: Fields of EndNote -> the name of their column; the others keep their name.
_ENDNOTE_NAMES = {
    "electronic-resource-num": "doi",
    "full-title": "journal",
    "pub-dates": "date",
    "secondary-title": "secondary title",
}
#: Elements of EndNote that are read one by one; its own numbers and how it sets the text.
_ENDNOTE_PARTS = listed(
    "contributors, titles, periodical, keywords, dates, urls, "
    "database, source-app, rec-number, foreign-keys, key, ref-type, modified-date"
)


def read_xml(text: str, shown: str) -> Records:
    """Read an EndNote library or publications of DBLP as XML.

    Raises
    ------
    CorpusError
        I104 where it is not XML or declares entities; I109 where it is XML of something else.
    """
    # The text is decoded already; a declared encoding would contradict it.
    text = re.sub(r"\A\s*<\?xml[^>]*\?>", "", text)
    line = 0
    try:
        return _records(fromstring(text), shown)
    except DefusedXmlException:
        problem = "it declares entities, which may grow without limit"
    except ParseError as error:
        line, problem = error.position[0], str(error)
    raise rules.NOT_THE_FORMAT.error(shown, line, format="XML", problem=problem)


def _records(root: Any, shown: str) -> Records:
    if root.find(".//ref-type") is not None or root.find("./records/record") is not None:
        name, records = "EndNote XML", map(_endnote_cells, root.iter("record"))
    else:
        works = [node for node in root.iter() if node.tag in _DBLP_KINDS]
        if all(node.find("title") is None for node in works):
            what, how = "XML that is neither of EndNote nor of DBLP", "export RIS, BibTeX or CSV"
            raise rules.NOT_SUPPORTED.error(shown, what=what, how=how)
        name, records = "DBLP XML", map(_dblp_cells, works)
    return Records(name, shown, enumerate(records, 1))


def _element_text(node: Any) -> str:
    """Return the words of an element and of the styles inside it."""
    return " ".join("".join(node.itertext()).split())


def _endnote_cells(record: Any) -> Cells:
    cells: Cells = {}
    for kind in record.iterfind("ref-type"):
        cells["type"] = str(kind.get("name") or "")
    for path in ("contributors/*", "titles/*", "periodical/*", "dates/*"):
        for node in record.iterfind(path):
            people = tuple(map(_element_text, node.iterfind("author")))
            cells.setdefault(_column(node), people or _element_text(node))
    cells["keywords"] = tuple(map(_element_text, record.iterfind("keywords/keyword")))
    # Addresses of files are those of the computer that wrote them.
    links = [*record.iterfind("urls/related-urls/url"), *record.iterfind("urls/web-urls/url")]
    cells["urls"] = tuple(map(_element_text, links or record.iterfind("urls//url")))
    others = [node for node in record if node.tag not in _ENDNOTE_PARTS]
    for name, cell in _fields(others).items():
        cells.setdefault(name, cell)
    # EndNote repeats the journal as secondary title; one of them is enough.
    if cells.get("journal") and cells.get("journal") == cells.get("secondary title"):
        del cells["journal"]
    return cells


def _column(node: Any) -> str:
    return _ENDNOTE_NAMES.get(node.tag, str(node.tag).replace("-", " "))


def _fields(nodes: Iterable[Any]) -> Cells:
    """Return the text of each field; several of one that is repeated."""
    fields: Cells = {}
    for node in nodes:
        add_cell(fields, _column(node), _element_text(node))
    return fields


def _dblp_cells(work: Any) -> Cells:
    # A search answer has its authors one level deeper.
    cells = _fields([*work, *work.iterfind("authors/*")])
    cells.pop("authors", "")
    cells["title"] = str(cells.get("title", "")).removesuffix(".")  # DBLP ends each with one
    if work.tag != "info":
        cells = {"type": work.tag, "key": str(work.get("key") or ""), **cells}
    return cells
