"""A conversation of messages as a run: prompts, answers with their calls, results."""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, product

from corpus.traces.convert.events import USER
from corpus.traces.convert.format import (
    Conversion,
    Conversions,
    Documents,
    RecordedFormat,
    Redaction,
)
from corpus.traces.convert.messages import calls_in, chat_messages, words_of
from corpus.traces.convert.recorder import Recorder
from corpus.traces.convert.usage import Usage, stated_usage, usage_beside_cache
from corpus.traces.document import RecordedFile, Row
from corpus.traces.lookup import (
    JsonObject,
    first_text,
    is_number,
    number,
    record,
    records,
    text,
    time_of,
    value,
)

# Lists of one answer by token, then how it was sampled, and how each program spells them.
# fmt: off
_TOKENS = {
    "prompt_token_ids":     ("prompt_token_ids", "prompt_ids"),
    "completion_token_ids": (
        *("generation_token_ids", "completion_ids", "response_ids", "response_token_ids"),
    ),
    "logprobs":             ("generation_log_probs", "completion_logprobs", "logprobs"),
    "loss_mask":            ("completion_mask",),
    "policy_version":       ("policy_version", "weight_version"),
    "finish_reason":        ("finish_reason", "stop_reason", "stopReason"),
}
# fmt: on
_ANSWERS = ("assistant", "reasoning", "function_call")
_EARLIER = (*_ANSWERS, "tool", "function_call_output")
_SAMPLING = ("temperature", "top_p", "max_output_tokens", "max_tokens", "seed")
_CUT_OFF = ("max_", "timeout", "truncated", "incomplete", "length")
_ENDED = {"error": "external", "aborted": "external"}


class ChatRecorder(Recorder):
    """One conversation; each message is a turn.

    Messages may have a time (``timestamp``) and tokens (``usage``) of their own.

    Attributes
    ----------
    turns : int
        Messages so far.
    model : str
        The model of all answers that name none.
    """

    def __init__(
        self, name: str, system: str, redaction: Redaction, place: str, *, has_clock: bool = False
    ) -> None:
        super().__init__(name, system, redaction, place, has_clock=has_clock)
        self.turns = 0
        self.model = ""

    def before(self, agent: str, message: JsonObject) -> None:
        """Note what a message tells of those before it; nothing in most formats."""

    def ends_turn(self, message: JsonObject, following: JsonObject) -> bool:
        """Whether what follows an answer is said by a person, or nothing is."""
        return text(following, "role") == "user"

    def usage_of(self, message: JsonObject) -> Usage:
        """Return the tokens that an answer states of itself."""
        model = first_text(message, "model", "modelId") or self.model
        usage = value(message, "usage")
        if record(usage).keys() & {"cacheRead", "cache_read_input_tokens"}:
            return usage_beside_cache(usage, model)
        return stated_usage(
            usage,
            model,
            input="input_tokens|prompt_tokens|input",
            cached="cached_tokens",
            output="output_tokens|completion_tokens|output",
            reasoning="reasoning_tokens",
        )

    def rollout(
        self, agent: str, prompt: object, answers: object, tokens: Iterable[object] = ()
    ) -> None:
        """Add what an agent was asked and answered; a text alone is one message."""
        if isinstance(prompt, str):
            prompt = [{"role": "user", "content": prompt}]
        if isinstance(answers, str):
            answers = [{"role": "assistant", "content": answers}]
        self.ask(agent, records(prompt))
        self.talk(agent, chat_messages(answers), tokens)

    def talk(
        self,
        agent: str,
        messages: Sequence[JsonObject],
        others: Iterable[object] = (),
        caller: str = USER,
    ) -> None:
        """Add the messages of an agent; `others` have the tokens of answers that lack their own."""
        tokens = iter(others)
        last = ""
        for message, following in pairwise([*messages, {"role": "user"}]):
            self.turns += 1
            self.at(self.when(message))
            self.before(agent, message)
            role = first_text(message, "role", "type")
            words, _ = words_of(value(message, "content"))
            is_answer = role in _ANSWERS
            # Thoughts, then words, then calls are one answer, where each is an item of its own.
            goes_on = last == "reasoning" or (last in _ANSWERS and role == "function_call")
            if is_answer and not goes_on:
                self.next_step(agent, self.usage_of(message))
            last = role
            if role in ("system", "developer"):
                self.keep(agent, system=words)
            elif role == "user" and caller != USER:
                self.keep(agent, user=words)
            elif role == "user":
                self.prompt(agent, words)
            elif role in ("tool", "function", "function_call_output"):
                name = first_text(message, "tool_call_id", "toolCallId", "call_id")
                output = value(message, "output")
                self.answered(agent, name, words if output is None else output, message)
            elif is_answer:
                found = tokens_of(message) or tokens_of(next(tokens, None))
                self.keep(agent, assistant=[message], tokens=found)
                calls = calls_in(message)
                for call in calls:
                    self.called_tool(agent, call["name"], call["id"], call["arguments"])
                if role == "assistant" and not calls and self.ends_turn(message, following):
                    self.hand_back(agent, caller, words)
            elif role == "compaction":
                self.compact(agent, value(message, "summary"))
            elif role in ("branch_summary", "prefilled"):
                # Nobody said it here, but the model has it.
                self.keep(agent, user=value(message, "summary") or words)
            else:
                self.unknown("messages of the role", role or "none", role="role")

    def called_tool(self, agent: str, tool: str, call_id: str, asked: object) -> None:
        """Add a call of a tool."""
        self.tool_call(agent, tool, call_id, asked)

    def answered(self, agent: str, call_id: str, content: object, message: JsonObject) -> None:
        """Add what a tool answered."""
        failed = value(message, "isError") is True or value(message, "is_error") is True
        self.result(agent, call_id, content, failed=failed)

    def when(self, message: JsonObject) -> float | None:
        """Return when a message was written; without a clock, its number."""
        if not self.has_clock:
            return float(self.turns)
        written = value(message, "timestamp")
        # Of numbers, one beyond this year's seconds counts milliseconds.
        unit = 1e-3 if is_number(written) and written > 1e11 else 1.0
        return time_of(written, unit)

    def ask(
        self, agent: str, prompt: Sequence[JsonObject], earlier_roles: Sequence[str] = _EARLIER
    ) -> None:
        """Add what an agent is given; earlier answers in it are not steps."""
        earlier = []
        asked = []
        for message in chat_messages(prompt):
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
        self.stop_reason = "truncated" if is_cut else _ENDED.get(stop, "implicit")
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
        found = {}
        for one, name in product(settings, _SAMPLING):
            if (setting := number(one, name)) is not None:
                found[name] = setting
        if found:
            self.run["sampling"] = found

    def spend_at_end(self, agent: str, usage: object, model: str = "") -> None:
        """Put the tokens of a whole rollout on its last step."""
        spent = stated_usage(
            usage,
            model,
            input="input_tokens|prompt_tokens",
            output="output_tokens|completion_tokens",
        )
        if spent.total:
            self.ambiguous("the tokens of a whole rollout are on its last step")
            self.spend(agent, spent)


def name_of_row(document: RecordedFile, position: int, row: Row) -> str:
    """Return the id of the run in a row; rows of one task, or of one list, need their own."""
    stated = first_text(row.value, "id", "trace_id")
    numbers = [value(row.value, name) for name in ("_ng_task_index", "_ng_rollout_index")]
    if not stated and None not in numbers:
        stated = "-".join(map(str, numbers))
    return stated or f"{document.path.stem}-{position}"


def tokens_of(node: object) -> JsonObject:
    """Return the ids, log probabilities and masks of an answer, under the names of contents."""
    found = {}
    for name, spellings in _TOKENS.items():
        for spelling in spellings:
            stated = value(node, spelling)
            is_list = name not in ("policy_version", "finish_reason")
            if stated and isinstance(stated, list) == is_list:
                found[name] = stated
    return found


def format_of_rows(
    name: str, read: Callable[[JsonObject, ChatRecorder], Conversion]
) -> RecordedFormat:
    """Return a format whose files have a rollout in each row; `read` converts one."""

    def convert(documents: Documents, redaction: Redaction) -> Conversions:
        for document in documents:
            for position, row in enumerate(document.objects, start=1):
                identity, place = name_of_row(document, position, row), document.place(row.line)
                yield read(row.value, ChatRecorder(identity, name, redaction, place))

    return RecordedFormat(name, convert)
