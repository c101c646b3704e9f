"""BibTeX, as reference managers and screening tools export it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pybtex.bibtex.utils import split_name_list
from pybtex.database import Person, PybtexError

from corpus.curation.importing.names import listed
from corpus.curation.importing.persons import whole_name
from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.readers.bibtex.latex_text import address_text, plain_text
from corpus.curation.importing.readers.bibtex.scanner import BibtexEntry, read_entries
from corpus.curation.importing.readers.records import Cell, ImportedRecord, LeftOut, Records, gather
from corpus.curation.lookup.answers import person
from corpus.model.finding import Finding

#: Entries that are not works: fields shared by others, and groups of works.
_NO_WORKS = ("xdata", "set")
#: Fields that are addresses and identifiers; what is LaTeX in them only protects characters.
_ADDRESSES = listed("url, doi, eprint, ee, bdsk-url-1, bdsk-url-2, pdf, link")
#: What a part of a work does not take over from the whole: it is of the whole only.
_OF_ITS_OWN = listed(
    "abstract, annotation, annote, crossref, doi, eprint, file, ids, keywords, label, note, pages, "
    "pagetotal, shorttitle, sorttitle, subtitle, titleaddon, url, urldate, xdata"
)
#: DBLP numbers people of one name: "Antonio Rago 0001".
_HOMONYM = re.compile(r"(?<=\w)\s+0[0-9]{3}(?=,|$)")


def read_bibtex(text: str, shown: str) -> Records:
    """Read BibTeX entry by entry; skip a malformed one with a warning (I106) and read the rest.

    Fields of the work that an entry names as ``crossref`` or ``xdata`` are those of the entry as
    well, as BibTeX and biblatex take them.
    """
    findings: list[Finding] = []
    entries = read_entries(text, shown, findings)
    by_key = {entry.key.lower(): entry for entry in entries}
    rows = []
    unread: list[str] = []
    for entry in entries:
        for key in _references(entry):
            if key not in by_key:
                entry.problems.append(f"crossref or xdata: there is no entry {key!r}")
        if entry.kind in _NO_WORKS:
            unread += entry.fields.values()
        else:
            rows.append(ImportedRecord(entry.line, _cells(entry, by_key)))
        for problem in entry.problems:
            value = f"{entry.key}: {problem}"
            left_out = rules.FIELD_LEFT_OUT.at(shown, entry.line, value=value, problem=problem)
            findings.append(left_out)
    remarks = []
    for kind in _NO_WORKS:
        number = sum(entry.kind == kind for entry in entries)
        if number:
            remarks.append(f"entries of the type {kind} are not works and left out: {number}")
    passed = LeftOut(0, 0, "entries that are not works", 0, "\n".join(unread))
    return gather("BibTeX", rows, findings, remarks, (passed,))


def _cells(entry: BibtexEntry, by_key: Mapping[str, BibtexEntry]) -> dict[str, Cell]:
    """Return the cells of a work, with what it takes over from others."""
    fields = dict(entry.fields)
    is_part = entry.kind.startswith(("in", "suppl", "bookinbook"))
    waiting = _references(entry)
    done: set[str] = set()
    while waiting:
        key = waiting.pop(0)
        if key in done or key not in by_key:
            continue
        done.add(key)
        above = by_key[key]
        waiting += _references(above)
        for name, value in above.fields.items():
            if above.kind == "xdata":
                fields.setdefault(name, value)
            elif name == "title" and (is_part or "title" in entry.fields):
                fields.setdefault("booktitle", value)
            elif name not in _OF_ITS_OWN:
                fields.setdefault(name, value)
    stand_ins = ["titleaddon", "shorttitle"]
    if not entry.kind.startswith("in"):
        # A part is never called by its book.
        stand_ins += ["maintitle", "booktitle", "issuetitle"]
    for name in stand_ins:
        if not fields.get("title") and fields.get(name):
            fields["title"] = fields.pop(name)
    if "subtitle" in fields:
        title = fields.get("title", "").rstrip()
        if not title.rstrip("}").endswith(("?", "!", ":", ".")):
            title += ":"
        fields["title"] = f"{title} {fields.pop('subtitle')}"
    cells: dict[str, Cell] = {"key": entry.key, "type": entry.kind}
    for name, value in fields.items():
        if name == "type":
            # That column has the kind of the entry; of a report the field is where it appeared.
            column = "type of work"
            if entry.kind in ("techreport", "report"):
                column = "howpublished"
            cells[column] = plain_text(value)
        elif name in _ADDRESSES:
            cells[name] = address_text(value)
        elif name in ("author", "editor"):
            cells[name] = _people(value, is_author=name == "author")
        elif name not in ("crossref", "xdata"):
            cells[name] = plain_text(value)
    return cells


def _references(entry: BibtexEntry) -> list[str]:
    """Return the keys of the entries whose fields are those of an entry as well."""
    keys = [*entry.fields.get("xdata", "").split(","), entry.fields.get("crossref", "")]
    return [key.strip().lower() for key in keys if key.strip()]


def _people(value: str, is_author: bool) -> Cell:
    """Return names as family name, given name; as one text where commas separate people."""
    try:
        names = list(map(_name, split_name_list(value)))
    except PybtexError:
        # "Ward, A., Moor, B., Stein, C." has more commas than a name; split once more later.
        return plain_text(value)
    if is_author:
        # Authors are split once more later; editors are text.
        names = list(map(whole_name, names))
    # "and others": the list is cut, which the import reports.
    return tuple("et al." if name == "others" else name for name in names)


def _name(text: str) -> str:
    name = Person(_HOMONYM.sub("", text))
    family = [*name.prelast_names, *name.last_names, *name.lineage_names]
    given = [*name.first_names, *name.middle_names]
    return person(plain_text(" ".join(family)), plain_text(" ".join(given)))
