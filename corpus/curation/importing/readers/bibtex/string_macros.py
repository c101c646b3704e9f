"""The string macros of a BibTeX file, expanded up to a limit only.

``@string{b = a # a}``, thirty times in a row, makes a gigabyte of a kilobyte. pybtex asks for the
text of a macro before it joins anything, so refusing it there stops the growth in time.
"""

from __future__ import annotations

from pybtex.database import PybtexError
from pybtex.database.input.bibtex import month_names
from pybtex.utils import CaseInsensitiveDict

#: Characters that all uses of macros in one file may add up to; 30,000 names of journals have a
#: third of it.
MAX_EXPANDED = 5_000_000


class MacrosTooLarge(PybtexError):  # type: ignore[misc]
    """Raised where the macros of a file expand to more than `MAX_EXPANDED` characters."""

    def __init__(self) -> None:
        super().__init__(
            f"its string macros expand to more than {MAX_EXPANDED // 1_000_000} million characters"
        )


class StringMacros(CaseInsensitiveDict):  # type: ignore[misc]
    """The macros that a file has defined so far, months included, and how much text they gave."""

    def __init__(self) -> None:
        super().__init__(month_names)
        self.expanded = 0

    def __getitem__(self, name: str) -> str:
        """Return the text of a macro.

        Raises
        ------
        KeyError
            Where it is not defined.
        MacrosTooLarge
            Where all texts that were asked for exceed the limit with it.
        """
        text = str(super().__getitem__(name))
        self.expanded += len(text)
        if self.expanded > MAX_EXPANDED:
            raise MacrosTooLarge
        return text
