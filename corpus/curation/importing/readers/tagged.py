"""Exports in which each line starts with a tag: RIS, Web of Science, PubMed, EndNote and Ovid.

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
_ENDNOTE_NAMES = mapped(
    """
    0 = type
    A = authors
    T = title
    J = journal
    B = secondary title
    D = year
    8 = date
    R = doi
    U = urls
    X = abstract
    K = keywords
    V = volume
    N = issue
    P = pages
    I = publisher
    @ = ISSN or ISBN
    G = language
    Z = notes
    E = editors
    C = place published
    M = accession number
    F = label key
    S = series
    9 = type of work
    + = author address
    1 = custom 1
    2 = custom 2
    3 = custom 3
    4 = custom 4
    < = research notes
    W = database
    ~ = name of database
    """
)
#: Tags of Ovid's exports for EndNote and Citavi.
_OVID_NAMES = mapped(
    """
    < = number
    UI = unique identifier
    AN = accession number
    TI = title
    FA = authors
    AU = authors short
    SO = source
    JT = journal
    BT = book title
    YR = year
    DO = doi
    DI = doi
    AB = abstract
    KW = keywords
    MH = subject headings
    PT = publication type
    LG = language
    IS = ISSN
    IB = ISBN
    PB = publisher
    DB = database
    """
)
#: Fields of Ovid's export as text; the others keep their name.
_OVID_FIELDS = mapped(
    """
    < = number
    Title = title
    Source = source
    Author = authors short
    Authors = authors short
    Authors Full Name = authors
    Year of Publication = year
    DOI Number = doi
    Digital Object Identifier = doi
    Author Keywords = keywords
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
#: What Ovid writes behind a name (marks of footnotes, degrees, roles), and behind a title.
_BEHIND_NAME = re.compile(
    r"(?<![\s0-9*+,])(?:\s*+(?:\[[^][]{0,80}\]|[0-9*+,]{1,9}+|\b(?:MD|PhD|MSc|MPH|RN)\b)){1,6}+$"
)
_BEHIND_TITLE = re.compile(r"(?<=[.?!]) ?\[[A-Z][\w ,]{2,60}\]$")


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


def _finish_ovid(cells: Cells) -> None:
    """Take venue and year from the source: "Wet Soils.   28(2):103-106, April 2015."."""
    for name in ("authors", "authors short"):
        people = cells.get(name, ())
        if isinstance(people, str):
            people = tuple(people.split(";"))
        if people:
            cells[name] = tuple(_BEHIND_NAME.sub("", person.strip()) for person in people)
    cells["title"] = _BEHIND_TITLE.sub("", str(cells.get("title", "")))
    _finish_pubmed(cells)
    source = str(cells.get("source", ""))
    cells.setdefault("journal", source.partition(". ")[0].rstrip("."))
    # What is published ahead of print has its date there only.
    dated = f"{cells.get('Status', '')} {source}"
    years = re.findall(r"\b(?:19|20)[0-9]{2}\b", dated)
    if years:
        cells.setdefault("year", years[-1])


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
ENDNOTE = TagFormat(
    "EndNote",
    re.compile(r"%(?P<tag>[0-9A-Za-z@!?#$&()*+^<>=~\[\]])(?: (?P<value>.*))?"),
    re.compile(r"(?P<value>[^%].*)"),
    "0",
    _ENDNOTE_NAMES,
    "AEUK",
    title="T",
)
#: A record starts with its number: "<1. >".
OVID = TagFormat(
    "Ovid",
    re.compile(r"(?P<tag><|[A-Z][A-Z0-9])(?:[0-9. ]+>\s*| {1,3}- ?(?P<value>.*))"),
    re.compile(r" +(?P<value>.*)"),
    "<",
    _OVID_NAMES,
    listed("AU, FA, MH, KW, IS, PT"),
    _finish_ovid,
    title="TI",
    wraps_lists=True,
)
#: A line with the name of each field, its value on indented lines below.
OVID_TEXT = replace(
    OVID,
    line=re.compile(r"(?P<tag><|[A-Z][\w /&-]{0,60}(?<! ))(?P<value>)(?:[0-9. ]+>)?\s*"),
    names=_OVID_FIELDS,
    title="Title",
    unknown="{}",
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


def read_ovid(text: str, shown: str) -> Records:
    """Read an export of Ovid: with tags, for EndNote and Citavi, or as text."""
    if re.search(r"^TI {1,3}- ", text, re.MULTILINE):
        return read_tagged(OVID, text, shown)
    return read_tagged(OVID_TEXT, text, shown)


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
read_endnote = partial(read_tagged, ENDNOTE)


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
        if own and own not in (_END, *format_.ignored) and format_.begins_anywhere:
            if not fields:
                start = number
            tag = own
            fields.setdefault(tag, []).append(value)
            continue
        if is_again or own in (format_.first, _END):
            # What follows a title that is there twice may be of another record.
            yield start, fields
            fields, tag = {}, ""
        if own == format_.first:
            start, tag, fields = number, own, {own: [value]}
        elif is_again:
            problem = f"a record without its first line, the one with {format_.first}"
        elif own in (_END, *format_.ignored):
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
