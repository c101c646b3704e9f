"""The cards of an appendix: three formats, own templates, hostile cells."""

import io

import pytest

from tests.support.conformance import needed
from tests.support.latex_machine import need_latex


@pytest.mark.parametrize(
    ("format_", "template", "printed"),
    [
        ("latex", "<% for card in cards %><< card.key >>: << card.lines[0].text >>\n<% endfor %>", "fen: optical"),
        ("markdown", "{% for card in cards %}{{ card.title }}\n{% endfor %}", "Light in the fen"),
        ("html", "{% for card in cards %}<p>{{ card.people }}</p>{% endfor %}", "<p>Bo Moor</p>"),
    ],
)  # fmt: skip
def test_an_own_template_is_filled(run, minimal, format_, template, printed):
    path = minimal.parent / "card.template"
    path.write_text(template, encoding="utf-8")
    result = run(
        "render-appendix", "--part", "cards", "--where", "probe=optical", "--format", format_,
        "--template", path, "--data", minimal,
    )  # fmt: skip
    assert printed in result.output


def test_the_part_has_the_cards_of_the_chosen_entries_and_all_leaves_it_out(run, minimal):
    arguments = ("render-appendix", "--format", "html", "--data", minimal, "--part")
    chosen = run(*arguments, "cards", "--where", "probe=optical").output
    assert 'id="cards-fen"' in chosen
    assert 'id="cards-clay"' not in chosen
    assert 'id="cards"' not in run(*arguments, "all").output


@pytest.mark.slow
def test_two_cards_fit_on_a_page(run, real):
    """Every card fits on half a page, in the compiled document."""
    need_latex()
    path = real / "cards.pdf"
    run("render-appendix", "--part", "cards", "--format", "pdf", "-o", path, "--data", real)
    pages = needed("pypdf").PdfReader(io.BytesIO(path.read_bytes())).pages
    starts = [page.extract_text().count("Neighbours") for page in pages]
    assert sum(starts) == 84
    # The first page has the title of the document as well.
    assert starts[0] >= 1
    assert all(number >= 2 for number in starts[1:-1])
