"""A team beside a single agent: numbers worked out by hand."""

import pytest

from corpus.model.finding import UsageProblem
from corpus.traces.measures.baseline import Baseline
from tests.support.made_traces import pair, run_of, single


def test_a_team_beside_one_agent():
    """Alone: 4 steps, 300 tokens, 12 s, success 0.6. The pair: 6 steps, 600 tokens, 6 s, success 0.5."""
    alone = single(x_steps=4)
    alone |= {"rewards": {"team": 0.6}, "costs": {"tokens": 300, "wall_clock_s": 12}}
    assert Baseline(run_of(alone)).compare(run_of(pair())) == {
        "step_overhead": 0.5,
        "token_overhead": 1.0,
        "parallelism_efficiency": 2.0,
        "success": 0.5,
        "efficiency": 0.5 / 1.5,
        "error_amplification": pytest.approx(0.5 / 0.4),
    }
    alone["rewards"] = {}
    found = Baseline(run_of(alone)).compare(run_of(pair()))
    assert found["error_amplification"] is None


def test_a_team_or_a_run_without_the_named_success_is_refused_as_baseline():
    with pytest.raises(UsageProblem):
        Baseline(run_of(pair()))
    alone = single()
    assert Baseline(run_of(alone), "team").compare(run_of(alone))["success"] == 0.5
    for channel, value in (("absent", 0.5), ("team", 2)):
        alone["rewards"] = {"team": value}
        with pytest.raises(UsageProblem):
            Baseline(run_of(alone), channel)
