"""Decisions in the files of other programs, cell by cell, and what is wrong with such a file."""

import csv

import pytest

from corpus.curation.screening.decisions import CandidateScreening, Decision
from corpus.curation.screening.exchange import decisions_csv, read_decisions
from corpus.model.work import Work
from tests.support.imported import findings_of

WORKS = {
    "a": Work("wet", "Alder", ("Ward, Ann",), "2025", "Mires", arxiv="2501.00001", abstract="Wet.", url="https://a.example/"),
    "b": Work("", "=1+1", ("@x",), abstract="-x", doi="10.1234/x"),
    "c": Work("", "Carr"),
}  # fmt: skip
ANN = {
    ("a", "Ann"): Decision("a", "Ann", "include", note="nice"),
    ("b", "Ann"): Decision("b", "Ann", "exclude", "abstract", "X1", "=dry"),
    ("c", "Bo"): Decision("c", "Bo", "maybe", note="secret"),
}
SCREENING = CandidateScreening(WORKS, ANN)


def written(program):
    return list(csv.reader(decisions_csv(SCREENING, "Ann", program).splitlines()))


def test_a_spreadsheet_has_everything_that_is_decided():
    assert written("spreadsheet") == [
        ["key", "title", "authors", "year", "identifier", "abstract", "decision", "stage", "reason", "note"],
        ["a", "Alder", "Ward, Ann", "2025", "arXiv:2501.00001", "Wet.", "include", "", "", "nice"],
        ["b", "'=1+1", "'@x", "", "DOI:10.1234/x", "'-x", "exclude", "abstract", "X1", "'=dry"],
        ["c", "Carr", *[""] * 8],
    ]  # fmt: skip


def test_rayyan_and_asreview_get_their_columns():
    assert written("rayyan")[:2] == [
        ["key", "title", "authors", "year", "journal", "url", "abstract", "notes"],
        ["a", "Alder", "Ward, Ann", "2025", "Mires", "https://a.example/", "Wet.", "nice"],
    ]
    rows = written("asreview")
    assert rows[0] == ["key", "title", "authors", "year", "doi", "abstract", "included"]
    assert [(row[4], row[-1]) for row in rows[1:]] == [("", "1"), ("10.1234/x", "0"), ("", "")]


def read(tmp_path, text, reader="Cy", replace=False):
    path = tmp_path / "decisions.csv"
    path.write_text(text, "utf-8")
    return read_decisions(str(path), "decisions.csv", SCREENING, reader, "2026-01-02", replace)[0]


def codes(tmp_path, text, reader="Cy"):
    return [
        (finding.code, finding.line, finding.column)
        for finding in findings_of(read, tmp_path, text, reader)
    ]


@pytest.mark.parametrize(
    ("words", "decision"),
    [
        ("include Included 1 1.0 yes RELEVANT", "include"),
        ("exclude Excluded 0 0.0 no irrelevant", "exclude"),
        ("maybe Undecided unsure", "maybe"),
    ],
)
def test_the_words_of_other_programs(tmp_path, words, decision):
    for word in words.split():
        (found,) = read(tmp_path, f"key,decision\na,{word}\n")
        assert found == Decision("a", "Cy", decision, date="2026-01-02")


@pytest.mark.parametrize("word", ["", "-1", "NaN", "none", "Unlabeled"])
def test_what_is_not_decided_yet_is_passed_over(tmp_path, word):
    assert [found.candidate for found in read(tmp_path, f"key,decision\na,{word}\nb,1\n")] == ["b"]


def test_stage_reason_and_note_come_with_a_decision(tmp_path):
    (found,) = read(
        tmp_path,
        "title,decision,stage,Exclusion Reasons,User Notes\nALDER!,exclude,full,X2,so dry\n",
    )
    assert found == Decision("a", "Cy", "exclude", "full", "X2", "so dry", "2026-01-02")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("key,title,decision\nx,Dune,1\n", [("S202", 2, "key", "x")]),
        ("candidate,title,decision\ny,Dune,1\n", [("S202", 2, "key", "y")]),
        ("title,decision\nDune,1\n", [("S202", 2, "key", "Dune")]),
        ("key,decision\na,perhaps\n,1\n", [("S201", 2, "decision", "perhaps"), ("S202", 3, "key", "")]),
        ("key,decision\na,1\na,0\n", [("S205", 3, "decision", "a")]),
        ("key,decision\na,1\na,1\n", []),
        ("key,title\na,Alder\n", [("S204", 1, "", "")]),
    ],
)  # fmt: skip
def test_every_problem_is_located_and_all_are_told(tmp_path, text, found):
    if found:
        told = findings_of(read, tmp_path, text)
        assert [(one.code, one.line, one.column, one.value) for one in told] == found
    else:
        assert len(read(tmp_path, text)) == 1


def test_an_earlier_decision_is_changed_only_when_asked(tmp_path):
    assert codes(tmp_path, "key,decision\na,0\n", "Ann") == [("S203", 2, "decision")]
    (same,) = read(tmp_path, "key,decision\na,1\n", "Ann")
    assert same.decision == "include"
    (changed,) = read(tmp_path, "key,decision\na,0\n", "Ann", replace=True)
    assert changed.decision == "exclude"


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("a,Carr", "S206"),
        ("a,Alder", ""),
        ("a,Alder carr", ""),  # somebody corrected the title
        ("a,", ""),
        (",Dune", "S202"),  # two candidates are called so
        ("d,Dune", ""),
        (",???", "S202"),  # and one is called by what no title is compared by
        ("e,???", ""),
    ],
)
def test_a_row_is_about_the_candidate_of_its_key_and_title(tmp_path, row, code):
    works = dict(WORKS)
    for key, title in (("d", "Dune"), ("f", "dune!"), ("e", "!!")):
        works[key] = Work("", title)
    screening = CandidateScreening(works, {})
    path = tmp_path / "f.csv"
    path.write_text(f"key,title,decision\n{row},include\n", "utf-8")
    if not code:
        ((found,), _) = read_decisions(str(path), "f.csv", screening, "Cy", "2026-01-02")
        assert found.candidate == row[0]
        return
    assert [
        (f.code, f.line, f.column)
        for f in findings_of(read_decisions, str(path), "f.csv", screening, "Cy", "2026-01-02")
    ] == [(code, 2, "key")]


def test_of_two_candidates_with_one_title_the_same_work_is_meant(tmp_path):
    works = {
        "one": Work(title="Preface", authors=("Ward, Ann",), year="2019", doi="10.1234/one"),
        "two": Work(title="Preface", authors=("Moor, Bo",), year="2020", doi="10.1234/two"),
    }
    path = tmp_path / "decisions.csv"
    path.write_text("Title,DOI,decision\nPreface,10.1234/TWO,include\n", "utf-8")
    found, _ = read_decisions(str(path), "f", CandidateScreening(works, {}), "Cy", "2026-01-02")
    assert [decision.candidate for decision in found] == ["two"]
