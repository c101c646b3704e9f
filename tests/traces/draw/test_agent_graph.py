"""The graph of a large run: agents as a tree, what went between them, and where it is drawn."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import pytest
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from corpus.canvas.typeface import hinted_width
from corpus.traces.draw import LAYOUTS
from corpus.traces.draw.agent_graph import AgentGraph, Link, agent_tree
from corpus.traces.draw.figure import trace_style
from corpus.traces.draw.ink import BLACK, LIFE, PERSON_BAR, WASTED_LIFE
from corpus.traces.draw.page import PAGES
from tests.support.golden import golden
from tests.support.large_traces import swarm, varied
from tests.support.made_traces import pair, run_of
from tests.support.placed import placed


def shown(trace: dict[str, Any], most: int = 20) -> list[tuple[str, int, int, int]]:
    """Name, parent, level and events of each node."""
    nodes = agent_tree(run_of(trace), most).nodes
    return [(node.group.name, node.parent, node.level, node.events) for node in nodes]


def with_guest() -> dict[str, Any]:
    """The pair; ann has a helper of her own, bob's answer is lost, and a person looks on."""
    trace = pair()
    trace["events"] += [
        {"id": "make-cy", "t": 2, "type": "spawn", "agent": "ann", "to": "cy"},
        {"id": "cy-done", "t": 3, "type": "return", "agent": "cy", "to": "ann"},
        {"id": "hello", "t": 0, "type": "human_intervention", "agent": "ada"},
    ]
    trace["edges"].append({"src": "cy-done", "dst": "ann-done", "type": "return"})
    del trace["edges"][7]
    return trace


def test_the_tree_is_who_spawned_whom() -> None:
    assert shown(with_guest()) == [
        ("ada", -1, 0, 1),
        ("lead", -1, 0, 4),
        ("ann", 1, 1, 4),
        ("cy", 2, 2, 1),
        ("bob", 1, 1, 1),
    ]


def test_nodes_are_marked_as_wasted_outside_or_critical() -> None:
    nodes = agent_tree(run_of(with_guest()), 20).nodes
    names = {node.group.name: node for node in nodes}
    assert [name for name, node in names.items() if node.wasted] == ["bob"]
    assert [name for name, node in names.items() if node.person] == ["ada"]
    assert [name for name, node in names.items() if node.critical] == ["lead", "ann"]


def test_arrows_of_one_kind_between_two_nodes_are_one_link_with_their_number() -> None:
    trace = pair()
    for number in (1, 2):
        message = {"id": f"hi{number}", "t": 2.5, "type": "message", "agent": "ann", "to": "bob"}
        trace["events"].append(message)
    tree = agent_tree(run_of(trace), 20)
    assert Link("message", 1, 2, 2) in tree.links
    assert [link for link in tree.links if link.kind == "spawn"] == [
        Link("spawn", 0, 1, 1),
        Link("spawn", 0, 2, 1),
    ]
    assert Link("message", 1, 4, 2).length == Link("message", 4, 1, 2).length == 3


def test_agents_that_spawn_each_other_in_a_circle_have_a_root() -> None:
    trace = pair()
    trace["events"] += [
        {"id": "x", "t": 1, "type": "spawn", "agent": "cy", "to": "di"},
        {"id": "y", "t": 2, "type": "spawn", "agent": "di", "to": "cy"},
    ]
    parents = {name: parent for name, parent, _, _ in shown(trace)}
    assert (parents["di"], parents["cy"]) == (-1, 3)


def test_a_large_run_has_every_agent_and_event_in_few_nodes() -> None:
    large = run_of(swarm(300, 8))
    tree = agent_tree(large, 12)
    assert len(tree.nodes) <= 12
    # The person who gave the task is no agent.
    assert sum(len(node.group.members) for node in tree.nodes) == len(large.agents) + 1
    assert sum(node.events for node in tree.nodes) == len(large.events)
    spawns = [link for link in tree.links if link.kind == "spawn"]
    assert sum(link.number for link in spawns) == len(large.spawns)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_nodes_do_not_overlap_and_are_left_of_the_arcs(layout: str) -> None:
    page = PAGES[layout]
    tree = agent_tree(run_of(swarm(100)), page.rows)
    with trace_style():
        graph = AgentGraph(tree, page)
        figure = graph.draw()
    patches = [one for one in figure.axes[0].patches if isinstance(one, FancyBboxPatch)]
    boxes = [one.get_window_extent() for one in patches]
    assert len(boxes) == len(tree.nodes)
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    rights = [one.get_x() + one.get_width() for one in patches]
    assert rights == pytest.approx([graph.right] * len(patches))
    lefts = [one.get_x() for one in patches]
    for node, left in zip(tree.nodes, lefts, strict=True):
        if node.parent >= 0:
            assert left > lefts[node.parent]
    assert not any(one.overlaps(other) for one, other in combinations(graph.counts, 2))
    assert all(box.right <= graph.width for box in graph.counts)


def test_every_link_is_drawn_once_and_arcs_leave_a_box_at_different_heights() -> None:
    tree = agent_tree(run_of(swarm(30)), 20)
    with trace_style():
        graph = AgentGraph(tree, PAGES["auto"])
        figure = graph.draw()
    arrows = [one for one in figure.axes[0].patches if isinstance(one, FancyArrowPatch)]
    assert len(arrows) == len(tree.links)
    heights: dict[int, list[float]] = {}
    for number, link in enumerate(graph.links):
        heights.setdefault(link.source, []).append(graph.ports[number, True])
        heights.setdefault(link.target, []).append(graph.ports[number, False])
    for of_row in heights.values():
        assert len(set(of_row)) == len(of_row)
        assert sum(of_row) == pytest.approx(0)
        assert max(of_row) < graph.row / 2


def test_colours_and_legend_tell_what_a_node_is() -> None:
    tree = agent_tree(run_of(with_guest()), 20)
    with trace_style():
        figure = AgentGraph(tree, PAGES["auto"]).draw()
    boxes = [one for one in figure.axes[0].patches if isinstance(one, FancyBboxPatch)]
    fills = [one.get_facecolor() for one in boxes]
    expected = [_rgba(colour) for colour in (PERSON_BAR, LIFE, LIFE, LIFE, WASTED_LIFE)]
    assert fills == expected
    critical = [one.get_edgecolor() == _rgba(BLACK) for one in boxes]
    assert critical == [False, True, True, False, False]
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names[-3:] == ["on the critical path", "wasted", "outside the team"]
    with trace_style():
        plain = AgentGraph(agent_tree(run_of(pair()), 20), PAGES["auto"]).draw()
    names = [text.get_text() for text in plain.legends[0].get_texts()]
    assert names == ["spawn", "return", "on the critical path"]


def _rgba(colour: str) -> tuple[float, ...]:
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    return (*channels, 1.0)


def test_every_mark_of_the_graph_is_where_it_was() -> None:
    for layout, trace in (("auto", varied()), ("column", swarm(12, 2))):
        page = PAGES[layout]
        with trace_style():
            figure = AgentGraph(agent_tree(run_of(trace), 8), page).draw()
        golden(f"traces/agent_graph-{layout}.txt", placed(figure))


def test_a_free_page_is_as_wide_as_its_longest_name_needs() -> None:
    trace = json.loads(json.dumps(with_guest()).replace('"cy"', json.dumps("W" * 40)))
    tree = agent_tree(run_of(trace), 20)
    with trace_style():
        graph = AgentGraph(tree, PAGES["auto"])
        figure = graph.draw()
    assert graph.width > 8.6
    (name,) = [text for text in figure.axes[0].texts if text.get_text() == "W" * 40]
    (count, *_) = [one for one in figure.axes[0].texts if one.get_text() == "1 event"]
    end = name.get_position()[0] + hinted_width("W" * 40, graph.name_size)
    space = count.get_position()[0] - end
    assert 0 < space < 0.7
