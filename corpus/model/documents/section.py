"""One table of a TOML document, read key by key; every mistake is a finding and reading goes on.

Codebook, claims, figures and sparsity plans are all read with it. The finding's column is the
dotted place of the key, from which :func:`corpus.model.documents.codebook_lines.with_lines` finds
the line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from corpus.model.documents.document_rules import CODEBOOK
from corpus.model.finding import CorpusError, Finding, Rule
from corpus.model.suggestions import unknown

_Kind = type | tuple[type, ...]


class Section:
    """A TOML table with its dotted place; reading never raises, mistakes collect in `findings`.

    Parameters
    ----------
    data : object
        What the document has at the place.
    place : str
        Dotted path, such as ``figures.timeline``; empty for the whole document.
    findings : list of Finding
        Shared with the sections below this one; each mistake is one finding.
    file : str
        The document as the user knows it.
    rule : Rule
        What a mistake is reported as.
    """

    def __init__(
        self,
        data: Any,
        place: str,
        findings: list[Finding],
        file: str = "codebook.toml",
        rule: Rule = CODEBOOK,
    ) -> None:
        self.place = place
        self.findings = findings
        self.file = file
        self.rule = rule
        self._read: set[str] = set()
        self._data: Mapping[str, Any] = {}
        if isinstance(data, Mapping):
            self._data = data
        else:
            self.mistake("", "must be a table")

    def mistake(self, key: str, problem: str) -> None:
        """Add a finding about one key of this section (about all of it, where `key` is empty)."""
        place = self._place_of(key) if key else self.place
        self.findings.append(self.rule.at(self.file, column=place, place=place, problem=problem))

    def has(self, key: str) -> bool:
        """Whether the key is given."""
        return key in self._data

    def __iter__(self) -> Iterator[str]:
        """Iterate over the keys that are given, in the order of the document."""
        return iter(self._data)

    def raw(self, key: str, default: Any = None) -> Any:
        """Return a value as it was decoded, for a key whose type depends on others."""
        self._read.add(key)
        return self._data.get(key, default)

    def text(self, key: str, default: str | None = None) -> str:
        """Return a string; without a default it must be given."""
        # Nearly every value of a codebook is a string that is given, and every command reads it.
        value = self._data.get(key)
        if isinstance(value, str):
            self._read.add(key)
            return value
        return str(self._value(key, default, str, "a string", ""))

    def scalar(self, key: str, default: str | None = None) -> str:
        """Return a string, number or date as text."""
        return str(self._value(key, default, (str, int, float, date), "a string", ""))

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false."""
        return bool(self._value(key, default, bool, "true or false", default))

    def number(self, key: str, default: float | None = None) -> float:
        """Return a number."""
        return float(self._value(key, default, (int, float), "a number", 0))

    def whole(self, key: str, default: int | None = None) -> int:
        """Return a whole number."""
        return int(self._value(key, default, int, "a whole number", 0))

    def strings(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """Return a list of strings."""
        fallback = None if default is None else list(default)
        value = self._value(key, fallback, list, "a list of strings", [])
        if _all_strings(value):
            return tuple(value)
        self.mistake(key, "must be a list of strings")
        return ()

    def some_strings(self, key: str) -> tuple[str, ...]:
        """Return a list of strings that must have at least one."""
        known_findings = len(self.findings)
        values = self.strings(key)
        # A key that is missing or of another type has its finding already.
        is_reported = len(self.findings) > known_findings
        if not values and not is_reported:
            self.mistake(key, "must be a list of strings with at least one")
        return values

    def one_of(self, key: str, known: Iterable[str], default: str | None = None) -> str:
        """Return a string that must be one of `known`; an empty default may stay empty."""
        value = self.text(key, default)
        names = list(known)
        if self.has(key) and value and value not in names:
            self.mistake(key, unknown("value", value, names))
        return value

    def some_of(
        self, key: str, known: Iterable[str], default: tuple[str, ...] | None = None
    ) -> tuple[str, ...]:
        """Return a list of strings that must all be among `known`."""
        values = self.strings(key, default)
        names = list(known)
        for value in values:
            if value not in names:
                self.mistake(key, unknown("value", value, names))
        return values

    def texts(self, key: str) -> dict[str, str]:
        """Return a table of strings; an empty one where it is not given."""
        value = self._value(key, {}, Mapping, "a table of strings", {})
        if _all_strings(value.values()):
            return dict(value)
        self.mistake(key, "must be a table of strings")
        return {}

    def lists(self, key: str) -> dict[str, tuple[str, ...]]:
        """Return a table that maps names to lists of strings; it must have at least one."""
        child = self.section(key)
        found = {name: child.some_strings(name) for name in child}
        if not found and self.has(key):
            self.mistake(key, "must map names to lists of strings")
        return found

    def section(self, key: str, required: bool = True) -> Section:
        """Return the table below a key, empty where not given; that is a mistake if `required`."""
        if required and not self.has(key):
            self.mistake(key, "is missing")
        data = self.raw(key, {})
        return self._child(data, self._place_of(key))

    def sections(self, key: str) -> list[Section]:
        """Return an array of tables as sections; none where it is not given."""
        value = self._value(key, [], list, "an array of tables", [])
        place = self._place_of(key)
        found = []
        for number, item in enumerate(value, 1):
            child = self._child(item, f"{place}[{number}]")
            found.append(child)
        return found

    def children(self) -> dict[str, Section]:
        """Return every value of this section as a section of its own, by name."""
        return {name: self.section(name) for name in self._data}

    def allow(self, keys: Iterable[str]) -> None:
        """Count keys as read that are read only where others are given."""
        self._read.update(keys)

    def finish(self) -> None:
        """Add a finding for every key that nothing has read: a misspelt one must not be ignored."""
        for key in self._data:
            if key not in self._read:
                self.mistake(key, unknown("key", key, sorted(self._read)))

    def _place_of(self, key: str) -> str:
        # The keys of the whole document have no place around them.
        return f"{self.place}.{key}" if self.place else key

    def _child(self, data: Any, place: str) -> Section:
        return Section(data, place, self.findings, self.file, self.rule)

    def _value(self, key: str, default: Any, kind: _Kind, wanted: str, empty: Any) -> Any:
        self._read.add(key)
        value = self._data.get(key, default)
        if value is None:
            self.mistake(key, "is missing")
            return empty
        # To Python, true is a whole number; to the author of a document it is not.
        wrong_flag = isinstance(value, bool) and kind is not bool
        if wrong_flag or not isinstance(value, kind):
            self.mistake(key, f"must be {wanted}")
            return empty
        return value


def _all_strings(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def read_settings(
    settings: Mapping[str, Any], name: str, file: str
) -> tuple[Section, list[Finding]]:
    """Return a section of the codebook, empty where not given, and its list of findings."""
    findings: list[Finding] = []
    return Section(settings.get(name, {}), name, findings, file), findings


def raise_findings(findings: list[Finding]) -> None:
    """Raise CorpusError where there is any finding."""
    if findings:
        raise CorpusError(findings)
