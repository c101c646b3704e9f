"""Runs of AutoGen teams: the messages of a TaskResult, or of a stream of one."""

from typing import Any

from corpus.traces.convert.events import USER
from corpus.traces.convert.format import Conversions, Documents, RecordedFormat, Redaction, unnamed
from corpus.traces.convert.recorder import Recorder
from corpus.traces.convert.usage import Usage, stated_usage
from corpus.traces.lookup import JsonObject, has_time, items, number, record, records, text, value

# How the conditions that end a run from outside state it (autogen_agentchat.conditions). Those of
# others hold names and texts that a team agreed on, such as "Text 'limit' mentioned", so a single
# word would not tell.
_STOPS = {
    "maximum number of ": "truncated",
    "token usage limit reached": "truncated",
    "timeout of ": "truncated",
    "external termination requested": "external",
}


def convert(documents: Documents, redaction: Redaction) -> Conversions:
    """Yield one trace for each result; the rows of a stream are one run, a list of messages too."""
    for document in documents:
        stream: list[JsonObject] = []
        for row in document.rows:
            for one in items(row.value) or [row.value]:
                result = value(one, "task_result") or one
                if items(result, "messages"):
                    # A stream ends with a result, which repeats its messages.
                    stream = []
                    yield _TeamRecorder(result, document.place(row.line), redaction).finish()
                elif text(one, "source") and text(one, "type"):
                    stream.append(one)
            if stream and (isinstance(row.value, list) or row is document.rows[-1]):
                # It was cut off before its result, or is a list of messages.
                found = {"messages": stream}
                yield _TeamRecorder(found, document.place(row.line), redaction).finish()
                stream = []


class _TeamRecorder(Recorder):
    """One run of a team."""

    def __init__(self, result: object, place: str, redaction: Redaction) -> None:
        self.messages = records(result, "messages")
        name = text(self.messages, "0.id") or unnamed("team", place)
        has_clock = has_time(self.messages, "created_at")
        super().__init__(name, "autogen", redaction, place, has_clock=has_clock)
        self.position = 0
        self.thought = ""
        self.handovers: set[str] = set()
        # A source that asks for input passes on what a person typed.
        asking = [one for one in self.messages if text(one, "type") == "UserInputRequestedEvent"]
        self.people = {"user", "human", *(text(one, "source").lower() for one in asking)}
        self.stop_reason = "implicit"
        for position, message in enumerate(self.messages):
            self.position = position
            self._take(message)
        # A sentence of a termination condition: there is no code for it.
        if reason := text(result, "stop_reason").lower():
            self.stop_reason = "explicit"
            for words, stop in _STOPS.items():
                if words in reason:
                    self.stop_reason = stop
        self.miss_unspent(
            "tokens on a message that is not a model step", map(_usage, self.messages)
        )
        self.end_of_talk()

    def _take(self, message: JsonObject) -> None:
        self.at(self.clock(value(message, "created_at"), self.position))
        source = text(message, "source")
        agent = self.agent(source)
        content = value(message, "content")
        match text(message, "type").partition("[")[0]:
            case "TextMessage" | "MultiModalMessage" | "StructuredMessage":
                if self._is_person(source):
                    self.prompt(self.agent(self._next_agent()), _parts(content))
                else:
                    self._step(message, agent)
                    self._say(content, agent)
            case "ToolCallSummaryMessage":
                # The summary repeats what tools answered; no model wrote it.
                self._say(content, agent)
            case "ToolCallRequestEvent":
                self._step(message, agent)
                for call in records(content):
                    name, asked = text(call, "name"), value(call, "arguments")
                    if self._hands_over(source, name):
                        self.handovers.add(text(call, "id"))
                    else:
                        self.tool_call(agent, name, text(call, "id"), asked)
            case "ToolCallExecutionEvent":
                for one in records(content):
                    if text(one, "call_id") in self.handovers:
                        continue
                    failed = value(one, "is_error") is True
                    self.result(agent, text(one, "call_id"), value(one, "content"), failed=failed)
            case "CodeGenerationEvent":
                self._step(message, agent)
                self.tool_call(agent, "code_executor", "", content)
            case "CodeExecutionEvent":
                # Below 0 is a process that a signal ended, as Python counts it.
                failed = number(message, "result.exit_code") not in (None, 0)
                self.result(agent, "", value(message, "result"), failed=failed)
            case "HandoffMessage":
                target = text(message, "target")
                if self._is_person(source):
                    # How a user proxy passes on what a person answers to a handoff.
                    self.prompt(self.agent(target), content)
                elif self._is_person(target):
                    self.hand_back(agent, USER, content)
                else:
                    # Who hands over has done its part: what it does later follows from a new
                    # message.
                    self.close(agent)
                    self.message(agent, self.agent(target), content, role="handoff")
            case "SelectSpeakerEvent" | "SelectorEvent":
                # A manager decides who speaks; one with usage asked a model.
                usage = _usage(message)
                if usage.total:
                    self.next_step(agent, usage)
                choice = self.add("orchestrator_decision", agent, content=content)
                # What the chosen agents do next follows from the choice.
                for name in items(content):
                    if isinstance(name, str):
                        self.seed(self.agent(name), choice)
            case "StopMessage":
                self._step(message, agent)
                self.hand_back(agent, USER, content)
                self.stop_reason = "explicit"
            case "ThoughtEvent":
                self.thought = text(message, "content")
            case "ModelClientStreamingChunkEvent" | "UserInputRequestedEvent":
                # Parts of what the next message of the same source tells whole.
                pass
            case kind:
                self.unknown("messages of the type", kind or "none")

    def _hands_over(self, source: str, tool: str) -> bool:
        """Whether a tool is how the agent hands over, of which a message tells next."""
        for later in self.messages[self.position + 1 :]:
            if text(later, "source") == source and text(later, "type") == "HandoffMessage":
                return tool == f"transfer_to_{text(later, 'target').lower()}"
            if text(later, "source") != source or text(later, "type") == "ToolCallRequestEvent":
                break
        return False

    def _is_person(self, source: str) -> bool:
        return source.lower() in self.people

    def _step(self, message: JsonObject, agent: str) -> None:
        self.next_step(agent, _usage(message))
        # A thought is sent before the message that it led to; the calls of tools are events.
        thought, self.thought = self.thought, ""
        self.keep(agent, reasoning=thought, assistant=text(message, "content"))

    def _say(self, content: object, agent: str) -> None:
        """Take a message to the team: to who speaks next, or the answer at the end."""
        content = _parts(content)
        following = self._next_agent()
        other = self.agent(following)
        if not following or self._is_person(following):
            self.hand_back(agent, USER, content)
        elif other == agent:
            self.settle(agent)
        else:
            self.inferred("a message to the team counts as one to the next speaker", agent)
            self.message(agent, other, content, ("to",), guessed=True)

    def _next_agent(self) -> str:
        """Return who sends the next message; a manager that only selects does not speak."""
        for later in range(self.position + 1, len(self.messages)):
            message = self.messages[later]
            if text(message, "type") not in ("SelectSpeakerEvent", "SelectorEvent"):
                return text(message, "source")
        return ""


def _parts(content: object) -> Any:
    """Return a text; texts and pictures as parts that tell which is which."""
    if not isinstance(content, list):
        return content
    found = []
    for one in content:
        is_text = isinstance(one, str)
        found.append({"type": "text", "text": one} if is_text else {"type": "image", **record(one)})
    return found


def _usage(message: JsonObject) -> Usage:
    usage = value(message, "models_usage")
    return stated_usage(usage, input="prompt_tokens", output="completion_tokens")


FORMAT = RecordedFormat("autogen", convert)
