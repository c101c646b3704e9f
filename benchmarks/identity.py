"""``python -m benchmarks identity FILE...``: what is judged of labelled records.

A ``.txt`` has one pair per line, as the matching benchmarks of Magellan and Ditto write them: two
records as ``COL name VAL value ...`` and the label 1 (one work) or 0, separated by tabs; such as
DBLP-ACM. Any other file is a list, such as ``NAME.csv``, and beside it ``NAME.groups.csv`` has the
identifiers of its records that are one work, joined by ``;``, as the labelled sets of ASySD and
BibDedupe have them.

Beside it are titles that rapidfuzz finds 90 % alike, which joined records before, and for lists the
rules of ASySD (Hair and others 2023, BMC Biology 21:189), whose thresholds are in a table.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
from rapidfuzz import fuzz, process
from rapidfuzz.distance import JaroWinkler

from corpus.analysis.bibliography.identity import (
    ASK,
    NEAR,
    SAME,
    compare,
    contradiction,
    identifiers_by_kind,
)
from corpus.analysis.bibliography.same_works import WorkGroups
from corpus.curation.importing.column_plan import column_roles, work_of
from corpus.curation.importing.readers.reading import read_foreign
from corpus.curation.lookup.answers import split_authors
from corpus.model.work import Work

# fmt: off
#: ASySD joins records where all similarities of one row are above these percentages.
_ASYSD = (
    {"pages": 80, "volume": 80, "title": 90, "abstract": 90, "author": 50, "isbn": 99},
    {"pages": 80, "volume": 80, "title": 90, "abstract": 90, "author": 50, "journal": 60},
    {"pages": 80, "number": 80, "title": 90, "abstract": 90, "author": 50, "journal": 60},
    {"volume": 80, "number": 80, "title": 90, "abstract": 90, "author": 50, "journal": 60},
    {"volume": 80, "number": 80, "title": 90, "abstract": 90, "author": 80},
    {"volume": 80, "pages": 80, "title": 90, "abstract": 90, "author": 80},
    {"pages": 80, "number": 80, "title": 90, "abstract": 90, "author": 80},
    {"doi": 95, "author": 75, "title": 90},
    {"title": 80, "abstract": 90, "volume": 85, "journal": 65, "author": 90},
    {"title": 90, "abstract": 80, "volume": 85, "journal": 65, "author": 90},
    {"title": 90, "author": 90, "abstract": 90, "journal": 70},
    {"title": 90, "author": 90, "abstract": 90, "isbn": 99},
    {"pages": 90, "number": 90, "title": 90, "author": 80, "journal": 60},
    {"number": 90, "volume": 90, "title": 90, "author": 90, "isbn": 99},
    {"pages": 90, "volume": 90, "title": 90, "author": 80, "journal": 60},
    {"pages": 90, "number": 90, "title": 90, "author": 80, "isbn": 99},
    {"pages": 80, "volume": 80, "title": 95, "author": 80, "journal": 90},
    {"number": 80, "volume": 80, "title": 95, "author": 80, "journal": 90},
    {"number": 80, "pages": 80, "title": 95, "author": 80, "journal": 90},
    {"pages": 80, "volume": 80, "title": 95, "author": 80, "isbn": 99},
)
# fmt: on
#: What neither of two records has counts as equal here, elsewhere as unlike.
_EQUAL_IF_ABSENT = ("pages", "volume", "number")
_FIELDS = sorted(set().union(*_ASYSD))


def pairs(path: Path) -> Iterator[tuple[Work, Work, bool]]:
    """Yield the pairs of a file, and whether each is one work."""
    for line in path.read_text(encoding="utf-8").splitlines():
        first, second, label = line.split("\t")
        yield _work(first), _work(second), label == "1"


def _work(text: str) -> Work:
    cells = dict(re.findall(r"COL (\w+) VAL (.*?)(?= COL \w+ VAL |$)", text.strip()))
    title = cells.get("title", "").strip(" .")
    authors = split_authors(cells.get("authors", "").replace(" ,", ","))
    year = re.sub(r"\.0$", "", cells.get("year", "").strip())
    return Work(title=title, authors=authors, year=year, venue=cells.get("venue", "").strip())


def measured_pairs(path: Path) -> str:
    """Return how many labelled pairs are joined, asked and missed."""
    found: Counter[tuple[str, bool]] = Counter()
    alike: Counter[tuple[bool, bool]] = Counter()
    for first, second, is_one in pairs(path):
        found[compare(first, second).verdict, is_one] += 1
        near = fuzz.ratio(first.normal, second.normal) >= NEAR
        alike[near, is_one] += 1
    works = sum(number for (_, is_one), number in found.items() if is_one)
    asked = found[ASK, True] + found[ASK, False]
    return (
        f"{path}: {found.total()} pairs, {works} of one work; judged: "
        f"{found[SAME, True]} joined, {found[SAME, False]} falsely, "
        f"{asked} asked ({found[ASK, True]} of one work); "
        f"titles alone: {alike[True, True]} joined, {alike[True, False]} falsely"
    )


def measured_list(path: Path) -> str:
    """Return how many pairs of a list that are one work are found, by three ways to find them."""
    records = read_foreign(str(path), path.name)
    roles = column_roles(records)
    cells = [{name: str(cell) for name, cell in row.cells.items()} for row in records.rows]
    works = [work_of(row.cells, roles) for row in records.rows]
    numbers = {_number(row.get("ID") or row.get("record_id", "")): n for n, row in enumerate(cells)}
    labelled = []
    for line in path.with_suffix(".groups.csv").read_text(encoding="utf-8").splitlines()[1:]:
        first, *others = [numbers[_number(each)] for each in line.strip('"').split(";")]
        labelled += [(first, each) for each in others]
    true = _together(len(works), labelled)
    groups = WorkGroups()
    for work in works:
        groups.add(work)
    groups.join_near_titles(0)
    joined = [(first, second) for first, second, _ in groups.joined]
    asked = [(first, second) for first, second, _ in groups.open_pairs(0)]
    titles = [work.normal for work in works]
    near = process.cdist(titles, titles, scorer=fuzz.ratio, score_cutoff=NEAR, dtype=np.float32)
    ways = {"judged": joined, "titles alone": np.argwhere(np.triu(near, 1)), "ASySD": _asysd(cells)}
    kinds = [identifiers_by_kind(work.identities) for work in works]
    with_doi = sum("doi" in each for each in kinds)
    lines = [f"{path}: {len(works)} records, {with_doi} with DOI, {len(true)} pairs of one work"]
    for name, found in ways.items():
        pairs = _together(len(works), found)
        against = sum(bool(contradiction(kinds[one], kinds[other])) for one, other in pairs)
        lines.append(
            f"  {name}: {len(pairs & true)} joined ({len(pairs & true) / len(true):.1%}), "
            f"{len(pairs - true)} falsely, {against} with different identifiers of one kind"
        )
    met = _together(len(works), [*joined, *asked])
    lines.append(f"  asked: {len(asked)} pairs; joined or asked: {len(met & true) / len(true):.1%}")
    return "\n".join(lines)


def _number(identifier: str) -> int:
    return int(re.sub(r"\D", "", identifier))


def _asysd(cells: Sequence[Mapping[str, str]]) -> list[tuple[int, int]]:
    """Return the pairs that the rules of ASySD join."""
    plain = []
    for row in cells:
        texts = {name: row.get(name, "").upper() for name in _FIELDS}
        texts["title"] = re.sub(r"[^\w\s]", "", texts["title"])
        texts["abstract"] = re.sub(r"[^\w\s]", "", texts["abstract"])
        texts["doi"] = re.sub(r"^(?:HTTPS?://(?:DX\.)?DOI\.ORG/|DOI:? ?)", "", texts["doi"])
        plain.append(texts | {"year": row.get("year", "")})
    titles = [texts["title"] for texts in plain]
    like = process.cdist(titles, titles, scorer=JaroWinkler.similarity, dtype=np.float32)
    found = []
    for one, other in np.argwhere(np.triu(like > 0.8, 1)):
        if _is_joined(plain[one], plain[other]):
            found.append((int(one), int(other)))
    return found


def _is_joined(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    likeness = {}
    for name in _FIELDS:
        likeness[name] = 100 * JaroWinkler.similarity(one[name], other[name])
        if not one[name] or not other[name]:
            likeness[name] = 0.0
        if not one[name] and not other[name] and name in _EQUAL_IF_ABSENT:
            likeness[name] = 100.0
    has_other_doi = one["doi"] and other["doi"] and likeness["doi"] <= 99
    is_other = has_other_doi and not (likeness["title"] > 90 and likeness["abstract"] > 90)
    years = [int(row["year"]) for row in (one, other) if row["year"].isdigit()]
    if is_other or (len(years) == 2 and abs(years[0] - years[1]) > 1):
        return False
    return any(all(likeness[name] > least for name, least in rule.items()) for rule in _ASYSD)


def _together(number: int, pairs: Iterable[Sequence[int]]) -> set[tuple[int, int]]:
    """Return all pairs of records that are in one group, where some pairs are."""
    groups = WorkGroups()
    for _ in range(number):
        groups.add(Work())
    for one, other in pairs:
        groups.join(int(one), int(other))
    members: dict[int, list[int]] = {}
    for each in range(number):
        members.setdefault(groups.group_of(each), []).append(each)
    found: set[tuple[int, int]] = set()
    for group in members.values():
        found.update(combinations(group, 2))
    return found


def main(arguments: list[str]) -> None:
    """Print what was found in each file."""
    for name in arguments:
        path = Path(name)
        measured = measured_pairs(path) if path.suffix == ".txt" else measured_list(path)
        sys.stdout.write(f"{measured}\n")
