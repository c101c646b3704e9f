"""The cards of an appendix."""

import io

import pytest

from tests.support.conformance import needed
from tests.support.latex_machine import need_latex


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
