"""Rows of other tables that name a claim: whether it exists, and what its result means for them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from corpus.analysis.claims.claim import ClaimSet
from corpus.model.finding import Finding, Rule, unknown
from corpus.model.study import Study
from corpus.model.table import LocatedRow, Table

UNKNOWN_CLAIM = Rule(
    "C604",
    "{problem}",
    "correct the name; `corpus claims` lists every claim",
    title="A row names a claim that does not exist",
    reason="A row that rests on a claim needs one that is checked.",
)


#: Role of a column that names a claim which a row rests on.
GROUND = "claim"
#: Role of a column that names the claim during which a row is an open question.
OPEN_WHILE = "open_while"


def unknown_claims(study: Study, claim_set: ClaimSet) -> Iterator[Finding]:
    """Yield C604 for each cell that names a claim which the claims file does not have."""
    known = [claim.id for claim in claim_set.claims]
    for role in (GROUND, OPEN_WHILE):
        for column, row, claim in _named_claims(study.tables.values(), role):
            if claim not in known:
                place = (row.table.file, row.line, column, claim)
                yield UNKNOWN_CLAIM.at(*place, problem=unknown("claim", claim, known))


def question_states(table: Table, holding: Mapping[str, bool]) -> dict[str, str]:
    """Return for each question of a table whether it is ``open`` or ``started``.

    `holding` is claim -> whether it holds; rows that name another claim are left out. A failure
    that is acknowledged is a failure here: it does not make the question open again.
    """
    words = {True: "open", False: "started"}
    named = _named_claims([table], OPEN_WHILE)
    return {row.key: words[holding[claim]] for _, row, claim in named if claim in holding}


class Ground(NamedTuple):
    """A row that tells why a question is asked.

    Attributes
    ----------
    table, question : str
        The table of open questions, and the name of the row.
    claim : str
        The claim that it follows from; may be empty.
    cell : mapping of str to str
        Vocabulary -> term of the cell that the claim is about.
    """

    table: str
    question: str
    claim: str
    cell: Mapping[str, str]


def grounds(study: Study) -> Iterator[Ground]:
    """Yield the grounds of every open question, in file order."""
    for table in study.tables.values():
        ground = table.spec.by_role(GROUND)
        if ground is None:
            continue
        for asked in study.tables.values():
            reference = table.spec.reference_to(asked.spec)
            if reference is None or asked.spec.by_role(OPEN_WHILE) is None:
                continue
            for record in table.records():
                cells = {one.vocabulary: record[one.name] for one in table.spec.term_columns}
                cell = {vocabulary: term for vocabulary, term in cells.items() if term}
                question = record[reference.name]
                yield Ground(asked.spec.name, question, record[ground.name], cell)


def _named_claims(tables: Iterable[Table], role: str) -> Iterator[tuple[str, LocatedRow, str]]:
    """Yield each filled cell of the columns with this role: column, row, and the claim it names."""
    for table in tables:
        column = table.spec.by_role(role)
        if column is not None:
            for row, claim in zip(table.placed(), table.column(column.name), strict=True):
                if claim:
                    yield column.name, row, claim
