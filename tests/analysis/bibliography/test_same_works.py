import pytest

from corpus.analysis.bibliography import same_works
from corpus.analysis.bibliography.same_works import WINDOW, WorkGroups, WorkIndex, near_titles
from corpus.model.work import Work

BOG = Work(title="Credit assignment in raised bogs", arxiv="2601.00001")
FEN = Work(title="A survey of fens")


def view(title="", *links):
    return Work(title=title, links=links)


def test_a_shared_identifier_goes_before_any_title():
    index = WorkIndex({"bog": BOG, "fen": FEN}, 1)
    assert index.find(view("a survey of fens", "arXiv:2601.00001")) == ("bog", "arxiv:2601.00001")
    assert index.find(view("", "doi:10.1234/x")) is None


@pytest.mark.parametrize("title", ["a survey of fens", "a survey of fenns"])
def test_the_same_and_a_near_title_are_one_work(title):
    assert WorkIndex({"bog": BOG, "fen": FEN}, 1).find(view(title)) == ("fen", "title")


def test_near_titles_are_left_out_where_too_many_pairs_would_be_compared(monkeypatch):
    monkeypatch.setattr(same_works, "TRIED", 1)
    index = WorkIndex({"bog": BOG, "fen": FEN}, 1)
    assert index.find(view("a survey of fenns")) is None
    assert index.find(view("a survey of fens")) == ("fen", "title")


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


LONG_TITLE = "theslowgrowthofmossonwetstonesinthenorth"


def test_a_changed_beginning_is_found_among_more_neighbours_than_the_window():
    """Sorted by the text, the two are far apart; sorted by the reversed text, they are neighbours."""
    changed = "z" + LONG_TITLE[1:]
    between = [f"u{number:02}bogandfenandmire" for number in range(3 * WINDOW)]
    pairs = [(first, second) for first, second, _ in near_titles([LONG_TITLE, *between, changed])]
    assert (LONG_TITLE, changed) in pairs
