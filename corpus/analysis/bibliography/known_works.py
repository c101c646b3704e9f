"""Every row of a corpus that describes a work: where it is, and whether the work is in scope."""

from collections.abc import Iterator
from typing import NamedTuple

from corpus.model.study import Study
from corpus.model.table import Row, Table
from corpus.model.work import Work

#: Where a work may be, in the order in which it is looked for. ``judged`` is a record of a list
#: that has its verdict in the table of coverage.
POOL, EXCLUDED, CANDIDATE, JUDGED, UNSEEN = "pool", "excluded", "candidate", "judged", "unseen"
PLACES = (POOL, EXCLUDED, CANDIDATE, JUDGED, UNSEEN)
#: Roles of the tables behind the places.
_ROLES = {EXCLUDED: "exclusions", CANDIDATE: "candidates"}
#: The group of verdicts that mean: fits the inclusion rules.
IN_SCOPE = "in_scope"


class KnownRow(NamedTuple):
    """A row of the corpus: where it is, what it is called, whether its work is in scope.

    `place` is one of :data:`PLACES`.
    """

    place: str
    name: str
    in_scope: bool
    table: Table
    row: Row

    @property
    def work(self) -> Work:
        """The work that it describes."""
        return Work.of_row(self.table, self.row)

    @property
    def cells(self) -> dict[str, str]:
        """Its cells by role."""
        return self.table.spec.by_role_cells(self.row)


def known_rows(study: Study) -> Iterator[KnownRow]:
    """Yield every row that describes a work, in the order of the places."""
    # The bibliography has identifiers of entries that the pool itself may lack.
    for table in (study.pool, *study.by_role("bibliography")):
        for name, row in table.named_rows():
            if name in study.entries:
                yield KnownRow(POOL, name, True, table, row)
    for place, role in _ROLES.items():
        for table in study.by_role(role):
            for name, row in table.named_rows():
                yield KnownRow(place, name, place == CANDIDATE, table, row)
    yield from judged_rows(study)


def judged_rows(study: Study) -> Iterator[KnownRow]:
    """Yield the records of other lists that have a verdict."""
    for table in study.by_role("coverage"):
        fitting = _in_scope_verdicts(study, table)
        cells = table.role_column("verdict")
        for (name, row), verdict in zip(table.named_rows(), cells, strict=True):
            if verdict:
                yield KnownRow(JUDGED, name, verdict in fitting, table, row)


def _in_scope_verdicts(study: Study, table: Table) -> frozenset[str]:
    """Return the verdicts of the vocabulary's group ``in_scope``."""
    verdict = table.spec.by_role("verdict")
    if verdict is None or verdict.type != "term":
        return frozenset()
    vocabulary = study.codebook.vocabulary_of(verdict)
    fitting: set[str] = set()
    for group in vocabulary.groups:
        if group.id == IN_SCOPE:
            fitting.update(group.terms)
    return frozenset(fitting)
