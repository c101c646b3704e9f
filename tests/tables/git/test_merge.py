"""The three-way merge of rows and cells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.model.codebook import Column, TableSpec
from corpus.model.finding import CorpusError
from corpus.model.table import Table
from corpus.tables.git.merge import merge_tables
from corpus.tables.reader import parse_table
from corpus.tables.writing.writer import canonical_text

HEADER = ("probe", "depth", "note")
SPEC = TableSpec(
    "soil", "soil.csv", "Soil", "", "pool", ("probe",),
    tuple(Column(name, "text", name, "", "", False, "", "", "", False) for name in HEADER),
)  # fmt: skip
BASE = [("a", "1", "wet"), ("m", "2", "dry"), ("z", "3", "sour")]


def table(rows):
    return Table(SPEC, "soil.csv", list(rows), [0] * len(rows))


def merge(ours, theirs, base=BASE):
    return merge_tables(table(base), table(ours), table(theirs))


def changed(key, **cells):
    return [
        tuple(cells.get(n, c) for n, c in zip(HEADER, row, strict=True)) if row[0] == key else row
        for row in BASE
    ]


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        (BASE, BASE, BASE),
        ([*BASE, ("b", "4", "")], [*BASE, ("c", "5", "")], [*BASE, ("b", "4", ""), ("c", "5", "")]),
        ([*BASE, ("b", "4", "")], [*BASE, ("b", "4", "")], [*BASE, ("b", "4", "")]),
        (
            changed("m", depth="9"),
            changed("m", note="damp"),
            [BASE[0], ("m", "9", "damp"), BASE[2]],
        ),
        (changed("m", depth="9"), changed("m", depth="9"), changed("m", depth="9")),
        (
            changed("a", note="x"),
            changed("z", note="y"),
            [("a", "1", "x"), BASE[1], ("z", "3", "y")],
        ),
        (BASE[1:], BASE, BASE[1:]),
        (BASE, BASE[1:], BASE[1:]),
        (BASE[1:], BASE[:2], BASE[1:2]),
        ([], [], []),
    ],
)
def test_what_does_not_contradict_is_joined(ours, theirs, expected):
    merged = merge(ours, theirs)
    assert merged.conflicts == []
    assert merged.text == canonical_text(expected, SPEC)


def test_both_sides_change_the_same_cell():
    merged = merge(changed("m", depth="9", note="damp"), changed("m", depth="8"))
    assert [(c.key, c.column, c.base, c.ours, c.theirs) for c in merged.conflicts] == [
        ("m", "depth", "2", "9", "8")
    ]
    assert merged.text.splitlines() == [
        "probe,depth,note",
        "a,1,wet",
        "<<<<<<< ours",
        "m,9,damp",
        "=======",
        "m,8,damp",  # what does not contradict is merged on both sides
        ">>>>>>> theirs",
        "z,3,sour",
    ]


@pytest.mark.parametrize(
    ("ours", "theirs", "lines"),
    [
        (BASE[:2], changed("z", note="x"), ["=======", "z,3,x"]),
        (changed("z", note="x"), BASE[:2], ["z,3,x", "======="]),
        ([*BASE, ("b", "4", "")], [*BASE, ("b", "5", "")], ["b,4,", "=======", "b,5,"]),
        ([*BASE, ("b", "4", "")], [*BASE, ("b", "", "x")], ["b,4,", "=======", "b,,x"]),
    ],
)
def test_other_contradictions(ours, theirs, lines):
    merged = merge(ours, theirs)
    assert len(merged.conflicts) == 1
    shown = merged.text.splitlines()
    assert shown[shown.index("<<<<<<< ours") + 1 : shown.index(">>>>>>> theirs")] == lines


@pytest.mark.parametrize("side", [0, 1, 2])
def test_no_row_of_a_duplicate_key_is_lost(side):
    versions = [table(BASE), table(BASE), table(BASE)]
    versions[side] = table([*BASE, ("a", "9", "another record")])
    with pytest.raises(CorpusError) as raised:
        merge_tables(*versions)
    assert [(found.code, found.value) for found in raised.value.findings] == [("C301", "a")]


def test_two_records_that_took_the_same_key_are_not_mixed():
    merged = merge([*BASE, ("b", "4", "")], [*BASE, ("b", "5", "x")])
    lines = merged.text.splitlines()
    found = lines[lines.index("<<<<<<< ours") + 1 : lines.index(">>>>>>> theirs")]
    assert found == ["b,4,", "=======", "b,5,x"]


cells = st.sampled_from(["", "1", "2"])
tables = st.dictionaries(st.sampled_from("abcde"), st.tuples(cells, cells)).map(
    lambda rows: [(key, *row) for key, row in sorted(rows.items())]
)


@given(tables, tables, tables)
def test_merging_is_even_handed(base, ours, theirs):
    """The same cells come out whichever side is called ours, and a clean merge is a canonical file."""
    one, two = merge(ours, theirs, base), merge(theirs, ours, base)
    assert [(c.key, c.column) for c in one.conflicts] == [(c.key, c.column) for c in two.conflicts]
    if not one.conflicts:
        assert one.text == two.text
        rows = parse_table(one.text.encode(), SPEC, "soil.csv").rows
        assert canonical_text(rows, SPEC) == one.text


@given(tables, tables)
def test_one_side_alone_is_taken_as_it_is(base, ours):
    assert (
        merge(ours, base, base).text == merge(base, ours, base).text == canonical_text(ours, SPEC)
    )
