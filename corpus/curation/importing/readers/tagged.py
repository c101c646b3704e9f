"""Exports in which each line starts with a tag: RIS, Web of Science and PubMed.

rispy has the names of the tags, but tells no line, takes a record without an end for part of the
one before, keeps only the first of two values and stops at some files. So the lines are read here.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from rispy.config import LIST_TYPE_TAGS, TAG_KEY_MAPPING, WOK_LIST_TYPE_TAGS, WOK_TAG_KEY_MAPPING

from corpus.curation.importing.names import field_by_name, filled, listed, mapped
from corpus.curation.importing.readers.records import SKIPPED, Cells, LeftOut, Records, texts_of
from corpus.model.identifiers import find_doi


@dataclass(frozen=True)
class TagFormat:
    """How a format of tagged lines is written.

    Attributes
    ----------
    name : str
        For people.
    line : Pattern of str
        A line with a tag; groups ``tag`` and ``value``.
    more : Pattern of str
        A line that continues the one above; group ``value``.
    first : str
        The tag that starts a record.
    names : mapping of str to str
        Tag -> name of the column.
    lists : collection of str
        Tags with one value per line, also where there is one line only.
    finish : callable, optional
        Changes the cells of a record: what the format writes in a way of its own.
    ignored : collection of str
        Tags of the file, not of a record.
    title : str
        The tag that no record has twice; empty where it may be repeated.
    wraps_lists : bool
        Whether a line that continues a tag of `lists` is part of its last value, not a further one.
    unknown : str
        The name of the column for another tag; empty where such tags are left out with a remark.
    begins_anywhere : bool
        Whether a record may begin with any tag, and ends with its last one only.
    """

    name: str
    line: re.Pattern[str]
    more: re.Pattern[str]
    first: str
    names: Mapping[str, str]
    lists: Collection[str]
    finish: Callable[[Cells], None] | None = None
    ignored: Collection[str] = ()
    title: str = ""
    wraps_lists: bool = False
    unknown: str = ""
    begins_anywhere: bool = False


_PUBMED_NAMES = mapped(
    """
    PMID = PMID
    TI = title
    BTI = book title
    FAU = authors
    CN = corporate authors
    AU = authors short
    DP = date
    JT = journal
    TA = journal abbreviation
    AID = identifiers
    LID = location identifiers
    AB = abstract
    OT = keywords
    MH = MeSH terms
    PT = publication type
    LA = language
    VI = volume
    IP = issue
    PG = pages
    PMC = PMCID
    IS = ISSN
    PL = country
    """
)
#: Ends a record in RIS and Web of Science; elsewhere the next one does.
_END = "ER"
#: A known tag with other spaces around its hyphen: damaged, and no part of the text above.
_DAMAGED = rf"(?:{'|'.join(TAG_KEY_MAPPING)})(?: -| {{3,9}}-|-(?= |$))"
#: Tags with one space or none before the hyphen, as some programs write them. In a file of the
#: usual form such a line is text: "AI - a survey".
_LOOSE_LINE = re.compile(r"(?P<tag>[A-Z][A-Z0-9]) {0,2}-(?P<value>(?: .*)?)")
#: One line may have several addresses; a semicolon may also be inside one.
_BETWEEN_ADDRESSES = re.compile(r";\s*(?=https?://|www\.)")


def _finish_pubmed(cells: Cells) -> None:
    """Take the DOI from the identifiers, and the fullest names that the record has."""
    if "title" in cells:
        cells["title"] = str(cells["title"]).removesuffix(".")  # PubMed ends each with one
    marked = (*cells.get("identifiers", ()), *cells.pop("location identifiers", ()))
    for value in marked:
        if value.endswith("[doi]"):
            cells.setdefault("doi", value.removesuffix("[doi]").strip())
    # Old records, and those of other databases, have names with initials only.
    for name in ("authors short", "corporate authors"):
        if "authors" not in cells and name in cells:
            cells["authors"] = cells.pop(name)


def _finish_ris(cells: Cells) -> None:
    """Take the DOI that some programs write into the type of the work, a book's title from BT."""
    if not any(field_by_name(name) == "title" for name in cells) and "book title" in cells:
        cells["title"] = cells.pop("book title")
    for text in texts_of(cells.get("type_of_work", ())):
        if find_doi(text):
            cells.pop("type_of_work")
            cells.setdefault("doi", find_doi(text) or "")


RIS = TagFormat(
    "RIS",
    re.compile(r"(?P<tag>[A-Z][A-Z0-9])  -(?P<value>.*)"),
    re.compile(rf"(?!{_DAMAGED})(?P<value>.*)"),
    "TY",
    {**TAG_KEY_MAPPING, "BT": "book title", "ED": "editors"},
    [*LIST_TYPE_TAGS, "ED"],
    _finish_ris,
    unknown="unknown_tag {}",
)
WEB_OF_SCIENCE = TagFormat(
    "Web of Science",
    re.compile(r"(?P<tag>[A-Z][A-Z0-9])(?: (?P<value>.*))?"),
    re.compile(r" {2,}(?P<value>.*)"),
    "PT",
    {tag: name.replace("_", " ") for tag, name in WOK_TAG_KEY_MAPPING.items()},
    WOK_LIST_TYPE_TAGS,
    ignored=("FN", "VR", "EF"),
    title="TI",
)
PUBMED = TagFormat(
    "PubMed",
    re.compile(r"(?P<tag>[A-Z][A-Z0-9]{1,3}) *- ?(?P<value>.*)"),
    re.compile(r" {5,}(?P<value>.*)"),
    "PMID",
    _PUBMED_NAMES,
    listed("FAU, CN, AU, AID, LID, OT, MH, PT, IS"),
    _finish_pubmed,
    title="TI",
    # PubMed breaks long lines also in lists; the others begin a new value.
    wraps_lists=True,
)


def read_ris(text: str, shown: str) -> Records:
    """Read RIS; lines outside any record and damaged tags are named (I106).

    A record without ER ends where the next one begins. Several values of one tag are all kept.
    """
    if not re.search(r"^TY {0,2}-", text, re.MULTILINE):
        if re.search(r"^PT [A-Z]", text, re.MULTILINE):
            return read_tagged(WEB_OF_SCIENCE, text, shown)  # under the ending of RIS
        text = re.sub("^[a-z][a-z0-9](?= {0,2}-)", lambda tag: tag[0].upper(), text, flags=re.M)
    format_ = RIS
    if not re.search(r"^TY  -", text, re.MULTILINE) and re.search(r"^TY ?-", text, re.MULTILINE):
        format_ = replace(RIS, line=_LOOSE_LINE)
    first = re.search(r"^([A-Z][A-Z0-9]) {0,2}-", text, re.MULTILINE)
    if first and first[1] != "TY":
        format_ = replace(format_, begins_anywhere=True)
    return read_tagged(format_, text, shown)


def read_pubmed(text: str, shown: str) -> Records:
    """Read an export of PubMed (.nbib)."""
    # Other databases write the format without the number of PubMed, such as ERIC.
    if re.search(r"^PMID *-", text, re.MULTILINE):
        return read_tagged(PUBMED, text, shown)
    return read_tagged(replace(PUBMED, first="OWN"), text, shown)


def read_tagged(format_: TagFormat, text: str, shown: str) -> Records:
    """Read an export whose lines start with tags.

    A line, or a record without its first line, that is outside every record is named (I106).
    """
    records = Records(format_.name, shown, ranked=True)
    left_out: dict[str, None] = {}
    unread = []
    for line, fields in _records(format_, text, records):
        cells: Cells = {}
        for tag, values in fields.items():
            name = format_.names.get(tag) or format_.unknown.format(tag)
            texts = []
            for value in values:
                texts += filled(_BETWEEN_ADDRESSES.split(value))
            if not name:
                left_out[tag] = None
                unread += texts
            elif tag in format_.lists or len(texts) > 1:
                cells[name] = tuple(texts)
            else:
                cells[name] = "".join(texts)
        if format_.finish:
            format_.finish(cells)
        records.add(line, cells)
    why = "tags that tell nothing of a work"
    if left_out:
        records.remarks.append(f"{why} are left out: {', '.join(left_out)}")
    records.left_out.append(LeftOut(why, text="\n".join(unread)))
    return records


read_web_of_science = partial(read_tagged, WEB_OF_SCIENCE)


def _records(
    format_: TagFormat, text: str, records: Records
) -> Iterator[tuple[int, dict[str, list[str]]]]:
    """Yield the line of each record and its values by tag; name what is outside every record."""
    fields: dict[str, list[str]] = {}
    start = 0
    tag = ""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        own = value = problem = ""
        match = format_.line.fullmatch(line)
        if match:
            own, value = match["tag"], match["value"] or ""
        more = format_.more.fullmatch(line)
        is_again = own == format_.title and own in fields
        is_outside = own in (_END, *format_.ignored)
        is_first = own == format_.first
        if format_.begins_anywhere:
            is_first = own != "" and not (is_outside or fields)
        if is_first or is_again or own == _END:
            # What follows a title that is there twice may be of another record.
            yield start, fields
            fields, tag = {}, ""
        if is_first:
            start, tag, fields = number, own, {own: [value]}
        elif is_again:
            problem = f"a record without its first line, the one with {format_.first}"
        elif is_outside:
            tag = ""
        elif own and fields:
            tag = own
            fields.setdefault(tag, []).append(value)
        elif more and tag:
            if tag in format_.lists and not format_.wraps_lists:
                fields[tag].append(more["value"])
            else:
                fields[tag][-1] += f" {more['value'].strip()}"
        else:
            problem = "it is outside any record, or its tag is damaged"
        if problem:
            records.warn(SKIPPED, number, line[:80], problem)
    yield start, fields
