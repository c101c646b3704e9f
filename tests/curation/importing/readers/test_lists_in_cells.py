"""Cells that are lists: of lines, and as Python prints them."""

import pytest

from corpus.curation.importing.readers.delimited import printed_list, read_delimited
from corpus.curation.importing.readers.excel import read_workbook
from tests.support.imported import cells, workbook

ADDED = {"Taxa": "birds\nbats", "Authors": "Ward, Ann\nMoor, Bo", "Title": "A title in\ntwo lines"}


@pytest.mark.parametrize("kind", ["csv", "excel"])
def test_lines_within_a_cell_are_a_list_where_they_are_names_or_short(kind):
    rows = [list(ADDED), list(ADDED.values())]
    rows += [
        ["bats, frogs", "Fen, Cy", "B"],
        ["frogs\nbirds", "Fen, Cy", "C"],
        ["bats", "Till, Di\nWard, Ann", "D"],
    ]
    if kind == "excel":
        records = read_workbook(workbook(("s", rows)), "f")
    else:
        records = read_delimited(
            "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in rows), "f"
        )
    assert [row.get("Taxa") for row in cells(records)] == [
        ("birds", "bats"),
        "bats, frogs",
        ("frogs", "birds"),
        "bats",
    ]
    assert [row.get("Authors") for row in cells(records)][::3] == [
        ("Ward, Ann", "Moor, Bo"),
        ("Till, Di", "Ward, Ann"),
    ]
    assert records.rows[0].cells["Title"] == "A title in two lines"


@pytest.mark.parametrize(
    ("cells_of_column", "lists"),
    [
        (["Faster\nCheaper", "Cheaper\nFaster", "Faster"], True),
        (["Faster\nCheaper", "Cheaper\nFaster", f"{'It is so ' * 9}.\nAnd more", "Faster"], False),
        (["no", "yes, a feeder of the Euro-\npean grid was\nused", "no", "yes"], False),
        (["Works on logs.\nFails on code.", "Works."], False),
    ],
)
def test_lines_of_a_column_are_all_items_or_all_text(cells_of_column, lists):
    rows = [["Title", "What"], *([f"T{n}", cell] for n, cell in enumerate(cells_of_column))]
    found = [row["What"] for row in cells(read_workbook(workbook(("s", rows)), "f"))]
    assert found == [
        tuple(cell.split("\n")) if lists and "\n" in cell else " ".join(cell.split("\n"))
        for cell in cells_of_column
    ]


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ('["a", "b"]', ("a", "b")),
        ("['it\\'s', \"x\"]", ("it's", "x")),
        ("['Øst']", ("Øst",)),
        ("[]", ""),
        ("['a'", "['a'"),
        ("['a', 1]", "['a', 1]"),
        ("['\\N{none such}']", "['\\N{none such}']"),
        ("['a'] and more", "['a'] and more"),
    ],
)
def test_only_a_list_of_texts_is_one(cell, found):
    assert printed_list(cell) == found


def test_lines_of_a_text_and_of_authors_with_semicolons_stay_lines():
    text = 'abstract,authors\n"One line.\nAnother, about peat.","Ward, Ann;\nMoor, Bo"\n'
    assert cells(read_delimited(text, "f")) == [
        {"abstract": "One line. Another, about peat.", "authors": "Ward, Ann; Moor, Bo"}
    ]
