"""The report of a change in its formats: what is listed, cut, counted and escaped."""

import json

import pytest

from corpus.analysis.claims.claim import Claim, Expectation
from corpus.analysis.claims.claim_rules import CLAIM_FAILS
from corpus.analysis.claims.evaluate import ClaimOutcome
from corpus.curation.changes.changes import CellChange, RowChange, compare
from corpus.curation.changes.consequences import (
    CellMove,
    ClaimChange,
    Consequences,
    CountChange,
    NumberChange,
)
from corpus.curation.changes.declared import DeclarationChange
from corpus.curation.changes.headline import ChangeReport, headline
from corpus.curation.changes.report import (
    LISTED,
    changes_github,
    changes_json,
    changes_markdown,
    changes_text,
    cut_lines,
    report_grids,
)
from corpus.curation.changes.sentence import shortened
from corpus.curation.changes.weakened import Weakening
from corpus.curation.check import references
from corpus.printing.findings import ANNOTATIONS
from corpus.tables.cells import DOI_FORM, MARKUP
from tests.corpora.full import full

BOOK = full().codebook
CELLS = (
    CellChange("sensor", "", "fir"),
    CellChange("name", "", "Fir"),
    CellChange("senses", "", "gas"),
    CellChange("depth", "", "deep"),
)
ADDED = RowChange("sensors", "added", "fir", "fir", "Fir", CELLS, "data/sensors.csv", 6)
REMOVED = RowChange("uses", "removed", "dam/dot", "dam/dot", "", (
    CellChange("use", "dam", ""), CellChange("sensor", "dot", ""), CellChange("proof", "lab", ""), CellChange("limit", "one dam", ""),
))  # fmt: skip
RENAMED = RowChange(
    "sensors",
    "renamed",
    "aspen",
    "ada",
    "Rain",
    (CellChange("year", "2020", "2021"),),
    "data/sensors.csv",
    2,
)
CHANGED = RowChange(
    "sensors",
    "changed",
    "bob",
    "bob",
    "Birches",
    (CellChange("depth", "deep", ""), CellChange("year", "", "2021")),
    "data/sensors.csv",
    3,
)


def outcome(number=5, tracked=False):
    claim = Claim("size", "", "Five are known.", "", (), (), Expectation("count", 5), tracked)
    return ClaimOutcome(claim, number)


def report(*rows, **parts):
    declared = parts.pop("declarations", ())
    changes = compare(full(), full())._replace(rows=tuple(rows), declarations=declared)
    return ChangeReport("v1", "now", BOOK, changes, parts.pop("consequences", None), **parts)


def grids(found, length=48):
    return {grid.title: grid for grid in report_grids(found, length)}


def breaking(margins=(1, None), tracked=False):
    return ClaimChange("breaks", outcome(), outcome(6, tracked), margins)


MOVED = Consequences(
    (CountChange("sensors", "rows", 5, 6), CountChange("depth", "deep", 3, 1)),
    (CellMove("Depth", "deep", "gas", 0, 1, ""), CellMove("Depth", "deep", "salt", 2, 3, "")),
    (CountChange("depth", "gaps", 4, 3),),
    (breaking(),),
    (NumberChange("N", "5", "6"), NumberChange("M", "", "1"), NumberChange("K", "2", "")),
)
TYPE = DeclarationChange(
    "codebook", ("tables", "sensors", "columns", "doi", "type"), "changed", "doi", "text"
)


def test_the_most_urgent_table_is_first():
    weakened = (Weakening("codebook.toml", "rule r", "is removed"),)
    found = report(
        ADDED, REMOVED, CHANGED, weakened=weakened, consequences=MOVED, declarations=(TYPE,),
        under_older=(DOI_FORM.rule.at("data/sensors.csv", 3, "doi", "x"),), stale=("figures/a.svg",),
    )  # fmt: skip
    assert [grid.title for grid in report_grids(found, 48)] == [
        "Weaker checks", "Claims", "Findings under v1 alone", "Codebook and documents", "Rows added", "Rows removed",
        "Cells changed", "Counts", "Cells", "Sparsity", "Numbers in print", "Stale generated files",
    ]  # fmt: skip
    assert list(report_grids(report(), 48)) == []


def test_rows_are_listed_with_title_and_tags_and_cells_with_both_values():
    found = grids(report(ADDED, REMOVED, RENAMED, CHANGED))
    assert found["Rows added"].rows == (("sensors", "fir", "Fir", "deep, gas"),)
    # Without a title, what the row has beside its key.
    assert found["Rows removed"].rows == (("uses", "dam/dot", "lab; one dam", ""),)
    assert found["Cells changed"].rows == (
        ("sensors", "aspen", "key", "ada", "aspen"), ("sensors", "aspen", "year", "2020", "2021"),
        ("sensors", "bob", "depth", "deep", "empty"), ("sensors", "bob", "year", "empty", "2021"),
    )  # fmt: skip


def test_numbers_have_their_difference_and_what_is_new_or_gone():
    found = grids(report(consequences=MOVED))
    assert found["Counts"].rows == (
        ("sensors", "rows", "5", "6", "+1"),
        ("depth", "deep", "3", "1", "-2"),
    )
    assert found["Cells"].rows == (
        ("Depth", "deep", "gas", "0", "1", "fills"),
        ("Depth", "deep", "salt", "2", "3", ""),
    )
    assert found["Numbers in print"].rows == (
        ("N", "5", "6"),
        ("M", "new", "1"),
        ("K", "2", "gone"),
    )


def test_only_an_open_claim_needs_a_note():
    accepted = outcome(6)
    accepted = accepted._replace(claim=accepted.claim._replace(accepted=accepted.differences))
    assert accepted.verdict == "acknowledged"
    known = ClaimChange("breaks", outcome(), accepted, (1, None))
    new = ClaimChange("new", None, outcome(), (None, 1))
    closed = grids(report(consequences=MOVED._replace(claims=(known, new))))["Claims"]
    assert [row[1] for row in closed.rows] == ["breaks (acknowledged)", "new"]
    assert closed.note == ""
    is_open = grids(report(consequences=MOVED._replace(claims=(breaking(), new))))["Claims"]
    assert "corpus claims --acknowledge" in is_open.note


def test_so_many_rows_are_listed_and_the_others_counted():
    def rows(number):
        return [ADDED._replace(key=f"k{n}") for n in range(number)]

    assert grids(report(*rows(LISTED)))["Rows added"].note == ""
    found = grids(report(*rows(LISTED + 1)))["Rows added"]
    assert (len(found.rows), found.note[:2]) == (LISTED, "1 ")


@pytest.mark.parametrize(
    ("before", "after", "length", "shown"),
    [
        ("", "a", 20, ("empty", "a")),
        ("a" * 20, "b" * 20, 20, ("a" * 20, "b" * 20)),
        ("a" * 21, "b", 20, ("a" * 19 + "…", "b")),
        ("a" * 30 + "b", "a" * 30 + "c", 20, ("…aaaaaaaab", "…aaaaaaaac")),
        ("a" * 30, "a" * 30 + "b", 20, ("…aaaaaaaa", "…aaaaaaaab")),
        ("a ", "a", 20, ('"a "', '"a"')),
        ("a\u202eb", "ab", 20, ("a\\u202eb", "ab")),
    ],
)
def test_long_values_are_cut_where_they_differ(before, after, length, shown):
    assert shortened(before, after, length) == shown


def test_a_text_within_its_limit_is_not_cut():
    assert cut_lines("é\n", 3) == "é\n"


def test_a_long_text_is_cut_at_a_line_and_within_its_limit():
    text = "".join(f"line {number} é\n" for number in range(100))
    found = cut_lines(text, 300)
    assert len(found.encode()) <= 300
    kept, _, note = found.partition("\n\n")
    assert text.startswith(kept + "\n")
    assert "corpus diff --all" in note


@pytest.mark.parametrize(
    ("lines", "folds"), [(["<details>"], 1), (["<details>", "</details>"], 0), ([], 0)]
)
def test_an_open_fold_is_closed_before_the_note(lines, folds):
    text = "".join(f"{line}\n" for line in [*lines, *["x" * 50] * 10])
    found = cut_lines(text, 300)
    assert found.count("\n</details>\n\n*") == folds
    assert len(found.encode()) <= 300


def test_a_terminal_gets_the_sentences_and_the_names_of_the_tables():
    finding = MARKUP.rule.at("data/sensors.csv", 6, "name", "x")
    found = report(ADDED, findings=(finding,))
    short, long = changes_text(found), changes_text(found, all_=True)
    assert "Findings (1), Rows added (1)" in short
    assert "data/sensors.csv" not in short
    assert long.startswith(short.partition("Details")[0])
    assert "data/sensors.csv:6" in long
    assert "Details" not in changes_text(report())


def test_tables_are_folded_in_markdown_and_their_texts_escaped():
    row = ADDED._replace(key="<b>", title="@all | `x`")
    found = changes_markdown(report(row))
    assert "<details><summary>Rows added (1)</summary>" in found
    assert found.count("<details>") == found.count("</details>") == 1
    assert "<b>" not in found
    assert "@all" not in found


def findings(number):
    return tuple(
        MARKUP.rule.at("data/sensors.csv", line, "name", "x") for line in range(2, number + 2)
    )


def annotations(found):
    return [
        line.split("::")[1].split(" ")[0] + " " + line.split("title=")[1].split("::")[0]
        for line in changes_github(found).splitlines()
    ]


def test_findings_are_annotated_before_declarations_and_rows():
    words = {"id": "size", "expected": "5", "observed": "6", "difference": ""}
    broken = CLAIM_FAILS.at("data/claims.toml", 4, "id", "size", **words)
    found = report(
        ADDED,
        CHANGED,
        REMOVED,
        findings=(broken, *findings(1)),
        consequences=MOVED,
        declarations=(TYPE,),
    )
    assert annotations(found) == [
        "error C601 [id]", f"{findings(1)[0].severity} {MARKUP.rule.code} [name]", "warning Codebook and documents",
        "notice sensors%3A added", "notice sensors%3A changed",
    ]  # fmt: skip
    lines = changes_github(found).splitlines()
    assert lines[3].startswith("::notice file=data/sensors.csv,line=6,")
    assert lines[3].endswith("::fir: Fir")
    assert lines[4].endswith("::bob: depth, year")


@pytest.mark.parametrize(
    ("number", "rows", "ends"),
    [
        (0, ANNOTATIONS, ["notice sensors%3A added"]),
        (0, ANNOTATIONS + 1, ["notice sensors%3A added", "notice +1 more"]),
        (ANNOTATIONS, 0, [f"warning {MARKUP.rule.code} [name]"]),
        (ANNOTATIONS + 2, 0, [f"warning {MARKUP.rule.code} [name]", "warning +2 more"]),
        (ANNOTATIONS + 2, 3, ["warning +2 more", "notice +3 more"]),
        (ANNOTATIONS - 1, 3, ["notice sensors%3A added", "notice +2 more"]),
    ],
)
def test_so_many_are_annotated_and_all_others_counted(number, rows, ends):
    found = annotations(report(*[ADDED] * rows, findings=findings(number)))
    assert found[-len(ends) :] == ends
    assert sum("more" not in line for line in found) == min(number + rows, ANNOTATIONS)


def test_json_has_the_same_names_whatever_differs():
    """Other programs read them."""
    always = {
        "before", "after", "summary", "weakened", "findings", "rows", "moves", "duplicates", "documents",
        "declarations", "under_older", "following", "departures", "left_behind", "uncorrected", "stale", "counts",
        "unread", "checking", "inherited", "renamed_terms",
    }  # fmt: skip
    assert set(json.loads(changes_json(report()))) == always
    counted = json.loads(changes_json(report(consequences=MOVED)))
    assert set(counted) == always | {"cells", "sparsity", "claims", "numbers"}


def test_what_follows_from_a_change_is_short_in_markdown():
    """One row moves many claims and numbers; all of them are in the text of `--all`."""
    many = tuple(NumberChange(f"N{number}", "5", "6") for number in range(60))
    found = report(ADDED, consequences=MOVED._replace(numbers=many))
    assert changes_markdown(found).count("| N") <= 20
    assert "\nN59 " in changes_text(found, all_=True)


def test_findings_of_the_older_state_are_told_apart():
    old = DOI_FORM.rule.at("data/sensors.csv", 3, "doi", "x")
    new = DOI_FORM.rule.at("data/sensors.csv", 4, "doi", "y")
    found = report(CHANGED, findings=(old, new), inherited=(old,))
    assert found.other_findings == [new]
    text = changes_text(found)
    assert text.startswith("1 error to fix before this can be merged.")
    assert "1 error more that v1 has already." in text
    assert "Findings that v1 has already (1)" in changes_markdown(found)


def test_a_todo_is_counted_and_fails_nothing():
    todo = references.no_row.rule.at(
        "data/sensors.csv", 3, "sensor", "fir", other="judged.csv", key="fir", table="judged"
    )
    assert headline(report(ADDED, findings=(todo,)))[0] == "1 to-do for later: fir."


def test_json_has_every_part():
    found = json.loads(changes_json(report(CHANGED, consequences=MOVED, stale=("a.svg",))))
    assert found["rows"] == [{
        "table": "sensors", "kind": "changed", "key": "bob", "old_key": "bob", "title": "Birches",
        "cells": [{"column": "depth", "before": "deep", "after": ""}, {"column": "year", "before": "", "after": "2021"}],
        "file": "data/sensors.csv", "line": 3,
    }]  # fmt: skip
    assert [cell["turns"] for cell in found["cells"]] == ["fills", ""]
    assert found["claims"] == [{
        "id": "size", "change": "breaks", "tracked": False, "before": "5", "after": "6", "expected": "5",
        "acknowledged": False, "margin_before": 1, "margin_after": None,
    }]  # fmt: skip
    assert found["stale"] == ["a.svg"]
    assert json.loads(changes_json(report()))["counts"] is None
