"""Steps, stages and critical steps, worked out by hand; the comments show the sum."""

from corpus.traces.measures.metrics import measure
from corpus.traces.measures.steps import stages, steps
from tests.support.made_traces import act, edge, pair, run_of


def measured(trace):
    return measure(run_of(trace)).values


def test_without_counted_steps_the_events_of_a_model_count():
    trace = pair()
    for one in trace["events"]:
        one.pop("x_steps", None)
    found = measured(trace)
    # plan, make-ann, make-bob, tea of the lead; ask and ann-done; bob-done; the result is no step
    assert (found["steps"], found["main_steps"], found["critical_steps"]) == (7, 4, 4 + 2)
    assert found["span_steps"] == 5  # plan, make-ann, ask, ann-done, tea


def two_stages(overlap):
    """Main 10 steps; a takes 3, then b takes 7: in sequence, or b spawned before a is back."""
    spawn_b, back_a = (6, 7) if overlap else (7, 6)
    return {
        "trace_id": "stages",
        "task_id": "t",
        "events": [
            act("m1", 0, "orchestrator_decision", "m", x_steps=4),
            act("sa", 1, "spawn", "m", to="a"),
            act("sb", spawn_b, "spawn", "m", to="b"),
            act("ra", back_a, "return", "a", to="m", x_steps=3),
            act("rb", 9, "return", "b", to="m", x_steps=7),
            act("m2", 10, "aggregate", "m", x_steps=6),
        ],
        "edges": [
            edge("m1", "sa", "spawn"),
            edge("m1" if overlap else "ra", "sb", "spawn"),
            edge("sa", "ra", "spawn"),
            edge("sb", "rb", "spawn"),
            edge("ra", "m2", "aggregate"),
            edge("rb", "m2", "aggregate"),
        ],
        "rewards": {},
        "costs": {"tokens": 0, "wall_clock_s": 10},
    }


def test_sub_agents_in_sequence_are_two_stages_and_all_their_steps_are_critical():
    found = measured(two_stages(overlap=False))
    assert (found["stages"], found["critical_steps"], found["steps"]) == (2, 10 + 3 + 7, 20)


def test_sub_agents_spawned_together_are_one_stage_and_only_the_longer_is_critical():
    found = measured(two_stages(overlap=True))
    assert (found["stages"], found["critical_steps"], found["span_steps"]) == (1, 10 + 7, 4 + 7 + 6)


def test_a_pipeline_that_stages_cannot_express_is_flagged():
    """B is spawned after a returned, but does not need a's result: 10 + 3 + 7 by stages, 4 + 7 + 6 on the path."""
    trace = two_stages(overlap=False)
    trace["edges"][1]["src"] = "m1"
    found = measured(trace)
    assert (found["critical_steps"], found["span_steps"]) == (20, 17)


def test_a_sub_agent_counts_with_its_own_sub_agents():
    trace = two_stages(overlap=True)
    trace["events"] += [
        act("sc", 7, "spawn", "b", to="c"),
        act("rc", 8, "return", "c", to="b", x_steps=5),
    ]
    run = run_of(trace)
    assert stages(run) == {"m": [["a", "b"]], "b": [["c"]]}
    assert steps(run).critical == 10 + max(3, 7 + 5)
    assert measure(run).values["depth"] == 2


def test_critical_steps_are_undefined_for_agents_outside_the_spawn_tree():
    trace = pair()
    del trace["events"][2], trace["edges"][5], trace["edges"][1]  # nobody spawns bob any more
    found = measured(trace)
    assert found["critical_steps"] is None


def test_a_return_recorded_at_the_parent_ends_the_stage_too():
    trace = two_stages(overlap=False)
    trace["events"][3].update(agent="m", **{"from": "a"})
    assert stages(run_of(trace)) == {"m": [["a"], ["b"]]}
