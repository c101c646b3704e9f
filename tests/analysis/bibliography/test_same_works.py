"""Every row that describes a work is found once, and which rows are one work."""

from corpus.analysis.bibliography.same_works import (
    WINDOW,
    WorkGroups,
    WorkIndex,
    known_rows,
    near_titles,
)
from corpus.model.work import Work
from tests.corpora.full import ROWS, codebook_data, declared, full

BOG = Work(title="Credit assignment in raised bogs", arxiv="2601.00001")
FEN = Work(title="A survey of fens")


def view(title="", *links):
    return Work(title=title, links=links)


def test_a_shared_identifier_goes_before_any_title():
    index = WorkIndex({"bog": BOG, "fen": FEN})
    assert index.find(view("a survey of fens", "arXiv:2601.00001")) == "bog"
    assert index.find(view("a survey of fens")) == "fen"
    assert index.find(view("", "doi:10.1234/x")) == ""


LONG = "The slow growth of moss on wet stones in the north"


def groups(*titles, known=0, identities=()):
    made = WorkGroups()
    numbers = []
    for place, title in enumerate(titles):
        links = identities[place] if place < len(identities) else ()
        work = Work(title=title, links=tuple(links), authors=("Ward, Ann",), year="2020")
        numbers.append(made.add(work))
    made.join_near_titles(known=known)
    return [made.group_of(number) for number in numbers]


def test_an_identifier_or_a_title_is_enough_and_links_further_records():
    marks = (
        ["acl:P18-1001"],
        ["acl:P18-1001", "doi:10.1234/2"],
        ["doi:10.1234/2"],
        [],
        ["doi:10.1234/3"],
        ["doi:10.1234/4"],
    )
    # The last one has the title of the fourth, and another DOI than the third.
    assert groups("Peat", "", "Moss", "moss!", "", "Moss", identities=marks) == [0, 0, 0, 0, 4, 5]


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


LISTED = {
    "file": "listed.csv",
    "role": "coverage",
    "key": ["nr"],
    "columns": [
        declared("nr", "key", role="key"),
        declared("label", role="title"),
        declared("verdict", "term", role="verdict", required=False),
    ],
}  # fmt: skip
CANDIDATES = {
    **LISTED, "file": "waiting.csv", "role": "candidates", "columns": LISTED["columns"][:2],
}  # fmt: skip
VERDICTS = {
    "terms": [{"id": name, "definition": "."} for name in ("missed", "later", "not")],
    "groups": [{"id": "in_scope", "label": "In scope", "terms": ["missed", "later"]}],
}


def study(rows=None, verdict=None, groups=True):
    data = codebook_data()
    listed = {**LISTED, "columns": [dict(column) for column in LISTED["columns"]]}
    if verdict:
        listed["columns"][2].update(verdict)
    data["tables"] = {**data["tables"], "listed": listed, "waiting": CANDIDATES}
    data["vocabularies"]["verdict"] = dict(VERDICTS)
    if not groups:
        data["vocabularies"]["verdict"].pop("groups")
    return full({"listed": [], "waiting": [], **(rows or {})}, **data)


def test_rows_are_in_the_order_of_the_places_and_the_bibliography_adds_to_entries_alone():
    dated = [("ada", "2020"), ("zoe", "2020")]
    made = study(
        {"dated": dated, "waiting": [("w1", "Waiting")], "listed": [("l1", "Listed", "missed")]}
    )
    found = [
        (known.place, known.located.key, known.located.table.spec.name)
        for known in known_rows(made)
    ]
    pool = [("pool", row[0], "sensors") for row in ROWS["sensors"]]
    excluded = [("excluded", row[0], "dropped") for row in ROWS["dropped"]]
    assert found == [
        *pool, ("pool", "ada", "dated"), *excluded, ("candidate", "w1", "waiting"), ("judged", "l1", "listed"),
    ]  # fmt: skip


LIST = [("l1", "A", "missed"), ("l2", "B", "not"), ("l3", "C", ""), ("l4", "D", "later")]


def judged_in(made):
    return {one.located.key: one.in_scope for one in known_rows(made) if one.place == "judged"}


def test_a_verdict_is_in_scope_by_its_group_and_a_record_without_one_is_not_judged():
    assert judged_in(study({"listed": LIST})) == {"l1": True, "l2": False, "l4": True}
