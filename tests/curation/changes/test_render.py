"""The notes of a change in their formats: what is shown, cut, counted and escaped."""

import json

import pytest

from corpus.curation.changes.note import FOLDED, LISTED, SHOWN, SUBJECTS, Note, fair
from corpus.curation.changes.render import COMMENT_BYTES, sentences, to_json, to_markdown, to_text
from corpus.curation.changes.sentence import code, plain_text, shortened
from corpus.tables.cells import DOI_FORM


def changed(key, table="sensors", before="deep", after="flat"):
    row = {"table": table, "key": key, "column": "depth", "before": before, "after": after}
    return Note("changed", (code(key), " changes."), (row,), table)


def lines(*notes):
    return list(map(plain_text, sentences(notes)))


def finding(line, severity="error"):
    return DOI_FORM.rule.at("data/sensors.csv", line, "doi", "x")._replace(severity=severity)


def error(line):
    one = finding(line)
    return Note("findings", (f"{one.code} in line {line}",), ({"place": line},), one.code, one)


def test_the_most_urgent_subject_is_first_whatever_was_found_first():
    told = [Note(name, (name,), ({"file": "a"},), name) for name in reversed(SUBJECTS)]
    found = [line for line in lines(*told) if line in SUBJECTS]
    assert found == list(SUBJECTS)


def test_no_table_hides_another_one():
    """1,399 rows of one table were listed, and the one row that mattered was not."""
    many = [changed(f"a{number}", "coverage") for number in range(LISTED + 50)]
    notes = [*many, changed("fen", "envelopes")]
    assert "fen changes." in lines(*notes)
    assert f"{LISTED + 51 - SHOWN} more changed rows (coverage {LISTED + 51 - SHOWN})." in lines(
        *notes
    )
    for written in (to_markdown(notes), to_text(notes, all_=True)):
        assert "envelopes" in written
        assert "51 more are not listed" in written
    whole = json.loads(to_json(notes, {}))
    assert len(whole["changed"]) == len(notes)


@pytest.mark.parametrize(
    ("number", "shown"), [(SHOWN, SHOWN), (SHOWN + 1, SHOWN + 1), (SHOWN + 2, SHOWN)]
)
def test_so_many_of_a_kind_are_shown_and_a_single_further_one_too(number, shown):
    kept, left = fair(range(number), SHOWN, lambda _: "one")
    assert len(kept) == shown
    assert left.total() == number - shown


def test_every_error_and_every_weaker_check_is_counted():
    weaker = [
        Note("weaker_checks", (f"rule {n} is removed.",), ({"file": "a", "words": "b"},))
        for n in range(9)
    ]
    found = lines(*weaker, *map(error, range(1, 9)))
    assert found[0] == "8 errors to fix before this can be merged."
    assert found.index("This change weakens 9 checks.") < found.index("rule 0 is removed.")
    assert sum("is removed." in line for line in found) == 9


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("a" * 20, "b" * 20, ("a" * 20, "b" * 20)),
        ("a ", "a", ('"a "', '"a"')),
        ("a\u202eb", "ab", ("a\\u202eb", "ab")),
        # Every place that differs, and not only the first.
        ("of " * 9 + "moss " + "on " * 9 + "fen", "of " * 9 + "mire " + "on " * 9 + "bog", ("… of moss on … on fen", "… of mire on … on bog")),
    ],
)  # fmt: skip
def test_long_values_are_cut_where_they_differ(before, after, shown):
    assert shortened(before, after, 20) == shown


def test_a_long_report_is_within_its_limit_and_leaves_no_fold_open():
    notes = [
        changed(f"key{number}", f"table{number % 9}", "x" * 150, "y" * 150)
        for number in range(2000)
    ]
    written = to_markdown(notes, 20_000)
    assert len(written.encode()) <= 20_000 <= COMMENT_BYTES
    assert written.count("<details>") == written.count("</details>") > 0
    assert "more are not listed" in written
    short = to_markdown([Note("totals", ("x" * 99,))] * 20, 300)
    assert "cut at" in short
    assert len(short.encode()) <= 300


def test_what_follows_from_a_change_is_short_in_markdown():
    """One row moves many numbers; all of them are in the text of `--all`."""
    numbers = [
        Note("numbers", (), ({"name": f"N{n}", "before": "5", "after": "6"},)) for n in range(60)
    ]
    assert to_markdown(numbers).count("| N") <= FOLDED + 2
    assert "\nN59 " in to_text(numbers, all_=True)


def test_texts_are_escaped_in_markdown_and_no_number_of_github_is_a_link():
    written = to_markdown([changed("<b>", "@all", "GH-12 gh-13", "| `x`")])
    assert "<b>" not in written
    assert "@all" not in written
    assert "GH-12" not in written
    assert "gh-13" not in written
