"""What cells of foreign files become before anything is made of them."""

import pytest

from corpus.curation.importing.readers.records import plain


@pytest.mark.parametrize("around", ["", "\t"], ids=["printable", "with a tab"])
def test_letters_are_composed_and_other_characters_kept(around):
    assert plain(f"Cafe\u0301: m² in ½ a ﬁeld{around}") == "Café: m² in ½ a ﬁeld"
