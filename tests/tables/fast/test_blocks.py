"""Where the cells of a block end, and what makes a block one for the strict reader."""

import io

import pytest

from corpus.model.table import MAX_CELL
from corpus.tables.fast import blocks
from corpus.tables.fast.blocks import (
    PADDING,
    cell_ends,
    cell_text,
    cells_between,
    check_block,
    next_rows,
    skip_header,
)
from corpus.tables.fast.plain import NotPlain
from tests.corpora.full import POOL

PADDED = b"\n" * PADDING


def cells(text, width):
    """The cells of whole rows, read the fast way."""
    data = text.encode() + PADDED
    ends = cell_ends(check_block(data, with_commas=True), width)
    starts, stops = cells_between(data, ends, list(range(width)))
    columns = []
    for places in zip(starts.tolist(), stops.tolist(), strict=True):
        columns.append([cell_text(data, start, stop) for start, stop in zip(*places, strict=True)])
    return list(zip(*columns, strict=True))


@pytest.mark.parametrize(("text", "expected"), [
    ("a,b\nc,d\n", [("a", "b"), ("c", "d")]),
    (",\n,x\n", [("", ""), ("", "x")]),
    ('"a,b",c\n', [("a,b", "c")]),
    ('"a\nb",c\n\u00e9,d\n', [("a\nb", "c"), ("\u00e9", "d")]),
    ('"say ""yes""",""\n', [('say "yes"', "")]),
    ('"""",""""""\n', [('"', '""')]),
    ("a,=======\n", [("a", "=======")]),  # a conflict marker only at the start of a line
])  # fmt: skip
def test_cells_are_those_of_the_csv_module(text, expected):
    assert cells(text, 2) == expected


def test_one_column_of_many_is_found():
    data = b'a,"b",c\nd,e,"f,g"\n' + PADDED
    ends = cell_ends(check_block(data, with_commas=True), 3)
    starts, stops = cells_between(data, ends, [2, 0])
    assert starts.tolist() == [[6, 13], [0, 8]]
    assert stops.tolist() == [[7, 16], [1, 9]]


@pytest.mark.parametrize("text", [
    "a,b", "a,b\n\nc,d\n", "\na,b\n", "a,b\r\n", "a,\0\n", "a,b\n=======\n", "<<<<<<< ours\n", ">>>>>>> theirs\n",
    "||||||| base\n", 'a"b",c\n', '"a"b,c\n', 'a,""b""\n', '"a\n\nb",c\n', '"a\n=======",c\n',
])  # fmt: skip
def test_what_is_not_plain_is_for_the_strict_reader(text):
    with pytest.raises(NotPlain):
        check_block(text.encode() + PADDED, with_commas=True)


@pytest.mark.parametrize("data", [b"a,\xff\n", b"a,\xed\xa0\x80\n", b"a,\xc3\n"])
def test_bytes_that_are_not_utf8_are_for_the_strict_reader(data):
    with pytest.raises(NotPlain):
        check_block(data + PADDED, with_commas=False)


@pytest.mark.parametrize(("length", "is_plain"), [(MAX_CELL, True), (MAX_CELL + 1, False)])
def test_a_row_that_may_have_too_long_a_cell_is_for_the_strict_reader(length, is_plain):
    data = b"a\n" + b"b" * (length - 1) + b"\n" + PADDED
    if is_plain:
        assert check_block(data, with_commas=False).row_ends.tolist() == [1, length + 1]
    else:
        with pytest.raises(NotPlain):
            check_block(data, with_commas=False)


@pytest.mark.parametrize(
    "text", ["a,b\nc\n", "a\nb,c\n", "a,b,c\n", "a,b\nc,d,e,f\n", "a,b,c\nd\n"]
)
def test_rows_of_another_width_are_for_the_strict_reader(text):
    """Also where the number of all cells is right."""
    block = check_block(text.encode() + PADDED, with_commas=True)
    with pytest.raises(NotPlain):
        cell_ends(block, 2)


def test_a_block_knows_the_ends_of_its_rows_and_whether_a_cell_has_a_line_break():
    block = check_block(b'a,b\n"c\nd",e\n' + PADDED, with_commas=False)
    assert block.ends.tolist() == block.row_ends.tolist() == [3, 11]
    assert block.has_breaks
    assert block.text.tobytes() == b'a,b\n"c\nd",e\n'
    assert not check_block(b"a,b\n" + PADDED, with_commas=False).has_breaks


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


def test_a_quoted_cell_without_end_is_for_the_strict_reader(monkeypatch):
    monkeypatch.setattr(blocks, "_BLOCK", 4)
    with pytest.raises(NotPlain):
        next_rows(io.BytesIO(b'a,"b\nc,d\n'))


def test_the_header_is_skipped_only_where_it_is_the_declared_one():
    header = ",".join(POOL.header).encode()
    handle = io.BytesIO(header + b"\nada\n")
    skip_header(handle, POOL)
    assert handle.read() == b"ada\n"
    for other in (header + b",more\n", header[:-1] + b"\n", header, b"", header + b"\r\n"):
        with pytest.raises(NotPlain):
            skip_header(io.BytesIO(other), POOL)
