"""The notes of a change in their formats: what is shown, cut, counted and escaped."""

import json

import pytest

from corpus.curation.changes.note import SHOWN, SUBJECTS, Note, fair
from corpus.curation.changes.render import COMMENT_BYTES, lines, to_json, to_markdown, to_text
from corpus.curation.changes.sentence import arrow
from corpus.tables.cells import DOI_FORM


def changed(key, table="sensors"):
    return Note("changed", f"{key} changes", {"table": table, "key": key}, table)


def error(line):
    found = DOI_FORM.rule.at("data/sensors.csv", line, "doi", "x")._replace(severity="error")
    return Note("findings", f"C1 in line {line}", None, found.code, found)


def test_the_most_urgent_subject_is_first_whatever_was_found_first():
    told = [Note(name, name) for name in reversed(SUBJECTS)]
    assert list(lines(told)) == list(SUBJECTS)


def test_no_table_hides_another_one():
    """1,399 rows of one table were listed, and the one row that mattered was not."""
    many = [changed(f"a{number}", "coverage") for number in range(250)]
    notes = [*many, changed("fen", "envelopes")]
    found = list(lines(notes))
    assert "fen changes" in found
    assert f"{251 - SHOWN} more changed rows (coverage {251 - SHOWN})." in found
    for written in (to_markdown(notes), to_text(notes), to_text(notes, all_=True)):
        assert "fen" in written
    assert len(to_text(notes, all_=True).splitlines()) == len(notes)
    assert len(json.loads(to_json(notes, {}))["changed"]) == len(notes)


@pytest.mark.parametrize(
    ("number", "shown"), [(SHOWN, SHOWN), (SHOWN + 1, SHOWN + 1), (SHOWN + 2, SHOWN)]
)
def test_so_many_of_a_kind_are_shown_and_a_single_further_one_too(number, shown):
    kept, left = fair([changed("fen")] * number, SHOWN)
    assert len(kept) == shown
    assert left.total() == number - shown


def test_every_error_and_every_weaker_check_is_counted():
    weaker = [Note("weaker_checks", f"rule {n} is removed") for n in range(9)]
    found = list(lines([*weaker, *map(error, range(1, 9))]))
    assert found[0] == "8 errors to fix before this can be merged."
    assert sum("is removed" in line for line in found) == 9


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("a" * 20, "b" * 20, ["a" * 20, "b" * 20]),
        ("a ", "a", ['"a "', "a"]),
        ("a\u202eb", "ab", ["a\\u202eb"]),
        # Every place that differs, and not only the first.
        ("of " * 99 + "moss " + "on " * 99 + "fen", "of " * 99 + "mire " + "on " * 99 + "bog", ["moss on", "on fen", "mire on", "on bog"]),
        ("x" * 1000, "y" * 999 + "z", ["(40 more characters)", "yz"]),
    ],
)  # fmt: skip
def test_long_values_are_cut_where_they_are_equal(before, after, shown):
    for part in shown:
        assert part in arrow(before, after)


def test_a_long_report_is_within_its_limit_and_leaves_no_fold_open():
    notes = [changed(f"key{number} {'x' * 150}", f"table{number % 9}") for number in range(2000)]
    written = to_markdown(notes, 5_000)
    assert len(written.encode()) <= 5_000 <= COMMENT_BYTES
    assert written.count("<details>") == written.count("</details>") > 0
    assert "cut at" in written
    short = to_markdown([Note("totals", "x" * 99)] * 20, 300)
    assert "cut at" in short
    assert len(short.encode()) <= 300


def test_what_follows_from_a_change_is_counted_first():
    """One row moves many numbers; all of them are in the text of `--all`."""
    numbers = [Note("numbers", f"N{n} 5 -> 6", is_detail=True) for n in range(60)]
    assert to_text(numbers) == "Details with corpus diff --all: numbers 60.\n"
    assert "\nN59 " in to_text(numbers, all_=True)


def test_texts_are_escaped_in_markdown_and_no_number_of_github_is_a_link():
    written = to_markdown([changed("<b> @all GH-12 gh-13 | `x`")])
    for part in ("<b>", "@all", "GH-12", "gh-13", " `x`"):
        assert part not in written
