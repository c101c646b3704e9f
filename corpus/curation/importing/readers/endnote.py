"""A library of EndNote as XML; entities and external parts of a document are refused."""

import re
from typing import Any
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from corpus.curation.importing.names import listed
from corpus.curation.importing.readers.records import (
    NOT_SUPPORTED,
    NOT_THE_FORMAT,
    Cells,
    Records,
    add_cell,
)

#: Fields of EndNote -> the name of their column; the others keep their name.
_ENDNOTE_NAMES = {"electronic-resource-num": "doi", "full-title": "journal", "pub-dates": "date"}
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
