import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.canvas.paper import fitting, one_line, text_width, wrap
from corpus.canvas.style import SMALL, style

WORDS = st.text(st.sampled_from("abc defgh-ijk/lmno, WÄ\u00a0"), max_size=60)


@given(WORDS, st.floats(0.3, 3))
def test_every_line_fits_and_nothing_is_lost(text, width):
    with style():
        lines = wrap(text, SMALL, width)
        assert all(text_width(line, SMALL) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb\tc", "a b c"),
        ("a\x1b[1m", "a\ufffd[1m"),
        ("a\u202eb", "a\ufffdb"),
        ("n\u00a0=\u00a01", "n\u00a0=\u00a01"),
        ("Zoë Привет Ελλάς", "Zoë Привет Ελλάς"),
        ("王 한", "[U+738B] [U+D55C]"),
    ],
)
def test_what_has_no_shape_is_shown_as_such(text, shown):
    assert one_line(text) == shown


def test_a_line_does_not_break_at_a_no_break_space():
    with style():
        found = wrap("reason (n\u00a0=\u00a01)", SMALL, text_width("reason (n ", SMALL))
        assert found == ["reason", "(n\u00a0=\u00a01)"]


def test_type_shrinks_to_fit_and_never_grows():
    assert text_width("12345", fitting("12345", 7, 0.1)) <= 0.1001
    assert fitting("1", 7, 3) == 7
