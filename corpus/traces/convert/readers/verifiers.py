"""Results of verifiers: since 0.4 episodes with a trace for each agent, before a row each."""

from corpus.traces.convert.conversation import ChatRecorder, name_of_row
from corpus.traces.convert.events import USER, QueuedEvent
from corpus.traces.convert.format import (
    Conversion,
    Conversions,
    Documents,
    RecordedFormat,
    Redaction,
)
from corpus.traces.convert.usage import NO_USAGE, Usage, stated_usage
from corpus.traces.lookup import (
    JsonObject,
    number,
    parsed,
    record,
    records,
    stated_count,
    text,
    value,
)

#: What our writer calls the tool that starts an agent.
_SPAWN_TOOL = "spawn_agent"
_TOKENS = {"completion_ids": "token_ids", "logprobs": "logprobs", "completion_mask": "mask"}


def _verifiers(row: JsonObject, recorder: ChatRecorder) -> Conversion:
    agent = recorder.new_agent("")
    example = value(row, "example_id")
    recorder.task_id = f"{text(row, 'task')}.{'' if example is None else example}".strip(".")
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
    stop = "error" if value(row, "error") else text(row, "stop_condition")
    return recorder.conversion(rewards, stop, is_cut=is_cut)


class _EpisodeRecorder(ChatRecorder):
    """One episode of verifiers since 0.4: a tree of messages for each of its agents.

    A call that our writer made of a spawn is one again.
    """

    def __init__(self, row: JsonObject, system: str, redaction: Redaction, place: str) -> None:
        self.traces = records(row, "traces") or [row]
        stamps = [value(node, "timestamp") for one in self.traces for node in records(one, "nodes")]
        has_clock = any(stamp and number(stamp) for stamp in stamps)
        super().__init__(text(row, "id"), system, redaction, place, has_clock=has_clock)
        self.usages: dict[int, Usage] = {}
        self.by_name = {text(one, "agent.name"): one for one in reversed(self.traces)}
        self.spawns: dict[str, QueuedEvent] = {}
        self.names: dict[str, str] = {}
        self.walked: set[str] = set()
        models: dict[str, str] = {}
        rewards: JsonObject = {}
        for place_of_trace, one in enumerate(self.traces):
            name = text(one, "agent.name")
            agent, model = self.names.get(name, ""), text(one, "agent.config.model")
            if models.get(name) == model:
                # Another agent of this name; with another model, the same one goes on.
                agent = ""
            models[name] = model
            if not agent or name not in self.walked or one is not self.by_name.get(name):
                agent = agent or self.new_agent(name or "agent")
                self._walk(one, agent, USER)
            for channel, reward in record(one, "rewards").items():
                score, weight = number(reward, "score"), number(reward, "weight")
                if score is not None:
                    known = f"{channel}@{agent}" if place_of_trace else channel
                    rewards[known] = score * (1 if weight is None else weight)
        for channel, measured in record(self.traces[0], "metrics").items():
            rewards.setdefault(channel, measured)
        self.rewards = rewards
        self.stop = text(self.traces[0], "stop_condition")
        self.task_id = text(row, "task.key")

    def usage_of(self, message: JsonObject) -> Usage:
        return self.usages.get(id(message), NO_USAGE)

    def _walk(self, trace: JsonObject, agent: str, caller: str) -> None:
        name = text(trace, "agent.name")
        self.walked.add(name)
        self.names.setdefault(name, agent)
        model = text(trace, "agent.config.model")
        self.keep(agent, tool_definitions=value(trace, "tools"))
        spent: dict[int, Usage] = {}
        for call in records(trace, "calls"):
            usage = stated_usage(
                value(call, "usage"),
                text(call, "model") or model,
                is_beside=True,
                input="prompt_tokens",
                cached="cached_input_tokens",
                output="completion_tokens",
                reasoning="reasoning_tokens",
            )
            answer = stated_count(call, "node")
            if answer is not None:
                spent[answer] = usage
            elif usage.total:
                self.missing("tokens of a model call without an answer", count=usage.total)
        messages = []
        for place, node in enumerate(records(trace, "nodes")):
            message = {**record(node, "message"), "timestamp": value(node, "timestamp")}
            # A branch: the model has no more than what is above it in the tree.
            message["is_branch"] = place > 0 and value(node, "parent") != place - 1
            if value(node, "sampled") is True:
                for key, name in _TOKENS.items():
                    if stated := value(node, name):
                        message[key] = stated
                self.usages[id(message)] = spent.get(place, Usage(model=model))
            elif text(message, "role") == "assistant":
                # The context has it, and no model wrote it.
                self.dropped("an answer in the context that no model wrote")
                message["role"] = "prefilled"
            messages.append(message)
        self.talk(agent, messages, caller=caller)

    def before(self, agent: str, message: JsonObject) -> None:
        """Note that the context is another one from here on."""
        if message["is_branch"]:
            self.compact(agent)

    def called_tool(self, agent: str, tool: str, call_id: str, asked: object) -> None:
        """Add a call of a tool, or the spawn of an agent of the episode."""
        child = text(parsed(asked), "agent")
        if tool != _SPAWN_TOOL or child not in self.by_name or child in self.walked:
            super().called_tool(agent, tool, call_id, asked)
            return
        self.names[child] = self.new_agent(child)
        self.settle(agent, ())
        self.spawns[call_id] = self.spawn(agent, self.names[child], call_id, asked)

    def answered(self, agent: str, call_id: str, content: object, message: JsonObject) -> None:
        """Add what a tool or an agent answered."""
        spawn = self.spawns.get(call_id)
        if spawn is None:
            super().answered(agent, call_id, content, message)
            return
        child = spawn.keys["to"]
        name = next(one for one, known in self.names.items() if known == child)
        if name not in self.walked:
            self._walk(self.by_name[name], child, agent)
        for event in reversed(self.events):
            if event.kind == "return" and event.agent == child:
                self.replace(agent, spawn, event)
                return
        self.at(self.when(message))
        self.replace(agent, spawn, self.return_of(spawn, content, ("event",)))


def convert(documents: Documents, redaction: Redaction) -> Conversions:
    """Yield one trace for each rollout of verifiers: an episode since 0.4, a row before."""
    for document in documents:
        for position, row in enumerate(document.objects, start=1):
            place = document.place(row.line)
            if value(row.value, "traces") is not None or value(row.value, "nodes") is not None:
                run = _EpisodeRecorder(row.value, "verifiers", redaction, place)
                yield run.conversion(run.rewards, run.stop)
            else:
                name = name_of_row(document, position, row)
                yield _verifiers(row.value, ChatRecorder(name, "verifiers", redaction, place))


FORMAT = RecordedFormat("verifiers", convert)
