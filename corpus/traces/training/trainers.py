"""Runs with their texts as trainers read them: verifiers, rLLM and TRL.

Field names are those of verifiers 0.4.0 (``traces.jsonl``), rLLM 0.3 (``Episode.from_dict``) and
the dataset formats of TRL 1.10.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from msgspec import UNSET

from corpus.model.finding import CorpusError, UsageProblem
from corpus.traces.contents import Contents
from corpus.traces.convert.format import LossList
from corpus.traces.emit.target import DAY, SPAWN_TOOL, RunTexts, plain, stated
from corpus.traces.lookup import JsonObject, items, parsed, record, text
from corpus.traces.model import Event
from corpus.traces.run import Run
from corpus.traces.training.credit import CreditVariant, credit
from corpus.traces.training.fitness import fitness
from corpus.traces.training.groups import Rollout, channel_of


class Chat:
    """The conversation of one agent.

    Attributes
    ----------
    messages : list of dict
        With ``role`` and ``content``; an answer may have ``tool_calls``, whose arguments are
        objects, and ``reasoning_content``.
    turns : dict of int to int
        For each model step of the agent the place of its answer in `messages`.
    tokens : dict of int to dict
        Ids, log probabilities and masks of each step that has any.
    tools : list of dict
        Definitions of tools, as they were recorded.
    """

    def __init__(self) -> None:
        self.messages: list[JsonObject] = []
        self.turns: dict[int, int] = {}
        self.tokens: dict[int, JsonObject] = defaultdict(dict)
        self.tools: list[JsonObject] = []

    def hear(self, words: object, call: str | None = None) -> None:
        """Add what the agent is told: the result of a call with this id, or else a prompt."""
        if call is not None:
            told = {"role": "tool", "tool_call_id": call, "content": plain(words or "")}
            self.messages.append(told)
        elif words is not None:
            self.messages.append(_message("user", words))

    def answer(self, step: int) -> JsonObject:
        """Return the answer of a step; a new one where it has none, or before the first step."""
        place = self.turns.get(step, len(self.messages))
        if place == len(self.messages):
            self.messages.append({"role": "assistant", "content": ""})
            if step >= 0:
                self.turns[step] = place
        return self.messages[place]


class RunChats(RunTexts):
    """The conversations of the agents of a run, with rewards and credit, as they are taught.

    An event without a model step of its own is part of the latest answer of its agent.

    Parameters
    ----------
    run : Run
        The run.
    contents : Contents
        What its hashes stand for.

    Attributes
    ----------
    chats : dict of str to Chat
        By agent.
    rollout : Rollout
        Its steps, rewards and task.
    channel : str
        The reward channel; empty where no run has a reward.
    task : str
        Id of the task, else the hash of the first prompt, else the id of the trace.
    """

    def __init__(self, run: Run, contents: Contents) -> None:
        super().__init__(run, contents)
        self.rollout = Rollout(run, (run.id, 0))
        self.channel = ""
        self.task = self.rollout.group or run.id
        self.chats = {agent: Chat() for agent in run.agents}
        for place in run.graph.order:
            self._take(place)
        for chat in self.chats.values():
            # What an agent was told after its last answer teaches nothing.
            del chat.messages[max(chat.turns.values(), default=-1) + 1 :]

    def taught(self) -> Iterator[tuple[str, Chat]]:
        """Yield each agent that has taken a step, with its conversation."""
        for agent, chat in self.chats.items():
            if chat.turns:
                yield agent, chat

    def reward(self, agent: str) -> float | None:
        """Return the reward of an agent; of the main agent, else, that of the run."""
        found = self.rollout.of_agents.get(self.channel, {}).get(agent)
        if found is None and agent == self.run.main:
            return self.rollout.rewards.get(self.channel)
        return found

    def event(self, step: int) -> Event:
        """Return the event of a step."""
        return self.run.events[self.rollout.places[step]]

    def _take(self, place: int) -> None:
        event, actor = self.run.events[place], self.run.actors[place]
        words = self.written(event.content_ref)
        reader = self.rollout.reader(event)
        if event.type == "tool_result":
            caller = self.chats.get(self.rollout.callers.get(place, ""))
            if caller is None:
                self.drop(event, "a result without a call")
                return
            asked = self.call_of[place]
            is_call = self.is_call(self.run.events[asked])
            caller.hear(words, self.call_ids[asked] if is_call else None)
        elif event.type == "human_intervention":
            self.chats[reader if reader in self.chats else self.run.main].hear(words)
        elif actor in self.chats and event.type not in ("safety_event", "despawn"):
            # A return may be recorded at the parent that gets it.
            writer = self.run.ended(event) if event.type == "return" else actor
            if writer == actor:
                self._answer(place, words)
            else:
                reader = actor
            if reader in self.chats and reader != writer:
                call = None
                if event.type == "return" and self.run.parents.get(writer) == reader:
                    # The first return answers the spawn; further ones are messages.
                    call = self.call_ids.get(self.spawn_of.pop(writer, -1))
                elif event.type == "spawn":
                    words = record(parsed(words)).get("prompt") or words
                self.chats[reader].hear(words, call)

    def _answer(self, place: int, words: object) -> None:
        """Add to the answer of its agent what an event tells of it."""
        event, step = self.run.events[place], self.rollout.of_event[place]
        chat = self.chats[self.run.actors[place]]
        acted = max(chat.turns.values(), default=-1) + 1
        self.give(event, chat.messages, acted, chat.tools, _message)
        message = chat.answer(step)
        if self.is_call(event):
            arguments = self.arguments(event)
            if words is None and isinstance(event.to, str):
                arguments = {"agent": event.to}
            name = stated(event.tool, SPAWN_TOOL if event.type == "spawn" else "unknown")
            function = {"name": name, "arguments": arguments}
            call = {"id": self.call_ids[place], "type": "function", "function": function}
            message.setdefault("tool_calls", []).append(call)
        for said in map(plain, self.said(event)):
            # What is recorded with a step may be recorded with its return, too.
            if said != message["content"]:
                message["content"] = "\n".join(filter(None, (message["content"], said)))
        self.add_thoughts(event, message, chat.tokens[step])
        for _ in (*self.beside(event, "tool_call"), *self.beside(event, "tool")):
            self.drop(event, "a call or result that is not an event")


def _message(role: str, words: object) -> JsonObject:
    return {"role": role, "content": plain(words)}


def _calls_as_text(message: JsonObject, is_flat: bool = False) -> JsonObject:
    """Return a message whose calls have their arguments as JSON, as models write them.

    In the flat form name and arguments are keys of the call itself.
    """
    if "tool_calls" not in message:
        return message
    calls = []
    for call in message["tool_calls"]:
        function = {**call["function"], "arguments": json.dumps(call["function"]["arguments"])}
        calls.append({"id": call["id"], **function} if is_flat else {**call, "function": function})
    return {**message, "tool_calls": calls}


def _tools(chat: Chat) -> list[JsonObject]:
    """Return name, description and parameters of each tool, however it was recorded."""
    found = []
    for tool in chat.tools:
        known = record(tool, "function") or tool
        if text(known, "name"):
            found.append(
                {
                    "name": text(known, "name"),
                    "description": text(known, "description"),
                    "parameters": record(known, "parameters") or record(known, "input_schema"),
                }
            )
    return found


def _tokens(chat: Chat, step: int) -> tuple[list[int], list[int], list[bool], list[float]]:
    """Return prompt, answer, mask and log probabilities of the answer; empty where unknown."""
    known = chat.tokens[step]
    prompt, answer = items(known, "prompt_token_ids"), items(known, "completion_token_ids")
    if not prompt or not answer:
        return [], [], [], []
    mask = list(map(bool, items(known, "loss_mask")))
    if len(mask) != len(answer):
        mask = [True] * len(answer)
    probabilities = items(known, "logprobs")
    if len(probabilities) != len(answer):
        probabilities = []
    return prompt, answer, mask, probabilities


def _rllm(lessons: Sequence[RunChats]) -> Iterator[JsonObject]:
    """Yield an episode for each run; what follows the colon of its id counts runs of the task."""
    counts: Counter[str] = Counter()
    for one in lessons:
        run = one.run
        task = one.task.replace(":", "-")
        solved = (run.trace.metrics or {}).get("task_success")
        if solved is None:
            one.losses.add("inferred", "is_correct", "false, since the format needs a value")
        trajectories = []
        for agent, chat in one.taught():
            trajectories.append(
                {
                    "uid": f"{run.id}/{agent}",
                    "name": agent,
                    "task": task,
                    "steps": _rllm_steps(one, chat),
                    "reward": one.reward(agent),
                }
            )
        yield {
            "id": f"{task}:{counts[task]}",
            "task": task,
            "termination_reason": "unknown",
            "is_correct": bool(solved),
            "trajectories": trajectories,
            "metrics": run.trace.rewards,
            "info": {"trace_id": run.id},
        }
        counts[task] += 1


def _rllm_steps(one: RunChats, chat: Chat) -> list[JsonObject]:
    messages = list(map(_calls_as_text, chat.messages))
    rewards = one.rollout.of_steps.get(one.channel, {})
    steps = []
    for step, place in chat.turns.items():
        prompt, answer, _, probabilities = _tokens(chat, step)
        if step not in rewards:
            one.losses.add("inferred", "reward", "a step without a reward has 0, as in rLLM")
        steps.append(
            {
                "prompt_ids": prompt,
                "response_ids": answer,
                "logprobs": probabilities,
                "chat_completions": messages[: place + 1],
                "observation": None,
                "thought": messages[place].get("reasoning_content", ""),
                "action": None,
                "model_response": messages[place]["content"],
                "info": {"event": one.event(step).id},
                "reward": rewards.get(step, 0.0),
                "done": False,
                "mc_return": 0.0,
                "advantage": one.rollout.advantages[step],
            }
        )
    steps[-1]["done"] = True
    return steps


def _verifiers(lessons: Sequence[RunChats]) -> Iterator[JsonObject]:
    """Yield an episode for each run, with a trace for each agent."""
    for one in lessons:
        run = one.run
        task = {"type": "Task", "data": {"id": one.task}, "key": one.task}
        traces = []
        for agent, chat in one.taught():
            reward = one.reward(agent)
            others = {}
            if agent == run.main:
                others = {**one.rollout.rewards}
                others.pop(one.channel, None)
            models = {one.event(step).x_model for step in chat.turns}
            config = {}
            if len(models) == 1 and UNSET not in models:
                config = {"model": models.pop()}
            traces.append(
                {
                    "id": f"{run.id}/{agent}",
                    "task": task,
                    "agent": {"config": config, "name": agent},
                    "tools": _tools(chat),
                    "nodes": _nodes(one, chat),
                    "rewards": {} if reward is None else {one.channel: {"score": reward}},
                    "metrics": others,
                    "is_completed": True,
                }
            )
        yield {
            "id": run.id,
            "env": {"id": run.trace.system or ""},
            "task": task,
            "group": {"id": one.task},
            "traces": traces,
        }


def _nodes(one: RunChats, chat: Chat) -> list[JsonObject]:
    """Return the messages as a graph, each with the tokens that it adds to those before.

    An answer has those of the messages before it as well, masked. Where its prompt does not
    continue what was known, the messages begin anew: a branch.
    """
    nodes: list[JsonObject] = []
    known: list[int] = []
    written = 0
    for step, place in chat.turns.items():
        event = one.event(step)
        prompt, answer, mask, probabilities = _tokens(chat, step)
        is_branch = bool(prompt) and prompt[: len(known)] != known
        if is_branch:
            known, written = [], 0
        for number, message in enumerate(chat.messages[written : place + 1]):
            begins = number == 0 and (is_branch or not nodes)
            nodes.append(
                {
                    "parent": None if begins else len(nodes) - 1,
                    "message": _calls_as_text(message, is_flat=True),
                    "sampled": written + number == place,
                    "timestamp": DAY + event.t,
                }
            )
        written = place + 1
        advantage = one.rollout.advantages[step]
        if prompt:
            added = prompt[len(known) :]
            node = nodes[-1]
            node["token_ids"] = added + answer
            node["mask"] = [False] * len(added) + mask
            node["logprobs"] = [p for p, is_own in zip(probabilities, mask, strict=False) if is_own]
            if advantage is not None:
                node["advantages"] = [advantage] * sum(mask)
            known = prompt + answer
        elif advantage is not None:
            one.drop(event, "the advantage of a turn without token ids")
    return nodes


def _conversations(lessons: Sequence[RunChats]) -> Iterator[JsonObject]:
    """Yield the conversation of each agent."""
    for one in lessons:
        for _, chat in one.taught():
            yield {"messages": chat.messages, **_trl_tools(chat)}


def _pairs(lessons: Sequence[RunChats]) -> Iterator[JsonObject]:
    """Yield for each agent of a task the run with its highest reward, and that with its lowest.

    The prompt is what both have in common before an answer.
    """
    by_agent = defaultdict(list)
    for one in lessons:
        for agent, chat in one.taught():
            reward = one.reward(agent)
            if reward is None:
                one.losses.add("dropped", one.rollout.trace, "an agent without a reward of its own")
            else:
                by_agent[one.task, agent].append((reward, one, chat))
    for graded in by_agent.values():
        graded.sort(key=lambda grade: grade[0])
        (low, _, worst), (high, _, best) = graded[0], graded[-1]
        chosen, rejected = best.messages, worst.messages
        place = 0
        last = min(len(chosen), len(rejected)) - 1
        while place < last and chosen[place] == rejected[place]:
            place += 1
        # Results of calls were not chosen: the answers with the calls were.
        while place and chosen[place]["role"] != "assistant":
            place -= 1
        left = graded
        if low < high and place:
            left = graded[1:-1]
            row = {"prompt": chosen[:place], "chosen": chosen[place:], "rejected": rejected[place:]}
            yield row | _trl_tools(best)
        for _, one, _ in left:
            one.losses.add("dropped", one.rollout.trace, "an agent in no pair")


def _trl_tools(chat: Chat) -> JsonObject:
    tools = [{"type": "function", "function": tool} for tool in _tools(chat)]
    return {"tools": tools} if tools else {}


_TRL = {"sft": _conversations, "preference": _pairs}
#: What reads each format, and how it is written for a purpose.
TRAINERS = {
    "verifiers": (
        "Episodes of verifiers, as in traces.jsonl, for prime-rl",
        {"offline": _verifiers},
    ),
    "rllm": ("Episodes of rLLM with advantages", {"offline": _rllm}),
    "trl": ("Data sets of TRL: sft or preference (--for)", _TRL),
}


def teach(
    trainer: str,
    runs: Sequence[Run],
    contents: Contents,
    purpose: str,
    chosen: CreditVariant | None,
    channel: str,
) -> tuple[list[JsonObject], list[LossList]]:
    """Return the rows that a trainer reads, and what is lost of each run.

    Parameters
    ----------
    trainer
        One of :data:`TRAINERS`.
    runs, contents
        The runs, and what their hashes stand for.
    purpose
        What is trained: ``offline``, or for TRL ``sft`` or ``preference``.
    chosen
        How credit is given.
    channel
        The reward channel; where it is empty, the only one that there is.

    Raises
    ------
    CorpusError
        Where contents are missing, or a turn has several owners or rules.
    UsageProblem
        Where no row comes of it, or credit cannot be given.
    """
    lessons = [RunChats(run, contents) for run in runs]
    rollouts = [one.rollout for one in lessons]
    findings = []
    for one, fit in zip(lessons, fitness(rollouts, contents), strict=True):
        if purpose != "sft":
            findings += fit.findings
        for need in fit.lacks(purpose):
            if need == "contents":
                findings.append(fit.misfit(need, purpose))
            elif need in ("tools", "system prompt"):
                count = fit.turns - fit.found[need]
                one.losses.add("inferred", need, f"{need}: written as if there were none", count)
    if findings:
        raise CorpusError(findings)
    if purpose != "sft" and (any(map(Rollout.channels, rollouts)) or channel or chosen):
        channel = channel_of(rollouts, channel)
    for one in lessons:
        one.channel = channel
    if chosen is not None:
        credit(rollouts, chosen._replace(channel=channel))
    rows = list(TRAINERS[trainer][1][purpose](lessons))
    if not rows:
        needs = "runs of one task with different rewards and the same prompt"
        raise UsageProblem(f"nothing to write for {purpose}: it needs {needs}")
    return rows, [one.losses for one in lessons]
