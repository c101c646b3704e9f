"""Titles that are nearly the same are paired, whatever part of them differs."""

from corpus.analysis.bibliography.same_works import WINDOW, near_titles

LONG = "theslowgrowthofmossonwetstonesinthenorth"


def test_a_changed_beginning_is_found_among_more_neighbours_than_the_window():
    """Sorted by the text, the two are far apart; sorted by the reversed text, they are neighbours."""
    changed = "z" + LONG[1:]
    between = [f"u{number:02}bogandfenandmire" for number in range(3 * WINDOW)]
    pairs = [(first, second) for first, second, _ in near_titles([LONG, *between, changed])]
    assert (LONG, changed) in pairs
