"""What the typeface can show, and how wide a text is."""

from corpus.canvas.typeface import drawable, hinted_width, missing_glyphs, outline_width


def test_characters_without_a_glyph_become_codes():
    assert drawable("Łódź → 機") == "Łódź → [U+6A5F]"
    assert missing_glyphs("機 Łódź 機🙂") == ["機", "🙂"]


def test_a_text_that_is_too_long_is_cut_between_codes():
    whole = drawable("機" * 9)
    width = hinted_width(whole, 8.5) / 2
    cut = drawable("機" * 9, width, 8.5)
    assert cut == whole[: len(cut) - 1] + "…"
    assert cut.endswith("]…")
    assert hinted_width(cut, 8.5) <= width


def test_words_from_right_to_left_are_between_marks_that_keep_the_order_around_them():
    assert drawable("מזהה 2: 3") == "\u200eמזהה\u200e 2: 3"


def test_hinted_text_is_given_more_space_than_its_outlines_take():
    assert hinted_width("wide", 7) > outline_width("wide", 7)


def test_each_face_is_asked_for_its_own_glyphs():
    sans_serif = "\N{MATHEMATICAL SANS-SERIF CAPITAL A}"
    assert drawable(sans_serif) == sans_serif
    assert drawable(sans_serif, weight="bold") == "[U+1D5A0]"
    assert missing_glyphs("سلام", "italic") == ["س", "ل", "ا", "م"]
    assert missing_glyphs("سلام") == []
