"""One paper of the pool: its cells by column, its terms by axis."""

import pytest

from corpus.model.entry import Entry
from corpus.model.finding import UsageProblem
from tests.corpora.full import POOL, ROWS, codebook_data, full, sensor

ADA = full().entry("ada")
EVE = full().entry("eve")


def test_an_entry_knows_its_key_and_its_line():
    assert (ADA.key, ADA.line, EVE.key, EVE.line) == ("ada", 2, "eve", 6)
    assert Entry(POOL, sensor("fen")).line == 0


def test_the_key_is_found_wherever_its_column_is():
    data = codebook_data()
    columns = data["tables"]["sensors"]["columns"]
    data["tables"]["sensors"]["columns"] = [columns[1], columns[0], *columns[2:]]
    study = full({"sensors": [("Ada", "ada", "deep", "gas")]}, **data)
    assert study.entry("ada").cell("name") == "Ada"


def test_terms_are_those_of_the_cell():
    assert ADA.terms("senses") == ("water", "heat")
    assert ADA.terms("depth") == ("surface",)
    assert Entry(POOL, sensor("fen", senses="")).terms("senses") == ()


def test_a_role_gives_the_cell_of_its_column_or_nothing():
    assert (ADA.by_role("title"), ADA.by_role("year")) == ("Rain above Ada's antenna", "2020")
    assert EVE.by_role("year") == "2020"
    assert ADA.by_role("summary") == ""


def test_cells_are_in_the_order_of_the_header():
    assert [(column.name, cell) for column, cell in ADA.cells()][:3] == [
        ("sensor", "ada"), ("name", "Rain above Ada's antenna"), ("depth", "surface"),
    ]  # fmt: skip
    assert list(ADA.as_dict()) == list(POOL.header)
    assert list(ADA.as_dict().values()) == list(full().pool.rows[0])
    assert len(ROWS["sensors"]) == len(full().entries)


def test_an_unknown_column_is_answered_with_the_known_ones():
    for ask in (ADA.cell, ADA.terms):
        with pytest.raises(UsageProblem, match="did you mean 'depth'"):
            ask("dept")
