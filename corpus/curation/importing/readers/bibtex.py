"""BibTeX, as reference managers and screening tools export it; names of people by pybtex.

Exports and files written by hand break the grammar in a few ways that leave no doubt of what is
meant: names of fields with spaces (``funding_text 1``), keys with spaces or none at all, a comma
that is missing, a macro that is defined elsewhere, a field given twice. A field is lost where
others lose the entry.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

from pybtex.bibtex.utils import split_name_list
from pybtex.database import Person, PybtexError
from pybtex.database.input.bibtex import LowLevelParser, SkipEntry, month_names
from pybtex.scanner import Pattern, PrematureEOF
from pybtex.utils import CaseInsensitiveDict

from corpus.curation.importing.names import filled, listed, read_date
from corpus.curation.importing.readers.latex_text import address_text, plain_text, unknown_commands
from corpus.curation.importing.readers.records import (
    FIELD_LEFT_OUT,
    SKIPPED,
    Cell,
    Cells,
    LeftOut,
    Records,
)
from corpus.curation.lookup.answers import NUMBER, author, person, person_of, whole_name

_ENTRY = re.compile(r"^[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(]", re.MULTILINE)
#: How an entry begins; or a remark, which is none if it is inside an entry.
_HEAD = re.compile(r"@[ \t]*(?P<kind>[A-Za-z]+)\s*[{(]|(?:^|(?<=[})]))[ \t]*%.*", re.MULTILINE)
_STRAY = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,40}[ \t]*=\s*[{\"]")
MAX_ENTRY = 200_000
#: Characters that all uses of macros in one file may add up to; 30,000 names of journals have a
#: third of it.
MAX_EXPANDED = 5_000_000


class BibtexEntry(NamedTuple):
    """An entry of a BibTeX file.

    Attributes
    ----------
    line : int
        Where it starts.
    key : str
        Its key; empty where it has none.
    kind : str
        Its type in lower case, such as ``article``.
    fields : dict of str to str
        Values by name in lower case, without line breaks; of a field given twice the first.
    problems : list of str
        What was left out of it: field and reason.
    """

    line: int
    key: str
    kind: str
    fields: dict[str, str]
    problems: list[str]


class _StringMacros(CaseInsensitiveDict):  # type: ignore[misc]
    """The macros that a file has defined so far, months included, and how much text they gave.

    ``@string{b = a # a}``, thirty times in a row, makes a gigabyte of a kilobyte.
    """

    expanded = 0

    def __getitem__(self, name: str) -> str:
        text = str(super().__getitem__(name))
        self.expanded += len(text)
        if self.expanded > MAX_EXPANDED:
            raise PybtexError(f"its string macros expand to more than {MAX_EXPANDED:,} characters")
        return text


class _EntryParser(LowLevelParser):  # type: ignore[misc]
    """Reads one entry as pybtex does, and what leaves no doubt though it breaks the grammar."""

    NAME = Pattern(r"[^\s{}(),=#%\"']+", "a name")
    NUMBER = Pattern(r"[0-9]+(?=[\s,})#])", "a number")
    #: Up to a comma or the end of the line, else a word; there is none where a field follows.
    KEY = Pattern(r"[^={},\"\n]*+(?:[,\n]|(?=\}))|[^\s={},\"]++\s++(?!=)", "a key")
    #: Up to the sign of equality, on one line: "chemicals/cas", "funding_text 1", "Schlüssel". A
    #: name without an end would be tried at every length, so it has a limit.
    FIELD = Pattern(r"[^\s{},\"#%()\d][^={},\"#%()\n]{0,60}?(?=\s{0,20}=)", "a field")

    def __init__(self, text: str, macros: _StringMacros) -> None:
        super().__init__(text, macros=macros)
        self.problems: list[str] = []

    def parse_entry_body(self, body_end: Pattern) -> None:
        key = self.optional([self.KEY])
        self.current_entry_key = " ".join(key.value.strip(", \n").split()) if key else ""
        self.parse_entry_fields()

    def parse_entry_fields(self) -> None:
        while True:
            while self.optional([self.COMMA]):
                pass
            name = self.optional([self.FIELD])
            if name is None:
                return
            self.current_field_name = " ".join(name.value.lower().split())
            self.required([self.EQUALS])
            self.parse_value()
            self.current_fields.append((self.current_field_name, self.current_value))

    def substitute_macro(self, name: str) -> str:
        if name in self.macros:
            return str(self.macros[name])
        # Of a journal it is a name that people know: AIJ.
        field = self.current_field_name
        self.problems.append(f"{field}: the macro {name!r} is not defined, its name stays")
        return name


def read_entries(text: str, records: Records) -> list[BibtexEntry]:
    """Return the entries of a file; what cannot be read is skipped and named (I106).

    Text with a field outside every entry is named, too: a lost ``@`` or brace leaves it behind,
    and BibTeX itself takes it for a remark. An entry ends at the latest where another one starts a
    line, so that a lost brace loses one.
    """
    macros = _StringMacros(month_names)
    entries = []
    line, at, limit = 1, 0, 0
    while at < len(text):
        head = _HEAD.search(text, at)
        start = head.start() if head else len(text)
        stray = _STRAY.search(text, at, start)
        if stray:
            problem = "it is outside any entry; an @ or a brace is missing or one too many"
            place = line + text.count("\n", at, stray.start())
            records.warn(SKIPPED, place, " ".join(stray[0].split())[:60], problem)
        line += text.count("\n", at, start)
        if head is None:
            break
        at = head.end()
        kind = (head["kind"] or "").lower()
        if kind:
            if limit < at:
                following = _ENTRY.search(text, at)
                limit = following.start() if following else len(text)
            parser = _EntryParser(text[start + 1 : min(limit, start + MAX_ENTRY)], macros)
            at = limit
            try:
                _, found = parser.parse_command()
                at = start + 1 + parser.pos
                if kind not in ("string", "preamble"):
                    key, fields = found
                    entries.append(_entry(line, kind, key, fields, parser.problems))
            except SkipEntry:  # a comment
                with suppress(PybtexError):
                    parser.flatten_string(parser.parse_string(parser.RBRACE))
                    at = start + 1 + parser.pos
            except PybtexError as error:
                value = text[start : start + 60].split("\n")[0]
                is_open = isinstance(error, PrematureEOF)
                problem = "it is never closed, or too long" if is_open else str(error.args[0])
                records.warn(SKIPPED, line, value, problem)
        line += text.count("\n", start, at)
    return entries


def _entry(
    line: int, kind: str, key: str, fields: Iterable[tuple[str, list[str]]], problems: list[str]
) -> BibtexEntry:
    entry = BibtexEntry(line, key, kind, {}, problems)
    for name, parts in fields:
        if name in entry.fields:
            problems.append(f"{name}: given twice")
        entry.fields.setdefault(name, " ".join("".join(parts).split()))
    return entry


#: Entries that are not works: fields shared by others, and groups of works.
_NO_WORKS = ("xdata", "set")
#: Fields that are addresses and identifiers; what is LaTeX in them only protects characters.
_ADDRESSES = listed("url, doi, eprint, ee, bdsk-url-1, bdsk-url-2, pdf, link")
#: What a part of a work does not take over from the whole: it is of the whole only.
_OF_ITS_OWN = listed(
    "abstract, annotation, annote, crossref, doi, eprint, file, ids, keywords, label, note, pages, "
    "pagetotal, shorttitle, sorttitle, subtitle, titleaddon, url, urldate, xdata"
)


def read_bibtex(text: str, shown: str) -> Records:
    """Read BibTeX entry by entry; skip a malformed one with a warning (I106) and read the rest.

    Fields of the work that an entry names as ``crossref`` or ``xdata`` are those of the entry as
    well, as BibTeX and biblatex take them.
    """
    records = Records("BibTeX", shown, ranked=True)
    entries = read_entries(text, records)
    by_key = {entry.key.lower(): entry for entry in entries}
    unread: list[str] = []
    for entry in entries:
        for key in _references(entry):
            if key not in by_key:
                entry.problems.append(f"crossref or xdata: there is no entry {key!r}")
        if entry.kind in _NO_WORKS:
            unread += entry.fields.values()
        else:
            records.add(entry.line, _entry_cells(entry, by_key))
        for problem in entry.problems:
            records.warn(FIELD_LEFT_OUT, entry.line, f"{entry.key}: {problem}", problem)
    for kind in _NO_WORKS:
        number = sum(entry.kind == kind for entry in entries)
        if number:
            remark = f"entries of the type {kind} are not works and left out: {number}"
            records.remarks.append(remark)
    records.left_out.append(LeftOut("entries that are not works", text="\n".join(unread)))
    return records


def _entry_cells(entry: BibtexEntry, by_key: Mapping[str, BibtexEntry]) -> Cells:
    """Return the cells of a work, with what it takes over from others."""
    fields = dict(entry.fields)
    is_part = entry.kind.startswith(("in", "suppl", "bookinbook"))
    waiting = _references(entry)
    done = set()
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
    for name in ("maintitle", "booktitle"):
        # A part is never called by its book.
        if not (is_part or fields.get("title")) and name in fields:
            fields["title"] = fields.pop(name)
    if "subtitle" in fields:
        title = fields.get("title", "").rstrip()
        if not title.rstrip("}").endswith(("?", "!", ":", ".")):
            title += ":"
        fields["title"] = f"{title} {fields.pop('subtitle')}"
    _name_archive(fields)
    _find_address(fields)
    if "date" not in fields:
        year, month = fields.get("year", ""), plain_text(fields.get("month", ""))
        day = read_date(f"{month} {year}") or read_date(f"{year}-{month}")
        if month and day:
            fields["date"] = day
            del fields["month"]
    cells: Cells = {"key": entry.key, "type": entry.kind}
    for name, value in fields.items():
        if name in ("author", "editor"):
            value = _FOOTNOTE.sub("", value)
        for command in unknown_commands(value):
            entry.problems.append(f"{name}: the command {command} is not known, its text stays")
        if name == "type":
            # That column has the kind of the entry; of a report the field is where it appeared.
            column = "howpublished" if entry.kind in ("techreport", "report") else "type of work"
            cells[column] = plain_text(value)
        elif name in _ADDRESSES:
            cells[name] = address_text(value)
        elif name in ("author", "editor"):
            cells[name] = _people(value, is_author=name == "author")
        elif name not in ("crossref", "xdata"):
            cells[name] = plain_text(value)
    return cells


def _name_archive(fields: dict[str, str]) -> None:
    """Complete the number of a preprint; that of another archive is no identifier of arXiv."""
    archive = fields.get("archiveprefix") or fields.get("eprinttype", "")
    number = fields.get("eprint", "")
    if archive and archive.casefold() != "arxiv" and number:
        fields["other archive"] = f"{archive}:{fields.pop('eprint')}"
    elif re.fullmatch(r"[0-9]{7}(?:v[0-9]+)?", number) and fields.get("primaryclass"):
        # Until 2007 the class was part of the identifier.
        fields["eprint"] = f"{fields['primaryclass']}/{number}"


def _find_address(fields: dict[str, str]) -> None:
    """Take the address of a page from where BibTeX has it, which knows no field for it."""
    for name in ("howpublished", "note"):
        link = _LINK.search(fields.get(name, ""))
        if link and "url" not in fields:
            fields["url"] = link[1]
            rest = fields.pop(name).replace(link[0], link[2] or "").strip(" ,.;:")
            # "Available at" is where nothing appeared.
            fields.setdefault("note" if _ONLINE.match(rest) else name, rest)


def _references(entry: BibtexEntry) -> list[str]:
    """Return the keys of the entries whose fields are those of an entry as well."""
    keys = [*entry.fields.get("xdata", "").split(","), entry.fields.get("crossref", "")]
    return list(map(str.lower, filled(keys)))


_LINK = re.compile(r"\\(?:url|href)\s*\{([^{}]+)\}(?:\{([^{}]*)\})?")
_ONLINE = re.compile(
    r"(?:available|online|accessed|retrieved|url|web ?(?:site|page))\b", re.IGNORECASE
)
#: A name of biblatex in parts: "family=Deursen, given=Alex, prefix=van".
_EXTENDED = re.compile(r"\s*\"?(?:family|given|prefix|suffix)(?:-i)?\s*=", re.IGNORECASE)
_PART_OF_NAME = re.compile(
    r"(?<![a-z-])([a-z-]{1,20})\s{0,9}=((?:[^{},]|\{(?:[^{}]|\{[^{}]*\})*\})*)(?:,|$)"
)
_WHOLE = re.compile(r"\{(?!\\)(?:[^{}]|\{[^{}]*\})*\}")
#: An "and" at the beginning or end of a list separates nothing.
_EMPTY_NAME = re.compile(r"^(?:\s*and\s)+|(?:\sand\s*)+$", re.IGNORECASE)
#: A reference to a footnote behind a name.
_FOOTNOTE = re.compile(
    r"\\(?:textsuperscript|thanks|footnote|footnotemark|inst)\b\s*\{[^{}]*\}|\$\^(?:\{[^{}$]*\}|.)\$"
)
#: What separates names in lists that were not made for BibTeX; no name has it outside braces.
_OF_OTHERS = re.compile(r"(?:[^{}]|\{[^{}]*\})*?(?:;| & )")
_LINEAGE = re.compile(r"\{?(?:[JS]r\.?|Junior|Senior|[IVX]+|[1-9](?:st|nd|rd|th))\}?")


def _people(value: str, is_author: bool) -> Cell:
    """Return names as family name, given name; as one text where commas separate people."""
    value = _EMPTY_NAME.sub("", value.replace(r"\and", "and"))
    names = []
    try:
        for name in split_name_list(value):
            names.append(_person(name.strip(" ,"), is_author))
    except PybtexError:
        # "Ward, A., Moor, B., Stein, C." has more commas than a name; split once more later.
        return plain_text(value)
    # "and others": the list is cut, which the import reports.
    return tuple("et al." if name in ("others", "al.", "et al.") else name for name in names)


def _person(name: str, is_author: bool) -> str:
    """Return one name; of an author, one without a given name in braces, since it is split again.

    Raises
    ------
    PybtexError
        For too many commas.
    """
    if _EXTENDED.match(name):
        parts = dict(_PART_OF_NAME.findall(name.strip('"')))
        parts = {part: plain_text(words.strip()) for part, words in parts.items()}
        family = filled([parts.get(part, "") for part in ("prefix", "family", "suffix")])
        text = person(" ".join(family), parts.get("given", ""))
        return text if parts.get("given") or not is_author else whole_name(text, True)
    if _WHOLE.fullmatch(name) and is_author:
        return whole_name(plain_text(name), True)
    name = NUMBER.sub("", name)
    read = Person(name)
    if _OF_OTHERS.match(name) or not all(map(_LINEAGE.fullmatch, read.lineage_names)):
        raise PybtexError(f"{name} is a list")
    text = plain_text(person_of(read))
    if not re.search("[,{]", name):
        text = author(plain_text(name))  # it may be an organisation
    return whole_name(text) if is_author else text
