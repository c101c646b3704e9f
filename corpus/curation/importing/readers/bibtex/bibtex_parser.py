"""A BibTeX parser that loses a field where another one loses the entry.

Exports and files written by hand break the grammar in a few ways that leave no doubt of what is
meant: names of fields with spaces (``funding_text 1``), keys with spaces or none at all, a comma
that is missing, a macro that is defined elsewhere, a field given twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pybtex.database.input.bibtex import LowLevelParser, UndefinedMacro
from pybtex.scanner import Pattern

from corpus.curation.importing.readers.bibtex.string_macros import StringMacros


class ParsedEntry(NamedTuple):
    """An entry of a BibTeX file.

    Attributes
    ----------
    key : str
        Its key; empty where it has none.
    kind : str
        Its type in lower case, such as ``article``.
    fields : dict of str to str
        Values by name as it is written, without line breaks; of a field given twice the first.
    problems : tuple of str
        What was left out of it: field and reason.
    """

    key: str
    kind: str
    fields: dict[str, str]
    problems: tuple[str, ...]


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

    def __init__(self, text: str, macros: StringMacros) -> None:
        super().__init__(text, macros=macros)
        self.problems: list[str] = []

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


def parse_entries(text: str, macros: StringMacros) -> Iterator[ParsedEntry]:
    """Yield the entries of a text; the strings that it defines are added to `macros`.

    Raises
    ------
    pybtex.database.PybtexError
        Where an entry cannot be read.
    """
    scanner = _EntryScanner(text, macros)
    for kind, body in scanner:
        if kind.lower() in ("string", "preamble"):
            scanner.problems.clear()
            continue
        key, pairs = body
        problems = list(scanner.problems)
        scanner.problems.clear()
        fields: dict[str, str] = {}
        known: set[str] = set()
        for name, parts in pairs:
            value = " ".join("".join(parts).split())
            if name.lower() in known:
                problems.append(f"{name}: given twice")
                continue
            known.add(name.lower())
            fields[name] = value
        yield ParsedEntry(key, kind.lower(), fields, tuple(problems))
