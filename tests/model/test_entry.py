"""One paper of the pool: its cells by column, its terms by axis."""

import pytest

from corpus.model.finding import UsageProblem
from tests.corpora.full import POOL, ROWS, full

ADA = full().entry("ada")


def test_cells_are_in_the_order_of_the_header():
    assert list(ADA.as_dict().values())[:3] == ["ada", "Rain above Ada's antenna", "surface"]
    assert list(ADA.as_dict()) == list(POOL.header)
    assert list(ADA.as_dict().values()) == list(full().pool.rows[0])
    assert len(ROWS["sensors"]) == len(full().entries)


def test_an_unknown_column_is_answered_with_the_known_ones():
    for ask in (ADA.cell, ADA.terms):
        with pytest.raises(UsageProblem, match="did you mean 'depth'"):
            ask("dept")
