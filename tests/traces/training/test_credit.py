"""Credit schemes: one example worked by hand for each, and what must be true of any rewards."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.model.finding import UsageProblem
from corpus.traces.training.credit import credit, variant
from corpus.traces.training.groups import Rollout
from corpus.traces.training.tables import CHOICES, REFUSED, SCHEMES


def made(reward=None, agents="aab", **keys):
    """A run with a step for each letter of `agents`, and a reward of the run on channel r."""
    rewards = {} if reward is None else {"r": reward}
    fields: dict[str, Any] = {
        "trace": "t",
        "group": "task",
        "task": "task",
        "prompt": "",
        "rewards": rewards,
        "of_agents": {},
        "of_steps": {},
        "agents": list(agents),
    }
    found = object.__new__(Rollout)
    vars(found).update(fields | keys)
    found.turns = [agents[:place].count(agent) for place, agent in enumerate(agents)]
    return found


def advantages(scheme, *runs):
    credit(runs, variant(scheme, "r"))
    return [one.advantages for one in runs]


def one_each(scheme, *rewards):
    """Return the advantage of each run where all its steps have the same."""
    return [found[0] for found in advantages(scheme, *map(made, rewards))]


def test_grpo():
    # Mean 2; deviation of 1 and 3: sqrt(2) by n - 1, 1 by n.
    assert one_each("grpo:eps=0", 1, 3) == [-1 / math.sqrt(2), 1 / math.sqrt(2)]
    assert one_each("grpo:eps=0,std=n", 1, 3) == [-1.0, 1.0]
    assert one_each("grpo:std=none", 1, 3) == [-1.0, 1.0]
    assert advantages("grpo:std=none", made(1), made(3))[1] == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(("alone", "expected"), [("zero", 0.0), ("reward", 5.0)])
@pytest.mark.parametrize("scheme", ["grpo", "rloo", "maxrl", "at-grpo"])
def test_a_group_of_one_gets_what_the_variant_names(scheme, alone, expected):
    assert one_each(f"{scheme}:alone={alone}", 5) == [expected]
    with pytest.raises(UsageProblem):
        one_each(scheme, 5)


def test_rloo():
    # 6 against the mean of 0 and 3.
    assert one_each("rloo", 0, 3, 6) == [-4.5, 0.0, 4.5]


def test_maxrl():
    # One of four is right: mean 1/4.
    assert one_each("maxrl:eps=0", 1, 0, 0, 0) == [3.0, -1.0, -1.0, -1.0]
    assert one_each("maxrl", 0, 0) == [0.0, 0.0]
    with pytest.raises(UsageProblem):
        one_each("maxrl", 1, -1)


def test_dr_mas():
    # Turns of a: 0, 0, 3; mean 1, squares 1 + 1 + 4, by n 2. Turns of b: 0, 3, 3; mean 2.
    found = advantages("dr-mas:eps=0,std=n", made(0, "aab"), made(3, "abb"))
    of_a, of_b = 1 / math.sqrt(2), math.sqrt(2)
    assert found[0] == pytest.approx([-of_a, -of_a, -of_b])
    assert found[1] == pytest.approx([of_b, of_a, of_a])


def test_rae():
    # b is 0, then 0.5 * 0 + 0.5 * 4 = 2, then 0.5 * 2 + 0.5 * 2 = 2.
    assert one_each("rae:decay=0.5", 4, 2, 8) == [4.0, 0.0, 6.0]
    with_own = made(9, "ab", of_agents={"r": {"a": 1.0}})
    assert advantages("rae", with_own) == [[1.0, None]]


def test_at_grpo():
    # The first turn of a: 1 and 3. Its second turn, and b's only one, are alone in one run each.
    first = made(None, "aa", of_steps={"r": {0: 1.0, 1: 5.0}})
    second = made(None, "ab", of_steps={"r": {0: 3.0, 1: 7.0}})
    found = advantages("at-grpo:std=none,alone=zero", first, second)
    assert found == [[-1.0, 0.0], [1.0, 0.0]]


def test_discounted():
    run = made(4, "aba", of_steps={"r": {1: 2.0}})
    assert advantages("discounted:gamma=0.5", run) == [[0 + 1 + 1, 2 + 2, 4]]


@pytest.mark.parametrize("written", [*REFUSED, "ppo", "grpo:std=m", "grpo:n=2", "grpo:eps=nan"])
def test_what_cannot_be_computed_is_refused(written):
    with pytest.raises(UsageProblem):
        variant(written, "r")


def test_every_variant_names_its_channel_and_options():
    for name, scheme in SCHEMES.items():
        written = str(variant(name, "team"))
        for option in scheme["options"]:
            assert f"{option}=" in written
        assert written.startswith(f"{name}(channel=team")
        assert scheme["formula"]
        assert scheme["source"]
        assert scheme["needs"]
    assert all(values for values in CHOICES.values())


numbers = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))
CENTRED = ["grpo:std=none", "grpo", "rloo", "dr-mas", "at-grpo", "maxrl"]


@given(rewards=st.lists(numbers.map(abs), min_size=2, max_size=6), scheme=st.sampled_from(CENTRED))
def test_advantages_of_a_group_add_up_to_nothing(rewards, scheme):
    """What is compared with the mean of a group has no sum."""
    found = one_each(scheme, *rewards)
    scale = max(1.0, *rewards, *(abs(one or 0) for one in found))
    assert math.fsum(one or 0 for one in found) == pytest.approx(0, abs=1e-6 * scale * len(found))


@given(
    rewards=st.lists(numbers, min_size=2, max_size=6),
    shift=numbers,
    scheme=st.sampled_from(["grpo:std=none", "rloo", "dr-mas:std=none", "at-grpo:std=none"]),
)
def test_a_shift_of_all_rewards_changes_no_advantage(rewards, shift, scheme):
    """Only differences within a group count."""
    before = one_each(scheme, *rewards)
    after = one_each(scheme, *(one + shift for one in rewards))
    assert after == pytest.approx(before, abs=1e-6)


@given(
    rewards=st.lists(numbers.map(abs), min_size=2, max_size=6),
    scheme=st.sampled_from([*CENTRED, "discounted"]),
)
def test_the_order_of_the_runs_does_not_count(rewards, scheme):
    """Runs of a group are interchangeable, to the last digit."""
    forward = one_each(scheme, *rewards)
    backward = one_each(scheme, *reversed(rewards))
    assert forward == backward[::-1]


def test_runs_of_other_tasks_and_without_reward_are_not_compared():
    runs = [made(1), made(9, group="other"), made(None), made(3), made(7, group="other")]
    found = [one[0] for one in advantages("grpo:std=none", *runs)]
    assert found == [-1.0, 1.0, None, 1.0, -1.0]


def test_rewards_beyond_all_numbers_are_refused():
    with pytest.raises(UsageProblem):
        one_each("grpo", 1.7e308, -1.7e308)
