"""A sheet shows works and no tags, and every wrong cell of a filled one is located."""

import json
from hashlib import sha256
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.analysis.audit.sheet import (
    draw,
    most_wrong,
    parse_plan,
    parse_sheet,
    plan_text,
    sheet_text,
)
from corpus.model.finding import CorpusError
from tests.corpora.full import ROWS, full, full_of, sensor

STUDY = full()
PLAN = draw(STUDY, 5, "peat")
HEAD = "key,title,url,reader,depth,senses,notes\n"


def filled(*rows):
    """Read a sheet whose first rows are given; the others are as they were handed out."""
    lines = sheet_text(PLAN, STUDY).splitlines(keepends=True)
    assert lines[0] == HEAD
    lines[1 : len(rows) + 1] = [row + "\n" for row in rows]
    return parse_sheet("".join(lines).encode(), PLAN, STUDY, "second.csv")


def mistakes(*rows):
    with pytest.raises(CorpusError) as raised:
        filled(*rows)
    return [f"{found.code} {found.line} {found.column}" for found in raised.value.findings]


def test_a_title_is_no_formula_to_a_spreadsheet():
    study = full_of(sensor("fen", name="=1+1"))
    assert sheet_text(draw(study, 1, ""), study).splitlines()[1] == "fen,'=1+1,,,,,"


def test_a_filled_sheet_is_read_and_an_empty_tag_was_not_read_yet():
    table = filled("ada,,,Moor,surface,heat; water,", "bob,,,Moor,,,")
    assert table.column("depth") == ["surface", "", "", "", ""]
    assert (table.file, table.lines) == ("second.csv", [2, 3, 4, 5, 6])


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("ada,,,,surfase,,", ["C202 2 depth"]),
        ("ada,,,,surface,water; water,", ["C219 2 senses"]),
        ("zoe,,,,,,", ["A102 0 key", "A102 2 key"]),
        ("bob,,,,,,", ["A102 0 key", "A102 3 key"]),
    ],
)
def test_each_mistake_is_located(row, found):
    assert mistakes(row) == found


def test_rows_may_be_in_any_order():
    lines = sheet_text(PLAN, STUDY).splitlines(keepends=True)
    table = parse_sheet("".join([lines[0], *lines[:0:-1]]).encode(), PLAN, STUDY, "s.csv")
    assert table.column("key") == sorted((row[0] for row in ROWS["sensors"]), reverse=True)


def test_a_sheet_that_a_spreadsheet_saved_is_read():
    text = sheet_text(PLAN, STUDY).replace("\n", "\r\n")
    table = parse_sheet(b"\xef\xbb\xbf" + text.encode(), PLAN, STUDY, "second.csv")
    assert len(table.rows) == 5


def by_digest(seed):
    """The order of a draw, worked out apart from it."""
    return sorted(STUDY.entries, key=lambda key: sha256(f"{seed}\n{key}".encode()).hexdigest())


@pytest.mark.parametrize("seed", ["peat", "мох", ""])
def test_the_first_entries_by_digest_of_seed_and_key_are_drawn(seed):
    plan = draw(STUDY, 2, seed)
    assert plan.drawn == tuple(sorted(by_digest(seed)[:2]))
    assert plan.population == ("ada", "bob", "cy", "dot", "eve")
    assert (plan.corpus, plan.seed, plan.size) == ("soils", seed, 2)
    assert plan.columns == ("depth", "senses")


def test_a_plan_that_was_written_is_read_back():
    plan = draw(STUDY, 2, "мох")
    assert parse_plan(plan_text(plan), "a.plan.json", STUDY) == plan


def places(text, study=STUDY):
    with pytest.raises(CorpusError) as raised:
        parse_plan(text, "a.plan.json", study)
    return [(found.code, found.file, found.column) for found in raised.value.findings]


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"format": 2}, "format"), ({"size": "2"}, "size"), ({"population": []}, "population"),
        ({"corpus": "bogs"}, "corpus"), ({"seed": "pete"}, "drawn"), ({"drawn": ["ada", "ada"]}, "drawn"),
        ({"population": ["ada", "zoe"]}, "population"),
        ({"columns": ["notes"]}, "columns"), ({"note": "x"}, "note"),
    ],
)  # fmt: skip
def test_each_change_of_a_plan_is_found_at_its_key(changes, place):
    document = {**json.loads(plan_text(draw(STUDY, 2, "peat"))), **changes}
    assert places(json.dumps(document)) == [("A101", "a.plan.json", place)]


@pytest.mark.parametrize("text", ["", "key,title\n", "[" * 100_000, "[1]"])
def test_what_is_no_plan_is_a_finding(text):
    assert {found[:2] for found in places(text)} == {("A101", "a.plan.json")}


def misled(population, sample, wrong, all_wrong):
    """Share of all samples that show at most `wrong` of `all_wrong` wrong items, by listing them."""
    samples = list(combinations(range(population), sample))
    few = [drawn for drawn in samples if sum(item < all_wrong for item in drawn) <= wrong]
    return len(few) / len(samples)


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(1, n))), st.data())
def test_more_wrong_items_would_rarely_show_so_few(sizes, data):
    population, sample = sizes
    wrong = data.draw(st.integers(0, sample))
    bound = most_wrong(population, sample, wrong)
    possible = population - (sample - wrong)
    assert wrong <= bound <= possible
    if bound < possible:
        assert misled(population, sample, wrong, bound + 1) <= 0.05
    if bound > wrong:
        assert misled(population, sample, wrong, bound) > 0.05


@pytest.mark.parametrize(
    ("population", "sample", "wrong", "bound"),
    [
        (84, 84, 0, 0),
        (84, 1, 0, 79),
        # 19 wrong of 20 leave exactly the risk of 1 in 20, which is not more than it.
        (20, 1, 0, 18),
        # The rule of three: of a large population, about 3 / n, so a little under 1,000.
        (100_000, 300, 0, 992),
    ],
)
def test_known_bounds(population, sample, wrong, bound):
    assert most_wrong(population, sample, wrong) == bound


@pytest.mark.parametrize("sizes", [(10, 11, 0), (10, 5, 6), (10, 5, -1)])
def test_an_impossible_sample_has_no_bound(sizes):
    with pytest.raises(ValueError, match="not a sample"):
        most_wrong(*sizes)
