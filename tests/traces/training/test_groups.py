"""Groups of runs of one task, and the model steps of a run."""

from corpus.traces.training.groups import Rollout, deviation, grouped, mean, missing
from tests.support.made_traces import act, run_of
from tests.traces.training.test_rewards import trace_of_team


def rollout_of(trace):
    return Rollout(run_of(trace), ("t.json", 1))


def test_runs_of_one_task_are_a_group():
    traces = [trace_of_team("a"), trace_of_team("b", "fry"), trace_of_team("c")]
    groups = grouped(map(rollout_of, traces))
    assert [[one.trace for one in group] for group in groups] == [["a", "c"], ["b"]]


def test_without_a_task_the_first_prompt_counts():
    traces = [trace_of_team(name, "unknown") for name in "abc"]
    for trace in traces[:2]:
        asked = act("ask", 0, "human_intervention", "user")
        trace["events"].insert(0, {**asked, "content_ref": "sha256:1"})
    groups = grouped(map(rollout_of, [*traces, trace_of_team("d", "unknown")]))
    assert [len(group) for group in groups] == [2, 1, 1]


def test_a_group_tells_what_it_lacks():
    without = trace_of_team("b")
    without["rewards"] = {}
    (pair,) = grouped(map(rollout_of, [trace_of_team("a"), without]))
    assert [(one.code, one.value) for one in missing(pair, "team")] == [("OT506", "b")]
    (alone,) = grouped([rollout_of(trace_of_team())])
    assert [one.code for one in missing(alone, "team")] == ["OT507"]


def test_rewards_of_agents_and_steps_stay_with_them():
    trace = trace_of_team()
    trace["rewards"] |= {"speed@worker": 2.0, "mail@nobody": 3.0}
    trace["events"][3]["x_rewards"] = {"speed": 0.5}
    found = rollout_of(trace)
    assert found.rewards == {"team": 1.0, "mail@nobody": 3.0}
    assert found.of_agents == {"speed": {"worker": 2.0}}
    assert (found.agents, found.of_steps) == (["lead", "worker", "worker"], {"speed": {2: 0.5}})


def test_prompts_are_equal_where_all_that_was_told_before_the_first_step_is_equal():
    trace = trace_of_team()
    trace["events"].insert(0, act("ask", 0, "human_intervention", "user", to="lead"))
    for event in trace["events"]:
        event["content_ref"] = f"sha256:{event['id']}"
    first = rollout_of(trace)
    assert first.prompt
    assert first.is_told == [True, True, True]
    trace["events"][1]["content_ref"] = "sha256:other"
    assert rollout_of(trace).prompt == first.prompt
    trace["events"][0]["content_ref"] = "sha256:other"
    assert rollout_of(trace).prompt not in ("", first.prompt)
    del trace["events"][0]["content_ref"]
    assert (rollout_of(trace).prompt, rollout_of(trace).is_told[0]) == ("", False)


def test_mean_and_deviation_do_not_depend_on_the_order():
    values = [1e16, 1.0, -1e16, 3.0]
    assert mean(values) == mean(values[::-1]) == 1.0
    assert deviation(values) == deviation(values[::-1])
    assert (deviation([1.0, 3.0]), deviation([1.0, 3.0], sample=False)) == (2**0.5, 1.0)
