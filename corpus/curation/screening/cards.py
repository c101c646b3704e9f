"""What a reader sees of a candidate: title, abstract, where found, what is nearly the same."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from rapidfuzz import fuzz, process

from corpus.curation.screening.decisions import ScreenedWork
from corpus.model.study import Study
from corpus.printing.escape import terminal

#: From this likeness of titles on (percent), a known work is shown beside a candidate.
_LIKE = 80.0
_MOST = 3


class Neighbours:
    """The titles of pool, exclusion log and candidates, to find those that are like another.

    Parameters
    ----------
    study : Study
        The corpus.
    works : mapping of str to ScreenedWork
        The candidates.
    """

    def __init__(self, study: Study, works: Mapping[str, ScreenedWork]) -> None:
        self._names: list[str] = []
        self._titles: list[str] = []
        tables = [("pool", study.pool)]
        tables += [("excluded", table) for table in study.by_role("exclusions")]
        for place, table in tables:
            title = table.spec.by_role("title")
            if title is None:
                continue
            names = table.spec.names_of(table.rows)
            for name, cell in zip(names, table.column(title.name), strict=True):
                self._add(f"{place} {name}", cell)
        for key, work in works.items():
            self._add(f"candidate {key}", work.title)

    def _add(self, name: str, title: str) -> None:
        self._names.append(name)
        self._titles.append(title.casefold())

    def like(self, work: ScreenedWork) -> list[str]:
        """Return up to three known works with a title like that of a candidate."""
        # One more than is shown: the candidate itself is among the titles.
        found = process.extract(
            work.title.casefold(),
            self._titles,
            scorer=fuzz.token_sort_ratio,
            limit=_MOST + 1,
            score_cutoff=_LIKE,
        )
        own = f"candidate {work.key}"
        lines: list[str] = []
        for _, score, place in found:
            if self._names[place] != own:
                lines.append(f"{self._names[place]} ({score:.0f} % like it)")
        return lines[:_MOST]


def card_text(
    work: ScreenedWork, place: str, like: Sequence[str], rules: Mapping[str, str], columns: int
) -> str:
    """Write the card of a candidate for a terminal.

    Parameters
    ----------
    work : ScreenedWork
        The candidate.
    place : str
        Where it is in the queue, such as ``3 of 40``.
    like : sequence of str
        Known works that are like it.
    rules : mapping of str to str
        The protocol's rules by id.
    columns : int
        Width of the terminal in characters.
    """
    width = min(columns, 100)  # longer lines are hard to follow
    lines = [f"--- {place} ".ljust(width, "-"), *_wrapped(work.title, width)]
    about = ", ".join(filter(None, [_short(work.authors), work.year, work.venue, work.identifier]))
    lines += [*_wrapped(about, width), ""]
    lines += _wrapped(work.abstract or "(no abstract)", width)
    lines += ["", *_wrapped(f"Found in: {work.found_in or '(not recorded)'}", width)]
    if like:
        lines += _wrapped(f"Like: {'; '.join(like)}", width)
    for identifier, text in rules.items():
        lines += _wrapped(f"{identifier}: {text}", width, "    ")
    return "".join(f"{line}\n" for line in lines)


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(terminal(text), width, subsequent_indent=indent) or [""]


def _short(authors: str) -> str:
    """Return the first author and how many others there are."""
    names = [name.strip() for name in authors.split(";") if name.strip()]
    if len(names) < 3:
        return "; ".join(names)
    return f"{names[0]} and {len(names) - 1} others"
