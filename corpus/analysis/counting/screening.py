"""The flow of records: retained and excluded, by stage, source and query family."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from corpus.model.table import Table


class Screening(NamedTuple):
    """Numbers of records; the three mappings each sum to `excluded`.

    `stages` holds every declared stage, also one at which nothing was excluded; sources and query
    families are sorted by descending number.
    """

    retained: int
    excluded: int
    stages: dict[str, int]
    sources: dict[str, int]
    query_families: dict[str, int]

    @property
    def audited(self) -> int:
        """Retained and excluded records together."""
        return self.retained + self.excluded


def screening(retained: int, exclusions: Table, stages: tuple[str, ...]) -> Screening:
    """Count the exclusion log.

    Parameters
    ----------
    retained : int
        Entries in the pool.
    exclusions : Table
        The exclusion log; its columns are found by their roles (stage, source, query_family).
    stages : tuple of str
        The declared stages in order.
    """

    def by_role(role: str) -> Counter[str]:
        column = exclusions.spec.by_role(role)
        return Counter(exclusions.column(column.name)) if column else Counter()

    def sorted_counts(counts: Counter[str]) -> dict[str, int]:
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    found = by_role("stage")
    # Stages are declared, so that one without records is 0; sources are whatever the log has.
    return Screening(
        retained=retained,
        excluded=len(exclusions.rows),
        stages={stage: found[stage] for stage in stages},
        sources=sorted_counts(by_role("source")),
        query_families=sorted_counts(by_role("query_family")),
    )
