"""The rows of a Claude Code session file, typed; anything may be missing, since eight versions wrote them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from corpus.traces.convert.clock import iso_time
from corpus.traces.convert.document import RecordedFile, Row
from corpus.traces.convert.lookup import count, items, record, text, value

SPAWN_TOOLS = frozenset({"Task", "Agent"})
"""Names of the tool that starts a sub-agent (up to 2.0, from 2.1)."""
_AGENT_FILE = re.compile(r"agent-([\w-]{1,200})\.(?:meta\.)?jsonl?(?:\.gz)?$")
_REFUSALS = ("doesn't want to proceed", "requested permissions", "denied by", "blocked by")
_TOKEN_FIELDS = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def agent_of_file(document: RecordedFile) -> str:
    """Return the agent id in a file name such as ``agent-a1b2.jsonl``, or the empty string."""
    found = _AGENT_FILE.search(document.path.name)
    return found.group(1) if found else ""


@dataclass(frozen=True)
class Turn:
    """One row: what the model, a tool or a person said in one thread.

    Attributes
    ----------
    row : dict
        As it stands in the file.
    place : str
        ``file:line``.
    thread : str
        The agent it belongs to; empty for the main one.
    """

    row: dict[str, Any]
    place: str
    thread: str

    @cached_property
    def time(self) -> float | None:
        """Seconds since 1970, or ``None``."""
        return iso_time(value(self.row, "timestamp"))

    @property
    def kind(self) -> str:
        """``assistant``, ``user``, or another type that the recorder wrote."""
        return text(self.row, "type")

    @property
    def step(self) -> str:
        """Id of the model step; the rows of one step share it, one row a content block."""
        return text(self.row, "message", "id") or text(self.row, "requestId") or text(self.row, "uuid") or self.place

    @property
    def synthetic(self) -> bool:
        """Whether the recorder wrote the answer, not a model (an error report, say)."""
        return value(self.row, "isApiErrorMessage") is True or text(self.row, "message", "model") == "<synthetic>"

    def blocks(self, kind: str) -> list[dict[str, Any]]:
        """Return the content blocks of one kind; a bare string is one text block."""
        said = text(self.row, "message", "content")
        content = [{"type": "text", "text": said}] if said else items(self.row, "message", "content")
        return [block for block in content if isinstance(block, dict) and block.get("type") == kind]

    @property
    def words(self) -> str:
        """The text blocks, joined."""
        return "\n".join(text(block, "text") for block in self.blocks("text"))

    @property
    def usage(self) -> tuple[int, ...]:
        """Tokens by field; repeated, and growing, on every row of one step."""
        return tuple(count(self.row, "message", "usage", name) for name in _TOKEN_FIELDS)


@dataclass(frozen=True, slots=True)
class Call:
    """One use of the tool that starts a sub-agent."""

    turn: Turn
    block: dict[str, Any]

    @property
    def name(self) -> str:
        """Id of the call."""
        return text(self.block, "id")

    @property
    def prompt(self) -> str:
        """What the sub-agent is told."""
        return text(self.block, "input", "prompt")

    @property
    def role(self) -> str:
        """The kind of sub-agent asked for."""
        return text(self.block, "input", "subagent_type")

    @property
    def resumes(self) -> str:
        """Id of the sub-agent that is to go on, where the call starts no new one."""
        return text(self.block, "input", "resume")


@dataclass(frozen=True, slots=True)
class Result:
    """What came back from a tool: the block that the model reads and what the recorder knows beside it."""

    turn: Turn
    block: dict[str, Any]

    @property
    def failed(self) -> bool:
        """Whether the tool reported an error."""
        return value(self.block, "is_error") is True

    @property
    def report(self) -> dict[str, Any]:
        """The recorder's own record of the result."""
        return record(self.turn.row, "toolUseResult")

    @property
    def agent(self) -> str:
        """Id of the sub-agent that answered, where it is written down."""
        return text(self.report, "agentId")


def turns_of(document: RecordedFile) -> list[Turn]:
    """Return the rows of one file, each with the thread it belongs to."""
    rows = [row for row in document.rows if isinstance(row.value, dict)]
    of_file = agent_of_file(document)
    whole = bool(of_file) and all(value(row.value, "isSidechain") is not False for row in rows)
    roots = {} if whole else _sidechain_roots(rows)
    turns = []
    for row in rows:
        thread = ""
        if whole:
            thread = text(row.value, "agentId") or of_file
        elif value(row.value, "isSidechain") is True:
            thread = text(row.value, "agentId") or roots.get(text(row.value, "uuid"), f"row-{row.line}")
        turns.append(Turn(row.value, document.place(row.line), thread))
    return turns


def _sidechain_roots(rows: list[Row]) -> dict[str, str]:
    """Map the uuid of each sidechain row to the uuid at the head of its chain; a cycle is its own head."""
    parents = {
        text(row.value, "uuid"): text(row.value, "parentUuid")
        for row in rows
        if value(row.value, "isSidechain") is True and text(row.value, "uuid")
    }
    roots: dict[str, str] = {}
    for name in parents:
        path: dict[str, None] = {}
        here = name
        while here not in roots and here not in path:
            path[here] = None
            if parents[here] not in parents:
                break
            here = parents[here]
        head = roots.get(here, here)
        roots.update(dict.fromkeys(path, head))
    return roots


def results_of(turn: Turn) -> list[Result]:
    """Return the tool results of a row."""
    return [Result(turn, block) for block in turn.blocks("tool_result")]


def hook_event(turn: Turn) -> str:
    """Return the name of the hook that a row reports, or the empty string."""
    return text(turn.row, "attachment", "hookEvent")


def refused(result: Result) -> bool:
    """Whether a person or a permission rule, not the tool, made the call fail."""
    if not result.failed:
        return False
    parts = value(result.block, "content")
    words = parts if isinstance(parts, str) else " ".join(text(part, "text") for part in items(result.block, "content"))
    return any(mark in words for mark in _REFUSALS)
