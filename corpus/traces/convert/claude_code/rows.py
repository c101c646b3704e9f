"""The rows of a Claude Code session file, typed.

Anything may be missing, since many versions wrote them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from corpus.traces.convert.usage import Usage
from corpus.traces.document import RecordedFile, Row
from corpus.traces.lookup import (
    JsonObject,
    first_text,
    iso_time,
    plain_text,
    record,
    records,
    stated_count,
    text,
    value,
)

#: Names of the tool that starts a sub-agent (up to 2.0, from 2.1).
SPAWN_TOOLS = frozenset({"Task", "Agent"})
#: Name of the tool that runs a script, which starts agents.
WORKFLOW_TOOL = "Workflow"

_AGENT_FILE = re.compile(r"agent-([\w-]{1,200})\.(?:meta\.)?jsonl?(?:\.gz)?$")
_REFUSALS = ("doesn't want to proceed", "requested permissions", "denied by", "blocked by")

#: Beginning of the row that tells of an interruption.
INTERRUPTED = "[Request interrupted by user"

# A command that is a prompt begins with <command-message> and is what a person asked; one that the
# program carries out itself begins with <command-name>, and its output follows.
_PROGRAM_TAGS = frozenset(
    {
        "agent-notification",
        "bash-stderr",
        "bash-stdout",
        "command-name",
        "local-command-caveat",
        "local-command-stderr",
        "local-command-stdout",
        "system-reminder",
        "task-notification",
        "teammate-message",
        "user-prompt-submit-hook",
    }
)
_PROGRAM_WORDS = {
    "Another Claude session sent a message": "message of another session",
    "Caveat: The messages below were generated": "caveat",
    "This session is being continued from a previous conversation": "summary",
}
_PERSON_TAGS = frozenset({"bash-input", "command-message", "pasted-content"})
_TAG = re.compile(r"\s*<([a-z][a-z0-9]*(?:-[a-z0-9]+){1,4})>")
# Blocks of a message whose meaning is known; thinking is part of the tokens only.
_KNOWN_BLOCKS = frozenset(
    {"text", "thinking", "redacted_thinking", "tool_use", "tool_result", "image", "document"}
)
_NOTICES = ("<task-notification>", "<agent-notification>")
_NOTICE_TAGS = ("tool-use-id", "task-id", "agent-id", "result", "summary", "status", "usage")
_NOTICE_TOKENS = re.compile(r"total_tokens\W{1,3}(\d{1,15})\b")
# Model calls that the program makes in a copy of the conversation, each in a file of its own.
_SIDE_CALL = re.compile(r"a(?:compact|prompt_suggestion|side_question)-")


def agent_of_file(document: RecordedFile) -> str:
    """Return the agent id in a file name such as ``agent-a1b2.jsonl``, or the empty string."""
    found = _AGENT_FILE.search(document.path.name)
    return found.group(1) if found else ""


def is_side_call(document: RecordedFile) -> bool:
    """Whether a file holds a model call of the program, such as ``agent-acompact-1f2e.jsonl``."""
    return _SIDE_CALL.match(agent_of_file(document)) is not None


@dataclass(frozen=True)
class Turn:
    """One row: what the model, a tool or a person wrote in one thread.

    Attributes
    ----------
    row : dict
        As it is in the file.
    place : str
        ``file:line``.
    thread : str
        The agent it belongs to; empty for the main one.
    side : bool
        Whether the program, not the agent, made the model call (to compact the context).
    """

    row: JsonObject
    place: str
    thread: str
    side: bool = False

    @cached_property
    def time(self) -> float | None:
        """Seconds since 1970, or ``None``."""
        return iso_time(value(self.row, "timestamp"))

    @property
    def has_agent_id(self) -> bool:
        """Whether the thread is an id that the recorder gave to an agent, not one made up here."""
        if not self.thread:
            return False
        if text(self.row, "agentId") == self.thread:
            return True
        return self.place.startswith(f"agent-{self.thread}.")

    @cached_property
    def kind(self) -> str:
        """``assistant``, ``user``, or another type that the recorder wrote."""
        return text(self.row, "type")

    @cached_property
    def step(self) -> str:
        """Id of the model step; the rows of one step share it, one row per content block."""
        message_id = text(self.row, "message.id")
        # Rows that a program wrote have no message; then each row is a step of its own.
        return message_id or first_text(self.row, "requestId", "uuid") or self.place

    @property
    def reports_error(self) -> bool:
        """Whether the row reports that a model could not be asked (a limit, for example)."""
        return value(self.row, "isApiErrorMessage") is True

    @property
    def synthetic(self) -> bool:
        """Whether the recorder wrote the answer, not a model (an error report, for example)."""
        return self.reports_error or text(self.row, "message.model") == "<synthetic>"

    def blocks(self, kind: str) -> list[JsonObject]:
        """Return the content blocks of one kind; a bare string is one text block."""
        return [block for block in self._content if block.get("type") == kind]

    @cached_property
    def _content(self) -> list[JsonObject]:
        if plain := text(self.row, "message.content"):
            return [{"type": "text", "text": plain}]
        return records(self.row, "message.content")

    @cached_property
    def words(self) -> str:
        """The text blocks, joined."""
        return self._texts("text")

    @property
    def thoughts(self) -> str:
        """What the model thought, as far as the recorder may show it."""
        return self._texts("thinking")

    def _texts(self, kind: str) -> str:
        """Return the texts of the blocks of a kind, which have them under its name."""
        return "\n".join(text(block, kind) for block in self.blocks(kind))

    @property
    def attached(self) -> list[JsonObject]:
        """The pictures and documents, which may be all that a person sent."""
        return [*self.blocks("image"), *self.blocks("document")]

    @property
    def unknown_blocks(self) -> list[str]:
        """The types of the content blocks that mean nothing to this program."""
        if self.kind not in ("assistant", "user"):
            return []
        found = []
        for block in self._content:
            kind = text(block, "type")
            if kind not in _KNOWN_BLOCKS:
                found.append(kind)
        return found

    @property
    def unused(self) -> str:
        """The type of a row, or of its attachment, that tells nothing about who did what."""
        if self.kind != "attachment":
            return "" if self.kind in ("assistant", "user") else self.kind or "type"
        if self.queued or self.hook_event:
            return ""
        return f"attachment {text(self.row, 'attachment.type')}".strip()

    @cached_property
    def queued(self) -> str:
        """What was typed or reported while the agent worked.

        Which the recorder writes as an attachment.
        """
        if text(self.row, "attachment.type") != "queued_command":
            return ""
        return text(self.row, "attachment.prompt")

    @property
    def leading_tag(self) -> str:
        """Name of the tag that the text begins with, such as ``task-notification``."""
        found = _TAG.match(self.queued or self.words)
        return found.group(1) if found else ""

    @property
    def written_by_program(self) -> str:
        """What of the program wrote a row of the type ``user``; empty where a person did.

        Since 2.1 the row names its origin; before, only the text tells.
        """
        origin = text(self.row, "origin.kind")
        origin = origin or text(self.row, "attachment.origin.kind")
        if origin and origin != "human":
            return origin
        if value(self.row, "isMeta") is True:
            return "meta"
        if value(self.row, "isCompactSummary") is True:
            return "summary"
        # Only at the beginning: people write about these tags too.
        if self.leading_tag in _PROGRAM_TAGS:
            return self.leading_tag
        words = (self.queued or self.words).lstrip()
        for beginning, what in _PROGRAM_WORDS.items():
            if words.startswith(beginning):
                return what
        return ""

    @property
    def has_unknown_tag(self) -> bool:
        """Whether the text begins with a tag that is known neither of the program nor of people."""
        tag = self.leading_tag
        return bool(tag) and tag not in _PROGRAM_TAGS and tag not in _PERSON_TAGS

    @property
    def notice(self) -> Notice | None:
        """The report that a background task has ended, where the row is one."""
        words = (self.queued or self.words).lstrip()
        if not words.startswith(_NOTICES):
            return None
        tags: dict[str, str] = {}
        for name in _NOTICE_TAGS:
            _, found, rest = words.partition(f"<{name}>")
            content, closed, _ = rest.partition(f"</{name}>")
            if found and closed:
                tags[name] = content.strip()
        tokens = _NOTICE_TOKENS.findall(tags.get("usage", ""))
        return Notice(
            tags.get("tool-use-id", ""),
            first_text(tags, "task-id", "agent-id"),
            first_text(tags, "result", "summary"),
            tags.get("status") in ("failed", "killed", "stopped", "error"),
            int([*tokens, 0][0]),
        )

    @property
    def usage(self) -> Usage:
        """Tokens by kind; repeated, and growing, on every row of one step."""
        found = record(self.row, "message.usage")
        # Cached input is not part of input_tokens here; thinking is part of the output.
        return Usage(
            input=stated_count(found, "input_tokens"),
            cached=stated_count(found, "cache_read_input_tokens"),
            cache_write=stated_count(found, "cache_creation_input_tokens"),
            output=stated_count(found, "output_tokens"),
            model=text(self.row, "message.model"),
        )

    @property
    def results(self) -> list[Result]:
        """The tool results that the row brings back to the model."""
        return [Result(self, block) for block in self.blocks("tool_result")]

    @property
    def hook_event(self) -> str:
        """Name of the hook that the row reports, or the empty string."""
        return text(self.row, "attachment.hookEvent")


@dataclass(frozen=True, slots=True)
class Notice:
    """The program's report that a background task has stopped.

    Attributes
    ----------
    call : str
        Id of the call that started the task.
    agent : str
        Id of the sub-agent, or of the background command.
    result : str
        What the task answered.
    failed : bool
        Whether the task failed or was stopped.
    tokens : int
        Tokens of the task; 0 where the report does not have them.
    """

    call: str
    agent: str
    result: str
    failed: bool
    tokens: int


@dataclass(frozen=True, slots=True)
class Result:
    """What came back from a tool.

    The block that the model reads and what the recorder knows beside it.
    """

    turn: Turn
    block: JsonObject

    @property
    def failed(self) -> bool:
        """Whether the tool reported an error."""
        return value(self.block, "is_error") is True

    @property
    def refused(self) -> bool:
        """Whether a person or a permission rule, not the tool, made the call fail."""
        if not self.failed:
            return False
        words = str(plain_text(value(self.block, "content")))
        return any(mark in words for mark in _REFUSALS)

    @property
    def report(self) -> JsonObject:
        """The recorder's own record of the result."""
        return record(self.turn.row, "toolUseResult")

    @property
    def agent(self) -> str:
        """Id of the sub-agent that answered, where it is written down."""
        return text(self.report, "agentId")


def turns_of(document: RecordedFile) -> list[Turn]:
    """Return the rows of one file, each with the thread it belongs to.

    That of the main agent unless the file is one of a sub-agent, or the row is marked as a side
    chain.
    """
    rows = document.objects
    # A file of that name may be a whole session all the same: then its rows tell.
    is_session = any(value(row.value, "isSidechain") is False for row in rows)
    of_file = agent_of_file(document)
    roots = _sidechain_roots(rows)
    turns = []
    for row in rows:
        thread = ""
        if of_file and not is_session:
            thread = text(row.value, "agentId") or of_file
        elif value(row.value, "isSidechain") is True:
            thread = text(row.value, "agentId")
            thread = thread or roots.get(text(row.value, "uuid"), f"row-{row.line}")
        turns.append(Turn(row.value, document.place(row.line), thread))
    return turns


def _sidechain_roots(rows: list[Row]) -> dict[str, str]:
    """Map the uuid of each sidechain row to the uuid at the head of its chain.

    A cycle is its own head.
    """
    parents = {}
    for row in rows:
        name = text(row.value, "uuid")
        if name and value(row.value, "isSidechain") is True:
            parents[name] = text(row.value, "parentUuid")
    roots: dict[str, str] = {}
    for name in parents:
        path: dict[str, None] = {}
        here = name
        while here not in roots and here not in path:
            path[here] = None
            if parents[here] not in parents:
                break
            here = parents[here]
        roots.update(dict.fromkeys(path, roots.get(here, here)))
    return roots
