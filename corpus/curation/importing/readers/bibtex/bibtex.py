"""BibTeX, as reference managers and screening tools export it, with the scanner of pybtex."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pybtex.bibtex.utils import split_name_list
from pybtex.database import Person, PybtexError

from corpus.curation.importing.persons import whole_name
from corpus.curation.importing.readers import import_rules as rules
from corpus.curation.importing.readers.bibtex.bibtex_parser import ParsedEntry, parse_entries
from corpus.curation.importing.readers.bibtex.entry_ends import first_entry_end, stray_fields
from corpus.curation.importing.readers.bibtex.latex_text import address_text, plain_text
from corpus.curation.importing.readers.bibtex.string_macros import MacrosTooLarge, StringMacros
from corpus.curation.importing.readers.records import Cell, ImportedRecord, LeftOut, Records, gather
from corpus.curation.lookup.work import person
from corpus.model.finding import CorpusError, Finding

_ENTRY = re.compile(r"^[ \t]*@[ \t]*([A-Za-z]+)[ \t]*[{(]", re.MULTILINE)
_REMARK = re.compile(r"^[ \t]*%.*", re.MULTILINE)
_SKIPPED_KINDS = ("comment", "preamble")
#: Entries that are not works: fields shared by others, and groups of works.
_NO_WORKS = ("xdata", "set")
#: Fields that are addresses and identifiers; what is LaTeX in them only protects characters.
_ADDRESSES = ("url", "doi", "eprint", "ee", "bdsk-url-1", "bdsk-url-2", "pdf", "link")
_PERSON_FIELDS = ("author", "editor")
#: Fields that an editor has switched off: Emacs writes ``OPTyear``, others ``_year``.
_SWITCHED_OFF = re.compile(r"_|(?:OPT|ALT)(?=[a-z])")
#: What a part of a work does not take over from the whole: it is of the whole only.
_OF_ITS_OWN = frozenset(
    (
        *("abstract", "annotation", "annote", "crossref", "doi", "eprint", "file", "ids"),
        *("keywords", "label", "note", "pages", "pagetotal", "shorttitle", "sorttitle"),
        *("subtitle", "titleaddon", "url", "urldate", "xdata"),
    )
)
#: Fields that name other entries; what those have is taken over.
_REFERENCES = ("crossref", "xdata")
#: A title and the field that continues it.
_CONTINUED = (
    *(("title", "subtitle"), ("booktitle", "booksubtitle"), ("maintitle", "mainsubtitle")),
    ("journaltitle", "journalsubtitle"),
)
#: What a work without a title is called by; a part is never called by its book.
_STAND_INS = ("titleaddon", "shorttitle")
_STAND_INS_OF_A_WHOLE = ("maintitle", "booktitle", "issuetitle")
#: DBLP numbers people of one name.
_HOMONYM = re.compile(r"0[0-9]{3}")
MAX_ENTRY = 200_000
MAX_DEPTH = 50


class _Entry(NamedTuple):
    """An entry and the line on which it starts."""

    line: int
    parsed: ParsedEntry


def read_bibtex(text: str, shown: str) -> Records:
    """Read BibTeX entry by entry; skip a malformed one with a warning (I106) and read the rest.

    Fields of the work that an entry names as ``crossref`` or ``xdata`` are those of the entry as
    well, as BibTeX and biblatex take them.

    Raises
    ------
    CorpusError
        I104 where the string macros expand without limit.
    """
    findings: list[Finding] = []
    macros = StringMacros()
    first = _ENTRY.search(text)
    preface = ""
    if first is not None:
        preface = text[: first.start()]
    stray = list(stray_fields(preface.replace("@", " ")))
    stray += stray_fields(text[len(preface) :], preface.count("\n"))
    for line, words in stray:
        problem = "it is outside any entry; an @ or a brace is missing or one too many"
        findings.append(rules.SKIPPED.at(shown, line, value=words, problem=problem))
    entries: list[_Entry] = []
    for line, kind, part in _chunks(text):
        if kind in _SKIPPED_KINDS:
            continue
        try:
            found = _parsed(part, kind, macros)
        except MacrosTooLarge as error:
            finding = rules.NOT_THE_FORMAT.at(shown, line, format="BibTeX", problem=str(error))
            raise CorpusError([finding]) from None
        except _UnreadableEntry as error:
            start = part[:60].split("\n")[0]
            findings.append(rules.SKIPPED.at(shown, line, value=start, problem=str(error)))
            continue
        for entry in found:
            entries.append(_Entry(line, entry))
            for problem in entry.problems:
                value = f"{entry.key}: {problem}"
                findings.append(rules.FIELD_LEFT_OUT.at(shown, line, value=value, problem=problem))
    findings += _lost_references(entries, shown)
    off = []
    for _, parsed in entries:
        fields = parsed.fields.items()
        is_work = parsed.kind not in _NO_WORKS
        off += [value for name, value in fields if _SWITCHED_OFF.match(name) or not is_work]
    passed = LeftOut(0, 0, "fields that are switched off", 0, "\n".join(off))
    records = gather("BibTeX", _records(entries), findings, _remarks(entries))
    return records._replace(left_out=(passed,))


class _UnreadableEntry(Exception):
    """Raised with what is wrong with an entry."""


def _chunks(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield line, kind and text of everything that starts like an entry at the start of a line."""
    starts = list(_ENTRY.finditer(text))
    positions = [*(match.start() for match in starts), len(text)]
    line = 1
    counted = 0
    for match, end in zip(starts, positions[1:], strict=True):
        start = match.start()
        line += text.count("\n", counted, start)
        counted = start
        yield line, match[1].lower(), text[start:end]


def _parsed(part: str, kind: str, macros: StringMacros) -> list[ParsedEntry]:
    """Return the entries of a part of the file; the definition of a string has none.

    Raises
    ------
    _UnreadableEntry
        With what is wrong with it.
    """
    if len(part) > MAX_ENTRY:
        raise _UnreadableEntry(f"it has more than {MAX_ENTRY // 1000} kB")
    if _depth(part) > MAX_DEPTH:
        raise _UnreadableEntry(f"braces are nested more than {MAX_DEPTH} deep")
    # To pybtex an entry that is commented out is an entry; a brace in a remark would break it.
    end = first_entry_end(part)
    part = part[:end] + _REMARK.sub("", part[end:])
    try:
        entries = list(parse_entries(part, macros))
    except MacrosTooLarge:
        raise
    except PybtexError as error:
        raise _UnreadableEntry(" ".join(str(error).split())[:200]) from None
    if not entries and kind != "string":
        raise _UnreadableEntry("it contains no entry")
    return entries


def _depth(part: str) -> int:
    depth = deepest = 0
    for brace in re.findall(r"[{}]", part):
        if brace == "}":
            depth -= 1
            continue
        depth += 1
        deepest = max(deepest, depth)
    return deepest


def _records(entries: list[_Entry]) -> Iterator[ImportedRecord]:
    """Yield the works among the entries, each with what it takes over from others."""
    fields_of = {entry.parsed.key.lower(): _switched_on(entry.parsed) for entry in entries}
    kinds = {entry.parsed.key.lower(): entry.parsed.kind for entry in entries}
    for line, parsed in entries:
        if parsed.kind in _NO_WORKS:
            continue
        own = _switched_on(parsed)
        inherited = _with_inherited(own, parsed.kind, fields_of, kinds)
        named = _with_title(inherited, parsed.kind)
        for name in _REFERENCES:
            named.pop(name, None)
        cells: dict[str, Cell] = {"key": parsed.key, "type": parsed.kind}
        for name, value in named.items():
            column = _column(name, parsed.kind)
            cells[column] = _cell(name, value)
        yield ImportedRecord(line, cells)


def _switched_on(parsed: ParsedEntry) -> dict[str, str]:
    """Return the fields that count, by their names in lower case."""
    fields = {}
    for name, value in parsed.fields.items():
        if _SWITCHED_OFF.match(name) is None:
            fields[name.lower()] = value
    return fields


def _remarks(entries: list[_Entry]) -> list[str]:
    found = []
    for kind in _NO_WORKS:
        number = sum(entry.parsed.kind == kind for entry in entries)
        if number:
            found.append(f"entries of the type {kind} are not works and left out: {number}")
    off: set[str] = set()
    for entry in entries:
        off.update(name for name in entry.parsed.fields if _SWITCHED_OFF.match(name))
    if off:
        found.append(f"fields that are switched off are left out: {', '.join(sorted(off)[:10])}")
    return found


def _with_inherited(
    own: Mapping[str, str],
    kind: str,
    fields_of: Mapping[str, Mapping[str, str]],
    kinds: Mapping[str, str],
) -> dict[str, str]:
    """Return the fields of an entry, and those of the entries that it refers to."""
    fields = dict(own)
    waiting = _references(own)
    done: set[str] = set()
    while waiting:
        key = waiting.pop(0)
        if key in done or key not in fields_of:
            continue
        done.add(key)
        above = fields_of[key]
        is_shared = kinds[key] == "xdata"
        is_part = kind.startswith(("in", "suppl", "bookinbook")) or "title" in own
        for name, value in above.items():
            if name in _OF_ITS_OWN and not is_shared:
                continue
            if name == "title" and is_part and not is_shared:
                name = "booktitle"
            fields.setdefault(name, value)
        waiting += _references(above)
    return fields


def _lost_references(entries: list[_Entry], shown: str) -> Iterator[Finding]:
    """Find each reference to an entry that the file does not have."""
    keys = {entry.parsed.key.lower() for entry in entries}
    for line, parsed in entries:
        for key in _references(_switched_on(parsed)):
            if key not in keys:
                problem = f"crossref or xdata: there is no entry {key!r}"
                value = f"{parsed.key}: {key}"
                yield rules.FIELD_LEFT_OUT.at(shown, line, value=value, problem=problem)


def _references(fields: Mapping[str, str]) -> list[str]:
    """Return the keys of the entries whose fields are those of an entry as well."""
    keys = [*fields.get("xdata", "").split(","), fields.get("crossref", "")]
    return [key.strip().lower() for key in keys if key.strip()]


def _with_title(fields: Mapping[str, str], kind: str) -> dict[str, str]:
    """Return fields with titles and subtitles joined, and a title where another field is one."""
    done = dict(fields)
    for title, more in _CONTINUED:
        if title in done and more in done:
            start = done[title].rstrip()
            is_ended = start.rstrip("}").endswith(("?", "!", ":", "."))
            joint = " " if is_ended else ": "
            done[title] = start + joint + done.pop(more)
    if not done.get("title"):
        others = list(_STAND_INS)
        if not kind.startswith("in"):
            others += _STAND_INS_OF_A_WHOLE
        filled = [name for name in others if done.get(name)]
        if filled:
            done["title"] = done.pop(filled[0])
    return done


def _column(name: str, kind: str) -> str:
    """Return the column of a field."""
    if name != "type":
        return name
    # The column of that name has the kind of the entry; of a report the field is where it is.
    if kind in ("techreport", "report"):
        return "howpublished"
    return "type of work"


def _cell(name: str, value: str) -> Cell:
    if name in _ADDRESSES:
        return address_text(value)
    if name in _PERSON_FIELDS:
        return _people(value, is_author=name == "author")
    return plain_text(value)


def _people(value: str, is_author: bool) -> Cell:
    """Return names as family name, given name; as one text where commas separate people."""
    try:
        people = [Person(each) for each in split_name_list(value)]
    except PybtexError:
        # "Ward, A., Moor, B., Stein, C." has more commas than a name; split once more later.
        return plain_text(value)
    names = []
    for each in people:
        name = _name(each)
        if not name:
            continue
        if name == "others":
            # "and others": the list is cut, which the import reports.
            names.append("et al.")
            continue
        # Authors are split once more later; editors are text.
        if is_author:
            name = whole_name(name)
        names.append(name)
    return tuple(names)


def _name(name: Person) -> str:
    given = [*name.first_names, *name.middle_names]
    family = [*name.prelast_names, *name.last_names, *name.lineage_names]
    if len(family) > 1 and _HOMONYM.fullmatch(family[-1]):
        family.pop()
    elif given and _HOMONYM.fullmatch(" ".join(family)):
        # "Antonio Rago 0001": pybtex takes the number of DBLP for the family name.
        return _name(Person(" ".join(given)))
    return person(plain_text(" ".join(family)), plain_text(" ".join(given)))
