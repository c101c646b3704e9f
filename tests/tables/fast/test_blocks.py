"""Where the cells of a block end, and what makes a block one for the strict reader."""

import io

import pytest

from corpus.model.table import MAX_CELL
from corpus.tables.fast import blocks
from corpus.tables.fast.blocks import PADDING, NotPlain, cell_ends, check_block, next_rows

PADDED = b"\n" * PADDING


@pytest.mark.parametrize("data", [
    b"a,b", b"a,b\n\nc,d\n", b"\na,b\n", b"a,b\r\n", b"a,\0\n", b"a,b\n=======\n", b"<<<<<<< ours\n", b">>>>>>> theirs\n",
    b"||||||| base\n", b'a"b",c\n', b'"a"b,c\n', b'a,""b""\n', b'"a\n\nb",c\n', b'"a\n=======",c\n', b"a,\xff\n", b"a,\xc3\n",
])  # fmt: skip
def test_what_is_not_plain_is_for_the_strict_reader(data):
    with pytest.raises(NotPlain):
        check_block(data + PADDED, with_commas=True)


@pytest.mark.parametrize(("length", "is_plain"), [(MAX_CELL, True), (MAX_CELL + 1, False)])
def test_a_row_that_may_have_too_long_a_cell_is_for_the_strict_reader(length, is_plain):
    data = b"a\n" + b"b" * (length - 1) + b"\n" + PADDED
    if is_plain:
        assert check_block(data, with_commas=False)[1].tolist() == [1, length + 1]
    else:
        with pytest.raises(NotPlain):
            check_block(data, with_commas=False)


@pytest.mark.parametrize(
    "text", ["a,b\nc\n", "a\nb,c\n", "a,b,c\n", "a,b\nc,d,e,f\n", "a,b,c\nd\n"]
)
def test_rows_of_another_width_are_for_the_strict_reader(text):
    """Also where the number of all cells is right."""
    with pytest.raises(NotPlain):
        cell_ends(text.encode() + PADDED, 2)


@pytest.mark.parametrize("size", [1, 4, 9, 100])
def test_a_block_ends_with_a_row_also_where_it_would_end_in_a_quoted_cell(monkeypatch, size):
    monkeypatch.setattr(blocks, "_BLOCK", size)
    text = b'a,b\n"c\nd\n",e\nf,g\n'
    handle = io.BytesIO(text)
    read = []
    while data := next_rows(handle):
        assert data.endswith(PADDED)
        read.append(data[:-PADDING])
    assert b"".join(read) == text
    assert {piece.count(b'"') % 2 for piece in read} == {0}
    assert all(piece.endswith(b"\n") for piece in read)
    assert len(read) == {1: 3, 4: 2, 9: 2, 100: 1}[size]
