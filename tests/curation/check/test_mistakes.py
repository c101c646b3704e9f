"""Of plausible mistakes, made by kind with a fixed seed, the checks find at least nine in ten."""

import re

import pytest

from tests.support.mistakes import END, NEW_END, NEW_START, PAGE, START, Corpus, table, tried
from tests.support.new_mistakes import NEW_KINDS, tried_anew

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


#: Kinds of which each mistake must be found: what was published, and what everything rests on.
NEVER_SILENT = (
    "release: a date in the copy of the bibliography",
    "release: taken off the list",
    "protocol: misspelt key",
    "claim: guards nothing any more",
    "codebook: fewer cells count as thin",
    "address: host that looks like an archive",
)


@pytest.mark.parametrize("name", NEVER_SILENT)
def test_mistakes_of_kinds_that_were_drawn_anew_are_found(tmp_path, name):
    kinds = tuple(kind for kind in NEW_KINDS if kind.name == name)
    [(_, tally)] = tried_anew(tmp_path, 1, kinds)
    assert tally.found == tally.made == 1


def test_where_nothing_is_found_the_page_tells_why():
    """Of at least 40 kinds."""
    table = PAGE.read_text("utf-8").partition(NEW_START)[2].partition(NEW_END)[0].strip()
    rows = re.findall(r"^\| (?!why|---)(.*?) \| (.+) \|$", table, flags=re.MULTILINE)
    assert rows
    assert len(NEW_KINDS) >= 40
    for reason, names in rows:
        assert reason
        assert set(names.split("; ")) <= {kind.name for kind in NEW_KINDS}
