"""The forms in which awesome lists write an entry: each loses nothing and finds its title."""

from __future__ import annotations

import pytest

from corpus.curation.importing.readers.markdown.markdown import read_markdown
from tests.support.imported import cells


def only(text):
    (record,) = read_markdown(text, "README.md").rows
    return dict(record.cells)


@pytest.mark.parametrize(
    "item",
    [
        "[Light in the fen](https://a.example/1)",
        "[**Light in the fen.**](https://a.example/1)",
        "**Light in the fen** [[Paper]](https://a.example/1)",
        "**Light in the fen.** [[pdf](https://a.example/1)] [[code](https://git.example/1)]",
        "Light in the fen [[paper](https://a.example/1)]",
        "Light in the fen. [[arXiv](https://a.example/1)]",
        "[[Paper]](https://a.example/1) Light in the fen",
        "<b>Light in the fen</b>, <a href='https://a.example/1'>paper</a>",
        "“Light in the fen,” Ann Ward, Bo Moor. [[official]](https://a.example/1)",
        "Ann Ward, Bo Moor. \"Light in the fen\". ICML 2020. [[pdf]](https://a.example/1)",
        "**Light in the fen** [![arXiv](https://img.example/badge/arXiv-1-red)](https://a.example/1)",
        "[2023/10] **Light in the fen** ![](https://img.example/stars) [link](https://a.example/1)",
        "**[ICLR 2024]** Light in the fen [[abs]](https://a.example/1)",
    ],
)  # fmt: skip
@pytest.mark.parametrize("mark", ["-", "*", "1."])
def test_the_title_is_bold_or_linked_or_before_the_links(mark, item):
    cells = only(f"## Soil\n{mark} {item}\n")
    assert (cells["title"], cells["url"]) == ("Light in the fen", "https://a.example/1")


@pytest.mark.parametrize(
    ("item", "field", "value"),
    [
        ("**Bog**: How it grows [[PDF]](https://a.example/1)", "title", "Bog: How it grows"),
        ("[2023/10] **A B C** [[paper]](https://a.example)", "date", "2023-10"),
        ("(2021) **A B C** [[paper]](https://a.example)", "year", "2021"),
        ("**A B C.** *Ann Ward et al. ICML.* [[paper]](https://a.example)", "authors", "Ann Ward et al"),
        ("**A B C.** *Ann Ward et al. ICML.* [[paper]](https://a.example)", "venue", "ICML"),
        ("**A B C** *Ann Ward (Bog Trust) et al. X.* [paper](https://a.example)", "institution", "Bog Trust"),
        ("[A B C](https://a.example) *Ann Ward, Bo de Moor.* Arxiv 2023.", "authors", "Ann Ward, Bo de Moor"),
        ("[A B C](https://a.example) *Ann Ward, Bo de Moor.* Arxiv 2023.", "venue", "Arxiv 2023"),
        ("(NeurIPS'23) A B C [Paper](https://a.example)", "venue", "NeurIPS'23"),
        ("[A B C](https://a.example) `soil` `moss`", "tags", ("soil", "moss")),
        ("[A B C](https://a.example) [[Code]](https://git.example/x)", "code", "https://git.example/x"),
        ("[A B C](https://a.example) - How it grows.", "description", "How it grows"),
        ("[A B C](https://a.example)\n  - Ann Ward, Bo Moor\n  - Key: [soil], [moss]", "authors", "Ann Ward, Bo Moor"),
        ("[A B C](https://a.example)\n  - Ann Ward, Bo Moor\n  - 🔑 Key: [soil], [moss]", "Key", ("soil", "moss")),
        ("**A B C**\n  - Paper: https://a.example\n  - **Authors:** Ann Ward", "Authors", "Ann Ward"),
        ("[A B C](https://a.example)\n\n  *Ann Ward, Bo Moor.*", "authors", "Ann Ward, Bo Moor"),
        ("[A B C](https://a.example)\n\n*Ann Ward, Bo Moor.*", "authors", "Ann Ward, Bo Moor"),
        ("[A B C](https://a.example)<br>*Ann Ward, Bo Moor*<br>ICML 2020", "venue", "ICML 2020"),
    ],
)  # fmt: skip
def test_what_stands_beside_the_title_belongs_to_the_record(item, field, value):
    assert only(f"- {item}\n")[field] == value


def test_headings_bold_lines_and_groups_become_the_sections():
    text = (
        "# Bogs\n## 1. Wet\n#### Very wet\n- [Paper one here](https://a.example/1)\n\n**On maps**\n\n"
        "- [Paper two here](https://a.example/2)\n- Old ones\n  - [Paper three here](https://a.example/3)\n"
        "- [Paper four here](https://a.example/4)\n## Contributing\n- [How to add one](https://a.example/5)\n"
    )  # fmt: skip
    records = read_markdown(text, "f").rows
    assert [[r.cells.get(name) for name in ("section", "subsection", "subsubsection")] for r in records] == [
        ["Wet", "Very wet", None], ["Wet", "Very wet", "On maps"], ["Wet", "Very wet", "Old ones"],
        ["Wet", "Very wet", "On maps"],
    ]  # fmt: skip


def test_a_table_in_html_is_read_with_its_lines():
    text = (
        "## Maps\n\n<table>\n<tr><th>Paper</th><th>Year</th></tr>\n"
        "<tr><td><a href='https://a.example/1'>Bogs of the north</a></td><td rowspan=2>2019</td></tr>\n"
        "<tr><td>Bogs of the south</td></tr>\n</table>\n"
    )  # fmt: skip
    records = read_markdown(text, "f").rows
    assert [(r.place, r.cells["section"], r.cells["Paper"], r.cells["Year"]) for r in records] == [
        (5, "Maps", "Bogs of the north", "2019"),
        (6, "Maps", "Bogs of the south", "2019"),
    ]
    assert records[0].cells["url"] == "https://a.example/1"


def test_tables_and_sentences_that_list_no_works_are_no_records():
    text = (
        "Read [this](https://a.example) first.\n\n| Path | Contents |\n|---|---|\n| a.csv | the pool |\n\n"
        "## Contents\n- [Soil](#soil)\n\n## Soil\n- [A B C](https://a.example/1)\n"
    )  # fmt: skip
    records = read_markdown(text, "f")
    assert [record.cells["title"] for record in records.rows] == ["A B C"]
    assert any("line 1" in remark for remark in records.remarks)


@pytest.mark.parametrize(
    "text",
    [
        "- " * 2_000 + "[a b c](https://a.example)",
        "- **" + "A-" * 20_000 + "!** [paper](https://a.example)",
        "- [x](https://a.example) *" + "Ann Ward, " * 3_000 + "*",
        "<table>" * 5_000,
        "<table><tr><td>" * 3_000 + "</table>",
        "## A\n- [a b c](https://a.example)\n" * 3_000,
    ],
)
def test_hostile_markdown_is_read_at_once(text):
    read_markdown(text, "f")


@pytest.mark.parametrize(
    ("item", "cells"),
    [
        (
            '**Bog**: "How peat grows at night", ICML, 2019 (*Bog Trust*). '
            "[[Paper](https://a.example)][[PyTorch (annward)](https://git.example/x)]",
            {
                "title": "How peat grows at night",
                "short name": "Bog",
                "venue": "ICML, 2019",
                "url": "https://a.example",
                "code": "https://git.example/x",
            },
        ),
        (
            '**?**: "How peat grows", arXiv, 2021 (*Bog Trust*). [[Paper](https://a.example)]',
            {"title": "How peat grows", "venue": "arXiv, 2021"},
        ),
        (
            "**[How peat grows](https://a.example)** (Ward et al., ICML 2023) - *A first step.*",
            {"authors": "Ward et al.", "venue": "ICML 2023", "description": "A first step"},
        ),
        (
            "🔥 *(arXiv 2023.08)* How peat grows [[Paper](https://a.example)] "
            "[[Leaderboard](https://b.example)] [[Code]()]",
            {"title": "How peat grows", "venue": "arXiv 2023.08", "project": "https://b.example"},
        ),
        (
            "🔥 (TMLR'2024) How peat grows [[Paper](https://a.example)] [[Ranks](https://b.example)]",
            {"title": "How peat grows", "venue": "TMLR'2024", "links": "https://b.example"},
        ),
        (
            "[(2021) How peat grows](https://a.example)",
            {"title": "How peat grows", "year": "2021"},
        ),
        (
            "[ ] [Soil] [Wet moss] How peat grows, https://a.example, https://github.com/a/b",
            {
                "title": "How peat grows",
                "tags": ("Soil", "Wet moss"),
                "url": "https://a.example",
                "code": "https://github.com/a/b",
            },
        ),
        (
            "[How peat grows](https://a.example)\n  - Ward, Ann and de Moor, Bo",
            {"authors": ("Ward, Ann", "de Moor, Bo")},
        ),
        (
            "[How peat grows](https://a.example)\n  - Ann Ward, Bo (Robert) Moor",
            {"authors": "Ann Ward, Bo Moor", "institution": None},
        ),
    ],
)
def test_more_habits_of_entries(item, cells):
    found = only(f"- {item}\n")
    assert {name: found.get(name) for name in cells} == cells


def test_a_list_marker_without_its_space_begins_an_entry():
    records = read_markdown(
        "- [Peat by light](https://a.example)\n-[Salt and moss](https://b.example)\n", "f"
    )
    assert [row.cells["title"] for row in records.rows] == ["Peat by light", "Salt and moss"]


def test_pages_of_people_are_no_works():
    records = read_markdown(
        "- [Ann Ward](https://github.com/annward), Bog University\n"
        "- [Peat by light](https://github.com/annward/peat)\n",
        "f",
    )
    assert [row.place for row in records.rows] == [2]
    assert "line 1" in records.remarks[0]


def test_the_links_of_a_cell_go_where_their_labels_tell():
    records = read_markdown(
        "| Title | Materials | Stars |\n|-|-|-|\n"
        "| Peat by light | [Paper](https://a.example) \\| [Code](https://b.example) | -- |\n"
        "| Salt and moss | [Code](https://c.example) | 5 |\n",
        "f",
    )
    first, second = (row.cells for row in records.rows)
    assert (first["url"], first["code"]) == ("https://a.example", "https://b.example")
    assert "Stars" not in first
    assert second["code"] == "https://c.example"


def test_a_table_whose_titles_are_called_otherwise():
    records = read_markdown(
        "| Repository | About |\n|-|-|\n| [Peat tools](https://a.example) | for bogs |\n", "f"
    )
    assert records.rows[0].cells["title"] == "Peat tools"


def test_a_table_for_the_layout_is_named():
    records = read_markdown(
        "# A\n\n- [Peat by light](https://a.example)\n\n"
        "<table><tr><td><a href='https://b.example'>Salt</a></td></tr></table>\n",
        "f",
    )
    assert len(records.rows) == 1
    assert any("line 5" in remark for remark in records.remarks)


AWESOME = """# Awesome bogs

## Contents
- [Sensors](#sensors)

## Sensors
Some words with a [link](https://nowhere.example).

### Optical
- [Light in the fen](https://arxiv.org/abs/2103.00001) - Moor et al., *SenSys 2021*. [[code](https://git.example/fen)]
- **Peat by eye**: <https://eye.example/paper>

## Maps
| Paper | Year | Where |
|---|---|---|
| [Bogs of the north](https://north.example) | 2019 | far \\| north |
| Bogs of the south | 2020 | |
"""


def test_awesome_lists_and_tables_with_their_headings():
    records = read_markdown(AWESOME, "README.md")
    assert cells(records) == [
        {
            "section": "Sensors",
            "subsection": "Optical",
            "title": "Light in the fen",
            "url": "https://arxiv.org/abs/2103.00001",
            "authors": "Moor et al",
            "venue": "SenSys 2021",
            "code": "https://git.example/fen",
        },
        {"section": "Sensors", "subsection": "Optical", "title": "Peat by eye",
         "url": "https://eye.example/paper"},
        {"section": "Maps", "Paper": "Bogs of the north", "url": "https://north.example", "Year": "2019",
         "Where": "far | north"},
        {"section": "Maps", "Paper": "Bogs of the south", "Year": "2020"},
    ]  # fmt: skip
    assert [record.place for record in records.rows][:2] == [10, 11]
