import pytest

from corpus.traces.convert.readers.who_and_when import FORMAT
from corpus.traces.measures.decisions import labels
from tests.support.converted import lost, one_run
from tests.support.made_traces import run_of
from tests.support.recorded_samples import led_log, team_log
from tests.support.recorded_traces import SECRET, only


@pytest.mark.parametrize(
    ("step", "named", "acting", "apart"),
    [
        (3, "WebSurfer", "WebSurfer", []),
        # The lead asks the agent that is blamed for what it makes of it.
        (2, "WebSurfer", "Orchestrator", [("ambiguous", 1)]),
    ],
)
def test_the_agent_of_a_mistake_is_the_one_that_is_named_whoever_speaks(step, named, acting, apart):
    found = converted({**led_log(), "mistake_step": step, "mistake_agent": named})
    marked = only(found.trace, x_mistake=True)
    assert (marked["agent"], marked["x_mistake_agent"]) == (acting, named)
    assert lost(found, "mistake in a turn") == apart


def test_a_mistake_in_the_output_of_the_terminal_is_that_of_the_caller():
    found = converted({**team_log(), "mistake_step": 1, "mistake_agent": "Coder"})
    marked = only(found.trace, x_mistake=True)
    assert (marked["type"], marked["agent"]) == ("tool_result", "Coder")
    assert lost(found, "mistake in a turn") == []


def converted(log):
    return one_run(FORMAT, log)


def test_each_agent_is_given_its_own_system_prompt_before_its_first_step():
    prompts = {"Coder": "be quick", "Checker": "be strict", "Poet": "be silent"}
    found = one_run(FORMAT, {**team_log(), "system_prompt": prompts}, redact=False)
    given = []
    for event in found.trace["events"]:
        for prompt in event.get("x_contents", {}).get("system", ()):
            given.append((event["agent"], prompt))
    assert given == [("Coder", "be quick"), ("Checker", "be strict")]
    assert lost(found, "takes no turn") == [("dropped", 1)]


@pytest.mark.parametrize("step", [None, "", "unknown", -1, 6, "6", True])
def test_a_mistake_whose_step_is_not_in_the_log_is_a_loss_and_marks_no_turn(step):
    found = converted({**led_log(), "mistake_step": step})
    assert not any("x_mistake" in event for event in found.trace["events"])
    assert "corpus.mistake_step" not in found.trace["metrics"]
    assert [loss.kind for loss in found.losses if "mistake whose step" in loss.what] == ["dropped"]


def test_turns_without_a_speaker_are_losses_and_keep_their_place():
    log = led_log()
    log["history"][1:1] = ["broken", {"content": SECRET}]
    log["mistake_step"] = 5
    found = converted(log)
    assert only(found.trace, x_mistake=True)["agent"] == "WebSurfer"
    assert [count for _, count in lost(found, "without a speaker")] == [2]


def told(log):
    keys = ("t", "type", "agent", "from", "to", "role", "tool")
    return [tuple(event.get(key) for key in keys) for event in converted(log).trace["events"]]


def test_a_lead_whose_agents_never_answered_answers_itself():
    log = led_log()
    log["history"] = [log["history"][0], log["history"][-1]]
    assert told(log)[-1] == (1, "return", "Orchestrator", None, "user", None, None)


LEDGER = '{"is_request_satisfied": {"answer": %s}, "next_speaker": {"answer": "Surfer"}}'


@pytest.mark.parametrize(
    ("words", "labels_of_it"),
    [
        ("Next speaker Surfer", ["O2"]),
        (f"Updated Ledger: {LEDGER % 'false'}", ["O2"]),
        (f"Updated Ledger: {LEDGER % 'true'}", []),
        ("Initial plan: {", []),
    ],
)
def test_a_lead_that_chooses_who_is_next_delegates(words, labels_of_it):
    log = led_log()
    answer = {"role": "Surfer", "content": "I clicked."}
    turns = [{"role": "Orchestrator (-> Surfer)", "content": "Click."}, answer]
    thoughts = [{"role": "Orchestrator (thought)", "content": one} for one in (words, "Done.")]
    turns += [thoughts[0], answer, thoughts[1], log["history"][-1]]
    log["history"] = [log["history"][0], *turns]
    run = run_of(converted(log).trace)
    (place,) = [place for place, one in enumerate(run.events) if one.t == 3]
    assert [one.decision for one in labels(run) if one.event == place] == labels_of_it
