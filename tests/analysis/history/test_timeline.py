"""What moved between two states: by number, by rows, and never by a state that was not counted."""

from dataclasses import astuple
from functools import partial

import pytest

from corpus.analysis.history.timeline import (
    history_grid,
    history_summary,
    movements,
    subject_of,
    timeline,
)
from corpus.model.finding import UsageProblem
from corpus.tables.git.repository import GitRevision
from tests.corpora.full import full, full_of, sensor
from tests.corpora.making import with_claims

CLAIMS = """\
format = 1
[[claims]]
id = "size"
source_id = "C01"
statement = "Five."
count = 5
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
"""
STUDY = with_claims(full(), CLAIMS)


def history(*states, words=()):
    """Ask states that are called r1, r2 and so on."""
    named = []
    for number, state in enumerate(states, 1):
        named.append((GitRevision("", f"r{number}", "2026-01-02", "Change"), state))
    return timeline(subject_of(words, STUDY), named)


def moved(points):
    return [(item.revision.label, *astuple(item)[1:]) for item in movements(points)]


def unreadable():
    raise UsageProblem("cannot be read")


ONE = partial(full_of, sensor("ada"))
TWO = partial(full_of, sensor("ada"), sensor("bob", depth="deep"))
OTHER = partial(full_of, sensor("bob", depth="surface"))


def test_a_series_moves_by_its_number_and_its_rows():
    assert moved(history(ONE, TWO, TWO, OTHER)) == [
        ("r2", "sensors", 1, 2, ("bob",), ()),
        ("r4", "sensors", 2, 1, (), ("ada",)),
    ]
    # Another row of the same number is a movement, too.
    surface = history(ONE, OTHER, words=["depth=surface"])
    assert moved(surface) == [("r2", "depth=surface", 1, 1, ("bob",), ("ada",))]


def test_a_state_that_could_not_be_counted_moves_nothing():
    found = history(ONE, unreadable, TWO)
    assert moved(found) == [("r3", "sensors", 1, 2, ("bob",), ())]
    assert (found[1].values, found[1].problem) == ({}, "cannot be read")


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

    assert moved(history(with_terms("water"), with_terms("salt"), words=["senses"])) == [
        ("r2", "water", 1, None, (), ("ada",)),
        ("r2", "salt", None, 1, ("ada",), ()),
    ]


VOCABULARIES = {
    name: {"terms": [{"id": term, "definition": "."} for term in terms]}
    for name, terms in {
        "depth": ("surface", "rock"), "how": ("well",), "use": ("farm",), "proof": ("lab",),
        "step": ("title",),
    }.items()
}  # fmt: skip


@pytest.mark.parametrize(("words", "series"), [
    ([], {"sensors": (5, "ada bob cy dot eve"), "dropped": (3, "x1 x2 x3")}),
    (["senses"], {
        "water": (3, "ada bob eve"), "salt": (1, "cy"), "heat": (2, "ada dot"), "gas": (0, ""),
    }),
    (["depth=surface", "senses!=heat"], {"depth=surface, senses!=heat": (1, "bob")}),
    (["C01"], {"size": (5, "ada bob cy dot eve")}),
    (["water-lead"], {"water": (3, "ada bob eve"), "salt": (1, "cy")}),
    (["tables"], {"kept": (5, "ada bob cy dot eve"), "left out": (3, "x1 x2 x3")}),
])  # fmt: skip
def test_the_answer_is_a_series_for_each_number(words, series):
    found = subject_of(words, STUDY).values(STUDY)
    assert {name: (number, " ".join(sorted(keys))) for name, (number, keys) in found.items()} == series  # fmt: skip


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


def test_in_print_are_the_first_state_and_each_change():
    points = history(ONE, TWO, unreadable)
    assert history_grid(points).rows == (
        ("2026-01-02", "r1", "sensors", "1", "", ""),
        ("2026-01-02", "r1", "dropped", "3", "", ""),
        ("2026-01-02", "r2", "sensors", "1 → 2", "+bob", "Change"),
    )
    assert history_summary(points, "Shallow.") == (
        "3 states, from r1 (2026-01-02) to r3; 1 change. "
        "1 without a value, the first r3: cannot be read. Shallow."
    )
