"""Record known failures in the claims file, and remove records that are no longer needed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from corpus.analysis.claims.parser import claim_line
from corpus.model.finding import UsageProblem

_ACKNOWLEDGED = re.compile(r"\s*acknowledged\s*=")


def with_acknowledgements(
    text: str, observed: Mapping[str, str], settled: tuple[str, ...], reason: str
) -> str:
    """Return the claims file with a line `acknowledged = ...` below the id of each failing claim.

    Parameters
    ----------
    text : str
        The file; every other line stays as it is.
    observed : mapping of str to str
        Failing claim -> the observed value that is accepted.
    settled : tuple of str
        Claims whose acknowledgement is removed.
    reason : str
        Why the failures are accepted.

    Raises
    ------
    UsageProblem
        Where the reason is empty or has control characters, or a claim has no line with its id.
    """
    if not reason.strip() or not reason.isprintable():
        raise UsageProblem("a reason is one line of plain text")
    lines = text.split("\n")
    for name in (*observed, *settled):
        # Lines move with every edit, so each claim is looked for anew.
        id_line = claim_line("\n".join(lines), name)
        if not id_line:
            raise UsageProblem(f"cannot find the line of claim {name!r}; acknowledge it by hand")
        known = _position_of_acknowledgement(lines, id_line)
        if known is not None:
            del lines[known]
        if name in observed:
            lines.insert(id_line, _acknowledgement(reason, observed[name]))
    return "\n".join(lines)


def _acknowledgement(reason: str, observed: str) -> str:
    # A JSON string is also a TOML basic string.
    written_reason = json.dumps(reason, ensure_ascii=False)
    written_value = json.dumps(observed, ensure_ascii=False)
    return f"acknowledged = {{ reason = {written_reason}, observed = {written_value} }}"


def _position_of_acknowledgement(lines: list[str], start: int) -> int | None:
    """Return the position of the acknowledgement of the claim whose id is on line `start`."""
    for position in range(start, len(lines)):
        if lines[position].lstrip().startswith("["):
            return None
        if _ACKNOWLEDGED.match(lines[position]):
            return position
    return None
