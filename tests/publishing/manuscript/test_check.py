"""Where a manuscript says another number than the corpus, and what to write instead."""

import pytest

from corpus.analysis.numbers.published import published_numbers
from corpus.publishing.manuscript.check import check_manuscript
from tests.corpora.full import ROWS, codebook_data, full


def findings(text, sink="tex"):
    data = codebook_data()
    data["vocabularies"]["senses"]["terms"].append({"id": "rock", "definition": "Rock."})
    corpus = full({"sensors": [("ada", "Ada", "surface", "rock"), *ROWS["sensors"][1:]]}, **data)
    found, _ = check_manuscript(text, sink, "paper.tex", corpus, published_numbers(corpus))
    return found


def test_every_finding_is_at_its_number():
    found = findings("Soil.\n\n  We have 2 deep tags,\nand 1 shallow tags.\n")
    assert [(f.code, f.file, f.line, f.char, f.value) for f in found] == [
        ("M101", "paper.tex", 3, 11, "2 deep tags"), ("M102", "paper.tex", 4, 5, "1 shallow tags"),
    ]  # fmt: skip
    (late,) = findings("\n2 deep tags")
    assert (late.line, late.char) == (2, 1)
    assert (findings("2 deep tags")[0].line, findings("2 deep tags")[0].char) == (1, 1)


@pytest.mark.parametrize(("sink", "use"), [
    ("tex", r"\DepthShallow{}"), ("md", "<!-- corpus: DepthShallow -->1<!-- /corpus -->"),
])  # fmt: skip
def test_the_hint_names_what_follows_the_data(sink, use):
    (found,) = findings("There is 1 shallow tag.", sink)
    assert use in found.hint


def test_of_several_numbers_that_may_be_meant_the_right_one_is_named():
    (right,) = findings("So 1 rock tag.")
    assert "SensesRock" in right.hint
    assert "DepthRock" not in right.hint
    (wrong,) = findings("So 7 rock tags.")
    assert "1 or 0, not 7" in wrong.message
    assert r"\SensesRock{} or \DepthRock{}" in wrong.hint
    assert "senses = rock; or entries with depth = rock" in wrong.hint
