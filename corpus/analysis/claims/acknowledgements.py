"""Write into the claims file that a failing claim is known, and take out what is no longer needed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from corpus.analysis.claims.parser import claim_line
from corpus.model.finding import UsageProblem

_LINE = re.compile(r"\s*acknowledged\s*=")


def with_acknowledgements(text: str, observed: Mapping[str, str], settled: tuple[str, ...], reason: str) -> str:
    """Return the claims file with one line `acknowledged = ...` below the id of each claim in `observed`.

    Parameters
    ----------
    text : str
        The file; every other line stays as it is.
    observed : mapping of str to str
        Failing claim -> the observed value that is accepted.
    settled : tuple of str
        Claims whose acknowledgement is taken out.
    reason : str
        Why the failures are accepted.

    Raises
    ------
    UsageProblem
        Where the reason is empty or holds control characters, or a claim is not written with its id on a line.
    """
    if not reason.strip() or not reason.isprintable():
        raise UsageProblem("a reason is one line of plain text")
    lines = text.split("\n")
    for name in (*observed, *settled):
        start = claim_line("\n".join(lines), name)
        if not start:
            raise UsageProblem(f"the line of claim {name!r} was not found; acknowledge it by hand")
        known = _known(lines, start)
        if known is not None:
            del lines[known]
        if name in observed:
            values = json.dumps(reason, ensure_ascii=False), json.dumps(observed[name], ensure_ascii=False)
            lines.insert(start, "acknowledged = {{ reason = {}, observed = {} }}".format(*values))
    return "\n".join(lines)


def _known(lines: list[str], start: int) -> int | None:
    """Return the position of the acknowledgement in the claim whose id stands on line `start`."""
    for position in range(start, len(lines)):
        if lines[position].lstrip().startswith("["):
            return None
        if _LINE.match(lines[position]):
            return position
    return None
