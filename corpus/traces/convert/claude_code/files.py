"""Claude Code sessions put together from their files, and each sub-agent joined to the call that started it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from corpus.traces.convert.claude_code.rows import (
    SPAWN_TOOLS,
    Call,
    Result,
    Turn,
    agent_of_file,
    results_of,
    turns_of,
)
from corpus.traces.convert.document import RecordedFile
from corpus.traces.convert.format import AMBIGUOUS, DROPPED, INFERRED, Loss
from corpus.traces.convert.lookup import text
from corpus.traces.convert.redaction import Redaction

MAIN = ""


@dataclass(slots=True)
class Session:
    """One session: the turns of all its threads in time order, and the calls that started sub-agents.

    Attributes
    ----------
    name : str
        Session id.
    layout : str
        ``inline``, ``files`` or ``folder``: how the recorder kept sub-agents apart.
    turns : list of Turn
        In time order; a turn without a time stays behind the one before it.
    calls : dict
        Spawn calls by id, and `results` what came back for any call id.
    children : dict
        Thread of the sub-agent that a call started, by call id; `guessed` the calls joined by prompt or time.
    resumed : dict
        For a call that lets a sub-agent go on: the call that started it.
    """

    name: str
    layout: str
    turns: list[Turn]
    kinds: dict[str, str]
    calls: dict[str, Call] = field(default_factory=dict)
    results: dict[str, Result] = field(default_factory=dict)
    children: dict[str, str] = field(default_factory=dict)
    guessed: set[str] = field(default_factory=set)
    resumed: dict[str, str] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)

    @property
    def threads(self) -> dict[str, list[Turn]]:
        """Turns by thread, threads by first turn."""
        found: dict[str, list[Turn]] = {}
        for turn in self.turns:
            found.setdefault(turn.thread, []).append(turn)
        return found


def sessions_of(documents: Sequence[RecordedFile]) -> Iterator[Session]:
    """Group files into sessions, by the folder of the sub-agents' files, else by session id."""
    keyed = sorted(((_session_name(document), document) for document in documents), key=lambda pair: pair[0])
    for name, group in groupby(keyed, key=lambda pair: pair[0]):
        files = [document for _, document in group]
        metas = {agent_of_file(one): one for one in files if one.path.name.endswith(".meta.json")}
        turns = [turn for one in files if one not in metas.values() for turn in turns_of(one)]
        if not any(turn.kind in ("assistant", "user") for turn in turns):
            continue
        losses: list[Loss] = []
        session = Session(name, _layout(files), _in_time(_once(turns, losses)), {}, losses=losses)
        _index(session)
        _join(session, metas)
        yield from _apart(session)


def _apart(session: Session) -> Iterator[Session]:
    """Yield the session, and as a run of its own each sub-agent that no call of it fits."""
    joined = {MAIN, *session.children.values()}
    strangers = [thread for thread in session.threads if thread not in joined]
    if MAIN not in session.threads:
        strangers = strangers[1:]
    for thread in strangers:
        turns = session.threads[thread]
        note = Loss(AMBIGUOUS, turns[0].place, "no call fits this sub-agent; it is a trace of its own")
        kinds = {thread: session.kinds.get(thread, "")}
        apart = Session(f"{session.name}.{thread}", session.layout, turns, kinds, losses=[note])
        _index(apart)
        yield apart
    session.turns = [turn for turn in session.turns if turn.thread not in strangers]
    if session.turns:
        yield session


def _session_name(document: RecordedFile) -> str:
    if document.path.parent.name == "subagents":
        return document.path.parent.parent.name
    for row in document.rows:
        if found := text(row.value, "sessionId"):
            return found
    return f"session-{Redaction().content(document.path.name)}".replace("sha256:", "")


def _layout(files: Iterable[RecordedFile]) -> str:
    if any(one.path.parent.name == "subagents" for one in files):
        return "folder"
    return "files" if any(agent_of_file(one) for one in files) else "inline"


def _once(turns: list[Turn], losses: list[Loss]) -> list[Turn]:
    """Drop rows that a resumed session repeats."""
    seen: set[str] = set()
    kept = []
    for turn in turns:
        name = text(turn.row, "uuid")
        if name and name in seen:
            losses.append(Loss(DROPPED, turn.place, "a row with the uuid of an earlier one"))
            continue
        seen.add(name)
        kept.append(turn)
    return kept


def _in_time(turns: list[Turn]) -> list[Turn]:
    stamped, now = [], 0.0
    for place, turn in enumerate(turns):
        now = turn.time if turn.time is not None else now
        stamped.append((now, place, turn))
    return [turn for _, _, turn in sorted(stamped, key=lambda item: item[:2])]


def _index(session: Session) -> None:
    open_calls: dict[str, list[str]] = {}
    unnamed = 0
    for turn in session.turns:
        for block in turn.blocks("tool_use"):
            unnamed += not text(block, "id")
            name = block["id"] = text(block, "id") or f"call-{unnamed}"
            open_calls.setdefault(turn.thread, []).append(name)
            if text(block, "name") in SPAWN_TOOLS:
                session.calls[name] = Call(turn, block)
        for result in results_of(turn):
            waiting = open_calls.get(turn.thread, [])
            name = text(result.block, "tool_use_id")
            if not name and waiting:
                name = waiting[0]
                session.losses.append(Loss(INFERRED, turn.place, "a tool result without a call id answers the oldest"))
            result.block["tool_use_id"] = name
            if name in waiting:
                waiting.remove(name)
            session.results.setdefault(name, result)


def _join(session: Session, metas: dict[str, RecordedFile]) -> None:
    """Find the call behind each sub-agent: by the written call id, the written agent id, the prompt, else the time."""
    threads = {name: turns for name, turns in session.threads.items() if name != MAIN}
    by_agent: dict[str, str] = {}
    for name, result in session.results.items():
        by_agent.setdefault(result.agent, name)
    by_prompt: dict[str, list[str]] = {}
    for name, call in session.calls.items():
        if not call.resumes:
            by_prompt.setdefault(call.prompt, []).append(name)
    for thread, turns in threads.items():
        meta = metas[thread].rows[0].value if thread in metas else None
        session.kinds[thread] = text(meta, "agentType")
        written = text(meta, "toolUseId")
        if not written or (written in session.calls and session.calls[written].resumes):
            written = by_agent.get(thread or "-", "")
        found = written or _by_prompt(session, turns, by_prompt)
        if found in session.calls and found not in session.children:
            session.children[found] = thread
            if not written:
                session.guessed.add(found)
                session.losses.append(Loss(INFERRED, turns[0].place, "a sub-agent is joined to its call by its prompt"))
    joined = set(session.children.values())
    for thread in [name for name in threads if name not in joined]:
        near = _by_time(session, thread, threads[thread][0])
        if near:
            session.children[near] = thread
            session.guessed.add(near)
            session.losses.append(Loss(INFERRED, threads[thread][0].place, "a sub-agent is joined to its call by time"))
    _resume(session)


def _resume(session: Session) -> None:
    """Find the calls that let a sub-agent go on: they name its id, and so does their result."""
    starters = {thread: name for name, thread in session.children.items()}
    for name, call in session.calls.items():
        agent = call.resumes or (session.results[name].agent if name in session.results else "")
        if agent and name not in session.children and not _failed(session, name):
            first = starters.setdefault(agent, name)
            if first != name:
                session.resumed[name] = first


def _by_prompt(session: Session, turns: list[Turn], by_prompt: dict[str, list[str]]) -> str:
    prompt = next((turn.words for turn in turns if turn.kind == "user"), "")
    fitting = [name for name in by_prompt.get(prompt, ()) if name not in session.children]
    fitting = [name for name in fitting if session.calls[name].turn.thread != turns[0].thread]
    if not prompt or not fitting:
        return ""
    if len(fitting) > 1:
        session.losses.append(Loss(AMBIGUOUS, turns[0].place, "several calls have the prompt of this sub-agent"))
    return fitting[0]


def _by_time(session: Session, thread: str, first: Turn) -> str:
    """Return the last call before the sub-agent's first row that has no sub-agent and did not fail."""
    found = ""
    for name, call in session.calls.items():
        free = name not in session.children and call.turn.thread != thread and not _failed(session, name)
        if free and not call.resumes and (call.turn.time or 0.0) <= (first.time or 0.0):
            found = name
    return found


def _failed(session: Session, name: str) -> bool:
    return name in session.results and session.results[name].failed


def row_kinds(turns: Iterable[Turn]) -> Counter[str]:
    """Count the rows that say nothing about who did what, by type."""
    return Counter(turn.kind for turn in turns if turn.kind not in ("assistant", "user", "attachment"))
