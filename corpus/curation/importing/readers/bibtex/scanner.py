"""The entries of a BibTeX file, by pybtex; a field is lost where others lose the entry.

Exports and files written by hand break the grammar in a few ways that leave no doubt of what is
meant: names of fields with spaces (``funding_text 1``), keys with spaces or none at all, a comma
that is missing, a macro that is defined elsewhere, a field given twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from pybtex.database import PybtexError
from pybtex.database.input.bibtex import LowLevelParser, UndefinedMacro, month_names
from pybtex.scanner import Pattern
from pybtex.utils import CaseInsensitiveDict

from corpus.curation.importing.readers import import_rules as rules
from corpus.model.finding import Finding

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

    current_entry_key: str | None
    current_field_name: str | None
    current_fields: list[tuple[str, list[str]]]
    current_value: list[str]
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


def read_entries(text: str, shown: str, findings: list[Finding]) -> list[BibtexEntry]:
    """Return the entries of a file; what cannot be read is skipped and named (I106).

    Text with a field outside every entry is named, too: a lost ``@`` or brace leaves it behind,
    and BibTeX itself takes it for a remark.
    """
    macros = _StringMacros(month_names)
    entries: list[BibtexEntry] = []
    for line, part, is_entry in _stretches(text):
        problem = "it is outside any entry; an @ or a brace is missing or one too many"
        if is_entry:
            try:
                entries += _parsed(line, part, macros)
                continue
            except PybtexError as error:
                problem = " ".join(str(error).split())[:200]
            except RecursionError:
                problem = "braces are nested too deeply"
        value = part[:60].split("\n")[0]
        findings.append(rules.SKIPPED.at(shown, line, value=value, problem=problem))
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
        kept = _end(part, head) if head else 0
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
    is_empty = True
    entries = []
    for kind, body in scanner:
        is_empty = False
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
    if is_empty:
        raise PybtexError("it contains no entry")
    return entries
