"""Names of milestones never cover each other or the lines that run down from them."""

from hypothesis import given
from hypothesis import strategies as st

from corpus.publishing.figures.drawing.milestones import named_places

PLACES = st.lists(st.integers(0, 60), unique=True, max_size=9).map(sorted)


@given(PLACES, st.text("mii ", min_size=1, max_size=30))
def test_names_and_their_lines_do_not_touch(places, name):
    marks = {0.3 + place / 20: name for place in places}
    names, key = named_places(marks, 3.5)
    assert [item.x for item in names] == list(marks)
    if key:
        return  # the names do not fit: numbers are above the columns, the key says what they mean
    for one in names:
        assert 0 <= one.left <= one.right <= 3.5 + 1e-9
        for other in names:
            if one is not other and one.level == other.level:
                assert one.right < other.left or other.right < one.left
            if one.level > other.level:
                assert not other.left < one.x < other.right


def test_numbers_with_a_key_replace_names_that_do_not_fit():
    marks = {0.3 + place / 10: f"a very long name of milestone {place}" for place in range(30)}
    names, key = named_places(marks, 3.5)
    assert [name.text for name in names] == [str(number) for number in range(1, 31)]
    assert key.startswith("1 a very long name of milestone 0; 2 ")
