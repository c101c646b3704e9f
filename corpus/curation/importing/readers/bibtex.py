"""BibTeX, as reference managers and screening tools export it, by pybtex.

Exports and files written by hand break the grammar in a few ways that leave no doubt of what is
meant: names of fields with spaces (``funding_text 1``), keys with spaces or none at all, a comma
that is missing, a macro that is defined elsewhere, a field given twice. A field is lost where
others lose the entry.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from pybtex.bibtex.utils import split_name_list
from pybtex.database import Person, PybtexError
from pybtex.database.input.bibtex import LowLevelParser, UndefinedMacro, month_names
from pybtex.scanner import Pattern
from pybtex.utils import CaseInsensitiveDict

from corpus.curation.importing.names import listed
from corpus.curation.importing.persons import NUMBER, whole_name
from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.readers.latex_text import address_text, plain_text
from corpus.curation.importing.readers.records import Cell, Cells, LeftOut, Records
from corpus.curation.lookup.answers import person_of

_ENTRY = re.compile(r"^[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(]", re.MULTILINE)
_HEAD = re.compile(r"@[ \t]*(?P<kind>[A-Za-z]+)\s*(?P<brace>[{(])")
_FIELD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,40}[ \t]*=\s*[{\"]")
_REMARK = re.compile(r"^[ \t]*%.*", re.MULTILINE)
_DEPTH = {"{": 1, "}": -1, ")": 0}
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

    ``@string{b = a # a}``, thirty times in a row, makes a gigabyte of a kilobyte. pybtex asks for
    the text of a macro before it joins anything, so refusing it here stops the growth in time.
    """

    expanded = 0

    def __getitem__(self, name: str) -> str:
        text = str(super().__getitem__(name))
        self.expanded += len(text)
        if self.expanded > MAX_EXPANDED:
            most = f"{MAX_EXPANDED // 1_000_000} million"
            raise PybtexError(f"its string macros expand to more than {most} characters")
        return text


class _EntryScanner(LowLevelParser):  # type: ignore[misc]
    """Pybtex's scanner, which takes what is unambiguous and notes what it leaves out."""

    # Up to the sign of equality, on one line: "chemicals/cas", "funding_text 1", "Schlüssel". A
    # name without an end would be tried at every length, so it has a limit.
    FIELD = Pattern(r"[^\s={},\"#%()\d][^={},\"#%()\n]{0,60}?(?=\s{0,20}=)", "a field")
    LOOSE_KEY = Pattern(r"[^={},\"\n]*(?=,)", "entry key")
    NEXT_FIELD = Pattern(r"(?=[A-Za-z][\w-]*\s*=\s*[{\"\w])", "a further field")

    problems: list[str]

    def handle_error(self, error: Exception) -> None:
        if not isinstance(error, UndefinedMacro):
            raise error
        name = str(error).rpartition(": ")[2]
        field = self.current_field_name or "string"
        self.problems.append(f"{field}: the macro {name!r} is not defined")

    def parse_entry_body(self, body_end: Pattern) -> None:
        loose = self.optional([self.LOOSE_KEY])
        if loose is not None:
            self.current_entry_key = " ".join(loose.value.split())
        elif self.optional([self.NEXT_FIELD]) is not None:
            self.current_entry_key = ""  # the fields follow at once
        else:
            self.current_entry_key = self.required([self.KEY_BRACE]).value
        self.optional([self.COMMA])
        self.parse_entry_fields()

    def parse_entry_fields(self) -> None:
        while True:
            self.current_field_name = None
            name = self.optional([self.FIELD])
            if name is not None:
                self.current_field_name = " ".join(name.value.split())
                self.required([self.EQUALS])
                self.parse_value()
                self.current_fields.append((self.current_field_name, self.current_value))
            comma = self.optional([self.COMMA])
            if comma is None and self.optional([self.NEXT_FIELD]) is None:
                return


def read_entries(text: str, records: Records) -> list[BibtexEntry]:
    """Return the entries of a file; what cannot be read is skipped and named (I106).

    Text with a field outside every entry is named, too: a lost ``@`` or brace leaves it behind,
    and BibTeX itself takes it for a remark.
    """
    macros = _StringMacros(month_names)
    entries = []
    for line, part, is_entry in _stretches(text):
        problem = "it is outside any entry; an @ or a brace is missing or one too many"
        if is_entry:
            try:
                entries += _parsed(line, part, macros)
                continue
            except PybtexError as error:
                problem = " ".join(str(error).split())[:200]
        records.warn(rules.SKIPPED, line, part[:60].split("\n")[0], problem)
    return entries


def _stretches(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield line and text of each entry (True), and of each first field between entries (False).

    An entry ends at the latest where another one starts a line, so that a lost brace loses one.
    """
    starts = [0, *(match.start() for match in _ENTRY.finditer(text)), len(text)]
    line = 1
    for start, end in pairwise(starts):
        part = text[start:end]
        head = _HEAD.match(part.lstrip(" \t")) and _HEAD.search(part)
        # An entry that is commented out is none; inside an entry a line may start with a percent.
        kept = 0
        if head:
            kept = _end(part, head)
        part = part[:kept] + _REMARK.sub("", part[kept:])
        at = 0
        while True:
            head = _HEAD.search(part, at)
            stop = head.start() if head else len(part)
            stray = _FIELD.search(part, at, stop)
            if stray:
                yield line + part.count("\n", 0, stray.start()), " ".join(stray[0].split()), False
            if head is None:
                break
            at = _end(part, head)
            if head["kind"].lower() not in ("comment", "preamble"):
                yield line + part.count("\n", 0, stop), part[stop:at], True
        line += part.count("\n")


def _end(text: str, head: re.Match[str]) -> int:
    """Where an entry ends: behind the brace that closes it, or at the end of the text."""
    # BibTeX knows @misc{...} and @misc(...); a bracket closes the latter outside all braces.
    closing, depth = ")", 0
    if head["brace"] == "{":
        closing, depth = "}", 1
    for brace in re.compile(r"[{})]").finditer(text, head.end()):
        depth += _DEPTH[brace[0]]
        if depth <= 0 and brace[0] == closing:
            return brace.end()
    return len(text)


def _parsed(line: int, part: str, macros: _StringMacros) -> list[BibtexEntry]:
    """Return the entries of a text; the strings that it defines are added to `macros`."""
    if len(part) > MAX_ENTRY:
        raise PybtexError(f"it has more than {MAX_ENTRY // 1000} kB")
    scanner = _EntryScanner(part, macros=macros)
    scanner.problems = []
    entries = []
    for kind, body in scanner:
        problems, scanner.problems = scanner.problems, []
        if kind.lower() in ("string", "preamble"):
            continue
        key, pairs = body
        fields: dict[str, str] = {}
        for name, parts in pairs:
            if name.lower() in fields:
                problems.append(f"{name}: given twice")
            fields.setdefault(name.lower(), " ".join("".join(parts).split()))
        entries.append(BibtexEntry(line, key, kind.lower(), fields, problems))
    return entries


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
    records = Records("BibTeX", shown)
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
            records.warn(rules.FIELD_LEFT_OUT, entry.line, f"{entry.key}: {problem}", problem)
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
    cells: Cells = {"key": entry.key, "type": entry.kind}
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
        people = [Person(NUMBER.sub("", name)) for name in split_name_list(value)]
    except PybtexError:
        # "Ward, A., Moor, B., Stein, C." has more commas than a name; split once more later.
        return plain_text(value)
    names = [plain_text(person_of(person)) for person in people]
    if is_author:
        # Authors are split once more later; editors are text.
        names = list(map(whole_name, names))
    # "and others": the list is cut, which the import reports.
    return tuple({"others": "et al."}.get(name, name) for name in names)
