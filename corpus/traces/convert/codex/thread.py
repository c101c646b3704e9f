"""Codex rollout files: one file a thread, and the threads of one run joined by the parent they name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from corpus.traces.convert.clock import iso_time
from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.lookup import record, text, value
from corpus.traces.convert.redaction import Redaction


@dataclass(frozen=True, slots=True)
class RolloutRow:
    """One row of a rollout: `kind` is the row type, `name` the type of its payload."""

    thread: str
    place: str
    time: float | None
    kind: str
    name: str
    payload: dict[str, Any]

    @property
    def call(self) -> str:
        """Id of the tool call that the row belongs to."""
        return text(self.payload, "call_id") or text(self.payload, "callId")


@dataclass(slots=True)
class Thread:
    """One thread: its id, the thread that started it, its nickname and role, and its rows."""

    id: str
    parent: str
    nickname: str
    role: str
    version: str
    items: list[RolloutRow] = field(default_factory=list)


def threads_of(documents: Sequence[RecordedFile]) -> dict[str, Thread]:
    """Read every file as a thread; two files of one thread are put together."""
    found: dict[str, Thread] = {}
    for document in documents:
        metas = [record(row.value, "payload") for row in document.rows if text(row.value, "type") == "session_meta"]
        fallback = f"thread-{Redaction().content(document.path.name)}".replace("sha256:", "")
        thread = _thread(metas[0] if metas else {}, fallback)
        kept = found.setdefault(thread.id, thread)
        for row in document.rows:
            if isinstance(row.value, dict):
                payload = record(row.value, "payload")
                time = iso_time(value(row.value, "timestamp"))
                place = document.place(row.line)
                kept.items.append(
                    RolloutRow(kept.id, place, time, text(row.value, "type"), text(payload, "type"), payload)
                )
    return found


def _thread(meta: dict[str, Any], fallback: str) -> Thread:
    spawn = record(meta, "source", "subagent", "thread_spawn")
    return Thread(
        id=text(meta, "id") or text(meta, "session_id") or fallback,
        parent=text(spawn, "parent_thread_id") or text(meta, "parent_thread_id"),
        nickname=text(meta, "agent_nickname") or text(spawn, "agent_nickname"),
        role=text(meta, "agent_role") or text(spawn, "agent_role"),
        version=text(meta, "cli_version"),
    )


def runs_of(threads: dict[str, Thread]) -> Iterator[tuple[Thread, list[Thread]]]:
    """Yield each run as its top thread and all its threads; a thread whose parent is missing is a top one."""
    tops: dict[str, list[Thread]] = {}
    for thread in threads.values():
        here, seen = thread, {thread.id}
        while here.parent in threads and here.parent not in seen:
            here = threads[here.parent]
            seen.add(here.id)
        tops.setdefault(here.id, []).append(thread)
    for name, members in tops.items():
        yield threads[name], members


def in_time(members: Sequence[Thread]) -> list[RolloutRow]:
    """Return the rows of several threads in time order; a row without a time stays behind the one before it."""
    stamped: list[tuple[float, int, RolloutRow]] = []
    for thread in members:
        now = next((item.time for item in thread.items if item.time is not None), 0.0)
        for item in thread.items:
            now = item.time if item.time is not None else now
            stamped.append((now, len(stamped), item))
    return [item for _, _, item in sorted(stamped, key=lambda one: one[:2])]
