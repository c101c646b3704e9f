"""What moved between two states: by number, by rows, and never by a state that was not counted."""

import pytest

from corpus.analysis.history.timeline import (
    HistoryPoint,
    entries_by_term,
    matching_entries,
    release_states,
    timeline,
    whole_corpus,
)
from corpus.model.finding import CorpusError
from corpus.tables.git.repository import GitRevision
from tests.corpora.full import FILES, full_of, sensor, write_full
from tests.corpora.making import write_files


def revision(label):
    return GitRevision("", label, "2026-01-02", "Change")


def history(subject, *states):
    return timeline(subject, [(revision(f"r{n}"), state) for n, state in enumerate(states, 1)])


ONE = full_of(sensor("ada"))
TWO = full_of(sensor("ada"), sensor("bob", depth="deep"))
OTHER = full_of(sensor("bob", depth="surface"))


def moved(found):
    return [(item.revision.label, *item[1:]) for item in found.movements]


def test_a_series_moves_by_its_number_and_its_rows():
    found = history(whole_corpus(), ONE, TWO, TWO, OTHER)
    assert moved(found) == [
        ("r2", "sensors", 1, 2, ("bob",), ()),
        ("r4", "sensors", 2, 1, (), ("ada",)),
    ]
    assert found.numbers("sensors") == [1, 2, 2, 1]
    assert (found.subject, found.note, found.uncounted) == ("rows", "", ())


def test_another_row_of_the_same_number_is_a_movement():
    found = history(matching_entries(["depth=surface"]), ONE, OTHER)
    assert moved(found) == [("r2", "depth=surface", 1, 1, ("bob",), ("ada",))]


def test_a_state_that_could_not_be_counted_moves_nothing():
    found = history(whole_corpus(), ONE, "cannot be read", TWO)
    assert moved(found) == [("r3", "sensors", 1, 2, ("bob",), ())]
    assert found.uncounted == (HistoryPoint(revision("r2"), {}, "cannot be read"),)
    assert found.numbers("sensors") == [1, None, 2]


def test_a_question_that_a_state_has_no_answer_to_is_a_problem_of_that_state():
    found = history(entries_by_term("name"), ONE)
    assert "name" in found.points[0].problem
    assert found.series == ()


def test_a_term_that_comes_and_goes_has_no_number_elsewhere():
    def with_terms(*terms):
        vocabulary = {"terms": [{"id": term, "definition": "."} for term in terms]}
        return full_of(
            sensor("ada", senses=terms[0]),
            vocabularies={**VOCABULARIES, "senses": vocabulary},
            impossible=[],
            sparsity={},
        )

    found = history(entries_by_term("senses"), with_terms("water"), with_terms("salt"))
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
    (first, reason), (second, study) = release_states(str(data))
    assert (first, second) == (
        GitRevision("", "a", "2026-01-02", "T"),
        GitRevision("", "b", "2026-01-02", "T"),
    )
    assert isinstance(reason, str)
    assert "C101" in reason
    assert list(study.entries) == ["ada", "bob", "cy", "dot", "eve"]
    (data / "releases.toml").write_text("format = 3", "utf-8")
    with pytest.raises(CorpusError) as raised:
        list(release_states(str(data)))
    assert [found.code for found in raised.value.findings] == ["C605"]
