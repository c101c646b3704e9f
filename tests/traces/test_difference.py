"""Two runs compared."""

from corpus.traces.difference import changes, divergence
from tests.support.made_traces import act, event, pair, run_of


def test_ids_and_times_do_not_part_two_runs():
    other = pair()
    for one in other["events"]:
        one["t"] *= 2
    other["events"][3]["id"] = "asked"
    other["edges"][2]["dst"] = other["edges"][3]["src"] = "asked"
    assert divergence(run_of(pair()), run_of(other)) is None
    assert changes(run_of(pair()), run_of(other)) == [
        ("duration_s", 6, 12, 6),
        ("busy_s", 5, 10, 5),
        ("agent_busy_s", 7, 14, 7),
        ("critical_path_s", 5, 10, 5),
    ]


def test_the_first_event_that_differs_is_named_with_its_keys():
    other = pair()
    event(other, "ask")["tool"] = "market"
    event(other, "told").update(tool="market", trusted=True)
    assert divergence(run_of(pair()), run_of(other)) == (4, {"tool": ("shop", "market")})


def test_a_run_that_is_over_first_parts_there():
    longer = pair()
    longer["events"].append(act("more", 9, "aggregate", "lead"))
    assert divergence(run_of(pair()), run_of(longer)) == (9, {})


def test_rewards_on_one_side_or_too_far_apart_have_no_difference():
    other = pair() | {"rewards": {"team": -1.7e308, "tool": 0.1}}
    left = pair() | {"rewards": {"team": 1.7e308}}
    found = [one for one in changes(run_of(left), run_of(other)) if one[0].startswith("rewards")]
    assert found == [("rewards.team", 1.7e308, -1.7e308, None), ("rewards.tool", None, 0.1, None)]
