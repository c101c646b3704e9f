"""Names that a codebook takes: what is left of what people write, and that none is given twice."""

import pytest

from corpus.curation.importing.names import ascii_words


@pytest.mark.parametrize(("text", "words"), [
    ("Évapotranspiration (daily), C++", "evapotranspiration daily c plus plus"), ("Weiß & GROSS", "weiss and gross"),
    ("Łukasz Østergaard ł ø", "lukasz ostergaard l o"), ("Þórður Æsir œuvre", "thordur aesir oeuvre"), ("C# > 5 %", "c sharp above 5 percent"),
    ("a<b", "a below b"), ("İzmir ılık", "izmir ilik"), ("Peat™ ﬁeld ²", "peattm field 2"), ("泥炭", ""), ("", ""),
])  # fmt: skip
def test_words_are_ascii_in_small_letters(text, words):
    assert ascii_words(text) == words.split()
