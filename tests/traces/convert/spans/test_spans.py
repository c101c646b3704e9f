"""The tree of the spans of a run: parents, times, and tokens that count once."""

import pytest

from corpus.traces.convert.spans.spans import (
    AGENT,
    MODEL,
    OTHER,
    TOOL,
    Span,
    Tree,
    leaf_usage,
    runs,
    with_times,
)
from corpus.traces.convert.usage import Usage
from tests.support.made_up_spans import span


def ids(spans: object) -> list[str]:
    return [one.id for one in spans]  # type: ignore[attr-defined]


def family() -> Tree:
    """Lead > ask > helper > call, with a tool beside them."""
    return Tree.of(
        [
            span("call", MODEL, 0, 9, "helper"),
            span("lead", AGENT),
            span("ask", TOOL, 0, 9, "lead"),
            span("helper", AGENT, 0, 9, "ask"),
            span("web", TOOL, 0, 9, "lead"),
        ]
    )


def test_the_tree_knows_who_is_above_and_below_whatever_the_order():
    tree = family()
    assert tree.depth == {"lead": 0, "ask": 1, "web": 1, "helper": 2, "call": 3}
    call = tree.spans["call"]
    assert ids(tree.above(call)) == ["helper", "ask", "lead"]
    assert sorted(ids(tree.below(tree.spans["lead"]))) == ["ask", "call", "helper", "web"]
    assert tree.root(call).id == tree.root(tree.spans["lead"]).id == "lead"


def test_the_agent_above_is_the_nearest_and_never_the_span_itself():
    tree = family()
    above = {name: tree.agent_above(one) for name, one in tree.spans.items()}
    found = {name: one and one.id for name, one in above.items()}
    assert found == {"lead": None, "ask": "lead", "web": "lead", "helper": "lead", "call": "helper"}


def test_a_span_holds_what_is_below_it_but_not_itself():
    tree = family()
    lead, ask, call = (tree.spans[name] for name in ("lead", "ask", "call"))
    assert (tree.holds(lead, AGENT), tree.holds(ask, MODEL)) == (True, True)
    assert (tree.holds(call, MODEL), tree.holds(ask, TOOL)) == (False, False)


def test_the_first_of_two_spans_with_one_id_is_kept_and_none_without():
    spans = [span("a", TOOL, 1), span("a", TOOL, 2), span("", TOOL), span("b", TOOL, 0, 9, "")]
    tree = Tree.of(spans)
    assert {name: one.start for name, one in tree.spans.items()} == {"a": 1, "b": 0}


def test_a_parent_that_is_missing_counts_as_none():
    tree = Tree.of([span("a", AGENT, 0, 9, "gone"), span("b", TOOL, 0, 9, "a")])
    assert {one.id: one.parent for one in tree.spans.values()} == {"a": "", "b": "a"}


@pytest.mark.parametrize(
    "parents", [{"a": "a"}, {"a": "b", "b": "a"}, {"a": "b", "b": "c", "c": "a", "d": "b"}]
)
def test_a_circle_of_parents_is_cut_once_and_loses_no_span(parents):
    tree = Tree.of([span(name, TOOL, 0, 9, parent) for name, parent in parents.items()])
    assert tree.depth.keys() == parents.keys()
    kept = {one.id: one.parent for one in tree.spans.values()}
    assert sum(kept[name] != parents[name] for name in parents) == 1


@pytest.mark.parametrize(
    ("start", "end", "filled", "guessed"),
    [
        (3, 5, (3, 5), ()),
        (3, 3, (3, 3), ()),
        (None, 5, (5, 5), ("start",)),
        (3, None, (3, 3), ("end",)),
        (None, None, (2, 2), ("start", "end")),
        # An end before its start counts as missing.
        (5, 3, (5, 5), ("end",)),
    ],
)
def test_a_missing_time_is_that_of_the_other_end_or_of_the_parent(start, end, filled, guessed):
    spans = [span("first", OTHER, 1), span("up", AGENT, 2), span("a", TOOL, start, end, "up")]
    found = with_times(Tree.of(spans)).spans["a"]
    assert ((found.start, found.end), found.guessed) == (filled, guessed)


def test_what_never_ended_ends_with_the_last_that_is_known_inside_of_it():
    """Such as an agent that was cut off: it does not return before it acts."""
    spans = [
        span("lead", AGENT, 1, None),
        span("helper", AGENT, 2, None, "lead"),
        span("a", TOOL, 3, 4, "helper"),
        span("b", TOOL, 6, None, "helper"),
        span("c", TOOL, 5, 2, "lead"),
        span("beside", TOOL, 8, 9),
    ]
    found = with_times(Tree.of(spans)).spans
    ends = {name: one.end for name, one in found.items()}
    assert ends == {"lead": 6, "helper": 6, "a": 4, "b": 6, "c": 5, "beside": 9}
    guessed = {name for name in ends if "end" in found[name].guessed}
    assert guessed == {"lead", "helper", "b", "c"}


def test_a_root_without_times_begins_with_the_run():
    tree = Tree.of([span("a", AGENT, None, None), span("b", TOOL, 7, 8), span("c", TOOL, None, 6)])
    times = {one.id: (one.start, one.end) for one in with_times(tree).spans.values()}
    assert times == {"a": (6, 6), "b": (7, 8), "c": (6, 6)}


def test_a_run_without_any_time_begins_at_zero():
    found = with_times(Tree.of([span("a", AGENT, None, None)])).spans["a"]
    assert (found.start, found.end) == (0, 0)


def test_marks_of_an_event_name_the_time_that_was_filled_in():
    one = span("a", TOOL, marks=("type",), guessed=("end",))
    assert (one.at_start, one.at_end) == (("type",), ("type", "t"))
    other = span("a", TOOL, guessed=("start",))
    assert (other.at_start, other.at_end) == (("t",), ())


def used(name: str, tokens: int, parent: str = "") -> Span:
    return span(name, MODEL, 0, 9, parent, usage=Usage(input=tokens))


def test_tokens_that_were_added_up_on_the_way_count_once():
    spans = [used("top", 9), used("mid", 5, "top"), used("leaf", 5, "mid"), used("side", 0, "top")]
    spent = leaf_usage(Tree.of(spans))
    assert {name: usage.total for name, usage in spent.items()} == {"leaf": 5}


def test_tokens_count_where_nothing_below_states_any():
    spans = [used("top", 0), used("one", 3, "top"), used("two", 4, "top"), used("in", 0, "two")]
    spent = leaf_usage(Tree.of(spans))
    assert {name: usage.total for name, usage in spent.items()} == {"one": 3, "two": 4}


def test_links_join_runs_and_the_first_start_comes_first():
    traces = {"a": 5, "b": 3, "c": 1, "d": 4}
    spans = [span(name, TOOL, start, trace=name) for name, start in traces.items()]
    assert [ids(one) for one in runs(spans, ())] == [["c"], ["b"], ["d"], ["a"]]
    joined = runs(spans, [("a", "d"), ("elsewhere", "b"), ("d", "elsewhere")])
    assert [ids(one) for one in joined] == [["c"], ["a", "b", "d"]]


def test_runs_of_one_start_are_in_the_order_of_their_ids():
    spans = [span(name, TOOL, start, trace=name) for name, start in (("b", None), ("a", 0))]
    assert [ids(one) for one in runs(spans, ())] == [["a"], ["b"]]


def test_questions_to_the_tree_are_answered_for_every_depth():
    """Deeper than any recursion; and each answer is looked up, or this would take minutes."""
    depth = 3000
    chain = [span(f"o{n}", OTHER, 0, 9, f"o{n - 1}" if n else "") for n in range(depth)]
    chain[0] = span("o0", AGENT)
    leaves = [span(f"t{n}", TOOL, 1, 2, f"o{depth - 1}") for n in range(depth)]
    tree = Tree.of([*chain, *leaves])
    assert {tree.root(leaf).id for leaf in leaves} == {"o0"}
    agents = [tree.agent_above(leaf) for leaf in leaves]
    assert agents == [chain[0]] * depth
    assert sum(tree.holds(one, TOOL) for one in chain) == depth
    counts = (tree.count_below(chain[0]), tree.count_below(chain[0], TOOL))
    assert counts == (2 * depth - 1, depth)
    assert tree.nearest_above(leaves[0], TOOL, OTHER) == chain[-1]
