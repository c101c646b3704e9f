"""Of plausible mistakes, made by kind with a fixed seed, the checks find at least nine in ten."""

from tests.support.mistakes import END, PAGE, START, Corpus, table, tried

#: Kinds that the checks cannot know of: nothing stored says otherwise. A record may well be screened
#: after the cutoff, so a wrong day there looks like a right one.
OFTEN_MISSED = {
    "exclusion: screened after the cutoff",
    "exclusion: screened before the search",
    "exclusion: another stage",
    "venue: that of another entry",
    "text: copied from another row",
}


def test_nine_of_ten_mistakes_are_found():
    """No kind is missed in silence, and the page has these numbers: `python -m tests.support.mistakes` writes them."""
    numbers = tried(Corpus())
    made, found = map(sum, zip(*numbers.values(), strict=True))
    assert made >= 200
    assert found >= 0.9 * made
    assert {name for name, (made, found) in numbers.items() if found < made} <= OFTEN_MISSED
    page = PAGE.read_text("utf-8")
    assert page.partition(START)[2].partition(END)[0].strip() == table(numbers)
