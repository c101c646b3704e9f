"""The conversations of the agents of a run, as its models saw them."""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import Any

from corpus.traces.contents import Contents
from corpus.traces.convert.messages import CALLS, OBJECT, OUTPUTS, call_of, words_of
from corpus.traces.emit.target import SPAWN_TOOL, RunTexts, plain
from corpus.traces.lookup import JsonObject, first_text, items, parsed, record, records, text
from corpus.traces.measures.decisions import stop_kind
from corpus.traces.model import Event
from corpus.traces.run import Run
from corpus.traces.training.credit import reward_of
from corpus.traces.training.groups import Rollout

#: Words of recorders for a limit, and what verifiers calls it.
# fmt: off
_LIMITS = (
    ("time",                       "timeout"),
    ("turn|step|message|iterat",   "max_turns"),
    ("total|context|prompt",       "max_total_tokens"),
    ("token|length",               "max_output_tokens"),
)
# fmt: on
_ROLES = {"developer": "system", "human": "user", "ai": "assistant", "model": "assistant"}
_SAMPLING = ("temperature", "top_p", "max_tokens", "max_output_tokens", "seed")


class Chat:
    """A stretch of the conversation of one agent, as one model saw it.

    Attributes
    ----------
    agent, model : str
        Whose it is; the model is empty where none is named.
    number : int
        How many stretches the agent has had before.
    messages : list of dict
        With ``role`` and ``content``; an answer may have ``tool_calls``, whose arguments are
        objects, and ``reasoning_content``.
    turns : dict of int to int
        For each model step of the stretch the place of its answer in `messages`.
    tokens : dict of int to dict
        How each of these answers was sampled.
    tools : list of dict
        Definitions of tools, as they were recorded.
    missing : list of str
        What the model saw and the recording does not tell.
    seen : list of (str, str)
        Role and words of the messages that were recorded for its last answer, if any were.
    """

    def __init__(self, agent: str, before: "Chat | None" = None) -> None:
        self.agent = agent
        self.model = ""
        self.number: int = before.number + 1 if before else 0
        self.messages: list[JsonObject] = []
        self.turns: dict[int, int] = {}
        self.tokens: dict[int, JsonObject] = {}
        self.tools: list[JsonObject] = before.tools if before else []
        self.missing: list[str] = []
        self.seen: list[tuple[str, str]] = []

    @property
    def context(self) -> int:
        """How many messages it had seen before its first answer."""
        return min(self.turns.values())

    @property
    def acted(self) -> int:
        """How many messages there were when it had answered last."""
        return max(self.turns.values(), default=-1) + 1

    def hear(self, words: object, call: str | None = None) -> None:
        """Add what the agent is told: the result of a call with this id, or else a prompt."""
        if call is not None:
            self.messages.append(
                {"role": "tool", "tool_call_id": call, "content": plain(words or "")}
            )
        elif words is not None:
            self.messages.append(message_of("user", words))

    def follow(self, heard: list[JsonObject]) -> None:
        """Replace what it was told since its last answer by what was recorded with the next one.

        Results stay those of its calls.
        """
        results = [one for one in self.messages[self.acted :] if one["role"] == "tool"]
        del self.messages[self.acted :]
        for one in heard:
            if one["role"] == "tool" and results:
                # Calls that run beside each other may come back in another order.
                keys = [key for key in ("tool_call_id", "content") if one[key]]
                same = [result for key in keys for result in results if result[key] == one[key]]
                result = (same or results)[0]
                results.remove(result)
                one = {**result, "content": one["content"] or result["content"]}
            self.messages.append(one)
        # Each call has a result, or no template takes it.
        self.messages[self.acted : self.acted] = results

    def answer(self, step: int) -> JsonObject:
        """Return the answer of a step; a new one where it has none, or before the first step."""
        place = self.turns.get(step, len(self.messages))
        if place == len(self.messages):
            self.messages.append({"role": "assistant", "content": ""})
            if step >= 0:
                self.turns[step] = place
        return self.messages[place]

    def first(self, name: str) -> Any:
        """Return how its first answer was sampled that tells this."""
        found = (tokens.get(name) for tokens in self.tokens.values())
        return next((one for one in found if one is not None), None)


class SampledTurn:
    """An answer of a model, and how it was sampled.

    Parameters
    ----------
    chat : Chat
        Whose answer it is.
    step : int
        Which one.

    Attributes
    ----------
    message : dict
        The answer.
    sampled : dict
        What is recorded of its tokens.
    prompt, answer : list of int
        Their ids; both empty where one is unknown, and so is all that follows.
    mask : list of bool
        Which tokens of the answer are trained.
    logprobs : list of float
        Of these tokens; empty where they are unknown.
    """

    def __init__(self, chat: Chat, step: int) -> None:
        self.step = step
        self.place = chat.turns[step]
        self.message = chat.messages[self.place]
        self.sampled = sampled = chat.tokens.get(step, {})
        self.prompt: list[int] = items(sampled, "prompt_token_ids")
        self.answer: list[int] = items(sampled, "completion_token_ids")
        if not self.prompt or not self.answer:
            self.prompt, self.answer = [], []
        mask = list(map(bool, items(sampled, "loss_mask")))
        size = len(self.answer)
        self.mask = mask if len(mask) == size else [True] * size
        logprobs: list[float] = items(sampled, "logprobs")
        self.logprobs = logprobs if len(logprobs) == size else []


class RunChats(RunTexts):
    """The conversations of the agents of a run, with rewards and credit, as they are taught.

    An event without a model step of its own is part of the latest answer of its agent. A stretch
    ends where the context was compacted or another model goes on; turns that a person took back are
    in none.

    Parameters
    ----------
    run : Run
        The run.
    contents : Contents
        What its hashes stand for.
    train : collection of str
        Agents, roles or models that are trained; all without any.

    Attributes
    ----------
    chats : dict of str to list of Chat
        By agent, one after the other.
    rollout : Rollout
        Its steps, rewards and task.
    channel : str
        The reward channel; empty where no run has a reward.
    is_credited : bool
        Whether a scheme gives credit.
    attempt : int
        How many runs of the task came before.
    """

    def __init__(self, run: Run, contents: Contents, train: Collection[str] = ()) -> None:
        super().__init__(run, contents)
        self.rollout = Rollout(run, (run.id, 0))
        self.train = train
        self.channel = ""
        self.is_credited = False
        self.attempt = 0
        self.chats = {agent: [Chat(agent)] for agent in run.agents}
        #: Agents whose own first event has their prompt.
        self.asked = set()
        for agent, place in run.first.items():
            if (run.events[place].x_contents or {}).keys() & {"user", "messages"}:
                self.asked.add(agent)
        for place in run.graph.order:
            if run.events[place].x_undone is not True:
                self._take(place)
        for chat in chain.from_iterable(self.chats.values()):
            # What an agent was told after its last answer teaches nothing.
            del chat.messages[chat.acted :]
            has_system = any(one["role"] == "system" for one in chat.messages)
            if not (has_system or chat.seen or self.rollout.has_whole_prompts):
                chat.missing.append("system prompt")
            if not chat.tools and any("tool_calls" in one for one in chat.messages):
                chat.missing.append("tools")
            if any(OBJECT in one["content"] for one in chat.messages):
                chat.missing.append("pictures, sounds or files")
                self.losses.add("dropped", chat.agent, "a picture, sound or file")

    @property
    def task(self) -> str:
        """Id of the task or hash of its first context; the id of the trace without both."""
        return self.rollout.group or self.run.id

    def taught(self) -> Iterator[Chat]:
        """Yield the stretches of all agents in which a model has answered."""
        for chat in chain.from_iterable(self.chats.values()):
            if chat.turns:
                yield chat

    def is_trained(self, chat: Chat) -> bool:
        """Whether a stretch is of an agent, role or model that is trained."""
        named = {chat.agent, self.run.roles.get(chat.agent), chat.model}
        return not self.train or not named.isdisjoint(self.train)

    def reward(self, agent: str) -> float | None:
        """Return the reward of an agent; that of the run is of the main agent.

        Where a scheme gives credit, it is what the scheme reads.
        """
        found = self.rollout.of_agents.get(self.channel, {}).get(agent)
        if found is None and self.is_credited:
            return reward_of(self.rollout, agent, self.channel)
        if found is None and agent == self.run.main:
            return self.rollout.rewards.get(self.channel)
        return found

    def event(self, step: int) -> Event:
        """Return the event of a step."""
        return self.run.events[self.rollout.places[step]]

    def sampled(self, chat: Chat) -> Iterator[SampledTurn]:
        """Yield the turns of a stretch; those without token ids are noted as not trained."""
        for turn in map(partial(SampledTurn, chat), chat.turns):
            if not turn.prompt:
                self.drop(self.event(turn.step), "the training of a turn without token ids")
            yield turn

    def ending(self) -> tuple[str, str]:
        """Return how the run ended: ``done``, ``limit`` or ``failed``, and in which words."""
        run = self.run
        recorded = record(run.events[0].x_run)
        word = text(recorded, "stop") or text(recorded, "limit")
        for sign, name in _LIMITS:
            if re.search(sign, word.lower()):
                return "limit", name
        kind = "error" if run.events[run.end].failed else stop_kind(run)
        is_error = re.search("error|exception|fail|crash", word.lower())
        if kind in ("explicit", "implicit") and not is_error:
            return "done", word or "agent_completed"
        return "failed", word or kind

    def provenance(self, chat: Chat) -> JsonObject:
        """Return what a stretch is of, and how it came about; null where it is not recorded."""
        sampling = {name: chat.first(name) for name in _SAMPLING if chat.first(name) is not None}
        known = record(self.run.events[0].x_run)
        version = chat.first("policy_version")
        last = chat.tokens.get(max(chat.turns), {})
        return {
            "trace": self.run.id,
            "agent": chat.agent,
            "stretch": chat.number,
            "model": chat.model or None,
            "task": self.task,
            "attempt": self.attempt,
            "reward": self.reward(chat.agent),
            "policy_version": known.get("policy_version") if version is None else version,
            "stop": self.ending()[1],
            "finish_reason": last.get("finish_reason"),
            "sampling": record(known, "sampling") | sampling or None,
            "missing": chat.missing,
        }

    def _take(self, place: int) -> None:
        event, actor = self.run.events[place], self.run.actors[place]
        words = self.written(event.content_ref)
        reader = self.rollout.reader(event)
        if event.type == "tool_result":
            caller = self.rollout.callers.get(place, "")
            if caller not in self.chats:
                self.drop(event, "a result without a call")
                return
            asked = self.call_of[place]
            is_call = self.is_call(self.run.events[asked])
            self.chats[caller][-1].hear(words, self.call_ids[asked] if is_call else None)
        elif event.type == "human_intervention":
            self.chats[reader if reader in self.chats else self.run.main][-1].hear(words)
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
                    if reader in self.asked:
                        # Its own recording tells what it was asked.
                        return
                    words = record(parsed(words)).get("prompt") or words
                self.chats[reader][-1].hear(words, call)

    def _answer(self, place: int, words: object) -> None:
        """Add to the answer of its agent what an event tells of it."""
        event, step = self.run.events[place], self.rollout.of_event[place]
        is_step = step >= 0 and self.rollout.places[step] == place
        if is_step and event.failed and not self.said(event) and not self.is_call(event):
            # A request that failed has no answer.
            return
        chat = self._stretch(event, self.run.actors[place], is_step=is_step)
        self.give(event, chat.messages, chat.acted, message_of)
        message = chat.answer(step)
        is_handoff = event.role == "handoff" and words is None
        if self.is_call(event) or is_handoff:
            arguments = self.arguments(event)
            if words is None and isinstance(event.to, str):
                arguments = {"agent": event.to}
            name = "transfer_to_agent" if is_handoff else "unknown"
            name = event.tool or (SPAWN_TOOL if event.type == "spawn" else name)
            function = {"name": name, "arguments": arguments}
            call_id = self.call_ids.get(place, event.id)
            call = {"id": call_id, "type": "function", "function": function}
            message.setdefault("tool_calls", []).append(call)
        for said in map(plain, self.said(event)):
            # What is recorded with a step may be recorded with its return, too.
            if said != message["content"]:
                message["content"] = "\n".join(filter(None, (message["content"], said)))
        self.add_thoughts(event, message, chat.tokens.setdefault(step, {}))
        for _ in (*self.beside(event, "tool_call"), *self.beside(event, "tool")):
            self.drop(event, "a call or result that is not an event")

    def _stretch(self, event: Event, agent: str, *, is_step: bool) -> Chat:
        """Return the stretch that an answer is part of: a new one where it saw something else.

        With other tools, or another prompt of the system beside its messages, it did.
        """
        chat = self.chats[agent][-1]
        model = event.x_model or ""
        seen = recorded(self.listed(event, "messages"))
        told = [(one["role"], one["content"]) for one in seen]
        before = chat.seen
        added = seen[len(before) :]
        # Its own answer comes first; others in a shared context are not its to learn.
        is_shared = any(one["role"] == "assistant" for one in added[1:])
        is_changed = event.x_compacted is True or is_shared or told[: len(before)] != before
        system = list(map(plain, self.beside(event, "system")))
        known = [one["content"] for one in chat.messages if one["role"] == "system"]
        if system and known and known != system and "system" not in dict(told):
            is_changed = True
        tools = self.listed(event, "tool_definitions")
        if seen and is_changed:
            # The program has shortened or changed what the model is given.
            chat = self._begin(chat, seen)
        elif seen and not chat.turns:
            # What happened before, such as a search that the program made, it saw only here.
            chat.messages = seen
        elif event.x_compacted is True:
            # A summary is in the place of all but the prompt of the system and what was asked next.
            # Results of calls are in the summary.
            said, since = chat.messages[: chat.acted], chat.messages[chat.acted :]
            kept = [one for one in said if one["role"] == "system"]
            kept += [one for one in since if one["role"] in ("system", "user")]
            chat = self._begin(chat, kept)
            chat.missing.append("what the compaction kept")
            if not (event.x_contents or {}).get("user"):
                chat.missing.append("the summary")
        elif added and added[0]["role"] == "assistant":
            # Without its own answer, what is recorded is no history, but the same prompt again.
            chat.follow(added[1:])
        is_other = is_step and model and chat.model and model != chat.model
        if chat.turns and (is_other or (tools and chat.tools and tools != chat.tools)):
            # The other model sees what this one wrote.
            chat = self._begin(chat, list(chat.messages))
        chat.tools = tools or chat.tools
        chat.seen = told or before
        chat.model = chat.model or model
        return chat

    def _begin(self, chat: Chat, messages: list[JsonObject]) -> Chat:
        """Begin a stretch with some messages; the first one only gets them."""
        if chat.turns:
            chat = Chat(chat.agent, chat)
            self.chats[chat.agent].append(chat)
        chat.messages = messages
        return chat


_RESULTS = ("tool_result", "tool_call_response", "function_call_output")


def recorded(messages: Iterable[JsonObject]) -> list[JsonObject]:
    """Return messages of a request in one spelling, however their recorder has it.

    Examples
    --------
    >>> asked = {"type": "tool_call", "id": "c", "name": "shop", "arguments": '{"tea": 2}'}
    >>> back = {"type": "function_call_output", "call_id": "c", "output": "sold"}
    >>> for one in recorded([{"role": "model", "parts": [asked]}, back]):
    ...     print(one)  # doctest: +NORMALIZE_WHITESPACE
    {'role': 'assistant', 'content': '', 'tool_calls': [{'id': 'c', 'type': 'function',
     'function': {'name': 'shop', 'arguments': {'tea': 2}}}]}
    {'role': 'tool', 'tool_call_id': 'c', 'content': 'sold'}
    """
    found: list[JsonObject] = []
    for envelope in messages:
        message = record(envelope, "kwargs") or envelope
        role = first_text(message, "role", "type")
        # A call or result may be a message of its own.
        blocks = records(message, "parts") or records(message, "content") or [message]
        results = [block for block in blocks if text(block, "type") in _RESULTS]
        for one in results:
            call = first_text(one, "tool_use_id", "call_id", "id")
            back = next((one[key] for key in OUTPUTS if key in one), "")
            found.append({"role": "tool", "tool_call_id": call, "content": plain(back or "")})
        asked = [block for block in blocks if text(block, "type") in CALLS]
        calls = list(map(_call, [*records(message, "tool_calls"), *asked]))
        words, _ = words_of(message, OBJECT)
        is_told = results and (role in _RESULTS or not words)
        if role == "reasoning" or (is_told and not calls):
            continue
        said: JsonObject = {"role": _ROLES.get(role, role), "content": plain(words)}
        if role in CALLS:
            said["role"] = "assistant"
            # The calls of an answer follow its text.
            if found and found[-1]["role"] == "assistant":
                said = found.pop()
        if calls:
            said["tool_calls"] = [*said.get("tool_calls", ()), *calls]
        if role == "tool":
            said["tool_call_id"] = first_text(message, "tool_call_id", "id")
        found.append(said)
    return found


def _call(written: JsonObject) -> JsonObject:
    call = call_of(written)
    asked = call["arguments"]
    known = {} if asked is None else parsed(asked)
    arguments = known if isinstance(known, dict) else {"input": asked}
    function = {"name": call["name"], "arguments": arguments}
    return {"id": call["id"], "type": "function", "function": function}


def message_of(role: str, words: object) -> JsonObject:
    """Return a message with one text."""
    return {"role": role, "content": plain(words)}
