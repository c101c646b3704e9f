"""Names of authors: what compares as one person, and how lists of them differ."""

import pytest

from corpus.curation.check.works.source_records import difference, person, persons


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


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("Ward, Ann; et al.", "etal is written for li bo"),
        ("Li, Bo; Ward, Ann; Fen, Cy", "order"),
        ("Ann, Ward; Li, Bo; Fen, Cy", "ann ward is written for ward ann"),
        ("Ward, Ann; Li, Bo", "fen cy is missing"),
        ("Ward, Ann; Li, Bo; Fen, Cy; Moor, Dee", "moor dee is one too many"),
        ("Ward, Ann; Lee, Bo; Fen, Cy", "lee bo is written for li bo"),
        ("Ward, Ann; Li, Bo; Fen, Cy; Li, Bo", "li bo is one too many"),
    ],
)
def test_a_difference_is_named(written, words):
    assert words in difference(persons(written), persons("Ward, Ann; Li, Bo; Fen, Cy"))
