"""What a reader sees of a candidate: title, abstract, where found, what is nearly the same."""

import textwrap
from collections.abc import Mapping, Sequence

from rapidfuzz import fuzz, process

from corpus.model.study import Study
from corpus.model.work import Work
from corpus.printing.escape import terminal

#: From this likeness of titles on (percent), a known work is shown beside a candidate.
_LIKE = 80.0
_MOST = 3


def known_titles(study: Study, works: Mapping[str, Work]) -> dict[str, str]:
    """Return the titles of pool, exclusion log and candidates, by what names each work."""
    titles = {f"candidate {key}": work.title.casefold() for key, work in works.items()}
    tables = [("pool", study.pool)]
    tables += [("excluded", table) for table in study.by_role("exclusions")]
    for place, table in tables:
        for name, title in zip(table.names(), table.role_column("title"), strict=True):
            titles[f"{place} {name}"] = title.casefold()
    return titles


def like_titles(titles: Mapping[str, str], candidate: str) -> list[str]:
    """Return up to three known works with a title like that of a candidate, the likest first."""
    own = f"candidate {candidate}"
    others = {name: title for name, title in titles.items() if name != own}
    found = process.extract(
        titles[own], others, scorer=fuzz.token_sort_ratio, limit=_MOST, score_cutoff=_LIKE
    )
    return [f"{name} ({score:.0f} % like it)" for _, score, name in found]


def card_text(
    work: Work, place: str, like: Sequence[str], rules: Mapping[str, str], columns: int
) -> str:
    """Write the card of a candidate for a terminal.

    Parameters
    ----------
    work : Work
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
    people = "; ".join(work.authors)
    if len(work.authors) > 2:
        people = f"{work.authors[0]} and {len(work.authors) - 1} others"
    about = ", ".join(filter(None, [people, work.year, work.venue, work.identifier]))
    lines += [*_wrapped(about, width), ""]
    lines += _wrapped(work.abstract or "(no abstract)", width)
    lines += ["", *_wrapped(f"Found in: {work.source or '(not recorded)'}", width)]
    if like:
        lines += _wrapped(f"Like: {'; '.join(like)}", width)
    for identifier, text in rules.items():
        lines += _wrapped(f"{identifier}: {text}", width, "    ")
    return "\n".join([*lines, ""])


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(terminal(text), width, subsequent_indent=indent) or [""]
