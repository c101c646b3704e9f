"""Episodes of rLLM."""

from corpus.traces.convert.conversation import ChatRecorder, format_of_rows
from corpus.traces.convert.format import Conversion
from corpus.traces.lookup import JsonObject, number, record, records, text, value


def _rllm(row: JsonObject, recorder: ChatRecorder) -> Conversion:
    rewards = {}
    # An id is that of the task and the number of the attempt.
    recorder.task_id = text(row, "id").rpartition(":")[0]
    for trajectory in records(row, "trajectories"):
        agent = recorder.new_agent(text(trajectory, "name"))
        rewards[f"reward@{agent}"] = value(trajectory, "reward")
        known: list[JsonObject] = []
        # Steps whose conversation is with a later one, which repeats what came before.
        waiting: list[JsonObject] = []
        for step in records(trajectory, "steps"):
            stated = {name: one for name, one in step.items() if one not in (None, [])}
            waiting.append(record(step, "model_output") | stated)
            messages = records(step, "chat_completions")
            if not messages:
                continue
            # Most agents repeat what they were told so far at each step; some shorten it.
            new = messages[len(known) :]
            if messages[: len(known)] != known:
                new = [one for one in messages[:-1] if one not in known] + messages[-1:]
            known = messages
            spots = [spot for spot, one in enumerate(new) if text(one, "role") == "assistant"]
            own = spots[-len(waiting) :]
            place = min(own, default=len(new))
            unanswered = len(waiting) - len(own)
            if unanswered:
                recorder.missing("a step without an answer of the model", count=unanswered)
            recorder.ask(agent, new[:place], ("assistant",))
            first = len(recorder)
            recorder.talk(agent, new[place:], waiting[unanswered:])
            recorder.settle(agent)
            taken = [event for event in recorder.events[first:] if "x_steps" in event.keys]
            for event, rewarded in zip(taken, waiting[unanswered:], strict=False):
                # Zero is what rLLM writes for a step that nobody rewarded.
                if reward := number(rewarded, "reward"):
                    event.keys["x_rewards"] = {"reward": reward}
            waiting = []
        if waiting:
            recorder.missing("a step without an answer of the model", count=len(waiting))
    if isinstance(value(row, "is_correct"), bool):
        recorder.metrics["task_success"] = int(row["is_correct"])
    return recorder.conversion(rewards, text(row, "termination_reason"))


FORMAT = format_of_rows("rllm", _rllm)
