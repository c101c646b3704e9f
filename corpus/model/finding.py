"""A finding tells what is wrong, where, and how to fix it; a rule is its catalogue entry.

Also what somebody may have meant who misspelt a name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

ERROR = "error"
WARNING = "warning"
#: Somebody has still to do it: nothing fails, until a release.
TO_DO = "to-do"

#: So many known names are listed for an unknown one; a corpus has thousands of numbers.
_LISTED = 12


@dataclass(frozen=True)
class Rule:
    """One entry of the error catalogue.

    Attributes
    ----------
    code : str
        Stable name, such as ``C101``; never used again for something else.
    template : str
        The message; ``{name}`` places are filled by :meth:`at`.
    hint : str
        How to fix it; may hold the same places.
    severity : str
        ``error``, ``warning`` or ``to-do``.
    title : str
        What is wrong, in a few words.
    reason : str
        Why the rule exists, for ``--explain`` and the generated catalogue.
    example : str
        Lines of a doctest: cells, and what is found with them; empty without one.
    """

    code: str
    template: str
    hint: str
    severity: str = ERROR
    title: str = ""
    reason: str = ""
    example: str = ""

    @property
    def is_error(self) -> bool:
        """Whether a finding of this rule makes a command fail."""
        return self.severity == ERROR

    def at(
        self,
        file: str,
        line: int = 0,
        column: str = "",
        value: str = "",
        *,
        char: int = 0,
        **places: str | float,
    ) -> Finding:
        """Make the finding of this rule at one place; `places` fill the message and the hint.

        Examples
        --------
        >>> rule = Rule("C000", "{what} is bad", "fix {what}")
        >>> finding = rule.at("pool.csv", 3, "year", "20x5", what="year")
        >>> finding.message, finding.hint, finding.line
        ('year is bad', 'fix year', 3)
        """
        words = {"file": file, "column": column, "value": printable(value), **places}
        return Finding(
            file=file,
            line=line,
            char=char,
            column=column,
            code=self.code,
            severity=self.severity,
            value=value,
            message=self.template.format_map(words),
            hint=self.hint.format_map(words),
        )

    def error(self, *place: Any, **places: Any) -> CorpusError:
        """Make the exception that stops a command at one place; see :meth:`at`."""
        return CorpusError([self.at(*place, **places)])


class Finding(NamedTuple):
    """One thing that is wrong, at one place. Findings sort by place.

    Attributes
    ----------
    file : str
        Path as the user knows it (relative to the corpus, or as given).
    line : int
        1-based line in the file; 0 where the whole file is meant.
    char : int
        1-based character in the line; 0 where unknown.
    column : str
        Table column, or JSON pointer in a trace; empty where none is meant.
    code, severity, value, message, hint : str
        See :class:`Rule`; `value` is the offending text as it is in the file.
    """

    file: str
    line: int
    char: int
    column: str
    code: str
    severity: str
    value: str
    message: str
    hint: str

    @property
    def is_error(self) -> bool:
        """Whether this finding alone makes a command fail."""
        return self.severity == ERROR

    @property
    def is_todo(self) -> bool:
        """Whether it may wait for the next release, so that no check fails for it."""
        return self.severity == TO_DO


def new_findings(found: Iterable[Finding], known: Iterable[Finding]) -> list[Finding]:
    """Return the findings that are not among the known ones; equal ones are counted.

    Lines are not compared: an added row moves all below it.
    """

    def place(finding: Finding) -> tuple[str, ...]:
        return finding.file, finding.code, finding.column, finding.value

    unmatched = Counter(map(place, known))
    new = []
    for finding in found:
        if unmatched[place(finding)]:
            unmatched[place(finding)] -= 1
        else:
            new.append(finding)
    return new


class CorpusError(Exception):
    """Raised once, with all findings, where a command cannot continue; exit code 1."""

    def __init__(self, findings: list[Finding]) -> None:
        super().__init__(
            "; ".join(f"{f.file}:{f.line}: {f.code} {f.message}" for f in findings[:5])
        )
        self.findings = sorted(findings)


class RefusedChange(CorpusError):
    """Raised where a change would add errors; nothing was written, so no file has the rows."""


class UsageProblem(Exception):
    """Raised where a request makes no sense (an unknown column, no corpus found); exit code 2."""


def printable(value: str, limit: int = 80) -> str:
    """Return `value` quoted for a message: control characters escaped, cut at `limit` characters.

    Examples
    --------
    >>> printable("a\\x1b[31m")
    "'a\\\\x1b[31m'"
    """
    text = repr(value) if value.isprintable() else ascii(value)
    if len(text) <= limit:
        return text
    quote = text[0]
    return text[: limit - 2] + "…" + quote


def closest(word: str, known: Iterable[str], most: int = 1, cutoff: float = 0.6) -> list[str]:
    """Return the known names that are most like a word, best first; letter case does not matter.

    Parameters
    ----------
    word : str
        What was written.
    known : iterable of str
        What may be written.
    most : int
        How many names to return at most.
    cutoff : float
        Least similarity (0-1), as `difflib` measures it.

    Examples
    --------
    >>> closest("Yaer", ["title", "year", "venue"])
    ['year']
    """
    # Only a misspelt name needs it, and every command would pay for the import at its start.
    from difflib import get_close_matches

    by_lower: Mapping[str, str] = {name.lower(): name for name in known}
    return [by_lower[name] for name in get_close_matches(word.lower(), by_lower, most, cutoff)]


def unknown(kind: str, word: str, known: Iterable[str]) -> str:
    """Return the message for an unknown name: the nearest known one, and a dozen of them.

    Names that have the word in them come first.

    Examples
    --------
    >>> unknown("column", "yaer", ["title", "year"])
    "unknown column 'yaer'; did you mean 'year'? Known: title, year"
    >>> unknown("column", "tools", ["Title", "Tools used"])
    "unknown column 'tools'; did you mean 'Tools used'? Known: Tools used, Title"
    """
    lower = word.lower()
    names = sorted(known, key=lambda name: not lower or lower not in name.lower())
    listed = ", ".join(names[:_LISTED]) or "none"
    if len(names) > _LISTED:
        listed += f" and {len(names) - _LISTED:,} more"
    advice = "known"
    for nearest in closest(word, names):
        advice = f"did you mean {nearest!r}? Known"
    return f"unknown {kind} {word!r}; {advice}: {listed}"


def refuse_unknown(kind: str, names: Iterable[str], known: Collection[str]) -> None:
    """Raise UsageProblem for the first name that is not known."""
    for name in names:
        if name not in known:
            raise UsageProblem(unknown(kind, name, known))
