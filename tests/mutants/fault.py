"""One small fault in one source file."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Fault:
    """A piece of a file that is replaced: ``start`` and ``end`` count characters of the file."""

    file: Path
    line: int
    start: int
    end: int
    replacement: str

    def applied(self, source: str) -> str:
        """Return the source with the fault."""
        return source[: self.start] + self.replacement + source[self.end :]

    def difference(self, source: str) -> str:
        """Return the lines that change, as a diff without its head."""
        pair = source.splitlines(), self.applied(source).splitlines()
        lines = list(difflib.unified_diff(*pair, n=0, lineterm=""))
        return "\n".join(line for line in lines[2:] if not line.startswith("@@"))


def offsets_of_lines(source: str) -> list[int]:
    """Return where each line begins, in characters."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts
