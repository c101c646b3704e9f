"""An entry that a list has in several sections is one record with its sections as values."""

from corpus.curation.importing.readers.markdown import read_markdown
from tests.support.imported import cells


def test_an_entry_of_several_sections_is_one_record():
    text = (
        "# Bogs\n## Wet\n- [Peat by light alone](https://arxiv.org/abs/2103.00001) *ICML 2020*\n"
        "- [Salt and moss](https://a.example)\n"
        "## Dry\n- [Peat by light alone](https://arxiv.org/abs/2103.00001) *ICML 2020*\n"
    )
    records = read_markdown(text, "f")
    assert cells(records)[0] == {
        "section": ("Wet", "Dry"),
        "title": "Peat by light alone",
        "url": "https://arxiv.org/abs/2103.00001",
        "venue": "ICML 2020",
    }
    assert len(records.rows) == 2
    assert [(each.line, each.number) for each in records.left_out] == [(6, 1)]


def test_what_differs_in_anything_stays_two_records():
    text = (
        "- [Peat by light alone](https://arxiv.org/abs/2103.00001)\n"
        "- [Peat by light alone](https://arxiv.org/abs/2103.00002)\n"
        "- [How moss is measured](https://arxiv.org/abs/2103.00001)\n"
    )
    assert len(read_markdown(text, "f").rows) == 3
