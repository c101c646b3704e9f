"""Names of authors: what compares as one person."""

import pytest

from corpus.curation.check.works.source_records import person


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ward, Ann", "ward,ann"),
        ("García-Mira, José", "Garcia Mira, Jose"),
        ("Ørsted, Łucja", "Orsted, Lucja"),
        ("Weiß, J. A.", "Weiss, JA"),
        ("Bog Sensing Team", "bog sensing team"),
        ("李, 明", "李,明"),
    ],
)
def test_accents_punctuation_and_case_do_not_count(name, other):
    assert person(name) == person(other)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ward, Ann", "Ann, Ward"),
        ("Ward, Ann", "Ward, Anna"),
        ("李, 明", "王, 明"),
        ("Иванов, И", "Петров, И"),
        ("Ward, Ann", "Ward Ann"),
    ],
)
def test_other_letters_are_another_person(name, other):
    """Also in scripts that have no ASCII form."""
    assert person(name) != person(other)
