"""Rollouts of NeMo Gym."""

from corpus.traces.convert.conversation import ChatRecorder, format_of_rows
from corpus.traces.convert.format import Conversion
from corpus.traces.lookup import JsonObject, items, text, value


def _nemo_gym(row: JsonObject, recorder: ChatRecorder) -> Conversion:
    asked = value(row, "responses_create_params")
    response = value(row, "response")
    agent = recorder.new_agent(text(row, "agent_ref.name"))
    task = value(row, "_ng_task_index")
    recorder.task_id = "" if task is None else str(task)
    recorder.sample(asked, response)
    recorder.model = text(response, "model")
    recorder.keep(agent, tool_definitions=value(asked, "tools"))
    output: list[object] = []
    for one in items(response, "output"):
        # Some agents list what each of their turns added.
        output += one if isinstance(one, list) else [one]
    recorder.rollout(agent, value(asked, "input"), output)
    recorder.spend_at_end(agent, value(response, "usage"), text(response, "model"))
    stop = text(response, "incomplete_details.reason")
    if stop:
        recorder.keep(agent, tokens={"finish_reason": stop})
    return recorder.conversion({"reward": value(row, "reward")}, stop, is_cut=bool(stop))


FORMAT = format_of_rows("nemo-gym", _nemo_gym)
