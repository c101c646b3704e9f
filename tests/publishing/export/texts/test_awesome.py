import pytest
from markdown_it import MarkdownIt

from corpus.analysis.bibliography.works import works
from corpus.publishing.export.texts.awesome import export, list_line
from tests.corpora.full import full, full_of, sensor


def test_entries_are_below_the_terms_in_their_order():
    lines = export(full()).decode().splitlines()
    headings = [line for line in lines if line.startswith("## ")]
    assert headings == ["## Contents", "## surface", "## shallow", "## deep", "## none"]
    line = lines[lines.index("## surface") + 4]
    assert (
        line
        == "- [Rain above Ada's antenna](https://arxiv.org/abs/2011.00010) - Ward, Soil Trust, Journal of Soil, 2020."
    )


def test_a_hostile_title_is_text():
    title = "](javascript:alert(1)) <script> ![x](y) | @me\n# h"
    html = MarkdownIt("commonmark").render(export(full_of(sensor("a", name=title))).decode())
    assert "<script" not in html
    assert "<img" not in html
    assert '<a href="javascript' not in html
    assert html.count("<h1>") == 1


def test_an_address_that_is_none_is_no_link():
    text = export(full_of(sensor("a", url="javascript:alert(1)"))).decode()
    assert "javascript" not in text
    assert "- **a**" in text


@pytest.mark.parametrize(
    ("authors", "venue", "about"),
    [
        ("Ward, Ann; Li, Bo; Poe, Cy", "Mires", "Ward, Li, Poe, Mires, 2020."),
        ("Ward, Ann; Li, Bo; Poe, Cy; Roe, Di", "", "Ward et al., 2020."),
        ("Ward, Ann", "MIRES 2020", "Ward, MIRES 2020."),
        ("", "Is it wet?", "Is it wet?, 2020."),
    ],
)
def test_a_line_tells_who_where_and_when(authors, venue, about):
    (work,) = works(full_of(sensor("a", authors=authors, venue=venue, year="2020")))
    assert list_line(work).about == about
    if authors == "Ward, Ann":
        assert list_line(work._replace(complete=False)).about == "Ward et al., MIRES 2020."
