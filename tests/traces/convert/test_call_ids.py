"""Ids of calls: unique in the trace, and found again by what the source wrote."""

from __future__ import annotations

from corpus.traces.convert.call_ids import CallIds


def test_one_id_in_two_scopes_is_two_ids_and_each_scope_finds_its_own() -> None:
    ids = CallIds()
    assert [ids.scoped(scope, "c") for scope in ("a", "b", "b", "d")] == ["c", "c.2", "c.2", "c.3"]
    assert [ids.find(scope, "c") for scope in ("a", "b", "d")] == ["c", "c.2", "c.3"]


def test_a_made_id_is_not_taken_by_a_call_that_is_written_so() -> None:
    ids = CallIds()
    assert (ids.scoped("a", "c"), ids.scoped("b", "c")) == ("c", "c.2")
    assert (ids.scoped("a", "c.2"), ids.unique("c")) == ("c.2.2", "c.3")


def test_a_result_of_an_unknown_call_keeps_what_it_names() -> None:
    ids = CallIds()
    ids.scoped("a", "c")
    assert (ids.find("b", "c"), ids.find("a", "other")) == ("c", "other")


def test_one_id_of_many_calls_is_counted_on_past_ids_that_were_given() -> None:
    ids = CallIds()
    ids.unique("f.3")
    assert [ids.unique("f") for _ in range(4)] == ["f", "f.2", "f.4", "f.5"]
