"""``python -m benchmarks identity FILE...``: what is judged of labelled pairs of records.

FILE has one pair per line, as the matching benchmarks of Magellan and Ditto write them: two records
as ``COL name VAL value ...`` and the label 1 (one work) or 0, separated by tabs; such as DBLP-ACM.
Beside it are titles that rapidfuzz finds 90 % alike, which joined records before.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rapidfuzz import fuzz

from corpus.analysis.bibliography.identity import ASK, NEAR, SAME, compare
from corpus.curation.lookup.answers import split_authors
from corpus.model.work import Work


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


def main(arguments: list[str]) -> None:
    """Print one line per file: found, asked and missed works, and false merges."""
    for name in arguments:
        found: Counter[tuple[str, bool]] = Counter()
        alike: Counter[tuple[bool, bool]] = Counter()
        for first, second, is_one in pairs(Path(name)):
            found[compare(first, second).verdict, is_one] += 1
            near = fuzz.ratio(first.normal, second.normal) >= NEAR
            alike[near, is_one] += 1
        works = sum(number for (_, is_one), number in found.items() if is_one)
        asked = found[ASK, True] + found[ASK, False]
        sys.stdout.write(
            f"{name}: {found.total()} pairs, {works} of one work; judged: "
            f"{found[SAME, True]} joined, {found[SAME, False]} falsely, "
            f"{asked} asked ({found[ASK, True]} of one work); "
            f"titles alone: {alike[True, True]} joined, {alike[True, False]} falsely\n"
        )
