"""Two runs compared."""

from corpus.traces.difference import compare
from tests.support.made_traces import act, event, pair, run_of


def test_ids_and_times_do_not_part_two_runs():
    other = pair()
    for one in other["events"]:
        one["t"] *= 2
    other["events"][3]["id"] = "asked"
    other["edges"][2]["dst"] = other["edges"][3]["src"] = "asked"
    found = compare(run_of(pair()), run_of(other))
    assert (found.divergence, found.common) == (None, 8)
    assert [(one.name, one.left, one.right, one.change) for one in found.changes] == [
        ("duration_s", 6, 12, 6),
        ("busy_s", 5, 10, 5),
        ("agent_busy_s", 7, 14, 7),
        ("critical_path_s", 5, 10, 5),
    ]


def test_the_first_event_that_differs_is_named_with_its_keys():
    other = pair()
    event(other, "ask")["tool"] = "market"
    event(other, "told").update(tool="market", trusted=True)
    found = compare(run_of(pair()), run_of(other))
    assert found.divergence is not None
    assert (found.common, found.divergence.step, found.divergence.keys) == (
        3,
        4,
        {"tool": ("shop", "market")},
    )


def test_a_run_that_is_over_first_parts_there():
    longer = pair()
    longer["events"].append(act("more", 9, "aggregate", "lead"))
    found = compare(run_of(pair()), run_of(longer))
    assert found.divergence is not None
    assert (found.divergence.step, found.divergence.left, found.divergence.right) == (9, "", "more")


def test_rewards_and_costs_on_one_side_are_changes_without_a_difference():
    other = pair()
    other["rewards"] = {"team": 1.0, "tool": 0.1}
    changes = {
        one.name: (one.left, one.right, one.change)
        for one in compare(run_of(pair()), run_of(other)).changes
    }
    assert changes["rewards.team"] == (0.5, 1.0, 0.5)
    assert changes["rewards.tool"] == (None, 0.1, None)


def test_a_difference_beyond_all_doubles_is_unknown():
    left = pair() | {"rewards": {"team": 1.7e308}}
    right = pair() | {"rewards": {"team": -1.7e308}}
    changes = compare(run_of(left), run_of(right)).changes
    (reward,) = [one for one in changes if one.name == "rewards.team"]
    assert (reward.left, reward.right, reward.change) == (1.7e308, -1.7e308, None)
