"""Which trajectories belong to one run."""

from corpus.traces.convert.readers.atif import trajectories_in
from tests.support.converted import lost, recorded
from tests.support.recorded_samples import atif_run
from tests.support.recorded_traces import write_rows


def test_a_continuation_is_read_once_without_its_copies(tmp_path, run):
    first, second = atif_run(), atif_run()
    first["continued_trajectory_ref"] = "t.cont-1.json"
    for step in second["steps"][:3]:
        step["is_copied_context"] = True
    write_rows(tmp_path / "t.cont-1.json", [second])
    (found,) = run(write_rows(tmp_path / "t.json", [first]))
    assert found.trace["costs"]["tokens"] == 145 + 80
    assert [count for _, count in lost(found, "copied")] == [3]


def test_trajectories_that_continue_each_other_end(tmp_path, run):
    for one, other in (("a", "b"), ("b", "a")):
        write_rows(
            tmp_path / f"{one}.json", [{**atif_run(), "continued_trajectory_ref": f"{other}.json"}]
        )
    assert len(run(tmp_path)) == 1


def agent_step(**more):
    return {"source": "agent", "message": "done", **more}


def trajectory(name, *steps, **more):
    return {"trajectory_id": name, "agent": {"name": name}, "steps": list(steps), **more}


def asking(*references, **more):
    result = {"source_call_id": "c", "subagent_trajectory_ref": list(references)}
    call = {"tool_call_id": "c", "function_name": "ask"}
    return agent_step(tool_calls=[call], observation={"results": [result]}, **more)


def tops(**files):
    documents = []
    for name, node in files.items():
        documents.append(recorded(node, name=f"{name}.json"))
    return [one for one in trajectories_in(documents) if not one.taken]


def names(found):
    return [one.name for one in found]


def test_a_file_of_just_that_name_is_preferred_to_one_that_ends_so():
    lead = trajectory("lead", asking({"trajectory_path": "deep/down/kid.json"}))
    files = {"a": lead, "my-kid": trajectory("longer"), "kid": trajectory("exact")}
    assert names(tops(**files)) == ["lead", "longer"]
    del files["kid"]
    assert names(tops(**files)) == ["lead"]
    joined = tops(**{"run-kid": trajectory("x"), "runkid": trajectory("y"), "a": lead})
    assert names(joined) == ["y", "lead"]


def test_a_trajectory_that_no_step_refers_to_is_a_trace_of_its_own(tmp_path, run):
    usage = {"prompt_tokens": 5, "completion_tokens": 2}
    lost = trajectory("lost", agent_step(metrics=usage))
    lead = {**trajectory("lead", agent_step()), "subagent_trajectories": [lost]}
    found = run(write_rows(tmp_path / "t.json", [{**lead, "schema_version": "ATIF-v1.7"}]))
    assert [one.trace["trace_id"] for one in found] == ["lead", "lost"]
    assert found[1].trace["costs"]["tokens"] == 7
    assert [loss.kind for loss in found[1].losses if "no step in a trace" in loss.what] == [
        "ambiguous"
    ]


def test_the_same_sub_agent_inside_and_in_a_file_is_read_once(tmp_path, run):
    usage = {"prompt_tokens": 5, "completion_tokens": 2}
    kid = trajectory("kid", agent_step(metrics=usage), schema_version="ATIF-v1.7")
    lead = trajectory("lead", asking({"trajectory_id": "kid"}), agent_step())
    write_rows(tmp_path / "kid.json", [kid])
    write_rows(
        tmp_path / "a.json", [{**lead, "schema_version": "ATIF", "subagent_trajectories": [kid]}]
    )
    (found,) = run(tmp_path)
    assert found.trace["costs"]["tokens"] == 7
    assert [loss.kind for loss in found.losses if "of another" in loss.what] == ["dropped"]
