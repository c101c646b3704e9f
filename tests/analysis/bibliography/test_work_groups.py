"""Records of one work get together; different works never do."""

import pytest

from corpus.analysis.bibliography.same_works import WorkGroups
from corpus.model.work import Work

LONG = "The slow growth of moss on wet stones in the north"


def groups(*titles, known=0, identities=()):
    made = WorkGroups()
    numbers = []
    for place, title in enumerate(titles):
        links = identities[place] if place < len(identities) else ()
        numbers.append(made.add(Work(title=title, links=tuple(links))))
    made.join_near_titles(known=known)
    return [made.group_of(number) for number in numbers]


def test_an_identifier_or_a_title_is_enough_and_links_further_records():
    marks = (
        ["acl:P18-1001"],
        ["acl:P18-1001", "doi:10.1234/2"],
        ["doi:10.1234/2"],
        ["doi:10.1234/3"],
    )
    assert groups("Peat", "", "Moss", "moss!", "", identities=marks) == [0, 0, 0, 0, 4]


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (LONG.replace("growth", "grwoth"), True),
        (f"{LONG} 2", False),
        ("The slow growth of lichen on dry walls in the south", False),
    ],
)
def test_a_typing_error_is_the_same_work_and_another_number_another(other, same):
    assert groups(LONG, other) == [0, 0 if same else 1]


def test_parts_of_one_work_stay_apart():
    assert groups(f"{LONG}, part 1", f"{LONG}, part 2") == [0, 1]


def test_two_rows_of_the_corpus_stay_two_works_and_a_record_joins_the_first():
    typo = LONG.replace("growth", "grwoth")
    assert groups(LONG, typo, known=2) == [0, 1]
    assert groups(LONG, typo, known=1) == [0, 0]
