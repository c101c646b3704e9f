"""Rollouts of agent-lightning: the spans of its store until 0.3, and the events of it since 1.0."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from corpus.traces.convert.conversation import ChatRecorder, tokens_of
from corpus.traces.convert.format import Conversions, Documents, RecordedFormat, Redaction
from corpus.traces.convert.messages import chat_messages
from corpus.traces.convert.spans.attributes import conversions
from corpus.traces.convert.spans.dialects import read_span, recorded_span
from corpus.traces.convert.spans.tree import Span
from corpus.traces.document import rows_of
from corpus.traces.lookup import (
    JsonObject,
    first_text,
    items,
    listed,
    number,
    record,
    records,
    text,
    value,
)

_SYSTEM = "agent-lightning"
#: Rewards of a run by channel, of all attempts by their names.
Rewards = dict[str, dict[str, float]]


def convert(documents: Documents, redaction: Redaction) -> Conversions:
    """Yield one trace for each attempt at a rollout."""
    rewards: Rewards = defaultdict(dict)
    tasks: dict[str, object] = {}
    spans = []
    events: dict[str, list[JsonObject]] = defaultdict(list)
    for row in rows_of(documents):
        for one in listed(row.value, "items"):
            attempt = f"{text(one, 'rollout_id')}.{text(one, 'attempt_id')}"
            if text(one, "span_id"):
                spans.append(_span(one, attempt, rewards))
            elif text(one, "event_type"):
                events[attempt].append(one)
            elif text(one, "rollout_id"):
                tasks[text(one, "rollout_id")] = value(one, "input")
    for attempt, of_attempt in events.items():
        for one in of_attempt:
            reward = number(one, "data.value")
            if text(one, "event_type") == "reward" and reward is not None:
                rewards[attempt]["reward"] = reward
    runs = (_EventRecorder(name, one, redaction).conversion({}, "") for name, one in events.items())
    of_spans = conversions(spans, _SYSTEM, redaction, documents[0].path) if spans else ()
    for found in chain(of_spans, runs):
        attempt = found.trace["trace_id"]
        for channel, reward in rewards[attempt].items():
            found.trace["rewards"][redaction.name(channel, "reward")] = reward
        if task := tasks.get(attempt.rpartition(".")[0]):
            found.trace["task_id"] = redaction.content(task, "user")
        yield found


def _span(written: JsonObject, attempt: str, rewards: Rewards) -> Span:
    given = record(written, "attributes")
    for channel, reward in _rewards_in(given):
        # The last word on a channel counts.
        rewards[attempt][channel] = reward
    failed = text(written, "status.status_code") == "ERROR"
    span = recorded_span(written, _SYSTEM, trace=attempt, given=given, failed=failed, unknown="")
    span = read_span(replace(span, kind=""))
    if span.kind == "model":
        span.contents["tokens"] |= tokens_of(given)
    return span


def _rewards_in(given: JsonObject) -> Iterator[tuple[str, float]]:
    for place in range(len(given)):
        reward = number(given.get(f"agentlightning.reward.{place}.value"))
        if reward is None:
            break
        yield first_text(given, f"agentlightning.reward.{place}.name") or "reward", reward


class _EventRecorder(ChatRecorder):
    """The model calls of one attempt, each with all that the model was given."""

    def __init__(self, name: str, events: list[JsonObject], redaction: Redaction) -> None:
        super().__init__(name, _SYSTEM, redaction, name, has_clock=True)
        agent = self.new_agent("agent")
        known: list[JsonObject] = []
        for event in events:
            kind = text(event, "event_type")
            if kind == "model_request":
                known = self._call(agent, event, known)
            elif kind != "reward":
                self.unknown("events of the unknown kind", kind, role="event")

    def _call(self, agent: str, event: JsonObject, known: list[JsonObject]) -> list[JsonObject]:
        request, response = value(event, "data.request"), value(event, "data.response")
        self.keep(agent, tool_definitions=value(request, "tools"))
        given = records(request, "messages")
        time = value(event, "timestamp")
        if value(event, "data.status") == "error":
            self.dropped("a model call that failed")
            return known
        # A call repeats what was said before; what it leaves out, the model no longer has.
        told = chat_messages(given[len(known) :] if given[: len(known)] == known else given)
        if choice := record(response, "choices.0"):
            answer = record(choice, "message")
            given = [*given, answer]
            told.append(
                {
                    **answer,
                    "usage": value(event, "data.usage") or value(response, "usage"),
                    "model": text(response, "model") or text(event, "data.model"),
                    "completion_ids": items(choice, "token_ids")
                    or items(response, "response_token_ids"),
                    "prompt_ids": items(response, "prompt_token_ids"),
                }
            )
        self.talk(agent, [{**one, "timestamp": time} for one in told])
        return given


FORMAT = RecordedFormat(_SYSTEM, convert)
