"""Runs with their texts as trainers read them: verifiers, rLLM and TRL.

Field names are those of verifiers 0.4.0 (``traces.jsonl``), rLLM 0.3 (``Episode.from_dict``) and
the dataset formats of TRL 1.16. A field is always written where its default means a failure.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import compress, groupby, product
from operator import attrgetter

from corpus.model.finding import CorpusError, Rule, UsageProblem
from corpus.traces.contents import Contents
from corpus.traces.convert.format import LossList
from corpus.traces.emit.target import DAY, usage
from corpus.traces.lookup import JsonObject, record, text
from corpus.traces.run import Run
from corpus.traces.training.chats import Chat, RunChats, SampledTurn
from corpus.traces.training.credit import CreditVariant, credit
from corpus.traces.training.fitness import fitness
from corpus.traces.training.groups import Rollout, channel_of, join_crashed

MASKED = Rule(
    "OT520",
    "turn {value} of trace {trace} has tokens that are not to be trained",
    "write --to verifiers, which keeps masks, or leave the run out by --skip-unfit",
    title="Mask without a place",
    reason="Episodes of rLLM have no mask within an answer: all of its tokens would be trained.",
)


_RLLM_ENDS = {
    "timeout": "timeout",
    "max_turns": "max_turns_exceeded",
    "max_output_tokens": "max_response_length_exceeded",
    "max_total_tokens": "max_prompt_length_exceeded",
}


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
        if name := text(known, "name"):
            given = record(known, "parameters") or record(known, "input_schema")
            words = text(known, "description")
            found.append({"name": name, "description": words, "parameters": given})
    return found


def _by_model(one: RunChats) -> Iterator[tuple[str, list[Chat]]]:
    """Yield the stretches of each agent and model in a row, with a name of their own."""
    taken: Counter[str] = Counter()
    for (agent, _), stretches in groupby(one.taught(), attrgetter("agent", "model")):
        taken[agent] += 1
        name = agent if taken[agent] == 1 else f"{agent}#{taken[agent]}"
        yield name, list(stretches)


def _is_rewarded(one: RunChats, chat: Chat) -> bool:
    """Whether a stretch can be trained by reward: of others, trainers would take 0 for one."""
    if one.is_trained(chat) and one.reward(chat.agent) is None:
        one.losses.add("dropped", chat.agent, "the training of an agent without a reward")
        return False
    return one.is_trained(chat)


def _rllm(lessons: Sequence[RunChats]) -> Iterator[JsonObject]:
    """Yield an episode for each run; what follows the colon of its id counts runs of the task."""
    for one in lessons:
        run = one.run
        task = one.task.replace(":", "-")
        kind, word = one.ending()
        solved = (run.trace.metrics or {}).get("task_success")
        if solved is None:
            one.losses.add("inferred", "is_correct", "false, since the format needs a value")
        trajectories: list[JsonObject] = []
        for name, stretches in _by_model(one):
            if _is_rewarded(one, stretches[0]):
                trajectories.append(
                    {
                        "uid": f"{run.id}/{name}",
                        # A colon would end the name of its group.
                        "name": name.replace(":", "-"),
                        "task": task,
                        "steps": [step for chat in stretches for step in _rllm_steps(one, chat)],
                        "reward": one.reward(stretches[0].agent),
                        "info": one.provenance(stretches[-1]),
                    }
                )
        for trajectory in trajectories:
            trajectory["steps"][-1]["done"] = True
        if not trajectories:
            continue
        reason = {"done": "env_done", "failed": "error"}.get(kind)
        yield {
            "id": f"{task}:{one.attempt}",
            "task": task,
            "termination_reason": reason or _RLLM_ENDS[word],
            "is_correct": bool(solved),
            "trajectories": trajectories,
            "metrics": run.trace.rewards,
            "info": {"trace_id": run.id, "stop": word},
        }


def _rllm_steps(one: RunChats, chat: Chat) -> Iterator[JsonObject]:
    messages = list(map(_calls_as_text, chat.messages))
    rewards = one.rollout.of_steps.get(one.channel, {})
    last = max(chat.turns)
    for turn in one.sampled(chat):
        step = turn.step
        if step not in rewards:
            one.losses.add("inferred", "reward", "a step without a reward has 0, as in rLLM")
        advantage = one.rollout.advantages[step]
        if advantage is None and one.is_credited:
            one.losses.add("inferred", "advantage", "a step without credit has the advantage 0")
            advantage = 0.0
        thoughts = turn.message.get("reasoning_content")
        content, version = turn.message["content"], turn.sampled.get("policy_version")
        output = {
            "content": content,
            "reasoning": thoughts,
            "prompt_ids": turn.prompt,
            "completion_ids": turn.answer,
            "logprobs": turn.logprobs,
            "prompt_length": len(turn.prompt),
            "completion_length": len(turn.answer),
            "finish_reason": turn.sampled.get("finish_reason"),
            "weight_version": version,
        }
        yield {
            "prompt_ids": turn.prompt,
            "response_ids": turn.answer,
            "logprobs": turn.logprobs,
            # The last step of a stretch has all that the others had.
            "chat_completions": messages[: turn.place + 1] if step == last else [],
            "observation": None,
            "thought": thoughts or "",
            "action": None,
            "model_response": content,
            # What trains with verl skips a step without it.
            "model_output": output if turn.prompt else None,
            "info": {"event": one.event(step).id},
            "reward": rewards.get(step, 0.0),
            "done": False,
            "mc_return": 0.0,
            "advantage": advantage,
            "weight_version": version,
        }


def _verifiers(lessons: Sequence[RunChats]) -> Iterator[JsonObject]:
    """Yield an episode for each run, with a trace for each agent and model."""
    for one in lessons:
        run = one.run
        task = {"type": "Task", "data": {"id": one.task}, "key": one.task}
        kind, word = one.ending()
        state: JsonObject = {"ok": kind != "failed", "is_timeout": word == "timeout", "errors": []}
        if not state["ok"]:
            state["errors"] = [{"type": "RecordedFailure", "message": word}]
        traces = []
        versions: list[int] = []
        turns = 0
        for name, stretches in _by_model(one):
            chat = stretches[0]
            reward = one.reward(chat.agent)
            others = {**one.rollout.rewards} if chat.agent == run.main else {}
            others.pop(one.channel, None)
            nodes: list[JsonObject] = []
            calls: list[JsonObject] = []
            for stretch in stretches:
                _add_nodes(one, stretch, nodes, calls)
                turns += len(stretch.turns)
                for tokens in stretch.tokens.values():
                    if isinstance(version := tokens.get("policy_version"), int):
                        versions.append(version)
            traces.append(
                {
                    "id": f"{run.id}/{name}",
                    "task": task,
                    "agent": {
                        "config": {"model": chat.model} if chat.model else {},
                        "name": chat.agent,
                        "trainable": _is_rewarded(one, chat),
                    },
                    "tools": _tools(chat),
                    "nodes": nodes,
                    "calls": calls,
                    "rewards": {} if reward is None else {one.channel: {"score": reward}},
                    "metrics": others,
                    "info": one.provenance(stretches[-1]),
                    "is_completed": True,
                    "stop_condition": word,
                    **state,
                }
            )
        episode = {
            "id": run.id,
            "env": {"id": run.trace.system or "", "name": run.trace.system or None},
            "task": task,
            "group": {"id": one.task},
            "traces": traces,
            **state,
        }
        if versions and len(versions) == turns:
            # Work of step n is sampled by the policy of the step before.
            policy = {"start": min(versions), "end": max(versions)}
            work = {"type": "train", "step": policy["start"] + 1, "policy": policy}
            episode["run"] = {"type": "train", "id": run.id, "work": work}
        yield episode


def _add_nodes(one: RunChats, chat: Chat, nodes: list[JsonObject], calls: list[JsonObject]) -> None:
    """Add the messages of a stretch to a graph, each with the tokens that it adds.

    An answer has those of the messages before it as well, masked. A stretch begins a branch, and so
    does a prompt that does not continue what was known.
    """
    known: list[int] = []
    written = 0
    parent: int | None = None
    for turn in one.sampled(chat):
        moment = DAY + one.event(turn.step).t
        if turn.prompt and turn.prompt[: len(known)] != known:
            known, written, parent = [], 0, None
        node: JsonObject = {}
        for message in chat.messages[written : turn.place + 1]:
            node = {"parent": parent, "message": _calls_as_text(message, is_flat=True)}
            node |= {"sampled": message is turn.message, "timestamp": moment}
            parent = len(nodes)
            nodes.append(node)
        written = turn.place + 1
        if turn.prompt:
            added = turn.prompt[len(known) :]
            node["token_ids"] = added + turn.answer
            node["mask"] = [False] * len(added) + turn.mask
            node["logprobs"] = list(compress(turn.logprobs, turn.mask))
            advantage = one.rollout.advantages[turn.step]
            if advantage is not None:
                node["advantages"] = [advantage] * sum(turn.mask)
            known = turn.prompt + turn.answer
        calls.append(_call(one, chat, turn, len(nodes) - 1))


def _call(one: RunChats, chat: Chat, turn: SampledTurn, node: int) -> JsonObject:
    """Return what is known of the call of a model."""
    finish = str(turn.sampled.get("finish_reason") or "")
    if re.search("length|max", finish):
        finish = "length"
    elif finish:
        finish = "tool_calls" if "tool_calls" in turn.message else "stop"
    spent = usage(one.event(turn.step))
    tokens = {f"{kind}_tokens": spent[kind] for kind in ("prompt", "completion") if kind in spent}
    return {
        "node": node,
        "model": chat.model or None,
        "sampling": one.provenance(chat)["sampling"],
        "finish_reason": finish or None,
        "usage": tokens if len(tokens) == 2 else None,
    }


def _conversations(lessons: Sequence[RunChats]) -> Iterator[JsonObject]:
    """Yield each stretch of each agent that is trained.

    Where answers of another model are part of what one saw, all rows are prompts and completions,
    or they would be trained as its own.
    """
    chats = []
    for one in lessons:
        for chat in one.taught():
            if one.is_trained(chat):
                chats.append((one, chat))
            else:
                one.losses.add("dropped", chat.agent, "the conversation of an agent not trained")
    is_divided = False
    for _, chat in chats:
        roles = [message["role"] for message in chat.messages[: chat.context]]
        is_divided |= "assistant" in roles
    for one, chat in chats:
        row = {"messages": chat.messages}
        if is_divided:
            place = chat.context
            row = {"prompt": chat.messages[:place], "completion": chat.messages[place:]}
        yield row | _trl_tools(chat) | one.provenance(chat)


def _pairs(lessons: Sequence[RunChats]) -> Iterator[JsonObject]:
    """Yield for each agent of a task an answer of a better run and one of a worse run.

    Both answer the same conversation: trainers of preferences have no mask for what came back from
    an answer, so a pair ends with it. Of all pairs of runs, one that differs most in its reward.
    """
    by_agent = defaultdict(list)
    for one in lessons:
        for agent, (chat, *_) in one.chats.items():
            if not chat.turns or not one.is_trained(chat):
                continue
            reward = one.reward(agent)
            if reward is None:
                one.losses.add("dropped", one.rollout.trace, "an agent without a reward of its own")
            else:
                by_agent[one.task, agent].append((reward, one, chat))
    for graded in by_agent.values():
        left = list(graded)
        pairs = sorted(product(graded, repeat=2), key=lambda pair: pair[1][0] - pair[0][0])
        for best, worst in pairs:
            place = _parting(best[2], worst[2]) if best[0] > worst[0] else None
            if place is None:
                continue
            left = [one for one in graded if one is not best and one is not worst]
            row: JsonObject = {"prompt": best[2].messages[:place]}
            for name, (reward, one, chat) in (("chosen", best), ("rejected", worst)):
                row[name] = chat.messages[place : place + 1]
                row |= {f"{name}_trace": one.run.id, f"{name}_reward": reward}
                row |= {f"{name}_model": chat.model or None}
            yield row | _trl_tools(best[2]) | {"task": best[1].task, "agent": best[2].agent}
            break
        for _, one, _ in left:
            one.losses.add("dropped", one.rollout.trace, "an agent in no pair")


def _parting(one: Chat, other: Chat) -> int | None:
    """Return the place of the first answers that differ, if nothing differs before them."""
    for place, pair in enumerate(zip(one.messages, other.messages, strict=False)):
        # Ids of calls are new in every run.
        first, second = map(_without_ids, pair)
        if first != second:
            is_own = place in one.turns.values() and place in other.turns.values()
            return place if is_own else None
    return None


def _without_ids(message: JsonObject) -> JsonObject:
    found = {key: value for key, value in message.items() if key != "tool_call_id"}
    if "tool_calls" in found:
        found["tool_calls"] = [call["function"] for call in found["tool_calls"]]
    return found


def _trl_tools(chat: Chat) -> JsonObject:
    tools = [{"type": "function", "function": tool} for tool in _tools(chat)]
    return {"tools": tools} if tools else {}


#: What reads each format, and how it is written for a purpose.
TRAINERS = {
    "verifiers": (
        "Episodes of verifiers, as in traces.jsonl, for prime-rl",
        {"offline": _verifiers},
    ),
    "rllm": ("Episodes of rLLM with advantages", {"offline": _rllm}),
    "trl": (
        "Data sets of TRL: sft or preference (--for)",
        {"sft": _conversations, "preference": _pairs},
    ),
}


def teach(
    runs: Sequence[Run],
    contents: Contents,
    trainer: str,
    purpose: str,
    chosen: CreditVariant | None = None,
    channel: str = "",
    train: Collection[str] = (),
    skip_unfit: bool = False,
) -> tuple[list[JsonObject], list[LossList]]:
    """Return the rows that a trainer reads, and what is lost of each run.

    A run in which nobody who is trained has taken a step is left out, and so are runs that lack
    something, where that was asked for; they count in the credit of the others.

    Parameters
    ----------
    runs, contents
        What is taught.
    trainer, purpose
        One of :data:`TRAINERS`, and one of its purposes.
    chosen
        How credit is given.
    channel
        The reward channel; where it is empty, the only one that there is.
    train
        Agents, roles or models that are trained; all without any.
    skip_unfit
        Whether runs that lack something are left out instead of refused.

    Raises
    ------
    CorpusError
        Where contents are missing, or a turn has several owners or rules.
    UsageProblem
        Where no row comes of it, or credit cannot be given.
    """
    lessons = [RunChats(run, contents, train) for run in runs]
    rollouts = [one.rollout for one in lessons]
    join_crashed(rollouts)
    refused = []
    fit_ones = []
    attempts: Counter[str] = Counter()
    for one, fit in zip(lessons, fitness(rollouts, contents, train), strict=True):
        one.attempt = attempts[one.task]
        attempts[one.task] += 1
        findings = [] if purpose == "sft" else list(fit.findings)
        lacks = fit.lacks(purpose) if fit.turns else []
        if "contents" in lacks:
            findings.append(fit.misfit("contents", purpose))
        if trainer == "rllm":
            chats = filter(one.is_trained, one.taught())
            turns = (SampledTurn(chat, step) for chat in chats for step in chat.turns)
            if masked := next((turn for turn in turns if not all(turn.mask)), None):
                event = one.event(masked.step)
                place = f"/events/{one.rollout.places[masked.step]}"
                findings.append(MASKED.at(one.run.id, 0, place, event.id, trace=one.run.id))
        if not fit.turns:
            one.losses.add("dropped", one.run.id, "a run in which nobody trained took a step")
        elif findings:
            what = f"a run that is not fit: {', '.join(sorted({found.code for found in findings}))}"
            one.losses.add("dropped", one.run.id, what)
            refused += findings
        else:
            fit_ones.append(one)
        for need in ("tools", "system prompt"):
            if count := fit.turns - fit.found[need]:
                one.losses.add("inferred", need, f"{need}: written as if there were none", count)
    if refused and not (skip_unfit and fit_ones):
        raise CorpusError(refused)
    if purpose != "sft" and (any(map(Rollout.channels, rollouts)) or channel or chosen):
        channel = channel_of(rollouts, channel)
    elif not channel:
        # Conversations need no reward; they have the only one that there is.
        known = {name for one in rollouts for name in one.channels()}
        channel = known.pop() if len(known) == 1 else ""
        if known:
            lessons[0].losses.add("ambiguous", "reward", "several channels: choose with --channel")
    for one in lessons:
        one.channel = channel
        one.is_credited = chosen is not None
    if chosen is not None:
        credit(rollouts, chosen._replace(channel=channel))
    rows = list(TRAINERS[trainer][1][purpose](fit_ones))
    if not rows:
        needs = "a run in which somebody who is trained took a step"
        if trainer == "rllm":
            needs = "an agent who is trained, has a reward and took a step; or give credit"
        if purpose == "preference":
            needs = "runs of one task with different rewards, and other answers to the same prompt"
        raise UsageProblem(f"nothing to write for {purpose}: it needs {needs}")
    return rows, [one.losses for one in lessons]
