"""What moved between two states: by number, by rows, and never by a state that was not counted."""

import tomllib
from dataclasses import astuple, replace
from functools import partial

import pytest

from corpus.analysis.history.timeline import (
    History,
    HistoryPoint,
    Movement,
    Subject,
    Value,
    history_grids,
    history_summary,
    release_states,
    sparkline,
    subject_of,
    timeline,
)
from corpus.model.finding import CorpusError, UsageProblem
from corpus.tables.git.repository import GitRevision
from tests.corpora.full import FILES, full, full_of, sensor, write_full
from tests.corpora.making import with_claims, write_files


def revision(label):
    return GitRevision("", label, "2026-01-02", "Change")


def history(subject, *states):
    return timeline(subject, [(revision(f"r{n}"), state) for n, state in enumerate(states, 1)])


def unreadable():
    raise UsageProblem("cannot be read")


ONE = partial(full_of, sensor("ada"))
TWO = partial(full_of, sensor("ada"), sensor("bob", depth="deep"))
OTHER = partial(full_of, sensor("bob", depth="surface"))


def moved(found):
    return [(item.revision.label, *astuple(item)[1:]) for item in found.movements]


def test_a_series_moves_by_its_number_and_its_rows():
    found = history(Subject("rows"), ONE, TWO, TWO, OTHER)
    assert moved(found) == [
        ("r2", "sensors", 1, 2, ("bob",), ()),
        ("r4", "sensors", 2, 1, (), ("ada",)),
    ]
    assert found.numbers("sensors") == [1, 2, 2, 1]
    assert (found.subject, found.note) == ("rows", "")


def test_another_row_of_the_same_number_is_a_movement():
    found = history(Subject("surface", filters=["depth=surface"]), ONE, OTHER)
    assert moved(found) == [("r2", "depth=surface", 1, 1, ("bob",), ("ada",))]


def test_a_state_that_could_not_be_counted_moves_nothing():
    found = history(Subject("rows"), ONE, unreadable, TWO)
    assert moved(found) == [("r3", "sensors", 1, 2, ("bob",), ())]
    assert found.points[1] == HistoryPoint(revision("r2"), {}, "cannot be read")
    assert found.numbers("sensors") == [1, None, 2]


def test_a_question_that_a_state_has_no_answer_to_is_a_problem_of_that_state():
    found = history(Subject("", "name"), ONE)
    assert "name" in found.points[0].problem
    assert found.series == ()


def test_a_term_that_comes_and_goes_has_no_number_elsewhere():
    def with_terms(*terms):
        vocabulary = {"terms": [{"id": term, "definition": "."} for term in terms]}
        return partial(
            full_of,
            sensor("ada", senses=terms[0]),
            vocabularies={**VOCABULARIES, "senses": vocabulary},
            impossible=[],
            sparsity={},
        )

    found = history(Subject("", "senses"), with_terms("water"), with_terms("salt"))
    assert moved(found) == [
        ("r2", "water", 1, None, (), ("ada",)),
        ("r2", "salt", None, 1, ("ada",), ()),
    ]
    # The series of the newest state come first.
    assert found.series == ("salt", "water")


VOCABULARIES = {
    name: {"terms": [{"id": term, "definition": "."} for term in terms]}
    for name, terms in {
        "depth": ("surface", "rock"), "how": ("well",), "use": ("farm",), "proof": ("lab",),
        "step": ("title",),
    }.items()
}  # fmt: skip


def test_releases_are_states_in_their_order_and_a_missing_copy_is_a_reason(tmp_path):
    data = write_full(tmp_path)
    write_files(data / "releases" / "b", FILES)
    entry = (
        'version = "1"\ndate = "2026-01-02"\ntext = "T"\nentries = 5\nexcluded = 3\nclaims = 3\n'
    )
    text = f'format = 1\n[[releases]]\nid = "a"\n{entry}[[releases]]\nid = "b"\n{entry}'
    (data / "releases.toml").write_text(text, "utf-8")
    found = timeline(Subject("rows"), release_states(str(data)))
    first, second = (point.revision for point in found.points)
    assert (first, second) == (
        GitRevision("", "a", "2026-01-02", "T"),
        GitRevision("", "b", "2026-01-02", "T"),
    )
    assert "C101" in found.points[0].problem
    assert found.numbers("sensors") == [None, 5]
    (data / "releases.toml").write_text("format = 3", "utf-8")
    with pytest.raises(CorpusError) as raised:
        list(release_states(str(data)))
    assert [found.code for found in raised.value.findings] == ["C605"]


CLAIMS = """\
format = 1
[[claims]]
id = "size"
source_id = "C01"
statement = "Five."
count = 5
[[claims]]
id = "cells"
statement = "By depth and sense."
by = ["depth", "senses"]
[claims.counts]
surface = { water = 2, heat = 1 }
[[claims]]
id = "water-lead"
statement = "Water first."
by = ["senses"]
descending = ["water", "salt"]
[[claims]]
id = "tables"
statement = "More are kept."
descending = true
of = [{ table = "sensors", label = "kept" }, { table = "dropped", label = "left out" }]
[[claims]]
id = "dates"
statement = "All have dates."
same_keys_as = "dated"
[[claims]]
id = "kinds"
statement = "Three senses."
by = ["senses"]
distinct = 3
where = { depth = ["surface", "deep"] }
"""


def study(rows=None):
    return with_claims(full(rows), CLAIMS)


STUDY = study()


def answers(*words, of=STUDY):
    found = subject_of(words, STUDY).values(of)
    return {name: (value.number, " ".join(sorted(value.keys))) for name, value in found.items()}


def test_a_column_is_asked_for_every_declared_term():
    assert answers("senses") == {
        "water": (3, "ada bob eve"), "salt": (1, "cy"), "heat": (2, "ada dot"), "gas": (0, ""),
    }  # fmt: skip
    assert Subject("", "senses").tables(STUDY.codebook) == ["sensors"]


def test_filters_are_one_series_that_passes_all_of_them():
    assert answers("depth=surface", "senses!=heat") == {"depth=surface, senses!=heat": (1, "bob")}
    assert Subject("", filters=["year>=2020"]).values(STUDY)["year>=2020"].number == 2


def test_an_ordering_is_a_series_for_each_of_its_parts():
    assert answers("water-lead") == {"water": (3, "ada bob eve"), "salt": (1, "cy")}
    assert answers("tables") == {
        "kept": (5, "ada bob cy dot eve"), "left out": (3, "x1 x2 x3"),
    }  # fmt: skip


def test_a_claim_needs_the_tables_that_it_looks_at():
    tables = {word: list(subject_of([word], STUDY).tables(STUDY.codebook)) for word in ("tables", "dates")}  # fmt: skip
    assert tables == {"tables": ["sensors", "dropped"], "dates": ["sensors", "dated"]}


def test_a_claim_about_what_was_declared_later_has_no_value():
    document = tomllib.loads(CLAIMS)
    document["claims"] = [{"id": "x", "statement": "s", "where": {"depth": "abyss"}, "count": 1}]
    subject = Subject("x", document=document)
    with pytest.raises(UsageProblem, match="'x'"):
        subject.values(STUDY)
    with pytest.raises(UsageProblem, match="'x'"):
        subject.tables(STUDY.codebook)


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["sizes"], "did you mean 'size'"), (["senes"], "did you mean 'senses'"), (["qqqq"], "known: depth, "),
        (["size", "depth"], "one claim, one column, or filters"), (["size", "depth=deep"], "one claim"),
    ],
)  # fmt: skip
def test_a_word_that_is_no_question_is_refused_with_advice(words, advice):
    with pytest.raises(UsageProblem, match=advice):
        subject_of(words, STUDY)


def test_zero_is_drawn_and_an_unknown_number_is_not():
    assert sparkline([0, 7, None]) == "▁█ "


def test_a_long_history_keeps_its_first_and_last_number():
    bars = sparkline([8, *[1] * 500, 4])
    assert len(bars) == 40
    assert (bars[0], bars[-1]) == ("█", "▅")


START = GitRevision("a" * 40, "start", "2026-01-02", "Begin")
LATER = GitRevision("b" * 40, "later", "2026-02-03", "=Add")
BROKEN = GitRevision("c" * 40, "broken", "2026-03-04", "Break")
MOVED = Movement(LATER, "pool", 1, 1_000_001, ("fen", "mire"), ("bog",))
FOUND = History(
    "rows",
    (
        HistoryPoint(START, {"pool": Value(1), "log": Value(0)}),
        HistoryPoint(LATER, {"pool": Value(1_000_001), "log": Value(0)}),
        HistoryPoint(BROKEN, {}, "C202 in pool.csv"),
    ),
    (MOVED,),
    "Shallow.",
)


def test_a_history_is_a_line_for_each_series_and_each_change():
    series, changes = history_grids(FOUND)
    assert series.rows == (("pool", "1", "-", "▁█ "), ("log", "0", "-", "▁▁ "))
    assert changes.rows == (
        ("2026-02-03", "later", "pool", "1 → 1000001", "+fen, +mire, -bog", "=Add"),
    )
    (_, none_shown) = history_grids(replace(FOUND, movements=(MOVED, MOVED, MOVED)), 1)
    assert (len(none_shown.rows), none_shown.note) == (1, "2 earlier changes left out.")
    assert len(history_grids(replace(FOUND, movements=()))) == 1


def test_the_summary_names_what_was_read_and_what_could_not_be():
    assert history_summary(FOUND) == (
        "3 states, from start (2026-01-02) to broken; 1 change. "
        "1 without a value (broken): C202 in pool.csv. Shallow."
    )
