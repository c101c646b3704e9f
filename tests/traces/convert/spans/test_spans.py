"""The tree of the spans of a run: parents, times, and tokens that count once."""

from dataclasses import replace

import pytest

from corpus.traces.convert.spans.spans import (
    AGENT,
    MODEL,
    OTHER,
    TOOL,
    Tree,
    leaf_usage,
    runs,
    with_times,
)
from corpus.traces.convert.usage import Usage
from tests.support.made_up_spans import span


def ids(spans):
    return [one.id for one in spans]  # type: ignore[attr-defined]


def test_the_first_of_two_spans_with_one_id_is_kept_and_none_without():
    spans = [span("a", TOOL, 1), span("a", TOOL, 2), span("", TOOL), span("b", TOOL, 0, 9, "")]
    tree = Tree.of(spans)
    assert {name: one.start for name, one in tree.spans.items()} == {"a": 1, "b": 0}


@pytest.mark.parametrize(
    "parents", [{"a": "a"}, {"a": "b", "b": "a"}, {"a": "b", "b": "c", "c": "a", "d": "b"}]
)
def test_a_circle_of_parents_is_cut_once_and_loses_no_span(parents):
    tree = Tree.of([span(name, TOOL, 0, 9, parent) for name, parent in parents.items()])
    assert tree.depth.keys() == parents.keys()
    kept = {one.id: one.parent for one in tree.spans.values()}
    assert sum(kept[name] != parents[name] for name in parents) == 1


def test_a_run_without_any_time_begins_at_zero():
    found = with_times(Tree.of([span("a", AGENT, None, None)])).spans["a"]
    assert (found.start, found.end) == (0, 0)


def used(name, tokens, parent=""):
    return span(name, MODEL, 0, 9, parent, usage=Usage(input=tokens))


def test_tokens_that_were_added_up_on_the_way_count_once():
    spans = [used("top", 9), used("mid", 5, "top"), used("leaf", 5, "mid"), used("side", 0, "top")]
    spent = leaf_usage(Tree.of(spans))
    assert {name: usage.total for name, usage in spent.items()} == {"leaf": 5}


def test_links_join_runs_and_the_first_start_comes_first():
    traces = {"a": 5, "b": 3, "c": 1, "d": 4}
    spans = [span(name, TOOL, start, trace=name) for name, start in traces.items()]
    assert [ids(one) for one in runs(spans)] == [["c"], ["b"], ["d"], ["a"]]
    links = {"a": ("d",), "d": ("elsewhere", ""), "": ("c",)}
    linked = [replace(one, linked=links.get(one.trace, ())) for one in spans]
    third = span("e", TOOL, 6, trace="b", linked=("elsewhere",))
    joined = runs([*linked, third, span("f", TOOL, 7, trace="", linked=("c",))])
    assert [ids(one) for one in joined] == [["c"], ["a", "b", "d", "e"], ["f"]]


def test_questions_to_the_tree_are_answered_for_every_depth():
    """Deeper than any recursion; and each answer is looked up, or this would take minutes."""
    depth = 3000
    chain = [span(f"o{n}", OTHER, 0, 9, f"o{n - 1}" if n else "") for n in range(depth)]
    chain[0] = span("o0", AGENT)
    leaves = [span(f"t{n}", TOOL, 1, 2, f"o{depth - 1}") for n in range(depth)]
    tree = Tree.of([*chain, *leaves])
    assert {tree.roots[leaf.id].id for leaf in leaves} == {"o0"}
    agents = [tree.agent_above(leaf) for leaf in leaves]
    assert agents == [chain[0]] * depth
    assert sum(tree.holds(one, TOOL) for one in chain) == depth
    counts = (tree.count_below(chain[0]), tree.count_below(chain[0], TOOL))
    assert counts == (2 * depth - 1, depth)
    assert tree.nearest_above(leaves[0], TOOL, OTHER) == chain[-1]
