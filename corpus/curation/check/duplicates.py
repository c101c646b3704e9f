"""Works that stand twice: by identifier, by title, by nearly the same title; inside the pool and across the log.

Near titles are found by sorted neighbourhood (Hernández and Stolfo 1995): titles are sorted by three keys, and only
neighbours within a window are compared, so the cost is that of sorting, never of all pairs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from rapidfuzz import fuzz, process

from corpus.curation.check import check_rules as rules
from corpus.curation.check.works import DescribedWork, Works, identifier_columns
from corpus.model.finding import Finding
from corpus.model.identifiers import identities, normal_title

#: From this similarity (percent, rapidfuzz's normalised indel ratio of normal titles) on, two titles are near.
NEAR = 90.0
#: How many neighbours in sorted order are compared.
WINDOW = 8


class Match(NamedTuple):
    """Two works that may be one: `kind` is ``identifier``, ``title`` or ``near``; `evidence` says by what."""

    first: DescribedWork
    second: DescribedWork
    kind: str
    evidence: str


def duplicate_matches(works: Works, near: bool = True) -> Iterator[Match]:
    """Yield every pair of works that share an identity or a title, or have nearly the same title; each pair once.

    Of more than two works that share something, each is paired with the first. Without `near`, nearly equal titles
    are not looked for.
    """
    seen: set[tuple[int, int]] = set()
    everyone = pa.array(np.arange(len(works.titles)), pa.int64())
    for kind, values, holders in (
        ("identifier", works.identity, works.holder),
        ("title", works.titles, everyone),
    ):
        for evidence, numbers in _shared(values, holders):
            for number in numbers[1:]:
                pair = (numbers[0], number)
                if pair not in seen and evidence:
                    seen.add(pair)
                    yield Match(works[pair[0]], works[pair[1]], kind, evidence)
    titles = pc.unique(works.titles).to_pylist() if near else []
    found = near_titles([title for title in titles if title])
    if found:
        first_of = _first_numbers(works.titles, {title for pair in found for title in pair[:2]})
        for first, second, score in found:
            pair = (min(first_of[first], first_of[second]), max(first_of[first], first_of[second]))
            if pair not in seen:
                seen.add(pair)
                yield Match(works[pair[0]], works[pair[1]], "near", f"{score:.0f}")


def _shared(values: Any, holders: Any) -> list[tuple[str, list[int]]]:
    """Return the values that stand more than once, each with the sorted numbers of its holders, which may be one."""
    counts = pc.value_counts(values)
    several = counts.field(0).filter(pc.greater(counts.field(1), 1))
    if not len(several):
        return []
    wanted = pc.is_in(values, several)
    groups: dict[str, set[int]] = defaultdict(set)
    for value, holder in zip(values.filter(wanted).to_pylist(), holders.filter(wanted).to_pylist(), strict=True):
        groups[value].add(holder)
    return [(value, sorted(numbers)) for value, numbers in sorted(groups.items())]


def _first_numbers(titles: Any, wanted: set[str]) -> dict[str, int]:
    places = pc.indices_nonzero(pc.is_in(titles, pa.array(sorted(wanted), pa.string()))).to_pylist()
    found: dict[str, int] = {}
    for place in places:
        found.setdefault(titles[place].as_py(), place)
    return found


def near_titles(titles: list[str]) -> list[tuple[str, str, float]]:
    """Return pairs of different normal titles that are at least :data:`NEAR` percent the same, with the percentage.

    Examples
    --------
    >>> near_titles(["learningtocollaborate", "learningtocolaborate", "somethingelse"])
    [('learningtocolaborate', 'learningtocollaborate', 97.5...)]
    """
    found: dict[tuple[str, str], float] = {}
    for key in (str, _reversed, _from_the_middle):
        ordered = sorted(titles, key=key)
        for step in range(1, min(WINDOW, len(ordered))):
            scores: Any = process.cpdist(
                ordered[:-step], ordered[step:], scorer=fuzz.ratio, score_cutoff=NEAR, dtype=np.float32, workers=-1
            )
            for place in np.flatnonzero(scores):
                first, second = sorted((ordered[place], ordered[place + step]))
                found[first, second] = float(scores[place])
    return [(first, second, score) for (first, second), score in sorted(found.items())]


def _reversed(title: str) -> str:
    return title[::-1]


def _from_the_middle(title: str) -> str:
    """The middle first, so that neither a new start nor a new end moves a title away from its neighbour."""
    third = len(title) // 3
    return title[third:] + title[:third]


def duplicate_findings(works: Works, near: bool = True) -> list[Finding]:
    """Turn matches into findings at the second of the two places."""
    return [_finding(match) for match in duplicate_matches(works, near)]


def _finding(match: Match) -> Finding:
    first, second = match.first, match.second
    crossed = first.sheet is not second.sheet
    if crossed:
        rule = rules.NEAR_EXCLUDED if match.kind == "near" else rules.EXCLUDED_WORK
        first, second = second, first  # the pool is listed first; the finding belongs to the entry
    else:
        rule = {"identifier": rules.SAME_IDENTIFIER, "title": rules.SAME_TITLE, "near": rules.NEAR_TITLE}[match.kind]
    title = second.sheet.spec.by_role("title")
    column = title.name if title and match.kind != "identifier" else _identifier_column(second, match.evidence)
    value = second.sheet.cell(column, second.position)
    advice = "the title" if match.kind == "title" else match.evidence
    line = second.sheet.line(second.position)
    return rule.at(second.sheet.file, line, column, value, advice=advice, other=first.name)


def _identifier_column(work: DescribedWork, identity: str) -> str:
    """The column in which a work's identity stands."""
    for column in identifier_columns(work.sheet):
        if identity in identities(work.sheet.cell(column.name, work.position)):
            return column.name
    return work.sheet.spec.key[0]


def matches_with(works: Works, identifiers: frozenset[str], title: str) -> list[tuple[DescribedWork, str]]:
    """Return the works that a candidate may be, with the kind of match; the strongest kind of each, strongest first.

    Parameters
    ----------
    works : Works
        The works to look in.
    identifiers : frozenset of str
        The candidate's identities.
    title : str
        The candidate's title as written.
    """
    wanted = normal_title(title)
    kinds: dict[int, str] = {}
    same = pc.is_in(works.identity, pa.array(sorted(identifiers), pa.string()))
    for number in works.holder.filter(same).to_pylist():
        kinds.setdefault(number, "identifier")
    if wanted:
        scores = process.cdist([wanted], works.titles.to_pylist(), scorer=fuzz.ratio, score_cutoff=NEAR)[0]
        for number in np.argsort(-scores, kind="stable"):
            if scores[number] > 0:
                kinds.setdefault(int(number), "title" if works.titles[int(number)].as_py() == wanted else "near")
    order = ("identifier", "title", "near")
    return [(works[number], kind) for number, kind in sorted(kinds.items(), key=lambda item: order.index(item[1]))]
