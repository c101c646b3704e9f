"""The baseline of counting: csv.DictReader and Counter, as people count today.

It makes the same counts and three cross-tabulations with the standard library only, and validates
nothing. ``python baseline_stats.py FOLDER``
"""

import csv
import sys
from collections import Counter

AXES = [
        "category", "is_rl", "reward_type", "credit_granularity",
        "orchestration_form", "scenario", "is_core", "verified",
]  # fmt: skip
PAIRS = [
        ("reward_type", "credit_granularity"),
        ("orchestration_form", "credit_granularity"),
        ("category", "verified"),
]  # fmt: skip


def main(folder):
    with open(f"{folder}/pool.csv", newline="", encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle))
    with open(f"{folder}/exclusions.csv", newline="", encoding="utf-8") as handle:
        excluded = list(csv.DictReader(handle))
    print(len(rows), "entries,", len(excluded), "excluded")
    for axis in AXES:
        print(f"\n{axis}")
        for term, count in Counter(row[axis] for row in rows).most_common():
            print(f"  {term:<28}{count:>8}{100 * count / len(rows):>6.0f}%")
    for first, second in PAIRS:
        print(f"\n{first} by {second}")
        for (a, b), count in sorted(Counter((row[first], row[second]) for row in rows).items()):
            print(f"  {a:<28}{b:<28}{count:>8}")
    for column in ("stage", "source", "query_family"):
        print(f"\n{column}")
        for value, count in Counter(row[column] for row in excluded).most_common():
            print(f"  {value:<28}{count:>8}")


main(sys.argv[1])
