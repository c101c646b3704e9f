"""Agents that share a row: which ones, under which name, in which order."""

import pytest

from corpus.traces.draw.lanes import Lane, grouped
from tests.support.made_traces import pair, run_of


def team(*spawns):
    """A run in which `lead` begins and (spawner, agent, role) are spawned, a second each."""
    trace = pair()
    trace["events"] = [{"id": "e0", "t": 0, "type": "orchestrator_decision", "agent": "lead"}]
    for t, (spawner, agent, role) in enumerate(spawns, start=1):
        spawn = {"id": f"e{t}", "t": t, "type": "spawn", "agent": spawner, "to": agent}
        if role:
            spawn["role"] = role
        trace["events"].append(spawn)
    trace["edges"] = []
    return trace


def rows(trace, most, *people):
    """Name, note and depth of each row."""
    run = run_of(trace)
    names = [*people, *run.agents]
    found = grouped(run, names, most)
    members = [name for group in found for name in group.members]
    assert sorted(members) == sorted(names)
    assert len(found) <= most
    return [(group.name, group.note, group.depth) for group in found]


def test_where_spawners_are_too_many_they_share_rows_as_well():
    spawns = []
    for boss in ("boss-1", "boss-2", "boss-3"):
        spawns.append(("lead", boss, ""))
        spawns += [(boss, f"{boss}-{number}", "reader") for number in range(2)]
    assert rows(team(*spawns), 5) == [
        ("lead", "", 0),
        ("3 × boss", "depth 1, by lead", 1),
        ("2 × reader", "depth 2, by boss-1", 2),
        ("2 × reader", "depth 2, by boss-2", 2),
        ("2 × reader", "depth 2, by boss-3", 2),
    ]
    assert rows(team(*spawns), 3) == [
        ("lead", "", 0),
        ("3 × boss", "depth 1, by lead", 1),
        ("6 × reader", "depth 2", 2),
    ]


def test_in_the_end_only_the_depth_tells_rows_apart_and_the_last_row_takes_the_rest():
    spawns = [("lead", f"a{number}", f"role {number}") for number in range(4)]
    spawns += [("a0", "b", "other"), ("b", "c", "third")]
    assert rows(team(*spawns), 4) == [
        ("lead", "", 0),
        ("4 × agents", "depth 1, by lead", 1),
        ("b", "other", 2),
        ("c", "third", 3),
    ]
    assert rows(team(*spawns), 2) == [("lead", "", 0), ("6 × agents", "depth 1", 1)]


def test_people_share_a_row_of_their_own():
    trace = team(*[("lead", f"w{number}", "reader") for number in range(3)])
    people = ["ada", "bea", "cleo"]
    for name in people:
        person = {"id": name, "t": 9, "type": "human_intervention", "agent": name}
        trace["events"].append(person)
    assert rows(trace, 3, *people) == [
        ("3 × people", "", 0),
        ("lead", "", 0),
        ("3 × reader", "depth 1, by lead", 1),
    ]


@pytest.mark.parametrize(
    ("one", "other", "name"),
    [
        ("worker-12", "worker-7", "2 × worker"),
        ("worker 1.2", "worker 1.3", "2 × worker 1"),
        ("worker#7", "worker_x8", "2 × agents"),
        ("gpt4", "gpt5", "2 × gpt"),
        ("12", "7", "2 × agent"),
    ],
)
def test_without_a_role_a_name_without_its_number_is_the_kind(one, other, name):
    run = run_of(team(("lead", one, ""), ("lead", other, "")))
    assert grouped(run, ["lead", one, other], 2) == [
        Lane(("lead",), "lead", "", 0),
        Lane((one, other), name, "depth 1, by lead", 1),
    ]
