"""Duplicate works, by identifier, title or near title; in the pool and across the log."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow.compute as pc
from rapidfuzz import fuzz, process

from corpus.analysis.bibliography.same_works import NEAR, near_titles
from corpus.curation.check import check_rules as rules
from corpus.curation.check.works.works import DescribedWork, Works, identifier_columns
from corpus.model.finding import Finding
from corpus.model.identifiers import identities, normal_title
from corpus.tables.sheet import integer, integers, strings

#: The kinds of a match, the strongest first.
KINDS = ("identifier", "title", "near")
_SAME_TABLE = {
    "identifier": rules.SAME_IDENTIFIER,
    "title": rules.SAME_TITLE,
    "near": rules.NEAR_TITLE,
}
_ACROSS_TABLES = {
    "identifier": rules.EXCLUDED_WORK,
    "title": rules.EXCLUDED_WORK,
    "near": rules.NEAR_EXCLUDED,
}


class Match(NamedTuple):
    """Two works that may be one.

    Attributes
    ----------
    first, second : DescribedWork
        In the order of :class:`~corpus.curation.check.works.works.Works`.
    kind : str
        One of :data:`KINDS`.
    evidence : str
        The shared identity or title; the percentage of a near title.
    """

    first: DescribedWork
    second: DescribedWork
    kind: str
    evidence: str


def duplicate_matches(works: Works, near: bool = True) -> Iterator[Match]:
    """Yield every pair of works with a shared identity, the same or nearly the same title, once.

    Of more than two works that share something, each is paired with the first. Without `near`,
    nearly equal titles are not looked for.
    """
    seen: set[tuple[int, int]] = set()
    every_number = integers(range(len(works.titles)))
    shared = {
        "identifier": _shared(works.identity, works.holder),
        "title": _shared(works.titles, every_number),
    }
    for kind, groups in shared.items():
        for evidence, numbers in groups:
            for number in numbers[1:]:
                pair = (numbers[0], number)
                if pair not in seen and evidence:
                    seen.add(pair)
                    yield Match(works[pair[0]], works[pair[1]], kind, evidence)
    if not near:
        return
    for pair, score in _near_pairs(works.titles):
        if pair not in seen:
            seen.add(pair)
            yield Match(works[pair[0]], works[pair[1]], "near", f"{score:.0f}")


def _shared(values: Any, holders: Any) -> list[tuple[str, list[int]]]:
    """Return the values that appear several times, each with the sorted numbers of its holders.

    A work may repeat one of its own identities; the value then has one holder.
    """
    counts = pc.value_counts(values)
    several = counts.field(0).filter(pc.greater(counts.field(1), integer(1)))
    if not len(several):
        return []
    wanted = pc.is_in(values, several)
    repeated = values.filter(wanted).to_pylist()
    numbers = holders.filter(wanted).to_pylist()
    groups: dict[str, set[int]] = defaultdict(set)
    for value, number in zip(repeated, numbers, strict=True):
        groups[value].add(number)
    return [(value, sorted(group)) for value, group in sorted(groups.items())]


def _near_pairs(titles: Any) -> Iterator[tuple[tuple[int, int], float]]:
    """Yield the numbers of the first works with each of two near titles, and the percentage."""
    distinct = [title for title in pc.unique(titles).to_pylist() if title]
    found = near_titles(distinct)
    if not found:
        return
    wanted: set[str] = set()
    for first, second, _ in found:
        wanted.update((first, second))
    first_number: dict[str, int] = {}
    among = pc.is_in(titles, strings(sorted(wanted)))
    for number in pc.indices_nonzero(among).to_pylist():
        first_number.setdefault(titles[number].as_py(), number)
    for first, second, score in found:
        numbers = sorted((first_number[first], first_number[second]))
        yield (numbers[0], numbers[1]), score


def duplicate_findings(works: Works, near: bool = True) -> list[Finding]:
    """Turn matches into findings at the second of the two rows."""
    return [_finding(match) for match in duplicate_matches(works, near)]


def _finding(match: Match) -> Finding:
    if match.first.sheet is match.second.sheet:
        rule = _SAME_TABLE[match.kind]
        other, work = match.first, match.second
    else:
        # The pool comes first; the finding belongs to the entry.
        rule = _ACROSS_TABLES[match.kind]
        work, other = match.first, match.second
    title = work.sheet.spec.by_role("title")
    if title is not None and match.kind != "identifier":
        column = title.name
    else:
        column = _identifier_column(work, match.evidence)
    advice = match.evidence
    if match.kind == "title":
        advice = "the title"
    value = work.sheet.cell(column, work.position)
    line = work.sheet.line(work.position)
    return rule.at(work.sheet.file, line, column, value, advice=advice, other=other.name)


def _identifier_column(work: DescribedWork, identity: str) -> str:
    """Return the column that gives a work's identity; the key's where another table gives it."""
    for column in identifier_columns(work.sheet):
        if identity in identities(work.sheet.cell(column.name, work.position)):
            return column.name
    return work.sheet.spec.key[0]


def matches_with(
    works: Works, identifiers: frozenset[str], title: str
) -> list[tuple[DescribedWork, str]]:
    """Return the works that a candidate may be, each with its strongest kind; strongest first.

    Parameters
    ----------
    works : Works
        The works to look in.
    identifiers : frozenset of str
        The candidate's identities.
    title : str
        The candidate's title as written.

    Returns
    -------
    list of (DescribedWork, str)
        The work, and one of :data:`KINDS`.
    """
    kinds: dict[int, str] = {}
    same = pc.is_in(works.identity, strings(sorted(identifiers)))
    for number in works.holder.filter(same).to_pylist():
        kinds.setdefault(number, "identifier")
    wanted = normal_title(title)
    if wanted:
        titles = works.titles.to_pylist()
        scores = process.cdist([wanted], titles, scorer=fuzz.ratio, score_cutoff=NEAR)[0]
        for number in np.argsort(-scores, kind="stable").tolist():
            if scores[number] > 0:
                kind = "near"
                if titles[number] == wanted:
                    kind = "title"
                kinds.setdefault(number, kind)
    strongest_first = sorted(kinds.items(), key=lambda item: KINDS.index(item[1]))
    return [(works[number], kind) for number, kind in strongest_first]
