"""One section of the codebook that a single room reads: typed access that turns every mistake into a finding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from corpus.model.document_rules import CODEBOOK
from corpus.model.finding import CorpusError, Finding


class Section:
    """A TOML table with its dotted place; reading never raises, mistakes collect in `findings`.

    Parameters
    ----------
    data : object
        What the codebook holds at the place.
    place : str
        Dotted path, such as ``figures.timeline``.
    findings : list of Finding
        Shared with the sections below this one; each mistake is one C001.
    file : str
        The codebook as the user knows it.
    """

    def __init__(self, data: Any, place: str, findings: list[Finding], file: str = "codebook.toml") -> None:
        self.place, self.findings, self.file = place, findings, file
        self._read: set[str] = set()
        self._data: Mapping[str, Any] = data if isinstance(data, Mapping) else {}
        if not isinstance(data, Mapping):
            self.mistake("", "must be a table")

    def mistake(self, key: str, problem: str) -> None:
        """Add a finding about one key of this section (or about all of it, where `key` is empty)."""
        place = f"{self.place}.{key}" if key else self.place
        self.findings.append(CODEBOOK.at(self.file, column=place, problem=problem))

    def has(self, key: str) -> bool:
        """Whether the key is given."""
        return key in self._data

    def _value(self, key: str, default: Any, kind: type | tuple[type, ...], wanted: str, empty: Any) -> Any:
        self._read.add(key)
        value = self._data.get(key, default)
        if value is None:
            self.mistake(key, "is missing")
            return empty
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.mistake(key, f"must be {wanted}")
            return empty
        return value

    def text(self, key: str, default: str | None = None) -> str:
        """Return a string; without a default it must be given."""
        return str(self._value(key, default, str, "a string", ""))

    def number(self, key: str, default: float | None = None) -> float:
        """Return a number."""
        return float(self._value(key, default, (int, float), "a number", 0))

    def whole(self, key: str, default: int | None = None) -> int:
        """Return a whole number."""
        return int(self._value(key, default, int, "a whole number", 0))

    def strings(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """Return a list of strings."""
        value = self._value(key, None if default is None else list(default), list, "a list of strings", [])
        if not all(isinstance(item, str) for item in value):
            self.mistake(key, "must be a list of strings")
            return ()
        return tuple(value)

    def one_of(self, key: str, known: Iterable[str], default: str | None = None) -> str:
        """Return a string that must be one of `known`; an empty default may stay empty."""
        value, names = self.text(key, default), list(known)
        if self.has(key) and value and value not in names:
            self.mistake(key, f"{value!r} is none of {', '.join(names)}")
        return value

    def some_of(self, key: str, known: Iterable[str], default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """Return a list of strings that must all be among `known`."""
        values, names = self.strings(key, default), list(known)
        for value in values:
            if value not in names:
                self.mistake(key, f"{value!r} is none of {', '.join(names)}")
        return values

    def texts(self, key: str) -> dict[str, str]:
        """Return a table of strings; an empty one where it is not given."""
        value = self._value(key, {}, Mapping, "a table of strings", {})
        if not all(isinstance(item, str) for item in value.values()):
            self.mistake(key, "must be a table of strings")
            return {}
        return {str(name): str(item) for name, item in value.items()}

    def sections(self, key: str) -> list[Section]:
        """Return an array of tables as sections; none where it is not given."""
        value = self._value(key, [], list, "an array of tables", [])
        return [Section(item, f"{self.place}.{key}[{i}]", self.findings, self.file) for i, item in enumerate(value, 1)]

    def children(self) -> dict[str, Section]:
        """Return every value of this section as a section of its own, by name."""
        self._read.update(self._data)
        return {name: Section(v, f"{self.place}.{name}", self.findings, self.file) for name, v in self._data.items()}

    def finish(self) -> None:
        """Add a finding for every key that nothing has read: a misspelt key would be ignored in silence."""
        for key in self._data:
            if key not in self._read:
                self.mistake(key, f"is no key of this section; known are {', '.join(sorted(self._read))}")


def read_settings(settings: Mapping[str, Any], name: str, file: str) -> tuple[Section, list[Finding]]:
    """Return a top-level section of the codebook (an empty one where it is not given) and its list of findings."""
    findings: list[Finding] = []
    return Section(settings.get(name, {}), name, findings, file), findings


def raise_findings(findings: list[Finding]) -> None:
    """Raise CorpusError where there is any finding."""
    if findings:
        raise CorpusError(findings)
