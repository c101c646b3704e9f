"""Rollouts of reinforcement learning environments: of NeMo Gym, of verifiers and of rLLM."""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from corpus.traces.convert.format import (
    Conversion,
    Conversions,
    Documents,
    RecordedFormat,
    Redaction,
)
from corpus.traces.convert.messages import words_of
from corpus.traces.convert.recorder import USER, Recorder
from corpus.traces.convert.usage import stated_usage
from corpus.traces.lookup import JsonObject, first_text, items, number, record, records, text, value

# Lists of one answer by token, then how it was sampled, and how each program spells them.
# fmt: off
_TOKENS = {
    "prompt_token_ids":     ("prompt_token_ids", "prompt_ids"),
    "completion_token_ids": ("generation_token_ids", "completion_ids", "response_ids"),
    "logprobs":             ("generation_log_probs", "completion_logprobs", "logprobs"),
    "loss_mask":            ("completion_mask",),
    "policy_version":       ("policy_version", "weight_version"),
    "finish_reason":        ("finish_reason", "stop_reason"),
}
# fmt: on
_ANSWERS = ("assistant", "reasoning", "function_call")
_EARLIER = (*_ANSWERS, "tool", "function_call_output")
_SAMPLING = ("temperature", "top_p", "max_output_tokens", "max_tokens", "seed")
_CUT_OFF = ("max_", "timeout", "truncated", "incomplete")


class _RolloutRecorder(Recorder):
    """One rollout; each message is a turn."""

    def __init__(self, name: str, system: str, redaction: Redaction, place: str) -> None:
        super().__init__(name, system, redaction, place, has_clock=False)
        self.turns = 0

    def rollout(
        self, agent: str, prompt: object, answers: object, tokens: Iterable[object] = ()
    ) -> None:
        """Add what an agent was asked and answered; a text alone is one message."""
        if isinstance(prompt, str):
            prompt = [{"role": "user", "content": prompt}]
        if isinstance(answers, str):
            answers = [{"role": "assistant", "content": answers}]
        self.ask(agent, records(prompt))
        self.talk(agent, records(answers), tokens)

    def talk(
        self, agent: str, messages: Sequence[JsonObject], others: Iterable[object] = ()
    ) -> None:
        """Add the messages of an agent; `others` have the tokens of answers that lack their own."""
        tokens = iter(others)
        last = ""
        for message, following in pairwise([*messages, {"role": "user"}]):
            self.turns += 1
            self.at(float(self.turns))
            role = first_text(message, "role", "type")
            words, _ = words_of(value(message, "content"))
            is_answer = role in _ANSWERS
            # Thoughts, then words, then calls are one answer, where each is an item of its own.
            goes_on = last == "reasoning" or (last in _ANSWERS and role == "function_call")
            if is_answer and not goes_on:
                self.next_step(agent)
            last = role
            if role in ("system", "developer"):
                self.keep(agent, system=words)
            elif role == "user":
                self.prompt(agent, words)
            elif role in ("tool", "function_call_output"):
                name = first_text(message, "tool_call_id", "call_id")
                output = value(message, "output")
                self.result(agent, name, words if output is None else output)
            elif is_answer:
                found = _tokens_of(message) or _tokens_of(next(tokens, None))
                self.keep(agent, assistant=[message], tokens=found)
                calls = [message] if role == "function_call" else records(message, "tool_calls")
                for call in calls:
                    asked = record(call, "function") or call
                    name = first_text(call, "call_id", "id")
                    self.tool_call(agent, text(asked, "name"), name, value(asked, "arguments"))
                if role == "assistant" and not calls and text(following, "role") == "user":
                    self.hand_back(agent, USER, words)
            else:
                self.unknown("messages of the role", role or "none", role="role")

    def ask(
        self, agent: str, prompt: Sequence[JsonObject], earlier_roles: Sequence[str] = _EARLIER
    ) -> None:
        """Add what an agent is given; earlier answers in it are not steps."""
        earlier = []
        asked = []
        for message in prompt:
            if first_text(message, "role", "type") in earlier_roles:
                earlier.append(message)
            else:
                asked.append(message)
        if earlier:
            self.keep(agent, messages=earlier)
            what = "an answer or a result in the prompt, which is not an event of the rollout"
            self.dropped(what, count=len(earlier))
        self.talk(agent, asked)

    def conversion(self, rewards: JsonObject, stop: str, *, is_cut: bool = False) -> Conversion:
        """Return the trace with its rewards, and why it stopped."""
        if stop != "unknown":
            self.run["stop"] = self.redaction.token(stop)
        is_cut |= any(word in stop.lower() for word in _CUT_OFF)
        self.stop_reason = "truncated" if is_cut else "implicit"
        self.end_of_talk()
        found = self.finish()
        for name in rewards:
            reward = number(rewards[name])
            if reward is not None:
                channel, mark, agent = name.partition("@")
                known = self.redaction.name(channel, "reward")
                found.trace["rewards"][f"{known}{mark}{agent}"] = reward
        return found

    def sample(self, *settings: object) -> None:
        """Note how all answers were sampled, as far as these settings tell."""
        stated: dict[str, float | None] = {}
        for one in settings:
            stated |= {name: number(one, name) for name in _SAMPLING}
        found = {name: setting for name, setting in stated.items() if setting is not None}
        if found:
            self.run["sampling"] = found

    def spend_at_end(self, agent: str, usage: object, model: str = "") -> None:
        """Put the tokens of a whole rollout on its last step."""
        paths = ("input_tokens|prompt_tokens", "", "", "output_tokens|completion_tokens", "")
        spent = stated_usage(usage, *paths, model=model)
        if spent.total:
            self.ambiguous("the tokens of a whole rollout are on its last step")
            self.spend(agent, spent)


def _tokens_of(node: object) -> JsonObject:
    found = {}
    for name, spellings in _TOKENS.items():
        for spelling in spellings:
            stated = value(node, spelling)
            is_list = name not in ("policy_version", "finish_reason")
            if stated and isinstance(stated, list) == is_list:
                found[name] = stated
    return found


def _nemo_gym(row: JsonObject, recorder: _RolloutRecorder) -> Conversion:
    asked = value(row, "responses_create_params")
    response = value(row, "response")
    agent = recorder.new_agent(text(row, "agent_ref.name"))
    recorder.task_id = text_of(row, "_ng_task_index")
    recorder.sample(asked, response)
    recorder.keep(agent, tool_definitions=value(asked, "tools"))
    recorder.rollout(agent, value(asked, "input"), items(response, "output"))
    recorder.spend_at_end(agent, value(response, "usage"), text(response, "model"))
    stop = text(response, "incomplete_details.reason")
    if stop:
        recorder.keep(agent, tokens={"finish_reason": stop})
    return recorder.conversion({"reward": value(row, "reward")}, stop, is_cut=bool(stop))


def _verifiers(row: JsonObject, recorder: _RolloutRecorder) -> Conversion:
    agent = recorder.new_agent("")
    environment = text(row, "task")
    recorder.task_id = ".".join(filter(None, (environment, text_of(row, "example_id"))))
    recorder.sample(value(row, "sampling_args"))
    tokens = []
    for one in records(row, "trajectory"):
        finish = value(one, "response.choices.0.finish_reason")
        tokens.append({"finish_reason": finish, **record(one, "tokens")})
    recorder.keep(agent, tool_definitions=value(row, "tool_defs") or value(row, "tools"))
    recorder.rollout(agent, value(row, "prompt"), value(row, "completion"), tokens)
    recorder.spend_at_end(agent, value(row, "token_usage"))
    rewards = {"reward": value(row, "reward"), **record(row, "metrics")}
    is_cut = value(row, "is_truncated") is True
    return recorder.conversion(rewards, text(row, "stop_condition"), is_cut=is_cut)


def _rllm(row: JsonObject, recorder: _RolloutRecorder) -> Conversion:
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
    if value(row, "is_correct") in (True, False):
        recorder.metrics["task_success"] = int(row["is_correct"])
    return recorder.conversion(rewards, text(row, "termination_reason"))


def text_of(row: JsonObject, name: str) -> str:
    """Return a name or a number as a text; empty where there is none."""
    found = value(row, name)
    return "" if found is None else str(found)


def rollout_id(row: JsonObject, line: int) -> str:
    """Return the id of a rollout; where there is none, that of its task and its line."""
    parts = [value(row, "_ng_task_index"), value(row, "_ng_rollout_index")]
    if None in parts:
        parts = [value(row, "example_id"), line]
    return text(row, "id") or "-".join(str(part) for part in parts if part is not None)


def _format(
    name: str, read: Callable[[JsonObject, _RolloutRecorder], Conversion]
) -> RecordedFormat:
    def convert(documents: Documents, redaction: Redaction) -> Conversions:
        for document in documents:
            for row in document.objects:
                place = document.place(row.line)
                identity = rollout_id(row.value, row.line)
                yield read(row.value, _RolloutRecorder(identity, name, redaction, place))

    return RecordedFormat(name, convert)


NEMO_GYM = _format("nemo-gym", _nemo_gym)
VERIFIERS = _format("verifiers", _verifiers)
RLLM = _format("rllm", _rllm)
