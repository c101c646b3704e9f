"""The flow of records from searches to pool: what was found, what is decided, what is open."""

from __future__ import annotations

from typing import NamedTuple

from corpus.analysis.counting.identification import Identification, identification
from corpus.curation.screening.decisions import CONFLICT, EXCLUDE, INCLUDE, read_screening
from corpus.model.study import Study


class ScreeningFlow(NamedTuple):
    """Numbers of records and works.

    Attributes
    ----------
    identified : Identification
        Where the works come from.
    candidates : int
        Works in the table of candidates.
    undecided, conflicts, include, exclude : int
        These by what is decided; they sum to `candidates`.
    excluded, retained : int
        Rows of the exclusion log and of the pool.
    """

    identified: Identification
    candidates: int
    undecided: int
    conflicts: int
    include: int
    exclude: int
    excluded: int
    retained: int


def screening_flow(study: Study) -> ScreeningFlow:
    """Count the flow of a corpus.

    Raises
    ------
    UsageProblem
        Where the codebook declares no candidates or no decisions.
    """
    screening = read_screening(study)
    outcomes = [screening.outcome(key) for key in screening.candidates]
    return ScreeningFlow(
        identified=identification(study),
        candidates=len(outcomes),
        undecided=outcomes.count(""),
        conflicts=outcomes.count(CONFLICT),
        include=outcomes.count(INCLUDE),
        exclude=outcomes.count(EXCLUDE),
        excluded=sum(len(table.rows) for table in study.by_role("exclusions")),
        retained=len(study.pool.rows),
    )
