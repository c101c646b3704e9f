"""Numbers of cells are those that a dictionary would give, whatever the cells are and in whichever order they come."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.tables.fast import codes
from corpus.tables.fast.blocks import cell_ends, cells_between, next_rows
from corpus.tables.fast.codes import CellCodes


def blocks_of(cells, size):
    """The rows of a CSV file with these cells, as (data, starts, stops) of all columns."""
    for first in range(0, len(cells), size):
        text = "".join(",".join(row) + "\n" for row in cells[first : first + size])
        data = next_rows(io.BytesIO(text.encode()))
        ends = cell_ends(data, len(cells[0]))
        yield data, *cells_between(data, ends, list(range(len(cells[0]))))


letters = st.text("ab\u00e9", min_size=1, max_size=3)
lengths = st.sampled_from([1, 3, 4, 5, 12, 30, 70])
cell = st.builds(lambda text, times: text * times, letters, lengths)
quoted = cell.map(lambda text: f'"{text}, ""{text}"""')


@given(
    st.lists(st.tuples(cell | quoted, cell, cell), min_size=1, max_size=40),
    st.sampled_from([1, 7, 40]),
)
def test_equal_cells_have_one_number_and_others_another(rows, size):
    known = CellCodes(3)
    numbers = [known.encode(*block).T.tolist() for block in blocks_of(rows, size)]
    cells = known.cells()
    read = [
        tuple(cells[column][number] for column, number in enumerate(row))
        for block in numbers
        for row in block
    ]
    assert read == [
        tuple(text.strip('"').replace('""', '"') + '"' * ('"' in text) for text in row)
        for row in rows
    ]
    assert all(len(set(column)) == len(column) for column in cells)


@pytest.mark.parametrize("bits", [8, 3])
def test_many_cells_and_a_table_too_small_for_them_are_looked_up_one_by_one(monkeypatch, bits):
    monkeypatch.setattr(codes, "_BITS", [bits])
    rows = [(f"n{number % 300}", "few" * (number % 3)) for number in range(900)]
    known = CellCodes(2)
    numbers = np.hstack([known.encode(*block) for block in blocks_of(rows, 100)])
    names, others = known.cells()
    assert [names[number] for number in numbers[0]] == [row[0] for row in rows]
    assert [others[number] for number in numbers[1]] == [row[1] for row in rows]
