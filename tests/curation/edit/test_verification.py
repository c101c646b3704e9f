"""What a source states now against its record: what differs, and what only looks different."""

import pytest

from corpus.curation.edit.source_record import differences, stored_records, verified
from corpus.model.finding import UsageProblem
from corpus.model.work import Work
from tests.corpora.full import codebook_data, full

ROLES = (
    "key",
    "identifier",
    "title",
    "authors",
    "first_version",
    "doi",
    "venue",
    "status",
    "read_on",
)
RECORDS = {
    "file": "stated.csv",
    "role": "source_records",
    "key": ["key", "identifier"],
    "columns": [
        {"name": role, "type": "verbatim", "role": role, "required": False, "definition": "X."}
        for role in ROLES
    ],
}
ADA = (
    "ada",
    "arXiv:2011.00010",
    "Rain above",
    "Ward, Ann",
    "2020-11-02",
    "",
    "",
    "available",
    "2021-01-01",
)
BOB = ("bob", "arXiv:2011.00002", "Birches", "", "", "", "", "available", "2021-01-01")


def study(*rows):
    data = codebook_data()
    data["tables"]["stated"] = RECORDS
    return full({"stated": list(rows)}, **data)


#: Field of a candidate -> the role that a record has it by.
FIELDS = {
    "title": "title",
    "authors": "authors",
    "first_version": "first_public",
    "doi": "doi",
    "venue": "venue",
}


def changed(role, before, after):
    """Return what one role is stated otherwise by, before and after; None where it is not."""
    value = tuple(after.split("; ")) if role == "authors" else after
    candidate = Work("arXiv")._replace(**{FIELDS[role]: value})
    found = differences({role: before}, candidate)
    return list(found.values())


@pytest.mark.parametrize(
    ("role", "before", "after"),
    [
        ("title", "Rain above", "Rain over"),
        ("title", "", "Rain above"),
        ("authors", "Ward, Ann", "Ward, Ann; Li, Bo"),
        ("authors", "Ward, Ann; Li, Bo", "Li, Bo; Ward, Ann"),
        ("authors", "李, 明", "王, 芳"),
        ("authors", "Иванов, Иван", "Петров, Пётр"),
        ("first_version", "2020-11-02", "2020-11-03"),
        ("first_version", "2020-11", "2020-11-02"),
        ("first_version", "2020-11-02", "2021"),
        ("first_version", "soon", "2020"),
        ("doi", "", "10.1234/x"),
        ("venue", "ICML 2020", "ICML 2021"),
    ],
)
def test_what_is_stated_otherwise_or_beyond_is_a_change(role, before, after):
    assert changed(role, before, after) == [(before, after)]


def test_what_a_corpus_does_not_record_is_not_compared():
    assert differences({"title": "Rain"}, Work("arXiv", "Rain", ("Ward, Ann",), venue="ICML")) == {}


def test_a_verified_record_is_dated_anew_and_the_others_stay():
    corpus = study(ADA, BOB)
    first, _ = stored_records(corpus)
    changes = {"title": ("Rain above", "Rain over"), "doi": ("", "10.1234/x")}
    changes["status"] = ("", "withdrawn")
    assert verified(corpus, first, changes, "2021-03-03").tables["stated"].rows == [
        ("ada", "arXiv:2011.00010", "Rain over", "Ward, Ann", "2020-11-02", "10.1234/x", "", "withdrawn", "2021-03-03"),
        BOB,
    ]  # fmt: skip
    assert verified(corpus, first, {}, "2021-03-03").tables["stated"].rows == [
        (*ADA[:-1], "2021-03-03"),
        BOB,
    ]


def test_two_records_of_one_entry_are_told_apart_by_their_identifier():
    other = ("ada", "DOI:10.1234/x", *ADA[2:])
    corpus = study(ADA, other)
    second = stored_records(corpus)[0]
    rows = verified(corpus, second, {}, "2021-03-03").tables["stated"].rows
    assert [row[-1] for row in rows if row[1] == second.identifier] == ["2021-03-03"]
    assert [row[-1] for row in rows if row[1] != second.identifier] == ["2021-01-01"]


def test_a_corpus_without_source_records_is_told_so():
    with pytest.raises(UsageProblem):
        stored_records(full())
