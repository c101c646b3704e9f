"""A work that a list has once per section becomes one record with its sections as values."""

from corpus.curation.importing.readers.markdown import read_markdown
from tests.support.imported import cells


def test_repeats_become_one_work_with_several_sections():
    text = (
        "# Bogs\n## Wet\n- [Peat by light alone](https://arxiv.org/abs/2103.00001) *ICML 2020*\n"
        "- [Salt and moss](https://a.example)\n"
        "## Dry\n- [Peat by light alone](https://arxiv.org/abs/2103.00001) [[code]](https://git.example/x)\n"
    )
    records = read_markdown(text, "f")
    assert cells(records)[0] == {
        "section": ("Wet", "Dry"),
        "title": "Peat by light alone",
        "url": "https://arxiv.org/abs/2103.00001",
        "venue": "ICML 2020",
        "code": "https://git.example/x",
    }
    assert len(records.rows) == 2
    assert [(each.line, each.number) for each in records.left_out] == [(6, 1)]


def test_equal_titles_of_different_identifiers_stay_two_works():
    text = (
        "- [Peat by light alone](https://arxiv.org/abs/2103.00001)\n"
        "- [Peat by light alone](https://arxiv.org/abs/2103.00002)\n"
    )
    assert len(read_markdown(text, "f").rows) == 2


def test_one_address_under_two_titles_stays_two_works():
    text = (
        "- [Peat by light alone](https://arxiv.org/abs/2103.00001)\n"
        "- [How moss is measured](https://arxiv.org/abs/2103.00001)\n"
    )
    assert len(read_markdown(text, "f").rows) == 2


def test_what_differs_is_kept():
    text = (
        "| Paper | Year | Link |\n|-|-|-|\n"
        "| Peat by light | 2020 | [paper](https://arxiv.org/abs/2103.00001) |\n"
        "| Peat by light: a survey of lamps | 2021 | [paper](https://arxiv.org/abs/2103.00001v2) |\n"
    )
    (row,) = cells(read_markdown(text, "f"))
    assert (row["Paper"], row["Year"]) == ("Peat by light", "2020")
    assert row["links"] == ("https://arxiv.org/abs/2103.00001v2",)
    assert set(row["notes"]) == {"Paper: Peat by light: a survey of lamps", "Year: 2021"}


def test_a_title_in_a_list_and_in_a_table_is_in_one_column():
    text = (
        "- [Peat by light alone](https://arxiv.org/abs/2103.00001)\n\n"
        "| Paper | Year |\n|-|-|\n| [Peat by light alone](https://arxiv.org/abs/2103.00001) | 2021 |\n"
    )
    (row,) = cells(read_markdown(text, "f"))
    assert (row["title"], row["Year"]) == ("Peat by light alone", "2021")
    assert "Paper" not in row
