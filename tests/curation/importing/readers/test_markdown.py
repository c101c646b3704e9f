"""Awesome lists: what of a document is an entry, below which headings, and what is left out."""

import pytest

from corpus.curation.importing.readers.markdown import read_markdown
from tests.support.imported import cells


def test_headings_become_the_sections_and_items_are_read_inside_others():
    text = (
        "# Bogs\n## 1. Wet\n#### Very wet\n- [Paper one here](https://a.example/1)\n"
        "- Old ones\n  - [Paper three here](https://a.example/3)\n"
        "## Contributing\n- [How to add one](https://a.example/5)\n"
    )
    records = read_markdown(text, "f")
    sections = [[row.cells[name] for name in ("section", "subsection")] for row in records.rows]
    assert sections == [["Wet", "Very wet"], ["Wet", "Very wet"]]
    assert [each.line for each in records.left_out] == [5, 8]


def test_tables_and_sentences_that_list_no_works_are_no_records():
    text = (
        "Read [this](https://a.example) first.\n\n| Path | Contents |\n|---|---|\n| a.csv | the pool |\n\n"
        "## Contents\n- [Soil](#soil)\n\n## Soil\n- [A B C](https://a.example/1)\n"
    )  # fmt: skip
    records = read_markdown(text, "f")
    assert [record.cells["title"] for record in records.rows] == ["A B C"]
    assert any("line 1" in remark for remark in records.remarks)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (":newspaper: Wet bogs", "Wet bogs"),
        ("Wet :+1::100: bogs :star2:", "Wet bogs"),
        ("Wet bogs {#wet}", "Wet bogs"),
        ("Wet bogs {: .no_toc }", "Wet bogs"),
        ('<a name="wet"></a>Wet bogs <!-- to do -->', "Wet bogs"),
        ("Wet bogs ![](https://img.shields.io/badge/wet-7-blue)", "Wet bogs"),
        ("Wet bogs[^1] [back to top](#top)", "Wet bogs"),
        ("[Wet bogs](#wet)", "Wet bogs"),
        ("Bogs 1:2:3 of std::wet::bog", "Bogs 1:2:3 of std::wet::bog"),
    ],
)
def test_what_a_renderer_shows_as_no_words_is_in_no_title_and_no_heading(written, read):
    text = f"# Bogs\n## {written}\n- [Paper one here](https://a.example/:x:/1)\n"
    text += f"## More\n- [{written.split('[')[0].rstrip(' !') or 'Wet bogs'} in May](https://a.example/2)\n"
    text += f"\n| Title | Venue |\n|-|-|\n| [Paper three](https://a.example/3) | {written} |\n"
    first, second, third = (row.cells for row in read_markdown(text, "f").rows)
    assert (first["section"], first["url"]) == (read, "https://a.example/:x:/1")
    assert second["title"] == f"{read} in May"
    assert third["Venue"].removesuffix(" back to top") == read


def test_a_cell_of_a_picture_alone_has_its_name():
    text = (
        "| Title | Code |\n|-|-|\n| [Paper one here](https://a.example/1) | :white_check_mark: |\n"
    )
    text += "| [Paper two here](https://a.example/2) | :x: |\n"
    assert [row.cells["Code"] for row in read_markdown(text, "f").rows] == ["white check mark", "x"]


@pytest.mark.parametrize(
    "text",
    [
        "- " * 2_000 + "[a b c](https://a.example)",
        "- **" + "A-" * 20_000 + "!** [paper](https://a.example)",
        "- [x](https://a.example) *" + "Ann Ward, " * 3_000 + "*",
        "<table>" * 5_000,
        "<table><tr><td>" * 3_000 + "</table>",
        "## A\n- [a b c](https://a.example)\n" * 1_000,
    ],
)
def test_hostile_markdown_is_read_at_once(text):
    read_markdown(text, "f")


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


def test_a_paragraph_that_begins_with_its_only_title_is_a_work():
    text = (
        "### [Peat by light](https://a.example/1)\n\n**How bogs grow.** [[code](https://git.example/x)]\n\n"
        "**How fens grow.** [paper](https://b.example)<br>**How moss grows.** [paper](https://c.example)\n"
    )
    records = read_markdown(text, "f")
    assert [row.cells["title"] for row in records.rows] == ["How bogs grow"]
    assert [each.line for each in records.left_out] == [1, 5]


def test_a_part_that_is_in_no_item_is_not_given_to_the_work_above():
    records = read_markdown(
        "- [Peat by light](https://a.example)\n- Code: <https://b.example>\n", "f"
    )
    assert [sorted(row.cells) for row in records.rows] == [["title", "url"]]
    assert [each.line for each in records.left_out] == [2]


def test_links_in_html_and_bibtex_in_code_are_not_passed_over_in_silence():
    text = (
        "# A\n\n<p>\n<a href='https://a.example'>How peat grows</a></p>\n\n"
        "<a href='https://b.example'><img src='x.png'></a>\n\n"
        "```bibtex\n@misc{a, title={Peat}}\n```\n\n```sh\npip install peat\n```\n"
    )
    records = read_markdown(text, "f")
    assert [row.place for row in records.rows] == [3]
    assert [(each.line, each.end) for each in records.left_out] == [(6, 7), (8, 10), (12, 14)]


def test_items_without_a_link_are_named_but_for_those_of_no_list():
    text = (
        "## Soil\n- [Peat by light](https://a.example)\n- **How bogs grow.** *Ann Ward. Mires 2020*\n"
        "- Old ones\n  - Ward, A. Peat. 1999\n\n## Contributing\n- Fork it\n"
    )
    records = read_markdown(text, "f")
    assert [row.place for row in records.rows] == [2, 3]
    assert [remark.rpartition(": ")[2] for remark in records.remarks] == ["lines 4, 5, 8"]


def test_a_title_whose_links_are_below_it_is_a_work():
    text = (
        "## Soil\n- Peat by light and lamp.\n  - [Code](https://a.example) [[paper](https://b.example)]\n"
        "  - Ann Ward, Bo Moor\n- Maps\n  - [Code](https://c.example)\n"
    )
    first, _ = records = read_markdown(text, "f").rows
    assert dict(first.cells) == {
        "section": "Soil",
        "title": "Peat by light and lamp",
        "code": "https://a.example",
        "url": "https://b.example",
        "authors": "Ann Ward, Bo Moor",
    }
    assert dict(records[1].cells) == {"section": "Soil", "code": "https://c.example"}


def test_below_the_tenth_item_three_spaces_are_inside_it():
    items = [f"{n}. **Peat number {n} grows**\n\n   *Ann Ward.* [[paper]](https://a.example/{n})\n" for n in range(8, 13)]  # fmt: skip
    rows = read_markdown("\n".join(items), "f").rows
    assert [row.cells["url"] for row in rows] == [f"https://a.example/{n}" for n in range(8, 13)]
    assert [row.place for row in rows] == [1, 5, 9, 13, 17]


def test_a_column_of_linked_titles_has_the_titles_whatever_its_name():
    row = "| [Light in the fen number {n}](https://a.example/{n}) | 202{n} | [Moss and peat data](https://b.example/{n}) |\n"
    text = "| Method | Year | Data |\n|-|-|-|\n" + "".join(row.format(n=n) for n in range(3))
    rows = cells(read_markdown(text, "f"))
    assert [row["title"] for row in rows] == [f"Light in the fen number {n}" for n in range(3)]


def test_a_table_whose_first_links_are_names_has_no_titles():
    text = "| Model | Data |\n|-|-|\n| [PeatPO](https://a.example) | [Moss and peat data](https://b.example) |\n"
    (row,) = cells(read_markdown(text, "f"))
    assert row["Model"] == "PeatPO"
    assert "title" not in row


def test_the_cell_of_a_title_may_have_its_venue_code_and_authors():
    text = (
        "| Name | Paper |\n|-|-|\n"
        "| PeatNet | [[AAAI 2020] How peat grows at night](https://a.example) [[Code]](https://git.example/x) |\n"
        "| MossNet | [How moss grows at night](https://b.example)<br>Ann Ward, Bo Moor |\n"
        "| Fen | **Wet fens**<br>_Ward et al., 2022_ |\n"
    )
    first, second, third = cells(read_markdown(text, "f"))
    assert third["Paper"] == "Wet fens"
    assert (first["Paper"], first["venue"], first["code"]) == (
        "How peat grows at night", "AAAI 2020", "https://git.example/x",
    )  # fmt: skip
    assert (second["Paper"], second["authors"]) == ("How moss grows at night", "Ann Ward, Bo Moor")


def test_links_in_a_heading_that_is_no_work_are_reported():
    text = (
        "# Bogs [badge](https://arxiv.org/abs/2103.00002)\n- [Peat by light](https://a.example)\n"
    )
    records = read_markdown(text, "f")
    assert [row.place for row in records.rows] == [2]
    assert [(each.line, each.end) for each in records.left_out] == [(1, 2)]
